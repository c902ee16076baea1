"""Values that `core` computes on a fixed design, for the kernels of `core` and the profiles of `compact_kernels`."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from core.models.density import density
from core.models.kernels import EPANECHNIKOV, SMOOTHING, SmoothingKernel, l2_distance
from core.models.regression import kernel_regression
from theory_checks.boke.testbeds.compact_kernels import RADIUS, Profile

POINTS = 16
"""The size of the largest design; smaller designs are masked, so that a kernel is compiled once."""


def as_core_kernel(profile: Profile) -> SmoothingKernel:
    """core's kernel of that name; otherwise a kernel from the profile, linear between 4097 knots."""
    if profile.name in SMOOTHING:
        return SMOOTHING[profile.name]
    knots = np.linspace(0.0, RADIUS, 4097)
    heights = jnp.asarray(profile(knots))

    def log_value(x: jax.Array, x_prime: jax.Array, bandwidth: jax.Array) -> jax.Array:
        height = jnp.interp(l2_distance(x, x_prime) / bandwidth, knots, heights, right=0.0)
        return jnp.where(height > 0.0, jnp.log(jnp.where(height > 0.0, height, 1.0)), -jnp.inf)

    return SmoothingKernel(profile.name, log_value, radius=EPANECHNIKOV.radius, bound=profile.bound)


@cache
def _compiled(profile: Profile) -> jax.stages.Wrapped:
    kernel = as_core_kernel(profile)

    def values(data_x: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
        x = jnp.zeros(1)
        rows = jnp.eye(POINTS)
        weights = jax.vmap(lambda y: kernel_regression(x, data_x, y, 1.0, kernel, mask))(rows)
        return weights, density(x, data_x, 1.0, kernel, mask)

    return jax.jit(values)


def coefficients(profile: Profile, ratio: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights w with m(x) = sum_i w_i y_i, and W(x), for data at distances `ratio` h from x, by core."""
    data_x = np.zeros((POINTS, 1))
    data_x[: len(ratio), 0] = ratio
    weights, total = _compiled(profile)(data_x, np.arange(POINTS) < len(ratio))
    return np.asarray(weights)[: len(ratio)], float(total)
