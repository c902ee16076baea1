"""The command line: `python -m benchmarks [--only NAME] [--rounds N] [--keep]`, or `--document`; BENCHMARKS below.

`python -m benchmarks faults | gpu | matrix | peers` have options of their own.
"""

import argparse
import dataclasses
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
from rich.console import Console

from benchmarks import peer
from benchmarks.acquisition import measure as acquisition
from benchmarks.acquisition import page as acquisition_page
from benchmarks.cluster import measure as cluster
from benchmarks.cluster import page as cluster_page
from benchmarks.code import CONTEXTS, NAMING
from benchmarks.command_line import COMMANDS, Options, called, parse
from benchmarks.context import measure as context
from benchmarks.context import page as context_page
from benchmarks.default import measure as default
from benchmarks.default import page as default_page
from benchmarks.gpu import page as gpu
from benchmarks.hyperparameters import measure as hyperparameters
from benchmarks.hyperparameters import page as hyperparameters_page
from benchmarks.paper import measure as paper
from benchmarks.paper import page as paper_page
from benchmarks.peers import reference as peers
from benchmarks.proposal import measure as proposal
from benchmarks.proposal import page as proposal_page
from benchmarks.scale import figure as scale_figure
from benchmarks.scale import measure as scale
from benchmarks.scale import page as scale_page
from benchmarks.settings import Settings
from benchmarks.streaming import measure as streaming
from benchmarks.streaming import page as streaming_page
from benchmarks.timing import Report
from benchmarks.whole import measure as whole
from benchmarks.whole import page as whole_page
from experiments.engine.code_version import of_names
from experiments.engine.command_line import in_words
from experiments.engine.files import check_writable, write_whole
from experiments.engine.names import unknown
from experiments.engine.provenance import provenance

ROOT = Path(__file__).resolve().parent.parent
LOCAL = ROOT / "results" / "local" / "bench"
REFERENCE = ROOT / "results" / "reference" / "bench"
DOCUMENT = ROOT / "docs" / "benchmarks.md"
PICTURE = ROOT / "docs" / "scale.svg"
TITLE = """# Benchmarks

Each section times a part of kernelbo, most of them beside another library, and compares with targets that were set
before the run. `python -m benchmarks --only NAME --keep` makes a new run the reference. A section says where the
measured code has changed since its run; such a run meets no target.
"""


Root = tuple[str, *tuple[tuple[str, ...], ...]]


@dataclass(frozen=True)
class Benchmark:
    """One line of the table below.

    Attributes:
        settings: the task.
        measure: (settings, report) → JSON values.
        page: the result → its section of the page.
        needs_peer: whether it is incomplete without BoTorch.
        minutes: about how many it takes on 2 idle cores, apart from the rounds and per round.
        measured: what is measured beside what the module of `measure` uses, in other processes: modules, names of them
            or all, and symbols that are not followed, as :func:`experiments.engine.code_version.of_names` takes them.
        unfollowed: symbols that are not followed from the module of `measure`.
    """

    settings: Settings
    measure: Callable[[Any, Report], dict[str, Any]]
    page: Callable[[dict[str, Any]], str]
    needs_peer: bool
    minutes: tuple[int, int]
    measured: tuple[Root, ...] = ()
    unfollowed: tuple[str, ...] = NAMING

    @property
    def roots(self) -> list[Root]:
        """The module from which the measured code is followed."""
        return [(self.measure.__module__, (), self.unfollowed), *self.measured]

    @property
    def code(self) -> str:
        """The version of the measured code, the measuring code included (:mod:`experiments.engine.code_version`)."""
        return " ".join(of_names(module, *rest).code for module, *rest in self.roots)


BENCHMARKS = {
    "proposal": Benchmark(proposal.SETTINGS, proposal.measure, proposal_page.section, needs_peer=True, minutes=(5, 5)),
    "acquisition": Benchmark(
        acquisition.SETTINGS, acquisition.measure, acquisition_page.section, needs_peer=True, minutes=(5, 5)
    ),
    "default": Benchmark(
        default.SETTINGS,
        default.measure,
        default_page.section,
        needs_peer=False,
        minutes=(2, 1),
        measured=(("core.optimizer.optimize", ("optimize",), CONTEXTS),),
    ),
    "context": Benchmark(context.SETTINGS, context.measure, context_page.section, needs_peer=False, minutes=(4, 1)),
    "hyperparameters": Benchmark(
        hyperparameters.SETTINGS, hyperparameters.measure, hyperparameters_page.section, needs_peer=True, minutes=(2, 1)
    ),
    "scale": Benchmark(
        scale.SETTINGS,
        scale.measure,
        scale_page.section,
        needs_peer=True,
        minutes=(10, 0),
        measured=(("benchmarks.scale.one",),),
    ),
    "cluster": Benchmark(
        cluster.SETTINGS,
        cluster.measure,
        cluster_page.section,
        needs_peer=False,
        minutes=(1, 1),
        measured=(("experiments.engine.code_version", ("code_of_cell",)),),
        unfollowed=(*NAMING, "experiments.engine.task.CellTask"),  # imports a study's module by its name
    ),
    "whole": Benchmark(
        whole.SETTINGS,
        whole.measure,
        whole_page.section,
        needs_peer=False,
        minutes=(30, 0),
        measured=(("experiments.engine.runner",),),
    ),
    "paper": Benchmark(paper.SETTINGS, paper.measure, paper_page.section, needs_peer=False, minutes=(60, 0)),
    "streaming": Benchmark(
        streaming.SETTINGS,
        streaming.measure,
        streaming_page.section,
        needs_peer=False,
        minutes=(2, 0),
        measured=(("benchmarks.streaming.memory", ("_memory",)),),
    ),
}
"""Every benchmark by name, in the order of the page."""


OPTIONS: Options = {
    "--only": {"default": "proposal", "help": f"{', '.join(BENCHMARKS)}"},
    "--rounds": {"type": int, "help": "turns of every contestant; a benchmark's own number unless given"},
    "--keep": {"action": "store_true", "help": "make this run a reference, and write docs/benchmarks.md"},
    "--document": {"action": "store_true", "help": "only write the pages docs/benchmarks.md and docs/peers.md"},
}
"""The arguments of the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done (targets missed included: they are reported), 2 bad request."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    words = given[1:] if given[:1] == ["--only"] else given  # make bench BENCH=gpu
    if words and words[0] in COMMANDS:
        return called(words[0], words[1:])
    options = parse("", __doc__, OPTIONS, given)
    problem = _bad_request(options)
    if problem:
        print(f"benchmarks: {problem}", file=sys.stderr)
        return 2
    try:
        return _document() if options.document else _measure(options)
    except OSError as error:
        print(f"benchmarks: {in_words(error)}", file=sys.stderr)
        return 2


def _lines(console: Console, every: float = 10.0) -> Report:
    """A report that prints at most one line in `every` seconds where there is no terminal."""
    said = -math.inf

    def report(words: str) -> None:
        nonlocal said
        if time.monotonic() - said >= every:
            said = time.monotonic()
            console.print(words, markup=False, highlight=False, soft_wrap=True)

    return report


def _document() -> int:
    write_whole(DOCUMENT, page().encode())
    if (REFERENCE / "scale.json").is_file():
        write_whole(PICTURE, scale_figure.svg(json.loads((REFERENCE / "scale.json").read_text())["scale"]))
    if peers.REFERENCE.is_file():
        write_whole(peers.DOCUMENT, peers.document(peers.kept()).encode())
    return 0


def _measure(options: argparse.Namespace) -> int:
    console = Console(stderr=True)
    name, benchmark = options.only, BENCHMARKS[options.only]
    check_writable(LOCAL)
    incomplete = benchmark.needs_peer and not peer.available()
    if incomplete:
        _missing(console)
        if options.keep:
            print("benchmarks: --keep needs the peer", file=sys.stderr)
            return 2
    settings = dataclasses.replace(benchmark.settings, rounds=options.rounds or benchmark.settings.rounds)
    fixed, each = benchmark.minutes
    minutes = fixed + each * settings.rounds
    console.print(f"About {minutes} minutes on 2 idle cores; other work on the machine blurs the ratios.")
    with console.status("starting") as status:
        result = _run(name, settings, status.update if console.is_terminal else _lines(console))
    path = _write(LOCAL / f"{name}.json", result)
    print(benchmark.page(result))
    console.print(f"written to {path.relative_to(ROOT)}")
    if incomplete:
        _missing(console)
    if options.keep:
        _write(REFERENCE / f"{name}.json", result)
        _document()
        console.print(f"kept as the reference; {DOCUMENT.relative_to(ROOT)} rewritten")
    return 0


def _bad_request(options: argparse.Namespace) -> str:
    """The fault of the request; empty where the request can be served."""
    name = options.only
    if name not in BENCHMARKS:
        return unknown("benchmark", name, BENCHMARKS)
    if options.rounds is not None and options.rounds < 1:
        return f"--rounds must be at least 1, got {options.rounds}"
    if options.document and (options.keep or options.rounds is not None):
        return "--document stands alone: it measures nothing"
    return ""


def _missing(console: Console) -> None:
    console.print(
        f"The peer is skipped: torch or botorch is not installed. To install it: {peer.INSTALL}",
        style="yellow",
        highlight=False,
    )


def _run(name: str, settings: Settings, report: Report) -> dict[str, Any]:
    """The record of a run: place, time, versions, code, and what it measured."""
    benchmark, made_by = BENCHMARKS[name], provenance()
    if benchmark.needs_peer and peer.available():
        made_by["versions"] |= peer.versions()
    result = {"benchmark": name, "provenance": made_by, "code": benchmark.code, "device": jax.default_backend()}
    result[name] = benchmark.measure(settings, report)
    return result


def _write(path: Path, result: dict[str, Any]) -> Path:
    return write_whole(path, (json.dumps(result, indent=1, allow_nan=False) + "\n").encode())


def page() -> str:
    """`docs/benchmarks.md`, from the committed references. The page marks an old reference, which meets no target.

    Raises OSError where one of them cannot be used.
    """
    sections = {**{name: (one.page, one.code) for name, one in BENCHMARKS.items()}, "gpu": (gpu.section, gpu.code())}
    references = {name: REFERENCE / f"{name}.json" for name in sections}
    found = (_section(name, path, *sections[name]) for name, path in references.items() if path.is_file())
    return "\n".join([TITLE, *found])


def _section(name: str, path: Path, rendered: Callable[[dict[str, Any]], str], code: str) -> str:
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        return rendered({**result, "older": result.get("code", "") != code})
    except (ValueError, KeyError, TypeError) as error:
        raise OSError(f"{path} is not a run of the benchmark {name!r}: {in_words(error)}") from error


if __name__ == "__main__":
    sys.exit(main())
