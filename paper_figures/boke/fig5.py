"""Figure 5: BOKE against BOKE+ from the same five points, at four moments of the run."""

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.slim import first_run
from paper_figures.boke.acquisition import choice, handles, points, shaded_acquisition, surrogate
from paper_figures.comparisons import Pair, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.style import BLUE, GREEN, method_label, method_style, new_figure, top_legend
from paper_figures.table import Table

COLUMNS = 4
"""Moments shown, from the first to the last stored."""
POLICIES = ("boke", "boke_plus")
BINS = 40
SAME = 1e-3
"""The largest distance of queries that count as the same."""


def moments(steps: int) -> list[int]:
    """The indices of `COLUMNS` moments among so many steps, evenly spread."""
    return sorted({int(step) for step in np.linspace(0, steps - 1, min(COLUMNS, steps)).round()})


def draw(data: StudyResults) -> Figure:
    """One row a method; every picture has the surrogate above and the acquisition below. The last row has all seeds."""
    shown = moments(data.made(first_run("mean"), policy=POLICIES[0]).shape[1])
    figure, grid = new_figure(
        2 * len(POLICIES) + 1, len(shown), height=1.7 + 1.6 * len(POLICIES), legend=0.43, sharex=True,
        gridspec_kw={"height_ratios": [*[2.0, 1.0] * len(POLICIES), 1.6]},
    )  # fmt: skip
    below = figure.add_subplot(grid[-1][0].get_subplotspec().get_gridspec()[-1, :])  # type: ignore[union-attr]
    for spare in grid.pop():
        spare.remove()
    _places(below, data)
    for row, policy in enumerate(POLICIES):
        for column, step in enumerate(shown):
            upper, lower = grid[2 * row][column], grid[2 * row + 1][column]
            _picture(data, policy, step, upper, lower)
            if column == 0:
                upper.set_ylabel("$y$")
            else:
                upper.tick_params(labelleft=False)
    for axes in grid[-1]:
        axes.set_xlabel("$x$")
        axes.tick_params(labelbottom=True)
        axes.set_xticks([0.0, 0.5, 1.0])
    exploits = not all(data.array("explore", policy=policy)[0, step] for policy in POLICIES for step in shown)
    looks = [
        Line2D([], [], **(method_style(policy).plot() | {"marker": "", "label": f"{method_label(policy)}, last row"}))
        for policy in POLICIES
    ]
    top_legend(figure, [*handles(later=True, exploit=exploits), *looks], columns=5)
    queries = [data.array("x", policy=policy) for policy in POLICIES]
    same = np.max(np.abs(np.subtract(*queries)), axis=1) < SAME
    if same[0]:
        remark(
            figure, f"Both methods query the same points on {same.sum()} of {len(same)} seeds, also on the one shown"
        )
    return figure


def _places(axes: Axes, data: StudyResults) -> None:
    """The places of the points added on all seeds, by method, with their mean noise-free value."""
    initial, means = int(data.common("initial_size")), []
    for policy in POLICIES:
        style = method_style(policy)
        added, values = (data.array(name, policy=policy)[:, initial:] for name in ("x", "value"))
        weights = np.full(added.size, 1.0 / added.size)
        axes.hist(
            added.ravel(), BINS, range=(0.0, 1.0), weights=weights, histtype="step", color=style.colour,
            linewidth=1.2, linestyle=style.line,
        )  # fmt: skip
        means.append(f"{values.mean():.2f} ({style.label})")
    axes.set_xlim(0.0, 1.0)
    axes.set_xlabel("$x$")
    axes.set_ylabel("Share")
    axes.set_title(f"Points added on all {len(added)} seeds: mean $f(x)$ {', '.join(means)}", fontsize=8)


def _picture(data: StudyResults, policy: str, step: int, upper: Axes, lower: Axes) -> None:
    initial = int(data.common("initial_size"))
    positions, truth = data.common("grid"), data.common("truth")
    x, y = (data.array(name, policy=policy)[0] for name in ("x", "y"))
    mean, acquisition = (data.made(first_run(name), policy=policy)[0, step] for name in ("mean", "acquisition"))
    explore = data.array("explore", policy=policy)[0, step]
    surrogate(upper, positions, truth, mean, None)
    points(upper, x[: initial + step], y[: initial + step], initial, size=2.6)
    shaded_acquisition(lower, positions, acquisition, BLUE if explore else GREEN)
    lower.set_yticks([])
    lower.grid(False)
    for axes in (upper, lower):
        choice(axes, float(x[initial + step]))
    upper.set_title(f"{method_label(policy)}, $t = {initial + step}$", fontsize=8)


def tables(data: StudyResults) -> tuple[Table, ...]:
    """A comparison over all seeds: the objective at the points that BOKE+ and BOKE sample, and the spread of both."""
    added = int(data.common("initial_size"))
    measures: dict[str, Callable[[str], np.ndarray]] = {
        "Mean noise-free value of the points added": lambda name: data.array("value", policy=name)[:, added:].mean(1),
        "Best noise-free value found": lambda name: data.array("value", policy=name).max(1),
        "Standard deviation of the points added": lambda name: data.array("x", policy=name)[:, added:].std(1),
    }
    plain, plus = POLICIES
    names = f"{method_label(plus)} / {method_label(plain)}"
    return (
        paired_table(
            f"{method_label(plus)} against {method_label(plain)} over all seeds",
            ("Measure",),
            [Pair((name,), measure(plus), measure(plain)) for name, measure in measures.items()],
            "Paired by seed (same initial points and noise).",
            sides=names,
            outcomes="Larger–smaller–equal",
            higher=True,
        ),
    )


FIGURES = (
    FigureSpec(
        id="boke.fig5",
        study="boke.fig5",
        number="Figure 5",
        caption=(
            "BOKE (top) and BOKE+ (bottom) on function A (9) from the same five points, at four moments. Each "
            "picture shows the function (dashed), kernel regression (blue) and the observations. The acquisition "
            "that chose the next point stands below: IKR-UCB A (14) in blue, pure exploitation A (16) in green. The "
            "pictures show the first seed. The last row is ours: the places of the points added on all seeds."
        ),
        draw=draw,
        tables=tables,
        first=True,
    ),
)
