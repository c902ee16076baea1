"""Figure 2: profit of EI and corrected EI against the cost of an evaluation."""

import numpy as np
from matplotlib.figure import Figure

from experiments.cei.fig2 import NOISE_SD
from paper_figures.comparisons import Pair, favours, paired_table
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import method_curves
from paper_figures.samples import by_method
from paper_figures.style import method_label, method_legend, new_figure, panel_title
from paper_figures.table import Table, number

METHODS = ("corrected_ei", "ei")
ROWS = 7
"""The number of kappas in the table."""


def draw(data: StudyResults) -> Figure:
    """Profit, and the steps made before stopping, against kappa."""
    figure, grid = new_figure(1, 2, height=2.6, legend=0.28)
    kappa = data.common("kappa")
    for axes, array, label in zip(
        grid[0],
        ("profit", "steps"),
        ("Profit$(\\kappa)$ (higher is better)", "Steps $t_\\kappa$ until the run stops"),
        strict=True,
    ):
        method_curves(axes, kappa, by_method(data, array), first=METHODS[:1])
        axes.set_xscale("log")
        axes.set_xlabel(r"Cost of an evaluation $\kappa$")
        axes.set_ylabel(label)
    panel_title(grid[0][0], "A", "Profit")
    panel_title(grid[0][1], "B", "Length of the run")
    method_legend(figure, METHODS)
    return figure


def tables(data: StudyResults) -> tuple[Table, ...]:
    """A paired comparison at a few kappas, and the number of runs that never stopped."""
    kappa = data.common("kappa")
    profits, steps, stopped = (by_method(data, array) for array in ("profit", "steps", "stopped"))
    ours, peer = METHODS
    pairs = []
    for column in np.unique(np.linspace(0, len(kappa) - 1, ROWS).round().astype(int)):
        made = " / ".join(number(steps[method][:, column].mean()) for method in METHODS)
        never = " / ".join(f"{np.sum(~stopped[method][:, column])}" for method in METHODS)
        label = number(kappa[column])
        pairs.append(Pair((label,), profits[ours][:, column], profits[peer][:, column], extra=(made, never)))
    name, other = method_label(ours), method_label(peer)
    return (
        paired_table(
            f"Profit of {name} and {other}",
            ("κ",),
            pairs,
            f"Paired by seed. {favours(name, other, higher=True)} A run that never stops counts with its last step. "
            "One run a seed serves all κ, so that the rows are not independent.",
            sides=f"{name} / {other}",
            outcomes="Higher–lower–equal",
            higher=True,
            extra=("Steps", "Never stopped"),
        ),
    )


FIGURES = (
    FigureSpec(
        id="cei.fig2",
        study="cei.fig2",
        number="Figure 2",
        caption=(
            "Profit, B (11), of EI and corrected EI on the sphere (3D) with noise of standard deviation "
            f"{NOISE_SD:g}, and the number of steps made. A run stops when the maximised acquisition falls below κ. "
            "Curves are means over seeds with 95 % bootstrap bands. The paper prints neither the box nor the κ: ours "
            "are [−5.12, 5.12]³ (range 78.6) and 0.01 to 10. Steps are counted after the initial design."
        ),
        draw=draw,
        tables=tables,
    ),
)
