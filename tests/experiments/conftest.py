import importlib
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments.engine.registry import discover
from tests.experiments.engine.toy import Toy, write_paper

_numbers = itertools.count()


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    """A paper of toy studies of its own for each test (modules are loaded once under a name)."""
    top = f"toy_paper_{os.getpid()}_{next(_numbers)}"
    package = f"{top}.toy"
    write_paper(tmp_path, package)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield Toy(tmp_path, package, discover((package,)))
    for name in [name for name in sys.modules if name.split(".")[0] == top]:
        del sys.modules[name]
