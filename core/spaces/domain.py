"""The domain of points: a box or a space, perhaps under constraints, and the map from the user's points to the cube."""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.checks import check_bounds, check_function, check_truth
from core.environment import users
from core.spaces.linear import Within, ends_of, is_linear, polytope_of, rows_of
from core.spaces.region import LISTED, Polytope, Region
from core.spaces.space import Space

__all__ = ["Domain"]

ROUNDED = 1e-3
"""The share of the box's sides by which a told point may differ from the point that was asked for."""

EDGE = 1e-12
"""The share of the box's sides by which a user's first point on the edge of the constraint moves inside, where rounding
in the cube leads across the edge."""


@dataclass(frozen=True)
class Domain:
    """A box of shape (d, 2); with a space, its cube.

    Attributes:
        box: the box that the points of a history lie in.
        space: the named parameters; None where points are arrays.
        predicates: conditions on a point in the form that the objective gets.
        polytope: the part of the unit cube that linear constraints allow; None without any.
    """

    box: np.ndarray
    space: Space | None
    predicates: tuple[Callable[[Any], bool], ...] = ()
    polytope: Polytope | None = None

    @staticmethod
    def of(bounds: Any, constraint: Any) -> "Domain":
        """Make a domain from d pairs (lower, upper), from a space, or from the mapping that makes a space.

        Args:
            bounds: pairs, a space or a mapping.
            constraint: a predicate, an object with ``A``, ``lb`` and ``ub`` (as ``scipy.optimize.LinearConstraint``),
                several of them, or None.

        Raises:
            ValueError: invalid bounds or parameters, a constraint that cannot be called, linear constraints of another
                dimension, on choices, or that no point satisfies.
        """
        given = list(constraint) if isinstance(constraint, (list, tuple)) else [constraint]
        linear = [one for one in given if is_linear(one)]
        predicates = [one for one in given if not is_linear(one) and one is not None]
        for one in predicates:
            check_function("constraint", one)
        space = Space(bounds) if isinstance(bounds, Mapping) else bounds if isinstance(bounds, Space) else None
        box = check_bounds(bounds if space is None else [(0.0, 1.0)] * space.dim).copy()
        box.flags.writeable = False
        if not linear:
            return Domain(box, space, tuple(predicates))
        rows, lower, upper = rows_of(linear, len(box) if space is None else len(space.names))
        ends = box if space is None else ends_of(space)
        if ends is None:
            return Domain(box, space, (*predicates, Within(rows, lower, upper)))
        return Domain(box, space, tuple(predicates), polytope_of(rows, lower, upper, ends))

    @property
    def constrained(self) -> bool:
        """True where a constraint excludes some points."""
        return bool(self.predicates) or self.polytope is not None

    @property
    def dim(self) -> int:
        """Dimension of the box."""
        return len(self.box)

    def to_box(self, unit: np.ndarray) -> np.ndarray:
        """Map points from the unit cube to the box; rounding never leads outside the box."""
        lower, upper = self.box[:, 0], self.box[:, 1]
        return np.clip(lower + unit * (upper - lower), lower, upper)

    def snapped(self, unit: np.ndarray) -> np.ndarray:
        """The point of the cube that is evaluated in place of this one."""
        return unit if self.space is None else self.space.snapped(unit)

    def point(self, x: np.ndarray) -> Any:
        """A point of the box in the form that the objective gets."""
        return x.copy() if self.space is None else self.space.decode(x)

    def points(self, rows: Sequence[np.ndarray]) -> Any:
        """Several points: an array of shape (n, d), or a list of dictionaries."""
        if self.space is not None:
            return [self.space.decode(x) for x in rows]
        return np.asarray(rows).reshape(-1, self.dim)

    @property
    def varying(self) -> int:
        """Number of parameters with more than one value."""
        return self.dim if self.space is None else self.space.varying

    def read(self, x: Any, asked: Sequence[np.ndarray]) -> tuple[np.ndarray, int | None]:
        """A user's point in the box, and the index of the point asked for that it matches.

        A point rounded to single precision or to three digits matches the nearest point asked for, if all coordinates
        agree within ``ROUNDED`` of the box's sides. A matching point outside the box is moved to the box. In a space, a
        point with the values of the point asked for is that point, to the last bit.

        Raises:
            ValueError: the point has another shape or lies outside the box, or the space lacks its names or values.
        """
        if self.space is None:
            try:
                point = np.array(x, dtype=float)
            except (TypeError, ValueError, OverflowError) as error:
                raise ValueError(f"x must be one point of shape ({self.dim},), got {x!r}") from error
            if point.shape != (self.dim,):
                raise ValueError(f"x must be one point of shape ({self.dim},), got {point.shape}")
            width = self.box[:, 1] - self.box[:, 0]
            gaps = [float(np.max(np.abs((unit - point) / width))) for unit in asked]
        else:
            if not isinstance(x, Mapping) or set(x) != set(self.space.names):
                return self.space.encode(x), None  # this call raises the error
            gaps = [self.space.gap(x, unit) for unit in asked]
        which = int(np.argmin(gaps)) if gaps and min(gaps) <= ROUNDED else None
        if self.space is not None:
            if which is not None and gaps[which] == 0.0:
                return asked[which], which
            return self.space.encode(x if which is None else self.space.clipped(x)), which
        if which is not None:
            return np.clip(point, self.box[:, 0], self.box[:, 1]), which
        if not np.all((point >= self.box[:, 0]) & (point <= self.box[:, 1])):
            raise ValueError(f"x = {point.tolist()} lies outside the bounds")
        return point, None

    def own(self, x: Any) -> np.ndarray:
        """The point of the cube for a user's point.

        Raises:
            ValueError: the point has another shape, lies outside the box, or is forbidden by the constraint.
        """
        point, _ = self.read(x, ())
        unit = np.clip((point - self.box[:, 0]) / (self.box[:, 1] - self.box[:, 0]), 0.0, 1.0)
        movable = np.ones(self.dim) if self.space is None else 1.0 - self.space.exact
        for step in (0.0, -EDGE, EDGE):
            near = np.clip(unit + step * movable, 0.0, 1.0)
            if self.allows(near):
                return near
        raise ValueError(f"{x!r} does not satisfy the constraint")

    def allows(self, unit: np.ndarray) -> bool:
        """Return True where a point of the cube that can be evaluated satisfies the constraint.

        Raises:
            ValueError: the answer is neither true nor false, such as None or an array of answers.
        """
        if self.polytope is not None and not self.polytope.contains(unit):
            return False
        for predicate in self.predicates:
            with users():
                answer = predicate(self.point(self.to_box(unit)))
            answer = answer.item() if np.size(answer) == 1 and hasattr(answer, "item") else answer
            check_truth("what constraint returns", answer)
            if not answer:
                return False
        return True

    def region(self, known: np.ndarray, tried: np.ndarray | None = None) -> Region:
        """The region of points that may be evaluated.

        Args:
            known: points of the cube in the domain; walks may begin at the allowed ones.
            tried: points of the cube that must not be evaluated again; None where repetition is allowed.
        """
        again = set() if tried is None else {row.tobytes() for row in tried}

        def allowed(unit: np.ndarray) -> bool:
            return unit.tobytes() not in again and self.allows(unit)

        return Region(self.dim, self.snapped, allowed, self.polytope, self.cells, known, self.allows)

    @property
    def cells(self) -> np.ndarray | None:
        """All points of the cube that can be evaluated, where they are few enough to be listed; None otherwise."""
        if self.space is None or self.space.size > LISTED:
            return None
        return _listed(self.space)

    def allowed_near(self, unit: np.ndarray, rng: np.random.Generator, region: Region) -> np.ndarray:
        """The point that is evaluated in place of a point of the cube, or the nearest of random allowed points.

        Raises:
            ValueError: a constraint that no point satisfies.
        """
        unit = self.snapped(unit)
        if region.allowed(unit):
            return unit
        candidates = region.spread(rng)
        nearest: np.ndarray = candidates[np.argmin(np.sum((candidates - unit) ** 2, axis=1))]
        return nearest


@functools.lru_cache(8)
def _listed(space: Space) -> np.ndarray:
    """Every point of a small space."""
    columns = [[parameter.encode(value) for value in parameter.values] for parameter in space.parameters.values()]
    return np.stack([np.concatenate(chosen) for chosen in itertools.product(*columns)])
