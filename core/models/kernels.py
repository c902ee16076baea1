"""Kernels: the five smoothing kernels of kernel regression, and stationary covariance kernels.

Smoothing kernels are written in log space, ``log k(x, x'; h)``, because kernel regression and density
estimation are ratios and sums of kernel values that underflow as the bandwidth h goes to zero. The bandwidth is one
number, or one an axis: ``k(x, x'; h) = Psi((x - x') / h)`` with the division along each axis.

Source: Zhu et al., "Bayesian Optimization by Kernel Regression and Density-based Exploration", A (6)-(8)
and the remark after Proposition 1; Rasmussen & Williams (2006), chapter 4, for the covariance kernels.
"""

import functools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

import jax.numpy as jnp
from jaxtyping import Array, Float

from core.numerics import TINY, root

__all__ = [
    "EPANECHNIKOV",
    "EXPONENTIAL",
    "GAUSSIAN",
    "LAPLACIAN",
    "SMOOTHING",
    "STATIONARY",
    "UNIFORM",
    "CovarianceKernel",
    "SmoothingKernel",
    "StationaryKernel",
    "l1_distance",
    "l2_distance",
    "matern12",
    "matern32",
    "matern52",
    "scaled_squared_distance",
    "squared_distance",
    "squared_exponential",
]


_WRITTEN_OUT = 16  # sums over at most this many coordinates are written out


def _sum_coordinates(term: Callable[..., Array], *points: Float[Array, " d"]) -> Float[Array, ""]:
    """``sum_i term(a_i, b_i, ...)`` over the coordinates of the points, written out for small d.

    Under the callers' vmaps, XLA compiles a written-out sum to a vectorised loop over pairs of points, and a reduction
    over three coordinates to a scalar loop; kernel values were measured four times slower with the latter.
    """
    if points[0].shape[0] > _WRITTEN_OUT:
        return jnp.sum(term(*points))
    return functools.reduce(operator.add, (term(*coordinates) for coordinates in zip(*points, strict=True)))


def squared_distance(x: Float[Array, " d"], x_prime: Float[Array, " d"]) -> Float[Array, ""]:
    """Squared Euclidean distance ``sum_i (x_i - x'_i)^2``, from differences (no cancellation)."""
    return _sum_coordinates(lambda a, b: (a - b) ** 2, x, x_prime)


def scaled_squared_distance(
    x: Float[Array, " d"], x_prime: Float[Array, " d"], scale: Float[Array, " d"]
) -> Float[Array, ""]:
    """``sum_i ((x_i - x'_i) / l_i)^2`` with ``scale`` l; multiplied by 1 / l, which divides once, not once a pair."""
    return _sum_coordinates(lambda a, b, inverse: ((a - b) * inverse) ** 2, x, x_prime, 1.0 / scale)


def l2_distance(x: Float[Array, " d"], x_prime: Float[Array, " d"]) -> Float[Array, ""]:
    """Euclidean distance, with gradient zero (not NaN) where the points coincide."""
    return root(squared_distance(x, x_prime))


def l1_distance(x: Float[Array, " d"], x_prime: Float[Array, " d"]) -> Float[Array, ""]:
    """Manhattan distance ``sum_i |x_i - x'_i|``."""
    return _sum_coordinates(lambda a, b: jnp.abs(a - b), x, x_prime)


def _with_one_bandwidth(
    x: Float[Array, " d"], x_prime: Float[Array, " d"], bandwidth: Array
) -> tuple[Float[Array, " d"], Float[Array, " d"], Float[Array, ""]]:
    """The pair and h; with a bandwidth an axis ``(x - x') / h``, the origin and 1, of the same kernel value."""
    if jnp.ndim(bandwidth) == 0:
        return x, x_prime, bandwidth
    return (x - x_prime) / bandwidth, jnp.zeros_like(x), jnp.ones(())


def log_gaussian(x: Float[Array, " d"], x_prime: Float[Array, " d"], bandwidth: Array) -> Float[Array, ""]:
    """Log of A (6): ``-||x - x'||^2 / (2 h^2)``."""
    return -0.5 * scaled_squared_distance(x, x_prime, jnp.broadcast_to(bandwidth, x.shape))


def log_epanechnikov(x: Float[Array, " d"], x_prime: Float[Array, " d"], bandwidth: Array) -> Float[Array, ""]:
    """Log of A (7): ``log max(1 - ||x - x'||^2 / h^2, 0)``."""
    x, x_prime, bandwidth = _with_one_bandwidth(x, x_prime, bandwidth)
    height = 1.0 - squared_distance(x, x_prime) / bandwidth**2
    # Not log(where(height > 0, height, 1)): on the edge of the support the compiler may round two evaluations of the
    # height to either side of zero, and the weight would be one.
    return jnp.where(height > 0.0, jnp.log(jnp.maximum(height, TINY)), -jnp.inf)


def log_uniform(x: Float[Array, " d"], x_prime: Float[Array, " d"], bandwidth: Array) -> Float[Array, ""]:
    """Log of A (8): 0 where ``||x - x'|| <= h``, minus infinity elsewhere."""
    x, x_prime, bandwidth = _with_one_bandwidth(x, x_prime, bandwidth)
    return jnp.where(l2_distance(x, x_prime) <= bandwidth, 0.0, -jnp.inf)


def log_exponential(x: Float[Array, " d"], x_prime: Float[Array, " d"], bandwidth: Array) -> Float[Array, ""]:
    """Log of the exponential kernel: ``-||x - x'||_2 / h``."""
    x, x_prime, bandwidth = _with_one_bandwidth(x, x_prime, bandwidth)
    return -l2_distance(x, x_prime) / bandwidth


def log_laplacian(x: Float[Array, " d"], x_prime: Float[Array, " d"], bandwidth: Array) -> Float[Array, ""]:
    """Log of the Laplacian kernel: ``-||x - x'||_1 / h``."""
    x, x_prime, bandwidth = _with_one_bandwidth(x, x_prime, bandwidth)
    return -l1_distance(x, x_prime) / bandwidth


@dataclass(frozen=True)
class SmoothingKernel:
    """A kernel ``k(x, x'; h) = Psi((x - x') / h)`` of kernel regression and density estimation (A (17)).

    Attributes:
        name: the key in :data:`SMOOTHING`.
        log_value: ``log k(x, x'; h)``, h one number or one an axis; minus infinity outside the support.
        radius: R of Assumption 3, the radius of the support of Psi (infinite if it is not compact).
        norm: the norm whose nearest neighbour the kernel finds as h -> 0 ("l2" or "l1").
        bound: M_Psi of Assumption 3, the supremum of Psi.
    """

    name: str
    log_value: Callable[[Float[Array, " d"], Float[Array, " d"], Array], Float[Array, ""]]
    radius: float
    norm: str = "l2"
    bound: float = 1.0

    def __call__(
        self,
        x: Float[Array, " d"],
        x_prime: Float[Array, " d"],
        bandwidth: float | Float[Array, ""] | Float[Array, " d"],
    ) -> Float[Array, ""]:
        """The kernel value ``k(x, x'; h)``."""
        return jnp.exp(self.log_value(x, x_prime, jnp.asarray(bandwidth, float)))


GAUSSIAN = SmoothingKernel("gaussian", log_gaussian, radius=math.inf)
EPANECHNIKOV = SmoothingKernel("epanechnikov", log_epanechnikov, radius=1.0)
UNIFORM = SmoothingKernel("uniform", log_uniform, radius=1.0)
EXPONENTIAL = SmoothingKernel("exponential", log_exponential, radius=math.inf)
LAPLACIAN = SmoothingKernel("laplacian", log_laplacian, radius=math.inf, norm="l1")

SMOOTHING: dict[str, SmoothingKernel] = {
    kernel.name: kernel for kernel in (GAUSSIAN, EPANECHNIKOV, UNIFORM, EXPONENTIAL, LAPLACIAN)
}

CovarianceKernel = Callable[
    [Float[Array, " d"], Float[Array, " d"], Float[Array, " d"], Float[Array, ""]], Float[Array, ""]
]


@dataclass(frozen=True)
class StationaryKernel:
    """A covariance kernel ``k(x, x') = s^2 kappa(r^2)``, ARD: ``r = ||(x - x') / l||``.

    Attributes:
        name: the key in :data:`STATIONARY`.
        profile: ``kappa`` as a function of the *squared* scaled distance, ``kappa(0) = 1``.
    """

    name: str
    profile: Callable[[Float[Array, ""]], Float[Array, ""]]

    def __call__(
        self,
        x: Float[Array, " d"],
        x_prime: Float[Array, " d"],
        lengthscale: Float[Array, " d"],
        variance: Float[Array, ""],
    ) -> Float[Array, ""]:
        """The covariance ``k(x, x')``; ``lengthscale`` l in the unit of x, ``variance`` s^2 in squared units of f."""
        return variance * self.profile(scaled_squared_distance(x, x_prime, lengthscale))


def _squared_exponential(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``exp(-r^2 / 2)``."""
    return jnp.exp(-0.5 * squared)


def _matern12(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``exp(-r)``."""
    return jnp.exp(-root(squared))


def _matern32(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``(1 + u) exp(-u)`` with ``u = sqrt(3) r``."""
    u = math.sqrt(3.0) * root(squared)
    return (1.0 + u) * jnp.exp(-u)


def _matern52(squared: Float[Array, ""]) -> Float[Array, ""]:
    """``(1 + u + u^2 / 3) exp(-u)`` with ``u = sqrt(5) r``."""
    u = math.sqrt(5.0) * root(squared)
    return (1.0 + u + u**2 / 3.0) * jnp.exp(-u)


squared_exponential = StationaryKernel("squared_exponential", _squared_exponential)
"""Squared exponential: ``s^2 exp(-r^2 / 2)``."""
matern12 = StationaryKernel("matern12", _matern12)
"""Matern with nu = 1/2: ``s^2 exp(-r)``."""
matern32 = StationaryKernel("matern32", _matern32)
"""Matern with nu = 3/2: ``s^2 (1 + u) exp(-u)`` with ``u = sqrt(3) r``."""
matern52 = StationaryKernel("matern52", _matern52)
"""Matern with nu = 5/2: ``s^2 (1 + u + u^2 / 3) exp(-u)`` with ``u = sqrt(5) r``."""

STATIONARY: dict[str, StationaryKernel] = {
    kernel.name: kernel for kernel in (squared_exponential, matern12, matern32, matern52)
}
