"""Memory of one call that streams kernel sums: `python -m benchmarks.streaming.memory COUNT` prints it as JSON."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax

from benchmarks.streaming.data import draw
from core.models.large_scale import kernel_regression_and_density

__all__ = ["in_a_fresh_process", "peak_growth_mib"]


def in_a_fresh_process(count: int) -> dict[str, float]:
    """The memory of one call on so many data: MiB of the data, and beyond them."""
    command = [sys.executable, "-m", "benchmarks.streaming.memory", str(count)]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def _status_mib(field: str) -> float:
    """An entry of this process's status (VmRSS: resident now, VmHWM: at most since the last reset), in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{field}:")) / 2**10


def peak_growth_mib(call: Callable[[], Any]) -> float:
    """The rise of the resident size above its value before the call, in MiB.

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
    jax.block_until_ready(kernel_regression_and_density(*draw(64)))
    candidates, x, y, bandwidth = jax.block_until_ready(draw(count))
    growth = peak_growth_mib(lambda: jax.block_until_ready(kernel_regression_and_density(candidates, x, y, bandwidth)))
    data = (x.nbytes + y.nbytes + candidates.nbytes) / 2**20
    return {"count": count, "data_mib": data, "beyond_data_mib": growth}


if __name__ == "__main__":
    print(json.dumps(_memory(int(sys.argv[1]))))
