"""Figure 7: simple regret with respect to evaluations with additive Gaussian noise on the synthetic benchmarks."""

from paper_figures.boke.regret import regret_panels
from paper_figures.comparisons import regret_table
from paper_figures.figure import FigureSpec

_CAPTION = (
    "Simple regret against the number of evaluations with additive Gaussian noise, on a logarithmic scale. "
    "{statistic} over seeds with its 95 % bootstrap band; every method starts from the same Latin hypercube design, "
    "which ends at the grey dashed line. Regret is measured on the noise-free objective at the queried points."
)

FIGURES = (
    FigureSpec(
        id="boke.fig7",
        study="boke.fig7",
        number="Figure 7",
        caption=_CAPTION.format(statistic="Mean"),
        draw=lambda data: regret_panels(data, "mean"),
        tables=lambda data: (regret_table(data, "boke"), regret_table(data, "boke_plus")),
    ),
    FigureSpec(
        id="boke.fig7_median",
        study="boke.fig7",
        number="Figure 7 (medians)",
        caption=_CAPTION.format(statistic="Median"),
        draw=lambda data: regret_panels(data, "median"),
    ),
)
