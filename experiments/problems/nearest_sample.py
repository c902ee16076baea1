"""A sample path known at finitely many points, continued as a step function: appendix B of the corrected-EI paper.

Zhou et al., "A Corrected Expected Improvement Acquisition Function Under Noisy Observations": 4000 values of a path
of the Gaussian process with a squared-exponential kernel of length scale 3 and amplitude 1; f(x) is the value at the
nearest sample point. The paper prints neither the domain nor how the 4000 points lie. We take them equally spaced, ends
included, on [0, width], with width = 10 by default, the box of the paper's other one-dimensional function; a wider
domain holds more hills and is a harder problem.
"""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.problems.checks import require
from experiments.problems.problem import Problem
from experiments.problems.sample_path import sample_path

__all__ = ["LENGTHSCALE", "NearestSample", "nearest_sample_problem", "sample_values"]

LENGTHSCALE = 3.0
"""The lengthscale of the kernel, in natural units."""

POINTS = 4000


class NearestSample(eqx.Module):
    """``f(z)``: the value at the nearest of n equally spaced points of [0, width]; halfway between two, the right one.

    Attributes:
        values: shape (n,).
        width: length of the domain.
    """

    values: Float[Array, " n"]
    width: Float[Array, ""]

    def __call__(self, z: Float[Array, "1"]) -> Float[Array, ""]:
        """Value at a point; NaN for NaN, the end's value outside the domain."""
        last = self.values.shape[0] - 1
        place = jnp.floor(z[0] / self.width * last + 0.5)
        nearest = self.values[jnp.clip(place, 0, last).astype(int)]
        return jnp.where(jnp.isnan(z[0]), jnp.nan, nearest)


@jax.jit
def _values(path: eqx.Module, points: Float[Array, "n 1"]) -> Float[Array, " n"]:
    return jax.lax.map(path, points, batch_size=256)  # type: ignore[arg-type]


def sample_values(seed: int, width: float, points: int = POINTS) -> Float[np.ndarray, " n"]:
    """The values of a path at the sample points, in their order."""
    path = sample_path(seed, 1, "squared_exponential", LENGTHSCALE / width)
    return np.asarray(_values(path, jnp.linspace(0.0, 1.0, points)[:, None]))


@functools.lru_cache(maxsize=64)
def _drawn(seed: int, width: float, points: int) -> Problem:
    """The problem; kept, so that a process draws a path once."""
    values = jnp.asarray(sample_values(seed, width, points))
    best = int(jnp.argmax(values))
    return Problem(
        name="nearest_sample",
        dim=1,
        formula=NearestSample(values, jnp.asarray(width)),
        sign=1.0,
        bounds=[[0.0, width]],
        optimum=values[best],
        optimizers=[[width * best / (points - 1)]],
        range=jnp.max(values) - jnp.min(values),
    )


def nearest_sample_problem(seed: int = 0, width: float = 10.0, points: int = POINTS) -> Problem:
    """Maximise the step function through a sample path of length scale 3 and variance 1.

    The optimum and the range are exact: largest and smallest of the values. ``optimizers`` is the sample point with
    the largest value; the maximum is attained on its whole cell. Problems of equally many points share one program.

    Raises:
        ValueError: an argument outside its range; the message names it.
    """
    require(isinstance(points, int) and points >= 2, f"points: expected a whole number >= 2, got {points!r}")
    good = isinstance(width, int | float) and not isinstance(width, bool) and 0.0 < width < np.inf
    require(good, f"width: expected a finite number > 0, got {width!r}")
    return _drawn(seed, float(width), points)
