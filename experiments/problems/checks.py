"""Refusals of bad input by problems and workloads: each message names the argument and what was expected."""

from collections.abc import Iterable

from core.checks import require
from experiments.engine.names import near_names

__all__ = ["known_choice", "require"]


def known_choice(argument: str, value: str, choices: Iterable[str]) -> None:
    """Raise ValueError, listing the near ones, unless ``value`` is one of the choices."""
    names = tuple(choices)
    require(value in names, f"{argument}: {value!r} is not one of {', '.join(names)}; {near_names(str(value), names)}")
