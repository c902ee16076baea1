"""Figure 2 (appendix D): cumulative regret with four contexts."""

from paper_figures.ctx.regret import CAPTION, panels, tables
from paper_figures.figure import FigureSpec

FIGURES = (
    FigureSpec(
        id="ctx.fig2",
        study="ctx.fig2",
        number="Figure 2",
        caption=CAPTION + "Cumulative regret of the expectation on Ackley with two decisions and four contexts.",
        draw=panels,
        tables=tables,
    ),
)
