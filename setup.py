"""Installation of the package `kernelbo`, with this checkout's `core` in it as `kernelbo.core`.

In the checkout the packages stand side by side and import each other by their own names (`from core.types import ...`).
Installed like that, a module called `core` would clash with anyone's. So a wheel takes the folder `core` as
`kernelbo.core`, and while it is built the imports in its sources are rewritten: what is installed is plain Python,
without any hook on imports. Studies, checks and figures need the results in this repository and are not installed.

An editable install (`pip install -e .`, what the Makefile makes) is a plain path to the checkout. All else that
setuptools must know stands in pyproject.toml.
"""

import ast
import re
import sys
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HOUSE = ("core", "experiments", "theory_checks", "paper_figures", "benchmarks", "cli")
"""Packages of the checkout that are not importable under these names where kernelbo is installed."""


def rewritten(source: str) -> str:
    """A source of the checkout as it is installed: `core` is imported as `kernelbo.core`, in its examples too.

    Raises:
        ValueError: an import of a package that is not installed, or one that this cannot rewrite.
    """
    source = re.sub(r"^([ \t]*)from core\b", r"\1from kernelbo.core", source, flags=re.MULTILINE)
    source = re.sub(r"^([ \t]*)import core[ \t]*$", r"\1from kernelbo import core", source, flags=re.MULTILINE)
    source = re.sub(r"^([ \t]*)import core(\.[\w.]+ as )", r"\1import kernelbo.core\2", source, flags=re.MULTILINE)
    source = re.sub(r"(:\w+:`~?)core\b", r"\1kernelbo.core", source)
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        for name in names:
            if name.split(".")[0] in HOUSE:
                raise ValueError(f"line {node.lineno}: the import of {name!r} cannot be installed")
    return source


class Build(build_py):
    """Copies modules as setuptools does, and rewrites the copies."""

    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        """One module; see `rewritten`."""
        built, copied = super().build_module(module, module_file, package)
        if not self.editable_mode:
            try:
                text = rewritten(Path(module_file).read_text(encoding="utf-8"))
            except ValueError as error:
                raise ValueError(f"{module_file}: {error}") from error
            Path(built).write_text(text, encoding="utf-8")
        return built, copied


def packages() -> dict[str, str]:
    """Every installed package, with the folder that it is made from."""
    ours = find_packages(include=["kernelbo", "kernelbo.*"])
    core = find_packages(include=["core", "core.*"])
    return {name: name.replace(".", "/") for name in ours} | {f"kernelbo.{n}": n.replace(".", "/") for n in core}


if __name__ == "__main__":
    if "editable_wheel" in sys.argv:  # a plain path: new packages need no reinstall
        side_by_side = find_packages(include=[f"{name}{more}" for name in ("kernelbo", *HOUSE) for more in ("", ".*")])
        setup(packages=side_by_side, package_dir={"": "."})
    else:
        setup(packages=sorted(packages()), package_dir=packages(), cmdclass={"build_py": Build})
