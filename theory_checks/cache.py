"""Results of checks on disk (`experiments.engine.evidence`), trusted only while their keys match.

The key hashes everything a verdict depends on: the code that the check uses (`experiments.engine.code_version`), the
scale, the significance level of its tests, the rule of a reading, and what is kept of the study results that it reads.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine import code_version as versions
from experiments.engine import evidence
from experiments.engine.closure import Closure
from experiments.engine.command_line import in_words
from experiments.engine.files import write_whole
from experiments.engine.registry import STUDIES
from experiments.engine.result_file import UNREADABLE
from experiments.engine.scale import SCALES
from experiments.engine.slim import slimmed
from experiments.engine.source import Tree
from experiments.engine.standing import OLDER, THIS, Standing
from experiments.engine.store import LOCAL, REFERENCE
from experiments.engine.stored import Stored
from theory_checks import study_results
from theory_checks.certificates import registry
from theory_checks.ledger import Claim, Kind, Outcome, Verdict, level

_FIELDS = ("id", "paper", "number", "scale", "key", "verdict", "summary", "numbers", "counterexample", "seconds")
_CHECKSUM = "checksum"
VERDICTS = frozenset(map(str, (*Verdict, *Outcome)))


def write_json(path: Path, value: Any) -> None:
    """Writes `value` to `path` as JSON, whole or not at all."""
    write_whole(path, (json.dumps(value, indent=1, sort_keys=True, allow_nan=False) + "\n").encode())


OPAQUE = (
    "theory_checks.ledger.claim",
    "theory_checks.ledger.variant_claim",
    "theory_checks.ledger.load",
    "theory_checks.study_results.files",
    "theory_checks.study_results.committed",
    "theory_checks.readings.digest.digest_of",
    "experiments.engine.registry.STUDIES",
)
"""Symbols that :func:`code_version` does not follow: registration, the other claims (the key holds the level), the
places of results (the key holds the content), the hash of a declaration (its values count), and the list of studies."""


def code_version(claim: Claim) -> str:
    """A hash, in ten hexadecimal digits, of the code that examines a claim."""
    return used_by(claim).code


def used_by(claim: Claim) -> Closure:
    """The code that examining a claim uses: the statement that declares the claim, and all that the statement uses."""
    name, own = claim.check.__module__, claim.check.__qualname__.partition(".")[0]
    module = Tree(extra=(name.partition(".")[0],)).module(name)
    if module is None:
        raise ModuleNotFoundError(f"no source file for the module {name!r}")
    return versions.of_names(name, versions.declared(module, claim.id, own), OPAQUE)


def key_of(claim: Claim, scale: str, *, committed: bool = False) -> str:
    """The key under which evidence on `claim` at `scale` stays valid: a hash of the code, and one of all other inputs.

    The key counts the study results that a check reads here or, if `committed`, the reference results.
    """
    files = study_results.committed if committed else study_results.files
    read = {study: sorted(_content(study, one) for one in files(study, scale)) for study in claim.needs}
    significance = level(claim.paper) if claim.tests else None
    declared = claim.rule if claim.kind is Kind.EXPERIMENT else None
    text = json.dumps([claim.id, scale, significance, declared, read])
    return f"{code_version(claim)}-{hashlib.sha256(text.encode()).hexdigest()}"


def standing(claim: Claim, entry: Mapping[str, Any]) -> Standing:
    """The relation of committed evidence on a claim to today's code and to the committed results that it reads."""
    return THIS if entry.get("key") == key_of(claim, entry["scale"], committed=True) else OLDER


def _content(study: str, stored: Stored) -> str:
    """A hash of the kept part of a study's result, without its metadata: local results and the reference made of them
    have the same hash."""
    key = stored, stored.modified
    if key not in _CONTENTS:
        try:
            result = stored.load()
        except UNREADABLE:  # readers pass over the file
            return "unreadable"
        whole = hashlib.sha256(json.dumps(result.config, sort_keys=True).encode())
        for name, array in sorted(slimmed(result, STUDIES[study].keep).arrays.items()):
            values = np.ascontiguousarray(array)
            whole.update(f"{name} {values.dtype} {values.shape} ".encode() + values.tobytes())
        _CONTENTS[key] = whole.hexdigest()
    return _CONTENTS[key]


_CONTENTS: dict[tuple[Stored, int], str] = {}


def read(claim_id: str, scale: str, root: Path = LOCAL) -> dict[str, Any] | None:
    """The stored entry, or None without one. Its verdict is "proved" where a certificate says so.

    Raises ValueError on a truncated or foreign file.
    """
    path = evidence.source(claim_id, scale, root)
    try:
        entry = evidence.raw(claim_id, scale, root)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} is not a readable result: {in_words(error)}") from error
    if entry is None:
        return None
    if not isinstance(entry, dict) or any(name not in entry for name in _FIELDS):
        raise ValueError(f"{path} is not a result of claim {claim_id}")
    entry = dict(entry)
    if entry.pop(_CHECKSUM, None) != _checksum(entry):
        raise ValueError(f"{path} is not a whole result: its checksum differs")
    if (entry["id"], entry["scale"]) != (claim_id, scale) or entry["verdict"] not in VERDICTS:
        raise ValueError(f"{path} is not a result of claim {claim_id} at scale {scale}")
    return {**entry, "verdict": registry.standing(claim_id, entry["verdict"])}


def write(entry: Mapping[str, Any], scale: str, root: Path = LOCAL) -> None:
    """Stores one entry (the fields of `_FIELDS`) under the results root, with the verdict of its check."""
    write_json(evidence.path_of(entry["id"], scale, root), _stored(entry))


def keep(entries: Iterable[Mapping[str, Any]], scale: str, root: Path) -> None:
    """Puts entries into the committed evidence under a results root, with the verdicts of their checks."""
    evidence.keep(map(_stored, entries), scale, root)


def _stored(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    if entry["verdict"] == Verdict.PROVED:
        entry = {**entry, "verdict": str(Verdict.SUPPORTED)}
    return {**entry, _CHECKSUM: _checksum(entry)}


def _checksum(entry: Mapping[str, Any]) -> str:
    """SHA-256 of an entry as it is read back from JSON, in canonical form."""
    stored = json.loads(json.dumps(dict(entry)))
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()


def readable(claim_id: str, scale: str, root: Path = LOCAL) -> dict[str, Any] | None:
    """The stored entry; None without one, and for a file that cannot be read."""
    try:
        return read(claim_id, scale, root)
    except ValueError:
        return None


def latest(claim_id: str, scale: str | None = None, local: Path = LOCAL) -> dict[str, Any] | None:
    """The entry at `scale`, or at the highest stored scale: the local entry, else the committed one, else None.

    A file that cannot be read counts as absent.
    """
    for candidate in (scale,) if scale else reversed(SCALES):
        for root in (local, REFERENCE):
            if (entry := readable(claim_id, candidate, root)) is not None:
                return entry
    return None
