"""The one wording for a name that is not known: say so, list the near ones, then all."""

import difflib
from collections.abc import Iterable


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown `name` of some `kind` ("study", "scale", ...), given the known names."""
    names = sorted(known)
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    guess = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"unknown {kind} {name!r}.{guess} Known: {', '.join(names) or 'none'}."
