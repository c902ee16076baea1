"""Made-up results of Paper C's studies, with the arrays that the studies promise."""

from functools import partial

import numpy as np

from experiments.ctx import fig1a, fig1b, fig2, table2
from experiments.ctx.benchmarks import INITIAL_SIZE, METHODS
from experiments.engine.store import Result
from paper_figures.load import StudyResults
from tests.paper_figures.made_up import Studies, made_up, results_of

ROUNDS = 25


def runs(study: str, problems: tuple[str, ...]) -> list[Result]:
    """Every problem and method: falling regret, rewards of two."""
    rng = np.random.default_rng(4)
    results = []
    for problem in problems:
        for rank, method in enumerate(METHODS):
            t = np.arange(INITIAL_SIZE + ROUNDS)
            regret = np.exp(-0.05 * t / (1 + rank)) * rng.uniform(0.5, 2.0, (5, len(t)))
            results.append(made_up(
                study, problem, method, tuple(range(100, 105)), {"rounds": ROUNDS}, regret=regret,
                y=2.0 - regret + rng.normal(0, 0.1, regret.shape), initial_size=INITIAL_SIZE, optimum=2.0,
            ))  # fmt: skip
    return results


def timings() -> list[Result]:
    """Table 1."""
    rng = np.random.default_rng(5)
    return [
        made_up(
            "ctx.table1", "context_ackley", method, (100, 101, 102), {"evaluations": 100}, evaluations=100,
            seconds=(1 + rank) * rng.uniform(0.9, 1.1, 3), cpu_seconds=(1 + rank) * rng.uniform(0.9, 1.1, 3),
            first_seconds=10.0 + rank,
        )
        for rank, method in enumerate(METHODS)
    ]  # fmt: skip


def distances() -> list[Result]:
    """Table 2."""
    rng = np.random.default_rng(6)
    base = np.array([0.4, 0.2, 0.15, 0.1])[None, :, None]
    shape = (20, len(table2.COUNTS), len(table2.VARIANTS))
    return [
        made_up(
            "ctx.table2", name, "kernel_density", tuple(range(20)), {}, count=np.array(table2.COUNTS),
            distance=base * rng.uniform(0.8, 1.2, shape) * (1 + 0.1 * np.arange(4)),
        )
        for name in table2.DISTRIBUTIONS
    ]  # fmt: skip


def _regret(study: str, problems: tuple[str, ...]) -> StudyResults:
    return results_of(study, runs(study, problems))


STUDIES: Studies = {
    "ctx.fig1a": partial(_regret, "ctx.fig1a", fig1a.PROBLEMS),
    "ctx.fig1b": partial(_regret, "ctx.fig1b", fig1b.PROBLEMS),
    "ctx.fig2": partial(_regret, "ctx.fig2", fig2.PROBLEMS),
    "ctx.table1": lambda: results_of("ctx.table1", timings()),
    "ctx.table2": lambda: results_of("ctx.table2", distances()),
}
