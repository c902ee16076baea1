"""The objective of network compression: minus the sum of error rate and relative size, B (33), observed on a few
images.

    f(x) = -(gamma L(x) + R(x)),   y = -(gamma k / n + R(x)),   k ~ Binomial(n, L(x)),   n uniform in {20, ..., 50}:

L is the error rate of the compressed network on all held-out images, R its size over the original size. An observation
counts the errors k on n images drawn from them with replacement; the images need not be drawn one by one, because the
number of errors has exactly this law. Its variance, ``gamma^2 L (1 - L) / n``, is handed to the method as the paper's
model has it, upsilon_t known and inversely proportional to n_t; an experimenter would have an estimate.
"""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from experiments.workloads.compression.ranks import Levels

__all__ = ["GAMMA", "SAMPLE_SIZES", "Compression"]

GAMMA = 1.0
"""Trade-off between error and size; the paper's value."""
SAMPLE_SIZES = (20, 50)
"""The least and the largest number of images of an observation; the paper's values."""


class Compression(eqx.Module):
    """Choose the levels of d layers. Satisfies ``core.types.Objective``.

    Attributes:
        levels: the levels of each layer, and the sizes of the network.
        error: function of the levels (d,), its error rate on all held-out images; a pytree.
    """

    levels: Levels
    error: Callable[[Int[Array, " d"]], Any]

    @property
    def dim(self) -> int:
        """Number of layers that are compressed."""
        return int(self.levels.count.shape[0])

    def parts(self, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """Error rate L and relative size R at the point x of the unit cube."""
        level = self.levels.choose(x)
        return self.error(level), self.levels.ratio(level)

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """``-(gamma L + R)``, without noise."""
        error, ratio = self.parts(x)
        return -(GAMMA * error + ratio)

    def observe(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """Minus the sum with the error rate on n random images, and the variance of that."""
        size_key, error_key = jax.random.split(key)
        error, ratio = self.parts(x)
        size = jax.random.randint(size_key, (), SAMPLE_SIZES[0], SAMPLE_SIZES[1] + 1)
        draws = jax.random.uniform(error_key, (SAMPLE_SIZES[1],)) < error
        errors = jnp.sum(jnp.where(jnp.arange(SAMPLE_SIZES[1]) < size, draws, False))
        return -(GAMMA * errors / size + ratio), GAMMA**2 * error * (1.0 - error) / size
