"""The run times of README's commands: the committed record of `make bench BENCH=whole`, and `run_times.toml`."""

import json
import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.engine.store import REFERENCE

__all__ = ["CORE_MINUTES", "ELSEWHERE", "MACHINE", "MINUTES", "SPAN"]

RECORD = REFERENCE / "bench" / "whole.json"


def _read() -> dict[str, Any]:
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}


def _minutes(record: Mapping[str, Any], seconds: str) -> dict[str, int]:
    """The minutes of each stage, rounded up, from the seconds "wall" or "processor"."""
    rows = record.get("whole", {}).get("rows", ())
    return {_key(row["stage"]): math.ceil(row[seconds] / 60.0) for row in rows}


def _key(stage: str) -> str:
    """The short name of a stage: "environment, pip's cache as it is" becomes "environment"; "tests, less the slow
    files" is unchanged."""
    name = stage.partition(", pip")[0]
    return "_".join(re.findall(r"\w+", name))


def _machine(record: Mapping[str, Any]) -> str:
    machine = record.get("provenance", {}).get("machine", {})
    return f"an idle {machine.get('processor', 'machine')}, {machine.get('cores', 0)} cores"


MINUTES: Mapping[str, int] = _minutes(_read(), "wall")
"""The minutes of each stage of the record ("environment", "scale_smoke", "scale_quick", "tests")."""
CORE_MINUTES: Mapping[str, int] = _minutes(_read(), "processor")
"""The minutes of one core of each stage."""
MACHINE: str = _machine(_read())
"""The machine of the record, "an idle Intel(R) Xeon(R) Processor, 2 cores"."""


def _elsewhere() -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["run"]
    return runs


def _span(stage: str) -> str:
    """ "3 to 7": the fewest and the most minutes of a stage, rounded up, over all machines."""
    told = [
        MINUTES[stage],
        *(math.ceil(run["seconds"][stage] / 60.0) for run in _elsewhere() if stage in run["seconds"]),
    ]
    return f"{min(told)} to {max(told)}" if min(told) < max(told) else f"{told[0]}"


SPAN: Mapping[str, str] = {stage: _span(stage) for stage in MINUTES}
"""Stage -> minutes over all machines on which the stage was timed."""
ELSEWHERE: str = " and ".join(run["machine"] for run in _elsewhere())
"""The machines of `run_times.toml`."""
