"""SBO-KDE and DRBO-KDE (Algorithms 1 and 2): expectations under an estimated density of the contexts.

Source: Huang, Song, Xue & Qian (2023), "Stochastic Bayesian Optimization with Unknown Continuous Context Distribution
via Kernel Density Estimation".
"""

from abc import abstractmethod
from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.context_ucb import ContextUcb, InterpolatedUcb, interpolation_weights, single_precision
from core.checks import require
from core.models.context_density import ContextDensity
from core.models.gaussian_process import GaussianProcess
from core.numerics import smallest
from core.policies.fields import number
from core.policies.joint import ContextPolicy, Functional, Objectives
from core.search.maximize import candidate_lattice
from core.search.quantization import quantize
from core.types import Observations
from core.worst_case.total_variation import tv_worst_case, tv_worst_case_by_bisection

__all__ = ["SAMPLES", "DrboKde", "KdePolicy", "SboKde", "total_variation_radius"]

SAMPLES = 1024  # M, and the size of the Sobol set for the infimum; the paper's
CELLS = 64  # contexts of the coarse objective
FEW = 128  # up to this number of values, sorting is quicker than bisection
COARSE_NODES, NODES = (16, 48), (32, 128)
"""The numbers of contexts behind the coarse objective and its model: with one context dimension, and with more."""
INFIMA = ("contexts", "reflected")


def total_variation_radius(count: Array, context_dim: int) -> Float[Array, ""]:
    """``delta_t = t^(-2 / (4 + D_c))``; t below 1 counts as 1."""
    return jnp.maximum(count.astype(float), 1.0) ** (-2.0 / (4 + context_dim))


class KdePolicy(ContextPolicy):
    """Abstract: contexts c^_j are drawn from the density estimate p^_t.

    They are drawn once a step, and are the same for all decisions. Samples outside the unit cube of the contexts are
    clipped to the cube, as observed contexts are.

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

    @abstractmethod
    def functional(self, observations: Observations) -> Functional:
        """The objective as a function of the bounds: at the sample, then at further contexts, if any."""

    def quantized(
        self, process: GaussianProcess, sample: Float[Array, "m c"], count: int
    ) -> tuple[Float[Array, "k c"], Float[Array, " k"]]:
        """The sample in ``count`` cells, in the unit of the lengthscales: their means and shares."""
        return quantize(sample, min(count, self.samples), process.lengthscale[self.dim :])


@final
class SboKde(KdePolicy):
    """SBO-KDE, Algorithm 1 of C: ``argmax_x 1/M sum_j ucb_t(x, c^_j)``, the c^_j drawn from p^_t.

    The sum is a sample average approximation of the expectation.
    """

    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The sample average; the coarse one is a quadrature: the interpolant's average from few nodes."""
        sample = self.sample(key, observations)
        several = int(self.context_dim > 1)
        few = self.quantized(process, sample, COARSE_NODES[several])[0]
        weights = jnp.mean(interpolation_weights(process, few, sample), axis=0)
        at_few = single_precision(ContextUcb.of(process, few, self.root_beta))
        return Objectives.of(
            lambda x: at_few(x) @ weights,
            self.functional(observations),
            ContextUcb.of(process, sample, self.root_beta),
            self.quantized(process, sample, NODES[several])[0],
        )

    def functional(self, observations: Observations) -> Functional:
        """The mean."""
        del observations
        return jnp.mean


@final
class DrboKde(KdePolicy):
    """DRBO-KDE, Algorithm 2 of C: ``argmax_x min_q E_q ucb_t(x, .)`` over ``int |q - p^_t| <= delta_t``, by C (5).

    The infimum over contexts is taken over the sample and a Sobol set in the unit cube of the contexts, both the same
    for all decisions of a step. The public code scales its Sobol points by lower - upper: its infimum is taken over
    [-1, 0]^c, without the sample (infimum ``"reflected"``), and ``theta >= inf u`` in C (5) binds where that infimum
    lies above values of the sample.

    Attributes:
        radius_scale: factor of delta_t; 1 in the paper.
        infimum: the set of the infimum, ``"contexts"``, or ``"reflected"`` contexts, as in the public code.
    """

    _: KW_ONLY
    radius_scale: float | Float[Array, ""] = number(1.0)
    infimum: str = eqx.field(static=True, default="contexts")

    def __check_init__(self) -> None:
        require(float(self.radius_scale) >= 0, f"radius_scale must not be negative, got {self.radius_scale}")
        require(self.infimum in INFIMA, f"infimum must be one of {INFIMA}, got {self.infimum!r}")

    @property
    def lattice(self) -> Float[Array, "k c"]:
        """The Sobol contexts of the infimum."""
        lattice = candidate_lattice(self.samples, self.context_dim)
        return -lattice if self.infimum == "reflected" else lattice

    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The worst case over the sample and the Sobol set; the coarse one over cells and a few Sobol contexts."""
        lattice = self.lattice
        sample = self.sample(key, observations)
        several = int(self.context_dim > 1)
        most = min(self.cells, self.samples)
        watched = max(most // 4, 1)
        cells, shares = self.quantized(process, sample, max(most - watched, 1))
        contexts = jnp.concatenate([cells, lattice[:watched]])
        coarse = single_precision(
            InterpolatedUcb.of(
                process, self._nodes(process, sample, lattice, COARSE_NODES[several]), contexts, self.root_beta
            )
        )
        of_cells = self._worst_case(shares, observations)
        return Objectives.of(
            lambda x: of_cells(coarse(x)),
            self.functional(observations),
            ContextUcb.of(process, jnp.concatenate([sample, lattice]), self.root_beta),
            self._nodes(process, sample, lattice, NODES[several]),
        )

    def functional(self, observations: Observations) -> Functional:
        """The worst case around the uniform distribution on the sample."""
        return self._worst_case(jnp.full(self.samples, 1.0 / self.samples), observations)

    def _nodes(
        self, process: GaussianProcess, sample: Float[Array, "m c"], lattice: Float[Array, "l c"], count: int
    ) -> Float[Array, "k c"]:
        """Nodes: two thirds of them cells of the sample, the rest Sobol contexts."""
        return jnp.concatenate([self.quantized(process, sample, count - count // 3)[0], lattice[: count // 3]])

    def _worst_case(self, p: Float[Array, " k"], observations: Observations) -> Functional:
        """The worst case of bounds at the k contexts with distribution p and, after them, at those of the infimum."""
        delta = self.radius_scale * total_variation_radius(observations.count, self.context_dim)
        size = p.shape[0]
        worst = tv_worst_case if size <= FEW else tv_worst_case_by_bisection

        def functional(values: Float[Array, " m"]) -> Float[Array, ""]:
            lowest = smallest(values[size:])
            if self.infimum == "reflected":
                u = values[:size]
                return worst(jnp.maximum(u, lowest), delta, p, lowest) + p @ jnp.minimum(u - lowest, 0.0)
            return worst(values[:size], delta, p, lowest)

        return functional
