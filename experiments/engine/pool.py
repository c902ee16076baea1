"""Runs jobs (cells with the code that shall compute them) on worker processes here; `cluster` runs them elsewhere.

Both give an iterator of outcomes in the order they finish. A job that raises gives an outcome with its traceback, and
the others go on. Workers are spawned, not forked (JAX is multi-threaded), one thread each; they leave Ctrl-C to the
parent and end when the parent dies in any way.
"""

import gc
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing.connection import wait as wait_for_connection
from typing import Any

from experiments.engine.compiled_programs import release
from experiments.engine.provenance import provenance
from experiments.engine.source import PROJECT
from experiments.engine.study import Cell
from experiments.engine.task import Task

PLATFORMS = {"cpu": "cpu", "gpu": "cuda"}  # ours to JAX's


class ExecutorError(Exception):
    """The requested executor cannot be used."""


@dataclass(frozen=True)
class Job:
    """A cell, the task that computes it, and the required version of the code.

    Attributes:
        cell, task, version: these three.
        program: the common part of the study's cells that share a compiled program; None stands for problem and policy,
            in all studies of the paper.
        here: True where the task reads files that only this machine has.
    """

    cell: Cell
    task: Task
    version: str
    program: str | None = None
    here: bool = False


@dataclass(frozen=True)
class Outcome:
    """The outcome of a job: the result by names and its metadata, or the text of the error."""

    job: Job
    found: Mapping[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    error: str | None = None


COMPILED_IN_A_HURRY = "--xla_backend_optimization_level=0"
"""The value of XLA_FLAGS at scale smoke, which mostly compiles programs that run once; half of the compilation is
LLVM's optimisation. Results may differ from optimised programs' in their last digits, and smoke results are compared
with none; the claims' verdicts at this scale are pinned, and tested with programs compiled in this way."""


def set_environment(platform: str, scale: str = "") -> None:
    """Sets the environment that a worker needs before it loads numpy or jax: one thread, the platform, and the program
    cache. At scale smoke programs are not optimised, unless the caller's XLA_FLAGS decide. Workers share a GPU: each
    takes the memory that it needs, and compiles while others compute."""
    flags = os.environ.get("XLA_FLAGS", "")
    if scale == "smoke" and platform == "cpu" and COMPILED_IN_A_HURRY.partition("=")[0] not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {COMPILED_IN_A_HURRY}".strip()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PJRT_NPROC"):
        os.environ[variable] = "1"
    os.environ["JAX_PLATFORMS"] = PLATFORMS[platform]
    if platform == "gpu":
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(PROJECT / ".cache" / "jax"))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")


def compute(job: Job) -> Outcome:
    """Computes one job. Never raises an ordinary exception: it returns the traceback."""
    try:
        release()
        if job.task.version() != job.version:
            raise RuntimeError("the source code changed since this run began, or differs on this worker: start again")
        wall, cpu = time.perf_counter(), time.process_time()
        found = job.task.run()
        metadata = {
            "wall_seconds": round(time.perf_counter() - wall, 3),
            "cpu_seconds": round(time.process_time() - cpu, 3),
            "peak_memory_mib": _peak_memory_mib(),
            **provenance(),
        }
        return Outcome(job, found, metadata)
    except Exception:
        return Outcome(job, error=traceback.format_exc())


def run_here(jobs: Sequence[Job], wanted: Callable[[Job], bool] = lambda job: True) -> Generator[Outcome, None, None]:
    """Runs jobs one after the other in this process."""
    yield from (compute(job) for job in jobs if wanted(job))


def run_local(
    jobs: Sequence[Job], workers: int, wanted: Callable[[Job], bool] = lambda job: True
) -> Generator[Outcome, None, None]:
    """Runs jobs on `workers` processes. A job is checked right before it begins; an unwanted job is left out.

    When a worker is killed (out of memory, say), every job that was running is tried once more, each alone, so that
    only the faulty job can fail again. The faulty job is reported, and the rest go on.
    """
    waiting = list(jobs)
    while waiting:
        lost, waiting = yield from _one_pool(waiting, workers, wanted)
        for job in lost:
            again, _ = yield from _one_pool([job], 1, wanted)
            if again:
                yield Outcome(job, error="Its worker process was killed twice while computing it (out of memory?).\n")


def _one_pool(
    jobs: Sequence[Job], workers: int, wanted: Callable[[Job], bool]
) -> Generator[Outcome, None, tuple[list[Job], list[Job]]]:
    """Runs jobs until all are done or a worker dies; returns the jobs that were running then, and the jobs not begun.

    Every worker is a pool of its own, so that :func:`next_for` can choose its next job.
    """
    spawn = multiprocessing.get_context("spawn")
    pools = [ProcessPoolExecutor(1, spawn, initializer=start_worker) for _ in range(workers)]
    waiting, running, lost = list(jobs), dict[Future[Outcome], tuple[Job, int]](), list[Job]()
    last = dict[int, Job]()
    finished = False
    try:
        while (waiting or running) and not lost:
            for worker in sorted(set(range(workers)) - {worker for _, worker in running.values()}):
                while waiting and worker not in {busy for _, busy in running.values()} and not lost:
                    others = [job for job, _ in running.values()]
                    job = waiting.pop(next_for(last.get(worker), others, waiting))
                    if not wanted(job):
                        continue
                    last[worker] = job
                    try:
                        running[pools[worker].submit(compute, job)] = job, worker
                    except BrokenProcessPool:
                        lost.append(job)
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                job, _ = running.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    lost.append(job)
                else:
                    yield outcome_of(future, job)
        finished = not lost
        return [*lost, *(job for job, _ in running.values())], waiting
    finally:
        for pool in pools:
            stop(pool, kill=not finished)


def next_for(last: Job | None, others: Sequence[Job], waiting: Sequence[Job]) -> int:
    """The next job of a worker among the waiting jobs: the first that shares the program of the worker's last job; else
    the first whose program no other worker compiles; else the first."""
    held, busy = last and program(last), {program(job) for job in others}
    programs = [program(job) for job in waiting]
    if held in programs:
        return programs.index(held)
    return next((place for place, one in enumerate(programs) if one not in busy), 0)


def program(job: Job) -> tuple[str, str, str]:
    """The common part of cells that may share a compiled program: paper, problem and policy, unless the study says
    otherwise."""
    if job.program is not None:
        return job.cell.study, "", job.program
    return job.cell.study.partition(".")[0], job.cell.problem, job.cell.policy


COLLECTED_AFTER = (100_000, 20, 100)
"""The numbers of new objects before Python searches for cycles (by default 700, 10, 10). Tracing makes a million
objects and hardly any cycles, and the search took a tenth of its time."""


def start_worker() -> None:
    """Initialises a worker process: the parent handles Ctrl-C, and the worker ends when the parent dies."""
    gc.set_threshold(*COLLECTED_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for_connection([parent.sentinel])
        os._exit(1)


def stop(pool: ProcessPoolExecutor, kill: bool) -> None:
    """Shuts a pool down; with `kill`, without waiting for the work in progress."""
    if kill:
        for process in list((pool._processes or {}).values()):
            process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def outcome_of(future: Future[Outcome], job: Job) -> Outcome:
    """The outcome of a job that has ended in any way."""
    error = future.exception()
    return future.result() if error is None else Outcome(job, error="".join(traceback.format_exception(error)))


def _peak_memory_mib() -> int:
    """The largest resident memory of this process so far (it may have computed other cells before)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB on Linux, bytes on macOS
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10))
