"""The noise that an experimenter reports of an observation: its variance, or the square of the noise that occurred.

The public code of Zhou et al., "A Corrected Expected Improvement Acquisition Function Under Noisy Observations", hands
the Gaussian process the absolute value of the noise just drawn as the observation's standard deviation. Nobody who runs
a noisy experiment knows that number, and it tells the model which observations to trust. The wrapper makes either
report, so that what the leak is worth can be measured.
"""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from experiments.problems.problem import Problem

__all__ = ["ReportedNoise"]


class ReportedNoise(eqx.Module):
    """A problem whose observations carry ``v = Var(eps)`` (`leaked` = 0) or ``v = eps^2`` (`leaked` = 1).

    The observations themselves are the same under both. Satisfies ``core.types.Objective``; `leaked` is a leaf, so that
    one compiled program serves both arms.
    """

    problem: Problem
    leaked: Float[Array, ""]

    def __init__(self, problem: Problem, leaked: Any) -> None:
        self.problem = problem
        self.leaked = jnp.asarray(leaked, float)

    @property
    def dim(self) -> int:
        """Dimension of the decision space."""
        return self.problem.dim

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The problem's noise-free value."""
        return self.problem.value(x)

    def observe(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """The problem's observation, and the variance reported with it."""
        y, variance = self.problem.observe(key, x)
        return y, jnp.where(self.leaked > 0.0, (y - self.value(x)) ** 2, variance)
