"""Refusals shared by the problems: each message names the argument and what was expected."""

import difflib
from collections.abc import Iterable

__all__ = ["known_choice", "near_names", "require"]


def require(condition: bool, message: str) -> None:
    """Raise ``ValueError(message)`` unless the condition holds."""
    if not condition:
        raise ValueError(message)


def near_names(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the known names nearest to ``name``, or all of them where none is near."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(names)}"


def known_choice(argument: str, value: str, choices: Iterable[str]) -> None:
    """Raise ValueError, listing the near ones, unless ``value`` is one of the choices."""
    names = tuple(choices)
    require(value in names, f"{argument}: {value!r} is not one of {', '.join(names)}; {near_names(str(value), names)}")
