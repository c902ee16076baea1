"""How long README's commands take, from the committed record of `make bench ONLY=whole`."""

import json
import math
from collections.abc import Mapping
from typing import Any

from experiments.engine.store import REFERENCE

__all__ = ["MACHINE", "MINUTES"]

RECORD = REFERENCE / "bench" / "whole.json"


def _read() -> dict[str, Any]:
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}


def _minutes(record: Mapping[str, Any]) -> dict[str, int]:
    """Stage, with underscores -> wall minutes, rounded up."""
    rows = record.get("whole", {}).get("rows", ())
    return {row["stage"].replace(" ", "_"): math.ceil(row["wall"] / 60.0) for row in rows}


def _machine(record: Mapping[str, Any]) -> str:
    machine = record.get("provenance", {}).get("machine", {})
    return f"an idle {machine.get('processor', 'machine')}, {machine.get('cores', 0)} cores"


MINUTES: Mapping[str, int] = _minutes(_read())
"""Stage of the record ("scale_smoke", "scale_quick", "tests") -> minutes."""
MACHINE: str = _machine(_read())
"""The machine of the record, "an idle Intel(R) Xeon(R) Processor, 2 cores"."""
