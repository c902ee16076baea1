"""Training by Adam on batches drawn at random: the networks that Figure 4 of Paper B compresses are trained here."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

__all__ = ["adam", "cross_entropy"]

BATCH = 128
STEP = 1e-3

Weights = Any
"""A pytree of arrays in single precision."""


def cross_entropy(scores: Float[Array, "b classes"], labels: Int[Array, " b"]) -> Float[Array, ""]:
    """Mean of minus the logarithm of the probability that the scores give to each label."""
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores), labels[:, None], axis=1))


def adam(
    loss: Callable[[Weights, Int[Array, " b"]], Float[Array, ""]],
    weights: Weights,
    key: PRNGKeyArray,
    images: int,
    epochs: int,
    step_size: float = STEP,
) -> Weights:
    """The weights after `epochs` passes of Adam (Kingma & Ba 2015) on batches of 128.

    Args:
        loss: function of the weights and of the rows of a batch.
        weights: where the descent starts.
        key: of the batches; rows are drawn with replacement.
        images: how many rows there are.
        epochs: how many times `images` rows are drawn.
        step_size: of Adam.
    """

    def step(state: tuple[Weights, Weights, Weights], number: Array) -> tuple[tuple[Weights, Weights, Weights], None]:
        weights, first, second = state
        rows = jax.random.randint(jax.random.fold_in(key, number), (BATCH,), 0, images)
        gradient = jax.grad(loss)(weights, rows)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, second, gradient)
        power = (number + 1).astype(jnp.float32)
        scale = step_size * jnp.sqrt(1.0 - 0.999**power) / (1.0 - 0.9**power)
        weights = jax.tree.map(lambda w, m, v: w - scale * m / (jnp.sqrt(v) + 1e-8), weights, first, second)
        return (weights, first, second), None

    zeros = jax.tree.map(jnp.zeros_like, weights)
    steps = jnp.arange(epochs * images // BATCH)
    (weights, _, _), _ = jax.jit(lambda state: jax.lax.scan(step, state, steps))((weights, zeros, zeros))
    return jax.tree.map(np.asarray, weights)
