"""The targets of a benchmark, fixed before any run, with the values reached, as JSON values."""

from typing import Any

__all__ = ["at_least", "at_most"]


def at_least(name: str, target: float, reached: float) -> dict[str, Any]:
    """A target that is met where the value is at least the target."""
    return {"name": name, "target": target, "reached": reached, "met": bool(reached >= target)}


def at_most(name: str, target: float, reached: float) -> dict[str, Any]:
    """A target that is met where the value is at most the target."""
    return {"name": name, "target": target, "reached": reached, "met": bool(reached <= target)}
