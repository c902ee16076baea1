"""One picture of IKR-UCB on the line: function, surrogate and uncertainty above, the shaded acquisition below."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from paper_figures.style import BLACK, BLUE, GREEN, GREY, SKY, VERMILLION

SHADE = 0.22


def surrogate(axes: Axes, grid: np.ndarray, truth: np.ndarray, mean: np.ndarray, bonus: np.ndarray | None) -> None:
    """Function (grey, dashed), kernel regression (blue) and, if given, the band m_t ± √β_t σ̂_t (light blue).

    The band fills the panel where the bonus is infinite (no data in reach).
    """
    axes.set_ylim(-1.35, 1.15)
    axes.set_xlim(float(grid[0]), float(grid[-1]))
    if bonus is not None:
        reach = np.where(np.isfinite(bonus), bonus, 1e3)
        axes.fill_between(grid, mean - reach, mean + reach, color=SKY, alpha=SHADE, linewidth=0)
    axes.plot(grid, truth, color=GREY, linestyle=(0, (4, 2)), linewidth=0.9)
    axes.plot(grid, mean, color=BLUE, linewidth=1.1)


def shaded_acquisition(axes: Axes, grid: np.ndarray, acquisition: np.ndarray, colour: str) -> None:
    """The acquisition, shaded down to its minimum; infinite values are drawn at the top of the panel."""
    finite = acquisition[np.isfinite(acquisition)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    span = max(high - low, 1e-12)
    shown = np.where(np.isfinite(acquisition), acquisition, high + 0.25 * span)
    axes.fill_between(grid, low - 0.05 * span, shown, color=colour, alpha=SHADE, linewidth=0)
    axes.plot(grid, shown, color=colour, linewidth=0.8)
    axes.set_ylim(low - 0.05 * span, high + 0.2 * span)
    axes.set_xlim(float(grid[0]), float(grid[-1]))


def points(axes: Axes, x: np.ndarray, y: np.ndarray, initial_size: int, size: float = 3.0) -> None:
    """Observations: black dots for the initial design, hollow dots for the points added since."""
    axes.plot(x[:initial_size], y[:initial_size], "o", color=BLACK, markersize=size, zorder=5, clip_on=False)
    if len(x) == initial_size:
        return
    later: dict[str, Any] = {"markerfacecolor": "white", "markeredgecolor": BLACK, "markeredgewidth": 0.7}
    axes.plot(x[initial_size:], y[initial_size:], "o", markersize=size, zorder=5, clip_on=False, **later)


def choice(axes: Axes, x: float) -> None:
    """A vertical line at the next point."""
    axes.axvline(x, color=VERMILLION, linestyle=(0, (1, 1)), linewidth=1.1, zorder=4, clip_on=False)


def handles(later: bool, exploit: bool, widest: float | None = None) -> list[Line2D | Patch]:
    """Legend entries; the arguments say whether points are added, whether the second acquisition occurs, and the
    largest half-width of the band."""
    entries: list[Line2D | Patch] = [
        Line2D([], [], color=GREY, linestyle=(0, (4, 2)), linewidth=0.9, label="$f(x)$"),
        Line2D([], [], color=BLUE, label="$m_t(x)$"),
    ]
    if widest is not None:
        band = rf"$m_t(x) \pm \sqrt{{\beta_t}}\,\hat{{\sigma}}_t(x)$, at most $\pm${widest:.2g}"
        entries.append(Patch(facecolor=SKY, alpha=SHADE, label=band))
    entries.append(Line2D([], [], color=BLACK, linestyle="", marker="o", label="Initial points"))
    if later:
        entries.append(
            Line2D([], [], color=BLACK, linestyle="", marker="o", markerfacecolor="white", label="Points added")
        )
    entries.append(Patch(facecolor=BLUE, alpha=SHADE, edgecolor=BLUE, label="Acquisition, A (14)"))
    if exploit:
        entries.append(Patch(facecolor=GREEN, alpha=SHADE, edgecolor=GREEN, label="Pure exploitation, A (16)"))
    entries.append(Line2D([], [], color=VERMILLION, linestyle=(0, (1, 1)), linewidth=1.0, label="Next point"))
    return entries
