"""What Figures 1 and 2 share: cumulative regret or reward over rounds, and paired comparisons of their ends."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

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
from paper_figures.table import Table, number

REWARD = frozenset({"context_hartmann_complicated"})
"""Problems of which the paper shows the cumulative reward observed, higher is better."""

OURS = ("sbo_kde", "drbo_kde")
"""The paper's own methods."""

COLUMNS = 2

CAPTION = (
    "Mean over seeds with its 95 % bootstrap band (the paper draws standard errors), counted from the end of the "
    "initial design of 10 Sobol' decisions, which all methods share, as they share the contexts of every round. "
)


def cumulative(data: StudyResults, **match: object) -> np.ndarray:
    """Cumulative regret of the expectation, eq. (1), from the end of the initial design on, (seeds, rounds)."""
    size = int(data.common("initial_size", **match))
    return np.cumsum(data.array("regret", **match)[:, size:], axis=1)


def reward(data: StudyResults, **match: object) -> np.ndarray:
    """Cumulative reward observed over the same rounds, (seeds, rounds)."""
    size = int(data.common("initial_size", **match))
    return np.cumsum(data.array("y", **match)[:, size:], axis=1)


def _curves(axes: Axes, samples: dict[str, np.ndarray]) -> None:
    """The paper's methods on top, on linear axes."""
    names = sorted(method_order(samples), key=lambda name: name not in OURS)
    rounds = np.arange(1, next(iter(samples.values())).shape[1] + 1)
    step = max(len(rounds) // 6, 1)
    for index, name in enumerate(reversed(names)):
        places = ((index + 1) * step // len(names), step)
        curve(axes, name, rounds, samples[name], "mean", -np.inf, places, 3 + index)
    axes.margins(x=0.03)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6, steps=[1, 2, 5, 10]))


def panels(data: StudyResults) -> Figure:
    """One panel a problem."""
    problems, methods = data.problems(), data.policies()
    across = len(problems) if len(problems) <= 3 else COLUMNS
    rows = -(-len(problems) // across)
    width = 4.5 if len(problems) == 1 else 7.0
    columns = 2 if width < 7.0 else 4
    legend = legend_height(len(methods), columns)
    tall = 2.3 if across < 3 else 2.1
    figure, grid = new_figure(rows, across, height=0.4 + legend + tall * rows, width=width, legend=legend)
    everything = [axes for row in grid for axes in row]
    for index, (axes, problem) in enumerate(zip(everything, problems, strict=False)):
        measure = reward if problem in REWARD else cumulative
        _curves(axes, {name: measure(data, problem=problem, policy=name) for name in data.policies(problem)})
        panel_title(axes, "ABCDEF"[index], problem_label(problem))
        if index + across >= len(problems):
            axes.set_xlabel("Rounds after the initial design")
        axes.set_ylabel("Cumulative reward" if problem in REWARD else "Cumulative regret")
    for axes in everything[len(problems) :]:
        axes.set_axis_off()
    method_legend(figure, methods, columns=columns)
    return figure


def _end(data: StudyResults, problem: str, policy: str) -> np.ndarray:
    """Lower is better: cumulative regret, or minus the cumulative reward, at the end of the runs."""
    if problem in REWARD:
        return -reward(data, problem=problem, policy=policy)[:, -1]
    return cumulative(data, problem=problem, policy=policy)[:, -1]


def end_table(data: StudyResults, method: str) -> Table | None:
    """`method` against every other on every problem, paired by seed; None where there is nobody to compare with."""
    rows = []
    for problem in data.problems():
        present = data.policies(problem)
        if method not in present:
            continue
        ours = _end(data, problem, method)
        sign = -1.0 if problem in REWARD else 1.0
        for peer in method_order(name for name in present if name != method):
            theirs = _end(data, problem, peer)
            means = f"{number(sign * ours.mean())} / {number(sign * theirs.mean())}"
            label = problem_label(problem) + (", reward" if problem in REWARD else "")
            rows.append((label, method_label(peer), means, *comparison_cells(ours, theirs), score(ours, theirs)))
    if not rows:
        return None
    name = method_label(method)
    return Table(
        f"{name} against the others at the end: cumulative regret",
        ("Problem", "Peer", "Mean (ours / peer)", *COMPARISON_HEADER, "Wins–losses–ties"),
        tuple(rows),
        f"Paired by seed (same initial design and contexts). Difference = {name} − peer, of rewards with the sign "
        f"turned: negative favours {name}. 95 % percentile bootstrap interval of the mean difference; two-sided "
        "Wilcoxon signed-rank p, not corrected for the number of rows: with five seeds it is at least 0.0625.",
    )


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The paper's two methods against all."""
    found = (end_table(data, method) for method in OURS)
    return tuple(table for table in found if table is not None)
