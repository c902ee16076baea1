"""Context distributions of Paper C: their draws and their quantiles.

All coordinates of a context are independent and alike. Whatever falls outside the unit interval is clipped to it, so
that the ends carry an atom each. ``quantile`` is the inverse of the distribution function after clipping: it maps
quasi-random points of the unit cube to quadrature nodes of equal weight.
"""

from abc import abstractmethod

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray
from scipy import stats

from experiments.problems.checks import require

__all__ = ["Burr", "Complicated", "ContextDistribution", "Normal", "Uniform"]


class ContextDistribution(eqx.Module):
    """A distribution on the unit interval, that of every coordinate of the context."""

    @abstractmethod
    def sample(self, key: PRNGKeyArray, size: int) -> Float[Array, " c"]:
        """``size`` independent draws, clipped to [0, 1]."""

    @abstractmethod
    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Smallest c with ``P(context <= c) >= u``, for u in (0, 1), any shape."""


class Uniform(ContextDistribution):
    """U(0, 1)."""

    def sample(self, key: PRNGKeyArray, size: int) -> Float[Array, " c"]:
        """Independent draws."""
        return jax.random.uniform(key, (size,))

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """u itself."""
        return np.asarray(u)


class Normal(ContextDistribution):
    """N(mean, deviation^2), clipped.

    Raises:
        ValueError: a mean that is not finite, or a deviation that is not a finite positive number.
    """

    mean: float = eqx.field(static=True)
    deviation: float = eqx.field(static=True)

    def __check_init__(self) -> None:
        require(bool(np.isfinite(self.mean)), f"mean: expected a finite number, got {self.mean}")
        positive = bool(np.isfinite(self.deviation)) and self.deviation > 0
        require(positive, f"deviation: expected a finite number > 0, got {self.deviation}")

    def sample(self, key: PRNGKeyArray, size: int) -> Float[Array, " c"]:
        """Independent draws."""
        return jnp.clip(self.mean + self.deviation * jax.random.normal(key, (size,)), 0.0, 1.0)

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """The normal quantile, clipped."""
        return np.clip(stats.norm.ppf(u, self.mean, self.deviation), 0.0, 1.0)


class Burr(ContextDistribution):
    """Burr XII, ``P(context > c) = (1 + c^alpha)^-beta``, clipped.

    Raises:
        ValueError: alpha or beta that is not a finite positive number.
    """

    alpha: float = eqx.field(static=True, default=2.0)
    beta: float = eqx.field(static=True, default=20.0)

    def __check_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            require(bool(np.isfinite(value)) and value > 0, f"{name}: expected a finite number > 0, got {value}")

    def sample(self, key: PRNGKeyArray, size: int) -> Float[Array, " c"]:
        """Independent draws, by inversion of the survival function."""
        survival = jax.random.uniform(key, (size,), minval=jnp.finfo(float).tiny)
        return jnp.clip((survival ** (-1.0 / self.beta) - 1.0) ** (1.0 / self.alpha), 0.0, 1.0)

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """``((1 - u)^(-1/beta) - 1)^(1/alpha)``, clipped."""
        with np.errstate(divide="ignore"):
            return np.clip(np.expm1(-np.log1p(-np.asarray(u)) / self.beta) ** (1.0 / self.alpha), 0.0, 1.0)


COMPONENTS = (
    (0.1, 0.02, False),
    (0.3, 0.075, False),
    (0.4, 0.1, False),
    (0.5, 0.1, False),
    (0.7, 0.075, False),
    (0.8, 0.03, False),
    (0.2, 0.02, True),
    (0.8, 0.02, True),
)
"""Place and scale of the eight components of the complicated distribution, and whether it is a Cauchy distribution."""


class Complicated(ContextDistribution):
    """Equal-weight mixture of :data:`COMPONENTS`, six normal and two Cauchy distributions, clipped."""

    def sample(self, key: PRNGKeyArray, size: int) -> Float[Array, " c"]:
        """Independent draws: a component, then its noise."""
        place, scale, heavy = (jnp.asarray(column) for column in zip(*COMPONENTS, strict=True))
        part_key, normal_key, cauchy_key = jax.random.split(key, 3)
        part = jax.random.randint(part_key, (size,), 0, len(COMPONENTS))
        noise = jnp.where(heavy[part], jax.random.cauchy(cauchy_key, (size,)), jax.random.normal(normal_key, (size,)))
        return jnp.clip(place[part] + scale[part] * noise, 0.0, 1.0)

    def distribution_function(self, c: np.ndarray) -> np.ndarray:
        """P(context <= c) before clipping."""
        parts = [(stats.cauchy if heavy else stats.norm).cdf(c, place, scale) for place, scale, heavy in COMPONENTS]
        return np.asarray(np.mean(parts, axis=0))

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """The quantile, by bisection of the distribution function on [0, 1], to 2^-50."""
        low, high = np.zeros(np.shape(u)), np.ones(np.shape(u))
        for _ in range(50):
            middle = 0.5 * (low + high)
            below = self.distribution_function(middle) < u
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.where(self.distribution_function(low) >= u, low, high)
