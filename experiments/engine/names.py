"""The message for an unknown name, and the reading of a list of names. Needs the standard library only."""

import difflib
from collections.abc import Iterable

__all__ = ["near_names", "split_names", "unknown"]


def near_names(name: str, known: Iterable[str]) -> str:
    """The end of a refusal: the known names nearest to `name`, or all of them where none is near."""
    names = sorted(set(known))
    by_lower = {each.lower(): each for each in names}
    near = [by_lower[each] for each in difflib.get_close_matches(name.lower(), by_lower, n=3, cutoff=0.5)]
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(names) or 'none'}"


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown `name` of some `kind` ("study", "scale", ...), given the known names."""
    return f"unknown {kind} {name!r}; {near_names(name, known)}"


def split_names(text: str | None) -> list[str]:
    """The names in a list with commas; an empty list stands for all.

    Raises KeyError where there are separators but no names: such a slip must not run everything.
    """
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if text and not names:
        raise KeyError(f"{text!r} names nothing; leave it out to mean everything")
    return names
