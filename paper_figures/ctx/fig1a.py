"""Figure 1 (a): cumulative regret, or reward, on the synthetic functions."""

from paper_figures.ctx.regret import CAPTION, panels, tables
from paper_figures.figure import FigureSpec

FIGURES = (
    FigureSpec(
        id="ctx.fig1a",
        study="ctx.fig1a",
        number="Figure 1 (a)",
        caption=CAPTION
        + "Cumulative regret of the expectation on Ackley, modified Branin and Hartmann; cumulative reward observed on "
        "Hartmann with the complicated context distribution, as in the paper (higher is better).",
        draw=panels,
        tables=tables,
    ),
)
