"""The campaign: `python -m benchmarks.faults [--kills 50] [--minutes 20] [--seed N] [--guard NAME] [--write]`.

Every fault is inflicted on a run in a folder of its own; a plain rerun must then end with the results of an undisturbed
run, bit by bit but for measured times, and nothing finished may be computed again, lost, or wrongly trusted. `--guard`
takes one guard of the engine away ("atomic", "checked" or "resumed"), which the campaign must notice. Exit status: 0
nothing went wrong, 1 something did, 2 bad request.
"""

import argparse
import dataclasses
import itertools
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.command_line import Options, parse
from benchmarks.faults import page, table
from benchmarks.faults.bench import Bench
from benchmarks.faults.driver import GUARDS
from benchmarks.faults.evidence import DAMAGES, examine_evidence
from benchmarks.faults.kills import clock_faults, kill_fault, memory_fault, two_runs_fault
from benchmarks.faults.page import Count
from benchmarks.faults.spoils import (
    SPOILS,
    data_faults,
    disk_fault,
    link_loop_faults,
    may_mount,
    read_only_fault,
    unmount,
)
from benchmarks.faults.trial import Fault, Verdict, examine
from experiments.engine.command_line import count
from experiments.engine.files import write_whole
from experiments.engine.provenance import provenance
from experiments.engine.source import PROJECT

__all__ = ["campaign", "main"]

DOCUMENT = PROJECT / "docs" / "faults.md"
TARGETS = ("parent", "worker", "both")
EVIDENCE_TRIALS = 200


OPTIONS: Options = {
    "--kills": {"type": count, "default": 50, "help": "runs that are killed (default: %(default)s)"},
    "--repeats": {"type": count, "default": 2, "help": "trials of every other fault (default: %(default)s)"},
    "--minutes": {"type": float, "default": 20.0, "help": "no trial begins later (default: %(default)s)"},
    "--seed": {"type": int, "default": 0, "help": "of the random moments and places (default: %(default)s)"},
    "--guard": {"choices": tuple(GUARDS), "default": "whole", "help": "a guard to take away"},
    "--real": {"default": "experiments.boke.fig9", "help": "module of a paper's study, killed as well"},
    "--write": {"action": "store_true", "help": f"write {DOCUMENT.relative_to(PROJECT)}"},
}
"""The arguments of the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; see the module's docstring."""
    options = parse("faults", __doc__, OPTIONS, arguments)
    if options.write and options.guard != "whole":
        print("faults: the page is about the engine with all its guards", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="kernelbo-faults-"))
    begun = time.monotonic()
    try:
        counts = campaign(folder, options, lambda: time.monotonic() - begun < 60 * options.minutes)
    finally:
        for mounted in folder.rglob("results"):
            unmount(mounted)
        shutil.rmtree(folder, ignore_errors=True)
    made = {"provenance": provenance(), "seed": options.seed, "minutes": (time.monotonic() - begun) / 60}
    text = page.page(counts, made)
    print(text)
    if options.write:
        write_whole(DOCUMENT, text.encode())
    complaints = sum(len(each.complaints) for each in counts)
    print(f"faults: {sum(each.trials for each in counts)} trials, {complaints} complaints", file=sys.stderr)
    return 1 if complaints else 0


def campaign(folder: Path, options: argparse.Namespace, in_time: Callable[[], bool]) -> list[Count]:
    """All trials that the time allows, and the counts for every kind of fault."""
    (folder / "data").mkdir()
    (folder / "data" / table.FILE.name).write_bytes(table.content())
    environment = {"KERNELBO_DATA": str(folder / "data")}
    counts: dict[str, Count] = {}
    undisturbed: dict[tuple[str, ...], tuple[Path, float]] = {}

    def reference(modules: tuple[str, ...]) -> tuple[Path, float]:
        """The results of an undisturbed run, and its seconds (those of a second run, where programs are cached)."""
        if modules not in undisturbed:
            bench = Bench(folder / f"undisturbed-{len(undisturbed)}", modules, environment=environment)
            bench.folder.mkdir()
            begun = time.monotonic()
            ended = bench.run()
            if ended.status != 0:
                raise RuntimeError(f"the undisturbed run of {modules} failed: {ended.output}")
            undisturbed[modules] = (bench.results, time.monotonic() - begun)
        return undisturbed[modules]

    def schedule() -> Iterator[Fault]:
        seconds = reference(("benchmarks.faults.sums",))[1]
        others = [fault for fault in _others(folder) for _ in range(options.repeats)]
        kills = [kill_fault(target, seconds) for target, _ in zip(itertools.cycle(TARGETS), range(options.kills))]
        yield from (*others, *kills)
        if options.real:
            modules = (options.real,)
            for target in TARGETS[1:]:
                fault = kill_fault(target, reference(modules)[1])
                yield dataclasses.replace(fault, name=f"{fault.name}, of {options.real}", modules=modules)

    for number, fault in enumerate(schedule()):
        each = counts.setdefault(fault.name, Count(fault.name, fault.how))
        if not in_time():
            each.skipped += 1
            continue
        print(f"faults: {fault.name}", file=sys.stderr)
        bench = Bench(folder / f"trial-{number}", fault.modules, options.guard, environment)
        verdict = examine(fault, bench, reference(fault.modules)[0], f"{options.seed}/{number}")
        unmount(bench.results)
        shutil.rmtree(bench.folder)
        each.add(verdict)
        for complaint in verdict.complaints:
            print(f"faults: {fault.name}: {complaint}", file=sys.stderr)
    return [*counts.values(), *(_evidence(damage, folder, options.seed) for damage in DAMAGES)]


def _others(folder: Path) -> list[Fault]:
    """Every fault except the kills."""
    mounts = may_mount(folder / "mount")
    faults = [disk_fault(mounts), *SPOILS, read_only_fault(mounts), *link_loop_faults(), two_runs_fault()]
    memory = memory_fault()
    return [*faults, *clock_faults(), *([memory] if memory else []), *data_faults()]


def _evidence(damage: str, folder: Path, seed: int) -> Count:
    each = Count(f"a claim's evidence {damage}", "in this process, without a rerun", runs=False)
    for number in range(EVIDENCE_TRIALS):
        complaint = examine_evidence(damage, folder / "evidence", random.Random(f"{seed}/{damage}/{number}"))
        each.add(Verdict(complaints=[complaint] if complaint else []))
    return each


if __name__ == "__main__":
    sys.exit(main())
