"""Figure 8: the garden sprinkler, simple regret against evaluations and against CPU time."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.engine.statistics import Statistic
from paper_figures.boke import sensitivity
from paper_figures.comparisons import COMPARISON_HEADER, comparison_cells, regret_table, score
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import curve, curves, initial_design_handle, initial_design_line, tidy_log_axis
from paper_figures.style import legend_height, method_label, method_legend, method_order, new_figure, panel_title
from paper_figures.table import Table, number

MARKERS = 6


def cpu_seconds(data: StudyResults, policy: str) -> np.ndarray:
    """CPU seconds of all proposals up to each one, (K,), the mean over the timed seeds."""
    total: np.ndarray = np.cumsum(data.array("seconds", policy=policy), axis=1).mean(axis=0)
    return total


def draw(data: StudyResults, statistic: Statistic) -> Figure:
    """Panel A: against evaluations; panel B: against CPU seconds, from the first proposal on."""
    columns = 4
    legend = legend_height(len(data.policies()) + 1, columns)
    figure, grid = new_figure(1, 2, height=2.75 + legend, legend=legend, sharey=True)
    left, right = grid[0]
    size = int(data.common("initial_size"))
    samples = {policy: data.array("simple_regret", policy=policy) for policy in data.policies()}
    evaluations = np.arange(1, next(iter(samples.values())).shape[1] + 1)
    curves(left, evaluations, samples, statistic, common=size)
    initial_design_line(left, size)
    left.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    left.set_xlabel("Evaluations $t$")
    left.set_ylabel(f"{statistic.capitalize()} simple regret (m)")
    panel_title(left, "A", "Against evaluations")
    _against_time(right, data, samples, statistic, size)
    right.set_xlabel("CPU seconds of all proposals, mean")
    panel_title(right, "B", "Against CPU time")
    tidy_log_axis(left)
    tidy_log_axis(right, "xy")
    method_legend(figure, data.policies(), extra=[initial_design_handle()], columns=columns)
    return figure


def _against_time(
    axes: Axes, data: StudyResults, samples: dict[str, np.ndarray], statistic: Statistic, size: int
) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.margins(x=0.03)
    names = method_order(samples)
    for index, name in enumerate(reversed(names)):
        seconds = cpu_seconds(data, name)
        step = max(len(seconds) // MARKERS, 1)
        places = ((index + 1) * step // len(names), step)
        curve(axes, name, seconds, samples[name][:, size:], statistic, markevery=places, zorder=3 + index)


def equal_time(data: StudyResults, ours: str, peer: str) -> tuple[float, int, int]:
    """The CPU seconds that the quicker of two methods spends on its whole run, and the evaluations that each has made
    by then, the initial design included."""
    size = int(data.common("initial_size"))
    times = [cpu_seconds(data, ours), cpu_seconds(data, peer)]
    shared = min(float(time[-1]) for time in times)
    return shared, *(size + int(np.sum(time <= shared)) for time in times)  # type: ignore[return-value]


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Final regret against all peers, and regret after equal CPU time against GP-UCB."""
    found = [regret_table(data, "boke")]
    ours = [name for name in ("boke", "boke_plus") if name in data.policies()]
    if "boke_plus" in ours:
        found.append(regret_table(data, "boke_plus"))
    rows = []
    for name in ours:
        for peer in method_order(set(data.policies()) - {*ours, "random_search"}):
            seconds, t_ours, t_peer = equal_time(data, name, peer)
            regrets = [
                data.array("simple_regret", policy=policy)[:, t - 1] for policy, t in ((name, t_ours), (peer, t_peer))
            ]
            means = " / ".join(number(float(regret.mean())) for regret in regrets)
            rows.append(
                (method_label(name), method_label(peer), number(seconds), f"{t_ours} / {t_peer}", means,
                 *comparison_cells(*regrets), score(*regrets))
            )  # fmt: skip
    found.append(
        Table(
            "Simple regret after equal CPU time",
            (
                "Method",
                "Peer",
                "CPU s",
                "Evaluations (ours / peer)",
                "Mean (ours / peer)",
                *COMPARISON_HEADER,
                "Wins–losses–ties",
            ),
            tuple(rows),
            "At the mean CPU time that the quicker of the two spends on its whole run. Difference = ours − peer: "
            "negative favours ours. Paired by seed; 95 % percentile bootstrap interval of the mean difference; "
            "two-sided Wilcoxon signed-rank p, uncorrected.",
        )  # fmt: skip
    )
    return tuple(found)


_CAPTION = (
    "Simple regret of the range of the garden sprinkler (8 inputs, noise-free) against (A) the number of evaluations "
    "and (B) the CPU seconds of all proposals up to then, averaged over seeds. {statistic} over seeds with its 95 % "
    "bootstrap band; every method starts from the same Latin hypercube design. Regret is against the best range that a "
    "long search found, 8.33576 m. Times are of compiled proposals made one at a time, the model's own left out."
)

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
            "Mean final simple regret on the garden sprinkler, with its 95 % bootstrap interval, against constants of "
            "BOKE, BOKE+ and GP-UCB; both axes logarithmic. The dashed line marks the value used everywhere else. "
            "Budget, starts and seeds are Figure 8's."
        ),
        draw=sensitivity.draw,
        tables=sensitivity.tables,
    ),
)
