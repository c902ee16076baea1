"""The workers that evaluate: this process, processes of our own, or an executor of the user's."""

import multiprocessing
import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from core.checks import check_count
from core.environment import one_thread
from core.optimizer.validation import Outcome, failed, read

__all__ = ["Evaluator", "Job", "evaluator"]

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

HINT = (
    "f must be a function at the top of a module, and a script that calls optimize must do so under "
    "`if __name__ == '__main__':`; threads need neither: workers=ThreadPoolExecutor(4)"
)


@dataclass(eq=False)
class Job:
    """One evaluation, from its start until it has been told.

    Ctrl-C can come between any two operations. Every step therefore ends in a single operation and can be made again:
    the job says which steps were made, and a returned value is neither lost nor told twice.

    Attributes:
        x: the point.
        handle: the value that f returned, or the executor's future; empty before there is one.
        outcome: the checked result; None while f runs.
        number: the evaluations that had been told when its own telling began; None before.
    """

    x: Any
    handle: list[Any] = field(default_factory=list)
    outcome: Outcome | None = None
    number: int | None = None

    def keep(self, function: Callable[[Any], Any]) -> None:
        """Call the function at the point, and keep what it returns, without a moment between the two."""
        self.handle.extend(map(function, [self.x.copy()]))


class Evaluator(ABC):
    """Evaluations that have been started and not yet told.

    Attributes:
        slots: the largest number that may run at once.
        jobs: these evaluations, in the order in which they were started. The caller removes a job that it has told.
    """

    slots: int
    jobs: list[Job]

    @property
    def running(self) -> int:
        """The number of running evaluations."""
        return sum(job.outcome is None for job in self.jobs)

    @property
    def first(self) -> Any:
        """The point of the running evaluation that was started first."""
        return next(job.x for job in self.jobs if job.outcome is None)

    @property
    def ready(self) -> list[tuple[Job, Outcome]]:
        """The finished jobs with their outcomes."""
        return [(job, job.outcome) for job in self.jobs if job.outcome is not None]

    @abstractmethod
    def start(self, x: Any) -> None:
        """Start the evaluation of a point."""

    @abstractmethod
    def collect(self, waiting: bool = True) -> None:
        """Record the outcomes of finished jobs; wait for at least one, unless told not to."""

    @abstractmethod
    def close(self, kill: bool) -> None:
        """Release our own resources; with ``kill``, without waiting for running evaluations."""


def evaluator(f: Callable[[Any], Any], workers: int | Executor, at_once: int | None, context_dim: int = 0) -> Evaluator:
    """The evaluator that ``workers`` asks for; see :func:`core.optimizer.optimize.optimize`.

    Raises:
        ValueError: ``workers`` that is neither a count nor an executor; a function that cannot be sent to processes; an
            executor of unknown size without ``at_once``.
    """
    if at_once is not None:
        check_count("at_once", at_once)
    if not isinstance(workers, Executor):
        check_count("workers", workers)
        if workers == 1:
            return _Here(f, context_dim)
        try:
            pickle.dumps(f)
        except Exception as error:  # any error of pickle or of the object's own methods
            raise ValueError(
                f"workers={workers} sends f to processes, and it cannot be sent ({error}): {HINT}"
            ) from error
        return _Pool(f, _OwnProcesses(int(workers)), int(workers if at_once is None else at_once), context_dim)
    slots = getattr(workers, "_max_workers", None) if at_once is None else at_once
    if not isinstance(slots, (int, np.integer)):
        raise ValueError(f"{type(workers).__name__} does not say how many evaluations to run at once: give at_once=")
    return _Pool(f, workers, int(slots), context_dim)


class _Here(Evaluator):
    """Evaluations in this process, one at a time."""

    slots = 1

    def __init__(self, f: Callable[[Any], Any], context_dim: int) -> None:
        self._f = f
        self._context_dim = context_dim
        self.jobs = []

    def start(self, x: Any) -> None:
        self.jobs.append(Job(x))

    def collect(self, waiting: bool = True) -> None:
        for job in self.jobs:
            if waiting and not job.handle and job.outcome is None:
                job.outcome = self._error(job)
            if job.handle and job.outcome is None:
                job.outcome = read(job.handle[0], self._context_dim)

    def close(self, kill: bool) -> None:
        del kill

    def _error(self, job: Job) -> Outcome | None:
        """Evaluate; the outcome where f raised."""
        try:
            job.keep(self._f)
        except Exception as error:  # the objective is the user's: whatever it raises is a failed evaluation
            return failed(f"raised {type(error).__name__}: {error}", error)
        return None if job.handle else failed("raised StopIteration")


class _Pool(Evaluator):
    """Evaluations on an executor with the interface of ``concurrent.futures``."""

    def __init__(self, f: Callable[[Any], Any], executor: Any, slots: int, context_dim: int) -> None:
        self._f = f
        self._executor = executor
        self.slots = slots
        self._context_dim = context_dim
        self.jobs = []

    def start(self, x: Any) -> None:
        self.jobs.append(Job(x))
        self.jobs[-1].keep(partial(self._executor.submit, self._f))

    def collect(self, waiting: bool = True) -> None:
        running = [job for job in self.jobs if job.handle and job.outcome is None]
        futures = [job.handle[0] for job in running]
        done = wait(futures, None if waiting else 0.0, return_when=FIRST_COMPLETED).done
        for job, future in zip(running, futures, strict=True):
            if future in done and (waiting or not _ends(future)):
                job.outcome = self._outcome(future)

    def close(self, kill: bool) -> None:
        for job in self.jobs:
            for future in job.handle:
                future.cancel()
        if isinstance(self._executor, _OwnProcesses):
            self._executor.close(kill)

    def _outcome(self, future: Future[Any]) -> Outcome:
        try:
            return read(future.result(), self._context_dim)
        except BrokenExecutor as error:
            return failed(f"lost its worker ({error}). {HINT}", error)
        except Exception as error:  # any error of the user's objective is a failed evaluation
            return failed(f"raised {type(error).__name__}: {error}", error)


def _ends(future: Future[Any]) -> bool:
    """Return True where an exception of an evaluation ends the run: KeyboardInterrupt, SystemExit. A cancelled
    evaluation has no outcome."""
    return future.cancelled() or not isinstance(future.exception(), (Exception, type(None)))


class _OwnProcesses:
    """A pool of spawned processes (JAX is multi-threaded), made anew where one of them was killed."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._fresh()

    def submit(self, f: Callable[[Any], Any], x: Any) -> Future[Any]:
        try:
            return self._pool.submit(f, x)
        except BrokenExecutor:
            self._pool.shutdown(wait=False)
            self._pool = self._fresh()
            return self._pool.submit(f, x)

    def close(self, kill: bool) -> None:
        if kill:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _fresh(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"), initializer=_one_thread)


def _one_thread() -> None:
    """Sets one thread in a worker, because many workers share the machine, unless the environment says otherwise."""
    said = [name for name in THREADS if name in os.environ]
    for name in THREADS:
        os.environ.setdefault(name, "1")
    if not said:
        one_thread()  # modules that were loaded before
