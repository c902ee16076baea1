"""Figure 4: the IKR-UCB acquisition function after five points."""

import numpy as np
from matplotlib.figure import Figure

from paper_figures.boke.acquisition import choice, handles, points, shaded_acquisition, surrogate
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.style import BLUE, VERMILLION, new_figure, top_legend


def draw(data: StudyResults) -> Figure:
    """Surrogate and band above, acquisition below, and the sixth point in both, for the first seed."""
    figure, grid = new_figure(
        2, 1, height=3.3, width=5.0, legend=0.42, sharex=True, gridspec_kw={"height_ratios": [2.4, 1.0]}
    )
    upper, lower = grid[0][0], grid[1][0]
    initial = int(data.common("initial_size"))
    positions, truth = data.common("grid"), data.common("truth")
    first = {name: data.array(name)[0] for name in ("x", "y", "mean", "bonus", "acquisition")}
    surrogate(upper, positions, truth, first["mean"], first["bonus"])
    points(upper, first["x"][:initial], first["y"][:initial], initial, size=3.8)
    upper.set_ylabel("$y$")
    shaded_acquisition(lower, positions, first["acquisition"], BLUE)
    lower.set_ylabel("Acquisition")
    lower.set_xlabel("$x$")
    chosen = float(first["x"][initial])
    for axes in (upper, lower):
        choice(axes, chosen)
    left = chosen < 0.5 * (positions[0] + positions[-1])
    upper.annotate(
        f"$x_{{{initial + 1}}}$", (chosen, 1.0), xycoords=("data", "axes fraction"), xytext=(4 if left else -4, -2),
        textcoords="offset points", color=VERMILLION, ha="left" if left else "right", va="top", fontsize=10,
    )  # fmt: skip
    widest = float(first["bonus"][np.isfinite(first["bonus"])].max())
    top_legend(figure, handles(later=False, exploit=False, widest=widest), columns=3)
    return figure


FIGURES = (
    FigureSpec(
        id="boke.fig4",
        study="boke.fig4",
        number="Figure 4",
        caption=(
            "The IKR-UCB acquisition function A (14) on A (9) after five noisy observations (dots). The upper panels "
            "show the function (dashed), kernel regression (blue) and the uncertainty √β_t σ̂_t around the "
            "regression (light blue). The legend gives the largest half-width of the uncertainty, which is thinner "
            "than the line where the bandwidth is large. The lower panels show the acquisition function, whose "
            "maximiser is the sixth query."
        ),
        draw=draw,
        first=True,
    ),
)
