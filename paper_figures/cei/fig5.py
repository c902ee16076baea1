"""Figure 5: sample paths and their covariance matrix."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.pyplot import get_cmap

from experiments.cei.fig6 import NOISE_SD, WIDTHS
from experiments.problems.nearest_sample import LENGTHSCALE
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import BLUE, GREY, new_figure, panel_title, top_legend

COLOURS = "Blues"


def draw(data: StudyResults) -> Figure:
    """One row a domain: the paths, and the matrix as an image."""
    figure, grid = new_figure(len(WIDTHS), 2, height=0.4 + 2.1 * len(WIDTHS), width=6.0, legend=0.28)
    largest = 1.0 + NOISE_SD**2
    for row, width in enumerate(WIDTHS):
        positions, paths = data.common("grid", width=width), data.common("paths", width=width)
        left, right = grid[row]
        left.plot(positions, paths.T, color=GREY, linewidth=0.4, alpha=0.6)
        left.plot(positions, paths[0], color=BLUE)
        left.set_xlim(positions[0], positions[-1])
        left.set_xlabel("$x$")
        left.set_ylabel("$f(x)$")
        ends = (0.0, width, width, 0.0)
        right.imshow(data.common("matrix", width=width), extent=ends, cmap=COLOURS, vmin=0.0, vmax=largest)
        right.set_xlabel("$x$")
        right.set_ylabel("$x'$")
        right.grid(False)
        panel_title(left, "AC"[row], f"Sample paths on $[0, {width:g}]$")
        panel_title(right, "BD"[row], "Covariance matrix")
    shades = [
        Patch(facecolor=get_cmap(COLOURS)(value / largest), edgecolor=GREY, label=f"covariance {value:g}")
        for value in (0.0, 0.5, 1.0)
    ]
    first = Line2D([], [], color=BLUE, label="First path")
    top_legend(
        figure, [first, Line2D([], [], color=GREY, linewidth=0.6, label=f"{len(paths) - 1} more"), *shades], columns=5
    )
    return figure


FIGURES = (
    FigureSpec(
        id="cei.fig5",
        study="cei.fig5",
        number="Figure 5",
        caption=(
            f"Thirty sample paths of the squared-exponential kernel with length scale {LENGTHSCALE:g} and amplitude 1, "
            "and the covariance matrix of the observations, the noise variance added on its diagonal. The paper does "
            "not print the domain; both that we use are shown."
        ),
        draw=draw,
    ),
)
