"""What Figures 3, 4, 7 and 8 share: curves of corrected EI and its peers, and paired comparisons of their ends."""

from collections.abc import Iterable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from paper_figures.comparisons import BY_SEED, Pair, favours, paired_table, pairs_with_peers
from paper_figures.load import StudyResults
from paper_figures.panels import method_curves
from paper_figures.samples import Measure, by_method, ends
from paper_figures.style import method_label
from paper_figures.table import Table

METHOD = "corrected_ei"
GAP_FLOOR = 1e-9
"""Distances to the optimum below this count as this: their logarithm is averaged."""

ARMS = {"known": "noise variance known", "leaked": "noise leaked: each squared error told"}

DEVIATIONS = (
    "Noise has the same standard deviation at every point, relative to the exact range on the full box; x+ is the "
    "observed point of largest posterior mean; the interval is a 95 % bootstrap interval over seeds."
)
"""What the caption of every such figure says of the differences from the paper."""


def log_gap(data: StudyResults, **match: object) -> np.ndarray:
    """log₁₀(f(x*) − f(x⁺)), (seeds, K), from below at `GAP_FLOOR`."""
    return np.log10(np.maximum(data.array("gap", **match), GAP_FLOOR))


def distance(data: StudyResults, **match: object) -> np.ndarray:
    """Distance from x⁺ to the nearest optimiser, (seeds, K), in natural units."""
    return data.array("distance", **match)


DISTANCE_LABEL = r"$\|x^+ - x^*\|_2$"

MEASURES: Mapping[str, tuple[str, Measure]] = {
    "log₁₀ of the distance to the optimum, f(x*) − f(x⁺)": (r"$\log_{10}(f(x^*) - f(x^+))$", log_gap),
    "Distance from x⁺ to the nearest optimiser, natural units": (DISTANCE_LABEL, distance),
}
"""What is measured, in words → the label of its axis, and the measure."""


def linear_curves(axes: Axes, horizontal: np.ndarray, samples: Mapping[str, np.ndarray], markers: int = 5) -> None:
    """Mean over seeds of every method with its 95 % band, corrected EI on top, on a linear axis."""
    method_curves(axes, horizontal, samples, markers=markers, first=(METHOD,))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))


def end_table(words: str, group: str, rows: Iterable[Pair], paired: str = BY_SEED) -> Table:
    """`METHOD` against each peer after the whole budget, less is better; `group` heads the first column."""
    name = method_label(METHOD)
    return paired_table(
        f"{name} against its peers at the end{words}", (group, "Peer"), rows, f"{paired} {favours(name)}"
    )


def end_tables(data: StudyResults, arm: str, settings: Mapping[str, Mapping[str, object]]) -> tuple[Table, ...]:
    """A table per measure; `settings` maps the name of a block of rows to what its results match."""
    found = []
    for words, (_, measure) in MEASURES.items():
        rows: list[Pair] = []
        for label, match in settings.items():
            rows += pairs_with_peers(label, ends(by_method(data, measure, arm=arm, **match)), METHOD)
        found.append(end_table(f", {ARMS[arm]}: {words}", "Setting", rows))
    return tuple(found)
