"""What a policy is shown of a run: its observations in the unit cube, and pending points with hallucinated values."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.history import History
from core.policies import Policy
from core.types import Observations

__all__ = ["observed", "to_box", "to_unit", "with_pending"]

SMALLEST_CAPACITY = 32


def to_box(unit: np.ndarray, box: np.ndarray) -> np.ndarray:
    """From the unit cube to the box, never outside by a rounding error."""
    return np.clip(box[:, 0] + unit * (box[:, 1] - box[:, 0]), box[:, 0], box[:, 1])


def to_unit(points: np.ndarray, box: np.ndarray) -> np.ndarray:
    """From the box to the unit cube; points outside are clipped to it."""
    return np.clip((points - box[:, 0]) / (box[:, 1] - box[:, 0]), 0.0, 1.0)


def observed(history: History, failures: str) -> Observations | None:
    """The evaluations of a history, at a capacity that is a power of two; None before the first success.

    Args:
        history: in the units of the objective.
        failures: "skip" leaves failed evaluations out; "worst" shows them with the worst value seen so far.
    """
    ok, x, y, noise = history.ok, history.x, history.y, history.noise_variance
    if not ok.any():
        return None
    context = np.zeros((len(y), 0))
    if history.context_bounds is not None and history.context is not None:
        context = to_unit(history.context, history.context_bounds)
    if failures == "worst":
        worst = int(np.flatnonzero(ok)[np.argmin(y[ok])])
        y = np.where(ok, y, y[worst])
        noise = None if noise is None else np.where(ok, noise, noise[worst])
    else:
        x, y, context, noise = x[ok], y[ok], context[ok], None if noise is None else noise[ok]
    known = None if noise is None else jnp.asarray(noise)
    unit = jnp.asarray(to_unit(x, history.bounds))
    capacity = _capacity(len(y))
    return Observations.of(unit, jnp.asarray(y), jnp.asarray(context), noise_variance=known, capacity=capacity)


def with_pending(
    policy: Policy, state: Any, observations: Observations, points: Float[np.ndarray, "p d"]
) -> Observations:
    """The observations, and every pending point of the cube with the value that the policy expects there.

    Where noise variances are known, a pending point has their mean.
    """
    count = int(observations.count) + len(points)
    shown = observations.grow(max(observations.capacity, _capacity(count)))
    noise = None
    if observations.noise_variance.shape[1]:
        noise = jnp.mean(observations.noise_variance[: int(observations.count), 0])
    for point in points:
        x = jnp.asarray(point)
        shown = shown.append(x, _predict(policy, state, observations, x), noise_variance=noise)
    return shown


@eqx.filter_jit
def _predict(policy: Policy, state: Any, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
    return policy.predict(state, observations, x)


def _capacity(count: int) -> int:
    """The smallest power of two, from 32, with room for that many observations."""
    return max(SMALLEST_CAPACITY, 1 << (count - 1).bit_length())
