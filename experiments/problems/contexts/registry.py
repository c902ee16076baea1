"""The problems of Paper C by name, with the largest expected value of each.

The optima were found by multi-start L-BFGS-B on the mean over the nodes; the tests find them again by other means. They
are those of the nodes: with 2^17 nodes or more they move by less than 2e-5 (newsvendor, Ackley, the Hartmann problems),
2e-4 (Ackley 2+4), 4e-4 (modified Branin, on a range of 112) and, with 4,096, 4e-3 (portfolio, on a range of 30).
"""

from collections.abc import Callable

import numpy as np

from experiments.data import locate
from experiments.engine.names import unknown
from experiments.problems.contexts import formulas as formulas
from experiments.problems.contexts.distributions import Burr, Complicated, ContextDistribution, Normal, Uniform
from experiments.problems.contexts.portfolio import FILE, load_portfolio
from experiments.problems.contexts.problem import ContextProblem

__all__ = ["NAMES", "NEEDS_DATA", "get_context"]

FINE = 2**14
"""The number of nodes for Ackley, whose expectation has a cusp at its maximum."""
PORTFOLIO_NODES = 2**9
"""The number of nodes for the portfolio: few, because the posterior mean is smooth and each evaluation sums over 3,000
simulations."""


def _ackley() -> ContextProblem:
    return ContextProblem(
        name="context_ackley", dim=2, context_dim=1, formula=formulas.ackley, distribution=Normal(0.5, 0.15),
        nodes=FINE, optimum=-10.95228085129248, optimizer=(0.5, 0.5),
    )  # fmt: skip


def _ackley_four() -> ContextProblem:
    return ContextProblem(
        name="context_ackley4", dim=2, context_dim=4, formula=formulas.ackley, distribution=Normal(0.5, 0.15),
        nodes=2**15, optimum=-16.199393721221757, optimizer=(0.5, 0.5),
    )  # fmt: skip


def _branin() -> ContextProblem:
    return ContextProblem(
        name="context_branin", dim=2, context_dim=2, formula=formulas.branin, distribution=Normal(0.5, 0.1),
        nodes=2**15, optimum=-9.604209111040126, optimizer=(0.1955526904801852, 0.1788395144506605),
    )  # fmt: skip


def _hartmann() -> ContextProblem:
    return ContextProblem(
        name="context_hartmann", dim=5, context_dim=1, formula=formulas.hartmann6, distribution=Normal(0.5, 0.1),
        nodes=2**13, optimum=2.6135744713947617,
        optimizer=(0.19703705295374616, 0.1496628298819419, 0.4839129636966198, 0.2725722594012528, 0.3135057423920956),
    )  # fmt: skip


def _hartmann_printed() -> ContextProblem:
    return ContextProblem(
        name="context_hartmann_printed", dim=5, context_dim=1, formula=formulas.printed_hartmann6,
        distribution=Normal(0.5, 0.1), nodes=2**13, optimum=2.6156744674703143,
        optimizer=(0.19693137797104288, 0.1503194612833075, 0.4853514890670483, 0.27250712959031087, 0.313448062373155),
    )  # fmt: skip


def _hartmann_complicated() -> ContextProblem:
    return ContextProblem(
        name="context_hartmann_complicated", dim=5, context_dim=1, formula=formulas.hartmann6,
        distribution=Complicated(), nodes=2**13, optimum=1.9451501785744387,
        optimizer=(0.200105946484655, 0.154715684478271, 0.486763265470059, 0.274205411349764, 0.312243704291773),
    )  # fmt: skip


def _newsvendor() -> ContextProblem:
    return ContextProblem(
        name="newsvendor", dim=1, context_dim=1, formula=formulas.newsvendor, distribution=Burr(), nodes=2**12,
        optimum=0.4639434829320147, optimizer=(0.18775746889212708,),
    )  # fmt: skip


def _portfolio(
    name: str, distribution: ContextDistribution, optimum: float, optimizer: tuple[float, ...]
) -> ContextProblem:
    path = locate(FILE)
    return ContextProblem(
        name=name, dim=3, context_dim=2, formula=load_portfolio(path), distribution=distribution,
        nodes=PORTFOLIO_NODES, optimum=optimum, optimizer=np.asarray(optimizer), chunk=16,
    )  # fmt: skip


PROBLEMS: dict[str, Callable[[], ContextProblem]] = {
    "context_ackley": _ackley,
    "context_branin": _branin,
    "context_hartmann": _hartmann,
    "context_hartmann_printed": _hartmann_printed,
    "context_hartmann_complicated": _hartmann_complicated,
    "newsvendor": _newsvendor,
    "portfolio_uniform": lambda: _portfolio("portfolio_uniform", Uniform(), 19.322040343787, (0.0, 1.0, 0.59955442)),
    "portfolio_normal": lambda: _portfolio(
        "portfolio_normal", Normal(0.5, 0.1), 21.581644100240627, (0.0, 1.0, 0.08290546)
    ),
    "context_ackley4": _ackley_four,
}
"""Constructors by name, in the order of the paper."""

NAMES = tuple(PROBLEMS)
NEEDS_DATA = frozenset({"portfolio_uniform", "portfolio_normal"})
"""Problems that need a data file, `experiments.problems.contexts.portfolio.FILE`."""


def get_context(name: str) -> ContextProblem:
    """The problem of that name.

    Raises:
        KeyError: no such problem; the message lists near names.
        DataUnavailable: a portfolio problem without its data; the message says how to get them.
        DataCorrupted: with data that are not what the catalogue says.
    """
    if name not in PROBLEMS:
        raise KeyError(unknown("problem", str(name), NAMES))
    return PROBLEMS[name]()
