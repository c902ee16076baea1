"""The common part of Figures 2, 4 and 5: one panel a problem, the mean of every method with its 95 % bootstrap band."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from paper_figures.load import StudyResults
from paper_figures.panels import Layout, problem_panels, tidy_log_axis
from paper_figures.samples import by_method
from paper_figures.style import WIDTH

METHOD = "uhe_bo"

NARROW = 5.0
"""The least factor for a logarithmic axis: curves that span less, with their bands, are drawn on a linear axis."""

BANDS = (
    "Means over seeds with 95 % bootstrap bands (the paper draws standard errors), on a logarithmic scale, or on a "
    f"linear one where the curves span less than a factor of {NARROW:g}. Every method starts from the same uniform "
    "points for the same seed; evaluations are exact. "
)

Panel = Callable[[Axes, StudyResults, str], None]


def panels(data: StudyResults, draw: Panel, vertical: str, extra: Sequence[Line2D] = ()) -> Figure:
    """One panel a problem, two in a row (three where there are five), with the label `vertical` on the left."""
    count, entries = len(data.problems()), len(data.policies()) + len(extra)
    across = 1 if count == 1 else 2 if count <= 4 else 3
    columns = 2 if across == 1 else 4 if entries > 5 else entries
    layout = Layout(across, columns, tall=1.9, margin=0.36, width=4.5 if across == 1 else WIDTH)

    def panel(axes: Axes, data: StudyResults, problem: str) -> None:
        draw(axes, data, problem)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        if not linear_if_narrow(axes):
            tidy_log_axis(axes)

    return problem_panels(data, panel, layout, "Evaluations $t$", vertical, extra)


def linear_if_narrow(axes: Axes) -> bool:
    """A linear vertical axis, fitted to the curves and their bands, where these span a factor below `NARROW`."""
    drawn = [np.asarray(line.get_ydata(), float) for line in axes.lines]
    bands = [np.asarray(path.vertices)[:, 1] for band in axes.collections for path in band.get_paths()]
    heights = np.concatenate(
        [*(line for line in drawn if len(line) > 2), *bands]
    )  # the rules across a panel do not count
    low, high = float(heights.min()), float(heights.max())
    if high >= NARROW * low:
        return False
    axes.set_yscale("linear")
    axes.set_ylim(low - 0.04 * (high - low), high + 0.04 * (high - low))
    return True


def samples(data: StudyResults, problem: str, name: str) -> dict[str, np.ndarray]:
    """The array `name` (seeds, T) on a problem by method, in double precision."""
    return {method: values.astype(float) for method, values in by_method(data, name, problem=problem).items()}
