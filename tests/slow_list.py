"""The list of slow tests in `slow.txt`: files, less some of their tests. The list says which tests count as slow."""

from pathlib import Path

LISTED = [line for line in Path(__file__).with_name("slow.txt").read_text().split("\n") if line and line[0] != "#"]
FILES = frozenset(line for line in LISTED if line[0] != "!")
QUICK = frozenset(line[1:] for line in LISTED if line[0] == "!")


def is_slow(test: str) -> bool:
    """True for the address of a slow test, `tests/core/test_exp3.py::test_weights[2]`."""
    return test.partition("::")[0] in FILES and test.partition("[")[0] not in QUICK


def wholly_slow(path: str) -> bool:
    """True for a file with slow tests only."""
    return path in FILES and not any(test.startswith(f"{path}::") for test in QUICK)
