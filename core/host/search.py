"""The maximisation of an acquisition over the unit cube on the host: :func:`core.search.maximize.maximize`.

The candidates are those of the policy's :class:`core.policies.base.SearchEffort`, shifted by a random vector, and near
the best observations where the policy looks there (:mod:`core.policies.near`); NumPy draws both from the numbers of the
key.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from core.host.bfgs import bounded_bfgs
from core.host.process import Improvement
from core.policies.base import SearchEffort
from core.policies.near import NearEffort
from core.policies.restricted import ListedEffort, SnappedEffort

__all__ = ["candidates_near", "maximize", "search"]


def search(
    effort: SearchEffort,
    rng: np.random.Generator,
    acquisition: Improvement,
    around: Float[np.ndarray, "k d"],
) -> tuple[Float[np.ndarray, " d"], float]:
    """The best point found, and the logarithm of its acquisition; ``around`` are the best observed points."""
    lattice = np.asarray(effort.lattice)
    if isinstance(effort, ListedEffort):
        values = acquisition.values(lattice)
        best = int(np.argmax(values))
        return lattice[best], float(values[best])
    inner = effort.effort if isinstance(effort, SnappedEffort) else effort
    candidates = np.mod(lattice + rng.random((1, lattice.shape[1])), 1.0)
    near = candidates_near(rng, around, inner.near) if isinstance(inner, NearEffort) else candidates[:0]
    snap: Callable[[np.ndarray], np.ndarray]
    snap, moves = (lambda x: x), np.ones(lattice.shape[1])
    if isinstance(effort, SnappedEffort):
        space = effort.space
        snap, moves = (lambda x: space.snap(x, np)), 1.0 - space.exact
    point, value = maximize(
        acquisition, candidates, near=near, starts=effort.starts, max_steps=effort.max_steps, snap=snap, moves=moves
    )
    return snap(point), value


def candidates_near(rng: np.random.Generator, around: Float[np.ndarray, "k d"], count: int) -> Float[np.ndarray, "m d"]:
    """Candidates near the points, each in turn, distributed as :func:`core.policies.near.candidates_near`'s."""
    centres = np.resize(around, (count, around.shape[1]))
    radius = 10.0 ** -rng.uniform(0.5, 3.0, (count, 1))
    moves = (rng.random(centres.shape) < 0.5) | (np.arange(count)[:, None] % 2 == 0)
    return np.clip(centres + np.where(moves, radius * rng.standard_normal(centres.shape), 0.0), 0.0, 1.0)


def maximize(
    acquisition: Improvement,
    candidates: Float[np.ndarray, "m d"],
    *,
    near: Float[np.ndarray, "k d"],
    starts: int,
    max_steps: int,
    snap: Callable[[np.ndarray], np.ndarray] = lambda x: x,
    moves: Float[np.ndarray, " d"] | float = 1.0,
) -> tuple[Float[np.ndarray, " d"], float]:
    """The best of the candidates and of the points that BFGS reaches from the best ``starts`` of them.

    Args:
        acquisition: what is maximised, behind ``snap``.
        candidates: points of the unit cube.
        near: further ones, from which half of the starts come; none, of shape (0, d), for no such starts.
        starts, max_steps: of BFGS.
        snap: from points of the cube to those that are evaluated.
        moves: its derivative, coordinate by coordinate: one, or zero where it is constant on cells.
    """
    everywhere, dim = candidates.shape
    candidates = np.concatenate([candidates, near])
    scores = acquisition.values(snap(candidates))
    scores = np.where(np.isnan(scores), -np.inf, scores)
    order = np.argsort(-scores, kind="stable")
    point, score = candidates[order[0]], float(scores[order[0]])
    if not starts:
        return point, score
    close = starts // 2 if len(near) else 0
    far, closest = order[order < everywhere], order[order >= everywhere]
    chosen = np.concatenate([far[: starts - close], closest[:close]])

    def objective(points: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
        values, slopes = acquisition.with_slopes(snap(points))
        return values, lambda wanted: slopes(wanted) * moves

    centre, scale = centre_and_scale(scores[order][::-1])
    found, values = bounded_bfgs(objective, candidates[chosen], np.zeros(dim), np.ones(dim), max_steps, centre, scale)
    best = int(np.argmax(values))
    return (found[best], float(values[best])) if values[best] > score else (point, score)


def centre_and_scale(ascending: Float[np.ndarray, " m"]) -> tuple[float, float]:
    """Median and interquartile range of the finite scores; their range, then one, where that is zero."""
    finite = ascending[ascending > -np.inf]
    if not finite.size:
        return 0.0, 1.0
    quartiles = finite[((len(finite) - 1) * np.arange(5)) // 4]
    spread, span = quartiles[3] - quartiles[1], quartiles[4] - quartiles[0]
    scale = spread if spread > 0.0 else span
    return float(quartiles[2]), float(scale) if np.isfinite(scale) and scale > 0.0 else 1.0
