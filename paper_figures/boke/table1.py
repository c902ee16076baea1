"""Table 1: measured time of preprocessing and of inference against the number of observations."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.boke.table1 import CANDIDATES, DIM
from experiments.engine.statistics import fit_exponent
from paper_figures.comparisons import Pair, exponent_cells, favours, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import curve, tidy_log_axis
from paper_figures.samples import by_method
from paper_figures.style import LETTERS, method_label, method_order, method_style, new_figure, panel_title
from paper_figures.table import Table

PHASES = {"preprocessing": "Preprocessing", "inference": "Inference", "proposal": "Whole proposal"}
"""The phases of the study, with the titles of their panels."""

REFERENCE = "boke"

PRINTED: dict[str, dict[str, int]] = {
    "boke": {"preprocessing": 0, "inference": 1},
    "boke_plus": {"preprocessing": 0, "inference": 1},
    "kr_ucb": {"preprocessing": 2, "inference": 1},
    "gp_ucb": {"preprocessing": 3, "inference": 2},
}
"""The powers of t that the paper's Table 1 gives."""


def upper_half(counts: np.ndarray, seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The larger half of the stored t (at least three), where fixed overheads weigh least, and its seconds."""
    first = min(len(counts) // 2, max(len(counts) - 3, 0))
    return counts[first:], seconds[:, first:]


def draw(data: StudyResults) -> Figure:
    """A panel a phase: seconds against t, both axes logarithmic, fitted exponents below."""
    phases = [phase for phase in PHASES if phase in data.problems()]
    figure, grid = new_figure(1, len(phases), height=3.5)
    for index, (axes, phase) in enumerate(zip(grid[0], phases, strict=True)):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.margins(x=0.03)
        handles: list[Line2D] = []
        policies = method_order(data.policies(phase))
        longest = max(int(data.common("t", problem=phase, policy=policy)[-1]) for policy in policies)
        for policy in reversed(policies):
            counts = data.common("t", problem=phase, policy=policy)
            seconds = data.array("seconds", problem=phase, policy=policy)
            curve(axes, policy, counts, seconds, "median", floor=1e-9, zorder=3 + len(handles))
            if counts[-1] < longest:
                remark(figure, f"Work on a t × t matrix is timed up to t = {counts[-1]:,}")
            label = method_label(policy)
            if len(seconds) > 1:
                label += f", $t^{{{float(fit_exponent(*upper_half(counts, seconds)).estimate):.2f}}}$"
            printed = PRINTED.get(policy, {}).get(phase)
            label += "" if printed is None else f" (paper: {_printed(printed)})"
            handles.append(Line2D([], [], **(method_style(policy).plot() | {"label": label})))
        tidy_log_axis(axes, "xy")
        axes.set_xlabel("Observations $t$")
        axes.legend(
            handles=handles[::-1],
            loc="upper center",
            bbox_to_anchor=(0.5, -0.2),
            ncols=1,
            handlelength=1.6,
            title="Power of $t$, fitted to the larger half",
            title_fontsize=8,
        )
        panel_title(axes, LETTERS[index], f"{PHASES[phase]}, {data.seeds(problem=phase)}")
    grid[0][0].set_ylabel("Seconds\n(lower is better)")
    return figure


def _printed(exponent: int) -> str:
    return {0: "$1$", 1: "$t$"}.get(exponent, f"$t^{exponent}$")


def _power(exponent: int) -> str:
    return {0: "O(1)", 1: "O(t)"}.get(exponent, f"O(t^{exponent})")


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Printed and measured exponents; the seconds of `REFERENCE` against those of the other methods."""
    rows = []
    for phase in (phase for phase in PHASES if phase in data.problems()):
        for policy in method_order(data.policies(phase)):
            counts = data.common("t", problem=phase, policy=policy)
            seconds = data.array("seconds", problem=phase, policy=policy)
            printed = PRINTED.get(policy, {}).get(phase)
            rows.append(
                (PHASES[phase], method_label(policy), "–" if printed is None else _power(printed),
                 *exponent_cells(*upper_half(counts, seconds)),
                 f"{counts[0]:g}–{counts[-1]:g}")
            )  # fmt: skip
    name = method_label(REFERENCE)
    return (
        Table(
            "Complexity: printed order and measured exponent of t",
            ("Phase", "Method", "Printed", "Exponent", "95 % CI", "t"),
            tuple(rows),
            "Slope of log seconds in log t over the upper half of the measured t, fitted to each repetition and "
            "averaged; bootstrap over repetitions. Fixed overheads flatten a curve, so that exponents below the "
            "printed order are expected at small t.",
        ),
        paired_table(
            f"Seconds of {name} against the other methods, at the largest t that both were timed at",
            ("Phase", "Peer", "t"),
            [pair for phase in PHASES for pair in _pairs(data, phase)],
            f"Paired by repetition (same data). {favours(name)}",
            sides=f"{name} / peer",
            outcomes="Faster–slower–equal",
        ),
    )


def _pairs(data: StudyResults, phase: str) -> list[Pair]:
    """`REFERENCE` beside every other method of a phase, at the largest t of both; no row for a method without a common
    t."""
    times = {
        name: dict(zip(data.common("t", problem=phase, policy=name).tolist(), seconds.T, strict=True))
        for name, seconds in by_method(data, "seconds", problem=phase).items()
    }
    ours = times.pop(REFERENCE, {})
    pairs = []
    for peer in method_order(times):
        shared = max(ours.keys() & times[peer].keys(), default=None)
        if shared is not None:
            labels = (PHASES[phase], method_label(peer), f"{shared:g}")
            pairs.append(Pair(labels, ours[shared], times[peer][shared]))
    return pairs


FIGURES = (
    FigureSpec(
        id="boke.table1",
        study="boke.table1",
        number="Table 1",
        caption=(
            f"Measured time of (A) preprocessing, (B) inference at {CANDIDATES} points and (C) whole proposals "
            f"against the number of observations, d = {DIM}. Both axes are logarithmic. Curves are medians over "
            "repetitions with 95 % bootstrap bands. The labels below give the fitted exponents of t and the orders "
            "printed in the paper's Table 1."
        ),
        draw=draw,
        tables=tables,
    ),
)
