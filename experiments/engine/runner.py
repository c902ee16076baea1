"""Runs the cells whose results are missing, stores each as soon as it is done, and reports progress.

A claim is a study of one cell. Stopping is always safe: finished cells are stored, and the next run computes the others
only.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from rich.console import Console

from experiments.engine.bar import Bar, say
from experiments.engine.cluster import run_dask
from experiments.engine.estimates import duration, estimate, longest_first, reference_machine
from experiments.engine.files import clear_abandoned, write_whole
from experiments.engine.pool import Job, Outcome, run_here, run_local, set_environment
from experiments.engine.store import Store
from experiments.engine.study import Cell, Study

INTERRUPTED = 130  # the shell's status for Ctrl-C


@dataclass(frozen=True)
class Resources:
    """The place of the computation: `executor` "local" on `workers` processes, "here" in this one, or "dask" at the
    address `scheduler`."""

    executor: str = "local"
    scheduler: str = ""
    platform: str = "cpu"
    workers: int = 1


@dataclass(frozen=True)
class Plan:
    """The plan of a run.

    Attributes:
        scale: the scale of the run.
        missing: the cells to compute, longest first, with their seconds on the reference machine.
        expected: the expected seconds here, as far as known.
        stored: the number of stored results.
    """

    scale: str
    missing: dict[Cell, float | None]
    expected: dict[Cell, float | None]
    stored: int


def _job(cell: Cell, store: Store) -> Job:
    study = store.studies[cell.study]
    return Job(cell, store.task(cell), store.code(cell), study.program and study.program(cell), study.here)


def run(
    studies: Sequence[Study],
    scale: str,
    store: Store,
    reference: Store,
    resources: Resources,
    console: Console,
    what: str = "Experiments",
) -> int:
    """Completes the results of `studies` at `scale`; returns an exit status. `what` names them to the reader.

    0: all results are there; 1: some cells failed (their tracebacks are stored and named); 130: interrupted.
    Raises, before anything is computed, StoreError if results could not be stored, ExecutorError if nothing could run.
    """
    store.check_writable()
    clear_abandoned(store.root)
    plan = make_plan(studies, scale, store, reference)
    if not plan.missing:
        say(console, f"{what}: nothing to compute, all {plan.stored} results of scale {scale} are in {store.root}")
        return 0
    _announce(what, plan, studies, reference, resources, console)
    jobs = [_job(cell, store) for cell in plan.missing]
    outcomes = _outcomes(jobs, scale, resources, lambda job: not store.done(job.cell))  # another run may have done it
    done, failed = 0, list[Cell]()
    try:
        with closing(outcomes), Bar(console, plan.expected) as bar:
            for outcome in outcomes:
                if outcome.error is None:
                    _store_result(store, outcome)
                    done += 1
                else:
                    _store_error(store, outcome.job.cell, outcome.error)
                    failed.append(outcome.job.cell)
                bar.finished(outcome.job.cell, outcome.error)
    except KeyboardInterrupt:
        done = sum(map(store.done, plan.missing))
        say(console, f"Interrupted: {done} new results are stored, {len(plan.missing) - done} are missing.")
        say(console, "Run the same command again to continue.")
        return INTERRUPTED
    elsewhere = len(plan.missing) - done - len(failed)
    meanwhile = f"{elsewhere} meanwhile by another run, " if elsewhere else ""
    counts = f"{done} computed, {plan.stored} already stored, {meanwhile}{len(failed)} failed"
    say(console, f"{what}: {counts}; in {store.root}")
    for cell in failed:
        say(console, f"  failed: {cell.label}; see {store.error_path(cell)}")
    return 1 if failed else 0


def make_plan(studies: Sequence[Study], scale: str, store: Store, reference: Store) -> Plan:
    """Finds the missing results (unusable files are reported and moved aside) and the time that each once took.

    The order follows this machine's own times where it has any; the times told are the reference machine's.
    """
    cells = list(dict.fromkeys(cell for study in studies for cell in study.cells(scale)))
    missing = [cell for cell in cells if store.read(cell) is None]
    told = {cell: reference.seconds(cell) for cell in missing}
    own = {cell: told[cell] if (seconds := store.seconds(cell)) is None else seconds for cell in missing}
    ordered = longest_first(missing, list(own.values()))
    return Plan(scale, {cell: told[cell] for cell in ordered}, own, len(cells) - len(missing))


def _outcomes(
    jobs: Sequence[Job], scale: str, resources: Resources, wanted: Callable[[Job], bool]
) -> Generator[Outcome, None, None]:
    """The outcomes of the jobs, in the order of their completion."""
    if resources.executor == "dask":
        return run_dask(jobs, resources.scheduler)
    if resources.executor == "here":
        return run_here(jobs, wanted)
    set_environment(resources.platform, scale)
    return run_local(jobs, resources.workers, wanted)


def _store_result(store: Store, outcome: Outcome) -> None:
    """Stores a result, but does not replace one that another run has stored since the plan was made."""
    if not store.done(outcome.job.cell):
        store.write(outcome.job.cell, outcome.found, outcome.metadata)
    store.error_path(outcome.job.cell).unlink(missing_ok=True)


def _store_error(store: Store, cell: Cell, error: str) -> None:
    write_whole(store.error_path(cell), f"{cell.label}\n{cell.config()}\n\n{error}".encode())


def _announce(
    what: str, plan: Plan, studies: Sequence[Study], reference: Store, resources: Resources, console: Console
) -> None:
    """Reports the cells to compute and their time on the reference machine: by study, or by paper where each study has
    one cell."""
    places = {
        "local": f"on {resources.workers} workers ({resources.platform})",
        "here": "in this process",
        "dask": f"on dask ({resources.scheduler})",
    }
    counts = f"{len(plan.missing)} to compute {places[resources.executor]}; {plan.stored} stored"
    say(console, f"{what}, scale {plan.scale}: {counts}.")
    machine = reference_machine(reference, list(plan.missing))
    name = f"{machine['processor']}, {machine['cores']} cores" if machine else "no results of this scale are kept"
    say(console, f"Single-core times on the reference machine ({name}):")
    single = len(plan.missing) + plan.stored == len(studies)
    rows: dict[tuple[str, str], list[float | None]] = {}
    for study in studies:
        row = (study.paper, "") if single else (study.id, study.title)
        rows.setdefault(row, []).extend(seconds for cell, seconds in plan.missing.items() if cell.study == study.id)
    for (row_name, title), seconds in rows.items():
        if seconds:
            say(console, f"  {row_name:<12} {len(seconds):>4}  {_in_words(seconds):<20} {title}".rstrip())
    total = estimate(list(plan.missing.values()), resources.workers)
    if resources.executor != "dask" and total.unknown < len(plan.missing):
        least = "at least " if total.unknown else ""
        say(
            console,
            f"The run takes {least}{duration(total.wall)} on {resources.workers} cores like those of the reference.",
        )


def _in_words(seconds: Sequence[float | None]) -> str:
    known = [value for value in seconds if value is not None]
    if not known:
        return "unknown"
    more = len(seconds) - len(known)
    return duration(sum(known)) + (f" + {more} unknown" if more else "")
