"""`python -m experiments run|list|status|keep|repack|verify|carry|equivalent`; `--help` on each describes
its options."""

import argparse
import dataclasses
import importlib.util
import json
import sys
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from experiments.data import absent_data, obtain_for
from experiments.engine import registry, standing
from experiments.engine.bar import say
from experiments.engine.carry_command import carry_over
from experiments.engine.cluster import address_of
from experiments.engine.command_line import check_folder, count, in_words, leave_quietly, stop_as_by_ctrl_c
from experiments.engine.equivalent import checkout, compare, one_of_each, proofs
from experiments.engine.keep import keep, repack
from experiments.engine.pool import PLATFORMS, ExecutorError
from experiments.engine.progress import configurations, progress
from experiments.engine.progress_table import print_progress
from experiments.engine.provenance import usable_cores
from experiments.engine.runner import Resources, run
from experiments.engine.scale import SCALES, parse_scale
from experiments.engine.standing import EQUIVALENCES, add_equivalences
from experiments.engine.store import LOCAL, REFERENCE, Store, StoreError
from experiments.engine.study import Study, first_blocks
from experiments.engine.verify import Verification, sampled, verify, verify_claims
from experiments.engine.verify_table import print_deviations, print_verification

ONLY_HELP = "a study (fig6, boke.fig6), claim (boke.prop1), figure or paper (boke, A); several with commas"


def main(arguments: Sequence[str] | None = None, studies: Mapping[str, Study] | None = None) -> int:
    """Runs a command; returns the exit status: 0 fine, 1 something failed, 2 bad request, 130 interrupted."""
    stop_as_by_ctrl_c()
    options = _parser().parse_args(arguments)
    try:
        selected, scale = _selected(options.only, studies), parse_scale(options.scale or "quick")
    except (KeyError, ValueError) as error:
        return _refuse(in_words(error))
    if not selected and options.command is not _verify:  # this command compares verdicts, too
        print(f"experiments: {options.only} needs no study, nothing to do")
        return 0
    studies = registry.STUDIES if studies is None else studies
    store, reference = Store(options.results, studies=studies), Store(options.reference, studies=studies, any_code=True)
    try:
        for folder in (options.results, options.reference):
            if options.command is not _run:  # `run` itself reports a folder that it cannot write
                check_folder(folder)
        status: int = options.command(selected, scale, store, reference, options)
        return status
    except BrokenPipeError:
        return leave_quietly()
    except (StoreError, ExecutorError, OSError, zipfile.BadZipFile) as error:
        return _refuse(in_words(error))


def _selected(only: str, studies: Mapping[str, Study] | None) -> list[Study]:
    """The studies that a name stands for: its own, or those that a claim or a figure of that name reads."""
    if studies is not None or not only:
        return registry.select(only, studies)
    from cli.selection import select  # this import loads all claims and figures: only where a name is given

    return select(only).studies


def _refuse(reason: str) -> int:
    print(f"experiments: {reason}", file=sys.stderr)
    return 2


def _run(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    console = Console()
    resources = _resources(options)
    store.check_writable()
    obtain_for(selected, scale, lambda message: say(console, message))
    selected = _first(selected, options.blocks)
    if options.skip_kept:
        selected = [_without(study, scale, configurations(study, scale, reference)) for study in selected]
    return run(selected, scale, store, reference, resources, console)


def _first(selected: list[Study], count: int) -> list[Study]:
    """The studies with that many blocks of seeds; 0 for all."""
    return [first_blocks(study, count) for study in selected] if count else selected


def _without(study: Study, scale: str, digests: set[str]) -> Study:
    """The study without the cells of these digests."""
    cells = [cell for cell in study.cells(scale) if cell.digest not in digests]
    return dataclasses.replace(study, cells=lambda _: cells)


def _resources(options: argparse.Namespace) -> Resources:
    """The place of the computation by the options; raises ExecutorError where it is not available."""
    if options.platform == "gpu" and importlib.util.find_spec("jax_cuda12_plugin") is None:
        raise ExecutorError("PLATFORM=gpu needs the extra [gpu]: .venv/bin/pip install -e '.[gpu]'")
    address_of(options.executor, options.scheduler)
    workers = options.workers or (1 if options.platform == "gpu" else usable_cores())
    return Resources(options.executor, options.scheduler, options.platform, workers)


def _list(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    table = Table("study", "title", *(f"{scale} cells" for scale in SCALES))
    for study in selected:
        table.add_row(study.id, study.title, *(str(len(study.cells(scale))) for scale in SCALES))
    Console().print(table)
    return 0


def _status(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    if options.scale:
        rows = [progress(study, scale, store, reference) for study in _first(selected, options.blocks)]
        print_progress(rows, scale, _wide())
        return 0
    table = Table("study", "scale", "cells", "stored here", "reference", "by today's code")
    for study in selected:
        for each in SCALES:
            cells = study.cells(each)
            here = len(cells) - len(store.missing(study, each))
            kept = reference.stored(study.id, each)
            words = standing.in_words(standing.of_stored(kept, reference.studies)) if kept else ""
            table.add_row(study.id, each, str(len(cells)), str(here), str(len(kept)), words)
    Console().print(table)
    return 0


def _keep(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    if not options.partial and (absent := absent_data(selected, scale)):
        raise StoreError(f"results that need {', '.join(absent)} would be lost: get the files, or keep with --partial")
    kept = keep(selected, scale, store, reference, partial=options.partial)
    for study in selected:
        path = reference.archive(study.id).path
        print(f"{study.id}: {kept.get(path, 0)} of {len(study.cells(scale))} results kept in {path}")
    return 0


def _repack(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    sizes = repack(selected if options.only else list(reference.studies.values()), reference)
    for path, (before, after) in sizes.items():
        print(f"{path}: {before:,} bytes before, {after:,} now")
    before, after = (sum(pair[place] for pair in sizes.values()) for place in (0, 1))
    print(f"{len(sizes)} archives: {before:,} bytes before, {after:,} now")
    return 0


def _wide() -> Console:
    """A console for tables of many columns: as wide as the terminal, or 140 columns where there is none."""
    return Console(width=None if sys.stdout.isatty() else 140)


def _verify(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    if store.root.resolve() == reference.root.resolve():
        raise StoreError(f"{store.root} is the reference already: give another folder of results")
    if options.sample is None:
        found = verify(selected, scale, store, reference) + _verify_claims(scale, store, reference, options)
    else:
        chosen = sampled(selected, scale, reference, options.sample, options.seed)
        cells = [cell for study in chosen for cell in study.cells(scale)]
        if status := _compute(chosen, scale, store, reference, options):
            return status
        found = verify(chosen, scale, store, reference, {cell.digest for cell in cells})
    if options.brief:
        return print_deviations(found, scale, _wide())
    print_verification(found, _wide())
    if found.status == 2:
        return _refuse(f"nothing to compare at scale {scale}: {'; '.join(found.alone[:3]) or 'no results'}")
    return found.status


def _compute(chosen: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    """Completes the local results of a sample; the exit status of the run."""
    store.check_writable()
    return run(chosen, scale, store, reference, _resources(options), Console()) if chosen else 0


def _verify_claims(scale: str, store: Store, reference: Store, options: argparse.Namespace) -> Verification:
    """The verdicts on the claims that were selected."""
    if not options.only:
        return verify_claims(scale, store.root, reference.root)
    from cli.selection import select  # as in _selected

    try:
        claims = {claim.id for claim in select(options.only).claims}
    except KeyError:  # studies that belong to no paper
        return Verification((), ())
    return verify_claims(scale, store.root, reference.root, claims)


def _carry(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    stores = (store, reference) if options.with_reference else (store,)
    for each in stores:
        each.check_writable()

    def compute(chosen: list[Study], scratch: Store) -> int:
        return run(chosen, scale, scratch, reference, _resources(options), Console())

    return carry_over(selected, scale, stores, options.sample, options.seed, options.tolerance, compute, Console())


def _equivalent(selected: list[Study], scale: str, store: Store, reference: Store, options: argparse.Namespace) -> int:
    cells = one_of_each(selected, scale)
    try:
        with checkout(options.old) as old, checkout(options.new) as new:
            found = compare(cells, {study.id: study.module for study in selected}, old, new)
    except ValueError as error:
        return _refuse(in_words(error))
    added = add_equivalences(proofs(found, options.old, options.new), options.proofs)
    for one in found:
        if one.word in ("other programs", "not traced"):
            why = f" ({one.why})" if one.why else ""
            label = dataclasses.replace(one.cell, seeds=()).label
            print(f"{one.word}: {label} {json.dumps(dict(one.cell.options))}{why}")
    counts = Counter(one.word for one in found)
    print(f"of {len(found)} at scale {scale}: {', '.join(f'{count} {word}' for word, count in counts.items())}")
    print(f"{added} proofs added to {options.proofs}")
    return 0 if set(counts) <= {"same code", "equal programs"} else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, command, text in (
        ("run", _run, "compute the results that are missing"),
        ("list", _list, "list the studies and their sizes"),
        ("status", _status, "show which results are stored"),
        ("keep", _keep, "make the local results of a scale the reference results"),
        (
            "repack",
            _repack,
            "pack the reference results again, as `keep` would today, and drop results that fresh ones replace",
        ),
        ("verify", _verify, "compare the local results with the reference, statistic by statistic"),
        ("carry", _carry, "carry results over a change of the code, where a sample computed anew agrees"),
        ("equivalent", _equivalent, "compare the compiled programs of two commits, and note those that are equal"),
    ):
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=command)
        sub.add_argument("--only", default="", help=ONLY_HELP)
        sub.add_argument("--results", type=Path, default=LOCAL, help="folder of the results (default: %(default)s)")
        sub.add_argument("--reference", type=Path, default=REFERENCE, help="folder of the reference results")
        default = None if command is _status else "quick"
        words = "all studies; for one scale also the core-hours left" if command is _status else "%(default)s"
        sub.add_argument("--scale", default=default, help=f"{', '.join(SCALES)} (default: {words})")
        if command is _equivalent:
            sub.add_argument("old", metavar="OLD", help="a commit")
            sub.add_argument("new", metavar="NEW", help="another commit")
            sub.add_argument(
                "--proofs", type=Path, default=EQUIVALENCES, help="file of the proofs (default: %(default)s)"
            )
        if command is _run:
            sub.add_argument("--skip-kept", action="store_true", help="leave out the cells that the reference holds")
        if command in (_run, _status):
            words = "the first N blocks of seeds of every problem and method (paper scale has several)"
            sub.add_argument("--blocks", type=count, default=0, metavar="N", help=words)
        if command is _keep:
            sub.add_argument(
                "--partial",
                action="store_true",
                help="keep the finished results; the other results of the reference stay",
            )
        if command is _verify:
            sub.add_argument("--brief", action="store_true", help="print only the deviations, and fail only for these")
            sub.add_argument(
                "--sample", type=count, help="compute and compare so many reference cells, drawn at random"
            )
            sub.add_argument("--seed", type=int, default=0, help="seed of that choice (default: %(default)s)")
        if command is _carry:
            words = "cells to compute of each study, problem, method and version of the code (default: %(default)s)"
            sub.add_argument("--sample", type=count, default=1, metavar="N", help=words)
            sub.add_argument("--seed", type=int, default=0, help="seed of that choice (default: %(default)s)")
            sub.add_argument(
                "--tolerance", action="store_true", help="agreement means: within verify's tolerances, not bit by bit"
            )
            sub.add_argument("--with-reference", action="store_true", help="carry the reference's results, too")
        if command in (_run, _verify, _carry):
            sub.add_argument("--executor", choices=("local", "dask"), default="local")
            sub.add_argument("--scheduler", default="", help="address of the dask scheduler, tcp://host:port")
            sub.add_argument("--platform", choices=tuple(PLATFORMS), default="cpu")
            sub.add_argument("--workers", type=count, default=0, help="processes (0: one per core; one with a GPU)")
    return parser
