"""Figure 4: compression of networks, error rate plus relative size against evaluations."""

from collections.abc import Mapping
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.engine.slim import best_observed
from experiments.engine.statistics import bootstrap_interval
from paper_figures.cei.benchmarks import METHOD, end_table, linear_curves
from paper_figures.comparisons import Pair, pairs_with_peers
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import GUIDE, RESAMPLES
from paper_figures.samples import by_method, ends
from paper_figures.style import (
    WIDTH,
    legend_height,
    method_label,
    method_legend,
    method_order,
    method_style,
    new_figure,
    panel_title,
    problem_label,
)
from paper_figures.table import Table

COLUMNS = 4
PLACES = {"fc3": "adg", "resnet50": "beh", "vgg16": "cfi"}
"""The paper's letters of a network's panels, and our letter for the third row, by network."""
FIRST = "fc3_mnist"
"""The paper's data: other versions of a network come after it and have a prime."""
LUCK = "The least of many noisy sums may lie below the best possible sum"
"""The reason why curves of the first row may pass below the line."""


def sums(data: StudyResults, *, measure: str, **match: object) -> np.ndarray:
    """Error rate plus relative size, (seeds, K): noise-free at x+ before each proposal, or the smallest observed."""
    if measure == "incumbent":
        return -data.array("incumbent_value", **match)
    first = int(data.common("initial_size", **match))
    return -data.made(best_observed, **match)[:, first - 1 : -1]


def lettered(data: StudyResults) -> dict[str, tuple[str, str, str]]:
    """The letters of a network's three panels, in the paper's order, by network; every further version has a prime."""
    found: dict[str, tuple[str, str, str]] = {}
    for stem, letters in PLACES.items():
        versions = [name for name in data.problems() if name == stem or name.startswith(f"{stem}_")]
        for index, name in enumerate(sorted(versions, key=lambda one: one != FIRST)):
            top, middle, bottom = (f"({letter}{chr(39) * index})" for letter in letters)
            found[name] = top, middle, bottom
    return found


def best_of_all(axes: Axes, samples: Mapping[str, np.ndarray]) -> None:
    """One row a method: the mean over the runs (seeds,) of the smallest sum of all iterations, with its interval."""
    names = method_order(samples)
    for place, name in enumerate(names):
        style, found = method_style(name), bootstrap_interval(samples[name], resamples=RESAMPLES)
        axes.plot([found.low, found.high], [place, place], color=style.colour, linewidth=1.3, linestyle="-", marker="")
        axes.plot([float(found.estimate)], [place], style.marker, color=style.colour, markersize=4)
    axes.set_yticks(range(len(names)), [method_label(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.08)
    axes.grid(False, axis="y")
    axes.set_xlabel("Best of all iterations (lower is better)")


def draw(data: StudyResults) -> Figure:
    """A column a network: the smallest sum observed and its final value, as the paper's two rows, then the sum at
    x+."""
    letters, methods = lettered(data), data.policies()
    wide = len(letters) > 1
    columns = COLUMNS if wide else 3
    legend = legend_height(len(methods) + 1, columns)
    figure, grid = new_figure(
        3, len(letters), height=5.6 + legend, width=WIDTH if wide else 4.8, legend=legend,
        gridspec_kw={"height_ratios": [1.0, 0.72, 1.0]},
    )  # fmt: skip
    for column, (network, (top, middle, bottom)) in enumerate(letters.items()):
        times, label = data.common("t", problem=network), problem_label(network)
        optimum = float(data.common("optimum", problem=network))
        observed, incumbent = (
            by_method(data, partial(sums, measure=measure), problem=network) for measure in ("observed", "incumbent")
        )
        for axes, samples in ((grid[0][column], observed), (grid[2][column], incumbent)):
            linear_curves(axes, times, samples)
            axes.set_xlabel("Evaluations $t$")
            if np.isfinite(optimum):
                axes.axhline(-optimum, zorder=1, **GUIDE)
        if np.isfinite(optimum):
            remark(figure, LUCK)
        best_of_all(grid[1][column], ends(observed))
        panel_title(grid[0][column], top, f"{label}: all iterations")
        panel_title(grid[1][column], middle, label)
        panel_title(grid[2][column], bottom, f"{label}: noise-free, at $x^+$")
    grid[0][0].set_ylabel("Smallest error + size observed\n(lower is better)")
    grid[2][0].set_ylabel("Error + size at $x^+$\n(lower is better)")
    known = any(np.isfinite(data.common("optimum", problem=network)) for network in letters)
    lines = [Line2D([], [], label="Best possible, noise-free", **GUIDE)] if known else []
    method_legend(figure, methods, extra=lines, columns=columns)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Corrected EI against every other method at the end of the runs, by both measures."""
    found = []
    for measure, words in (("incumbent", "noise-free at x⁺"), ("observed", "the smallest observed")):
        rows: list[Pair] = []
        for network in data.problems():
            values = ends(by_method(data, partial(sums, measure=measure), problem=network))
            rows += pairs_with_peers(problem_label(network), values, METHOD)
        title = f": error rate plus relative size, {words}"
        found.append(end_table(title, "Network", rows, "Paired by seed (same random start)."))
    return tuple(found)


_CAPTION = (
    "Compression of {network} by low-rank factors: error rate plus relative size (γ = 1). Each evaluation sees 20 to "
    "50 random held-out images, and the model is told the variance. The first two rows are the paper's. The first "
    "row shows the smallest sum observed against the number of evaluations, from the end of the random start on; the "
    "second row shows its final value. Luck may carry the smallest sum below the best possible one. The third row is "
    "ours: the noise-free sum at the point x+ of largest posterior mean. Curves are means over seeds. 95 % bootstrap "
    "intervals stand beside the curves and in the second row; corrected EI and EI have bands. {trained}"
)


def _spec(name: str, number: str, network: str, trained: str) -> FigureSpec:
    return FigureSpec(
        id=f"cei.{name}",
        study=f"cei.{name}",
        number=number,
        caption=_CAPTION.format(network=network, trained=trained),
        draw=draw,
        tables=tables,
    )


FIGURES = (
    _spec(
        "fig4",
        "Figure 4 (stand-ins)",
        "small stand-ins for the fully connected network FC3",
        "A prime marks a further network. The networks are trained here on 8,000 of MNIST's test images, where the "
        "panel is there, and on scikit-learn's digits.",
    ),
    _spec(
        "fig4_convolutional",
        "Figure 4 (VGG-16 and ResNet50)",
        "VGG-16 and ResNet50",
        "The networks are trained here on 8,000 of MNIST's test images with a margin, where the paper has ImageNet "
        "(networks with a sixteenth of the channels on digits at scale smoke). Error rates are those of 100 images.",
    ),
    _spec(
        "fig4_public",
        "Figure 4",
        "the fully connected network of the public code, 784-1000-1000-10,",
        "The network is trained here on 8,000 of MNIST's test images (a stand-in on digits at scale smoke).",
    ),
)
