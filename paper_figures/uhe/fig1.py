"""Figure 1: data of Bayesian optimisation, and the lengthscale's posterior from them and from i.i.d. data."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, NullFormatter

from paper_figures.comparisons import Pair, favours, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import BLACK, BLUE, GREEN, GREY, VERMILLION, method_label, new_figure, panel_title, top_legend
from paper_figures.table import Table, number

FUNCTION: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 1.0}
TRUTH: dict[str, Any] = {"color": BLACK, "linestyle": (0, (4, 2)), "linewidth": 1.0}
LOOKS = {"optimisation": (BLUE, "Data of BO"), "iid": (GREEN, "I.i.d. data")}
TICKS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def density_panel(axes: Axes, data: StudyResults, kind: str) -> None:
    """The first seed's density of log l, its peak, and the true lengthscale."""
    lengthscale, density = data.common("lengthscale"), data.array(f"density_{kind}")[0].astype(float)
    colour = LOOKS[kind][0]
    axes.fill_between(lengthscale, 0.0, density, color=colour, alpha=0.3, linewidth=0)
    axes.plot(lengthscale, density, color=colour, marker="")
    axes.axvline(float(data.common("true_lengthscale")), **TRUTH)
    peak = float(data.array(f"map_{kind}")[0])
    axes.plot([peak], [density.max()], "v", color=VERMILLION, markersize=5, zorder=5)
    axes.set_xscale("log")
    axes.set_xlim(lengthscale[0], lengthscale[-1])
    axes.set_xticks(TICKS)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("Lengthscale")


def draw(data: StudyResults) -> Figure:
    """The first seed: the run on its path, then both densities on one scale."""
    figure, grid = new_figure(1, 3, height=2.5, legend=0.43, gridspec_kw={"width_ratios": [1.15, 1.0, 1.0]})
    left, middle, right = grid[0]
    initial = int(data.common("initial_size"))
    x, y = data.array("x_optimisation")[0], data.array("y_optimisation")[0]
    left.plot(data.common("grid"), data.array("function")[0], **FUNCTION)
    left.plot(x[:initial], y[:initial], "s", color=BLACK, markersize=4.5, zorder=4, clip_on=False)
    left.plot(x[initial:], y[initial:], "o", color=BLUE, markersize=4.5, zorder=5, alpha=0.75, clip_on=False)
    left.set_xlim(0, 1)
    left.set_xlabel("$x$")
    left.set_ylabel("$f(x)$")
    for axes, kind in ((middle, "optimisation"), (right, "iid")):
        density_panel(axes, data, kind)
    top = 1.12 * max(middle.get_ylim()[1], right.get_ylim()[1])
    for axes in (middle, right):
        axes.set_ylim(0, top)
    middle.set_ylabel("Density of log lengthscale")
    panel_title(left, "A", "Data of a BO run")
    panel_title(middle, "B", "Posterior, BO data")
    panel_title(right, "C", "Posterior, i.i.d. data")
    handles: list[Line2D | Patch] = [
        Line2D([], [], label="$f(x)$", **FUNCTION),
        Line2D([], [], color=BLACK, linestyle="", marker="s", label="Initial data"),
        Line2D([], [], color=BLUE, linestyle="", marker="o", label=f"Queries of {method_label('gp_ucb')}"),
        Line2D([], [], label="True lengthscale", **TRUTH),
        Line2D([], [], color=VERMILLION, linestyle="", marker="v", label="Largest density"),
        *(
            Patch(facecolor=colour, alpha=0.3, label=f"Posterior, {label[0].lower()}{label[1:]}")
            for colour, label in LOOKS.values()
        ),
    ]
    top_legend(figure, handles, columns=4)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """How far the estimates are from the truth, over all seeds."""
    truth = float(data.common("true_lengthscale"))
    log_grid = np.log(data.common("lengthscale"))
    near = np.abs(log_grid - np.log(truth)) <= np.log(1.25)
    errors, rows = {}, []
    for kind, (_, label) in LOOKS.items():
        errors[kind] = np.abs(np.log(data.array(f"map_{kind}") / truth))
        density = data.array(f"density_{kind}").astype(float)
        mass = np.trapezoid(density[:, near], log_grid[near], axis=1)
        rows.append((
            label, number(float(np.median(data.array(f"map_{kind}")))),
            number(float(errors[kind].mean())), number(float(mass.mean())),
        ))  # fmt: skip
    ours, theirs = errors["optimisation"], errors["iid"]
    return (
        Table(
            f"Estimates of the lengthscale {truth:g}, over {len(ours)} paths",
            ("Data", "Median estimate", "Mean |log(estimate / truth)|", "Mean posterior mass within a factor 1.25"),
            tuple(rows),
            "Estimate: the largest density. One path a seed; both data sets of a path have the same size.",
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
            "Left: queries of GP-UCB (MAP hyperparameters) on a sample path of a Matérn-5/2 process. Middle and right: "
            "posterior density of the lengthscale, exact, from these data and from as many uniform points of the same "
            "path; without noise, flat priors on the logarithms. The paper names neither function nor hyperparameter; "
            "here the truth is known. The first seed, not a chosen one; the table has all paths."
        ),
        draw=draw,
        tables=tables,
    ),
)
