"""The agreement of a device with the CPU, within tolerances fixed before any run."""

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["TOLERANCES", "compare"]

TOLERANCES = {"formula": 1e-9, "proposal": 1e-4, "study": 1e-3, "run": 1e-3, "search": 1e-3}
"""Largest difference, relative to the largest absolute value of the array (1 at least).

Formulas round differently. Proposals end a search whose steps are tolerated to 1e-6 or so, from which rounding may lead
to another point of a flat top. Whole runs feed proposals back, so that a difference grows: there the share of entries
within the tolerance counts (`SHARES`).
"""
SHARES = {"formula": 1.0, "proposal": 1.0, "study": 0.9, "run": 0.9, "search": 0.9}


def compare(cpu: Mapping[str, np.ndarray], device: Mapping[str, np.ndarray]) -> list[dict[str, Any]]:
    """A row for every program: agreement, and seconds on both."""
    names = list(dict.fromkeys("|".join(key.split("|")[:2]) for run in (cpu, device) for key in run))
    both = [name for name in names if f"{name}|seconds" in cpu and f"{name}|seconds" in device]
    rows = [_row(name, cpu, device) for name in both]
    return [*rows, *({"name": name, "missing": _why(name, cpu, device)} for name in names if name not in both)]


def _why(name: str, *runs: Mapping[str, np.ndarray]) -> str:
    failures = [str(run[key]) for run in runs if (key := f"{name}|failed") in run]
    return failures[0] if failures else "out of time"


def _row(name: str, cpu: Mapping[str, np.ndarray], device: Mapping[str, np.ndarray]) -> dict[str, Any]:
    kind = name.split("|")[0]
    shares, worst = [], 0.0
    for key in (key for key in cpu if key.startswith(f"{name}|value|")):
        one, other = np.asarray(cpu[key], dtype=float), np.asarray(device[key], dtype=float)
        both = np.isfinite(one) & np.isfinite(other)
        scale = max(1.0, float(np.max(np.abs(one[both]), initial=0.0)))
        apart = np.abs(np.subtract(one, other, out=np.zeros_like(one), where=both))
        same = np.where(both, apart <= TOLERANCES[kind] * scale, _alike(one, other))
        shares.append(float(np.mean(same)) if same.size else 1.0)
        worst = max(worst, float(np.max(apart, initial=0.0)) / scale)
    return {
        "name": name.partition("|")[2],
        "kind": kind,
        "share": min(shares),
        "worst": worst,
        "agrees": min(shares) >= SHARES[kind],
        "cpu_seconds": cpu[f"{name}|seconds"].tolist(),
        "device_seconds": device[f"{name}|seconds"].tolist(),
    }


def _alike(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """True where both are the same infinity, or both are NaN."""
    same: np.ndarray = (one == other) | (np.isnan(one) & np.isnan(other))
    return same
