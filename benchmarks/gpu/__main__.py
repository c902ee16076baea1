"""`python -m benchmarks gpu [--lower-only | --dry] [--minutes 30] [--keep]`: all checks of a GPU.

Every program is lowered for `cuda` by `jax.export`, which needs no GPU. Then all are run on the CPU and on the GPU,
side by side in a process each, compared within the tolerances of `agreement`, and timed. The run ends within the
minutes given, and names the programs that it leaves out. `--dry` lets the CPU stand in for the device and runs a few
programs: it shows that the script works, and nothing about any GPU. Exit status: 0 all is well, 1 something cannot be
lowered or differs, 2 no GPU is here.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command_line import Options, parse
from benchmarks.gpu import programs
from benchmarks.gpu.agreement import compare
from benchmarks.gpu.lower import lower_all
from benchmarks.gpu.page import code, section
from experiments.engine.files import write_whole
from experiments.engine.provenance import provenance
from experiments.engine.source import PROJECT

__all__ = ["main", "representative"]

LOCAL = PROJECT / "results" / "local" / "bench" / "gpu.json"
REFERENCE = PROJECT / "results" / "reference" / "bench" / "gpu.json"
PROBE = "import jax; print(jax.devices('cuda')[0].device_kind)"


OPTIONS: Options = {
    "--lower-only": {"action": "store_true", "help": "lower, and run nothing"},
    "--dry": {"action": "store_true", "help": "the CPU stands in for the device, on a few programs"},
    "--few": {"action": "store_true", "help": "lower a representative few only"},
    "--minutes": {"type": float, "default": 30.0},
    "--keep": {"action": "store_true", "help": "make this run the reference"},
}
"""The arguments of the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; see the module's docstring."""
    options = parse("gpu", __doc__, OPTIONS, arguments)
    if options.lower_only and options.dry:
        print("gpu: --lower-only runs nothing, and --dry a few programs: give one of them", file=sys.stderr)
        return 2
    begun = time.monotonic()
    device = "" if options.lower_only or options.dry else _device()
    if not device and not options.lower_only and not options.dry:
        print("gpu: JAX finds no GPU here (extra [gpu], driver). --lower-only and --dry need none.", file=sys.stderr)
        return 2
    chosen = representative() if options.few else islice(representative(), 3) if options.dry else everything()
    lowered = lower_all(chosen, lambda words: print(words, file=sys.stderr))
    result: dict[str, Any] = {
        "benchmark": "gpu",
        "provenance": provenance(),
        "code": code(),
        "device": device if not options.dry else "none: the CPU stood in",
        "lowered": [entry._asdict() for entry in lowered],
        "rows": [],
    }
    if not options.lower_only:
        left = 60.0 * options.minutes - (time.monotonic() - begun)
        result["rows"] = _measured("cpu" if options.dry else "gpu", left, options.dry)
    result["minutes"] = (time.monotonic() - begun) / 60
    for path in (LOCAL, *((REFERENCE,) if options.keep else ())):
        write_whole(path, (json.dumps(result, indent=1) + "\n").encode())
    print(section(result))
    wrong = [entry for entry in lowered if entry.problem] or [row for row in result["rows"] if not _well(row)]
    return 1 if wrong else 0


def everything() -> Iterable[programs.Program]:
    """Formulas, every policy's proposal, the heavy studies' runs."""
    yield from programs.formulas()
    yield from programs.proposals()
    yield from programs.study_runs()


def representative() -> Iterable[programs.Program]:
    """The formulas, and a policy of each kind of model that is cheap to trace."""
    yield from programs.formulas()
    for name in ("boke", "gp_ucb", "ucb1"):
        yield programs.proposal(name)


def _device() -> str:
    """The name of the GPU; empty where there is none (a process of its own asks)."""
    environment = {name: value for name, value in os.environ.items() if name != "JAX_PLATFORMS"}
    done = subprocess.run([sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _measured(platform: str, seconds: float, tiny: bool) -> list[dict[str, Any]]:
    """Both platforms' runs, and their comparison. They run side by side, on a core each, but for the small ones."""
    with tempfile.TemporaryDirectory() as folder:

        def measured(number: int, each: str) -> dict[str, np.ndarray]:
            file = Path(folder) / f"{number}.npz"
            command = [sys.executable, "-m", "benchmarks.gpu.measure", each, str(file), "--seconds", str(0.8 * seconds)]
            with suppress(subprocess.TimeoutExpired):  # the file holds the measurements made by then
                tail = ("--tiny",) if tiny else ()
                subprocess.run([*command, *tail], cwd=PROJECT, check=True, timeout=0.9 * seconds)
            if not file.exists():  # the time ran out before the first measurement
                return {}
            with np.load(file) as stored:
                return dict(stored)

        with ThreadPoolExecutor(1 if tiny else 2) as pool:
            return compare(*pool.map(measured, (0, 1), ("cpu", platform)))


def _well(row: dict[str, Any]) -> bool:
    return bool(row.get("agrees", row.get("missing") == "out of time"))


if __name__ == "__main__":
    sys.exit(main())
