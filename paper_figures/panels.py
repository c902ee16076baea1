"""Panels shared by several figures: curves over seeds with bootstrap bands, guides on logarithmic axes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from experiments.engine.statistics import Interval, Statistic, bootstrap_interval
from paper_figures.footer import name_band, name_bars
from paper_figures.load import StudyResults
from paper_figures.style import (
    BAND_ALPHA,
    GREY,
    LETTERS,
    WIDTH,
    legend_height,
    method_legend,
    method_order,
    method_style,
    new_figure,
    panel_title,
    problem_label,
)

REGRET_FLOOR = 1e-9
"""The least regret drawn: smaller regrets are drawn here, because a logarithmic axis has no zero."""

RESAMPLES = 1000
"""The number of bootstrap resamples behind every band of a figure (the tables use the default, 2000)."""

GUIDE: dict[str, Any] = {"color": "#333333", "linestyle": (0, (1, 1.5)), "linewidth": 0.9}
STOP: dict[str, Any] = {"marker": "D", "markersize": 4.2, "markerfacecolor": "white", "linestyle": ""}
FINAL = 0.28
"""The width of the strip of final intervals, as a share of the width of the curves."""
DESIGN_END: dict[str, Any] = {"color": GREY, "linestyle": (0, (3, 2)), "linewidth": 0.9}


def _band(samples: np.ndarray, statistic: Statistic) -> Interval:
    """The centre and the ends of the band of samples (seeds, T)."""
    return bootstrap_interval(samples, statistic, resamples=RESAMPLES)


def curve(
    axes: Axes,
    name: str,
    horizontal: np.ndarray,
    samples: np.ndarray,
    statistic: Statistic = "mean",
    floor: float = REGRET_FLOOR,
    markevery: tuple[int, int] = (0, 1),
    zorder: float = 3,
    band: bool = True,
) -> np.ndarray:
    """Draws the curve of one method, with its `band`, from `samples` (seeds, T); values below `floor` are drawn at
    `floor`.

    Returns the centre line as drawn, (T,).
    """
    style = method_style(name)
    middle = np.mean if statistic == "mean" else np.median
    centre = np.maximum(middle(np.asarray(samples, float), axis=0), floor)
    if band:
        _, low, high = (np.maximum(line, floor) for line in _band(samples, statistic))
        axes.fill_between(horizontal, low, high, color=style.colour, alpha=BAND_ALPHA, linewidth=0)
        name_band(axes, f"95 % bootstrap interval of the {statistic}")
    axes.plot(horizontal, centre, markevery=markevery, zorder=zorder, linewidth=1.2 if band else 0.9, **style.plot())
    return centre


def method_curves(
    axes: Axes,
    horizontal: np.ndarray | Mapping[str, np.ndarray],
    samples: Mapping[str, np.ndarray],
    statistic: Statistic = "mean",
    floor: float = -np.inf,
    markers: int = 6,
    first: Sequence[str] = (),
    banded: Collection[str] | None = None,
    whole: float | None = None,
) -> list[np.ndarray]:
    """The curves of several methods, the first one on top; returns their centre lines, the lowest curve first.

    A curve that ends before `whole` has a mark at its end (`STOP`).

    Args:
        axes: the axes to draw on.
        horizontal: places (T,), the same for all methods or by method.
        samples: method → (seeds, T).
        statistic, floor: as in `curve`.
        markers: the approximate number of markers along a curve; markers of different methods stand at different
            places.
        first: methods drawn above all others, which come in the order of legends.
        banded: methods with a band, all by default.
        whole: the end of the curves of whole runs; no curve is marked by default.
    """
    names = sorted(method_order(samples), key=lambda name: name not in first)
    centres = []
    for index, name in enumerate(reversed(names)):
        places = horizontal[name] if isinstance(horizontal, Mapping) else horizontal
        step = max(len(places) // markers, 1)
        marked = ((index + 1) * step // len(names), step)
        band = banded is None or name in banded
        centres.append(curve(axes, name, places, samples[name], statistic, floor, marked, 3 + index, band))
        if whole is not None and places[-1] < whole:
            axes.plot(places[-1], centres[-1][-1], color=method_style(name).colour, zorder=3 + index, **STOP)
    return centres


def stop_handle(reason: str) -> Line2D:
    """The legend entry of the mark at the end of a curve that ends early, with the reason."""
    return Line2D([], [], color="#333333", label=reason, **STOP)


def final_intervals(
    axes: Axes, horizontal: np.ndarray | Mapping[str, np.ndarray], samples: Mapping[str, np.ndarray]
) -> None:
    """The mean of the runs' last values and its interval, drawn beyond the end of each curve of `method_curves`.

    Methods that end together stand side by side in the order of legends. Call this function after the curves.
    `samples`: method → (seeds,).
    """
    places = {name: horizontal[name] if isinstance(horizontal, Mapping) else horizontal for name in samples}
    start, stop = (float(side([one[end] for one in places.values()])) for side, end in ((min, 0), (max, -1)))
    apart = FINAL * (stop - start) / max(len(samples), 5)
    together: dict[float, list[str]] = {}
    for name in method_order(samples):
        together.setdefault(float(places[name][-1]), []).append(name)
    for end, names in together.items():
        for index, name in enumerate(names):
            style, found = method_style(name), bootstrap_interval(samples[name], resamples=RESAMPLES)
            place = end + (index + 0.8) * (apart if end == stop else apart / 2)
            axes.plot([place] * 2, [found.low, found.high], color=style.colour, linewidth=1.1, marker="")
            axes.plot([place], [float(found.estimate)], color=style.colour, marker=style.marker, markersize=2.8)
    axes.axvline(stop, color="#bdbdbd", linewidth=0.6, zorder=1)
    name_bars(axes, "95 % bootstrap interval of the mean at the end")
    axes.set_xlim(start, stop + (len(together[stop]) + 0.6) * apart)
    ticks = MaxNLocator(integer=True, nbins=4).tick_values(start, stop)
    axes.set_xticks([tick for tick in ticks if start <= tick <= stop])


def curves(
    axes: Axes,
    horizontal: np.ndarray,
    samples: Mapping[str, np.ndarray],
    statistic: Statistic = "mean",
    floor: float = REGRET_FLOOR,
    markers: int = 6,
    common: int = 0,
) -> None:
    """The curves of several methods on one logarithmic vertical axis, as `method_curves` draws them.

    Where the first `common` columns are the same for all methods (the initial design), they are drawn once, in grey,
    and the methods set out from there.
    """
    axes.set_yscale("log")
    centres = []
    start = 0
    first = samples[method_order(samples)[0]]
    if common > 0 and all(np.array_equal(values[:, :common], first[:, :common]) for values in samples.values()):
        start = common - 1
        centre, low, high = (np.maximum(line, floor) for line in _band(first[:, :common], statistic))
        axes.fill_between(horizontal[:common], low, high, color=GREY, alpha=BAND_ALPHA, linewidth=0)
        axes.plot(horizontal[:common], centre, color=GREY, zorder=2)
        centres.append(centre)
    rest = {name: values[:, start:] for name, values in samples.items()}
    centres += method_curves(axes, horizontal[start:], rest, statistic, floor, markers)
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


def plain(value: float) -> str:
    """A number on an axis: "0.005"; numbers below a thousandth are written as powers of ten."""
    mantissa, _, exponent = f"{value:e}".partition("e")
    if 0 < value < 1e-3:
        times = "" if float(mantissa) == 1.0 else rf"{float(mantissa):g} \times "
        return f"${times}10^{{{int(exponent)}}}$"
    return f"{value:g}"


def plain_log_ticks(axis: Axis) -> None:
    """Ticks at 1, 2 and 5 of every decade of a logarithmic axis, written as plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
    axis.set_minor_formatter(NullFormatter())


def tidy_log_axis(axes: Axes, which: Literal["x", "y", "xy"] = "y") -> None:
    """Few labelled ticks: decades where the axis spans at least 1.5 of them, otherwise 1, 2 and 5 as plain numbers.

    Call this function last, because it reads the limits of the axis.
    """
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name not in which:
            continue
        low, high = sorted(axis.get_view_interval())
        if np.log10(high / low) >= 1.5:
            axis.set_minor_formatter(NullFormatter())
            axis.set_major_locator(LogLocator(numticks=6))
        else:
            plain_log_ticks(axis)


def run_marks(axes: Axes, place: float, name: str, values: np.ndarray) -> None:
    """One mark for each run of a method around the height `place`, and a bar at their mean."""
    name_bars(axes, "the mean of the runs, which have a mark each")
    style = method_style(name)
    offsets = np.linspace(-0.22, 0.22, len(values)) if len(values) > 1 else np.zeros(1)
    axes.plot(values, place + offsets, style.marker, color=style.colour, markersize=3, alpha=0.7)
    axes.plot([values.mean()] * 2, [place - 0.36, place + 0.36], color=style.colour, linewidth=1.4, marker="")


@dataclass(frozen=True)
class Layout:
    """The layout of panels on a page.

    Attributes:
        across: panels in a row.
        columns: of the legend above them.
        tall: inches per row of panels.
        margin: inches beside the rows and the legend.
        width: inches.
    """

    across: int
    columns: int
    tall: float
    margin: float
    width: float = WIDTH


def panel_grid(
    count: int, layout: Layout, methods: Sequence[str], extra: Sequence[Line2D] = ()
) -> tuple[Figure, list[Axes]]:
    """A figure with `count` panels, row by row, below the legend of `methods` and `extra`; spare places stay empty."""
    rows = -(-count // layout.across)
    legend = legend_height(len(methods) + len(extra), layout.columns)
    height = layout.margin + legend + layout.tall * rows
    figure, grid = new_figure(rows, layout.across, height=height, width=layout.width, legend=legend)
    panels = [axes for row in grid for axes in row]
    for axes in panels[count:]:
        axes.set_axis_off()
    method_legend(figure, methods, extra=extra, columns=layout.columns)
    return figure, panels[:count]


def problem_panels(
    data: StudyResults,
    draw: Callable[[Axes, StudyResults, str], None],
    layout: Layout,
    horizontal: str,
    vertical: str = "",
    extra: Sequence[Line2D] = (),
    letter: Callable[[str], str] | None = None,
) -> Figure:
    """A panel per problem, drawn by `draw(axes, data, problem)`; `letter` names a panel; by default letters follow in
    turn, and a single panel has none.

    `horizontal` labels the lowest panel of every column. `vertical` labels the left panel of every row, unless `draw`
    does.
    """
    problems = sorted(data.problems(), key=letter) if letter else data.problems()
    figure, panels = panel_grid(len(problems), layout, data.policies(), extra)
    for index, (axes, problem) in enumerate(zip(panels, problems, strict=True)):
        draw(axes, data, problem)
        if len(problems) > 1:
            panel_title(axes, letter(problem) if letter else LETTERS[index], problem_label(problem))
        else:
            axes.set_title(problem_label(problem))
        if index + layout.across >= len(problems):
            axes.set_xlabel(horizontal)
        if vertical and index % layout.across == 0:
            axes.set_ylabel(vertical)
    return figure
