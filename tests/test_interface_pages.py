"""`make docs`: the tool reads the docstrings as they are written here, and what it writes asks for nothing."""

import re
from pathlib import Path

import pytest

MAKEFILE = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
COMMAND = re.search(r"-m pdoc (.*)$", MAKEFILE, re.MULTILINE)
MODULES = ("core.stopping", "core.exp3")


def test_the_target_needs_no_network() -> None:
    assert COMMAND is not None
    assert COMMAND[1].split() == [
        *["--docformat", "google", "--no-show-source", "--output-directory", "site"],
        "kernelbo",
        "core",
    ]
    assert "--math" not in COMMAND[1]  # it would load a script from elsewhere when a page is read


def test_docstrings_become_pages(tmp_path: Path) -> None:
    """Arguments become lists, roles become code; nothing is loaded from elsewhere."""
    pdoc = pytest.importorskip("pdoc", reason="an environment of before the lock had it")
    pdoc.render.configure(docformat="google", show_source=False)
    pdoc.pdoc(*MODULES, output_directory=tmp_path)
    for name in MODULES:
        page = (tmp_path / f"{name.replace('.', '/')}.html").read_text(encoding="utf-8")
        assert "<h6" in page  # "Arguments:" and the like are headings of lists
        assert not re.search(r":(func|class|mod|meth):", page)
        assert not re.search(r"<(script|link)[^>]+(src|href)=.https?:", page)
