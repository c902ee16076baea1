"""The loop on :class:`core.optimizer.optimizer.Optimizer`: evaluates a Python function, here or on workers."""

import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import replace
from os import PathLike
from typing import Any, Unpack

import numpy as np

from core.checks import check_bounds, check_count, check_function, check_threshold, check_truth
from core.optimizer.history import History
from core.optimizer.log import RunLog, initial_size_of
from core.optimizer.optimizer import Optimizer
from core.optimizer.options import FAILURES, Bounds, Options, complete, spelled_out
from core.optimizer.record import Evaluation, EvaluationError, Interrupted
from core.optimizer.validation import Outcome, check_observations, inconsistent
from core.optimizer.workers import Evaluator, evaluator
from core.spaces.domain import Domain

__all__ = ["optimize"]

OUTSIDE = (KeyboardInterrupt, SystemExit)
"""The exceptions that end a run from outside, at any moment."""

CLEAR = "\r\x1b[2K"


class ProgressLine:
    """Rewrites one line of standard error: evaluations done, running and planned, the best value, seconds.

    Args:
        shown: True shows the line.
        budget: number of evaluations planned.
    """

    def __init__(self, shown: bool, budget: int) -> None:
        self._shown = shown and sys.stderr is not None
        self._budget = budget
        self._start = time.monotonic()

    @staticmethod
    def of(wanted: bool | None, budget: int) -> "ProgressLine":
        """The progress line as ``wanted``; None shows it where standard error is a terminal."""
        terminal = sys.stderr is not None and sys.stderr.isatty()
        return ProgressLine(terminal if wanted is None else wanted, budget)

    def show(self, history: History, running: int) -> None:
        """Write the line anew."""
        if not self._shown:
            return
        best = f"best {history.best_y:.6g}" if history.ok.any() else "none has succeeded"
        failed = f", {len(history.failures)} failed" if history.failures else ""
        seconds = time.monotonic() - self._start
        done = f"{len(history)}/{self._budget} evaluations"
        sys.stderr.write(f"{CLEAR}{done}{failed}, {running} running; {best}; {seconds:.0f} s")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line, so that later output starts on a line of its own."""
        if self._shown:
            sys.stderr.write("\n")
            sys.stderr.flush()


@spelled_out
def optimize(
    f: Callable[[Any], float | Evaluation],
    bounds: Bounds,
    *,
    budget: int,
    on_failure: str = "raise",
    stop_below: float | None = None,
    workers: int | Executor = 1,
    at_once: int | None = None,
    time_limit: float | None = None,
    callback: Callable[[History], bool | None] | None = None,
    progress: bool | None = None,
    log: str | PathLike[str] | None = None,
    **options: Unpack[Options],
) -> History:
    """Maximise, or minimise, a Python function over a box or a space of named parameters.

    Args:
        f: maps a point, shape (d,), in its own units, or a dictionary of parameters, to a number, or to an
            :class:`Evaluation`, which can carry the variance of its noise and a context; with ``context_bounds``, also
            to a pair (value, context).
        bounds: d pairs (lower, upper), finite, lower < upper; or a :class:`core.spaces.space.Space`, or the mapping of
            names to parameters that makes a space.
        options: :class:`core.optimizer.options.Options`: the key, the policy, observations given, the initial design,
            contexts, constraints, noise, and whether smaller is better.
        budget: number of evaluations, those in ``observations`` included.
        on_failure: the treatment of an f that raises or returns NaN or an infinity. "raise": :class:`EvaluationError`,
            which carries the history. "worst": record the failure, and show the policy the worst value seen so far,
            which keeps the policy away from a region that fails. "skip": record the failure, and show the policy the
            median of the values seen so far, for failures by chance: the point is not proposed again, and its
            neighbours are hardly penalised. (With contexts "skip" leaves failed evaluations out, because they have no
            context.)
        stop_below: stop before the budget is spent, once the gain that the policy expects of its next query is below
            this number, in the unit of f: the cost of an evaluation (B (11)). Needs a
            policy that expects a gain, such as the default.
        workers: 1 evaluates in this process. A larger number, on as many processes, to which f must be possible to
            send: a function at the top of a module. Or any executor of the interface of ``concurrent.futures``: a
            ``ThreadPoolExecutor`` where f waits for something else, on a cluster dask's
            ``Client.get_executor(pure=False)`` (else a point that is asked for twice at once is evaluated once).
        at_once: number of evaluations that run at once; by default the number of workers, where the executor tells it.
            Without effect where ``workers`` is 1.
        time_limit: seconds after which no evaluation starts; running ones are waited for.
        callback: called with the history after every evaluation; a true answer stops the run. Where several run at
            once, those that finish after the run has been stopped, by an answer or an error, are recorded without a
            call.
        progress: show a line on the terminal (standard error); None where that is a terminal.
        log: a file to which every evaluation is added, and is durable, before the next one starts. A run that was
            killed goes on from it, by the same call, exactly where it stood: see :mod:`core.optimizer.log`.

    Returns:
        The history; :attr:`History.recommended` is the point to use.

    Raises:
        ValueError: bad arguments, or a log of another run.
        TypeError: an unknown option; no key.
        KeyError: an unknown policy.
        OSError: a log that cannot be opened or written.
        EvaluationError: see ``on_failure``.
        Interrupted: Ctrl-C; a KeyboardInterrupt that carries the history.

    Any exception that ends a run (of the constraint, the callback or the executor, or SystemExit) has the attribute
    ``history`` with every finished evaluation. The log holds these evaluations too.
    """
    check_function("f", f)
    check_function("callback", callback, optional=True)
    if on_failure not in ("raise", *FAILURES):
        raise ValueError(f"on_failure must be 'raise', 'skip' or 'worst', got {on_failure!r}")
    if on_failure == "worst" and options.get("context_bounds") is not None:
        raise ValueError("on_failure='worst' needs a run without contexts, a failed evaluation has none: use 'skip'")
    if progress is not None:
        check_truth("progress", progress)
    check_count("budget", budget)
    if options.get("initial_size") is None and log is not None:
        # the log's run may have begun with a smaller budget
        options["initial_size"] = initial_size_of(log)
    failures = "skip" if on_failure == "raise" else on_failure
    try:
        optimizer = Optimizer(bounds, failures=failures, budget=budget, **options)
    except OUTSIDE as error:
        raise _with_history(error, _given(bounds, options), "before the run began") from error
    if stop_below is not None:
        stop_below = check_threshold("stop_below", stop_below)
        if not optimizer.settings.policy.expects_gain:
            name = type(optimizer.settings.policy).__name__
            raise ValueError(f"stop_below needs a policy that expects a gain, {name} does not")
    if time_limit is not None:
        time_limit = check_threshold("time_limit", time_limit, "in seconds")
    given = len(optimizer.history)
    if budget < given:
        raise ValueError(f"budget {budget} is below the {given} observations given")

    evaluations = evaluator(f, workers, at_once, optimizer.history.context_dim)
    if evaluations.slots > 1 and not optimizer.settings.policy.batches:
        raise ValueError(
            f"{type(optimizer.settings.policy).__name__} learns from one proposal at a time: workers must be 1"
        )
    line = ProgressLine.of(progress, budget)
    with ExitStack() as ending:  # whatever stops one of these, the others follow, last to first
        end = _Ending(optimizer, evaluations, on_failure)
        for _ in range(2):  # Ctrl-C once more may stop the first
            ending.push(end.hand_over)
        ending.callback(line.close)
        ending.push(end.close)
        if log is not None:
            end.book = ending.enter_context(RunLog.open(log, optimizer))
        for _ in range(2):
            ending.push(end.keep)
        end.began = True
        latest = None if time_limit is None else time.monotonic() + time_limit
        _run(optimizer, evaluations, budget, on_failure, stop_below, latest, callback, end.book, line)
        recommended = optimizer.recommended  # the history has the state that this needs
        return replace(optimizer.history, recommended=recommended)


def _run(
    optimizer: Optimizer,
    evaluations: Evaluator,
    budget: int,
    on_failure: str,
    stop_below: float | None,
    end: float | None,
    callback: Callable[[History], bool | None] | None,
    book: RunLog | None,
    line: ProgressLine,
) -> None:
    """Start evaluations and tell their results until there is a reason to stop."""
    stopping = False
    line.show(optimizer.history, evaluations.running)
    while True:
        late = end is not None and time.monotonic() >= end
        room = min(evaluations.slots, budget - len(optimizer.history)) - evaluations.running
        while room > 0 and not stopping and not late:
            x = optimizer.ask()[0]
            gain = optimizer.progress.info.get("acquisition")
            stopping = stop_below is not None and gain is not None and float(gain) < stop_below
            if not stopping:
                evaluations.start(x)
                room -= 1
        if not evaluations.running:
            return
        line.show(optimizer.history, evaluations.running)
        evaluations.collect()
        told: list[History] = []
        _take(optimizer, evaluations, on_failure, book, told)
        line.show(optimizer.history, evaluations.running)
        for history in told:
            stopping = stopping or (callback is not None and _yes(callback(history)))


def _yes(answer: Any) -> bool:
    """Return True where a callback's answer stops the run; NaN does not."""
    return bool(np.any(answer)) and bool(np.any(answer == answer))  # of an array any element counts


def _take(
    optimizer: Optimizer, evaluations: Evaluator, on_failure: str, book: RunLog | None, told: list[History]
) -> None:
    """Tell and log all finished evaluations; ``told`` gets the history after each. A failure is raised last."""
    fatal: EvaluationError | None = None
    for job, outcome in evaluations.ready:
        try:
            if job.number is None:
                job.number = len(optimizer.progress.history)
            if job.number == len(optimizer.progress.history):  # else it was told when Ctrl-C came
                _tell(optimizer, job.x, outcome, on_failure)
            told.append(optimizer.history)
        except EvaluationError as error:
            fatal = fatal or error
        evaluations.jobs.remove(job)
        if book is not None:
            book.add(optimizer)
    if fatal is not None:
        raise fatal


class _Ending:
    """The steps that follow whatever stopped a run; each has the arguments of ``__exit__`` and can be made again."""

    def __init__(self, optimizer: Optimizer, evaluations: Evaluator, on_failure: str) -> None:
        self._optimizer, self._evaluations, self._on_failure = optimizer, evaluations, on_failure
        self._handed: BaseException | None = None
        self.book: RunLog | None = None
        self.began = False

    def keep(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Record the finished evaluations."""
        if error is None:
            return
        with suppress(BaseException):  # another failure, or Ctrl-C once more: the first error is the one to show
            self._evaluations.collect(waiting=False)
            _take(self._optimizer, self._evaluations, self._on_failure, None, [])
        with suppress(Exception):  # the disk may be full
            if self.book is not None:
                self.book.add(self._optimizer)

    def close(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Let go of the evaluations that still run."""
        self._evaluations.close(kill=error is not None)

    def hand_over(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Give the history to the error; raise :class:`Interrupted` in place of Ctrl-C."""
        if error is not None and error is not self._handed and (self.began or isinstance(error, OUTSIDE)):
            running = self._evaluations.running
            when = f"in evaluation {_at(self._optimizer, self._evaluations.first)}" if running else "while proposing"
            self._handed = _with_history(error, self._optimizer.history, when)
            if self._handed is not error:
                raise self._handed from error


def _with_history(error: BaseException, history: History, when: str) -> BaseException:
    """The error, which has the history now; :class:`Interrupted` in place of Ctrl-C."""
    if isinstance(error, KeyboardInterrupt):
        return Interrupted(f"interrupted {when}", history)
    with suppress(AttributeError):  # an exception with slots
        error.history = history  # type: ignore[attr-defined]
    error.add_note(f"{len(history)} evaluations are kept: error.history, to be handed back as observations=")
    return error


def _given(bounds: Bounds, options: Options) -> History:
    """The observations given, as the history of a run that has not begun."""
    known = complete(options)
    domain, contexts = Domain.of(bounds, known["constraint"]), known["context_bounds"]
    context_box = None if contexts is None else check_bounds(contexts, "context_bounds")
    return check_observations(known["observations"], domain.box, context_box, domain.space, known["maximize"])


def _tell(optimizer: Optimizer, x: Any, outcome: Outcome, on_failure: str) -> None:
    """Tell a result, or treat a failure by ``on_failure``."""
    noise = optimizer.settings.noise if outcome.noise_variance is None else outcome.noise_variance
    message = outcome.message or inconsistent(noise, optimizer.history)
    if message is None:
        optimizer.tell(x, outcome.value, noise_variance=noise, context=outcome.context)
    elif on_failure == "raise":
        raise EvaluationError(f"evaluation {_at(optimizer, x)} {message}", optimizer.history) from outcome.error
    else:
        optimizer.tell(x, failure=message)


def _at(optimizer: Optimizer, x: Any) -> str:
    return f"{len(optimizer.history)} at x = {x.tolist() if isinstance(x, np.ndarray) else x}"
