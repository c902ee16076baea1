"""The lock, the requirements and pyproject.toml agree, and none of them points at one machine."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
REQUIREMENTS = [
    line for line in (ROOT / "requirements.in").read_text().splitlines() if line and not line.startswith("#")
]
LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert match is not None
    return match.group().lower().replace("_", "-")


def test_every_dependency_is_required_alike():
    extras = PROJECT["optional-dependencies"]
    locked = {one for name in ("reproduce", "docs") for one in extras[name]}
    assert {*PROJECT["dependencies"], *locked} <= set(REQUIREMENTS)


def test_every_requirement_is_locked():
    locked = {_name(line) for line in LOCK.splitlines() if "==" in line}
    assert {_name(requirement) for requirement in REQUIREMENTS} <= locked


def test_every_locked_package_has_hashes():
    entries = re.split(r"\n(?=\S)", LOCK)
    packages = [entry for entry in entries if not entry.startswith("#")]
    assert len(packages) > 50
    assert all("--hash=sha256:" in package for package in packages)


def test_the_lock_names_no_registry():
    assert not re.search(r"https?://|--index-url|--extra-index|--find-links|file:", LOCK)


def test_one_numerical_set_for_every_python():
    for package in ("jax", "jaxlib", "numpy", "scipy"):
        assert len(re.findall(rf"^{package}==", LOCK, re.MULTILINE)) == 1
