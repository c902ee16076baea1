"""The search for a proposal in the public code of the corrected-EI paper: BoTorch's, stopped after five iterations.

256 quasi-random points are scored by the acquisition itself, not its logarithm. The best one and others, drawn without
replacement with probabilities that grow with their scores, are the four starts. L-BFGS-B then maximises the *sum* of
the acquisition over the four, all coordinates together, for at most five iterations, and stops earlier where the
projected gradient is below 1e-5 or the gain below 2.2e-9: where the acquisition is tiny, the best raw point stands.

Here the iterations are those of a projected BFGS method in JAX: first step the gradient, then the curvature of the
pairs seen, a backtracking line search; a coordinate on its bound stays there while the slope points outward.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from core.numerics import nan_as_lowest

__all__ = ["ITERATIONS", "RAW_SAMPLES", "STARTS", "choose_starts", "few_iterations", "loose_maximum"]

RAW_SAMPLES = 256
STARTS = 4
ITERATIONS = 5
GRADIENT_TOLERANCE = 1e-5
GAIN_TOLERANCE = 2.2e-9
SUFFICIENT = 1e-3
"""The share of the slope's promised gain from which a step is accepted."""
HALVINGS = 20
POSITIVE_SHARE = 1e-4
"""The least share of the best score of a start, where the search takes scores for nonnegative."""

ScalarFunction = Callable[[Float[Array, " d"]], Float[Array, ""]]


def choose_starts(
    key: PRNGKeyArray, scores: Float[Array, " m"], nonnegative: bool | Bool[Array, ""]
) -> Int[Array, " k"]:
    """Rows of the `STARTS` starts, the best score among them.

    The weight of a point is exp(score / best - 1) where BoTorch knows that the acquisition is nonnegative, as for its
    own EI and PI. For other acquisitions, such as the corrected ones, the weight is exp of the score in standard
    deviations. Draws without replacement by Gumbel's trick.
    """
    best, deviation = jnp.max(scores), jnp.std(scores, ddof=1)
    share = jnp.where(scores >= POSITIVE_SHARE * best, scores / jnp.where(best > 0, best, 1.0), -100.0)
    share = jnp.where(best > 0, share, 0.0)
    standing = (scores - jnp.mean(scores)) / jnp.where(deviation > 0, deviation, 1.0)
    weight = jnp.where(nonnegative, share, standing)
    drawn = weight + jax.random.gumbel(key, scores.shape)
    return jax.lax.top_k(drawn.at[jnp.argmax(scores)].set(jnp.inf), STARTS)[1]


def few_iterations(
    acquisition: ScalarFunction,
    starts: Float[Array, "k d"],
    lower: Float[Array, " d"],
    upper: Float[Array, " d"],
    iterations: int = ITERATIONS,
) -> Float[Array, "k d"]:
    """The points reached from the starts by maximising the sum of the acquisition; see the module's docstring."""
    shape, size = starts.shape, starts.size
    low, high = (jnp.broadcast_to(end, shape).reshape(-1) for end in (lower, upper))

    def loss(z: Float[Array, " z"]) -> Float[Array, ""]:
        return -jnp.sum(jax.vmap(acquisition)(z.reshape(shape)))

    slope_of = jax.value_and_grad(loss)

    def iterate(index: Array, carry: tuple[Array, ...]) -> tuple[Array, ...]:
        z, value, slope, steps, changes, done = carry
        free = ~(((z <= low) & (slope > 0)) | ((z >= high) & (slope < 0)))
        direction = -_inverse_hessian_times(steps, changes, index, jnp.where(free, slope, 0.0))
        move = jnp.clip(z + jnp.where(free, direction, 0.0), low, high) - z
        steepest = jnp.clip(z - slope, low, high) - z
        move = jnp.where(move @ slope < 0, move, steepest)
        done = done | (jnp.max(jnp.abs(steepest)) <= GRADIENT_TOLERANCE)

        def too_long(state: tuple[Array, Array]) -> Array:
            length, tried = state
            insufficient = ~(loss(z + length * move) <= value + SUFFICIENT * length * (move @ slope))
            return insufficient & (tried < HALVINGS)

        start = (jnp.ones(()), jnp.asarray(0))
        length, tried = jax.lax.while_loop(too_long, lambda state: (state[0] / 2, state[1] + 1), start)
        step = jnp.where(done | (tried >= HALVINGS), 0.0, length) * move
        new_value, new_slope = slope_of(z + step)
        gain = value - new_value
        small = gain <= GAIN_TOLERANCE * jnp.maximum(1.0, jnp.maximum(jnp.abs(value), jnp.abs(new_value)))
        steps, changes = steps.at[index].set(step), changes.at[index].set(new_slope - slope)
        return z + step, new_value, new_slope, steps, changes, done | small

    flat = starts.reshape(-1)
    pairs = jnp.zeros((iterations, size))
    found = jax.lax.fori_loop(0, iterations, iterate, (flat, *slope_of(flat), pairs, pairs, jnp.asarray(False)))
    return jnp.clip(found[0], low, high).reshape(shape)


def _inverse_hessian_times(
    steps: Float[Array, "i z"], changes: Float[Array, "i z"], count: Array, vector: Float[Array, " z"]
) -> Float[Array, " z"]:
    """The BFGS approximation of the inverse Hessian, from the first `count` pairs, times a vector (two loops)."""
    curvature = jnp.sum(steps * changes, axis=1)
    kept = (jnp.arange(len(steps)) < count) & (curvature > 1e-12 * jnp.sum(changes**2, axis=1)) & (curvature > 0)
    weight = jnp.where(kept, 1.0 / jnp.where(kept, curvature, 1.0), 0.0)
    shares = []
    for i in reversed(range(len(steps))):
        share = weight[i] * (steps[i] @ vector)
        vector = vector - share * changes[i]
        shares.append(share)
    last = jnp.max(jnp.where(kept, jnp.arange(len(steps)), -1))
    scale = jnp.where(last >= 0, curvature[last] / jnp.maximum(jnp.sum(changes[last] ** 2), 1e-300), 1.0)
    vector = scale * vector
    for i, share in enumerate(reversed(shares)):
        vector = vector + steps[i] * (share - weight[i] * (changes[i] @ vector))
    return vector


def loose_maximum(
    key: PRNGKeyArray,
    acquisition: ScalarFunction,
    raw: Float[Array, "m d"],
    lower: Float[Array, " d"],
    upper: Float[Array, " d"],
    nonnegative: bool | Bool[Array, ""],
) -> Float[Array, " d"]:
    """The best of the four points reached from raw points in the box."""
    scores = nan_as_lowest(jax.vmap(acquisition)(raw))
    reached = few_iterations(acquisition, raw[choose_starts(key, scores, nonnegative)], lower, upper)
    return reached[jnp.argmax(nan_as_lowest(jax.vmap(acquisition)(reached)))]
