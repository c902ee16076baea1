"""Faults of files: a full disk, damaged, swapped, foreign and unwritable results, link loops, changed data."""

import os
import random
import resource
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.faults import table
from benchmarks.faults.bench import Bench
from benchmarks.faults.trial import Fault, Harm
from experiments.engine.result_file import encode, load

__all__ = ["SPOILS", "data_faults", "disk_fault", "link_loop_faults", "may_mount", "read_only_fault", "unmount"]

Damage = Callable[[list[Path], random.Random], list[Path]]
SMALL_DISK = "176k"  # four of six results, and the folders
LARGEST_FILE = 24 * 1024


def _of_results(name: str, how: str, damage: Damage) -> Fault:
    def inflict(bench: Bench, draw: random.Random) -> Harm:
        spoiled = damage(sorted(bench.results.rglob("*.npz")), draw)
        return Harm({path: path.read_bytes() for path in spoiled})

    return Fault(name, how, inflict, stored=True)


def _truncate(paths: list[Path], draw: random.Random) -> list[Path]:
    chosen = draw.sample(paths, 2)
    for path in chosen:
        os.truncate(path, draw.randrange(path.stat().st_size))
    return chosen


def _flip(paths: list[Path], draw: random.Random) -> list[Path]:
    """One bit of the content (flags and dates of the archive around it mean nothing)."""
    chosen = draw.sample(paths, 2)
    for path in chosen:
        content = bytearray(path.read_bytes())
        content[len(content) // 4 + draw.randrange(len(content) // 2)] ^= 1 << draw.randrange(8)
        path.write_bytes(content)
    return chosen


def _swap(paths: list[Path], draw: random.Random) -> list[Path]:
    first, second = draw.sample(paths, 2)
    held = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(held)
    return [first, second]


def _from_other_code(paths: list[Path], draw: random.Random) -> list[Path]:
    """A result of the same configuration by other code, whose file has got the name of the present code's."""
    (path,) = draw.sample(paths, 1)
    result = load(path)
    arrays = {name: array + 1.0 for name, array in result.arrays.items()}
    path.write_bytes(encode(result.config, arrays, {**result.metadata, "code": "0123456789"}))
    return [path]


def _beside_other_code(paths: list[Path], draw: random.Random) -> list[Path]:
    """The same, under its own name; the present code's result is gone."""
    (path,) = draw.sample(paths, 1)
    (spoiled,) = _from_other_code([path], draw)
    spoiled.rename(path.with_name(path.name.rpartition("-")[0] + "-0123456789.npz"))
    return []


def _link_to_itself(paths: list[Path], draw: random.Random) -> list[Path]:
    for path in draw.sample(paths, 2):
        path.unlink()
        path.symlink_to(path.name)
    return []


def _read_only_files(paths: list[Path], draw: random.Random) -> list[Path]:
    chosen = _truncate(paths, draw)
    for path in paths:
        path.chmod(0o444)
    return chosen


SPOILS = (
    _of_results("results truncated", "two files, at random lengths", _truncate),
    _of_results("results corrupted", "one bit of each of two files", _flip),
    _of_results("results swapped between cells", "two files", _swap),
    _of_results("a result of other code under this code's name", "another array, another code in it", _from_other_code),
    _of_results("a result of other code under its own name", "another array, another code in it", _beside_other_code),
    _of_results("results that are links to themselves", "two of them", _link_to_itself),
    _of_results("truncated results that are read-only", "mode 0444", _read_only_files),
)


def may_mount(folder: Path) -> bool:
    """True where this user may mount a small file system on a folder; the function tries."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _mounted(folder, "size=64k")
    except subprocess.CalledProcessError:
        return False
    unmount(folder)
    return True


def unmount(folder: Path) -> None:
    """Takes away what a trial mounted, if it did."""
    if os.path.ismount(folder):
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _mounted(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-o", options, "-t", "tmpfs", "tmpfs", str(folder)], check=True, stderr=subprocess.DEVNULL)


def disk_fault(mounts: bool) -> Fault:
    """A disk that is full before all results are stored."""

    def small(bench: Bench, draw: random.Random) -> Harm:
        del draw
        bench.results.mkdir()
        _mounted(bench.results, f"size={SMALL_DISK}")
        ended = bench.run()
        subprocess.run(["mount", "-o", "remount,size=8m", str(bench.results)], check=True)
        return Harm({}, _refusal(ended.status, ended.output, "No space left on device"))

    def limited(bench: Bench, draw: random.Random) -> Harm:
        del draw
        ended = bench.run(before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE)))
        return Harm({}, _refusal(ended.status, ended.output, "File too large"))

    if mounts:
        return Fault("a full disk", f"tmpfs of {SMALL_DISK}", small)
    return Fault("a full disk", f"RLIMIT_FSIZE of {LARGEST_FILE} bytes", limited)


def _refusal(status: int, output: str, words: str) -> str:
    """The fault in the end of a run that could not store its results: such a run must say so in words,
    with status 2."""
    if status == 2 and words in output and "Traceback" not in output:
        return ""
    return f"expected status 2 and {words!r} without a traceback, got {status}: {output[-300:]}"


def read_only_fault(mounts: bool) -> Fault:
    """A results folder that cannot be written, with some results missing."""

    def inflict(bench: Bench, draw: random.Random) -> Harm:
        kept = draw.sample(sorted(bench.results.rglob("*.npz")), 3)
        if mounts:
            aside = bench.folder / "aside"
            bench.results.rename(aside)
            bench.results.mkdir()
            _mounted(bench.results, "size=8m")
            shutil.copytree(aside, bench.results, dirs_exist_ok=True)
        for path in kept:
            path.unlink()
        folders = [bench.results, *(path for path in bench.results.rglob("*") if path.is_dir())]
        if mounts:
            subprocess.run(["mount", "-o", "remount,ro", str(bench.results)], check=True)
        else:
            for folder in folders:
                folder.chmod(0o555)
        ended = bench.run()
        if mounts:
            subprocess.run(["mount", "-o", "remount,rw", str(bench.results)], check=True)
        else:
            for folder in folders:
                folder.chmod(0o755)
        return Harm({}, _refusal(ended.status, ended.output, "Read-only file system" if mounts else "Permission"))

    return Fault("results made read-only", "remounted read-only" if mounts else "mode 0555", inflict, stored=True)


def link_loop_faults() -> list[Fault]:
    """The results folder, or that of a study, is a link to itself, and then what it was."""

    def inflict(bench: Bench, draw: random.Random, inner: str) -> Harm:
        del draw
        place = bench.results / inner
        aside = bench.folder / "aside"
        place.rename(aside)
        place.symlink_to(place.name)
        ended = bench.run()
        place.unlink()
        aside.rename(place)
        return Harm({}, _refusal(ended.status, ended.output, "Too many levels of symbolic links"))

    places = (("the results folder", ""), ("a study's folder", "faults.sums"))
    return [
        Fault(f"{what} is a link loop", "a link to itself", partial(inflict, inner=inner), stored=True)
        for what, inner in places
    ]


def data_faults() -> list[Fault]:
    """The data file that a study reads is changed, before a run or in the middle of one, and then put right."""

    def inflict(bench: Bench, draw: random.Random, begun: bool) -> Harm:
        folder = bench.folder / "data"
        folder.mkdir()
        file = folder / table.FILE.name
        right = table.content()
        at = draw.randrange(len(right))
        while not right[at : at + 1].isdigit():
            at = draw.randrange(len(right))
        wrong = right[:at] + (b"3" if right[at : at + 1] != b"3" else b"4") + right[at + 1 :]
        bench.environment = {**bench.environment, "KERNELBO_DATA": str(folder)}
        file.write_bytes(right if begun else wrong)
        run = bench.start(workers=1)
        if begun:
            run.until(lambda: run.stored() >= 1)
            file.write_bytes(wrong)
        ended = run.end()
        file.write_bytes(right)
        trusted = not begun and ended.status != 1
        return Harm({}, "changed data were computed with" if trusted else "")

    where = (("before a run", False), ("during a run", True))
    return [
        Fault(
            f"a data file changed {when}",
            "one digit",
            partial(inflict, begun=begun),
            modules=("benchmarks.faults.table",),
        )
        for when, begun in where
    ]
