"""The learning of EXP3: the probability of a random query over many runs of UHE-BO."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from experiments.engine.statistics import bootstrap_interval
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import Layout, curve, problem_panels
from paper_figures.style import INDIGO, WIDTH, problem_label
from paper_figures.table import Table, interval, number, percent
from paper_figures.uhe.benchmarks import METHOD
from theory_checks.readings.uhe.mechanism import LEARNT

PROBABILITY = "random_probability"
SHARES = (50, 90)
"""The shares of the runs in the bands behind the mean, in per cent."""
RUNS: dict[str, Any] = {"color": INDIGO, "linewidth": 7, "alpha": 0.25, "solid_capstyle": "butt"}
EDGE: dict[str, Any] = {"color": "#333333", "linestyle": (0, (4, 2)), "linewidth": 0.8}


def values(data: StudyResults, problem: str) -> np.ndarray:
    """The probability of a random query, (seeds, times); the first column is the starting value of a half."""
    later = data.array(PROBABILITY, problem=problem).astype(float)
    return np.hstack([np.full((len(later), 1), 0.5), later])


def panel(axes: Axes, data: StudyResults, problem: str) -> None:
    """The mean with its band, the bands of the middle runs, and the threshold at which a mean counts as learnt."""
    found, times = values(data, problem), np.array([0, *data.common("t", problem=problem)])
    for share in SHARES:
        low, high = np.percentile(found, [50 - share / 2, 50 + share / 2], axis=0)
        axes.fill_between(times, low, high, color=INDIGO, alpha=0.13, linewidth=0)
    curve(axes, METHOD, times, found)
    for side in (0.5 - LEARNT, 0.5 + LEARNT):
        axes.axhline(side, zorder=2, **EDGE)
    axes.set_ylim(0.0, 1.0)
    axes.margins(x=0.03)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))


def draw(data: StudyResults) -> Figure:
    """One panel a problem, all in a row."""
    handles = [
        Line2D([], [], label=f"Middle {SHARES[0]} % and {SHARES[1]} % of the runs", **RUNS),
        Line2D([], [], label=f"Learnt: the mean beyond a half ± {LEARNT:g}", **EDGE),
    ]
    across = len(data.problems())
    layout = Layout(across, 3, tall=1.75, margin=0.36, width=WIDTH if across > 1 else 4.5)
    return problem_panels(data, panel, layout, "Evaluations", "Probability of a random query", handles)


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The probabilities at the end of the runs."""
    rows = []
    for problem in data.problems():
        ends = values(data, problem)[:, -1]
        mean = bootstrap_interval(ends)
        rows.append((
            problem_label(problem), str(len(ends)), number(float(mean.estimate)),
            interval(float(mean.low), float(mean.high)), number(float(ends.std(ddof=1))),
            percent(np.mean(ends < 0.25)), percent(np.mean(ends > 0.75)),
        ))  # fmt: skip
    return (
        Table(
            "Probability of a random query at the end of a run",
            ("Problem", "Runs", "Mean", "95 % CI", "Deviation", "Below 0.25", "Above 0.75"),
            tuple(rows),
            "The bandit of UHE-BO starts at a half. Single runs that end far from a half say nothing of the problem: "
            "runs of a bandit whose arms are alike do so too.",
        ),
    )


FIGURES = (
    FigureSpec(
        id="uhe.exp3",
        study="uhe.exp3",
        number="Figure 2 (what EXP3 learns)",
        caption=(
            "Probability with which UHE-BO's bandit picks the random query, over many runs on each problem: the mean "
            "with its 95 % bootstrap band, and the bands that hold the middle runs. Rewards are those of Figure 2. A "
            "bandit that learns which arm is better on a problem moves the mean; a bandit that learns nothing only "
            "spreads. The dashed lines mark how far from a half the mean has to end to count as learnt in the claim."
        ),
        draw=draw,
        tables=tables,
    ),
)
