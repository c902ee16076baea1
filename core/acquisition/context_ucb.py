"""Upper confidence bounds at fixed contexts, shared by all decisions.

``ucb_t(x, c_j) = mu_t(x, c_j) + sqrt(beta) sigma_t(x, c_j)`` (section 2.1 of the SBO-KDE paper) of a Gaussian process
on pairs (x, c), for m contexts that stay the same while x is searched for. A stationary ARD kernel sees a pair only
through

    r^2((x, c_j), (x_i, c_i)) = sum_k ((x_k - x_ik) / l_k)^2 + sum_k ((c_jk - c_ik) / l_k)^2,

whose second part, m rows over the data, is computed once a step; a decision adds its own n numbers to every row. The
posterior then is one matrix product for all m contexts.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from core.models.gaussian_process import GaussianProcess
from core.models.kernels import StationaryKernel, scaled_squared_distance
from core.numerics import floored_deviation

__all__ = ["Bounds", "ContextUcb", "interpolated", "single_precision"]

Bounds = Callable[[Float[Array, " d"]], Float[Array, " m"]]
"""``x -> (ucb(x, c_1), ..., ucb(x, c_m))``."""


class ContextUcb(eqx.Module):
    """``x -> (ucb(x, c_1), ..., ucb(x, c_m))``; build it with :meth:`of`.

    Attributes:
        process: Gaussian process on (x, c), decisions first, with a stationary kernel.
        contexts: c_j, shape (m, c).
        context_distance: scaled squared distances between c_j and the data's contexts, shape (m, n).
        root_beta: sqrt(beta).
    """

    process: GaussianProcess
    contexts: Float[Array, "m c"]
    context_distance: Float[Array, "m n"]
    root_beta: float | Float[Array, ""]

    @staticmethod
    def of(
        process: GaussianProcess, contexts: Float[Array, "m c"], root_beta: float | Float[Array, ""]
    ) -> "ContextUcb":
        """The part that all decisions share.

        Raises:
            ValueError: a kernel that is not stationary, or a process of no more dimensions than the contexts have.
        """
        if not isinstance(process.kernel, StationaryKernel):
            raise ValueError(f"the kernel must be one of core.models.kernels.STATIONARY, got {process.kernel!r}")
        dim = process.x.shape[1] - contexts.shape[1]
        if dim < 1:
            raise ValueError(
                f"a process in {process.x.shape[1]} dimensions cannot hold contexts in {contexts.shape[1]}"
            )
        row = jax.vmap(scaled_squared_distance, in_axes=(None, 0, None))
        distance = jax.vmap(row, in_axes=(0, None, None))(contexts, process.x[:, dim:], process.lengthscale[dim:])
        return ContextUcb(process, contexts, distance, root_beta)

    @property
    def dim(self) -> int:
        """Dimension of the decisions."""
        return int(self.process.x.shape[1] - self.contexts.shape[1])

    def take(self, rows: Int[Array, " k"]) -> "ContextUcb":
        """The same bounds at some of the contexts."""
        return ContextUcb(self.process, self.contexts[rows], self.context_distance[rows], self.root_beta)

    def _prior(self, x: Float[Array, " d"]) -> Float[Array, "m n"]:
        """Prior covariances between f(x, c_j) and f at the data, zero on unused rows."""
        process = self.process
        row = jax.vmap(scaled_squared_distance, in_axes=(None, 0, None))
        own = row(x, process.x[:, : self.dim], process.lengthscale[: self.dim])
        profile = jax.vmap(jax.vmap(process.kernel.profile))  # type: ignore[attr-defined]
        prior = process.variance * profile(own[None] + self.context_distance)
        return jnp.where(process.mask[None], prior, 0.0)

    def mean(self, x: Float[Array, " d"]) -> Float[Array, " m"]:
        """Posterior mean of f(x, c_j) for every j, O(m n)."""
        return self._prior(x) @ self.process.weights

    def mean_and_variance(self, x: Float[Array, " d"]) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
        """Posterior mean and variance of f(x, c_j) for every j; by rounding, a variance may be negative."""
        process = self.process
        whitened = self._prior(x) @ process.whitener
        return whitened @ process.whitened, process.variance - jnp.sum(whitened**2, axis=1)

    def bound(self, mean: Float[Array, " m"], variance: Float[Array, " m"]) -> Float[Array, " m"]:
        """``mu + sqrt(beta) sigma``."""
        return mean + self.root_beta * floored_deviation(variance, self.process.variance)

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " m"]:
        """``mu_t(x, c_j) + sqrt(beta) sigma_t(x, c_j)`` for every j."""
        return self.bound(*self.mean_and_variance(x))


def interpolated(bounds: ContextUcb, matrix: Float[Array, "m k"]) -> Bounds:
    """``x -> ucb(x, .)`` at m contexts, mean and variance interpolated from the k contexts of ``bounds``.

    Mean and variance are as smooth in c as the kernel; the deviation, which may have a cusp at an exact observation, is
    taken afterwards.

    Args:
        bounds: at the nodes of an interpolation rule, such as :func:`core.search.chebyshev.chebyshev_points`.
        matrix: its weights, a row for each of the m contexts.
    """

    def values(x: Float[Array, " d"]) -> Float[Array, " m"]:
        mean, variance = bounds.mean_and_variance(x)
        return bounds.bound(matrix @ mean, matrix @ variance)

    return values


def single_precision(bounds: ContextUcb) -> ContextUcb:
    """The same bounds in float32, for decisions in float32: some four digits, enough to decide where to look."""
    return jax.tree.map(lambda leaf: leaf.astype(jnp.float32) if eqx.is_inexact_array(leaf) else leaf, bounds)
