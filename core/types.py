"""Shared data structures: observations at fixed capacity, and the interface of an objective.

A run of Bayesian optimisation never changes the shapes of its arrays: all observations live in arrays of
a fixed ``capacity``, of which the first ``count`` rows are real and the rest are masked. A whole run
therefore compiles once.
"""

from typing import Protocol, runtime_checkable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

__all__ = ["ContextObjective", "Objective", "Observations"]


class Observations(eqx.Module):
    """Observed data ``{(x_i, c_i, y_i, v_i)}`` at fixed capacity ``n``; rows at and after ``count`` are unused.

    Attributes:
        x: decision points in the unit cube, shape (n, d).
        context: observed contexts, shape (n, c); c = 0 where a problem has none.
        y: observed values (to be maximised), shape (n,).
        noise_variance: known variance of each observation, shape (n, 1), or (n, 0) where it is unknown.
        count: number of observations made so far, at most n.

    Unused rows hold zeros. Every consumer masks them with :attr:`mask`.
    """

    x: Float[Array, "n d"]
    context: Float[Array, "n c"]
    y: Float[Array, " n"]
    noise_variance: Float[Array, "n v"]
    count: Int[Array, ""]

    @staticmethod
    def empty(capacity: int, dim: int, context_dim: int = 0, with_noise: bool = False) -> "Observations":
        """No observations yet, room for ``capacity`` of them.

        Raises:
            ValueError: capacity or dim below 1, or a negative context_dim.
        """
        if capacity < 1 or dim < 1 or context_dim < 0:
            raise ValueError(
                f"capacity and dim must be at least 1 and context_dim at least 0, got {capacity}, {dim}, {context_dim}"
            )
        return Observations(
            x=jnp.zeros((capacity, dim)),
            context=jnp.zeros((capacity, context_dim)),
            y=jnp.zeros(capacity),
            noise_variance=jnp.zeros((capacity, int(with_noise))),
            count=jnp.asarray(0),
        )

    @staticmethod
    def of(
        x: Float[Array, "t d"],
        y: Float[Array, " t"],
        context: Float[Array, "t c"] | None = None,
        noise_variance: Float[Array, " t"] | None = None,
        capacity: int | None = None,
    ) -> "Observations":
        """Observations holding the given rows, with room for ``capacity`` (default: exactly as many).

        Raises:
            ValueError: rows that do not match, a capacity below the number of rows, or a noise variance that is
            negative, infinite or NaN (checked where the values are known, not under ``jit``).
        """
        x, y = jnp.asarray(x, float), jnp.asarray(y, float)
        if x.ndim != 2 or x.shape[1] < 1:
            raise ValueError(f"x must have shape (t, d) with d >= 1, got {x.shape}")
        rows, dim = x.shape
        capacity = max(rows, 1) if capacity is None else capacity
        if y.shape != (rows,):
            raise ValueError(f"y must have shape ({rows},) to match x of shape {x.shape}, got {y.shape}")
        if capacity < rows:
            raise ValueError(f"capacity {capacity} is smaller than the {rows} observations given")
        context = jnp.zeros((rows, 0)) if context is None else jnp.asarray(context, float)
        if context.ndim != 2 or context.shape[0] != rows:
            raise ValueError(f"context must have shape ({rows}, c), got {context.shape}")
        variance = jnp.zeros((rows, 0)) if noise_variance is None else jnp.asarray(noise_variance, float)[..., None]
        if variance.ndim != 2 or variance.shape[0] != rows:
            raise ValueError(f"noise_variance must have shape ({rows},), got {variance.shape[:-1]}")
        if not isinstance(variance, jax.core.Tracer):
            bad = np.flatnonzero(~(np.isfinite(variance) & (np.asarray(variance) >= 0.0)).all(axis=1))
            if bad.size:
                raise ValueError(
                    f"noise_variance must be finite and at least 0, which it is not in rows {bad.tolist()}"
                )
        full = Observations(x, context, y, variance, jnp.asarray(rows))
        return full.grow(capacity) if capacity > rows else full

    @property
    def capacity(self) -> int:
        """Number of rows, used or not."""
        return int(self.x.shape[0])

    @property
    def dim(self) -> int:
        """Dimension d of the decision points."""
        return int(self.x.shape[1])

    @property
    def mask(self) -> Bool[Array, " n"]:
        """True for the rows in use."""
        return jnp.arange(self.capacity) < self.count

    def append(
        self,
        x: Float[Array, " d"],
        y: Float[Array, ""],
        context: Float[Array, " c"] | None = None,
        noise_variance: Float[Array, ""] | None = None,
    ) -> "Observations":
        """One more observation. At full capacity the last row is overwritten: the caller sizes the capacity."""
        row = jnp.minimum(self.count, self.capacity - 1)
        variance = jnp.zeros(()) if noise_variance is None else noise_variance
        return Observations(
            x=self.x.at[row].set(x),
            context=self.context if context is None else self.context.at[row].set(context),
            y=self.y.at[row].set(y),
            noise_variance=self.noise_variance.at[row].set(variance),
            count=self.count + 1,
        )

    def grow(self, capacity: int) -> "Observations":
        """The same observations with room for ``capacity`` rows.

        Raises:
            ValueError: a capacity below the present one.
        """
        extra = capacity - self.capacity
        if extra < 0:
            raise ValueError(f"cannot shrink from capacity {self.capacity} to {capacity}")

        def pad(array: Array) -> Array:
            return jnp.pad(array, ((0, extra),) + ((0, 0),) * (array.ndim - 1))

        return Observations(pad(self.x), pad(self.context), pad(self.y), pad(self.noise_variance), self.count)


@runtime_checkable
class Objective(Protocol):
    """The interface of a problem for :func:`core.simulate`: pure JAX functions of a point of the unit cube."""

    @property
    def dim(self) -> int:
        """Dimension of the decision space."""
        ...

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Noise-free objective, to be maximised."""
        ...

    def observe(self, key: PRNGKeyArray, x: Float[Array, " d"]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """A noisy observation at x and the variance of its noise."""
        ...


@runtime_checkable
class ContextObjective(Protocol):
    """An objective f(x, c) with a random context c ~ p that nobody controls: drawn after x is chosen, then seen."""

    @property
    def dim(self) -> int:
        """Dimension of the decision space."""
        ...

    @property
    def context_dim(self) -> int:
        """Dimension of the context space, at least 1; contexts that count lie in its unit cube."""
        ...

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The stochastic objective ``E_{c ~ p} f(x, c)``, to be maximised."""
        ...

    def draw_context(self, key: PRNGKeyArray) -> Float[Array, " c"]:
        """A context from p."""
        ...

    def observe(
        self, key: PRNGKeyArray, x: Float[Array, " d"], context: Float[Array, " c"]
    ) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """A noisy observation of f(x, c) and the variance of its noise."""
        ...
