"""Kernel regression and density of 1,024 candidates at t = 10^3 ... 10^6: evaluations a second, growth, memory.

The yardstick is a probe that only multiplies, exponentiates and adds, ``sum exp(A B^T)``, chunked the same way and
timed in turn with ours.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from benchmarks.settings import Settings
from benchmarks.streaming.data import CANDIDATES, DIM, draw
from benchmarks.streaming.memory import in_a_fresh_process
from benchmarks.targets import at_least, at_most
from benchmarks.timing import Report, take_turns, timed
from core.models.chunks import fold_chunks
from core.models.large_scale import default_chunk, kernel_regression_and_density

__all__ = ["SETTINGS", "StreamingSettings", "measure", "probe"]

SPEED_TARGET = 0.5  # of the probe's evaluations a second
MEMORY_TARGET = 2.0**30  # bytes beyond the data
EXPONENT_TARGET = 1.1


@dataclass(frozen=True, kw_only=True)
class StreamingSettings(Settings):
    """The task, fixed before any run.

    Attributes:
        counts: numbers of data t.
        candidates: points at which the sums are taken.
        shortest: seconds that a timing lasts at least, by repeating short calls.
    """

    rounds: int = 7
    counts: tuple[int, ...] = (1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000)
    candidates: int = CANDIDATES
    shortest: float = 0.02


SETTINGS = StreamingSettings()


@functools.partial(jax.jit, static_argnums=2)
def probe(left: Array, right: Array, chunk: int) -> Array:
    """``sum_ij exp(left_i . right_j)``, by chunks of ``right``."""

    def step(total: Array, rows: Array) -> Array:
        return total + jnp.sum(jnp.exp(left @ rows.T))

    result: Array = fold_chunks(step, jnp.zeros(()), (right,), chunk)
    return result


def _seconds(call: Callable[[], Any], repeats: int) -> float:
    """Processor seconds per call, of so many in a row."""
    return timed(lambda: [jax.block_until_ready(call()) for _ in range(repeats)])[0].processor / repeats


def _one(count: int, settings: StreamingSettings) -> dict[str, float]:
    candidates, x, y, bandwidth = draw(count, settings.candidates)
    chunk = min(default_chunk(settings.candidates), count)
    calls: dict[str, Callable[[], Any]] = {
        "ours": lambda: kernel_regression_and_density(candidates, x, y, bandwidth),
        "probe": lambda: probe(candidates, x, chunk),
    }
    compile_seconds = _seconds(calls["ours"], 1)
    repeats = {name: max(1, int(settings.shortest / max(_seconds(call, 2), 1e-6))) for name, call in calls.items()}
    contestants = {name: lambda turn, name=name: _seconds(calls[name], repeats[name]) for name in calls}
    turns = take_turns(contestants, settings.rounds, lambda words: None)
    ours, theirs = (float(np.median(turns[name])) for name in calls)
    evaluations = float(settings.candidates * count)
    return {
        "count": count,
        "first_call_seconds": compile_seconds,
        "seconds": ours,
        "evaluations_per_second": evaluations / ours,
        "probe_evaluations_per_second": evaluations / theirs,
        "of_probe": float(np.median(np.divide(turns["probe"], turns["ours"]))),
    }


def measure(settings: StreamingSettings, report: Report) -> dict[str, Any]:
    """All counts in turn; the growth exponent by least squares on logarithms; memory in a fresh process."""
    rows = []
    for count in settings.counts:
        rows.append(_one(count, settings))
        report(f"kernel sums, t = {count}: {rows[-1]['of_probe']:.0%} of the probe")
    logs = np.log([[row["count"], row["seconds"]] for row in rows])
    exponent = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    last = float((logs[-1, 1] - logs[-2, 1]) / (logs[-1, 0] - logs[-2, 0]))
    memory = in_a_fresh_process(max(settings.counts))
    worst = min(row["of_probe"] for row in rows)
    return {
        "dim": DIM,
        "candidates": settings.candidates,
        "rows": rows,
        "exponent": exponent,
        "last_exponent": last,
        "memory": memory,
        "targets": [
            at_least("kernel evaluations a second, share of the probe's, worst t", SPEED_TARGET, worst),
            at_most("exponent of inference time in t", EXPONENT_TARGET, exponent),
            at_most("memory beyond the data at t = 10^6, MiB", MEMORY_TARGET / 2**20, memory["beyond_data_mib"]),
        ],
    }
