"""Two folders of results, array by array: what a refactoring must leave as it was.

    python -m experiments.engine.compare BEFORE AFTER [--scale smoke]

Both are roots of the layout of `experiments.engine.store`, such as `results/local` of two checkouts. Results are
matched by their configuration, whatever code made them, and compared bit by bit; measured times (arrays named
`..seconds..`) are left out. Evidence on claims is compared by verdict, summary and numbers. The exit status is 1 where
anything differs.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine.command_line import check_folder, in_words
from experiments.engine.result_file import UNREADABLE, load
from experiments.engine.scale import SCALES

__all__ = ["differences", "main"]

_FIELDS = ("verdict", "summary", "numbers")


def differences(before: Path, after: Path, scale: str) -> Iterator[str]:
    """A sentence for each result or claim at a scale that is in both folders and differs, or is in `before` alone."""
    found = {_key(path): path for path in after.glob(f"*/{scale}/*.npz")}
    for path in sorted(before.glob(f"*/{scale}/*.npz")):
        other = found.get(_key(path))
        name = f"{path.parent.parent.name} {path.stem}"
        yield from [f"{name}: not there afterwards"] if other is None else _arrays(name, path, other)
    for path in sorted((before / "claims" / scale).glob("*.json")):
        yield from _claims(path, after / "claims" / scale / path.name)


def _key(path: Path) -> str:
    try:
        return json.dumps(load(path).config, sort_keys=True)
    except UNREADABLE as error:
        raise ValueError(f"{path} is not a usable result ({in_words(error)})") from error


def _arrays(name: str, before: Path, after: Path) -> Iterator[str]:
    old, new = load(before).arrays, load(after).arrays
    for array in sorted({*old, *new}):
        if "seconds" in array:
            continue
        if array not in old or array not in new:
            yield f"{name}: {array} is there only {'before' if array in old else 'afterwards'}"
        elif old[array].shape != new[array].shape or old[array].dtype != new[array].dtype:
            yield f"{name}: {array} was {old[array].dtype}{old[array].shape}, is {new[array].dtype}{new[array].shape}"
        elif old[array].tobytes() != new[array].tobytes():
            changed = old[array] != new[array]
            yield f"{name}: {array} differs in {int(np.sum(changed))} of {changed.size} entries"


def _claims(before: Path, after: Path) -> Iterator[str]:
    if not after.is_file():
        yield f"{before.stem}: no evidence afterwards"
        return
    old, new = _entry(before), _entry(after)
    for field in _FIELDS:
        if old[field] != new[field]:
            yield f"{before.stem}: {field} was {_short(old[field])}, is {_short(new[field])}"


def _entry(path: Path) -> dict[str, Any]:
    try:
        entry: Any = json.loads(path.read_text(encoding="utf-8"))
        return {field: entry[field] for field in _FIELDS}
    except (OSError, ValueError, KeyError, TypeError) as error:
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
    results = len(list(options.before.glob(f"*/{options.scale}/*.npz")))
    claims = len(list((options.before / "claims" / options.scale).glob("*.json")))
    print(f"{results} results and {claims} claims at scale {options.scale}: {len(found)} differences")
    if not results + claims:
        print(f"compare: {options.before} holds nothing at this scale", file=sys.stderr)
        return 2
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
