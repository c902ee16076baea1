"""Figure 3 by the protocol of the public code: two methods, three metrics."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from experiments.engine.slim import best_value
from paper_figures.cei import benchmarks
from paper_figures.cei.benchmarks import CORRECTED_PI, GAP_FLOOR, METHOD, benchmark_panels, end_table
from paper_figures.comparisons import Pair, pairs_with_peers
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.samples import Measure, by_method, ends
from paper_figures.style import method_label, problem_label
from paper_figures.table import Table

ARM = "public"


def log_best_query(data: StudyResults, **match: object) -> np.ndarray:
    """log₁₀ of f(x*) less the largest noise-free value among the queries so far, (seeds, K)."""
    first, count = int(data.common("initial_size", **match)) - 1, len(data.common("t", **match))
    best = data.made(best_value, **match)[:, first : first + count]
    return np.log10(np.maximum(float(data.common("optimum", **match)) - best, GAP_FLOOR))


MEASURES: Mapping[str, tuple[str, Measure]] = {
    **benchmarks.MEASURES,
    "log₁₀ of the distance of the best query": (
        "$\\log_{10}(f(x^*) - \\mathrm{max}_i\\, f(x_i))$\n(lower is better)",
        log_best_query,
    ),
}
"""The measures, by their names in words: the label of the axis, and the function."""


def draw(data: StudyResults) -> Figure:
    """One column a problem: the paper's rows, then the best query, which the public code stores."""
    figure = benchmark_panels(data, MEASURES, ARM)
    remark(figure, "The model is told the noise that occurred")
    some = [problem_label(one) for one in data.problems() if CORRECTED_PI in data.policies(one)]
    if some and len(some) < len(data.problems()):
        remark(figure, f"{method_label(CORRECTED_PI)} was run on {' and '.join(some)} alone")
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Corrected EI against EI, and on Hartmann3 against corrected PI, by every metric."""
    found = []
    for words, (_, measure) in MEASURES.items():
        rows: list[Pair] = []
        for problem in data.problems():
            last = ends(by_method(data, measure, problem=problem, arm=ARM))
            rows += pairs_with_peers(problem_label(problem), last, METHOD)
        found.append(end_table(f", protocol of the public code: {words}", "Setting", rows))
    return tuple(found)


FIGURES = (
    FigureSpec(
        id="cei.fig3_public",
        study="cei.fig3_public",
        number="Figure 3 (public code)",
        caption=(
            "Figure 3 by the protocol of the authors' public code. The model has maximum a posteriori estimates "
            "under the code's priors, a constant mean, and inputs in units of the coordinates seen. Five iterations "
            "from four of 256 points maximise the acquisition itself. The noise is 10 % of the range on the box's "
            "diagonal, and the model is told the noise that occurred. Curves are means over seeds against the number "
            "of evaluations: log₁₀ of the distance to the optimum (a to d) and the distance from x+ to the nearest "
            "optimiser (e to h), as in the paper, and log₁₀ of the distance of the best query (i to l), which the "
            "code stores and no experimenter knows."
        ),
        draw=draw,
        tables=tables,
        shows={"arm": ARM},
    ),
)
