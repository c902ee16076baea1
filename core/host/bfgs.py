"""BFGS in a box on the host: :func:`core.search.maximize.bounded_bfgs`, step by step."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Float

from core.search.bfgs import ARMIJO
from core.search.maximize import MARGIN, TOLERANCE

__all__ = ["Objective", "bounded_bfgs"]

Slopes = Callable[[Bool[np.ndarray, " k"]], Float[np.ndarray, "m d"]]
Objective = Callable[[Float[np.ndarray, "k d"]], tuple[Float[np.ndarray, " k"], Slopes]]
"""Points -> the values there, and a function that computes the gradients at those of them that are asked for."""


def bounded_bfgs(
    objective: Objective,
    starts: Float[np.ndarray, "k d"],
    lower: Float[np.ndarray, " d"],
    upper: Float[np.ndarray, " d"],
    max_steps: int,
    centre: float = 0.0,
    scale: float = 1.0,
    tolerance: float = TOLERANCE,
) -> tuple[Float[np.ndarray, "k d"], Float[np.ndarray, " k"]]:
    """Local maxima of an objective, one run a start; the arguments are those of the JAX function.

    Runs that go on are evaluated together, and gradients are computed where a trial point is accepted. A run ends, too,
    where the next trial of its line search is so close that the run would end there if the trial were accepted.
    """
    width = upper - lower
    count, dim = starts.shape
    trial = np.arcsin(2.0 * np.clip((starts - lower) / width, MARGIN, 1.0 - MARGIN) - 1.0)
    point, loss, value = trial.copy(), np.zeros(count), np.full(count, np.nan)
    gradient, inverse, length = np.zeros((count, dim)), np.tile(np.eye(dim), (count, 1, 1)), np.ones(count)
    active, first = np.isfinite(trial).all(axis=1), np.ones(count, bool)
    for _ in range(max_steps):
        rows = np.flatnonzero(active)
        if not rows.size:
            break
        tried, slopes = objective(lower + width * (0.5 * (1.0 + np.sin(trial[rows]))))
        scaled = (tried - centre) / scale
        tried_loss = -np.arcsinh(scaled)
        with np.errstate(invalid="ignore"):  # both infinite
            moved, change = trial[rows] - point[rows], tried_loss - loss[rows]
        predicted = np.sum(gradient[rows] * moved, axis=1)
        accept = first[rows] | ((change <= ARMIJO * predicted) & (predicted <= 0.0))
        no, yes = rows[~accept], rows[accept]
        length[no] *= 0.5
        moves = length[no, None] * np.einsum("kij,kj->ki", inverse[no], gradient[no])
        trial[no] = point[no] - moves
        close = np.all(np.abs(moves) < tolerance * (1.0 + np.abs(trial[no])), axis=1)
        active[no] = ~(close & (0.5 * np.abs(predicted[~accept]) < tolerance * (1.0 + np.abs(loss[no]))))
        if not yes.size:
            continue
        by_value = -1.0 / (scale * np.sqrt(1.0 + scaled[accept] ** 2))
        found = by_value[:, None] * slopes(accept) * (0.5 * width * np.cos(trial[yes]))
        inverse[yes] = _updated(inverse[yes], moved[accept], found - gradient[yes])
        small = np.all(np.abs(moved[accept]) < tolerance * (1.0 + np.abs(trial[yes])), axis=1)
        still = np.abs(change[accept]) < tolerance * (1.0 + np.abs(tried_loss[accept]))
        ended = small & still & ~first[yes]
        point[yes], loss[yes], value[yes], gradient[yes] = trial[yes], tried_loss[accept], tried[accept], found
        trial[yes] = point[yes] - np.einsum("kij,kj->ki", inverse[yes], found)
        active[yes] = ~ended & np.isfinite(trial[yes]).all(axis=1)
        first[yes], length[yes] = False, 1.0
    at = np.clip(lower + width * (0.5 * (1.0 + np.sin(point))), lower, upper)
    return at, np.where(np.isnan(value), -np.inf, value)


def _updated(
    inverse: Float[np.ndarray, "k d d"], s: Float[np.ndarray, "k d"], r: Float[np.ndarray, "k d"]
) -> Float[np.ndarray, "k d d"]:
    """The inverse Hessians after steps s along which the gradients changed by r."""
    rho, image = np.sum(r * s, axis=1), np.einsum("kij,kj->ki", inverse, r)
    curved = rho > np.finfo(float).eps
    safe = np.where(curved, rho, 1.0)[:, None, None]
    outer = image[:, :, None] * s[:, None, :]
    raised = (safe + np.sum(r * image, axis=1)[:, None, None]) * (s[:, :, None] * s[:, None, :]) / safe**2
    updated: np.ndarray = inverse + raised - (outer + outer.transpose(0, 2, 1)) / safe
    return np.where(curved[:, None, None], updated, inverse)
