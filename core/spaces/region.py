"""The region that constraints allow: candidates spread over the region, and near a point of it.

A predicate in Python answers for single points alone. Where few points drawn from the cube satisfy the predicate, walks
begin at known allowed points: a step towards a random point is cut in half until its end is allowed. Hit-and-run walks
(Smith 1984) serve linear constraints ``lower <= A x <= upper``: they go along a random line as far as the constraints
allow, in the subspace of the equations. A space of few points is listed.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

__all__ = ["Polytope", "Region"]

CANDIDATES = 1024
"""The number of candidates in the first round of a constrained search, spread over the allowed region."""

NEAR = 256
"""The number of candidates in every round around the best."""

ATTEMPTS = 64
"""The largest number of batches of candidates drawn until one satisfies the constraint."""

LISTED = 4096
"""The largest number of points of a space that is listed."""

HALVINGS = 12
"""The largest number of times that a step from an allowed point is cut in half."""

SLACK = 1e-9
"""The amount by which rounding may violate linear constraints, in units of their rows."""

Points = Float[np.ndarray, "m d"]


@dataclass(frozen=True)
class Polytope:
    """The points u of the cube with ``lower <= rows u <= upper``; the cube's faces are rows too.

    Attributes:
        rows, lower, upper: scaled to rows of length one, shapes (p, d), (p,) and (p,).
        centre: the point farthest from all faces that are no equations.
        basis: orthonormal directions in the subspace of the equations, shape (d, k).
    """

    rows: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    centre: np.ndarray
    basis: np.ndarray

    @staticmethod
    def of(rows: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> "Polytope":
        """Make the region from linear constraints on the unit cube.

        Raises:
            ValueError: no point satisfies them, or only one.
        """
        dim = rows.shape[1]
        length = np.linalg.norm(rows, axis=1)
        if np.any((length == 0.0) & ((lower > 0.0) | (upper < 0.0))):
            raise ValueError("no point satisfies the linear constraints")
        used = length > 0.0
        scale = length[used]
        rows = np.concatenate([rows[used] / scale[:, None], np.eye(dim)])
        lower = np.concatenate([lower[used] / scale, np.zeros(dim)])
        upper = np.concatenate([upper[used] / scale, np.ones(dim)])
        same = upper - lower <= SLACK
        centre, radius = _centre(rows, lower, upper, same)
        if radius <= SLACK and not same.all():  # some rows allow one value only, without saying so
            reach = np.array([_reach(row, rows, lower, upper) for row in rows])
            same = reach[:, 1] - reach[:, 0] <= 1e3 * SLACK
            lower, upper = np.where(same, reach[:, 0], lower), np.where(same, reach[:, 1], upper)
            centre, radius = _centre(rows, lower, upper, same)
        left = np.eye(dim)
        if same.any():
            _, sizes, directions = np.linalg.svd(rows[same])
            left = directions[int((sizes > 1e-9).sum()) :]
        if radius <= 0.0 or not len(left):
            raise ValueError("the linear constraints leave a single point")
        return Polytope(rows, lower, upper, centre, left.T)

    def contains(self, unit: np.ndarray) -> bool:
        """Return True where a point satisfies the constraints."""
        at = self.rows @ unit
        return bool(np.all((at >= self.lower - SLACK) & (at <= self.upper + SLACK)))

    def walk(self, rng: np.random.Generator, starts: Points, steps: int, radius: float | None = None) -> Points:
        """The ends of walks from some points of the polytope, by random steps as long as the polytope allows, or of a
        given length."""
        points = starts
        for number in range(steps):
            direction = rng.standard_normal((len(points), self.basis.shape[1])) @ self.basis.T
            direction /= np.linalg.norm(direction, axis=1, keepdims=True)
            at, along = points @ self.rows.T, direction @ self.rows.T
            with np.errstate(divide="ignore", invalid="ignore"):
                to_lower, to_upper = (self.lower - at) / along, (self.upper - at) / along
            flat = np.abs(along) < 1e-12
            ahead = np.where(flat, np.inf, np.maximum(to_lower, to_upper)).min(axis=1).clip(min=0.0)
            behind = np.where(flat, -np.inf, np.minimum(to_lower, to_upper)).max(axis=1).clip(max=0.0)
            if radius is None:  # a fifth of the last steps end on a face
                beyond = 0.125 * (number == steps - 1)
                share = rng.uniform(-beyond, 1.0 + beyond, len(points)).clip(0.0, 1.0)
                step = behind + share * (ahead - behind)
            else:
                wanted = radius * np.sqrt(self.basis.shape[1] / steps) * rng.standard_normal(len(points))
                step = np.clip(wanted, behind, ahead)
                inside = (step == wanted) | (rng.random(len(points)) < 0.25)
                step = np.where(inside, step, rng.random(len(points)) * step)
            points = np.clip(points + step[:, None] * direction, 0.0, 1.0)
        return points


def _centre(rows: np.ndarray, lower: np.ndarray, upper: np.ndarray, same: np.ndarray) -> tuple[np.ndarray, float]:
    """The centre of the largest ball inside the polytope, in the subspace of its equations, and the radius."""
    side = np.where(same, 0.0, 1.0)[:, None]
    some_upper, some_lower = np.isfinite(upper), np.isfinite(lower)
    matrix = np.concatenate([np.hstack([rows, side])[some_upper], np.hstack([-rows, side])[some_lower]])
    limits = np.concatenate([upper[some_upper], -lower[some_lower]])
    cost = np.append(np.zeros(rows.shape[1]), -1.0)
    found = _linear_program(cost, matrix, limits, [(0, 1)] * len(cost))
    return found[:-1], float(found[-1])


def _reach(row: np.ndarray, rows: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> tuple[float, float]:
    """The least and the largest value of ``row u`` over the polytope."""
    some_upper, some_lower = np.isfinite(upper), np.isfinite(lower)
    matrix = np.concatenate([rows[some_upper], -rows[some_lower]])
    limits = np.concatenate([upper[some_upper], -lower[some_lower]])
    ends = [row @ _linear_program(sign * row, matrix, limits, [(0, 1)] * len(row)) for sign in (1.0, -1.0)]
    return float(ends[0]), float(ends[1])


def _linear_program(cost: np.ndarray, matrix: np.ndarray, limits: np.ndarray, bounds: Any) -> np.ndarray:
    from scipy.optimize import linprog  # noqa: TID251  on the host, before anything is compiled

    found = linprog(cost, A_ub=matrix, b_ub=limits, bounds=bounds)
    if found.status != 0:
        raise ValueError("no point satisfies the linear constraints")
    point: np.ndarray = found.x
    return point


@dataclass(frozen=True)
class Region:
    """The allowed part of a cube.

    Attributes:
        dim: the cube's dimension.
        snap: function from a point of the cube to the point that is evaluated.
        allowed: True for a point that may be evaluated.
        polytope: the part that linear constraints allow; None without any.
        cells: all points that can be evaluated, where these are few; None otherwise.
        known: ``feasible`` points where walks begin when few others are found, shape (k, d).
        feasible: True for a point where a walk may begin, also one that must not be evaluated again.
    """

    dim: int
    snap: Callable[[np.ndarray], np.ndarray]
    allowed: Callable[[np.ndarray], bool]
    polytope: Polytope | None = None
    cells: np.ndarray | None = None
    known: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    feasible: Callable[[np.ndarray], bool] = lambda unit: True

    def spread(self, rng: np.random.Generator) -> Points:
        """Points spread over the region, from one to ``CANDIDATES``.

        Where no further point is found, these are the ``feasible`` known ones, and a warning says so.

        Raises:
            ValueError: no point is known, and none is found among ``ATTEMPTS * CANDIDATES`` points; no point of a
                space of few is allowed.
        """
        if self.cells is not None:
            found = [row for row in self.cells if self.allowed(row)]
            if not found:
                raise ValueError("no point of the space satisfies the constraint")
            return np.stack([found[i] for i in rng.permutation(len(found))[:CANDIDATES]])
        if self.polytope is not None:
            starts = np.repeat(self.polytope.centre[None], CANDIDATES, axis=0)
            drawn = self.polytope.walk(rng, starts, 32 + 4 * self.dim)
            found = [row for row in map(self.snap, drawn) if self.allowed(row)]
        else:
            found = [row for row in map(self.snap, rng.random((CANDIDATES, self.dim))) if self.allowed(row)]
        if len(found) < CANDIDATES // 8:
            feasible = [*filter(self.feasible, self.known)]
            found = [*found, *self._walked(rng, [*feasible, *found], CANDIDATES // 2)]
            for _ in range(ATTEMPTS - 1):
                if found:
                    break
                found = [row for row in map(self.snap, self._corners(rng)) if self.allowed(row)]
                found = [*found, *self._walked(rng, found, CANDIDATES // 2)]
            count = ATTEMPTS * CANDIDATES
            if not found and not feasible:
                raise ValueError(
                    f"no point satisfies the constraint, of {count} drawn: give observations that do; a linear one on"
                    " real parameters alone needs none, as A and bounds (scipy.optimize.LinearConstraint)"
                )
            if not found:
                warnings.warn(f"no further point satisfies the constraint, of {count} drawn: more repeat", stacklevel=7)
                found = feasible
        return np.stack(found[:CANDIDATES])

    def around(self, rng: np.random.Generator, best: np.ndarray, radius: float) -> list[np.ndarray]:
        """Points of the region at about a given distance from one of its points."""
        if self.polytope is not None:
            near = self.polytope.walk(rng, np.repeat(best[None], NEAR, axis=0), 4, radius)
            return [row for row in map(self.snap, near) if self.allowed(row)]
        steps = radius * rng.standard_normal((NEAR, self.dim))
        return [row for step in steps if (row := self._towards(best, np.clip(best + step, 0.0, 1.0), 6)) is not None]

    def _corners(self, rng: np.random.Generator) -> Points:
        """Random points of the cube: half of them anywhere, half near its centre or one of its corners,
        at all scales."""
        anywhere = rng.random((CANDIDATES, self.dim))
        ends = [np.zeros(self.dim), np.ones(self.dim), np.full(self.dim, 0.5)]
        corners = np.stack([*ends, *rng.integers(0, 2, (5, self.dim)).astype(float)])[np.arange(CANDIDATES) % 8]
        scale = 2.0 ** -rng.uniform(0.0, 8.0, (CANDIDATES, 1))
        half = (np.arange(CANDIDATES) // 8 % 2 == 0)[:, None]
        return np.where(half, anywhere, corners + scale * (anywhere - corners))

    def _walked(self, rng: np.random.Generator, base: list[np.ndarray], count: int) -> list[np.ndarray]:
        """Points on walks from some points of the region; each step goes towards a random point, in some coordinates or
        all."""
        met = list(base)
        for _ in range(count if base else 0):
            start = met[int(rng.integers(len(met)))]
            moved = rng.random(self.dim) < (0.5 if rng.random() < 0.5 else 1.0)
            target = np.where(moved, rng.random(self.dim), start)
            row = self._towards(start, target, HALVINGS)
            if row is not None:
                met.append(row)
        return met[len(base) :]

    def _towards(self, start: np.ndarray, target: np.ndarray, halvings: int) -> np.ndarray | None:
        """The first allowed point on the way from a target back to the position of a walk."""
        for _ in range(halvings):
            row = self.snap(target)
            if self.allowed(row):
                return row
            target = 0.5 * (start + target)
        return None
