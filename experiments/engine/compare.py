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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine.result_file import load
from experiments.engine.scale import SCALES

__all__ = ["differences", "main"]


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
    return json.dumps(load(path).config, sort_keys=True)


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
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    for field in ("verdict", "summary", "numbers"):
        if old[field] != new[field]:
            yield f"{before.stem}: {field} was {_short(old[field])}, is {_short(new[field])}"


def _short(value: Any, longest: int = 300) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return text if len(text) <= longest else text[:longest] + " ..."


def main() -> int:
    """The command line; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m experiments.engine.compare", description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--scale", choices=SCALES, default="smoke")
    options = parser.parse_args()
    found = list(differences(options.before, options.after, options.scale))
    for line in found:
        print(line)
    results = len(list(options.before.glob(f"*/{options.scale}/*.npz")))
    claims = len(list((options.before / "claims" / options.scale).glob("*.json")))
    print(f"{results} results and {claims} claims at scale {options.scale}: {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
