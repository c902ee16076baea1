"""The command line: `python -m experiments.data list|fetch [NAME ...]`."""

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from experiments.data.catalogue import CATALOGUE, entry
from experiments.data.formats import DataCorrupted
from experiments.data.sources import locate, obtain, present


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status: 0 all files are there and whole, 1 some are not, 2 a bad request."""
    parser = argparse.ArgumentParser(prog="python -m experiments.data", description=__doc__)
    parser.add_argument("command", choices=("list", "fetch"))
    parser.add_argument("names", nargs="*", help="files (default: all)", metavar="NAME")
    options = parser.parse_args(arguments)
    try:
        names = [entry(name).name for name in options.names] or list(CATALOGUE)
    except KeyError as error:
        print(f"experiments.data: {error.args[0]}", file=sys.stderr)
        return 2
    if options.command == "fetch":
        obtain(names, lambda message: print(message, file=sys.stderr))
    shown = Table("file", "state", "content", "source")
    whole = True
    for name in names:
        state = _state(name)
        whole = whole and state == "here"
        shown.add_row(name, state, CATALOGUE[name].content, CATALOGUE[name].source)
    Console().print(shown)
    return 0 if whole else 1


def _state(name: str) -> str:
    if present(name) is None:
        return "missing"
    try:
        locate(name)
    except DataCorrupted as error:
        print(error, file=sys.stderr)
        return "corrupted"
    return "here"


if __name__ == "__main__":
    sys.exit(main())
