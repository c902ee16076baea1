"""The record of what made a result: package versions, git commit, machine. Every result has one, and every figure shows
it."""

import importlib.metadata
import os
import platform
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = ("results/reference", "theory_checks/counterexamples", "theory_checks/expected.json")
"""The tracked files that are results."""

PACKAGES = ("jax", "jaxlib", "numpy", "scipy", "equinox", "optimistix", "scikit-learn")


def provenance() -> dict[str, Any]:
    """Versions, commit, machine, computing platform and compiler flags (if any) of this process, as JSON values."""
    flags = os.environ.get("XLA_FLAGS")
    return {
        "commit": git_commit(),
        "versions": {"python": platform.python_version(), **_versions()},
        "machine": machine(),
        "platform": _platform(),
        **({"xla_flags": flags} if flags else {}),
    }


@lru_cache(maxsize=1)
def git_commit() -> str:
    """The commit of the source tree, with "-dirty" when tracked files differ from it; "unknown" without git.

    Committed results and pinned verdicts do not count: no result is computed from them, and finished results replace
    them while others run.
    """
    root = Path(__file__).resolve().parents[2]
    try:
        commit = _git(root, "rev-parse", "--short=12", "HEAD")
        data = [f":(exclude){path}" for path in DATA]
        changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", *data)
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit


def committed() -> str:
    """The commit of this code. Raises OSError where files differ from the commit, because results that are kept name
    it."""
    commit = git_commit()
    if commit.endswith("-dirty") or (commit != "unknown" and _new_modules()):
        raise OSError(f"the code differs from commit {commit.removesuffix('-dirty')}: commit it first, then keep")
    return commit


def _new_modules() -> str:
    """The modules that git does not know, one a line."""
    return _git(Path(__file__).resolve().parents[2], "ls-files", "--others", "--exclude-standard", "--", "*.py")


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout.strip()


@lru_cache(maxsize=1)
def machine() -> dict[str, Any]:
    """The processor's name, the number of its cores that this process may use, and the operating system."""
    return {"processor": _processor(), "cores": usable_cores(), "system": f"{platform.system()} {platform.machine()}"}


def usable_cores() -> int:
    """The number of cores that this process may use (on Linux taskset and cgroup cpusets count)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _platform() -> str:
    """The platform of JAX in this process; "cpu" without JAX."""
    jax = sys.modules.get("jax")
    return "cpu" if jax is None else str(jax.default_backend())


@lru_cache(maxsize=1)
def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine() or "unknown"
