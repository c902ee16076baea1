"""The common part of the command lines: reading of counts and folders, and errors in words."""

import argparse
import os
import signal
import stat
import sys
from pathlib import Path

from experiments.engine.scale import parse_scale

__all__ = ["BROKEN_PIPE", "check_folder", "count", "in_words", "leave_quietly", "scale", "stop_as_by_ctrl_c"]

BROKEN_PIPE = 141
"""The shell's exit status of a program whose reader (`| head`) has ended."""


def count(text: str) -> int:
    """A number of processes, for `argparse`: a whole number of at least 0, where 0 stands for the default."""
    if not text.strip().isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def scale(text: str) -> str:
    """The name of a scale, for `argparse`, whose error lists the near ones."""
    try:
        return parse_scale(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def check_folder(path: Path, *, needed: bool = False) -> None:
    """Raises OSError, in words, where a path cannot be a folder: a file is there, links go round in a circle, ...

    A folder that is not there yet passes, unless it is `needed`.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        if needed or path.is_symlink():
            raise OSError(f"{path} is not there") from error
        return
    except OSError as error:
        raise OSError(in_words(error)) from error
    if not stat.S_ISDIR(mode):
        raise OSError(f"{path} is not a folder")


def in_words(error: BaseException) -> str:
    """The text of an error without its number: "results/x: Permission denied"; a KeyError's message without quotes."""
    if isinstance(error, OSError) and error.strerror:
        place = error.filename2 or error.filename
        return f"{place}: {error.strerror}" if place else error.strerror
    if isinstance(error, KeyError) and error.args:
        return str(error.args[0])
    return str(error)


def leave_quietly() -> int:
    """The end of the program after a BrokenPipeError: nothing more can be printed, and Python must not
    try at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def stop_as_by_ctrl_c() -> None:
    """From here on SIGTERM stops the process as Ctrl-C does."""

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
