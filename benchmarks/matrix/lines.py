"""The lines of the matrix: each is a checkout made by `make`, with the command of its tests."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LINES", "PYTHONS", "Line", "interpreter"]

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MEMORY_KIB = 4 * 2**20


@dataclass(frozen=True)
class Line:
    """A line of the matrix.

    Attributes:
        name: the name in the table.
        python: version of the interpreter; empty for the first one found.
        place: name of the folder.
        prefix: the command that runs the tests' command.
        needs: the programs that it needs.
        root: True where only root can run it.
        owner: user who owns the folder and runs; empty for this one.
    """

    name: str
    python: str = ""
    place: str = "plain"
    prefix: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    root: bool = False
    owner: str = ""

    def obstacle(self, given: dict[str, str]) -> str:
        """The reason why the line cannot run here; empty where it can."""
        if not interpreter(self.python, given):
            return f"no Python {self.python or 'of these versions'} on this machine"
        lacking = [program for program in self.needs if not shutil.which(program)]
        if lacking:
            return f"no {', '.join(lacking)} on this machine"
        return "only root can" if self.root and os.geteuid() != 0 else ""


def interpreter(version: str, given: dict[str, str]) -> str:
    """The interpreter of a version (of the first that is had where none is asked for): given, or on the path."""
    for each in (version,) if version else PYTHONS:
        found = given.get(each) or shutil.which(f"python{each}")
        if found and Path(found).exists():
            return found
    return ""


SPACED = "a folder with spaces"
LINES = (
    *(Line(f"Python {version}", python=version, place=f"python-{version}") for version in PYTHONS),
    Line("a path with spaces, from an archive without git history", place=SPACED),
    Line(
        "a user who is not root",
        place=SPACED,
        prefix=("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"),
        needs=("setpriv",),
        root=True,
        owner="nobody",
    ),
    Line("offline after the installation", place=SPACED, prefix=("unshare", "-n"), needs=("unshare",), root=True),
    Line(
        "1 core and 4 GiB",
        place=SPACED,
        prefix=("taskset", "-c", "0", "prlimit", f"--data={MEMORY_KIB * 1024}"),
        needs=("taskset", "prlimit"),
    ),
)
"""The lines in their order: lines that share a place share its environment, which the first of them makes."""
