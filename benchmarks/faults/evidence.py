"""The claims' evidence on disk, damaged: what is read back must be what was written, or nothing."""

import random
from pathlib import Path
from typing import Any

from experiments.engine import evidence
from theory_checks import cache

__all__ = ["DAMAGES", "examine_evidence"]

DAMAGES = ("truncated", "corrupted", "swapped between claims")


def examine_evidence(damage: str, folder: Path, draw: random.Random) -> str:
    """Writes two entries, damages them on disk, reads them; a sentence on what went wrong, or nothing."""
    entries = [_entry(name, draw) for name in ("boke.first", "boke.second")]
    paths = [evidence.path_of(entry["id"], "smoke", folder) for entry in entries]
    for entry in entries:
        cache.write(entry, "smoke", folder)
    contents = [path.read_bytes() for path in paths]
    if damage == "truncated":
        paths[0].write_bytes(contents[0][: draw.randrange(len(contents[0]) - 1)])
    elif damage == "corrupted":
        changed = bytearray(contents[0])
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
        paths[0].write_bytes(changed)
    else:
        paths[0].write_bytes(contents[1])
        paths[1].write_bytes(contents[0])
    try:
        found = cache.read(entries[0]["id"], "smoke", folder)
    except ValueError:
        return ""
    same = found is not None and all(found[name] == value for name, value in entries[0].items())
    return "" if same else f"evidence {damage} was trusted"


def _entry(claim: str, draw: random.Random) -> dict[str, Any]:
    """Evidence of a made-up claim."""
    numbers = {name: draw.random() for name in ("worst", "level", "ratio")}
    return {
        "id": claim,
        "paper": "boke",
        "number": "Lemma 1",
        "scale": "smoke",
        "key": f"{draw.getrandbits(256):064x}",
        "verdict": "supported",
        "summary": f"worst of 10000 is {numbers['worst']}",
        "numbers": numbers,
        "counterexample": None,
        "seconds": round(draw.random(), 3),
    }
