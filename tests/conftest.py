"""The settings of every test: float64, no silent broadcasting between ranks, checked shapes in `core`.

The environment must be set before JAX is loaded, the import hook before `core` is: hence the order below. The number
of threads is set earlier still (`tests.one_thread`).
"""

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("MPLBACKEND", "agg")
# Compiled in a hurry: half the suite's time was LLVM's optimisation of programs that run once.
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_backend_optimization_level=0".strip()
os.environ["KERNELBO_OFFLINE"] = "1"  # no test reaches for the public sources of data
# No test depends on what was run on this machine before: local results are those of this process, none to begin with.
_RESULTS = tempfile.TemporaryDirectory(prefix="kernelbo-tests-")
os.environ["KERNELBO_RESULTS"] = _RESULTS.name
# Compiled programs are kept, for the other test process, for what `release` lets go, and between runs of the tests. The
# small ones too: a test that runs operation by operation compiles some forty, 36 ms each, 15 ms where it is kept.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parent.parent / ".cache" / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")
# Programs do not say which line of Python each operation comes from: nobody reads it, and it takes time to write.
os.environ.setdefault("JAX_TRACEBACK_IN_LOCATIONS_LIMIT", "0")

import hypothesis  # noqa: E402
import jax  # noqa: E402
import pytest  # noqa: E402
from jaxtyping import install_import_hook  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_rank_promotion", "raise")

# Shapes and dtypes in the signatures of `core` are checked whenever a function is called or traced. Two modules that
# name no shape are left out, because a test calls their functions up to a million times and a checked call takes 50 us.
UNCHECKED = ("core.spaces.domain", "core.spaces.linear")
_ROOT = Path(__file__).parent.parent
_MODULES = {".".join(path.relative_to(_ROOT).with_suffix("").parts) for path in (_ROOT / "core").rglob("*.py")}
install_import_hook(sorted(one for one in _MODULES - {*UNCHECKED} if "__init__" not in one), "beartype.beartype")

from experiments.engine import provenance  # noqa: E402
from experiments.engine.compiled_programs import release  # noqa: E402
from experiments.engine.pool import COLLECTED_AFTER  # noqa: E402
from tests import slow_list  # noqa: E402
from tests.lowering import one_context_for_many_programs  # noqa: E402

gc.set_threshold(*COLLECTED_AFTER)
one_context_for_many_programs()

# The same examples in every run: a red test stays red until it is mended.
hypothesis.settings.register_profile("kernelbo", derandomize=True, deadline=None)
hypothesis.settings.load_profile("kernelbo")


@pytest.fixture(autouse=True)
def _a_clean_tree(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """`keep` refuses a tree with changes; tests are run in such ones."""
    if request.module.__name__.rpartition(".")[2] != "test_provenance":
        monkeypatch.setattr(provenance, "git_commit", lambda: "0123456789ab")
        monkeypatch.setattr(provenance, "_new_modules", str)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks slow what `slow.txt` lists; files with slow tests come first, so that processes that take one file after
    the other (`make test`) have only quick ones left at the end, and finish together."""
    for item in items:
        if slow_list.is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Objects loaded by now stay: pytest's five collections of garbage at the end need not go through
    them each time."""
    gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that have only slow tests are not even imported without slow tests."""
    if config.getoption("markexpr") != "not slow" or collection_path.suffix != ".py":
        return None
    return slow_list.wholly_slow(collection_path.relative_to(config.rootpath).as_posix()) or None


@pytest.fixture(autouse=True, scope="module")
def _few_compiled_programs() -> Iterator[None]:
    """Compiled programs are let go between modules when there are many: 1,500 tests in one process were too many for
    the kernel, and at the limit of `release` itself a process takes five gigabytes."""
    yield
    release(10_000, much=2**40)
