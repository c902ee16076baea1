"""Every method that maximises a plain function, on one set of problems: regret at the end, cost, curves, profiles."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.aggregates import interquartile_mean, performance_profile, stratified_bootstrap
from experiments.engine.statistics import Interval
from experiments.papers import PAPERS
from paper_figures.common.shares import (
    compared,
    final,
    improvement,
    noise_fractions,
    proposal_seconds,
    proposals,
    shares,
)
from paper_figures.figure import FigureSpec
from paper_figures.footer import name_band, name_bars, remark
from paper_figures.load import StudyResults
from paper_figures.panels import GUIDE, tidy_log_axis
from paper_figures.style import (
    BAND_ALPHA,
    BLACK,
    BLUE,
    GREEN,
    LETTERS,
    VERMILLION,
    method_label,
    method_style,
    new_figure,
    panel_title,
    top_legend,
)
from paper_figures.table import Table, interval, number

FLOOR = 1e-4
"""The least share drawn: smaller shares are drawn here, because a logarithmic axis has no zero."""

BAND_RESAMPLES = 200
"""The number of bootstrap resamples behind the bands; the table's intervals use more."""

RANDOM = "random_search"
PEERS = (RANDOM, "gp_ucb_refit")
"""The methods that the table's probabilities of improvement refer to: random search, and refitted GP-UCB."""

ROW = 1.5
"""The height of a row of panels, in inches."""

SMALL = 7.2
"""The font size of the legends over the columns, in points; each legend has two columns."""

PAPER_LOOKS: dict[str, tuple[str, str]] = {"A": (BLUE, "o"), "B": (VERMILLION, "^"), "D": (GREEN, "s")}
SEVERAL = (BLACK, "D")
"""The colours and markers of the methods of one paper, and of the methods that several papers use."""


def _groups(names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The methods by paper, because colours repeat between papers; the methods that several papers use stand in
    each."""
    groups = [(paper.letter, [name for name in names if paper.letter in method_style(name).papers]) for paper in PAPERS]
    common = set.intersection(*(set(group) for _, group in groups))
    return [(letter, group) for letter, group in groups if set(group) - common]


def ranked(data: StudyResults) -> list[str]:
    """The methods, by increasing geometric mean of their final interquartile means over the noise levels."""
    left = {name: np.log(np.maximum(interquartile_mean(shares(data, name)[:, -1]), FLOOR)) for name in compared(data)}
    return sorted(left, key=lambda name: float(np.mean(left[name])))


def behind(data: StudyResults, name: str, level: int) -> bool:
    """True where a method ends worse than random search at 95 %, by the probability of improvement at a noise level."""
    ends = (shares(data, one)[level, -1] for one in (name, RANDOM))
    return name != RANDOM and bool(improvement(*ends).high < 0.5)


def draw(data: StudyResults) -> Figure:
    """One row a method: the regret left at each noise level, and the cost of a proposal."""
    names, fractions = ranked(data), noise_fractions(data)
    columns = len(fractions) + 1
    figure, grid = new_figure(1, columns, height=1.2 + 0.165 * len(names), legend=0.45, sharey=True)
    for level, fraction in enumerate(fractions):
        axes = grid[0][level]
        for place, name in enumerate(names):
            found = stratified_bootstrap(shares(data, name)[level, -1], interquartile_mean)
            _mark(axes, place, name, found, hollow=behind(data, name, level))
        axes.axvline(float(interquartile_mean(shares(data, RANDOM)[level, -1])), zorder=1, **GUIDE)
        axes.set_xlabel("Regret left (lower is better)")
        panel_title(
            axes, LETTERS[level], f"Noise {100 * fraction:g} % of the range" if fraction else "Exact observations"
        )
    axes = grid[0][-1]
    for place, name in enumerate(names):
        seconds = np.full(1, 1e3 * proposal_seconds(data, name))
        _mark(axes, place, name, Interval(*(seconds[0],) * 3))
    axes.set_xlabel("CPU milliseconds (lower is better)")
    panel_title(axes, LETTERS[columns - 1], "Time of a proposal")
    for axes in grid[0]:
        axes.set_xscale("log")
        axes.margins(x=0.08)
        axes.grid(False, axis="y")
        tidy_log_axis(axes, "x")
    grid[0][0].set_yticks(range(len(names)), [method_label(name) for name in names])
    grid[0][0].set_ylim(len(names) - 0.5, -0.5)
    grid[0][0].set_ylabel("Method")
    name_bars(grid[0][0], "95 % stratified bootstrap interval of the interquartile mean")
    remark(figure, "Regret left: simple regret over the mean regret of the initial design")
    looks = {**{f"Paper {paper}": look for paper, look in PAPER_LOOKS.items()}, "Several papers": SEVERAL}
    handles = [
        *(
            Line2D([], [], color=colour, marker=marker, linestyle="", label=words)
            for words, (colour, marker) in looks.items()
        ),
        Line2D([], [], color="#333333", marker="o", markerfacecolor="white", linestyle="",
               label="Hollow: behind random search at 95 %"),
        Line2D([], [], label=method_label(RANDOM), **GUIDE),
    ]  # fmt: skip
    top_legend(figure, handles, columns=4)
    return figure


def _mark(axes: Axes, place: int, name: str, found: Interval, hollow: bool = False) -> None:
    """An estimate and its interval, in the colour and marker of the method."""
    papers = method_style(name).papers
    colour, marker = PAPER_LOOKS.get(papers, SEVERAL)
    middle, low, high = (max(float(value), FLOOR) for value in found)
    axes.plot([low, high], [place, place], color=colour, linewidth=1.2, linestyle="-", marker="", zorder=2)
    face = "white" if hollow else colour
    axes.plot([middle], [place], marker, color=colour, markerfacecolor=face, markersize=4.2, zorder=3)


def draw_curves(data: StudyResults) -> Figure:
    """One column a paper: shares against proposals, exact and noisy, then performance profiles."""
    groups = _groups(compared(data))
    fractions = noise_fractions(data)
    scores = {name: shares(data, name) for name in compared(data)}
    rows = len(fractions) + 1
    legend = 0.1 + 0.145 * -(-max(len(group) for _, group in groups) // 2)
    figure, grid = new_figure(rows, len(groups), height=0.35 + legend + ROW * rows, legend=legend, sharey="row")
    for column, (letter, group) in enumerate(groups):
        handles = [Line2D([], [], **method_style(name).plot()) for name in group]
        figure.legend(
            handles=handles, loc="upper center", bbox_to_anchor=((column + 0.55) / len(groups), 1.0), ncols=2,
            borderaxespad=0.25, fontsize=SMALL, handlelength=1.5, columnspacing=0.6, labelspacing=0.3,
        )  # fmt: skip
        for row, fraction in enumerate(fractions):
            _curves(grid[row][column], {name: scores[name][row] for name in group})
            noise = f"noise {100 * fraction:g} %" if fraction else "exact"
            _label(grid[row], column, row * len(groups) + column, f"Paper {letter}, {noise}")
            grid[row][column].set_xlabel("Proposals")
        _profiles(grid[-1][column], {name: final(scores[name]) for name in group})
        _label(grid[-1], column, (rows - 1) * len(groups) + column, f"Paper {letter}, at the end")
    grid[-1][0].set_ylabel("Share of runs\n(higher is better)")
    for panel in (axes for row in grid[: len(fractions)] for axes in row):
        tidy_log_axis(panel)
    remark(figure, "Regret left: simple regret over the mean regret of the initial design")
    return figure


def _label(row: Sequence[Axes], column: int, place: int, title: str) -> None:
    panel_title(row[column], LETTERS[place], title)
    if column == 0:
        row[0].set_ylabel("Regret left\n(lower is better)")


def _curves(axes: Axes, scores: dict[str, np.ndarray]) -> None:
    """Interquartile means against proposals with their bands, on a logarithmic scale."""
    axes.set_yscale("log")
    for index, (name, table) in enumerate(reversed(scores.items())):
        style = method_style(name)
        found = stratified_bootstrap(table, interquartile_mean, resamples=BAND_RESAMPLES)
        centre, low, high = (np.maximum(line, FLOOR) for line in found)
        places = np.arange(len(centre))
        step = max(len(places) // 5, 1)
        axes.fill_between(places, low, high, color=style.colour, alpha=BAND_ALPHA / 2, linewidth=0)
        axes.plot(places, centre, markevery=(index * step // len(scores), step), zorder=3 + index, **style.plot())
    name_band(axes, "95 % stratified bootstrap interval of the interquartile mean")


def _profiles(axes: Axes, final: dict[str, np.ndarray]) -> None:
    """The share of runs that left at most so much regret, which exceeds 1 where a design is worse than the mean
    design."""
    thresholds = np.geomspace(FLOOR, 2.0, 81)
    axes.set_xscale("log")
    for index, (name, table) in enumerate(reversed(final.items())):
        step = (index * 16 // len(final), 16)
        axes.plot(thresholds, performance_profile(table, thresholds), markevery=step, **method_style(name).plot())
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("Regret left at most")


def table(data: StudyResults) -> Table:
    """One row a method: final interquartile means by noise level, probabilities of improvement, seconds a proposal."""
    names, fractions = compared(data), noise_fractions(data)
    scores = {name: shares(data, name) for name in names}
    peers = [peer for peer in PEERS if peer in names]
    rows = []
    for name in names:
        cells = [method_label(name), ", ".join(method_style(name).papers)]
        for level in range(len(fractions)):
            found = stratified_bootstrap(scores[name][level, -1], interquartile_mean)
            cells.append(f"{number(float(found.estimate))} {interval(float(found.low), float(found.high))}")
        for peer in peers:
            better = improvement(final(scores[name]), final(scores[peer]))
            shown = f"{float(better.estimate):.2f} {interval(float(better.low), float(better.high), 2)}"
            cells.append("–" if peer == name else shown)
        rows.append((*cells, number(proposal_seconds(data, name), 2)))
    levels = [
        f"Regret left, noise {100 * fraction:g} %" if fraction else "Regret left, exact" for fraction in fractions
    ]
    odds = [f"P(better than {method_label(peer)})" for peer in peers]
    return Table(
        "Every method on one set of problems",
        ("Method", "Papers", *levels, *odds, "CPU seconds a proposal"),
        tuple(rows),
        f"Regret left is simple regret after {proposals(data)} proposals over the mean regret of the initial design, "
        f"on {len(data.problems())} problems: the interquartile mean over all runs with its 95 % stratified bootstrap "
        "interval. P(better) is the probability that a run on a random problem and noise level ends better, with "
        "ties counted half. Intervals are not corrected for the number of rows. Constants are as shipped; no method "
        "is told the variance of the noise.",
    )


_SHOWN = (
    "Every method of the papers that maximises a plain function, with constants as shipped, on one set of synthetic "
    "problems. Regret left is simple regret, noise-free at the points queried, over the mean regret of the initial "
    "design, which all methods share. Methods of Paper C answer another question and are left out. "
)

FIGURES = (
    FigureSpec(
        id="common.policies",
        study="common.policies",
        number="Figure of all methods",
        caption=_SHOWN
        + "Interquartile mean of the regret left after the last proposal, over problems and seeds, with its 95 % "
        "interval, for each noise level; and the CPU time of a proposal. Methods are ordered by the geometric mean "
        "over the noise levels. A hollow mark is behind random search at 95 %, by the probability that a run ends "
        "better.",
        draw=draw,
        tables=lambda data: (table(data),),
    ),
    FigureSpec(
        id="common.policies_curves",
        study="common.policies",
        number="Figure of all methods (curves)",
        caption=_SHOWN
        + "Each column shows one paper, and a colour and marker name a method within its column only. The first rows "
        "show the interquartile mean over problems and seeds against the number of proposals, exact and noisy. The "
        "last row is the performance profile: the share of runs that end with at most so much regret left, over all "
        "noise levels together.",
        draw=draw_curves,
    ),
)
