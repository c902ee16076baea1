"""Figure 5: sample paths and their covariance matrix."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.cei.fig6 import NOISE_SD, WIDTHS
from experiments.problems.nearest_sample import LENGTHSCALE
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import GREY, INDIGO, ORANGE, new_figure, panel_title, top_legend

COLOURS = "Blues"
DIAGONAL: dict[str, Any] = {"color": ORANGE, "linestyle": "-", "linewidth": 0.8, "marker": ""}


def draw(data: StudyResults) -> Figure:
    """One row a domain: the paths, and the matrix as an image with its colour bar; the noise raises the diagonal."""
    figure, grid = new_figure(
        len(WIDTHS), 2, height=0.4 + 2.1 * len(WIDTHS), width=6.0, legend=0.28,
        gridspec_kw={"width_ratios": [1.35, 1.0]},
    )  # fmt: skip
    largest = 1.0 + NOISE_SD**2
    for row, width in enumerate(WIDTHS):
        positions, paths = data.common("grid", width=width), data.common("paths", width=width)
        left, right = grid[row]
        left.plot(positions, paths.T, color=GREY, linewidth=0.4, alpha=0.6)
        left.plot(positions, paths[0], color=INDIGO)
        left.set_xlim(positions[0], positions[-1])
        left.set_xlabel("$x$")
        left.set_ylabel("$f(x)$")
        ends = (0.0, width, width, 0.0)
        image = right.imshow(
            data.common("matrix", width=width), extent=ends, cmap=COLOURS, vmin=0.0, vmax=largest,
            interpolation="nearest",
        )  # fmt: skip
        right.plot([0.0, width], [0.0, width], clip_on=False, **DIAGONAL)
        ticks = [0.0, width / 2, width]
        right.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        right.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        right.set_xlabel("$x$")
        right.set_ylabel("$x'$")
        right.grid(False)
        bar = figure.colorbar(image, ax=right, ticks=[0.0, 0.5, 1.0], shrink=0.9)
        bar.set_label("Covariance")
        panel_title(left, "AC"[row], f"Sample paths on $[0, {width:g}]$")
        panel_title(right, "BD"[row], "Covariance of the observations")
    handles = [
        Line2D([], [], color=INDIGO, label="First path"),
        Line2D([], [], color=GREY, linewidth=0.6, label=f"{len(paths) - 1} more"),
        Line2D([], [], label=f"Diagonal: covariance {largest:g}, noise added", **DIAGONAL),
    ]
    top_legend(figure, handles)
    return figure


FIGURES = (
    FigureSpec(
        id="cei.fig5",
        study="cei.fig5",
        number="Figure 5",
        caption=(
            f"Thirty sample paths of the squared-exponential kernel with lengthscale {LENGTHSCALE:g} and amplitude 1, "
            "and the covariance matrix of the observations. The diagonal of the matrix includes the noise variance. "
            "The paper does not print the domain; the figure shows both domains that we use."
        ),
        draw=draw,
    ),
)
