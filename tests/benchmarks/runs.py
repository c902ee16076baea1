"""Made-up runs of benchmarks."""

import json
from typing import Any


def as_run(**parts: dict[str, Any]) -> dict[str, Any]:
    """A result with these parts, as it is read from its file."""
    machine = {"processor": "p", "cores": 2, "system": "s"}
    provenance = {"commit": "abc", "versions": {"jax": "1"}, "machine": machine}
    result: dict[str, Any] = json.loads(
        json.dumps({"benchmark": next(iter(parts), ""), "provenance": provenance, "device": "cpu", **parts})
    )
    return result
