"""Figures 6 and 7: simple regret on the synthetic benchmarks, evaluations noise-free and noisy, means and medians."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.engine.statistics import Statistic
from paper_figures.comparisons import regret_table
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import (
    Layout,
    curves,
    initial_design_handle,
    initial_design_line,
    problem_panels,
    tidy_log_axis,
)
from paper_figures.samples import by_method


def _panel(axes: Axes, data: StudyResults, problem: str, statistic: Statistic) -> None:
    samples = by_method(data, "simple_regret", problem=problem)
    evaluations = np.arange(1, next(iter(samples.values())).shape[1] + 1)
    initial = int(data.common("initial_size", problem=problem))
    curves(axes, evaluations, samples, statistic, common=initial)
    initial_design_line(axes, initial)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    tidy_log_axis(axes)


def draw(data: StudyResults, statistic: Statistic) -> Figure:
    """One panel a problem, lettered A–F: mean or median simple regret of every method with its 95 % band."""
    columns = 6 if len(data.policies()) < 6 else 4
    layout = Layout(across=min(3, len(data.problems())), columns=columns, tall=1.75, margin=0.34)
    vertical = f"{statistic.capitalize()} simple regret"
    panel = partial(_panel, statistic=statistic)
    return problem_panels(data, panel, layout, "Evaluations $t$", vertical, [initial_design_handle()])


def _specs(name: str, number: str, against: str) -> tuple[FigureSpec, FigureSpec]:
    """The figure of means, with its comparisons, and that of medians."""

    def caption(statistic: str) -> str:
        return (
            f"Simple regret against the number of {against}, on a logarithmic scale. {statistic} over seeds with its "
            "95 % bootstrap band; every method starts from the same Latin hypercube design, which ends at the grey "
            "dashed line. Regret is measured on the noise-free objective at the queried points."
        )

    return (
        FigureSpec(
            id=f"boke.{name}",
            study=f"boke.{name}",
            number=number,
            caption=caption("Mean"),
            draw=partial(draw, statistic="mean"),
            tables=lambda data: (regret_table(data, "boke"), regret_table(data, "boke_plus")),
        ),
        FigureSpec(
            id=f"boke.{name}_median",
            study=f"boke.{name}",
            number=f"{number} (medians)",
            caption=caption("Median"),
            draw=partial(draw, statistic="median"),
        ),
    )


FIGURES = (
    *_specs("fig6", "Figure 6", "noise-free evaluations"),
    *_specs("fig7", "Figure 7", "evaluations with additive Gaussian noise"),
)
