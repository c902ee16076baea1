"""Figure 8: the garden sprinkler, simple regret against evaluations and against CPU time."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.boke.regret_constants import complete
from experiments.engine.statistics import Statistic
from experiments.measures import times
from experiments.problems import get
from paper_figures.boke import sensitivity
from paper_figures.comparisons import Pair, favours, paired_table, regret_table
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import (
    REGRET_FLOOR,
    curves,
    initial_design_handle,
    initial_design_line,
    method_curves,
    tidy_log_axis,
)
from paper_figures.samples import by_method
from paper_figures.style import legend_height, method_label, method_legend, method_order, new_figure, panel_title
from paper_figures.table import Table, number

OURS = ("boke", "boke_plus")
"""The paper's own methods."""


def draw(data: StudyResults, statistic: Statistic) -> Figure:
    """Panel A against evaluations; panel B against CPU seconds, from the first proposal on."""
    columns = 4
    legend = legend_height(len(data.policies()) + 1, columns)
    figure, grid = new_figure(1, 2, height=3.3 + legend, legend=legend, sharey=True)
    left, right = grid[0]
    size = int(data.common("initial_size"))
    samples = by_method(data, "simple_regret")
    evaluations = np.arange(1, next(iter(samples.values())).shape[1] + 1)
    curves(left, evaluations, samples, statistic, common=size)
    initial_design_line(left, size)
    left.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    left.set_xlabel("Evaluations $t$")
    left.set_ylabel(f"{statistic.capitalize()} simple regret (m)\n(lower is better)")
    panel_title(left, "A", "Against evaluations")
    right.set_xscale("log")
    right.set_yscale("log")
    right.margins(x=0.03)
    clocks = {name: times.spent(data.array("seconds", policy=name)) for name in samples}
    after = {name: regret[:, size:] for name, regret in samples.items()}
    method_curves(right, clocks, after, statistic, REGRET_FLOOR)
    right.set_xlabel("CPU seconds of all proposals, mean")
    panel_title(right, "B", "Against CPU time")
    tidy_log_axis(left)
    tidy_log_axis(right, "xy")
    remark(figure, "In B a curve ends where the method has made all evaluations")
    method_legend(figure, data.policies(), extra=[initial_design_handle()], columns=columns)
    return figure


def equal_time(data: StudyResults, ours: str, peer: str) -> tuple[float, int, int]:
    """The CPU seconds that the quicker of two methods spends on its whole run, and the number of evaluations of each
    method by then, the initial design included."""
    size = int(data.common("initial_size"))
    shared, *made = times.equal_time(*(data.array("seconds", policy=name) for name in (ours, peer)))
    return shared, *(size + count for count in made)  # type: ignore[return-value]


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The final regret against all peers, and the regret after equal CPU time against the peers that model the
    function."""
    ours = [name for name in OURS if name in data.policies()]
    pairs = []
    for name in ours:
        for peer in method_order(set(data.policies()) - {*ours, "random_search"}):
            seconds, *counts = equal_time(data, name, peer)
            ours_then, theirs_then = (
                data.array("simple_regret", policy=policy)[:, count - 1]
                for policy, count in zip((name, peer), counts, strict=True)
            )
            made = " / ".join(str(count) for count in counts)
            labels = (method_label(name), method_label(peer), number(seconds), made)
            pairs.append(Pair(labels, ours_then, theirs_then))
    return (
        *(regret_table(data, name) for name in ours),
        paired_table(
            "Simple regret after equal CPU time",
            ("Method", "Peer", "CPU s", "Evaluations (ours / peer)"),
            pairs,
            "Regret at the mean CPU time that the quicker of the two methods spends on its whole run, paired by "
            f"seed. Regret is against a range of {get('sprinkler').optimum:.6g} m. {favours('ours')}",
        ),
    )


_CAPTION = (
    "Simple regret of the range of the garden sprinkler (8 inputs, noise-free) against (A) the number of evaluations "
    "and (B) the CPU seconds of all proposals so far, averaged over seeds. {statistic} over seeds with its 95 % "
    "bootstrap band. Every method starts from the same Latin hypercube design. Regret is against the best range that "
    "a long search found. Times are those of compiled proposals made one at a time; the sprinkler model's own time "
    "is left out."
)


def _calibrated(policy: str, constant: str) -> float | None:
    """The calibrated value of a constant."""
    value = complete(policy, {}).get(constant)
    return float(value) if value is not None else sensitivity.default_value(policy, constant)


FIGURES = (
    FigureSpec(
        id="boke.fig8",
        study="boke.fig8",
        number="Figure 8",
        caption=_CAPTION.format(statistic="Mean"),
        draw=lambda data: draw(data, "mean"),
        tables=tables,
    ),
    FigureSpec(
        id="boke.fig8_median",
        study="boke.fig8",
        number="Figure 8 (medians)",
        caption=_CAPTION.format(statistic="Median"),
        draw=lambda data: draw(data, "median"),
    ),
    FigureSpec(
        id="boke.fig8_constants",
        study="boke.fig8_constants",
        number="Figure 8 (constants)",
        caption=(
            "Mean final simple regret on the garden sprinkler, with its 95 % bootstrap interval, against constants "
            "of BOKE, BOKE+, KR-UCB and GP-UCB. Both axes are logarithmic. One constant varies at a time. The others "
            "keep the values that random functions chose, which the dashed line marks. These values are the default "
            "of GP-UCB alone. Budget, starts and seeds are those of Figure 8."
        ),
        draw=lambda data: sensitivity.draw(data, _calibrated),
        tables=lambda data: sensitivity.tables(data, _calibrated),
    ),
)
