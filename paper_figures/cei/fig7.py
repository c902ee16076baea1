"""Figure 7: as Figure 3, under noise of 15 % of the range."""

from paper_figures.cei.benchmarks import DEVIATIONS, panels, tables
from paper_figures.figure import FigureSpec

FIGURES = (
    FigureSpec(
        id="cei.fig7",
        study="cei.fig7",
        number="Figure 7",
        caption=(
            "As Figure 3, with a noise of standard deviation 15 % of the range, its variance known to the model. "
            + DEVIATIONS
        ),
        draw=lambda data: panels(data, "known"),
        tables=lambda data: tables(data, "known"),
    ),
)
