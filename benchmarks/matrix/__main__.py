"""`python -m benchmarks.matrix [--only WORDS] [--tests PATHS] [--python 3.13=/path ...] [--write]`: see `lines`.

For every line the committed tree is unpacked from an archive into a folder of its own, `make` installs the lock there,
and the tests are run. Nothing is run in this checkout. The page names the lines that cannot run. `--write`
records every line in `docs/matrix.json`, in the place of its earlier record, and rewrites `docs/matrix.md`.
"""

import io
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.command_line import Options, parse
from benchmarks.matrix.lines import LINES, Line, interpreter

__all__ = ["main", "page"]

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "docs" / "matrix.json"
DOCUMENT = ROOT / "docs" / "matrix.md"

SHOWN = 100
"""The number of last lines of the failing tests' output that are shown."""


OPTIONS: Options = {
    "--only": {"default": "", "help": "lines whose name holds one of these, with commas"},
    "--tests": {"default": "tests", "help": "what pytest is told to run (default: all tests)"},
    "--python": {"action": "append", "default": [], "metavar": "VERSION=PATH", "help": "an interpreter"},
    "--write": {"action": "store_true", "help": "record what was run in docs/"},
}
"""The arguments of the command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; exit status 1 where a line failed, 2 for a bad request."""
    options = parse("matrix", __doc__, OPTIONS, arguments)
    chosen = [line for line in LINES if any(words in line.name for words in options.only.split(","))]
    given = dict(each.partition("=")[::2] for each in options.python)
    if not chosen or not all(given.values()):
        print(f"matrix: no line is called {options.only!r}, or --python is not VERSION=PATH", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="kernelbo matrix ") as folder:
        os.chmod(folder, 0o755)
        entries = []
        for line in chosen:
            entries.append(_run(line, Path(folder) / line.place, given, options.tests))
            if options.write:  # written at once: a run takes hours, and may be interrupted
                _record(entries[-1])
    if not options.write:
        print(page({entry["line"]: entry for entry in entries}))
    return 1 if any(entry["outcome"].startswith("failed") for entry in entries) else 0


def _record(entry: dict[str, Any]) -> None:
    """Adds the outcome of a line to the record, and rewrites the page."""
    record: dict[str, Any] = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    record[entry["line"]] = entry
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
    DOCUMENT.write_text(page(record))


def _run(line: Line, place: Path, given: dict[str, str], tests: str) -> dict[str, Any]:
    """The outcome of one line."""
    entry: dict[str, Any] = {
        "line": line.name,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _text(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]),
        "system": f"{platform.system()} {platform.machine()}",
        "tests": tests,
    }
    obstacle = line.obstacle(given)
    if obstacle:
        return {**entry, "outcome": f"not run: {obstacle}"}
    begun = time.monotonic()
    python = interpreter(line.python, given)
    entry["python"] = _text([python, "-c", "import platform; print(platform.python_version())"])
    if not (place / ".venv" / ".stamp").exists():
        _unpack(place)
        print(f"matrix: {line.name}: installing with {python}", file=sys.stderr)
        made = _call(["make", f"PYTHON={python}", ".venv/.stamp"], place)
        if made.returncode:
            return {**entry, "outcome": f"failed: the installation: {_last(made)}"}
    entry["install_seconds"] = round(time.monotonic() - begun)
    if line.owner:
        for path in (place, *place.rglob("*")):
            shutil.chown(path, line.owner) if not path.is_symlink() else None
    begun = time.monotonic()
    print(f"matrix: {line.name}: testing", file=sys.stderr)
    home = {"HOME": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*line.prefix, ".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *shlex.split(tests)]
    done = _call(command, place, home)
    entry["test_seconds"] = round(time.monotonic() - begun)
    if done.returncode:
        print("\n".join((done.stdout + done.stderr).splitlines()[-SHOWN:]), file=sys.stderr)
    if line.owner and os.geteuid() == 0:
        subprocess.run(["chown", "-R", "root", str(place)], check=True)
    return {**entry, "outcome": f"{'failed' if done.returncode else 'passed'}: {_last(done)}"}


def _unpack(place: Path) -> None:
    """The committed tree, without its history."""
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", "HEAD"], capture_output=True, check=True).stdout
    place.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(place, filter="data")


def _call(command: Sequence[str], place: Path, more: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS")}
    environment = {**kept, **(more or {}), "JAX_COMPILATION_CACHE_DIR": str(place / ".cache" / "jax")}
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


def _text(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """The last line that was printed, without pytest's frame and its time."""
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return re.sub(r" in [\d.]+s.*|=", "", lines[-1]).strip() if lines else "it said nothing"


def page(record: dict[str, dict[str, Any]]) -> str:
    """`docs/matrix.md`."""
    rows = [
        f"| {entry['line']} | {entry.get('python', '')} | {entry['tests'] if 'python' in entry else ''} | "
        f"{entry['outcome']} | {entry.get('install_seconds', '')} | {entry.get('test_seconds', '')} | "
        f"{entry['date']}, {entry['commit']} |"
        for name in (line.name for line in LINES)
        if (entry := record.get(name)) is not None
    ]
    lines = [
        "# Other machines",
        "",
        f"The tests pass on {sum(entry['outcome'].startswith('passed') for entry in record.values())} of {len(record)} "
        "lines. Each line unpacks the committed tree from an archive, lets `make` install the lock, and runs the tests "
        "that are named (`tests` stands for all). Lines in a folder with spaces share one environment. `make matrix` "
        "runs the lines again.",
        "",
        "| line | Python | tests | outcome | seconds to install | seconds of the tests | when, commit |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *rows,
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
