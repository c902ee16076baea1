"""Figure 8: Griewank under noise of 1 to 20 % of the range."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from paper_figures.cei.benchmarks import DEVIATIONS, DISTANCE_LABEL, METHOD, PEER, distance, end_tables, linear_curves
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import Layout, method_curves, panel_grid
from paper_figures.samples import by_method
from paper_figures.style import LOWER, panel_title, problem_label

CROWDED = (0.02, 0.03, 0.04)
"""The levels without a tick of their own in the last panel."""

ARM = "known"


def levels(data: StudyResults) -> list[float]:
    """The noise levels of the results, in increasing order."""
    return sorted({float(result.config["options"]["noise_fraction"]) for result in data.results})


def at_levels(data: StudyResults) -> dict[tuple[str, ...], list[float]]:
    """The levels of a run, by the methods that were run at these levels alone."""
    runs = {(result.config["policy"], float(result.config["options"]["noise_fraction"])) for result in data.results}
    by_levels: dict[tuple[float, ...], list[str]] = {}
    for method in data.policies():
        by_levels.setdefault(tuple(level for level in levels(data) if (method, level) in runs), []).append(method)
    return {tuple(methods): list(there) for there, methods in by_levels.items()}


def ends_at(data: StudyResults, method: str, there: Sequence[float]) -> np.ndarray:
    """The distance at the end of the runs, (seeds, levels)."""
    return np.stack([distance(data, policy=method, noise_fraction=level, arm=ARM)[:, -1] for level in there], 1)


def draw(data: StudyResults) -> Figure:
    """One panel a level; the last panel shows the ends of the runs against the level."""
    found, methods = levels(data), data.policies()
    count = len(found) + 1
    layout = Layout(across=2 if count <= 4 else 3, columns=4, tall=1.75, margin=0.3)
    figure, panels = panel_grid(count, layout, methods)
    *each, last = panels
    for axes, level in zip(each, found, strict=True):
        match = {"noise_fraction": level, "arm": ARM}
        linear_curves(axes, data.common("t", **match), by_method(data, distance, **match))
        axes.set_xlabel("Evaluations $t$")
    for those, there in sorted(at_levels(data).items(), key=lambda item: METHOD in item[0]):
        ends = {name: ends_at(data, name, there) for name in those}
        method_curves(last, np.asarray(there), ends, markers=len(there), first=(METHOD,), banded=(METHOD, PEER))
    last.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    last.margins(x=0.03)
    last.set_xticks([level for level in found if level not in CROWDED])
    last.set_xlabel("Noise, of the range")
    problem = problem_label(data.problems()[0])
    titles = [
        *(f"{problem}, noise {100 * level:g} %" for level in found),
        f"{problem}, at the end",
    ]
    for index, (axes, title) in enumerate(zip(panels, titles, strict=True)):
        panel_title(axes, LOWER[index], title)
        if index % layout.across == 0:
            axes.set_ylabel(DISTANCE_LABEL)
    return figure


FIGURES = (
    FigureSpec(
        id="cei.fig8",
        study="cei.fig8",
        number="Figure 8",
        caption=(
            "Distance from x+ to the optimiser on Griewank (6D), in natural units (the box is 1200 wide), under "
            "growing noise whose variance the model knows. Panel (i) is ours and shows the ends of the runs. Curves "
            "are means over seeds. The means after the whole budget stand beside the curves with their 95 % "
            "intervals; these means judge the sentences. Corrected EI and EI have bands. " + DEVIATIONS
        ),
        draw=draw,
        tables=lambda data: end_tables(
            data, ARM, {f"{level:.0%}": {"noise_fraction": level} for level in levels(data)}
        ),
    ),
)
