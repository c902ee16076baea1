"""Figure 1 (b): cumulative regret on the newsvendor problem and on portfolio optimisation."""

from paper_figures.ctx.regret import CAPTION, panels, tables
from paper_figures.figure import FigureSpec

FIGURES = (
    FigureSpec(
        id="ctx.fig1b",
        study="ctx.fig1b",
        number="Figure 1 (b)",
        caption=CAPTION
        + "Cumulative regret of the expectation on the newsvendor problem and, where its simulations were at hand "
        "(KERNELBO_DATA), on portfolio optimisation with uniform and normal contexts.",
        draw=panels,
        tables=tables,
    ),
)
