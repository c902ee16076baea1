"""SBO-KDE and DRBO-KDE (Algorithms 1 and 2): expectations under an estimated density of the contexts.

Source: Huang, Song, Xue & Qian (2023), "Stochastic Bayesian Optimization with Unknown Continuous Context Distribution
via Kernel Density Estimation".
"""

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.linalg import block_diag
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.context_ucb import Bounds, ContextUcb, interpolated, single_precision
from core.checks import require
from core.models.context_density import ContextDensity
from core.models.gaussian_process import GaussianProcess
from core.policies.fields import number
from core.policies.joint import ContextPolicy, Objectives
from core.search.chebyshev import chebyshev_points, interpolation_matrix
from core.search.gauss_rule import gauss_rule, jacobi_matrix
from core.search.maximize import ScalarFunction, candidate_lattice
from core.search.quantization import quantile_cells, quantize
from core.types import Observations
from core.worst_case.total_variation import tv_worst_case, tv_worst_case_by_bisection

__all__ = ["SAMPLES", "DrboKde", "KdePolicy", "SboKde", "total_variation_radius"]

SAMPLES = 1024  # M, and the size of the Sobol set for the infimum; the paper's
CELLS = 64  # contexts of the coarse objective
CELLS_FOR_INFIMUM = 16  # of these, how many DRBO-KDE spends on the infimum
FEW = 128  # up to so many values, sorting them is quicker than bisection
LOWEST = 32  # how many of the Sobol contexts a refinement of DRBO-KDE watches
SCREENING_NODES, ROUGH_NODES = 14, 24
"""Contexts that SBO-KDE's average and DRBO-KDE's worst case are computed from where contexts have one dimension: for
the coarse objective, and for the first of the two approximations that are closer."""
GAUSS_NODES, CHEBYSHEV_NODES = 48, 80
"""For the second of them. A rule of k nodes is exact to degree 2 k - 1, an interpolant to k - 1."""
ROUGH_CELLS, ROUGH_WATCHED = 256, 128
"""Into how many cells DRBO-KDE's sample is put for the first of them, and how many Sobol contexts are watched."""
INFIMA = ("contexts", "reflected")


def total_variation_radius(count: Array, context_dim: int) -> Float[Array, ""]:
    """``delta_t = t^(-2 / (4 + D_c))``; t below 1 counts as 1."""
    return jnp.maximum(count.astype(float), 1.0) ** (-2.0 / (4 + context_dim))


class KdePolicy(ContextPolicy):
    """Abstract: contexts c^_j are drawn from the density estimate p^_t.

    They are drawn once a step, and are the same for all decisions. Samples outside the unit cube of the contexts are
    clipped to it, as contexts that are observed outside are.

    Attributes:
        samples: M.
        cells: contexts of the coarse objective, at most M; see :mod:`core.search.staged_search`.
    """

    _: KW_ONLY
    samples: int = eqx.field(static=True, default=SAMPLES)
    cells: int = eqx.field(static=True, default=CELLS)

    def __check_init__(self) -> None:
        require(self.samples >= 1, f"samples must be at least 1, got {self.samples}")
        require(self.cells >= 1, f"cells must be at least 1, got {self.cells}")

    def sample(self, key: PRNGKeyArray, observations: Observations) -> Float[Array, "m c"]:
        """M contexts from p^_t, clipped to the unit cube."""
        density = ContextDensity.fit(self.contexts(observations), observations.mask)
        return jnp.clip(density.sample(key, self.samples), 0.0, 1.0)


@final
class SboKde(KdePolicy):
    """Algorithm 1: ``argmax_x 1/M sum_j ucb_t(x, c^_j)``, the c^_j drawn from p^_t: a sample average approximation."""

    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The sample average; with one context dimension Gauss rules of the sample stand for it, cells with more.

        The coarse one is computed in single precision.
        """
        sample = self.sample(key, observations)
        if self.context_dim == 1:
            return self.by_quadrature(process, sample)
        centres, weights = quantize(sample, min(self.cells, self.samples), process.lengthscale[self.dim :])
        at_sample = ContextUcb.of(process, sample, self.root_beta)
        at_cells = single_precision(ContextUcb.of(process, centres, self.root_beta))
        return Objectives(
            lambda x: at_cells(x.astype(jnp.float32)) @ weights,
            lambda x: jnp.mean(at_sample(x)),
            halving=True,
        )

    def by_quadrature(self, process: GaussianProcess, sample: Float[Array, "m c"]) -> Objectives:
        """ucb(x, .) is smooth in a single context: its average over the sample is an integral, which few nodes give."""
        count = min(GAUSS_NODES, self.samples)
        jacobi = jacobi_matrix(sample[:, 0], jnp.full(self.samples, 1.0 / self.samples), count)
        nodes, weights = gauss_rule(jacobi)
        few = min(SCREENING_NODES, count)
        screening_nodes, screening_weights = gauss_rule(jacobi[:few, :few])
        at_sample = ContextUcb.of(process, sample, self.root_beta)
        some = min(ROUGH_NODES, count)
        rough_nodes, rough_weights = gauss_rule(jacobi[:some, :some])
        at_nodes = ContextUcb.of(process, nodes[:, None], self.root_beta)
        at_rough_nodes = ContextUcb.of(process, rough_nodes[:, None], self.root_beta)
        screening = single_precision(ContextUcb.of(process, screening_nodes[:, None], self.root_beta))
        return Objectives(
            lambda x: screening(x.astype(jnp.float32)) @ screening_weights,
            lambda x: jnp.mean(at_sample(x)),
            closer=(lambda x: at_rough_nodes(x) @ rough_weights, lambda x: at_nodes(x) @ weights),
            halving=True,
            guide=lambda x: screening.mean(x.astype(jnp.float32)) @ screening_weights,
        )


@final
class DrboKde(KdePolicy):
    """Algorithm 2: ``argmax_x min_q E_q ucb_t(x, .)`` over ``int |q - p^_t| <= delta_t``, by the closed form of C (5).

    The infimum over contexts is that over the sample and a Sobol set in the unit cube of the contexts, both the same
    for all decisions of a step. The public code scales its Sobol points by lower - upper: its infimum is that over
    [-1, 0]^c, without the sample (infimum ``"reflected"``), and ``theta >= inf u`` in C (5) binds where that infimum
    lies above values of the sample.

    Attributes:
        radius_scale: factor of delta_t; 1 in the paper.
        infimum: over ``"contexts"``, or over ``"reflected"`` ones, as in the public code.
    """

    _: KW_ONLY
    radius_scale: float | Float[Array, ""] = number(1.0)
    infimum: str = eqx.field(static=True, default="contexts")

    def __check_init__(self) -> None:
        require(float(self.radius_scale) >= 0, f"radius_scale must not be negative, got {self.radius_scale}")
        require(self.infimum in INFIMA, f"infimum must be one of {INFIMA}, got {self.infimum!r}")

    @property
    def lattice(self) -> Float[Array, "k c"]:
        """Sobol contexts that the infimum is taken over."""
        lattice = candidate_lattice(self.samples, self.context_dim)
        return -lattice if self.infimum == "reflected" else lattice

    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The worst case over the sample and the Sobol set; over cells of the sample and a few Sobol contexts.

        With one context dimension, bounds are interpolated from few contexts. With more, a refinement watches, of the
        Sobol contexts, those with the lowest bounds where it starts.
        """
        delta = self.radius_scale * total_variation_radius(observations.count, self.context_dim)
        lattice = self.lattice
        sample = self.sample(key, observations)
        uniform = jnp.full(self.samples, 1.0 / self.samples)
        reflected = self.infimum == "reflected"

        def at(contexts: Float[Array, "m c"]) -> ContextUcb:
            return ContextUcb.of(process, contexts, self.root_beta)

        def worst(bounds: Bounds, p: Float[Array, " k"]) -> ScalarFunction:
            return _worst_case(bounds, p, delta, reflected)

        fine = worst(at(jnp.concatenate([sample, lattice])), uniform)
        most = min(self.cells, self.samples)
        few = min(CELLS_FOR_INFIMUM, max(most // 4, 1), lattice.shape[0])
        cells = max(most - few, 1)
        if self.context_dim == 1:
            sizes = ((SCREENING_NODES, cells, few), (ROUGH_NODES, ROUGH_CELLS, ROUGH_WATCHED))
            coarse, *closer = (
                _interpolated_worst_case(
                    at, sample[:, 0], lattice[:, 0], delta, *size, single=size is sizes[0], reflected=reflected
                )
                for size in (*sizes, (CHEBYSHEV_NODES, self.samples, lattice.shape[0]))
            )
            few_nodes = single_precision(at(chebyshev_points(SCREENING_NODES)[:, None]))
            average = jnp.mean(interpolation_matrix(SCREENING_NODES, sample[:, 0]), axis=0)
            return Objectives(
                coarse,
                fine,
                closer=tuple(closer),
                halving=True,
                guide=lambda x: few_nodes.mean(x.astype(jnp.float32)) @ average,
            )
        centres, weights = quantize(sample, cells, process.lengthscale[self.dim :])
        coarse = worst(at(jnp.concatenate([centres, lattice[:few]])), weights)
        at_lattice = at(lattice)

        def near(start: Float[Array, " d"]) -> ScalarFunction:
            lowest = jax.lax.top_k(-at_lattice(start), min(LOWEST, lattice.shape[0]))[1]
            return worst(at(jnp.concatenate([sample, lattice[lowest]])), uniform)

        return Objectives(coarse, fine, near)


def _worst_case(bounds: Bounds, p: Float[Array, " k"], delta: Float[Array, ""], reflected: bool) -> ScalarFunction:
    """The worst case of bounds at the k contexts with distribution p, and at the contexts of the infimum.

    ``reflected``: values u_j of the sample may lie below that infimum l. With ``theta >= l`` C (5) then is the worst
    case of ``max(u, l)``, plus ``E_p min(u - l, 0)``.
    """
    size = p.shape[0]
    worst = tv_worst_case if size <= FEW else tv_worst_case_by_bisection

    def objective(x: Float[Array, " d"]) -> Float[Array, ""]:
        values = bounds(x)
        lowest = jnp.min(values[size:])
        if reflected:
            u = values[:size]
            return worst(jnp.maximum(u, lowest), delta, p, lowest) + p @ jnp.minimum(u - lowest, 0.0)
        return worst(values[:size], delta, p, lowest)

    return objective


def _interpolated_worst_case(
    at: Callable[[Float[Array, "k c"]], ContextUcb],
    sample: Float[Array, " m"],
    lattice: Float[Array, " l"],
    delta: Float[Array, ""],
    nodes: int,
    cells: int,
    watched: int,
    *,
    single: bool,
    reflected: bool,
) -> ScalarFunction:
    """ucb(x, .) is smooth in a single context: computed at few nodes, in single precision where so asked, it is
    interpolated to cells of the sample and to the first of the Sobol set, which has nodes of its own where reflected.
    """
    centres, p = quantile_cells(sample, cells)
    points = chebyshev_points(nodes)
    if reflected:
        points = jnp.concatenate([points, -points])
        matrix = block_diag(interpolation_matrix(nodes, centres), interpolation_matrix(nodes, -lattice[:watched]))
    else:
        matrix = interpolation_matrix(nodes, jnp.concatenate([centres, lattice[:watched]]))
    at_nodes = at(points[:, None])
    bounds = interpolated(single_precision(at_nodes) if single else at_nodes, matrix)
    return _worst_case(lambda x: bounds(x.astype(jnp.float32)) if single else bounds(x), p, delta, reflected)
