"""Kernel regression and density of 1,024 candidates at t = 10^3 ... 10^6: evaluations a second, growth, memory.

The yardstick is a probe that only multiplies, exponentiates and adds, ``sum exp(A B^T)``, chunked the same way and
timed in turn with ours.
"""

import argparse
import functools
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from core.models.bandwidth import scott
from core.models.large_scale import default_chunk, fold_chunks, kernel_regression_and_density
from core.policies.constants import BANDWIDTH

__all__ = ["measure"]

DIM = 3
CANDIDATES = 1024
COUNTS = (1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000)
SHORTEST = 0.02  # seconds that a timing lasts at least, by repeating short calls
REPETITIONS = 7
SPEED_TARGET = 0.5  # of the probe's evaluations a second
MEMORY_TARGET = 2.0**30  # bytes beyond the data
EXPONENT_TARGET = 1.1


@functools.partial(jax.jit, static_argnums=2)
def probe(left: Array, right: Array, chunk: int) -> Array:
    """``sum_ij exp(left_i . right_j)``, by chunks of ``right``."""

    def step(total: Array, rows: Array, _: Array) -> Array:
        return total + jnp.sum(jnp.exp(left @ rows.T))

    result: Array = fold_chunks(step, jnp.zeros(()), right, right[:, 0], chunk)
    return result


def _data(count: int) -> tuple[Array, Array, Array, Array]:
    rng = np.random.default_rng(count)
    arrays = rng.random((CANDIDATES, DIM)), rng.random((count, DIM)), rng.standard_normal(count)
    candidates, x, y = (jnp.asarray(array) for array in arrays)
    return candidates, x, y, scott(count, DIM, BANDWIDTH)


def _seconds(call: Callable[[], Any], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        jax.block_until_ready(call())
    return (time.perf_counter() - start) / repeats


def _one(count: int) -> dict[str, float]:
    candidates, x, y, bandwidth = _data(count)
    chunk = min(default_chunk(CANDIDATES), count)
    calls: tuple[Callable[[], Any], ...] = (
        lambda: kernel_regression_and_density(candidates, x, y, bandwidth),
        lambda: probe(candidates, x, chunk),
    )
    compile_seconds = _seconds(calls[0], 1)
    repeats = [max(1, int(SHORTEST / max(_seconds(call, 2), 1e-6))) for call in calls]
    times = np.array([[_seconds(call, n) for call, n in zip(calls, repeats, strict=True)] for _ in range(REPETITIONS)])
    ours, theirs = np.median(times, axis=0)
    evaluations = float(CANDIDATES * count)
    return {
        "count": count,
        "first_call_seconds": compile_seconds,
        "seconds": float(ours),
        "evaluations_per_second": evaluations / float(ours),
        "probe_evaluations_per_second": evaluations / float(theirs),
        "of_probe": float(np.median(times[:, 1] / times[:, 0])),
    }


def measure(report: Callable[[str], None]) -> dict[str, Any]:
    """All counts in turn; the growth exponent by least squares on logarithms; memory in a fresh process."""
    rows = []
    for count in COUNTS:
        rows.append(_one(count))
        report(f"kernel sums, t = {count}: {rows[-1]['of_probe']:.0%} of the probe")
    logs = np.log([[row["count"], row["seconds"]] for row in rows])
    exponent = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    last = float((logs[-1, 1] - logs[-2, 1]) / (logs[-1, 0] - logs[-2, 0]))
    memory = _memory_in_a_fresh_process(max(COUNTS))
    worst = min(row["of_probe"] for row in rows)
    return {
        "dim": DIM,
        "candidates": CANDIDATES,
        "rows": rows,
        "exponent": exponent,
        "last_exponent": last,
        "memory": memory,
        "targets": [
            _target(
                "kernel evaluations a second, share of the probe's, worst t", SPEED_TARGET, worst, worst >= SPEED_TARGET
            ),
            _target("exponent of inference time in t", EXPONENT_TARGET, exponent, exponent <= EXPONENT_TARGET),
            _target(
                "memory beyond the data at t = 10^6, MiB",
                MEMORY_TARGET / 2**20,
                memory["beyond_data_mib"],
                memory["beyond_data_mib"] * 2**20 <= MEMORY_TARGET,
            ),
        ],
    }


def _target(name: str, target: float, reached: float, met: bool) -> dict[str, Any]:
    return {"name": name, "target": target, "reached": reached, "met": bool(met)}


def _memory_in_a_fresh_process(count: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.streaming", "--memory", str(count)]
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def _status_mib(field: str) -> float:
    """An entry of this process's status (VmRSS: resident now, VmHWM: at most since the last reset), in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{field}:")) / 2**10


def peak_growth_mib(call: Callable[[], Any]) -> float:
    """How far the resident size rises above where it stands before the call, in MiB.

    On Linux the kernel's peak is set back to the present size first; elsewhere only a new all-time peak shows.
    """
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5")  # proc(5): resets the peak resident set size
        before = _status_mib("VmRSS")
        call()
        return max(_status_mib("VmHWM") - before, 0.0)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    call()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / unit


def _memory(count: int) -> dict[str, float]:
    """Growth of the resident size by one call at ``count`` (its compilation included) once the data are there."""
    jax.block_until_ready(kernel_regression_and_density(*_data(64)))
    candidates, x, y, bandwidth = jax.block_until_ready(_data(count))
    growth = peak_growth_mib(lambda: jax.block_until_ready(kernel_regression_and_density(candidates, x, y, bandwidth)))
    data = (x.nbytes + y.nbytes + candidates.nbytes) / 2**20
    return {"count": count, "data_mib": data, "beyond_data_mib": growth}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Memory of one call, as JSON.")
    parser.add_argument("--memory", type=int, required=True, metavar="T")
    print(json.dumps(_memory(parser.parse_args().memory)))
