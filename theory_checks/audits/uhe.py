"""Assumption audit of Paper D: the hypotheses of its theorems that hold in its own experiments, and for which kernels.

The constants are read from the studies. Every loss is D (8) or (9), which no prior makes additive
(`uhe.assumption6_1`). beta_t is the constant 1.96. The argument of appendix B.1 needs parts smaller than the domain.
"""

import math
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from core.exp3 import paired_exploration_rate
from core.models.kernels import STATIONARY, StationaryKernel
from core.policies.map_gp_ucb import GpUcbMap
from experiments import problems
from experiments.uhe.benchmarks import PROBLEMS, STEPS
from theory_checks.uhe.additive import mixed_difference
from theory_checks.uhe.cell_occupancy import bound
from theory_checks.uhe.testbeds.grid_runs import beta

RATIO = 1.1
"""The ratio of two lengthscales that the data must distinguish."""
COUNT = 100
NUGGETS = (1e-4, 1e-10)
"""Noise variances; the smaller one stands for more data at each place."""
GROWTH = 3.0
"""A divergence counts as unbounded if it grows by more than this factor between the two noise variances (Matérn: below
1.4; squared exponential: above 7)."""


@dataclass(frozen=True)
class Row:
    """One problem of one study at scale paper: the hypotheses of the theorems, and the measured values."""

    study: str
    problem: str
    dimension: int
    evaluations: int
    parts_per_side: int
    all_parts_reached_ra_bo: float
    all_parts_reached_uhe_bo: float
    beta_used: float
    beta_of_theorem: float
    additive_loss: bool
    beta_as_stated: bool
    parts_smaller_than_domain: bool


def audit_problem(study: str, problem: str, horizon: int) -> Row:
    """The row of one problem, with floor(T^(1/(2d))) parts a side and the bounds on reaching every part, clipped at
    zero."""
    dim = problems.get(problem).dim
    side = int(horizon ** (1 / (2 * dim)) + 1e-9)
    parts, gamma = side**dim, paired_exploration_rate(horizon)
    used = float(GpUcbMap(dim).beta)
    stated = beta(horizon, "matern52", dim)
    pair = {
        "kernel": "matern52", "distance": 0.3, "lengthscale": 1.0, "noise": 0.1, "first": (0.0, 0.0), "second": (1, 1),
    }  # fmt: skip
    return Row(
        study=study,
        problem=problem,
        dimension=dim,
        evaluations=horizon,
        parts_per_side=side,
        all_parts_reached_ra_bo=max(float(bound(Decimal(parts), (horizon - 1) // 2)), 0.0),
        all_parts_reached_uhe_bo=max(1 - parts * (1 - gamma / (2 * parts)) ** (horizon // 2), 0.0),
        beta_used=used,
        beta_of_theorem=stated,
        additive_loss=mixed_difference(pair) < 1e-8,
        beta_as_stated=used >= stated,
        parts_smaller_than_domain=side > 1,
    )


def audit() -> tuple[Row, ...]:
    """One row a problem of Figures 2, 4 and 5."""
    return tuple(audit_problem("uhe.fig2", problem, STEPS["paper"]) for problem in PROBLEMS["paper"])


def table() -> list[dict[str, Any]]:
    """The rows as plain mappings, for the report; numbers to three digits."""
    return [{name: _short(value) for name, value in asdict(row).items()} for row in audit()]


def least_divergence(kernel: StationaryKernel, nugget_variance: float) -> float:
    """Smallest KL divergence between noisy values at COUNT equidistant points of [0, 1] with lengthscale l = 0.2 and
    with RATIO l, minimised over the variance of the second."""
    x = np.linspace(0, 1, COUNT)
    squared = jnp.asarray((x[:, None] - x) ** 2 / 0.04)
    nugget = nugget_variance * np.eye(COUNT)
    profile = jax.vmap(jax.vmap(kernel.profile))
    first, other = (np.asarray(profile(squared / ratio**2)) for ratio in (1.0, RATIO))

    def divergence(power: float) -> float:
        solved = np.linalg.solve(RATIO**power * other + nugget, first + nugget)
        return float(0.5 * (np.trace(solved) - COUNT - np.linalg.slogdet(solved)[1]))

    return min(divergence(power) for power in np.arange(0.0, 14.0, 0.25))


def kernel_table() -> list[dict[str, Any]]:
    """Assumptions 6.2 and 6.3 for the covariance kernels of `core`, d = 1: paths with derivatives, and lengthscale and
    variance that data in a box identify in the limit."""
    rows = []
    for name, kernel in STATIONARY.items():
        far, near = (1.0 - float(kernel.profile(jnp.asarray(r * r))) for r in (1e-2, 1e-3))
        noisy, exact = (least_divergence(kernel, nugget) for nugget in NUGGETS)
        rows.append(
            {
                "kernel": name,
                "differentiable_paths": math.log10(far / near) > 1.9,
                "least_divergence_with_noise": _short(noisy),
                "least_divergence_nearly_without": _short(exact),
                "lengthscale_and_variance_identified": exact > GROWTH * noisy,
            }
        )
    return rows


def _short(value: Any) -> Any:
    return float(f"{value:.3g}") if isinstance(value, float) else value
