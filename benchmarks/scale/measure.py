"""Seconds and memory of one proposal, by numbers of data, beside the least that this machine could do (a roofline)."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import peer
from benchmarks.scale.one import DIM, RAW, STARTS
from benchmarks.settings import Settings
from benchmarks.streaming.measure import probe
from benchmarks.targets import at_least, at_most
from benchmarks.timing import Report, timed

__all__ = ["SETTINGS", "ScaleSettings", "goes_on", "measure", "roofline"]

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class ScaleSettings(Settings):
    """The task; a method goes on while its next number of data is expected to take no more than allowed.

    Attributes:
        counts: numbers of data of BOKE.
        gp_counts: of both Gaussian-process methods.
        longest: processor seconds of a proposal.
        largest: MiB of a proposal.
    """

    counts: tuple[int, ...] = (100, 1_000, 10_000, 100_000, 1_000_000)
    gp_counts: tuple[int, ...] = (100, 400, 1_600, 6_400, 25_600)
    longest: float = 60.0
    largest: float = 8192.0


SETTINGS = ScaleSettings(rounds=1)
ORDERS = {"boke": (1, 1), "gp_ucb": (3, 2), "botorch": (3, 2)}
"""The largest expected powers of t in the growth of seconds and memory."""


def measure(settings: ScaleSettings, report: Report) -> dict[str, Any]:
    """Every method from the least number of data on, each in a fresh process, as far as it goes."""
    rows: list[dict[str, Any]] = []
    stopped: dict[str, str] = {}
    for method in ORDERS:
        if method == "botorch" and not peer.available():
            continue
        last: dict[str, Any] | None = None
        for count in settings.counts if method == "boke" else settings.gp_counts:
            reason = "" if last is None else goes_on(last, count, settings)
            if reason:
                stopped[method] = f"{reason} at t = {count}"
                break
            report(f"{method}, t = {count}")
            last = _in_a_fresh_process(method, count)
            rows.append(last)
    rates = _rates()
    largest = [row for row in rows if row["method"] == "boke"][-1]
    reached = largest["cpu_seconds"] / roofline("boke", largest["count"], rates)
    targets = [
        at_least("observations that BOKE proposes with", 1e6, largest["count"]),
        at_most("MiB of a proposal of BOKE at its most", settings.largest, largest["memory_mib"]),
    ]
    search = {"dim": DIM, "raw_candidates": RAW, "starts": STARTS}
    return {"rows": rows, "stopped": stopped, "rates": rates, "of_roofline": reached, "targets": targets, **search}


def goes_on(last: dict[str, Any], count: int, settings: ScaleSettings) -> str:
    """The reason why a method does not go on to a number of data; empty where it does."""
    time_order, memory_order = ORDERS[last["method"]]
    growth = count / last["count"]
    seconds, memory = last["cpu_seconds"] * growth**time_order, last["memory_mib"] * growth**memory_order
    if seconds > settings.longest:
        return f"up to {seconds:.0f} s expected"
    if memory > settings.largest and last["count"] >= 1_000:
        return f"up to {memory / 1024:.0f} GiB expected"
    return ""


def roofline(method: str, count: int, rates: dict[str, float]) -> float:
    """The least seconds: the raw candidates' kernel sums (BOKE), or one Cholesky factor, t^3 / 3, at measured rates."""
    if method == "boke":
        return RAW * count / rates["kernel_evaluations"]
    return count**3 / 3.0 / rates["flops"]


def _rates() -> dict[str, float]:
    """Kernel evaluations a second of a loop that only sums exponentials; operations a second of a matrix product."""
    rng = np.random.default_rng(0)
    left, right = (jnp.asarray(rng.random((count, DIM))) for count in (RAW, 100_000))
    square = jnp.asarray(rng.random((1_000, 1_000)))
    product = jax.jit(jnp.matmul)
    calls = {"kernel_evaluations": lambda: probe(left, right, 2_048), "flops": lambda: product(square, square)}
    work = {"kernel_evaluations": RAW * 100_000.0, "flops": 2e9}
    best = {name: min(timed(call)[0].processor for _ in range(4)) for name, call in calls.items()}
    return {name: work[name] / best[name] for name in calls}


def _in_a_fresh_process(method: str, count: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.scale.one", method, str(count)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row
