"""Two folders of results compared array by array; a refactoring must leave both equal.

    python -m experiments.engine.compare BEFORE AFTER [--scale smoke]

Both are roots of the layout of `experiments.engine.store`, such as `results/local` of two checkouts. Results are
matched by their configuration, whatever code made them, and compared bit by bit, in single precision where one side is
in single precision. Measured times (arrays named `..seconds..`) are left out. Evidence on claims is compared by
verdict, summary and numbers. The exit status is 1 where anything differs.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.engine import evidence
from experiments.engine.command_line import check_folder, in_words
from experiments.engine.equivalence import bitwise
from experiments.engine.result_file import UNREADABLE
from experiments.engine.scale import SCALES
from experiments.engine.store import Store
from experiments.engine.stored import Stored

__all__ = ["differences", "main"]

_FIELDS = ("verdict", "summary", "numbers")


def differences(before: Path, after: Path, scale: str) -> Iterator[str]:
    """A sentence for each result or claim at a scale that is in both folders and differs, or is in `before` alone."""
    found = {_key(one): one for one in _stored(after, scale)}
    for one in _stored(before, scale):
        other = found.get(_key(one))
        if other is None:
            yield f"{one}: not there afterwards"
        else:
            sentences = bitwise(one.load().arrays, other.load().arrays, narrow=True)
            yield from (f"{one}: {each}" for each in sentences)
    for claim in evidence.claims(before, scale):
        old, new = (_entry(claim, scale, root) for root in (before, after))
        yield from _claims(claim, old or {}, new)


def _stored(root: Path, scale: str) -> list[Stored]:
    return [one for one in Store(root, any_code=True).everything() if one.scale == scale]


def _key(one: Stored) -> str:
    try:
        return json.dumps(one.metadata()["config"], sort_keys=True)
    except UNREADABLE as error:
        raise ValueError(f"{one} is not a usable result ({in_words(error)})") from error


def _claims(claim: str, old: Mapping[str, Any], new: Mapping[str, Any] | None) -> Iterator[str]:
    if new is None:
        yield f"{claim}: no evidence afterwards"
        return
    for field in _FIELDS:
        if old[field] != new[field]:
            yield f"{claim}: {field} was {_short(old[field])}, is {_short(new[field])}"


def _entry(claim: str, scale: str, root: Path) -> dict[str, Any] | None:
    try:
        entry = evidence.raw(claim, scale, root)
        return None if entry is None else {field: entry[field] for field in _FIELDS}
    except (OSError, ValueError, KeyError, TypeError) as error:
        path = evidence.source(claim, scale, root)
        raise ValueError(f"{path} is not evidence on a claim ({in_words(error)})") from error


def _short(value: Any, longest: int = 300) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return text if len(text) <= longest else text[:longest] + " ..."


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; see the module's docstring. Exit status 2 where there is nothing to compare."""
    parser = argparse.ArgumentParser(prog="python -m experiments.engine.compare", description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--scale", choices=SCALES, default="smoke")
    options = parser.parse_args(arguments)
    try:
        for folder in (options.before, options.after):
            check_folder(folder, needed=True)
        found = list(differences(options.before, options.after, options.scale))
    except UNREADABLE as error:
        print(f"compare: {in_words(error)}", file=sys.stderr)
        return 2
    for line in found:
        print(line)
    results, claims = len(_stored(options.before, options.scale)), len(evidence.claims(options.before, options.scale))
    print(f"{results} results and {claims} claims at scale {options.scale}: {len(found)} differences")
    if not results + claims:
        print(f"compare: {options.before} holds nothing at this scale", file=sys.stderr)
        return 2
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
