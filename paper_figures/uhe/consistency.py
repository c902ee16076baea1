"""Estimates of the hyperparameters against the number of i.i.d. data: from the data, and from the pseudo-data."""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.statistics import Interval, bootstrap_interval
from experiments.uhe.consistency import KERNELS, LENGTHSCALE, NOISE_VARIANCE, VARIANCE, log_ratios
from paper_figures.figure import FigureSpec
from paper_figures.footer import name_bars
from paper_figures.load import StudyResults
from paper_figures.panels import GUIDE, RESAMPLES, tidy_log_axis
from paper_figures.style import INDIGO, LETTERS, OLIVE, legend_height, new_figure, panel_title, top_legend
from paper_figures.table import Table, interval, number

LOOKS: dict[str, tuple[str, str, str, Any]] = {
    "iid": ("Maximum likelihood, the data", INDIGO, "o", "-"),
    "pseudo": ("Maximum likelihood, pseudo-data", OLIVE, "^", (0, (4.0, 1.6))),
}
"""The label, colour, marker and line of each array."""
PARAMETERS = {
    "lengthscale": r"Lengthscale $\ell$",
    "variance": r"Variance $s^2$",
    "noise": r"Noise $\sigma^2$",
    "microergodic": r"$s^2 / \ell^{2\nu}$",
}
LABELS = {"squared_exponential": "Squared exponential", "matern52": "Matérn-5/2"}
DODGE = 1.07
"""The factor by which the two estimates of one n stand apart on either side of n."""
CLIPPED: dict[str, Any] = {
    "linestyle": "", "marker": "v", "markersize": 4.5, "markerfacecolor": "none", "markeredgewidth": 0.8,
    "clip_on": False,
}  # fmt: skip
FLOOR = 0.01
"""Smaller ratios are drawn at this value: an estimate of the noise at the end of its box would leave no room for the
others."""


def collected(data: StudyResults, kernel: str, dim: int, array: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The n in increasing order, and the logarithms of estimate over truth (counts, seeds) by parameter."""
    problem = f"{kernel}_{dim}d"
    counts = sorted({int(result.config["options"]["n"]) for result in data.select(problem=problem)})
    ratios = [log_ratios(kernel, data.array(array, problem=problem, n=count)) for count in counts]
    return np.array(counts), {name: np.stack([one[name] for one in ratios]) for name in ratios[0]}


def median_ratio(logarithms: np.ndarray) -> Interval:
    """The median over seeds of the ratio with its 95 % bootstrap interval, from `logarithms` (counts, seeds)."""
    return Interval(*(np.exp(side) for side in bootstrap_interval(logarithms.T, "median", resamples=RESAMPLES)))


def dimensions(data: StudyResults) -> list[int]:
    """The dimensions stored."""
    return sorted({int(result.config["options"]["dim"]) for result in data.results})


def _panel(axes: Axes, data: StudyResults, kernel: str, dim: int, parameter: str) -> None:
    axes.axhline(1.0, zorder=1, **GUIDE)
    for index, (array, (_, colour, marker, line)) in enumerate(LOOKS.items()):
        counts, ratios = collected(data, kernel, dim, array)
        places = counts * DODGE ** (2 * index - 1)
        values = np.exp(ratios[parameter]).ravel()
        everywhere = np.repeat(places, ratios[parameter].shape[1])
        inside = values >= FLOOR
        axes.plot(
            everywhere[inside], values[inside], linestyle="", marker=marker, markersize=2.2, color=colour, alpha=0.3,
            markeredgewidth=0,
        )  # fmt: skip
        if not inside.all():
            axes.plot(everywhere[~inside], np.full(np.sum(~inside), FLOOR), color=colour, zorder=4, **CLIPPED)
        middle = Interval(*(np.maximum(side, FLOOR) for side in median_ratio(ratios[parameter])))
        axes.vlines(places, middle.low, middle.high, color=colour, linewidth=1.6)
        axes.plot(places, middle.estimate, color=colour, marker=marker, linestyle=line, linewidth=1.0, zorder=3)
    name_bars(axes, "95 % bootstrap interval of the median")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(counts[0] / 1.35, counts[-1] * 1.35)
    axes.set_xticks(counts, [f"{count:g}" for count in counts])
    axes.minorticks_off()
    tidy_log_axis(axes, "y")


def drawing(dim: int) -> Callable[[StudyResults], Figure]:
    """The figure of one dimension: one row a kernel, one panel a parameter."""

    def draw(data: StudyResults) -> Figure:
        shown = dim if dim in dimensions(data) else dimensions(data)[0]
        legend = legend_height(len(LOOKS) + 2, 4)
        figure, grid = new_figure(len(KERNELS), len(PARAMETERS), height=1.75 * len(KERNELS) + legend, legend=legend)
        letters = iter(LETTERS)
        for row, kernel in zip(grid, KERNELS, strict=True):
            present = collected(data, kernel, shown, "iid")[1]
            for axes, (parameter, label) in zip(row, PARAMETERS.items(), strict=True):
                if parameter not in present:
                    axes.set_axis_off()
                    continue
                _panel(axes, data, kernel, shown, parameter)
                panel_title(axes, next(letters), label)
                axes.set_xlabel("Data $n$")
            row[0].set_ylabel(f"{LABELS[kernel]}\nestimate / truth")
        handles = [
            Line2D([], [], color=colour, marker=marker, linestyle=line, label=label)
            for label, colour, marker, line in LOOKS.values()
        ]
        clipped = Line2D([], [], color="#333333", label=f"Seeds below {FLOOR:g}, drawn there", **CLIPPED)
        top_legend(figure, [*handles, Line2D([], [], label="Truth", **GUIDE), clipped], columns=4)
        return figure

    return draw


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The median and the quartiles of estimate over truth at the smallest and the largest n."""
    rows = []
    for dim in dimensions(data):
        for kernel in KERNELS:
            for parameter in collected(data, kernel, dim, "iid")[1]:
                for index in (0, -1):
                    cells = []
                    for array in LOOKS:
                        counts, ratios = collected(data, kernel, dim, array)
                        low, middle, high = np.exp(np.quantile(ratios[parameter][index], [0.25, 0.5, 0.75]))
                        cells.append(f"{number(middle)} {interval(low, high)}")
                    rows.append((LABELS[kernel], f"{dim}", parameter, f"{counts[index]}", *cells))
    return (
        Table(
            "Estimate over truth: median and quartiles over seeds",
            ("Kernel", "d", "Parameter", "n", *(look[0] for look in LOOKS.values())),
            tuple(rows),
            "A consistent estimate has median one and quartiles that close on it as n grows. s²/ℓ^(2ν) is the one "
            "combination of variance and lengthscale that i.i.d. data in a box identify for a Matérn kernel in d ≤ 3.",
        ),
    )


def _spec(dim: int, number_: str) -> FigureSpec:
    return FigureSpec(
        id=f"uhe.consistency_{dim}d",
        study="uhe.consistency",
        number=number_,
        caption=(
            f"Consistency, d = {dim}. Maximum-likelihood estimates over their true values, from n i.i.d. noisy data "
            "of a sample path and from the 2n pseudo-data of D (2) made of the same data. Faint points are seeds, "
            "lines join medians, and bars are 95 % bootstrap intervals of the medians. The two estimates stand side "
            f"by side at each n. Ratios below {FLOOR:g} are drawn at {FLOOR:g}, hollow. The true values are ℓ = "
            f"{LENGTHSCALE:g}, s² = {VARIANCE:g}, σ² = {NOISE_VARIANCE:g}; with d = 2, ℓ is the geometric mean of two "
            "lengthscales."
        ),
        draw=drawing(dim),
        tables=tables if dim == 1 else (lambda data: ()),
    )


FIGURES = (_spec(1, "Figure A-D1"), _spec(2, "Figure A-D2"))
