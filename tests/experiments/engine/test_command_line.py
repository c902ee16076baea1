"""The common part of the command lines; the calls that need it are in `tests/test_bad_input.py`."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.engine.command_line import BROKEN_PIPE, check_folder, count, in_words
from experiments.engine.source import PROJECT

ENDLESS = """
import sys
from experiments.engine.command_line import leave_quietly
try:
    while True:
        print("a line", flush=True)
except BrokenPipeError:
    sys.exit(leave_quietly())
"""


def test_counts() -> None:
    assert [count(text) for text in ("0", "12", " 3 ")] == [0, 12, 3]
    for text in ("-1", "1.5", "", "two", "0x3", "+1"):
        with pytest.raises(argparse.ArgumentTypeError, match="not a whole number of at least 0"):
            count(text)


def test_folders(tmp_path: Path) -> None:
    check_folder(tmp_path, needed=True)
    check_folder(tmp_path / "not" / "yet")
    with pytest.raises(OSError, match="yet is not there"):
        check_folder(tmp_path / "not" / "yet", needed=True)


def test_errors_in_words(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Errno") as caught:
        (tmp_path / "nothing").read_text()
    assert in_words(caught.value) == f"{tmp_path / 'nothing'}: No such file or directory"
    with pytest.raises(OSError, match="Errno") as caught:
        (tmp_path / "nothing").rename(tmp_path / "to" / "nowhere")
    assert in_words(caught.value) == f"{tmp_path / 'to' / 'nowhere'}: No such file or directory"
    assert in_words(KeyError("unknown 'x'")) == "unknown 'x'"
    assert in_words(OSError("in words already")) == "in words already"
    assert in_words(ValueError("wrong")) == "wrong"


def test_a_reader_that_goes_away() -> None:
    command = [sys.executable, "-c", ENDLESS]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, env={**os.environ, "PYTHONPATH": ""}
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"a line\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == BROKEN_PIPE


def test_it_starts_without_what_only_some_commands_need() -> None:
    """Every worker process imports the command's module again, so that it must start quickly there too."""
    code = (
        "import sys, experiments.__main__; print(*sorted({'jax', 'matplotlib', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
