"""The form in which a policy sees a run: observations in the unit cube, to be maximised, and pending points.

Arrays are filled on the host, so that showing compiles nothing.
"""

from contextlib import suppress
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.host import policy as host
from core.models.output_transform import transformed
from core.optimizer.record import Record
from core.policies import Policy
from core.types import Observations

__all__ = ["capacity_for", "observed", "to_unit", "offset", "with_pending"]

SMALLEST_CAPACITY = 32

NARROW = 1e-6
"""The share of the largest value below which a spread counts as small: the least value is then taken off."""

HALF_STEPS = 256
"""Observations beyond which there is a capacity halfway between two powers of two as well. The fit's time grows with
the cube of the capacity: from this number on, unused rows cost more than two further programs."""


def to_unit(points: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Map points from the box to the unit cube; points outside are clipped to the cube."""
    return np.clip((points - box[:, 0]) / (box[:, 1] - box[:, 0]), 0.0, 1.0)


def observed(history: Record, failures: str, room: int = 1, scale: float | None = None) -> Observations | None:
    """The evaluations of a history, with room for more (:func:`capacity_for`); None before the first success.

    Args:
        history: the run, in the units of the objective.
        failures: "worst" shows failed evaluations with the worst value seen so far, "skip" with the median, or, where
            there are contexts, not at all, because failed evaluations have no context; "drop" leaves them out.
        room: the least number of observations that must have room.
        scale: the scale of the transformation of the values (:mod:`core.models.output_transform`); None for none.
    """
    ok, x, y, noise = history.ok, history.x, history.gains, history.noise_variance
    if not ok.any():
        return None
    context = np.zeros((len(y), 0))
    if history.context_bounds is not None and history.context is not None:
        context = to_unit(history.context, history.context_bounds)
    if failures == "worst" or (failures == "skip" and history.context_bounds is None):
        by_value = np.flatnonzero(ok)[np.argsort(y[ok], kind="stable")]
        model = by_value[0 if failures == "worst" else (len(by_value) - 1) // 2]
        y = np.where(ok, y, y[model])
        noise = None if noise is None else np.where(ok, noise, noise[model])
    else:
        x, y, context, noise = x[ok], y[ok], context[ok], None if noise is None else noise[ok]
    y = transformed(y - offset(y), scale)
    columns = np.zeros((len(y), 0)) if noise is None else noise[:, None]
    return _filled(to_unit(x, history.bounds), context, y, columns, room)


def offset(y: np.ndarray) -> float:
    """The offset taken off values: the least value where their spread is a small part of them, else zero.

    Values of small spread on a large offset would otherwise count as constant.
    """
    least, largest = (float(end) for end in (np.nanmin(y), np.nanmax(y)))
    return least if largest - least < NARROW * max(abs(least), abs(largest)) else 0.0


def with_pending(
    policy: Policy, state: Any, observations: Observations, points: Float[np.ndarray, "p d"]
) -> Observations:
    """The observations, and every pending point of the cube with the value that the policy expects there.

    Where noise variances are known, a pending point has their mean.
    """
    count = int(observations.count)
    values = _predicted(policy, state, observations, points)
    x, context, y, noise = (
        np.asarray(part)[:count]
        for part in (observations.x, observations.context, observations.y, observations.noise_variance)
    )
    return _filled(
        np.concatenate([x, points]),
        np.concatenate([context, np.zeros((len(points), context.shape[1]))]),
        np.concatenate([y, values]),
        np.concatenate([noise, np.tile(noise.mean(axis=0, keepdims=True), (len(points), 1))]),
    )


def _filled(x: np.ndarray, context: np.ndarray, y: np.ndarray, noise: np.ndarray, room: int = 1) -> Observations:
    """The rows, at the capacity for their number, or for ``room`` where ``room`` is larger."""
    count = len(y)
    unused = capacity_for(max(count, room)) - count
    rows = [np.concatenate([part, np.zeros((unused, *part.shape[1:]))]) for part in (x, context, y, noise)]
    return Observations(*jax.device_put((*rows, np.asarray(count))))  # jnp.asarray compiles a program a shape


def _predicted(policy: Policy, state: Any, observations: Observations, points: Float[np.ndarray, "p d"]) -> np.ndarray:
    """The policy's expectations at some points."""
    with suppress(np.linalg.LinAlgError):
        if host.learns_here(policy):
            return host.predicted(state, observations, points)
    return np.array([float(_predict(policy, state, observations, jnp.asarray(point))) for point in points])


@eqx.filter_jit
def _predict(policy: Policy, state: Any, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
    return policy.predict(state, observations, x)


def capacity_for(count: int) -> int:
    """The smallest of 32, 64, 128, 256, 384, 512, 768, 1024, ... with room for that many observations."""
    power = max(SMALLEST_CAPACITY, 1 << (count - 1).bit_length())
    half = power - power // 4
    return half if power > HALF_STEPS and count <= half else power
