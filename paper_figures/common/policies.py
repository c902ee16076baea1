"""Every method that maximises a plain function on one set of problems: regret, profiles, and cost beside regret."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.aggregates import interquartile_mean, performance_profile, stratified_bootstrap
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
from paper_figures.footer import name_band
from paper_figures.load import StudyResults
from paper_figures.panels import tidy_log_axis
from paper_figures.style import (
    BAND_ALPHA,
    LETTERS,
    legend_height,
    method_label,
    method_style,
    new_figure,
    panel_title,
)
from paper_figures.table import Table, interval, number

FLOOR = 1e-4
"""Shares below this are drawn here: a logarithmic axis has no zero."""

BAND_RESAMPLES = 200
"""Bootstrap resamples behind the bands; the table's intervals use more."""

PEERS = ("random_search", "gp_ucb_refit")
"""Against whom the table gives probabilities of improvement: no method at all, and the default of `core.optimize`."""

ROW = 1.42
"""Inches of a row of panels."""


def _groups(names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The methods by paper, for looks repeat between papers; those that several papers use stand in each."""
    groups = [(paper.letter, [name for name in names if paper.letter in method_style(name).papers]) for paper in PAPERS]
    common = set.intersection(*(set(group) for _, group in groups))
    return [(letter, group) for letter, group in groups if set(group) - common]


def draw(data: StudyResults) -> Figure:
    """A column a paper; rows: shares against proposals, exact and noisy; performance profiles; cost and final share."""
    groups = _groups(compared(data))
    fractions = noise_fractions(data)
    scores = {name: shares(data, name) for name in compared(data)}
    rows = len(fractions) + 2
    legend = legend_height(max(len(group) for _, group in groups), 1)
    figure, grid = new_figure(rows, len(groups), height=0.35 + legend + ROW * rows, legend=legend, sharey="row")
    for column, (letter, group) in enumerate(groups):
        handles = [Line2D([], [], **method_style(name).plot()) for name in group]
        place = ((column + 0.55) / len(groups), 1.0)
        figure.legend(handles=handles, loc="upper center", bbox_to_anchor=place, borderaxespad=0.25)
        for row, fraction in enumerate(fractions):
            _curves(grid[row][column], {name: scores[name][row] for name in group})
            noise = f"noise {100 * fraction:g} %" if fraction else "exact"
            _label(grid[row], column, row * len(groups) + column, f"Paper {letter}, {noise}")
            grid[row][column].set_xlabel("Proposals")
        _profiles(grid[-2][column], {name: final(scores[name]) for name in group})
        _costs(grid[-1][column], {name: (proposal_seconds(data, name), final(scores[name])) for name in group})
        for row, title in ((rows - 2, "final"), (rows - 1, "cost")):
            _label(grid[row], column, row * len(groups) + column, f"Paper {letter}, {title}")
    grid[-2][0].set_ylabel("Share of runs")
    spent = [proposal_seconds(data, name) for name in scores]
    for panel in grid[-1]:
        panel.set_xlim(min(spent) / 2, max(spent) * 2)
        tidy_log_axis(panel, "x")
    for panel in (*grid[-1], *(axes for row in grid[: len(fractions)] for axes in row)):
        tidy_log_axis(panel)
    return figure


def _label(row: Sequence[Axes], column: int, place: int, title: str) -> None:
    panel_title(row[column], LETTERS[place], title)
    if column == 0:
        row[0].set_ylabel("Regret left")


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
    """The share of runs that left at most so much (more than 1 where a design was worse than the mean one)."""
    thresholds = np.geomspace(FLOOR, 2.0, 81)
    axes.set_xscale("log")
    for index, (name, table) in enumerate(reversed(final.items())):
        step = (index * 16 // len(final), 16)
        axes.plot(thresholds, performance_profile(table, thresholds), markevery=step, **method_style(name).plot())
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("Regret left at most")


def _costs(axes: Axes, measured: dict[str, tuple[float, np.ndarray]]) -> None:
    """CPU time of a proposal and the final interquartile mean with its interval."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.margins(0.1)
    for name, (seconds, table) in measured.items():
        centre, low, high = (max(float(value), FLOOR) for value in stratified_bootstrap(table, interquartile_mean))
        style = method_style(name)
        axes.plot([seconds] * 2, [low, high], color=style.colour, linewidth=1.0, marker="")
        axes.plot([seconds], [centre], color=style.colour, marker=style.marker, markersize=4.5, linestyle="")
    axes.set_xlabel("CPU seconds a proposal")


def table(data: StudyResults) -> Table:
    """A row a method: final interquartile means by noise level, probabilities of improvement, seconds a proposal."""
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
        f"Regret left after {proposals(data)} proposals on {len(data.problems())} problems: simple regret over the "
        "mean regret of the initial design; interquartile mean over all runs, 95 % stratified bootstrap interval. "
        "P(better) is the probability that a run on a random problem and noise level ends better, ties counted half. "
        "Not corrected for the number of rows. Constants as shipped; no method is told the variance of the noise.",
    )


FIGURES = (
    FigureSpec(
        id="common.policies",
        study="common.policies",
        number="Figure of all methods",
        caption=(
            "Every method of the papers that maximises a plain function, in the column of its paper, constants as "
            "shipped, on one set of synthetic problems. Regret left: simple regret, noise-free at the points queried, "
            "over the mean regret of the initial design, which all methods share. Rows: its interquartile mean over "
            "problems and seeds against proposals, exact and noisy; the share of runs that end with at most so much "
            "left (performance profile); the final interquartile mean beside the CPU time of a proposal; these two "
            "with all noise levels together. Methods of Paper C answer another question and are left out."
        ),
        draw=draw,
        tables=lambda data: (table(data),),
    ),
)
