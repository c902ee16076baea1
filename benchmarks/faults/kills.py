"""Faults of processes: killed, starved of memory, two runs at once, a clock that was set backwards."""

import ctypes.util
import importlib.util
import os
import random
import resource
import sys
import time
from pathlib import Path

from benchmarks.faults.bench import Bench, Run
from benchmarks.faults.trial import Fault, Harm

__all__ = ["clock_faults", "kill_fault", "memory_fault", "two_runs_fault"]

LIMIT = 2**20
"""The bytes of address space that a starved worker has beyond its present use."""


def kill_fault(target: str, seconds: float) -> Fault:
    """SIGKILL to "parent", "worker" or "both" at a moment uniform over 1.1 times what an undisturbed run takes."""

    def inflict(bench: Bench, draw: random.Random) -> Harm:
        run = bench.start()
        time.sleep(1.1 * seconds * draw.random())
        struck = run.process.poll() is None
        if target == "both":
            run.kill_all()
        elif target == "parent":
            run.kill(run.process.pid)
        else:
            workers = sorted(run.workers())
            struck = bool(workers)
            if workers:
                run.kill(draw.choice(workers))
        run.end()
        return Harm({}, struck=struck)

    return Fault(f"SIGKILL, {target}", "kill -9 at a random moment", inflict)


def memory_fault() -> Fault | None:
    """A worker that gets no more memory once it computes; None where the system has no prlimit."""
    if not hasattr(resource, "prlimit"):
        return None

    def inflict(bench: Bench, draw: random.Random) -> Harm:
        run = bench.start()
        wanted = draw.randrange(3)
        # two workers, and multiprocessing's tracker
        run.until(lambda: run.stored() >= wanted and len(run.workers()) >= 3)
        starved: set[int] = set()

        def starve() -> bool:  # workers that replace the dead ones, too
            starved.update(pid for pid in run.workers() if pid not in starved and _starve(pid))
            return False

        run.until(starve)
        return Harm({}, struck=run.end().status != 0)

    return Fault("memory denied to the workers", "RLIMIT_AS of the running workers, by prlimit(2)", inflict)


def _starve(pid: int) -> bool:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[0])
        limit = pages * os.sysconf("SC_PAGE_SIZE") + LIMIT
        resource.prlimit(pid, resource.RLIMIT_AS, (limit, limit))
    except OSError:  # the run has ended
        return False
    return True


def two_runs_fault() -> Fault:
    """Two runs of the same studies into one folder, at once."""

    def inflict(bench: Bench, draw: random.Random) -> Harm:
        runs: list[Run] = [bench.start()]
        time.sleep(draw.random())
        runs.append(bench.start())
        statuses = [run.end().status for run in runs]
        return Harm({}, "" if statuses == [0, 0] else f"the two runs ended with {statuses}")

    return Fault("two runs at once in one checkout", "the second begins within a second", inflict)


def clock_faults() -> list[Fault]:
    """Results from the future, as a clock set backwards leaves them; and a run under such a clock, with libfaketime."""

    def from_the_future(bench: Bench, draw: random.Random) -> Harm:
        for path in bench.results.rglob("*.npz"):
            later = time.time() + draw.uniform(1.0, 2 * 365 * 86400.0)
            os.utime(path, (later, later))
        kept = sorted(bench.results.rglob("*.npz"))
        kept[draw.randrange(len(kept))].unlink()  # something is left to compute
        return Harm({})

    faults = [
        Fault("clock set backwards between runs", "times of the results moved ahead", from_the_future, stored=True)
    ]
    library = _faketime()
    if library:

        def behind(bench: Bench, draw: random.Random) -> Harm:
            kept = sorted(bench.results.rglob("*.npz"))
            for path in draw.sample(kept, 2):
                path.unlink()
            ended = bench.run(LD_PRELOAD=library, FAKETIME=f"-{draw.randrange(1, 900)}d")
            return Harm({}, "" if ended.status == 0 else f"the run ended with status {ended.status}")

        faults.append(Fault("clock set backwards, run under it", "libfaketime", behind, stored=True))
    return faults


def _faketime() -> str | None:
    """libfaketime of the system, or of the package of that name; None where there is neither."""
    spec = importlib.util.find_spec("libfaketime")
    if spec is not None and spec.origin is not None and sys.platform == "linux":
        found = sorted(Path(spec.origin).parent.glob("**/libfaketime.so*"))
        if found:
            return str(found[0])
    return ctypes.util.find_library("faketime")
