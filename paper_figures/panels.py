"""Panels shared by several figures: curves over seeds with bootstrap bands, guides on logarithmic axes."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from experiments.engine.statistics import Interval, Statistic, bootstrap_interval
from paper_figures.style import BAND_ALPHA, GREY, method_order, method_style

REGRET_FLOOR = 1e-9
"""Regrets below this are drawn here: a logarithmic axis has no zero."""

RESAMPLES = 1000
"""Bootstrap resamples behind every band of a figure (the comparisons in the tables use the default, 2000)."""

GUIDE: dict[str, Any] = {"color": "#333333", "linestyle": (0, (1, 1.5)), "linewidth": 0.9}
DESIGN_END: dict[str, Any] = {"color": GREY, "linestyle": (0, (3, 2)), "linewidth": 0.9}


Band = Literal["bootstrap", "standard error"]
"""What is drawn around a centre line: its 95 % bootstrap interval, or the mean plus and minus one standard error."""


def band_around(samples: np.ndarray, statistic: Statistic = "mean", band: Band = "bootstrap") -> Interval:
    """Centre and ends of the band of samples (seeds, T); a standard error is one of the mean, with n - 1 seeds."""
    if band == "bootstrap":
        return bootstrap_interval(samples, statistic, resamples=RESAMPLES)
    mean = samples.mean(axis=0)
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples)) if len(samples) > 1 else np.zeros_like(mean)
    return Interval(mean, mean - error, mean + error)


def curve(
    axes: Axes,
    name: str,
    horizontal: np.ndarray,
    samples: np.ndarray,
    statistic: Statistic = "mean",
    floor: float = REGRET_FLOOR,
    markevery: tuple[int, int] = (0, 1),
    zorder: float = 3,
    band: Band = "bootstrap",
) -> np.ndarray:
    """Curve of one method with its band, from `samples` (seeds, T); values below `floor` are drawn at it.

    Returns the centre line as drawn, (T,).
    """
    style = method_style(name)
    centre, low, high = (np.maximum(line, floor) for line in band_around(samples, statistic, band))
    axes.fill_between(horizontal, low, high, color=style.colour, alpha=BAND_ALPHA, linewidth=0)
    axes.plot(horizontal, centre, markevery=markevery, zorder=zorder, **style.plot())
    return centre


def curves(
    axes: Axes,
    horizontal: np.ndarray,
    samples: Mapping[str, np.ndarray],
    statistic: Statistic = "mean",
    floor: float = REGRET_FLOOR,
    markers: int = 6,
    common: int = 0,
    band: Band = "bootstrap",
) -> None:
    """The curves of several methods on one logarithmic vertical axis, the first method on top.

    `samples` maps a method to an array (seeds, T); about `markers` markers go along a curve, those of different methods
    at different places. Where the first `common` columns are the same for all methods (the initial design), they are
    drawn once, in grey, and the methods set out from there.
    """
    names = method_order(samples)
    axes.set_yscale("log")
    centres = []
    start = 0
    first = samples[names[0]]
    if common > 0 and all(np.array_equal(samples[name][:, :common], first[:, :common]) for name in names):
        start = common - 1
        centre, low, high = (np.maximum(line, floor) for line in band_around(first[:, :common], statistic, band))
        axes.fill_between(horizontal[:common], low, high, color=GREY, alpha=BAND_ALPHA, linewidth=0)
        axes.plot(horizontal[:common], centre, color=GREY, zorder=2)
        centres.append(centre)
    step = max((len(horizontal) - start) // markers, 1)
    for index, name in enumerate(reversed(names)):
        places = ((index + 1) * step // len(names), step)
        values = samples[name][:, start:]
        centres.append(curve(axes, name, horizontal[start:], values, statistic, floor, places, 3 + index, band))
    axes.set_ylim(bottom=max(min(float(centre.min()) for centre in centres) * 0.4, floor * 0.8))


def initial_design_line(axes: Axes, size: int) -> None:
    """Grey dashed line at the end of the initial design, as in Figures 6 and 7 of Paper A."""
    axes.axvline(size, zorder=1, **DESIGN_END)


def initial_design_handle() -> Line2D:
    """Legend entry of `initial_design_line`."""
    return Line2D([], [], label="End of initial design", **DESIGN_END)


def slope_guide(axes: Axes, horizontal: np.ndarray, start: float, slope: float) -> None:
    """Dotted line ∝ x^slope on logarithmic axes, from height `start` at the first of `horizontal`."""
    axes.plot(horizontal, start * (horizontal / horizontal[0]) ** slope, zorder=2, **GUIDE)


def tidy_log_axis(axes: Axes, which: Literal["x", "y", "xy"] = "y") -> None:
    """Few labelled ticks: decades where the axis spans at least 1.5 of them, otherwise 1, 2 and 5 as plain numbers.

    Call it last: it looks at the limits that the axis has by then.
    """
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name not in which:
            continue
        low, high = sorted(axis.get_view_interval())
        axis.set_minor_formatter(NullFormatter())
        if np.log10(high / low) >= 1.5:
            axis.set_major_locator(LogLocator(numticks=6))
        else:
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
