"""Figures 3 and 7 as ratios: every acquisition against EI, paired by seed, and one aggregate over the problems."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.statistics import Interval, bootstrap_interval
from paper_figures.cei.benchmarks import ARMS, PEER, distance, log_gap
from paper_figures.footer import name_bars
from paper_figures.load import StudyResults
from paper_figures.panels import GUIDE, plain_log_ticks
from paper_figures.samples import Measure, by_method, ends
from paper_figures.style import (
    BLACK,
    LOWER,
    WIDTH,
    method_label,
    method_order,
    method_style,
    new_figure,
    panel_title,
    problem_label,
    top_legend,
)
from paper_figures.table import Table, interval, number

DISTANCE_FLOOR = 1e-6
TICKS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
RESAMPLES = 2000


def log_distance(data: StudyResults, **match: object) -> np.ndarray:
    """log₁₀ of the distance from x⁺ to the nearest optimiser, (seeds, K), with distances of at least
    `DISTANCE_FLOOR`."""
    return np.log10(np.maximum(distance(data, **match), DISTANCE_FLOOR))


MEASURES: Mapping[str, tuple[str, Measure]] = {
    "Distance to the optimum, f(x*) − f(x⁺)": ("Gap $f(x^*) - f(x^+)$", log_gap),
    "Distance from x⁺ to the nearest optimiser": (r"$\|x^+ - x^*\|_2$", log_distance),
}
"""The measures, by their names in words: the short name, and the logarithm."""


def differences(data: StudyResults, measure: Measure, problem: str, arm: str) -> dict[str, np.ndarray]:
    """log₁₀ of a method's last value over EI's, one number for each seed that both have, by method."""
    last = ends(by_method(data, measure, problem=problem, arm=arm))
    peer = last.pop(PEER)
    return {
        name: last[name][:count] - peer[:count]
        for name in method_order(last)
        if (count := min(len(last[name]), len(peer)))
    }


def geometric_ratio(logarithms: np.ndarray) -> Interval:
    """Geometric mean of the ratios, with its 95 % bootstrap interval."""
    found = bootstrap_interval(logarithms, resamples=RESAMPLES)
    return Interval(*(10.0**side for side in found))


def improvement(by_problem: Mapping[str, np.ndarray]) -> Interval:
    """The share of seeds on which a method ends below EI, with ties counted half, averaged over the problems.

    The share is the probability of improvement of Agarwal and others (2021), for pairs. Its 95 % interval is a
    bootstrap over the seeds of each problem.
    """
    shares = [np.where(values < 0, 1.0, np.where(values > 0, 0.0, 0.5)) for values in by_problem.values()]
    rng = np.random.default_rng(0)
    drawn = [one[rng.integers(0, len(one), (RESAMPLES, len(one)))].mean(axis=1) for one in shares]
    low, high = np.quantile(np.mean(drawn, axis=0), (0.025, 0.975))
    return Interval(np.asarray(np.mean([one.mean() for one in shares])), low, high)


def _forest(axes: Axes, found: Mapping[str, Interval]) -> None:
    """One row a method: its estimate and interval."""
    for place, (name, value) in enumerate(found.items()):
        style = method_style(name)
        axes.plot([value.low, value.high], [place, place], color=style.colour, linestyle="-", linewidth=1.3)
        axes.plot([float(value.estimate)], [place], style.marker, color=style.colour, markersize=4)
    axes.set_yticks(range(len(found)), [method_label(name) for name in found])
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.grid(False, axis="y")


def _same_axis(row: Sequence[Axes]) -> None:
    """One logarithmic axis for a row of panels, which shows at least 0.28 to 3.5."""
    low = min(0.28, *(axes.dataLim.x0 / 1.15 for axes in row))
    high = max(3.5, *(axes.dataLim.x1 * 1.15 for axes in row))
    for axes in row:
        axes.set_xscale("log")
        axes.set_xlim(low, high)
        plain_log_ticks(axes.xaxis)
        axes.set_xticks([tick for tick in TICKS if low <= tick <= high])
        axes.minorticks_off()


def draw(data: StudyResults, arm: str) -> Figure:
    """A column a problem and one for the aggregate; the gap above, the distance below."""
    problems = [problem for problem in data.problems() if data.select(problem=problem, arm=arm)]
    columns, compared = len(problems) + 1, {result.config["policy"] for result in data.select(arm=arm)} - {PEER}
    figure, grid = new_figure(
        len(MEASURES),
        columns,
        height=2.5 + 0.3 * len(compared),
        width=min(WIDTH, 2.0 + 1.6 * columns),
        legend=0.28,
        sharey=True,
    )
    for row, (short, measure) in enumerate(MEASURES.values()):
        logarithms = {problem: differences(data, measure, problem, arm) for problem in problems}
        for column, problem in enumerate(problems):
            axes = grid[row][column]
            axes.axvline(1.0, zorder=1, **GUIDE)
            _forest(axes, {name: geometric_ratio(values) for name, values in logarithms[problem].items()})
            panel_title(axes, LOWER[row * len(problems) + column], problem_label(problem))
        axes = grid[row][-1]
        axes.axvline(0.5, zorder=1, **GUIDE)
        _forest(axes, aggregate(logarithms))
        axes.set_xlim(0.0, 1.0)
        axes.set_xticks([0.0, 0.5, 1.0], ["0", "½", "1"])
        panel_title(axes, LOWER[len(MEASURES) * len(problems) + row], "All problems")
        _same_axis(grid[row][:-1])
        for axes in grid[row][:-1]:
            axes.set_xlabel(f"Ratio to {method_label(PEER)}\n(lower is better)")
        grid[row][-1].set_xlabel(f"P(better than {method_label(PEER)})\n(higher is better)")
        grid[row][0].set_ylabel(short)
    name_bars(grid[0][0], "95 % bootstrap interval, paired by seed · ratios: geometric mean after the whole budget")
    level = float(data.select(arm=arm)[0].config["options"]["noise_fraction"])
    handles = [
        Line2D([], [], linestyle="", label=f"Noise {100 * level:g} % of the range; {ARMS[arm]}"),
        Line2D([], [], color=BLACK, marker="o", linestyle="-", label="Estimate and 95 % interval"),
        Line2D([], [], label=f"Level with {method_label(PEER)}", **GUIDE),
    ]
    top_legend(figure, handles)
    return figure


def aggregate(logarithms: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, Interval]:
    """The probability of improvement over EI by method, from the logarithms of the ratios by problem and method."""
    names = method_order(name for found in logarithms.values() for name in found)
    return {name: improvement({p: found[name] for p, found in logarithms.items() if name in found}) for name in names}


def table(data: StudyResults, arm: str) -> Table:
    """The numbers of the last column."""
    rows = []
    for words, (_, measure) in MEASURES.items():
        problems = [problem for problem in data.problems() if data.select(problem=problem, arm=arm)]
        logarithms = {problem: differences(data, measure, problem, arm) for problem in problems}
        for name, found in aggregate(logarithms).items():
            pooled = geometric_ratio(np.concatenate([one[name] for one in logarithms.values() if name in one]))
            rows.append((
                words, method_label(name), number(float(found.estimate)),
                interval(float(found.low), float(found.high)), number(float(pooled.estimate)),
                interval(float(pooled.low), float(pooled.high)),
            ))  # fmt: skip
    peer = method_label(PEER)
    return Table(
        f"Every acquisition against {peer} over all problems, {ARMS[arm]}",
        ("Measure", "Method", f"P(better than {peer})", "95 % CI", f"Ratio to {peer}", "95 % CI of the ratio"),
        tuple(rows),
        "P is the share of seeds on which the method ends below EI, with ties counted half, averaged over the "
        "problems (bootstrap over the seeds of each problem). The ratio is the geometric mean over all seeds of all "
        "problems.",
    )
