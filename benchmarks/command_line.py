"""The one parser of the benchmarks: `python -m benchmarks [COMMAND] ...`. Needs the standard library only."""

import argparse
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["COMMANDS", "Options", "called", "parse"]

COMMANDS = ("faults", "gpu", "matrix", "peers")
"""The commands with options of their own; each is also `python -m benchmarks.COMMAND`. Without a command a benchmark is
timed."""

Options = Mapping[str, Mapping[str, Any]]
"""The options of `argparse` for each flag."""


def parse(command: str, words: str | None, options: Options, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of a command, which `--help` describes by `words`; the process's arguments by default."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {command}".rstrip(), description=words)
    for flag, told in options.items():
        parser.add_argument(flag, **told)
    return parser.parse_args(arguments)


def called(command: str, arguments: Sequence[str]) -> int:
    """Runs a command; its exit status."""
    status: int = importlib.import_module(f"benchmarks.{command}.__main__").main(arguments)
    return status
