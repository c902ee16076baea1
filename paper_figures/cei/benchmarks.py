"""What Figures 3, 7 and 8 share: curves of the distance to the optimum, and paired comparisons of their ends."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.engine.statistics import bootstrap_interval
from paper_figures.comparisons import COMPARISON_HEADER, comparison_cells, score
from paper_figures.load import StudyResults
from paper_figures.panels import curve
from paper_figures.style import (
    legend_height,
    method_label,
    method_legend,
    method_order,
    new_figure,
    panel_title,
    problem_label,
)
from paper_figures.table import Table, interval, number

METHOD = "corrected_ei"
NEXT_TO = 0.01
"""Distance in the unit cube below which a proposal counts as next to the incumbent."""

GAP_FLOOR = 1e-9
"""Distances to the optimum below this count as this: their logarithm is averaged."""

ARMS = {"known": "noise variance known", "leaked": "noise leaked"}

DEVIATIONS = (
    "Noise has the same standard deviation at every point, relative to the exact range on the full box; x+ is the "
    "observed point of largest posterior mean; the interval is a 95 % bootstrap interval over seeds."
)
"""What the caption of every such figure says of the differences from the paper."""


def log_gap(data: StudyResults, **match: object) -> np.ndarray:
    """log₁₀(f(x*) − f(x⁺)), (seeds, K), from below at `GAP_FLOOR`."""
    return np.log10(np.maximum(data.array("gap", **match), GAP_FLOOR))


def distance(data: StudyResults, **match: object) -> np.ndarray:
    """Distance from x⁺ to the nearest optimiser, (seeds, K), in natural units."""
    return data.array("distance", **match)


MEASURES: dict[str, tuple[str, Callable[..., np.ndarray]]] = {
    "gap": (r"$\log_{10}(f(x^*) - f(x^+))$", log_gap),
    "distance": (r"$\|x^+ - x^*\|_2$", distance),
}


def linear_curves(axes: Axes, horizontal: np.ndarray, samples: dict[str, np.ndarray], markers: int = 5) -> None:
    """Mean over seeds of every method with its 95 % band, corrected EI on top, on a linear axis."""
    names = sorted(method_order(samples), key=lambda name: name != METHOD)
    step = max(len(horizontal) // markers, 1)
    for index, name in enumerate(reversed(names)):
        places = ((index + 1) * step // len(names), step)
        curve(axes, name, horizontal, samples[name], "mean", -np.inf, places, 3 + index)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))


def panels(data: StudyResults, arm: str) -> Figure:
    """One column a problem: above log₁₀ of the distance to the optimum, below the distance to the optimiser."""
    problems = [problem for problem in data.problems() if data.select(problem=problem, arm=arm)]
    methods = data.policies()
    columns = 4
    legend = legend_height(len(methods), columns)
    width = 7.0 if len(problems) > 2 else 3.6 * len(problems)
    figure, grid = new_figure(
        2, len(problems), height=3.7 + legend, width=width, legend=legend if width == 7.0 else 0.8, sharex="col"
    )
    for column, problem in enumerate(problems):
        times = data.common("t", problem=problem, arm=arm)
        for row, (label, measure) in enumerate(MEASURES.values()):
            samples = {
                method: measure(data, problem=problem, policy=method, arm=arm) for method in data.policies(problem)
            }
            linear_curves(grid[row][column], times, samples)
            if column == 0:
                grid[row][column].set_ylabel(label)
        panel_title(grid[0][column], "ABCD"[column], problem_label(problem))
        panel_title(grid[1][column], "EFGH"[column], problem_label(problem))
        grid[1][column].set_xlabel("Evaluations $t$")
    method_legend(figure, methods, columns=columns if width == 7.0 else 2)
    return figure


def tables(data: StudyResults, arm: str, **match: object) -> tuple[Table, ...]:
    """Corrected EI against every other method at the end of the runs, by both measures."""
    return tuple(
        end_table(data, name, arm, data.problems(), lambda problem: {"problem": problem}, problem_label)
        for name in MEASURES
    )


def end_table(
    data: StudyResults,
    measure: str,
    arm: str,
    groups: Sequence[object],
    match_of: Callable[..., dict[str, object]],
    label_of: Callable[..., str],
) -> Table:
    """`METHOD` against each peer after the whole budget, one block of rows a group, paired by seed."""
    rows = []
    value = MEASURES[measure][1]
    for group in groups:
        match = {**match_of(group), "arm": arm}
        present = {result.config["policy"] for result in data.select(**match)}
        if METHOD not in present:
            continue
        ours = value(data, policy=METHOD, **match)[:, -1]
        for peer in method_order(present - {METHOD}):
            theirs = value(data, policy=peer, **match)[:, -1]
            means = f"{number(ours.mean())} / {number(theirs.mean())}"
            cells = comparison_cells(ours, theirs)
            rows.append((label_of(group), method_label(peer), means, *cells, score(ours, theirs)))
    words = {
        "gap": "log₁₀ of the distance to the optimum, f(x*) − f(x⁺)",
        "distance": "Distance from x⁺ to the nearest optimiser, natural units",
    }
    return Table(
        f"Corrected EI against its peers at the end, {ARMS[arm]}: {words[measure]}",
        ("Setting", "Peer", "Mean (ours / peer)", *COMPARISON_HEADER, "Wins–losses–ties"),
        tuple(rows),
        "Paired by seed (same initial design and noise for every method). Difference = corrected EI − peer: negative "
        "favours corrected EI. 95 % percentile bootstrap interval of the mean difference; two-sided Wilcoxon "
        "signed-rank p, not corrected for the number of rows.",
    )


def steps_from_incumbent(data: StudyResults, **match: object) -> np.ndarray:
    """Distance from each proposal to the incumbent it was made against, in the unit cube, (seeds, K)."""
    x, incumbent = data.array("x", **match).astype(float), data.array("incumbent", **match).astype(int)
    proposed = x[:, int(data.common("initial_size", **match)) :]
    return np.linalg.norm(proposed - np.take_along_axis(x, incumbent[:, :, None], axis=1), axis=-1)


def locality_table(data: StudyResults, arm: str) -> Table:
    """How far from the incumbent every method proposes."""
    rows = []
    for problem in data.problems():
        for method in method_order(data.policies(problem)):
            found = steps_from_incumbent(data, problem=problem, policy=method, arm=arm)
            median = bootstrap_interval(np.median(found, axis=1))
            rows.append((
                problem_label(problem), method_label(method), number(float(median.estimate)),
                interval(float(median.low), float(median.high)), f"{np.mean(found < NEXT_TO):.0%}",
            ))  # fmt: skip
    return Table(
        f"How far from the incumbent the proposals lie, {ARMS[arm]}",
        ("Problem", "Method", "Median distance", "95 % CI", f"Closer than {NEXT_TO:g}"),
        tuple(rows),
        "In the unit cube; the median over a run, averaged over seeds. Corrected PI tends to more than 1/2 at x+ along "
        "the slope of the posterior mean, so that an accurate search proposes next to x+ again and again.",
    )


def leak_table(data: StudyResults) -> Table:
    """Every method with the noise leaked against itself with the variance known."""
    rows = []
    for problem in data.problems():
        for method in method_order(data.policies(problem)):
            arms = [data.select(problem=problem, policy=method, arm=arm) for arm in ARMS]
            if not all(arms):
                continue
            known, leaked = (log_gap(data, problem=problem, policy=method, arm=arm)[:, -1] for arm in ARMS)
            means = f"{number(known.mean())} / {number(leaked.mean())}"
            cells = comparison_cells(leaked, known)
            rows.append((problem_label(problem), method_label(method), means, *cells, score(leaked, known)))
    return Table(
        "What the leaked noise is worth: log₁₀(f(x*) − f(x⁺)) at the end",
        ("Problem", "Method", "Mean (known / leaked)", *COMPARISON_HEADER, "Leaked better–worse–equal"),
        tuple(rows),
        "Difference = leaked − known, paired by seed: negative means that telling the model the noise that occurred "
        "helps. Same initial design and noise in both arms.",
    )
