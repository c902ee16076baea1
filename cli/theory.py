"""Command line of the claims ledger: `python -m theory_checks list | run | show | replay | pin | keep | stamp |
freeze`."""

import argparse
import datetime
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from experiments.engine import protocol
from experiments.engine.cluster import address_of
from experiments.engine.command_line import check_folder, count, in_words, leave_quietly, scale, stop_as_by_ctrl_c
from experiments.engine.evidence import path_of
from experiments.engine.files import check_writable
from experiments.engine.pool import ExecutorError
from experiments.engine.provenance import committed, usable_cores
from experiments.engine.registry import STUDIES
from experiments.engine.runner import INTERRUPTED, Resources
from experiments.engine.scale import SCALES
from experiments.engine.store import StoreError
from experiments.engine.verify import verify_claims
from theory_checks import cache, counterexamples, runner, terminal
from theory_checks.ledger import Claim, Kind, load, select
from theory_checks.readings import stamps
from theory_checks.readings.declaration import READINGS

_PRINTED = ("id", "paper", "number", "verdict", "summary", "numbers", "seconds")

_PLAIN_WIDTH = 140
console = Console() if sys.stdout.isatty() else Console(width=_PLAIN_WIDTH)
errors = Console(stderr=True)


def named(names: Sequence[str]) -> list[Claim]:
    """The claims that names stand for: their own, a paper's, or those that read a study; all without names."""
    from cli.selection import select  # this import loads all figures: only where a name is given

    return select(",".join(names) or " ").claims if names else list(load().values())


def list_claims(arguments: argparse.Namespace) -> int:
    """Print every claim with its verdict at the highest scale that is stored or committed, as a table or as JSON."""
    claims = named(arguments.ids)
    known = {claim.id: cache.latest(claim.id, local=arguments.results) for claim in claims}
    if arguments.json:
        print(json.dumps([terminal.description(claim, known[claim.id]) for claim in claims], indent=1))
    else:
        console.print(terminal.claims_table(claims, known))
    return 0


def run_claims(arguments: argparse.Namespace) -> int:
    """Run the checks that are not stored, print the verdicts, and compare them with the pinned ones."""
    if arguments.json:
        _check_file(arguments.json)
    claims = named(arguments.ids)
    if not claims:
        console.print(f"no claim reads {', '.join(arguments.ids)}: nothing to check", soft_wrap=True, highlight=False)
        return 0
    scale, store = arguments.scale, runner.Evidence(claims, arguments.results, _complain)
    if arguments.force:
        for claim in claims:
            path_of(claim.id, scale, store.root).unlink(missing_ok=True)
    scheduler, workers = address_of(arguments.executor, arguments.scheduler), arguments.workers or usable_cores()
    executor = arguments.executor if scheduler or (workers > 1 and len(claims) > 1) else "here"
    status = runner.run(claims, scale, store, Resources(executor, scheduler, workers=workers), console)
    if status == INTERRUPTED:
        return status
    entries, failed = runner.entries(claims, scale, store)
    if arguments.json:
        cache.write_json(arguments.json, [{name: entry[name] for name in _PRINTED} for entry in entries])
    pinned = runner.expected(scale)
    console.print(terminal.verdicts_table(entries, pinned))
    unpinned = [claim.id for claim in claims if claim.kind is Kind.THEORY and claim.id not in pinned]
    if unpinned:
        console.print(f"no pinned verdict at scale {scale}: {', '.join(unpinned)}", soft_wrap=True)
    compared = verify_claims(scale, store.root, cache.REFERENCE, {claim.id for claim in claims})
    for one in compared.findings:
        if one.judgement.word == "reported" and one.judgement.size:
            said = f"not pinned: {one.runs}: {one.judgement.unit} of the committed evidence"
            console.print(said, soft_wrap=True, highlight=False)
    different = runner.mismatches(entries, pinned)
    for sentence in [*different, *(f"{name}: the check failed" for name in failed)]:
        errors.print(f"[red]MISMATCH[/] {sentence}", soft_wrap=True, highlight=False)
    return 1 if different or failed else status


def _complain(sentence: str) -> None:
    errors.print(sentence, style="yellow", markup=False, soft_wrap=True)


def show_claim(arguments: argparse.Namespace) -> int:
    """Print one claim in full: statement, hypotheses, rule, evidence, and the command that replays its
    counterexample."""
    for claim in select([arguments.id]):
        entry = cache.latest(claim.id, arguments.scale, arguments.results)
        stale = entry is not None and entry["key"] != cache.key_of(claim, entry["scale"])
        console.print(terminal.full_text(claim, entry, arguments.scale, stale), soft_wrap=True, highlight=False)
    return 0


def replay_claim(arguments: argparse.Namespace) -> int:
    """Evaluate a stored counterexample again; exit status 0 where the claim is violated again."""
    claim, *others = select([arguments.id])
    if others:
        names = ", ".join(each.id for each in (claim, *others))
        raise ValueError(f"{arguments.id!r} stands for {len(others) + 1} claims; name one: {names}")
    if arguments.file:
        origin, stored = arguments.file, counterexamples.load(arguments.file)
    else:
        origin, stored = counterexamples.find(claim, arguments.scale, arguments.results)
    result = counterexamples.replay(claim, origin, stored)
    entry = cache.latest(claim.id, arguments.scale, arguments.results)
    console.print(terminal.replay_text(claim, result, entry), soft_wrap=True, markup=False, highlight=False)
    return 0 if result.violated else 1


def _check_file(path: Path) -> None:
    """Raises OSError unless a file can be written there, so that an hour of checks is not lost."""
    check_writable(path.parent)
    if path.is_dir():
        raise OSError(f"{path} is a folder, not a file")


def pin_claims(arguments: argparse.Namespace) -> int:
    """Write stored verdicts to expected.json, and small counterexamples beside the code."""
    claims = named(arguments.ids)
    entries, missing = runner.entries(claims, arguments.scale, runner.Evidence(claims, arguments.results, _complain))
    if missing:
        raise StoreError(f"not complete at scale {arguments.scale}: {', '.join(missing)}; run them first")
    runner.pin(entries, arguments.scale)
    console.print(f"pinned {len(entries)} verdicts at scale {arguments.scale} in {runner.EXPECTED}", soft_wrap=True)
    return 0


def keep_claims(arguments: argparse.Namespace) -> int:
    """Make stored evidence of a scale the committed reference evidence, which is the source of `make publish`."""
    claims = named(arguments.ids)
    count = runner.keep(claims, arguments.scale, runner.Evidence(claims, arguments.results, _complain))
    folder = cache.REFERENCE / "claims"
    console.print(f"kept the evidence on {count} claims in {folder}", soft_wrap=True, highlight=False)
    return 0


def stamp_readings(arguments: argparse.Namespace) -> int:
    """Stamp the declarations that changed since their last stamp."""
    load()
    changed = stamps.stamp(datetime.date.today())
    console.print(f"stamped {len(changed)} declarations in {stamps.PATH}: {', '.join(changed)}", soft_wrap=True)
    return 0


def freeze_protocol(arguments: argparse.Namespace) -> int:
    """Fix the protocol: stamp the declarations that changed since it was fixed, or all of them the first time, and
    write the day and the hash into experiments/protocol.toml."""
    load()
    committed()
    today, known = datetime.date.today(), protocol.read()
    stamped = stamps.stamp(today, every=not known.hash)
    digests = {name: reading.digest for name, reading in READINGS.items()}
    found = protocol.declared(known, STUDIES, digests)
    protocol.fix(found, today)
    console.print(f"protocol {known.number}, {found}: {len(stamped)} declarations in {stamps.PATH}", soft_wrap=True)
    return 0


def parser() -> argparse.ArgumentParser:
    """The argument parser of the command line."""
    top = argparse.ArgumentParser(prog="python -m theory_checks", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)

    def command(name: str, action: object, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help)
        sub.set_defaults(action=action)
        sub.add_argument("--results", type=Path, default=cache.LOCAL, metavar="DIR", help="results folder")
        return sub

    def many(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "ids",
            nargs="*",
            metavar="NAME",
            help="claims (boke.prop1, prop1), papers (boke, A), or studies (boke.fig6) for the claims that read them; "
            "default all",
        )

    listing = command("list", list_claims, "list the claims with their verdicts")
    many(listing)
    listing.add_argument("--json", action="store_true", help="print JSON")
    running = command("run", run_claims, "run the checks and compare the verdicts with expected.json")
    many(running)
    running.add_argument("--scale", type=scale, default="quick", metavar="|".join(SCALES))
    running.add_argument("--json", type=Path, metavar="FILE", help="write the verdicts to FILE")
    running.add_argument("--force", action="store_true", help="check again the claims whose evidence is stored")
    running.add_argument("--workers", type=count, default=0, help="processes (0, the default: one per core)")
    running.add_argument("--executor", choices=("local", "dask"), default="local")
    running.add_argument("--scheduler", default="", help="address of the dask scheduler, tcp://host:port")
    showing = command("show", show_claim, "show one claim in full")
    showing.add_argument("id", metavar="ID")
    showing.add_argument(
        "--scale",
        type=scale,
        metavar="|".join(SCALES),
        help="show the evidence at this scale (default: the highest)",
    )
    replaying = command("replay", replay_claim, "evaluate a stored counterexample again")
    replaying.add_argument("id", metavar="ID")
    replaying.add_argument(
        "--scale", type=scale, metavar="|".join(SCALES), help="replay the counterexample stored at this scale"
    )
    replaying.add_argument("--file", type=Path, metavar="FILE", help="replay the counterexample in this file")
    pinning = command("pin", pin_claims, "pin the stored verdicts in expected.json")
    many(pinning)
    pinning.add_argument("--scale", type=scale, default="quick", metavar="|".join(SCALES))
    keeping = command("keep", keep_claims, "make the stored evidence the committed reference evidence")
    many(keeping)
    keeping.add_argument("--scale", type=scale, default="quick", metavar="|".join(SCALES))
    command("freeze", freeze_protocol, "fix the protocol: its cells and every declaration")
    command("stamp", stamp_readings, "fix the declarations of readings that changed since their last stamp")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; bad input gives a message and exit status 2."""
    stop_as_by_ctrl_c()
    arguments = parser().parse_args(argv)
    try:
        if arguments.command != "run":  # `run` itself reports a folder that it cannot write
            check_folder(arguments.results)
        return int(arguments.action(arguments))
    except BrokenPipeError:
        return leave_quietly()
    except (LookupError, ValueError, OSError, ExecutorError, StoreError) as error:
        errors.print(f"error: {in_words(error)}", soft_wrap=True, markup=False, highlight=False)
        return 2
