"""Figures 6 and 7: simple regret on the synthetic benchmarks, evaluations noise-free and noisy, means and medians."""

from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from experiments.boke.regret import PANELS
from experiments.engine.statistics import Statistic
from paper_figures.comparisons import regret_table
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import (
    REGRET_FLOOR,
    Layout,
    curves,
    initial_design_handle,
    initial_design_line,
    problem_panels,
    tidy_log_axis,
)
from paper_figures.samples import by_method
from paper_figures.style import method_style


def _panel(axes: Axes, data: StudyResults, problem: str, statistic: Statistic) -> None:
    samples = by_method(data, "simple_regret", problem=problem)
    evaluations = np.arange(1, next(iter(samples.values())).shape[1] + 1)
    initial = int(data.common("initial_size", problem=problem))
    curves(axes, evaluations, samples, statistic, common=initial)
    if statistic == "mean":
        for name, values in samples.items():
            axes.plot(
                evaluations[-1], max(values[:, -1].mean(), REGRET_FLOOR), clip_on=False, zorder=20, **_judged(name)
            )
    initial_design_line(axes, initial)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    tidy_log_axis(axes)


def letter(problem: str) -> str:
    """The paper's letter of a function's panel; a prime marks the second version of a function."""
    for panel, versions in PANELS.items():
        if problem in versions:
            return panel + "'" * versions.index(problem)
    raise KeyError(f"no panel of Figures 6 and 7 shows {problem!r}")


def _judged(name: str) -> dict[str, Any]:
    """The mark at the end of a curve."""
    colour = method_style(name).colour
    return {"marker": "o", "markersize": 5.5, "markerfacecolor": "none", "markeredgecolor": colour}


def draw(data: StudyResults, statistic: Statistic) -> Figure:
    """One panel a problem, with the paper's letter: the mean or median simple regret of every method, with 95 %
    bands."""
    columns = 4
    layout = Layout(across=min(3, len(data.problems())), columns=columns, tall=1.75, margin=0.34)
    vertical = f"{statistic.capitalize()} simple regret\n(lower is better)"
    panel = partial(_panel, statistic=statistic)
    handles = [initial_design_handle()]
    if statistic == "mean":
        handles.append(Line2D([], [], linestyle="none", label="Value that verdicts compare", **_judged("")))
    return problem_panels(data, panel, layout, "Evaluations $t$", vertical, handles, letter)


def _specs(name: str, number: str, against: str) -> tuple[FigureSpec, FigureSpec]:
    """The figure of means with its comparisons, and the figure of medians."""

    def caption(statistic: str) -> str:
        return (
            f"Simple regret against the number of {against}, on a logarithmic scale. {statistic} over seeds with its "
            "95 % bootstrap band. Every method starts from the same Latin hypercube design, which ends at the grey "
            "dashed line. Regret is measured on the noise-free objective at the queried points. Panels have the "
            "paper's letters; B' and F' are the versions of the reference that the paper cites."
            + (
                " Rings mark the mean final regret. Ratios of these means judge most sentences on the figure. The "
                "geometric mean over the run judges whether BOKE+ converges faster."
                if statistic == "Mean"
                else ""
            )
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
