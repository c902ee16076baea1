"""Whole runs side by side with other libraries: `python -m benchmarks.peers`. Finished runs stay; a next call goes on.

Every contestant minimises every function from every seed, seed by seed, so that a stopped benchmark has some seeds of
all. Each run is a file under --results; the page made of them is printed, and written beside them. `--stored` computes
nothing; `--keep` makes the runs the reference of docs/peers.md, which is made of them; `--with-reference` goes on from
them.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from benchmarks.command_line import Options, parse
from benchmarks.peers.cells import Cell, compute, read, store
from benchmarks.peers.contestants import CONTESTANTS, older
from benchmarks.peers.lists import FUNCTIONS, LISTS, NOISE
from benchmarks.peers.reference import keep, restore, settings
from benchmarks.peers.summary import page
from benchmarks.peers.tunings import TUNINGS
from experiments.engine.command_line import in_words
from experiments.engine.files import check_writable, write_whole
from experiments.engine.names import split_names, unknown
from experiments.engine.store import LOCAL

__all__ = ["main"]

SEEDS, BUDGET = 20, 60


OPTIONS: Options = {
    "--functions": {
        "default": "",
        "help": f"names of functions, or of lists of them, with commas: {', '.join((*LISTS, 'tunings'))}",
    },
    "--observations": {"choices": ("exact", "noisy", "both"), "default": "both", "help": "(default: both)"},
    "--contestants": {"default": "", "help": f"with commas; default all: {', '.join(CONTESTANTS)}"},
    "--seeds": {"type": int, "default": SEEDS, "help": "runs of each, from seed 0 (default: %(default)s)"},
    "--budget": {"type": int, "default": BUDGET, "help": "evaluations of a run (default: %(default)s)"},
    "--stored": {"action": "store_true", "help": "compute nothing: the page of the runs that are stored"},
    "--with-reference": {"action": "store_true", "help": "go on from the reference's runs"},
    "--keep": {"action": "store_true", "help": "make the runs the reference, and write docs/peers.md"},
    "--results": {"type": Path, "default": LOCAL / "bench" / "peers", "metavar": "DIR", "help": "where runs are kept"},
}
"""The arguments of the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 all is there, 1 some runs failed, 2 a bad request, 130 interrupted."""
    options = parse("peers", __doc__, OPTIONS, arguments)
    try:
        functions = _functions(options.functions)
        contestants = _chosen("contestant", options.contestants, list(CONTESTANTS))
        for name, least in (("seeds", 1), ("budget", 2)):
            if getattr(options, name) < least:
                raise ValueError(f"--{name} must be at least {least}, got {getattr(options, name)}")
        check_writable(options.results)
        restored = restore(options.results) if options.with_reference else 0
    except (KeyError, ValueError, OSError) as error:
        print(f"benchmarks.peers: {in_words(error)}", file=sys.stderr)
        return 2
    needed = [] if options.stored else contestants  # stored runs need no package
    skipped = {name: missing for name in needed if (missing := CONTESTANTS[name].missing)}
    present = [name for name in contestants if name not in skipped]
    noises = {"exact": (0.0,), "noisy": (NOISE,), "both": (0.0, NOISE)}[options.observations]
    cells = [
        Cell(contestant, function, seed, options.budget, noise)
        for seed in range(options.seeds)
        for noise in noises
        for function in functions
        for contestant in present
        if function in FUNCTIONS or (CONTESTANTS[contestant].mixed and noise == noises[0])
    ]
    cells = [replace(cell, noise=0.0) if cell.function in TUNINGS else cell for cell in cells]
    console = Console(stderr=True)
    if options.with_reference:
        console.print(f"Peers: {restored} runs of the reference taken over.", highlight=False)
    try:
        failed = 0 if options.stored else _complete(cells, options.results, console)
    except KeyboardInterrupt:
        console.print("Interrupted: finished runs are stored, the next call goes on.")
        return 130
    records = [record for cell in cells if (record := _stored(cell, options.results, console)) is not None]
    text = page(records, skipped, settings(records))
    print(text, end="")
    console.print(f"written to {write_whole(options.results / 'page.md', text.encode())}", soft_wrap=True)
    if options.keep:
        for path in keep(records):
            console.print(f"written to {path}", soft_wrap=True)
    return 1 if failed else 0


def _complete(cells: Sequence[Cell], folder: Path, console: Console) -> int:
    """Computes the runs that are missing or older than the code; returns the number of failed runs, each of which is
    named."""
    stored = {cell: _stored(cell, folder, console) for cell in cells}
    missing = [cell for cell, record in stored.items() if record is None or older(record)]
    console.print(f"Peers: {len(missing)} runs to compute, {len(cells) - len(missing)} stored.", highlight=False)
    failed = 0
    with console.status("starting") as status:
        for number, cell in enumerate(missing, 1):
            status.update(f"{number} of {len(missing)}: {cell.contestant} on {cell.function}, seed {cell.seed}")
            try:
                store(compute(cell), folder)
            except Exception as error:  # the failure of one library: the others go on
                failed += 1
                console.print(f"failed: {cell}: {type(error).__name__}: {error}", markup=False, soft_wrap=True)
    return failed


def _stored(cell: Cell, folder: Path, console: Console) -> dict[str, object] | None:
    """The stored run; None, with a message, where the file is damaged: the run is computed again."""
    try:
        return read(cell, folder)
    except ValueError as error:
        console.print(f"{error}; computing it again", markup=False, soft_wrap=True)
        return None


def _functions(text: str) -> list[str]:
    """Names of functions and tunings; a list's name stands for its functions."""
    lists = {name: list(functions) for name, functions in LISTS.items()} | {"tunings": list(TUNINGS)}
    known = [*FUNCTIONS, *TUNINGS, *lists]
    names = _chosen("function", text, known) if text else ["ten", "others", "tunings"]
    return [one for name in names for one in lists.get(name, [name])]


def _chosen(kind: str, text: str, known: Sequence[str]) -> list[str]:
    names = split_names(text)
    for name in names:
        if name not in known:
            raise KeyError(unknown(kind, name, known))
    return names or list(known)


if __name__ == "__main__":
    sys.exit(main())
