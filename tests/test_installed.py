"""The wheel, installed beside another package called `core`: nothing clashes, and README's examples run."""

import re
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import core
import kernelbo

ROOT = Path(__file__).parent.parent
SETUP = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")
BUILT_FROM = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
EXAMPLES = """
import sys
import core, kernelbo, kernelbo.core
assert core.WHOSE == "anyone's", core.__file__
assert all(sys.argv[1] in module.__file__ for module in (kernelbo, kernelbo.core))
exec(open(sys.argv[2]).read(), {})
assert not [name for name in sys.modules if name.startswith("core.")]
print("all examples ran")
"""


def readme_examples() -> str:
    """The code of README and of docs/use.md, block after block; small budgets, to be quick."""
    pages = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/use.md"))
    code = "\n".join(re.findall(r"```python\n(.*?)```", pages, re.DOTALL))
    return re.sub(r"\bbudget=(\d+)", lambda budget: f"budget={5 + int(budget[1]) // 4}", code)


@pytest.mark.parametrize(
    ("source", "installed"),
    [
        ("from core import make\n", "from kernelbo.core import make\n"),
        ("if x:\n    from core.types import y\n", "if x:\n    from kernelbo.core.types import y\n"),
        ("import core\n", "from kernelbo import core\n"),
        ("import core.models.kernels as k\n", "import kernelbo.core.models.kernels as k\n"),
        ('"""See :func:`core.simulate.simulate`."""', '"""See :func:`kernelbo.core.simulate.simulate`."""'),
        ("from coreutils import x\nfrom .core import y\n", "from coreutils import x\nfrom .core import y\n"),
    ],
)
def test_imports_are_rewritten(source: str, installed: str) -> None:
    assert SETUP["rewritten"](source) == installed


@pytest.mark.parametrize("source", ["import core.types", "import os, core", "from experiments.papers import PAPERS"])
def test_what_cannot_be_installed_stops_the_build(source: str) -> None:
    with pytest.raises(ValueError, match="cannot be installed"):
        SETUP["rewritten"](source)


def test_the_checkout_has_the_same_face() -> None:
    assert kernelbo.__all__ == core.__all__
    assert all(getattr(kernelbo, name) is getattr(core, name) for name in core.__all__)


@pytest.mark.slow
def test_the_wheel_beside_another_core(tmp_path: Path) -> None:
    source, site = tmp_path / "source", tmp_path / "site"
    for name in (*BUILT_FROM, "core", "kernelbo"):
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).symlink_to(ROOT / name)
    subprocess.run([sys.executable, "-c", BUILD, str(tmp_path)], cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"kernelbo"}
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(site)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    (site / "core").mkdir()
    (site / "core" / "__init__.py").write_text('WHOSE = "anyone\'s"\n')
    examples = tmp_path / "examples.py"
    examples.write_text(SETUP["rewritten"](readme_examples()))
    run = [sys.executable, "-c", f"import sys; sys.path.insert(0, sys.argv[1])\n{EXAMPLES}", str(site), str(examples)]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("all examples ran\n")
