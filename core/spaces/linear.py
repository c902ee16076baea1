"""Linear constraints as users give them: ``lb <= A x <= ub`` on a box, or on the numbers of a space."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.checks import require
from core.spaces.parameters import Categorical, Real
from core.spaces.region import SLACK, Polytope
from core.spaces.space import Space

__all__ = ["Within", "ends_of", "is_linear", "polytope_of", "rows_of"]


def is_linear(constraint: Any) -> bool:
    """Return True for an object like ``scipy.optimize.LinearConstraint``, with ``A``, ``lb`` and ``ub``."""
    return all(hasattr(constraint, name) for name in ("A", "lb", "ub"))


def polytope_of(rows: np.ndarray, lower: np.ndarray, upper: np.ndarray, ends: np.ndarray) -> Polytope:
    """The part of the unit cube allowed by constraints on a box with these ends, shape (d, 2); equal ends have no axis.

    Raises:
        ValueError: no point or a single point satisfies them.
    """
    at, width = rows @ ends[:, 0], ends[:, 1] - ends[:, 0]
    return Polytope.of((rows * width)[:, width > 0], lower - at, upper - at)


class Within:
    """Linear constraints on parameters that are not plain reals, as a predicate."""

    def __init__(self, rows: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> None:
        """Keep the rows and their bounds."""
        self.rows, self.lower, self.upper = rows, lower, upper

    def __call__(self, point: Mapping[str, Any]) -> bool:
        """Return True where a point satisfies the constraints up to rounding."""
        at = self.rows @ np.array([float(value) for value in point.values()])
        slack = SLACK * np.linalg.norm(self.rows, axis=1)
        return bool(np.all((at >= self.lower - slack) & (at <= self.upper + slack)))


def rows_of(given: Sequence[Any], dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows of several linear constraints, and their lower and upper bounds.

    Raises:
        ValueError: A has not ``dim`` columns or is not finite, or bounds are NaN or not in order.
    """
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for one in given:
        rows = np.atleast_2d(np.asarray(one.A.toarray() if hasattr(one.A, "toarray") else one.A, float))
        require(rows.ndim == 2 and rows.shape[1] == dim, f"A of a linear constraint must have {dim} columns")
        lower, upper = (np.broadcast_to(np.asarray(end, float), len(rows)) for end in (one.lb, one.ub))
        sound = np.isfinite(rows).all() and not np.isnan([lower, upper]).any() and (lower <= upper).all()
        require(bool(sound), "a linear constraint must have finite A, and lb <= ub")
        parts.append((rows, lower, upper))
    rows, lower, upper = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows, lower, upper


def ends_of(space: Space) -> np.ndarray | None:
    """Bounds of the parameters, shape (p, 2), where all are plain reals; None where some are integers or logarithms.

    Raises:
        ValueError: a parameter is a choice.
    """
    parameters = space.parameters
    chosen = [name for name, parameter in parameters.items() if isinstance(parameter, Categorical)]
    require(not chosen, f"a linear constraint is on numbers, {chosen} are choices: give a function")
    if not all(isinstance(p, Real) and not (p.log and p.width) for p in parameters.values()):
        return None
    return np.array([(p.low, p.high) for p in parameters.values() if not isinstance(p, Categorical)])
