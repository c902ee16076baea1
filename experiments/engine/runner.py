"""Runs the cells whose results are missing, stores each as soon as it is done, and says what it does.

Stopping is always safe: finished cells are stored, and the next run computes the others only.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from experiments.engine.cluster import run_dask
from experiments.engine.estimates import duration, estimate, longest_first, reference_machine
from experiments.engine.files import clear_abandoned, write_whole
from experiments.engine.pool import Job, Outcome, run_local, set_environment
from experiments.engine.store import Store
from experiments.engine.study import Cell, Study

INTERRUPTED = 130  # the shell's status for Ctrl-C


@dataclass(frozen=True)
class Resources:
    """Where to compute: `executor` "local" on `workers` processes, or "dask" at the address `scheduler`."""

    executor: str = "local"
    scheduler: str = ""
    platform: str = "cpu"
    workers: int = 1


@dataclass(frozen=True)
class Plan:
    """What a run will do: the cells to compute, longest first, with their expected seconds; and how many are stored."""

    scale: str
    missing: dict[Cell, float | None]
    stored: int


def _job(cell: Cell, store: Store) -> Job:
    study = store.studies[cell.study]
    return Job(cell, study.module, store.code(cell), study.program and study.program(cell))


def run(
    studies: Sequence[Study], scale: str, store: Store, reference: Store, resources: Resources, console: Console
) -> int:
    """Completes the results of `studies` at `scale`; returns an exit status.

    0: all results are there; 1: some cells failed (their tracebacks are stored and named); 130: interrupted.
    Raises, before anything is computed, StoreError if results could not be stored, ExecutorError if nothing could run.
    """
    store.check_writable()
    clear_abandoned(store.root)
    plan = make_plan(studies, scale, store, reference)
    if not plan.missing:
        say(console, f"Experiments: nothing to compute, all {plan.stored} results of scale {scale} are in {store.root}")
        return 0
    _announce(plan, studies, reference, resources, console)
    set_environment(resources.platform, scale)
    jobs = [_job(cell, store) for cell in plan.missing]
    local = resources.executor == "local"

    def wanted(job: Job) -> bool:  # another run in this checkout may have finished it meanwhile
        return not store.path(job.cell).exists()

    outcomes = run_local(jobs, resources.workers, wanted) if local else run_dask(jobs, resources.scheduler)
    done, failed = 0, list[Cell]()
    try:
        with closing(outcomes), _Progress(console, plan.missing) as progress:
            for outcome in outcomes:
                if outcome.error is None:
                    _store_result(store, outcome)
                    done += 1
                else:
                    _store_error(store, outcome.job.cell, outcome.error)
                    failed.append(outcome.job.cell)
                progress.advance(outcome)
    except KeyboardInterrupt:
        done = sum(store.path(cell).exists() for cell in plan.missing)
        say(console, f"Interrupted: {done} new results are stored, {len(plan.missing) - done} are missing.")
        say(console, "Run the same command again to continue.")
        return INTERRUPTED
    elsewhere = len(plan.missing) - done - len(failed)
    meanwhile = f"{elsewhere} meanwhile by another run, " if elsewhere else ""
    say(
        console,
        f"Experiments: {done} computed, {plan.stored} already stored, {meanwhile}{len(failed)} failed; in {store.root}",
    )
    for cell in failed:
        say(console, f"  failed: {cell.label}; see {store.error_path(cell)}")
    return 1 if failed else 0


def make_plan(studies: Sequence[Study], scale: str, store: Store, reference: Store) -> Plan:
    """Looks which results are missing (unusable files are reported and moved aside) and how long each once took.

    The order follows this machine's own times where it has any; the times told are the reference machine's.
    """
    cells = list(dict.fromkeys(cell for study in studies for cell in study.cells(scale)))
    missing = [cell for cell in cells if store.read(cell) is None]
    told = {cell: reference.seconds(cell) for cell in missing}
    own = [seconds if (seconds := store.seconds(cell)) is not None else told[cell] for cell in missing]
    return Plan(scale, {cell: told[cell] for cell in longest_first(missing, own)}, len(cells) - len(missing))


def _store_result(store: Store, outcome: Outcome) -> None:
    """Stores a result, but does not replace one that another run has stored since the plan was made."""
    if not store.path(outcome.job.cell).exists():
        store.write(outcome.job.cell, outcome.arrays, outcome.metadata)
    store.error_path(outcome.job.cell).unlink(missing_ok=True)


def _store_error(store: Store, cell: Cell, error: str) -> None:
    write_whole(store.error_path(cell), f"{cell.label}\n{cell.config()}\n\n{error}".encode())


def _announce(plan: Plan, studies: Sequence[Study], reference: Store, resources: Resources, console: Console) -> None:
    """Says what will be computed, and how long it took on the reference machine."""
    local = resources.executor == "local"
    where = f"{resources.workers} workers ({resources.platform})" if local else f"dask ({resources.scheduler})"
    say(
        console,
        f"Experiments, scale {plan.scale}: {len(plan.missing)} cells to compute on {where}; {plan.stored} stored.",
    )
    machine = reference_machine(reference, list(plan.missing))
    name = f"{machine['processor']}, {machine['cores']} cores" if machine else "no results of this scale are kept"
    say(console, f"Single-core times on the reference machine ({name}):")
    for study in studies:
        seconds = [value for cell, value in plan.missing.items() if cell.study == study.id]
        if seconds:
            say(console, f"  {study.id:<12} {len(seconds):>4} cells  {_in_words(seconds):<20} {study.title}")
    total = estimate(list(plan.missing.values()), resources.workers)
    if local and total.unknown < len(plan.missing):
        least = "at least " if total.unknown else ""
        say(console, f"That makes {least}{duration(total.wall)} on {resources.workers} cores as fast as those.")


def _in_words(seconds: Sequence[float | None]) -> str:
    known = [value for value in seconds if value is not None]
    if not known:
        return "unknown"
    more = len(seconds) - len(known)
    return duration(sum(known)) + (f" + {more} unknown" if more else "")


class _Progress:
    """A live bar on a terminal, one line a cell elsewhere. Moves by expected seconds, not by cells."""

    def __init__(self, console: Console, weights: dict[Cell, float | None]) -> None:
        known = [weight for weight in weights.values() if weight is not None]
        typical = sum(known) / len(known) if known else 1.0
        self.weights = {cell: typical if weight is None else weight for cell, weight in weights.items()}
        self.console = console
        self.count = 0
        self.bar = Progress(
            SpinnerColumn(),
            BarColumn(),
            TextColumn("{task.fields[cells]}"),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self.task = self.bar.add_task("starting", total=sum(self.weights.values()) or None, cells=self._cells())

    def __enter__(self) -> "_Progress":
        self.bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.bar.stop()

    def advance(self, outcome: Outcome) -> None:
        """Counts a finished cell; a failed one gets a line in any case."""
        self.count += 1
        cell = outcome.job.cell
        self.bar.update(self.task, advance=self.weights[cell], description=f"done: {cell.label}", cells=self._cells())
        if outcome.error is not None:
            last = outcome.error.strip().splitlines()[-1]
            say(self.console, f"[{self._cells()}] {cell.label}: FAILED: {last}")
        elif not self.console.is_terminal:
            say(self.console, f"[{self._cells()}] {cell.label}: {duration(outcome.metadata['wall_seconds'])}")

    def _cells(self) -> str:
        return f"{self.count}/{len(self.weights)}"


def say(console: Console, text: str) -> None:
    """Prints a line as it is, however long."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)
