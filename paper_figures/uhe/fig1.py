"""Figure 1: data of Bayesian optimisation, and the lengthscale's posterior from them and from i.i.d. data."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, NullFormatter

from experiments.measures.estimates import lengthscale_error
from paper_figures.comparisons import Pair, favours, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import BLACK, GREY, INDIGO, WINE, method_label, new_figure, panel_title, top_legend
from paper_figures.table import Table, number

FUNCTION: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 1.0}
TRUTH: dict[str, Any] = {"color": BLACK, "linestyle": (0, (4, 2)), "linewidth": 1.0}
LOOKS = {"optimisation": (WINE, "^", "Data of BO"), "iid": (INDIGO, "o", "I.i.d. data")}
"""The colour, marker and label of each kind of data."""
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
ROOM = 2.0
"""The factor by which the axis of lengthscales extends beyond the smallest and the largest estimate."""
SPREAD = 0.3
"""Half the height over which the estimates of one kind of data are spread."""


def lengthscale_axis(axes: Axes, data: StudyResults) -> None:
    """The logarithmic axis of lengthscales with the true lengthscale."""
    lengthscale = data.common("lengthscale")
    axes.axvline(float(data.common("true_lengthscale")), zorder=2, **TRUTH)
    axes.set_xscale("log")
    found = np.concatenate([data.array(f"map_{kind}") for kind in LOOKS])
    low, high = max(lengthscale[0], found.min() / ROOM), min(lengthscale[-1], found.max() * ROOM)
    axes.set_xlim(low, high)
    axes.set_xticks([tick for tick in TICKS if low <= tick <= high])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("Lengthscale")


def density(axes: Axes, data: StudyResults, kind: str) -> None:
    """The density of log ℓ on the first path from one kind of data, and its peak."""
    colour, marker, _ = LOOKS[kind]
    found = data.array(f"density_{kind}")[0].astype(float)
    axes.fill_between(data.common("lengthscale"), 0.0, found, color=colour, alpha=0.2, linewidth=0)
    axes.plot(data.common("lengthscale"), found, color=colour, marker="")
    axes.plot([float(data.array(f"map_{kind}")[0])], [found.max()], marker, color=colour, zorder=5)


def estimates(axes: Axes, data: StudyResults) -> None:
    """The lengthscale of largest density on every path: a mark a path, a box between the quartiles, a line at the
    median."""
    for row, (kind, (colour, marker, _)) in enumerate(LOOKS.items()):
        found = np.asarray(data.array(f"map_{kind}"), float)
        axes.plot(
            found, row + np.linspace(-SPREAD, SPREAD, len(found)), marker, color=colour, markersize=2.6, alpha=0.6,
            markeredgewidth=0,
        )  # fmt: skip
        low, middle, high = np.quantile(found, (0.25, 0.5, 0.75))
        axes.fill_betweenx([row - SPREAD, row + SPREAD], low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot([middle] * 2, [row - SPREAD, row + SPREAD], color=colour, linewidth=1.6, marker="")
    axes.set_yticks(range(len(LOOKS)), [label.replace(" ", "\n", 1) for _, _, label in LOOKS.values()])
    axes.set_ylim(len(LOOKS) - 0.5, -0.5)
    axes.grid(False, axis="y")


def errors(data: StudyResults) -> dict[str, np.ndarray]:
    """|log(estimate / truth)| of every path, by kind of data."""
    return {kind: np.concatenate([lengthscale_error(one, kind) for one in data.select()]) for kind in LOOKS}


def draw(data: StudyResults) -> Figure:
    """The first path's run and its two densities, as the paper's three panels; the estimates of all paths below."""
    figure, grid = new_figure(2, 3, height=4.2, legend=0.43, gridspec_kw={"height_ratios": [1.25, 1.0]})
    left, middle, right = grid[0]
    below = figure.add_subplot(grid[1][0].get_subplotspec().get_gridspec()[1, :])  # type: ignore[union-attr]
    for spare in grid[1]:
        spare.remove()
    right.sharey(middle)
    initial = int(data.common("initial_size"))
    x, y = data.array("x_optimisation")[0], data.array("y_optimisation")[0]
    colour, marker, _ = LOOKS["optimisation"]
    left.plot(data.common("grid"), data.array("function")[0], **FUNCTION)
    left.plot(x[:initial], y[:initial], "s", color=BLACK, markersize=4, zorder=4, clip_on=False)
    left.plot(x[initial:], y[initial:], marker, color=colour, markersize=4, zorder=5, alpha=0.75, clip_on=False)
    left.set_xlim(0, 1)
    left.set_xlabel("$x$")
    left.set_ylabel("$f(x)$")
    for axes, kind in ((middle, "optimisation"), (right, "iid")):
        density(axes, data, kind)
    middle.set_ylim(bottom=0.0)
    middle.set_ylabel("Density of log lengthscale")
    estimates(below, data)
    for axes in (middle, right, below):
        lengthscale_axis(axes, data)
    error = errors(data)
    closer = int(np.sum(error["iid"] < error["optimisation"]))
    panel_title(left, "A", "Data of a BO run")
    panel_title(middle, "B", "Posterior from the BO data")
    panel_title(right, "C", "Posterior from i.i.d. data")
    panel_title(
        below, "D", f"Peaks on all paths: i.i.d. data nearer to the truth on {closer} of {len(error['iid'])} paths"
    )
    handles: list[Line2D | Patch] = [
        Line2D([], [], label="$f(x)$", **FUNCTION),
        Line2D([], [], color=BLACK, linestyle="", marker="s", label="Initial data"),
        Line2D([], [], color=colour, linestyle="", marker=marker, label=f"Queries of {method_label('gp_ucb')}"),
        Line2D([], [], label="True lengthscale", **TRUTH),
        *(
            Line2D([], [], color=colour, marker=marker, linestyle="-", label=f"{label}: posterior and peak")
            for colour, marker, label in LOOKS.values()
        ),
        Patch(facecolor=GREY, alpha=0.3, label="Quartiles of the peaks"),
        Line2D([], [], color=GREY, linewidth=1.6, label="Median of the peaks"),
    ]
    top_legend(figure, handles, columns=4)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The distance of the estimates from the truth, over all seeds."""
    truth = float(data.common("true_lengthscale"))
    log_grid = np.log(data.common("lengthscale"))
    near = np.abs(log_grid - np.log(truth)) <= np.log(1.25)
    error, rows = errors(data), []
    for kind, (_, _, label) in LOOKS.items():
        density = data.array(f"density_{kind}").astype(float)
        mass = np.trapezoid(density[:, near], log_grid[near], axis=1)
        rows.append((
            label, number(float(np.median(data.array(f"map_{kind}")))),
            number(float(error[kind].mean())), number(float(mass.mean())),
        ))  # fmt: skip
    ours, theirs = error["optimisation"], error["iid"]
    return (
        Table(
            f"Estimates of the lengthscale {truth:g}, over {len(ours)} paths",
            ("Data", "Median estimate", "Mean |log(estimate / truth)|", "Mean posterior mass within a factor 1.25"),
            tuple(rows),
            (
                "The estimate is the lengthscale of largest density. Each seed has one path; both data sets of a path "
                "have the same size."
            ),
        ),
        paired_table(
            "Error of the estimate, |log(estimate / truth)|: BO data against i.i.d. data",
            (),
            [Pair((), ours, theirs)],
            f"Paired by path. {favours('BO data', 'i.i.d. data')}",
            sides="BO / i.i.d.",
            outcomes="Smaller–larger–equal",
        ),
    )


FIGURES = (
    FigureSpec(
        id="uhe.fig1",
        study="uhe.fig1",
        number="Figure 1",
        caption=(
            "(A) Queries of GP-UCB (MAP hyperparameters) on a sample path of a Matérn-5/2 process. Exact posterior "
            "density of the lengthscale (B) from these data and (C) from as many uniform points of the same path, "
            "without noise and with flat priors on the logarithms. (D) is ours: the peak of either density on every "
            "path, with the quartiles and the median of the peaks. The paper shows one function, and prints neither "
            "its name nor its hyperparameters. Here the truth is known, and (A) to (C) show the first path, not a "
            "chosen one."
        ),
        draw=draw,
        tables=tables,
    ),
)
