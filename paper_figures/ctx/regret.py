"""Figures 1 (a), 1 (b) and 2: cumulative regret or reward over rounds, and paired comparisons of their ends."""

import math
import operator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.ctx.benchmarks import INITIAL_SIZE, ROUNDS
from experiments.problems.contexts.portfolio import PAPER_OPTIMA
from paper_figures.comparisons import Pair, favours, paired_table, pairs_with_peers
from paper_figures.figure import FigureSpec
from paper_figures.load import StudyResults
from paper_figures.panels import Layout, final_intervals, method_curves, problem_panels, stop_handle
from paper_figures.samples import by_method, ends
from paper_figures.style import WIDTH, method_label, method_order, problem_label
from paper_figures.table import Table, number

REWARD = frozenset({"context_hartmann_complicated"})
"""Problems whose cumulative observed reward the paper shows; higher is better."""

OURS = ("sbo_kde", "drbo_kde")
"""The paper's own methods."""


def cumulative(data: StudyResults, problem: str) -> dict[str, np.ndarray]:
    """The cumulative regret of the expectation, C (1), or the reward observed, (seeds, rounds after the design), by
    method."""
    size = int(data.common("initial_size", problem=problem))
    values = by_method(data, "y" if problem in REWARD else "regret", problem=problem)
    return {name: np.cumsum(rounds[:, size:], axis=1) for name, rounds in values.items()}


def _panel(axes: Axes, data: StudyResults, problem: str) -> None:
    """The paper's methods on top and with bands, on linear axes; the ends of the runs stand beside the curves."""
    samples = cumulative(data, problem)
    rounds = {name: np.arange(1, curves.shape[1] + 1) for name, curves in samples.items()}
    method_curves(axes, rounds, samples, first=OURS, banded=OURS, whole=ROUNDS[data.scale])
    final_intervals(axes, rounds, ends(samples))
    axes.set_ylabel(
        "Cumulative reward\n(higher is better)" if problem in REWARD else "Cumulative regret\n(lower is better)"
    )


def _shorter(data: StudyResults) -> list[int]:
    """The numbers of rounds of the runs that stop before the paper's runs do."""
    found = {curves.shape[1] for problem in data.problems() for curves in cumulative(data, problem).values()}
    return sorted(rounds for rounds in found if rounds < ROUNDS[data.scale])


def draw(data: StudyResults) -> Figure:
    """One panel a problem."""
    count = len(data.problems())
    across = count if count <= 3 else 2
    layout = Layout(
        across,
        columns=2 if count == 1 else 3,
        tall=2.2 if across < 3 else 2.1,
        margin=0.4,
        width=4.5 if count == 1 else WIDTH,
    )
    stopped = " and ".join(map(str, _shorter(data)))
    reason = [stop_handle(f"Runs that stop at {stopped} of {ROUNDS[data.scale]} rounds, to save time")]
    return problem_panels(data, _panel, layout, "Rounds after the initial design", extra=reason if stopped else ())


def end_table(data: StudyResults, method: str) -> Table | None:
    """`method` against every other method on every problem, paired by seed; None where there is no other method."""
    rows: list[Pair] = []
    for problem in data.problems():
        rewarded = problem in REWARD
        sign = -1.0 if rewarded else 1.0  # less is better
        sums = {name: sign * curves for name, curves in cumulative(data, problem).items()}
        label = problem_label(problem) + (", reward" if rewarded else "")
        for peer in method_order(set(sums) - {method}) if method in sums else ():
            last = min(sums[name].shape[1] for name in (method, peer)) - 1
            values = {name: sums[name][:, last] for name in (method, peer)}
            rows += pairs_with_peers(label, values, method, shown=operator.neg if rewarded else float)
    if not rows:
        return None
    name, seeds = method_label(method), data.seed_count()
    return paired_table(
        f"{name} against the others at the end: cumulative regret",
        ("Problem", "Peer"),
        rows,
        "Paired by seed (same initial design and contexts), over the rounds that both methods have. The difference "
        f"of rewards has its sign turned. {favours(name)} With {seeds} seeds p is at least {2.0 ** (1 - seeds):.3g}.",
    )


def countings(data: StudyResults) -> Table | None:
    """The parts that the public code adds to the sum: the initial design, and the excess of the portfolio's optima."""
    rows = []
    for problem in data.problems():
        rewarded = problem in REWARD
        size = int(data.common("initial_size", problem=problem))
        offset = PAPER_OPTIMA.get(problem, math.nan) - float(data.common("optimum", problem=problem))
        for name, values in by_method(data, "y" if rewarded else "regret", problem=problem).items():
            after, whole = float(values[:, size:].sum(axis=1).mean()), float(values.sum(axis=1).mean())
            cells = (number(after), number(whole), number(whole + offset * values.shape[1]))
            label = problem_label(problem) + (", reward" if rewarded else "")
            rows.append((label, method_label(name), str(values.shape[1] - size), *cells))
    if not rows:
        return None
    return Table(
        "Cumulative regret at the end, as counted here and in the public code",
        (
            *("Problem", "Method", "Rounds", "After the design", "With the design"),
            "With the design, from the paper's optimum",
        ),
        tuple(rows),
        "Means over seeds. The public code sums the initial design as well, and takes the portfolio's regret from "
        + ", ".join(f"{value:g} ({problem_label(problem)})" for problem, value in PAPER_OPTIMA.items())
        + ". Both differences add the same to every method.",
    )


def tables(data: StudyResults) -> tuple[Table, ...]:
    """The paper's two methods against all; other ways of counting."""
    found = (*(end_table(data, method) for method in OURS), countings(data))
    return tuple(table for table in found if table is not None)


def _spec(name: str, number: str, shown: str) -> FigureSpec:
    return FigureSpec(
        id=f"ctx.{name}",
        study=f"ctx.{name}",
        number=number,
        caption=(
            f"Means over seeds, counted from the end of the initial design of {INITIAL_SIZE} Sobol' decisions. All "
            "methods share the design and the contexts of every round. Cumulative regret of the expectation on "
            f"{shown} The mean at the end stands beside each curve with its 95 % bootstrap interval; the paper's own "
            "methods have bands (the paper draws standard errors)."
        ),
        draw=draw,
        tables=tables,
    )


FIGURES = (
    _spec(
        "fig1a",
        "Figure 1 (a)",
        "Ackley, modified Branin and Hartmann; cumulative reward observed on Hartmann with the complicated context "
        "distribution, as in the paper (higher is better). At scale paper StableOpt and the two DRBO-MMD end after "
        "150 of 340 rounds, except DRBO-MMD on Ackley.",
    ),
    _spec(
        "fig1b",
        "Figure 1 (b)",
        "the newsvendor problem and on portfolio optimisation with uniform and normal contexts. The portfolio needs "
        "simulations that this repository does not hold (KERNELBO_DATA). At scale paper SBO-KDE, DRBO-KDE and GP-UCB "
        "on newsvendor have 340 rounds, all others 150.",
    ),
    _spec("fig2", "Figure 2", "Ackley with two decisions and four contexts."),
)
