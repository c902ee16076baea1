"""Figure 3: fill distance of density-based exploration and of space-filling designs, in one to four dimensions."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from paper_figures.comparisons import Pair, exponent_cells, favours, paired_table, pairs_with_peers
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import GUIDE, curves, slope_guide, tidy_log_axis
from paper_figures.samples import by_method, ends
from paper_figures.style import LETTERS, method_label, method_legend, method_order, new_figure, panel_title
from paper_figures.table import Table, number

REFERENCE = "density_exploration"


def dimension(problem: str) -> int:
    """The dimension in a problem's name: "d2" → 2."""
    return int(problem.removeprefix("d"))


def draw(data: StudyResults) -> Figure:
    """One panel a dimension: mean fill distance against t, with the slope of t^(−1/d); both axes are logarithmic."""
    problems = sorted(data.problems(), key=dimension)
    figure, grid = new_figure(1, len(problems), height=2.6, legend=0.42)
    for index, (axes, problem) in enumerate(zip(grid[0], problems, strict=True)):
        counts, samples = data.common("t", problem=problem), by_method(data, "fill_distance", problem=problem)
        curves(axes, counts, samples, markers=4)
        slope, top = -1.0 / dimension(problem), max(float(values.mean(axis=0)[0]) for values in samples.values())
        slope_guide(axes, counts.astype(float), 1.3 * top, slope)
        axes.set_xscale("log")
        axes.autoscale(axis="y")
        tidy_log_axis(axes, "xy")
        panel_title(axes, LETTERS[index], f"$d = {dimension(problem)}$")
        axes.set_xlabel("Points $t$")
    grid[0][0].set_ylabel("Fill distance\n(lower is better)")
    method_legend(figure, data.policies(), extra=[Line2D([], [], label="Slope of $t^{-1/d}$", **GUIDE)], columns=4)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The fitted exponents of every design, and density exploration against the other designs at the last t."""
    slopes, pairs = [], list[Pair]()
    for problem in sorted(data.problems(), key=dimension):
        counts, samples = data.common("t", problem=problem), by_method(data, "fill_distance", problem=problem)
        dim = dimension(problem)
        for policy in method_order(samples):
            slopes.append((f"{dim}", method_label(policy), *exponent_cells(counts, samples[policy]), number(-1 / dim)))
        pairs += pairs_with_peers(f"{dim}", ends(samples), REFERENCE)
    name = method_label(REFERENCE)
    return (
        Table(
            "Fitted exponents of the fill distance in t",
            ("d", "Design", "Exponent", "95 % CI", "−1/d"),
            tuple(slopes),
            "Least-squares slope of log fill distance in log t over all stored t, fitted to each seed and averaged "
            "over seeds; bootstrap over seeds.",
        ),
        paired_table(
            f"{name} against the other designs: fill distance at the last t",
            ("d", "Peer"),
            pairs,
            f"Paired by seed. {favours(name)}",
        ),
    )


FIGURES = (
    FigureSpec(
        id="boke.fig3",
        study="boke.fig3",
        number="Figure 3",
        caption=(
            "Fill distance of density-based exploration A (12), of GP-variance exploration and of space-filling "
            "designs against the number of points, for d = 1 to 4. Both axes are logarithmic. Curves are means over "
            "seeds with 95 % bootstrap bands. The dotted line has the slope of t^(−1/d)."
        ),
        draw=draw,
        tables=tables,
    ),
)
