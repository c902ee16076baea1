"""Functions on which constants are calibrated: sample paths of a Gaussian process, and functions that are none.

Four families, by the number of the function modulo four, so that no one method's model is right on all of them:

0. a sample path, squared exponential, lengthscale drawn from :data:`LENGTHSCALES`;
1. a sample path, Matérn-5/2, likewise;
2. ``(exp(a g) - 1) / a`` of such a path g (of either kernel in turn) with a = :data:`STEEPNESS`: its values have
   the skew of a log-normal variable, as those of functions that range over several orders of magnitude;
3. a bowl, ``-sum_j w_j |x_j - c_j|^q``, centre c uniform in [0.2, 0.8]^d, weights log-uniform in [0.1, 10], exponent
   q uniform in [1, 3]: one maximum, zero, without a scale of its own, on axes that matter unequally.

All are one formula with other numbers, so that they share one compiled program.
"""

import functools

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.problems.gp_sample import extremes
from experiments.problems.problem import Problem
from experiments.problems.sample_path import SamplePath, sample_path

__all__ = ["FAMILIES", "LENGTHSCALES", "STEEPNESS", "CalibrationFunction", "calibration_problem"]

FAMILIES = ("squared_exponential", "matern52", "skewed", "bowl")
LENGTHSCALES = (0.15, 0.4)
STEEPNESS = 2.0
FEATURES = 512


class CalibrationFunction(eqx.Module):
    """``bowl (-sum_j w_j |x_j - c_j|^q) + (1 - bowl) (exp(a g(x)) - 1) / a``, with g(x) itself for a = 0.

    Attributes:
        path: g.
        steepness: a >= 0.
        bowl: 1 for the fourth family, 0 for the others.
        centre, weight: c and w, shape (d,).
        exponent: q >= 1.
    """

    path: SamplePath
    steepness: Float[Array, ""]
    bowl: Float[Array, ""]
    centre: Float[Array, " d"]
    weight: Float[Array, " d"]
    exponent: Float[Array, ""]

    def warped(self, value: Float[Array, ""]) -> Float[Array, ""]:
        """``(exp(a v) - 1) / a``, increasing in v; v for a = 0."""
        rate = jnp.where(self.steepness > 0.0, self.steepness, 1.0)
        return jnp.where(self.steepness > 0.0, jnp.expm1(rate * value) / rate, value)

    def depth(self, z: Float[Array, " d"]) -> Float[Array, ""]:
        """``sum_j w_j |z_j - c_j|^q``."""
        return jnp.sum(self.weight * jnp.abs(z - self.centre) ** self.exponent)

    def __call__(self, z: Float[Array, " d"]) -> Float[Array, ""]:
        """Value at a point of the unit cube."""
        return jnp.where(self.bowl > 0.0, -self.depth(z), self.warped(self.path(z)))


@functools.lru_cache(maxsize=256)
def calibration_problem(dim: int, seed: int) -> Problem:
    """The function of that number, with its optimum: of a path by search (see ``extremes``), of a bowl exact."""
    rng = np.random.default_rng([seed, dim])
    lengthscale = float(rng.uniform(*LENGTHSCALES))
    family = FAMILIES[seed % len(FAMILIES)]
    kernel = family if family in FAMILIES[:2] else FAMILIES[(seed // len(FAMILIES)) % 2]
    path = sample_path(seed, dim, kernel, lengthscale, features=FEATURES)
    function = CalibrationFunction(
        path,
        jnp.asarray(STEEPNESS if family == "skewed" else 0.0),
        jnp.asarray(1.0 if family == "bowl" else 0.0),
        jnp.asarray(rng.uniform(0.2, 0.8, dim)),
        jnp.asarray(10.0 ** rng.uniform(-1.0, 1.0, dim)),
        jnp.asarray(rng.uniform(1.0, 3.0)),
    )
    if family == "bowl":
        corner = jnp.where(function.centre > 0.5, 0.0, 1.0)
        highest, where, lowest = 0.0, np.asarray(function.centre), -float(function.depth(corner))
    else:
        top, where, bottom = extremes(path, candidates=2**12, starts=16)
        highest, lowest = (float(function.warped(jnp.asarray(value))) for value in (top, bottom))
    return Problem(
        name=f"calibration{dim}",
        dim=dim,
        formula=function,
        sign=1.0,
        bounds=[[0.0, 1.0]] * dim,
        optimum=highest,
        optimizers=jnp.asarray(where)[None],
        range=highest - lowest,
    )
