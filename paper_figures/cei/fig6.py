"""Figure 6: EI and corrected EI on sample paths, stopped by the same κ."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.cei.fig6 import NOISE_SD, WIDTHS
from experiments.engine.statistics import paired_comparison
from paper_figures.comparisons import Pair, favours, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.footer import remark
from paper_figures.load import StudyResults
from paper_figures.panels import GUIDE
from paper_figures.style import BLUE, LETTERS, method_label, new_figure, panel_title, top_legend
from paper_figures.table import Table, number, p_value

METHODS = ("corrected_ei", "ei")
MEASURES = {"value_at_stop": "$f(x_t)$", "incumbent_value_at_stop": "$f(x^+_t)$"}
WORDS = {"value_at_stop": "At the proposal", "incumbent_value_at_stop": "At the incumbent"}
PAPER_PATHS, PAPER_P = 30, 0.013
"""The paper's result: f(x_t) is higher for corrected EI."""


def pair(data: StudyResults, measure: str, width: float) -> tuple[np.ndarray, np.ndarray]:
    """The values of corrected EI and of EI, one a path."""
    ours, theirs = (data.array(measure, policy=name, width=width) for name in METHODS)
    return ours, theirs


def draw(data: StudyResults) -> Figure:
    """One column a domain: the value at the proposal where the run stops above, the value at the incumbent then
    below."""
    figure, grid = new_figure(len(MEASURES), len(WIDTHS), height=5.2, width=5.4, legend=0.28)
    letters = iter(LETTERS)
    for row, (measure, label) in enumerate(MEASURES.items()):
        for column, width in enumerate(WIDTHS):
            axes = grid[row][column]
            ours, theirs = pair(data, measure, width)
            low, high = float(min(ours.min(), theirs.min())), float(max(ours.max(), theirs.max()))
            margin = 0.05 * (high - low) + 1e-9
            ends = (low - margin, high + margin)
            axes.plot(ends, ends, **GUIDE)
            axes.plot(theirs, ours, "o", color=BLUE, alpha=0.5, markersize=3, markeredgewidth=0)
            axes.set_xlim(ends)
            axes.set_ylim(ends)
            axes.set_xlabel(f"{method_label(METHODS[1])}: {label}")
            axes.set_ylabel(f"{method_label(METHODS[0])}: {label} (higher is better)")
            panel_title(axes, next(letters), f"{WORDS[measure]}, domain $[0, {width:g}]$")
            higher, lower = int(np.sum(ours > theirs)), int(np.sum(ours < theirs))
            counts = f"Higher on {higher}, lower on {lower}\n{_tested(ours, theirs)}"
            axes.text(0.03, 0.97, counts, transform=axes.transAxes, ha="left", va="top", fontsize=7)
    handles = [
        Line2D([], [], color=BLUE, linestyle="", marker="o", alpha=0.5, label="One sample path"),
        Line2D([], [], label="$y = x$", **GUIDE),
    ]
    top_legend(figure, handles)
    remark(
        figure,
        f"The paper: {method_label(METHODS[0])} is higher, p = {PAPER_P:g} on {PAPER_PATHS} paths",
    )
    return figure


def _tested(ours: np.ndarray, theirs: np.ndarray) -> str:
    """The two-sided p and the direction: "Wilcoxon p < 0.001, lower in the mean"."""
    found = paired_comparison(ours, theirs)
    test = p_value(found.p_value)
    side = "higher" if float(found.difference.estimate) > 0 else "lower"
    return f"Wilcoxon $p$ {test if test.startswith('<') else f'= {test}'}\n{side} in the mean"


def tables(data: StudyResults) -> tuple[Table, ...]:
    """Paired comparisons over all paths, and over the first 30, which is the paper's number."""
    values, steps = [], []
    for width in WIDTHS:
        domain = f"[0, {width:g}]"
        for measure, label in (("value_at_stop", "f(x_t)"), ("incumbent_value_at_stop", "f(x⁺_t)")):
            ours, theirs = pair(data, measure, width)
            for count in sorted({min(PAPER_PATHS, len(ours)), len(ours)}):
                values.append(Pair((domain, label, str(count)), ours[:count], theirs[:count]))
        never = " / ".join(str(int(np.sum(~stopped))) for stopped in pair(data, "stopped", width))
        kappa = number(float(data.common("kappa", width=width)))
        steps.append(Pair((domain, kappa), *pair(data, "steps", width), extra=(never,)))
    name, peer = (method_label(method) for method in METHODS)
    sides = f"{name} / {peer}"
    return (
        paired_table(
            "Values when the acquisition first falls below κ",
            ("Domain", "Value", "Paths"),
            values,
            f"Paired by path (same path, initial points and noise). {favours(name, peer, higher=True)} The paper "
            f"reports p = {PAPER_P:g} on {PAPER_PATHS} paths.",
            sides=sides,
            outcomes="Higher–lower–equal",
            higher=True,
        ),
        paired_table(
            "Steps made before stopping",
            ("Domain", "κ"),
            steps,
            "Paired by path. The values above do not count evaluations saved or spent.",
            sides=sides,
            outcomes="Fewer–more–equal",
            extra=("Never stopped",),
        ),
    )


FIGURES = (
    FigureSpec(
        id="cei.fig6",
        study="cei.fig6",
        number="Figure 6",
        caption=(
            f"EI and corrected EI on sample paths with noise of standard deviation {NOISE_SD:g} and a known kernel. A "
            "run stops when the maximised acquisition falls below κ, which is 1 % of the range of five other paths. "
            "(A, B) show the noise-free value at the proposal x_t where the run stops, as the paper prints; (C, D) "
            "show the value at the incumbent x+. The paper gives neither the domain nor the initial design: we use "
            "two domains and three Sobol' points."
        ),
        draw=draw,
        tables=tables,
    ),
)
