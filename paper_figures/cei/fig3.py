"""Figure 3: seven acquisitions under noise of 10 % of the range; the two noise arms in two pictures."""

from paper_figures.cei.benchmarks import DEVIATIONS, leak_table, locality_table, panels, tables
from paper_figures.figure import FigureSpec

_CAPTION = (
    "Mean over seeds of log₁₀ of the distance to the optimum (top) and of the distance from x+ to the nearest "
    "optimiser (bottom) against the number of evaluations, from the end of the initial design on. Noise with a "
    "standard deviation of 10 % of the range; {arm} "
    + DEVIATIONS
    + " Corrected PI hardly leaves the initial design: see the table of distances from x+."
)

FIGURES = (
    FigureSpec(
        id="cei.fig3",
        study="cei.fig3",
        number="Figure 3",
        caption=_CAPTION.format(arm="its variance is known to the model, as in eq. (2)."),
        draw=lambda data: panels(data, "known"),
        tables=lambda data: (*tables(data, "known"), locality_table(data, "known")),
    ),
    FigureSpec(
        id="cei.fig3_leaked",
        study="cei.fig3",
        number="Figure 3 (noise leaked)",
        caption=_CAPTION.format(
            arm="the model is told the square of the noise that occurred, as in the paper's public code: an "
            "advantage that no experimenter has."
        ),
        draw=lambda data: panels(data, "leaked"),
        tables=lambda data: (*tables(data, "leaked"), leak_table(data)),
    ),
)
