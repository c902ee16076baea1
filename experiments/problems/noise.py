"""Noise models: the noise added to a problem's value, its variance, and its sub-Gaussian parameter.

A zero-mean variable e is s-sub-Gaussian (Assumption 4 of Zhu et al., "Bayesian Optimization by Kernel Regression and
Density-based Exploration") if ``E exp(r e) <= exp(r^2 s^2 / 2)`` for all real r. Such an s is never below the standard
deviation; :attr:`Noise.sub_gaussian` is the smallest one:

* Gaussian: its standard deviation;
* Rademacher (+a or -a with equal probability): a, because ``cosh(u) <= exp(u^2 / 2)`` term by term;
* uniform on [-a, a]: its standard deviation a / sqrt(3), because ``sinh(u) / u <= exp(u^2 / 6)`` term by term, from
  ``(2k + 1)! >= 6^k k!``. The three are "strictly sub-Gaussian": the smallest s is the standard deviation itself, which
  not every bounded variable is (Arbel, Marchal & Nguyen, "On strict sub-Gaussianity, optimal proxy variance and
  symmetry for bounded random variables", ESAIM: Probability and Statistics 24, 2020).

Sizes are arrays, hence leaves of the pytree: one compiled program serves every noise level, and a model can be built
from, or vmapped over, traced sizes. Points are points of the unit cube.
"""

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from experiments.problems.callables import callable_leaf
from experiments.problems.checks import known_choice, require

__all__ = [
    "BoundedNoise",
    "GaussianNoise",
    "HeteroscedasticNoise",
    "LinearDeviation",
    "NoNoise",
    "Noise",
    "relative_noise",
]

BOUNDED_KINDS = ("uniform", "rademacher")
RELATIVE_KINDS = ("gaussian", *BOUNDED_KINDS)


def _size(value: Any) -> Array:
    """A float64 array of any real scalar, traced or not."""
    return jnp.asarray(value, float)


def _require_size(name: str, value: Array) -> None:
    """Refuse sizes that are not finite, non-negative scalars (traced values are trusted)."""
    require(value.shape == (), f"{name}: expected a scalar, got shape {value.shape}")
    if not isinstance(value, jax.core.Tracer):
        require(bool(jnp.isfinite(value)) and bool(value >= 0), f"{name}: expected a finite number >= 0, got {value}")


class Noise(eqx.Module):
    """Zero-mean noise, independent between observations, whose law may depend on the point."""

    @abstractmethod
    def sample(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> Float[Array, ""]:
        """One draw of the noise at the point x of the unit cube."""

    @abstractmethod
    def variance(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Variance of the noise at x."""

    @property
    @abstractmethod
    def sub_gaussian(self) -> Float[Array, ""]:
        """Smallest s for which the noise is s-sub-Gaussian at every point of the unit cube."""


class NoNoise(Noise):
    """Exact observations."""

    def sample(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Zero."""
        return jnp.zeros(())

    def variance(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Zero."""
        return jnp.zeros(())

    @property
    def sub_gaussian(self) -> Float[Array, ""]:
        """Zero."""
        return jnp.zeros(())


class GaussianNoise(Noise):
    """``N(0, sd^2)`` everywhere.

    Raises:
        ValueError: an sd that is negative, not finite, or not a scalar.
    """

    sd: Float[Array, ""]

    def __init__(self, sd: float | Float[Array, ""]) -> None:
        self.sd = _size(sd)

    def __check_init__(self) -> None:
        _require_size("sd", self.sd)

    def sample(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> Float[Array, ""]:
        """``sd * z`` with z standard normal."""
        return self.sd * jax.random.normal(key)

    def variance(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """``sd^2``."""
        return self.sd**2

    @property
    def sub_gaussian(self) -> Float[Array, ""]:
        """``sd``."""
        return self.sd


class LinearDeviation(eqx.Module):
    """Standard deviation linear along the first coordinate: ``low + (high - low) x_1``.

    Raises:
        ValueError: a size that is negative, not finite, or not a scalar.
    """

    low: Float[Array, ""]
    high: Float[Array, ""]

    def __init__(self, low: float | Float[Array, ""], high: float | Float[Array, ""]) -> None:
        self.low = _size(low)
        self.high = _size(high)

    def __check_init__(self) -> None:
        _require_size("low", self.low)
        _require_size("high", self.high)

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Standard deviation at the point x of the unit cube."""
        return self.low + (self.high - self.low) * x[0]


class HeteroscedasticNoise(Noise):
    """Gaussian noise ``N(0, sd(x)^2)`` whose standard deviation depends on the point.

    Args:
        sd: pure function of a point of the unit cube, with values >= 0 (not checked). An ``eqx.Module`` or a
            ``jax.tree_util.Partial`` keeps its arrays as leaves; a plain function is static, so that each new function
            object is compiled anew.
        largest_sd: supremum of sd over the unit cube (not checked); it is the sub-Gaussian parameter.

    Raises:
        ValueError: a largest_sd that is negative, not finite, or not a scalar; an sd that is not callable.
    """

    sd: Callable[..., Any]
    largest_sd: Float[Array, ""]

    def __init__(self, sd: Callable[..., Any], largest_sd: float | Float[Array, ""]) -> None:
        self.sd = callable_leaf(sd)
        self.largest_sd = _size(largest_sd)

    def __check_init__(self) -> None:
        _require_size("largest_sd", self.largest_sd)

    @staticmethod
    def linear(low: float | Float[Array, ""], high: float | Float[Array, ""]) -> "HeteroscedasticNoise":
        """Standard deviation ``low + (high - low) x_1``."""
        sd = LinearDeviation(low, high)
        return HeteroscedasticNoise(sd, jnp.maximum(sd.low, sd.high))

    def sample(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> Float[Array, ""]:
        """``sd(x) * z`` with z standard normal."""
        return self.sd(x) * jax.random.normal(key)

    def variance(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """``sd(x)^2``."""
        return self.sd(x) ** 2

    @property
    def sub_gaussian(self) -> Float[Array, ""]:
        """The largest standard deviation."""
        return self.largest_sd


class BoundedNoise(Noise):
    """Noise in ``[-half_width, half_width]``: uniform, or Rademacher (one of the two ends with equal probability).

    Raises:
        ValueError: a half_width that is negative, not finite, or not a scalar; a kind that is not one of the two.
    """

    half_width: Float[Array, ""]
    kind: str = eqx.field(static=True)

    def __init__(self, half_width: float | Float[Array, ""], kind: str = "uniform") -> None:
        self.half_width = _size(half_width)
        self.kind = kind

    def __check_init__(self) -> None:
        _require_size("half_width", self.half_width)
        known_choice("kind", self.kind, BOUNDED_KINDS)

    def sample(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> Float[Array, ""]:
        """One draw, the same law at every x."""
        if self.kind == "uniform":
            return self.half_width * jax.random.uniform(key, minval=-1.0, maxval=1.0)
        return self.half_width * jax.random.rademacher(key, (), float)

    def variance(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """``half_width^2 / 3`` (uniform) or ``half_width^2`` (Rademacher)."""
        return self.sub_gaussian**2

    @property
    def sub_gaussian(self) -> Float[Array, ""]:
        """``half_width / sqrt(3)`` (uniform) or ``half_width`` (Rademacher): the standard deviation in both cases."""
        return self.half_width / math.sqrt(3.0) if self.kind == "uniform" else self.half_width


def relative_noise(
    value_range: float | Float[Array, ""], fraction: float | Float[Array, ""], kind: str = "gaussian"
) -> Noise:
    """Noise whose standard deviation is ``fraction * value_range``, whatever its law.

    Args:
        value_range: max - min of the problem's value over its box.
        fraction: standard deviation as a fraction of it, >= 0.
        kind: "gaussian", "uniform" or "rademacher".

    Raises:
        ValueError: a negative or non-finite size, or an unknown kind.
    """
    known_choice("kind", kind, RELATIVE_KINDS)
    _require_size("value_range", _size(value_range))
    _require_size("fraction", _size(fraction))
    sd = _size(fraction) * value_range
    if kind == "gaussian":
        return GaussianNoise(sd)
    return BoundedNoise(math.sqrt(3.0) * sd if kind == "uniform" else sd, kind)
