"""Refusals shared by the problems: each message names the argument and what was expected."""

from collections.abc import Iterable

from experiments.engine.names import near_names

__all__ = ["known_choice", "require"]


def require(condition: bool, message: str) -> None:
    """Raise ``ValueError(message)`` unless the condition holds."""
    if not condition:
        raise ValueError(message)


def known_choice(argument: str, value: str, choices: Iterable[str]) -> None:
    """Raise ValueError, listing the near ones, unless ``value`` is one of the choices."""
    names = tuple(choices)
    require(value in names, f"{argument}: {value!r} is not one of {', '.join(names)}; {near_names(str(value), names)}")
