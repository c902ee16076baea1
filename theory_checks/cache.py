"""Results of checks on disk: one JSON file a claim and scale, written atomically, trusted only while its key matches.

The key hashes everything a verdict depends on: the code of the claim's module and of every project module it imports
(docstrings and comments excluded), the scale, the significance level of its tests, and the study results that it reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.engine.code_version import code_version
from experiments.engine.command_line import in_words
from experiments.engine.files import write_whole
from experiments.engine.scale import SCALES
from experiments.engine.store import LOCAL, REFERENCE
from theory_checks import inputs
from theory_checks.certificates.registry import standing
from theory_checks.ledger import Claim, Verdict, level

_FIELDS = ("id", "paper", "number", "scale", "key", "verdict", "summary", "numbers", "counterexample", "seconds")
_CHECKSUM = "checksum"
VERDICTS = frozenset(map(str, Verdict))


def write_json(path: Path, value: Any) -> None:
    """Write `value` to `path` as JSON, whole or not at all."""
    write_whole(path, (json.dumps(value, indent=1, sort_keys=True, allow_nan=False) + "\n").encode())


def key_of(claim: Claim, scale: str) -> str:
    """The key under which evidence on `claim` at `scale` stays valid."""
    read = {
        study: [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in inputs.files(study, scale)]
        for study in claim.needs
    }
    significance = level(claim.paper) if claim.tests else None
    text = json.dumps([claim.id, code_version(claim.check.__module__), scale, significance, read])
    return hashlib.sha256(text.encode()).hexdigest()


def path_of(claim_id: str, scale: str, root: Path = LOCAL) -> Path:
    """Where the entry of one claim lies under a results root: `<root>/claims/<scale>/<id>.json`."""
    return root / "claims" / scale / f"{claim_id}.json"


def read(claim_id: str, scale: str, root: Path = LOCAL) -> dict[str, Any] | None:
    """The stored entry, its verdict "proved" where a certificate says so, or None where there is none.

    Raises ValueError on a truncated or foreign file.
    """
    path = path_of(claim_id, scale, root)
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a readable result: {in_words(error)}") from error
    if not isinstance(entry, dict) or any(name not in entry for name in _FIELDS):
        raise ValueError(f"{path} is not a result of claim {claim_id}")
    told = entry.pop(_CHECKSUM, None)  # entries stored before there were checksums have none
    if told is not None and told != _checksum(entry):
        raise ValueError(f"{path} is not a whole result: its checksum differs")
    if (entry["id"], entry["scale"]) != (claim_id, scale) or entry["verdict"] not in VERDICTS:
        raise ValueError(f"{path} is not a result of claim {claim_id} at scale {scale}")
    return {**entry, "verdict": standing(claim_id, entry["verdict"])}


def write(entry: Mapping[str, Any], scale: str, root: Path = LOCAL) -> None:
    """Store one entry (the fields of `_FIELDS`) under the results root, with the verdict of its check."""
    if entry["verdict"] == Verdict.PROVED:
        entry = {**entry, "verdict": str(Verdict.SUPPORTED)}
    write_json(path_of(entry["id"], scale, root), {**entry, _CHECKSUM: _checksum(entry)})


def _checksum(entry: Mapping[str, Any]) -> str:
    """SHA-256 of an entry as it is read back from JSON, in canonical form."""
    stored = json.loads(json.dumps(dict(entry)))
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()


def latest(claim_id: str, scale: str | None = None, local: Path = LOCAL) -> dict[str, Any] | None:
    """The entry at `scale`, or at the highest scale that is there: the local one, else the committed reference one.

    None where there is neither. A file that cannot be read counts as absent.
    """
    for candidate in (scale,) if scale else reversed(SCALES):
        for root in (local, REFERENCE):
            try:
                entry = read(claim_id, candidate, root)
            except ValueError:
                continue
            if entry is not None:
                return entry
    return None
