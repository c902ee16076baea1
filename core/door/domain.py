"""Where points lie: a box or a space, perhaps under a constraint, and the way from the user's points to the cube."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.checks import check_bounds, check_function, check_truth
from core.door.search import feasible_candidates
from core.door.spaces import Space
from core.door.surroundings import users

__all__ = ["Domain"]


@dataclass(frozen=True)
class Domain:
    """A box of shape (d, 2); with a space, its cube.

    Attributes:
        box: the box that the points of a history lie in.
        space: the named parameters; None where points are arrays.
        constraint: what a point, as the objective is given it, must satisfy; None for nothing.
    """

    box: np.ndarray
    space: Space | None
    constraint: Callable[[Any], bool] | None

    @staticmethod
    def of(bounds: Any, constraint: Callable[[Any], bool] | None) -> "Domain":
        """From d pairs (lower, upper), a space, or the mapping that one is made of.

        Raises:
            ValueError: bounds or parameters that are none, a constraint that cannot be called.
        """
        check_function("constraint", constraint, optional=True)
        space = Space(bounds) if isinstance(bounds, Mapping) else bounds if isinstance(bounds, Space) else None
        return Domain(check_bounds(bounds if space is None else [(0.0, 1.0)] * space.dim), space, constraint)

    @property
    def dim(self) -> int:
        """Dimension of the box."""
        return len(self.box)

    def to_box(self, unit: np.ndarray) -> np.ndarray:
        """From the unit cube to the box, never outside by a rounding error."""
        lower, upper = self.box[:, 0], self.box[:, 1]
        return np.clip(lower + unit * (upper - lower), lower, upper)

    def snapped(self, unit: np.ndarray) -> np.ndarray:
        """The point of the cube that is evaluated in place of this one."""
        return unit if self.space is None else self.space.snapped(unit)

    def point(self, x: np.ndarray) -> Any:
        """A point of the box as the objective is given it."""
        return x.copy() if self.space is None else self.space.decode(x)

    def points(self, rows: Sequence[np.ndarray]) -> Any:
        """Several: an array of shape (n, d), or a list of dictionaries."""
        if self.space is not None:
            return [self.space.decode(x) for x in rows]
        return np.asarray(rows).reshape(-1, self.dim)

    def read(self, x: Any, asked: Iterable[np.ndarray]) -> np.ndarray:
        """A point as users give it, in the box: to the last bit the one that was asked for, if it was.

        Raises:
            ValueError: a point of another shape or outside the box; names or values that the space does not have.
        """
        if self.space is not None:
            same = (unit for unit in asked if isinstance(x, Mapping) and self.space.decode(unit) == x)
            unit = next(same, None)
            return self.space.encode(x) if unit is None else unit
        try:
            point = np.asarray(x, dtype=float)
        except (TypeError, ValueError) as error:
            raise ValueError(f"x must be one point of shape ({self.dim},), got {x!r}") from error
        if point.shape != (self.dim,):
            raise ValueError(f"x must be one point of shape ({self.dim},), got {point.shape}")
        if not np.all((point >= self.box[:, 0]) & (point <= self.box[:, 1])):
            raise ValueError(f"x = {point.tolist()} lies outside the bounds")
        return point

    def allows(self, unit: np.ndarray) -> bool:
        """Whether a point of the cube that can be evaluated satisfies the constraint.

        Raises:
            ValueError: an answer that is neither true nor false, such as None or one for every coordinate.
        """
        if self.constraint is None:
            return True
        with users():
            answer = self.constraint(self.point(self.to_box(unit)))
        answer = answer.item() if np.size(answer) == 1 and hasattr(answer, "item") else answer
        check_truth("what constraint returns", answer)
        return bool(answer)

    def allowed_near(self, unit: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The point that is evaluated in place of one of the cube, or the nearest of random ones that are allowed.

        Raises:
            ValueError: a constraint that no point satisfies.
        """
        unit = self.snapped(unit)
        if self.allows(unit):
            return unit
        candidates = feasible_candidates(rng, self.dim, self.snapped, self.allows)
        nearest: np.ndarray = candidates[np.argmin(np.sum((candidates - unit) ** 2, axis=1))]
        return nearest
