"""Figures 6 and 7 once more, each method at its best: one setting a method, chosen on other seeds than the seeds
shown."""

import numpy as np
from matplotlib.figure import Figure

from experiments.engine.statistics import bootstrap_interval
from paper_figures.boke.regret import letter
from paper_figures.figure import FigureSpec
from paper_figures.footer import name_bars, remark
from paper_figures.load import StudyResults
from paper_figures.panels import REGRET_FLOOR, RESAMPLES, tidy_log_axis
from paper_figures.style import (
    legend_height,
    method_label,
    method_order,
    method_style,
    new_figure,
    problem_label,
    top_legend,
)
from paper_figures.table import Table

WIDEST = 0.18
"""The largest distance of a method's mark from its panel's place on the axis."""


def _regrets(data: StudyResults, noisy: bool, policy: str) -> dict[str, tuple[list[str], np.ndarray]]:
    """The settings by problem, in the order of the panels, with the final regrets (k, s)."""
    found: dict[str, tuple[list[str], np.ndarray]] = {}
    for one in data.select(policy=policy):
        if one.config["options"]["noisy"] == noisy:
            names = [str(name) for name in one.arrays["setting"]]
            rows = np.asarray(one.arrays["final_regret"], float)
            before = found.get(one.config["options"]["problem"], ([], rows[:0]))
            found[one.config["options"]["problem"]] = [*before[0], *names], np.concatenate([before[1], rows])
    return dict(sorted(found.items(), key=lambda item: letter(item[0])))


def best(data: StudyResults, noisy: bool, policy: str) -> tuple[str, dict[str, np.ndarray]]:
    """The best setting, with its final regrets on the rest of the seeds, by problem.

    The mean final regrets of the best setting, on every other seed, have the smallest geometric mean over the problems.
    """
    regrets = _regrets(data, noisy, policy)
    shared = [name for name in next(iter(regrets.values()))[0] if all(name in names for names, _ in regrets.values())]

    def rows(name: str, first: int) -> dict[str, np.ndarray]:
        return {problem: found[names.index(name), first::2] for problem, (names, found) in regrets.items()}

    def height(name: str) -> float:
        return float(np.mean([np.log10(max(values.mean(), REGRET_FLOOR)) for values in rows(name, 0).values()]))

    chosen = min(shared, key=height)
    return chosen, rows(chosen, 1)


def shown(data: StudyResults, noisy: bool) -> list[str]:
    """The methods that have runs on every problem."""
    found = {policy: set(_regrets(data, noisy, policy)) for policy in data.policies()}
    every = set().union(*found.values())
    return method_order(policy for policy, problems in found.items() if problems == every)


def draw(data: StudyResults, noisy: bool) -> Figure:
    """The panels side by side: the mean final regret of every method with its 95 % interval."""
    methods = shown(data, noisy)
    figure, grid = new_figure(1, 1, height=2.9, legend=legend_height(len(methods), len(methods)))
    axes = grid[0][0]
    axes.set_yscale("log")
    problems: list[str] = []
    for place, policy in enumerate(methods):
        _, regrets = best(data, noisy, policy)
        problems = list(regrets)
        bands = [bootstrap_interval(values, resamples=RESAMPLES) for values in regrets.values()]
        centre, low, high = (np.array([max(getattr(band, end), REGRET_FLOOR) for band in bands]) for end in ENDS)
        style = method_style(policy)
        offset = WIDEST * (2.0 * place / max(len(methods) - 1, 1) - 1.0)
        axes.errorbar(
            np.arange(len(problems)) + offset, centre, [centre - low, high - centre], color=style.colour,
            marker=style.marker, linestyle="none", markersize=4.5, linewidth=1.1, label=method_label(policy),
        )  # fmt: skip
    name_bars(axes, "95 % bootstrap interval of the mean")
    remark(figure, f"{len(next(iter(regrets.values())))} seeds are shown; the others chose the settings")
    names = [f"{letter(one)} {problem_label(one)}".replace("'", "′").replace(" ", "\n") for one in problems]
    axes.set_xticks(range(len(problems)), names)
    axes.set_xlim(-0.5, len(problems) - 0.5)
    axes.set_xlabel(f"Panel of Figure {'7' if noisy else '6'}")
    axes.set_ylabel("Mean final simple regret / range\n(lower is better)")
    tidy_log_axis(axes)
    top_legend(figure, axes.get_legend_handles_labels()[0], columns=len(methods))
    return figure


ENDS = ("estimate", "low", "high")


def _table(data: StudyResults, noisy: bool) -> Table:
    rows = tuple((method_label(policy), best(data, noisy, policy)[0]) for policy in shown(data, noisy))
    return Table(
        "The setting of each method",
        ("Method", "Setting"),
        rows,
        "Every other seed chooses the setting; the figure shows the rest.",
    )


def _spec(figure: str, noisy: bool) -> FigureSpec:
    return FigureSpec(
        id=f"boke.fig{figure}_best",
        study="boke.regret_constants",
        number=f"Figure {figure} (each at its best)",
        caption=(
            f"Mean final simple regret over the range on the panels of Figure {figure}. Every method has one setting "
            "for all panels: the swept setting whose mean final regrets have the smallest geometric mean over the "
            "panels. Every other seed chooses the setting, and the figure shows the seeds between them. Methods with "
            "runs on every panel are shown. Defaults are left out of the choice."
        ),
        draw=lambda data: draw(data, noisy),
        tables=lambda data: (_table(data, noisy),),
    )


FIGURES = (_spec("6", False), _spec("7", True))
