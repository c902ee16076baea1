"""A problem with a random context: f(x, c) on the unit cubes of x and c, the law of c, and E f(x, c), to be maximised.

The expectation is the mean of f over fixed quadrature nodes: the quantiles of the context's distribution at the
midpoints of equal cells (one context) or at a scrambled Sobol' sequence of fixed seed (several). Ends with an atom, to
which contexts are clipped, are nodes with their share. ``optimum`` is the largest such mean.
"""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray
from scipy import stats

from experiments.problems.callables import callable_leaf
from experiments.problems.checks import require
from experiments.problems.contexts.distributions import ContextDistribution

__all__ = ["ContextProblem", "quadrature"]

CHUNK = 256
"""Nodes evaluated at once by default, to bound the memory of a batch of decisions."""


def quadrature(distribution: ContextDistribution, dim: int, count: int) -> Float[np.ndarray, "m c"]:
    """``count`` contexts of equal weight that stand for the distribution of ``dim`` independent coordinates.

    Raises:
        ValueError: dim below 1, or a count that is not a power of two.
    """
    require(dim >= 1, f"dim: expected at least 1, got {dim}")
    require(count >= 1 and count & (count - 1) == 0, f"count: expected a power of two, got {count}")
    if dim == 1:
        uniforms = ((np.arange(count) + 0.5) / count)[:, None]
    else:
        sobol = stats.qmc.Sobol(dim, rng=np.random.default_rng(0)).random(count)
        uniforms = np.clip(sobol, 2.0**-40, 1.0 - 2.0**-40)  # the ends have infinite quantiles
    return np.asarray(distribution.quantile(uniforms), float)


class ContextProblem(eqx.Module):
    """Satisfies ``core.types.ContextObjective``; observations are noise-free, their only randomness is the context.

    Attributes:
        name: its name.
        dim, context_dim: dimensions of x and of c.
        formula: f of a decision and a context, both in the unit cube, to be maximised.
        distribution: that of every coordinate of the context.
        nodes: contexts of equal weight behind :meth:`value`, shape (m, c).
        optimum: largest :meth:`value`.
        optimizer: a decision that attains it, shape (d,).
        chunk: nodes evaluated at once, a power of two; fewer where each evaluation needs much memory.

    Raises:
        ValueError: fields that do not fit together.
    """

    name: str = eqx.field(static=True)
    dim: int = eqx.field(static=True)
    context_dim: int = eqx.field(static=True)
    formula: Callable[..., Any]
    distribution: ContextDistribution
    nodes: Float[Array, "m c"]
    optimum: Float[Array, ""]
    optimizer: Float[Array, " d"]
    chunk: int = eqx.field(static=True)

    def __init__(
        self,
        *,
        name: str,
        dim: int,
        context_dim: int,
        formula: Callable[..., Any],
        distribution: ContextDistribution,
        nodes: int,
        optimum: float,
        optimizer: tuple[float, ...] | np.ndarray,
        chunk: int = CHUNK,
    ) -> None:
        self.name, self.dim, self.context_dim = name, dim, context_dim
        self.formula = callable_leaf(formula)
        self.distribution = distribution
        self.nodes = jnp.asarray(quadrature(distribution, context_dim, nodes))
        self.optimum = jnp.asarray(optimum, float)
        self.optimizer = jnp.asarray(optimizer, float)
        self.chunk = chunk

    def __check_init__(self) -> None:
        require(self.dim >= 1, f"dim: expected at least 1, got {self.dim}")
        shape = self.optimizer.shape
        require(shape == (self.dim,), f"optimizer: expected shape ({self.dim},), got {shape}")

        power = self.chunk >= 1 and self.chunk & (self.chunk - 1) == 0
        require(power, f"chunk: expected a power of two, got {self.chunk}")

    # By identity, so that jax.jit(problem.value) works: the arrays inside have no hash.
    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """``E f(x, c)`` over the nodes.

        Raises:
            ValueError: x is not of shape (d,).
        """
        self._require_shape("x", x, self.dim)
        size = min(self.chunk, self.nodes.shape[0])
        chunks = self.nodes.reshape(-1, size, self.context_dim)
        sums = jax.lax.map(lambda chunk: jnp.sum(jax.vmap(self.formula, (None, 0))(x, chunk)), chunks)
        return jnp.sum(sums) / self.nodes.shape[0]

    def draw_context(self, key: PRNGKeyArray) -> Float[Array, " c"]:
        """A context."""
        return self.distribution.sample(key, self.context_dim)

    def observe(
        self, key: PRNGKeyArray, x: Float[Array, " d"], context: Float[Array, " c"]
    ) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """f(x, c), exactly, and the variance of its noise, zero.

        Raises:
            ValueError: x is not of shape (d,) or the context not of shape (c,).
        """
        del key
        self._require_shape("x", x, self.dim)
        self._require_shape("context", context, self.context_dim)
        value: Float[Array, ""] = self.formula(x, context)
        return value, jnp.zeros(())

    def _require_shape(self, argument: str, point: Array, dim: int) -> None:
        shape = jnp.shape(point)
        require(shape == (dim,), f"{argument}: {self.name} expects shape ({dim},), got {shape}")
