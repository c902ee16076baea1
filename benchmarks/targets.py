"""What a benchmark wants, fixed before any run, beside what it reached: JSON values."""

from typing import Any

__all__ = ["at_least", "at_most"]


def at_least(name: str, target: float, reached: float) -> dict[str, Any]:
    """Met where as much is reached as wanted, or more."""
    return {"name": name, "target": target, "reached": reached, "met": bool(reached >= target)}


def at_most(name: str, target: float, reached: float) -> dict[str, Any]:
    """Met where no more is reached than wanted."""
    return {"name": name, "target": target, "reached": reached, "met": bool(reached <= target)}
