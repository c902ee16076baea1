"""Counterexamples are committed beside the code and re-evaluated on demand by the claim's own `replay`."""

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.engine import evidence
from experiments.engine.command_line import in_words
from theory_checks import cache
from theory_checks.ledger import Claim, one_line

COMMITTED = Path(__file__).resolve().parent / "counterexamples"
SMALL = 64 * 1024
"""Counterexamples up to this many bytes are committed; larger ones stay with the local results."""


@dataclass(frozen=True)
class Replayed:
    """A re-evaluated counterexample: its file, both sides of the claim, and whether the claim is violated."""

    origin: Path
    left: Any
    right: Any
    violated: bool


def committed_path(claim_id: str) -> Path:
    """The path of the committed counterexample of a claim."""
    return COMMITTED / f"{claim_id}.json"


def find(claim: Claim, scale: str | None = None, root: Path = cache.LOCAL) -> tuple[Path, Mapping[str, Any]]:
    """The counterexample of a claim: that stored at `scale` if given, else the committed one, else any stored one.

    Raises LookupError where there is none.
    """
    if scale is None and committed_path(claim.id).is_file():
        path = committed_path(claim.id)
        return path, load(path)
    for candidate in (scale,) if scale else ("quick", "paper", "smoke"):
        for place in (root, cache.REFERENCE):
            entry = cache.readable(claim.id, candidate, place)
            if entry is not None and entry["counterexample"] is not None:
                return evidence.source(claim.id, candidate, place), entry["counterexample"]
    raise LookupError(f"claim {claim.id} has no stored counterexample{f' at scale {scale}' if scale else ''}")


def load(path: Path) -> Mapping[str, Any]:
    """The counterexample in a file. Raises ValueError where the file does not hold one."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not a counterexample file: {in_words(error)}") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} is not a counterexample file: expected an object, got {type(value).__name__}")
    return value


def replay(claim: Claim, origin: Path, counterexample: Mapping[str, Any]) -> Replayed:
    """Evaluates both sides of the claim again on a stored counterexample.

    Raises LookupError without a replay function, and ValueError where the file lacks an input of the replay.
    """
    if claim.replay is None:
        raise LookupError(f"claim {claim.id} has no counterexample to replay: its evidence is statistical")
    try:
        left, right, violated = claim.replay(counterexample)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        raise ValueError(f"{origin} is not a counterexample of {claim.id}: {error!r}") from error
    return Replayed(origin, left, right, bool(violated))


def sides(claim: Claim) -> str:
    """A description of the two sides of a replayed claim: the first paragraph of its replay function's docstring."""
    words = inspect.getdoc(claim.replay) if claim.replay is not None else None
    return one_line((words or "").split("\n\n")[0])


def is_large(counterexample: Mapping[str, Any] | None) -> bool:
    """True for a counterexample that is too large to be committed."""
    return len(json.dumps(counterexample)) > SMALL


def commit(claim: Claim, counterexample: Mapping[str, Any] | None) -> Path | None:
    """Writes a small counterexample to the committed folder, or removes a stale one; returns the path written."""
    path = committed_path(claim.id)
    if counterexample is None or is_large(counterexample):
        path.unlink(missing_ok=True)
        return None
    cache.write_json(path, counterexample)
    return path
