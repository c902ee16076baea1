"""Figure A-S (ours): final simple regret against each constant that the paper leaves open."""

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from core.policies import REGISTRY
from experiments.engine.result_file import Result
from experiments.engine.statistics import bootstrap_interval
from paper_figures.figure import FigureSpec
from paper_figures.footer import name_band, remark
from paper_figures.load import StudyResults
from paper_figures.panels import DESIGN_END, REGRET_FLOOR, RESAMPLES, plain, tidy_log_axis
from paper_figures.style import (
    BAND_ALPHA,
    LETTERS,
    SMALLEST,
    WIDTH,
    method_label,
    method_legend,
    method_order,
    method_style,
    new_figure,
    panel_title,
    problem_label,
)
from paper_figures.table import Table, number

NOISY: dict[str, Any] = {"linestyle": (0, (2.5, 1.2)), "markerfacecolor": "white"}
"""Noisy runs keep their method's colour and marker, and are dashed and hollow."""

MOST_ACROSS = 4

CONSTANT_LABELS = {
    "bandwidth": "Bandwidth constant",
    "noise_scale": "Noise scale $\\varsigma$",
    "delta": "Failure probability $\\delta$",
    "exploration_probability": "Exploration $p$",
    "lengthscale": "Lengthscale $\\ell$",
    "beta": f"{method_label('gp_ucb')}'s $\\beta$",
    "exploration": "Exploration $C$",
    "widening": "Widening $\\alpha$",
    "threshold": "Threshold $\\tau$",
}


def constant_label(name: str) -> str:
    """A constant's title, or its symbol and the bandwidth where the constant is swept at another bandwidth."""
    alone, _, bandwidth = name.partition(" at bandwidth ")
    label = CONSTANT_LABELS.get(alone, alone.replace("_", " "))
    return f"{label.split()[-1]} at bandwidth {bandwidth}" if bandwidth else label


def base_problem(result: Result) -> str:
    """The problem without its noise."""
    return str(result.config["options"].get("problem", result.config["problem"]))


def noise_fraction(result: Result) -> float:
    """Standard deviation of the noise over the problem's range."""
    return float(result.config["options"].get("noise_fraction", 0.0))


def constants(data: StudyResults) -> list[str]:
    """The constants swept, in stored order."""
    return list(dict.fromkeys(result.config["options"]["constant"] for result in data.results))


def sweep(data: StudyResults, problem: str, policy: str, constant: str) -> dict[float, np.ndarray]:
    """Final simple regret (seeds,) at each value of a constant, values increasing; empty where it was not swept."""
    chosen = [
        result
        for result in data.select(policy=policy, constant=constant)
        if result.config["problem"] == problem  # the problem's name says whether it is noisy
    ]
    values = sorted({float(result.config["options"]["value"]) for result in chosen})
    return {
        value: np.concatenate(
            [r.arrays["simple_regret"][:, -1] for r in chosen if float(r.config["options"]["value"]) == value]
        )
        for value in values
    }


def default_value(policy: str, constant: str) -> float | None:
    """The value that the policy uses by default; None where its constructor has no such argument."""
    parameter = inspect.signature(REGISTRY[policy]).parameters.get(constant) if policy in REGISTRY else None
    if parameter is None and policy == "boke_plus":
        return default_value("boke", constant)
    return float(parameter.default) if parameter is not None and isinstance(parameter.default, float) else None


Used = Callable[[str, str], float | None]
"""The value used, by method and constant."""


def across(count: int) -> int:
    """The number of panels in a row, at most four: the largest number that leaves the fewest places empty."""
    return count if count <= MOST_ACROSS else min(range(MOST_ACROSS, 1, -1), key=lambda columns: -count % columns)


def draw(data: StudyResults, used: Used = default_value) -> Figure:
    """The mean final regret with its 95 % interval: a column a constant and a row a problem, in as many blocks as
    needed.

    `used` gives the value of a constant while the other constants vary; a dashed line marks this value.
    """
    problems, swept = list(dict.fromkeys(base_problem(result) for result in data.results)), constants(data)
    columns = across(len(swept))
    blocks = -(-len(swept) // columns)
    rows = blocks * len(problems)
    figure, grid = new_figure(
        rows, columns, height=0.75 + 1.35 * rows + (0.35 if rows == 1 else 0.0),
        width=max(4.5, min(WIDTH, 0.6 + 1.9 * columns)), legend=0.26,
    )  # fmt: skip
    letters = itertools.cycle(LETTERS)
    for row in range(rows):
        block, problem = divmod(row, len(problems))
        for column, axes in enumerate(grid[row]):
            index = block * columns + column
            if index >= len(swept):
                axes.set_axis_off()
                continue
            _panel(axes, data, problems[problem], swept[index], used)
            panel_title(axes, next(letters), constant_label(swept[index]))
            if column == 0:
                axes.set_ylabel(f"{problem_label(problems[problem])}\nmean final regret")
            if row == rows - 1:
                axes.set_xlabel("Value of the constant")
    name_band(grid[0][0], "95 % bootstrap interval of the mean")
    remark(figure, "Lower is better")
    noisy = sorted({noise_fraction(result) for result in data.results} - {0.0})
    extra = [Line2D([], [], color="#333333", marker="o", label="No noise")] if noisy else []
    extra += [Line2D([], [], color="#333333", marker="o", label=f"Noise {100 * level:g} %", **NOISY) for level in noisy]
    method_legend(
        figure,
        data.policies(),
        extra=[*extra, Line2D([], [], label="Fixed value", **DESIGN_END)],
        columns=7,
    )
    return figure


def _panel(axes: Axes, data: StudyResults, problem: str, constant: str, used: Used) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.margins(x=0.06)
    swept: set[float] = set()
    names = list(dict.fromkeys(r.config["problem"] for r in data.results if base_problem(r) == problem))
    for policy in reversed(method_order(data.policies())):
        for name in names:
            curve = sweep(data, name, policy, constant)
            if not curve:
                continue
            look: dict[str, Any] = method_style(policy).plot() | {"linestyle": "-"}
            if noise_fraction(data.select(problem=name)[0]) > 0:
                look |= NOISY
            values, samples = np.array(list(curve)), np.stack(list(curve.values()), axis=1)
            interval = bootstrap_interval(samples, "mean", resamples=RESAMPLES)
            mean, low, high = (np.maximum(line, REGRET_FLOOR) for line in interval)
            axes.fill_between(values, low, high, color=look["color"], alpha=0.6 * BAND_ALPHA, linewidth=0)
            axes.plot(values, mean, **look)
            swept.update(curve)
        default = used(policy, constant)
        if default is not None and swept:
            axes.axvline(default, zorder=1, **DESIGN_END)
    tidy_log_axis(axes)
    ticks = sorted(swept)
    ticks = [ticks[0], ticks[len(ticks) // 2], ticks[-1]] if len(ticks) > 2 else ticks
    axes.set_xticks(ticks, [plain(value) for value in ticks])
    axes.set_xticks([], minor=True)
    axes.tick_params(labelsize=SMALLEST)


def tables(data: StudyResults, used: Used = default_value) -> tuple[Table, ...]:
    """The effect of each constant: the mean final regret at the value used, and over the sweep."""
    rows = []
    for constant in constants(data):
        for policy in method_order(data.policies()):
            for problem in data.problems():
                means = {value: float(final.mean()) for value, final in sweep(data, problem, policy, constant).items()}
                if not means:
                    continue
                default, best = used(policy, constant), min(means, key=lambda value: means[value])
                ours = next((value for value in means if default is not None and np.isclose(value, default)), None)
                rows.append(
                    (constant, method_label(policy), problem_label(problem),
                     "–" if ours is None else f"{number(means[ours])} at {ours:g}",
                     f"{number(means[best])} at {best:g}",
                     f"{number(min(means.values()))} – {number(max(means.values()))}")
                )  # fmt: skip
    return (
        Table(
            "Mean final simple regret over each sweep",
            ("Constant", "Method", "Problem", "Value kept", "Best of the sweep", "Range over the sweep"),
            tuple(rows),
            "One constant varies at a time; the others keep the values used. No constant was chosen from this figure.",
        ),
    )


FIGURES = (
    FigureSpec(
        id="boke.sensitivity",
        study="boke.sensitivity",
        number="Figure A-S",
        caption=(
            "Sensitivity (ours): mean final simple regret, with its 95 % bootstrap interval, against each constant "
            "that the paper leaves open. One constant varies at a time. Both axes are logarithmic. The dashed line "
            "marks the value used everywhere else."
        ),
        draw=draw,
        tables=tables,
    ),
)
