"""A test problem: a formula in natural units, made into a function on the unit cube that is to be maximised.

Conventions, for every problem:

* ``value(x) = sign * formula(lo + (hi - lo) x)``; sign = -1 for functions that the literature minimises.
* Nothing is clipped: outside the unit cube ``value`` is the formula's value there, and ``optimum`` and ``range``
  say nothing about it.
* NaN in gives NaN out (and an infinite coordinate whatever IEEE arithmetic makes of the formula); nothing is caught,
  because a compiled function cannot raise. :func:`core.optimize` is where non-finite observations are refused.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from experiments.problems.callables import callable_leaf
from experiments.problems.checks import require
from experiments.problems.noise import Noise, NoNoise, relative_noise

__all__ = ["Problem"]


class Problem(eqx.Module):
    """A function to maximise on the unit cube, with what is known about it. Satisfies ``core.types.Objective``.

    Attributes:
        name: its name, with the dimension where that is free ("rosenbrock4").
        dim: dimension d.
        formula: function of a point in natural units, as published; a plain function is static, an ``eqx.Module`` (a
            sample path) keeps its arrays as leaves.
        sign: +1 if the formula is published for maximisation, -1 for minimisation.
        bounds: the box in natural units, rows (lo, hi), shape (d, 2).
        optimum: largest ``value`` over the box.
        optimizers: every point of the box where it is attained, in natural units, shape (k, d).
        range: largest minus smallest ``value`` over the box.
        inert: coordinates that the value does not depend on; ``optimizers`` stand for all points that differ there.
        noise: what :meth:`observe` adds.

    Raises:
        ValueError: fields that do not fit together.
    """

    name: str = eqx.field(static=True)
    dim: int = eqx.field(static=True)
    formula: Callable[..., Any]
    sign: float = eqx.field(static=True)
    bounds: Float[Array, "d 2"]
    optimum: Float[Array, ""]
    optimizers: Float[Array, "k d"]
    range: Float[Array, ""]
    inert: tuple[int, ...] = eqx.field(static=True)
    noise: Noise

    def __init__(
        self,
        *,
        name: str,
        dim: int,
        formula: Callable[..., Any],
        sign: float,
        bounds: Sequence[Sequence[float]] | Array,
        optimum: float | Array,
        optimizers: Sequence[Sequence[float]] | Array,
        range: float | Array,
        inert: tuple[int, ...] = (),
        noise: Noise | None = None,
    ) -> None:
        self.name = name
        self.dim = dim
        self.formula = callable_leaf(formula)
        self.sign = sign
        self.bounds = jnp.asarray(bounds, float)
        self.optimum = jnp.asarray(optimum, float)
        self.optimizers = jnp.asarray(optimizers, float)
        self.range = jnp.asarray(range, float)
        self.inert = tuple(inert)
        self.noise = NoNoise() if noise is None else noise

    def __check_init__(self) -> None:
        require(self.sign in (1.0, -1.0), f"sign: expected +1 or -1, got {self.sign}")
        require(isinstance(self.noise, Noise), f"noise: expected a Noise, got {type(self.noise).__name__}")
        require(self.bounds.shape == (self.dim, 2), f"bounds: expected shape {(self.dim, 2)}, got {self.bounds.shape}")
        shape = self.optimizers.shape
        require(
            len(shape) == 2 and shape[0] > 0 and shape[1] == self.dim,
            f"optimizers: expected shape (k, {self.dim}) with k >= 1, got {shape}",
        )
        inside = all(0 <= axis < self.dim for axis in self.inert)
        require(inside, f"inert: expected coordinates in 0..{self.dim - 1}, got {self.inert}")
        if not isinstance(self.bounds, jax.core.Tracer):
            box = np.asarray(self.bounds)
            ordered = bool(np.all(np.isfinite(box)) and np.all(box[:, 0] < box[:, 1]))
            require(ordered, f"bounds: expected finite rows (lo, hi) with lo < hi, got {box.tolist()}")

    # By identity, so that jax.jit(problem.value) works: the arrays inside have no hash.
    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Noise-free value at the point x of the unit cube, to be maximised.

        Raises:
            ValueError: x is not of shape (d,).
        """
        return self.sign * self.formula(self.to_natural(x))

    def observe(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """Value plus one draw of the noise, and the variance of that noise.

        Raises:
            ValueError: x is not of shape (d,).
        """
        return self.value(x) + self.noise.sample(key, x), self.noise.variance(x)

    def to_natural(self, x: Float[Array, " d"]) -> Float[Array, " d"]:
        """``lo + (hi - lo) x``: from the unit cube to natural units.

        Raises:
            ValueError: x is not of shape (d,).
        """
        self._require_point("x", x)
        lo, hi = self.bounds[:, 0], self.bounds[:, 1]
        return lo + (hi - lo) * x

    def to_unit(self, z: Float[Array, " d"]) -> Float[Array, " d"]:
        """``(z - lo) / (hi - lo)``: from natural units to the unit cube.

        Raises:
            ValueError: z is not of shape (d,).
        """
        self._require_point("z", z)
        lo, hi = self.bounds[:, 0], self.bounds[:, 1]
        return (z - lo) / (hi - lo)

    def distance_to_optimizer(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Euclidean distance, in natural units, from the point x of the unit cube to the nearest optimiser.

        Raises:
            ValueError: x is not of shape (d,).
        """
        difference = self.optimizers - self.to_natural(x)[None]
        live = jnp.asarray([axis not in self.inert for axis in range(self.dim)], float)
        return jnp.sqrt(jnp.min(jnp.sum((difference * live[None]) ** 2, axis=1)))

    def with_noise(self, noise: Noise) -> "Problem":
        """The same problem, observed through another noise."""
        return dataclasses.replace(self, noise=noise)

    def with_relative_noise(self, fraction: float | Float[Array, ""], kind: str = "gaussian") -> "Problem":
        """The same problem with noise of standard deviation ``fraction * range`` (see :func:`relative_noise`)."""
        return self.with_noise(relative_noise(self.range, fraction, kind))

    def _require_point(self, argument: str, point: Float[Array, " d"]) -> None:
        shape = jnp.shape(point)
        require(shape == (self.dim,), f"{argument}: {self.name} expects shape ({self.dim},), got {shape}")
