"""Refusals of bad input: each message names the argument and what was expected."""

import difflib
from collections.abc import Iterable

__all__ = ["near_names", "require"]


def require(condition: bool, message: str) -> None:
    """Raise ``ValueError(message)`` unless the condition holds; for constructors, before anything compiles."""
    if not condition:
        raise ValueError(message)


def near_names(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the known names nearest to ``name``, or all of them where none is near."""
    names = sorted(known)
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(names)}"
