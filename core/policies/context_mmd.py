"""DRBO-MMD and its minimax approximation: worst cases over a ball of distributions on a grid of contexts.

Source: Kirschner, Bogunovic, Jegelka & Krause (2020), "Distributionally Robust Bayesian Optimization"; Tay, Foo, Urano,
Leong & Low (2022), "Efficient Distributionally Robust Bayesian Optimization with Worst-case Sensitivity"; as configured
in appendix B.1 of the SBO-KDE paper.
"""

import math
from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from core.acquisition.context_ucb import ContextUcb, InterpolatedUcb, single_precision
from core.checks import require
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import scaled_squared_distance
from core.policies.fields import number
from core.policies.joint import ContextPolicy, Objectives
from core.search.maximize import ScalarFunction, candidate_lattice
from core.search.quantization import nearest_point
from core.search.staged_search import StagedEffort
from core.types import Observations
from core.worst_case.mmd import MmdBall, mmd_worst_case
from core.worst_case.mmd_minimax import ScreenedSensitivity, Sensitivity, minimax_worst_case

__all__ = [
    "DrboMmd",
    "DrboMmdMinimax",
    "MmdPolicy",
    "context_diagonal",
    "context_grid",
    "discrepancy_radius",
    "empirical_distribution",
]

GAMMA = 0.1  # failure probability in the radius; the paper's
GRID = 100  # approximate number of contexts of DRBO-MMD; the paper's
FINE_GRID = 1024  # approximate number of contexts of the minimax approximation; the paper's
COARSE_GRID = 64  # approximate number of contexts of the minimax approximation's coarse objective
COARSE_NODES, NODES = (16, 48), (32, 64)
"""The numbers of contexts behind a coarse objective and a model: with one context dimension, and with more."""


def context_grid(points: int, context_dim: int) -> Float[Array, "n c"]:
    """The full grid of ``ceil(points^(1/c))^c`` contexts in the unit cube, faces included."""
    side = math.ceil(points ** (1.0 / context_dim) - 1e-9)
    axes = np.meshgrid(*[np.linspace(0.0, 1.0, side) if side > 1 else np.array([0.5])] * context_dim, indexing="ij")
    return jnp.asarray(np.stack([axis.ravel() for axis in axes], axis=1))


def context_diagonal(points: int, context_dim: int) -> Float[Array, "n c"]:
    """The contexts of the public code: as many as :func:`context_grid` has, evenly on the diagonal of the unit cube."""
    count = context_grid(points, context_dim).shape[0]
    return jnp.tile(jnp.linspace(0.0, 1.0, count)[:, None], (1, context_dim))


LAYOUTS = {"grid": context_grid, "diagonal": context_diagonal}


def empirical_distribution(
    contexts: Float[Array, "t c"], mask: Bool[Array, " t"], grid: Float[Array, "n c"]
) -> Float[Array, " n"]:
    """P^: for each grid point, the share of the contexts in use that are nearest to it."""
    weights = jnp.where(mask, 1.0, 0.0) / jnp.maximum(jnp.sum(mask), 1)
    return jnp.zeros(grid.shape[0]).at[nearest_point(contexts, grid)].add(weights)


def discrepancy_radius(count: Array, gamma: float | Float[Array, ""] = GAMMA) -> Float[Array, ""]:
    """``eps_t = (2 + sqrt(2 log(1 / gamma))) / sqrt(t)``: P^ is within eps_t of p with probability 1 - gamma (k <=
    1)."""
    return (2.0 + jnp.sqrt(2.0 * jnp.log(1.0 / gamma))) / jnp.sqrt(jnp.maximum(count.astype(float), 1.0))


class MmdPolicy(ContextPolicy):
    """Abstract: worst cases over the distributions on a grid of contexts within eps_t of the empirical one.

    The kernel of the discrepancy is the fitted process's in the context, scaled to ``k(c, c) = 1``, which eps_t
    presupposes.

    Attributes:
        grid: the approximate number of contexts; see :func:`context_grid`.
        gamma: failure probability in eps_t.
        layout: the layout of the contexts: a ``"grid"``, or a ``"diagonal"``, as in the public code.
    """

    _: KW_ONLY
    grid: eqx.AbstractVar[int]
    gamma: float | Float[Array, ""] = number(GAMMA)
    layout: str = eqx.field(static=True, default="grid")

    def __check_init__(self) -> None:
        require(self.grid >= 1, f"grid must be at least 1, got {self.grid}")
        require(self.layout in LAYOUTS, f"layout must be one of {tuple(LAYOUTS)}, got {self.layout!r}")
        require(0 < float(self.gamma) < 1, f"gamma must lie in (0, 1), got {self.gamma}")

    def grid_of(self, points: int) -> Float[Array, "n c"]:
        """About ``points`` contexts, in the policy's layout."""
        return LAYOUTS[self.layout](points, self.context_dim)

    def ball(self, grid: Float[Array, "n c"], process: GaussianProcess, observations: Observations) -> MmdBall:
        """The ball of radius eps_t around the empirical distribution on a grid."""
        row = jax.vmap(scaled_squared_distance, in_axes=(None, 0, None))
        squared = jax.vmap(row, in_axes=(0, None, None))(grid, grid, process.lengthscale[self.dim :])
        reference = empirical_distribution(self.contexts(observations), observations.mask, grid)
        radius = discrepancy_radius(observations.count, self.gamma)
        return MmdBall.of(jax.vmap(jax.vmap(self.kernel.profile))(squared), reference, radius)

    def coarse(self, grid: Float[Array, "n c"], process: GaussianProcess, observations: Observations) -> ScalarFunction:
        """The minimax approximation on a grid, of bounds interpolated from few nodes, as a function of the decision."""
        bounds = single_precision(InterpolatedUcb.of(process, self._nodes(COARSE_NODES), grid, self.root_beta))
        ball = self.ball(grid, process, observations)
        sensitivity = Sensitivity.of(ball.kernel_matrix)
        return lambda x: minimax_worst_case(bounds(x), ball, sensitivity)

    def _nodes(self, counts: tuple[int, int]) -> Float[Array, "k c"]:
        return candidate_lattice(counts[self.context_dim > 1], self.context_dim)


@final
class DrboMmd(MmdPolicy):
    """DRBO-MMD (Kirschner et al. 2020): ``argmax_x min_p p^T ucb_t(x, .)`` over the ball.

    The coarse objective is the minimax approximation on the same grid.
    """

    _: KW_ONLY
    grid: int = eqx.field(static=True, default=GRID)

    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The worst case, and its minimax approximation."""
        del key
        grid = self.grid_of(self.grid)
        bounds = ContextUcb.of(process, grid, self.root_beta)
        ball = self.ball(grid, process, observations)
        coarse = self.coarse(grid, process, observations)
        return Objectives.of(coarse, lambda values: mmd_worst_case(values, ball), bounds, self._nodes(NODES))


@final
class DrboMmdMinimax(MmdPolicy):
    """DRBO-MMD by the minimax approximation (Tay et al. 2022), on a finer grid; see :mod:`core.worst_case.mmd_minimax`.

    The objective jumps a little wherever another context becomes the worst one, so that long refinements gain nothing
    and the search refines fewer points than other policies.
    """

    _: KW_ONLY
    grid: int = eqx.field(static=True, default=FINE_GRID)
    stages: StagedEffort = StagedEffort(polished=2)

    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The approximation on the fine grid, and on the coarse one."""
        del key
        grid = self.grid_of(self.grid)
        ball = self.ball(grid, process, observations)
        sensitivity = ScreenedSensitivity.of(ball, COARSE_GRID)
        return Objectives.of(
            self.coarse(self.grid_of(min(COARSE_GRID, self.grid)), process, observations),
            lambda values: minimax_worst_case(values, ball, sensitivity),
            ContextUcb.of(process, grid, self.root_beta),
            self._nodes(NODES),
        )
