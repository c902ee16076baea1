"""The library leaves the user's environment, precision and threads alone, and its results are in double precision.

The tests use processes of their own, because the settings of the suite hold for its whole process.
"""

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from core import environment, optimize, settings
from core.optimizer import programs
from core.optimizer.workers import THREADS
from tests.core.optimizer.hills import KEY

GIVEN = {"budget": 12, "key": KEY}

CHILD = """
import json, os, subprocess, sys
os.environ.pop("KMP_DUPLICATE_LIB_OK", None)  # scikit-learn may have set it in the parent
import jax, jax.numpy as jnp, numpy as np
before = dict(os.environ)
import kernelbo
import scipy.linalg, threadpoolctl
os.environ.pop("KMP_DUPLICATE_LIB_OK", None)  # set by this import, not by ours
blas = threadpoolctl.ThreadpoolController().select(user_api="blas")

def threads():
    return max(library["num_threads"] for library in blas.info())

def look():
    return [str(jnp.ones(1).dtype), threads()]

free, seen = look(), {}

def f(x):
    seen["objective"] = look()
    seen["type"] = str(x.dtype)
    return -float(((x - 0.3) ** 2).sum())

def constraint(x):
    seen["constraint"] = look()
    return True

def callback(history):
    seen["callback"] = look()

box, key = [(0.0, 1.0), (0.0, 2.0)], jax.random.key(17)
history = kernelbo.optimize(f, box, budget=12, key=key, callback=callback)
history.summary()
kernelbo.optimize(f, box, budget=6, initial_size=4, key=key, constraint=constraint)
optimizer = kernelbo.Optimizer(box, key=key)
optimizer.tell(optimizer.ask(2)[0], 1.0)
optimizer.save(sys.argv[1])
kernelbo.Optimizer.load(sys.argv[1])
boke = kernelbo.make("boke", 2)
seen["after"] = look()
changed = sorted(name for name in {*before, *os.environ} if before.get(name) != os.environ.get(name))
child = subprocess.run("echo $OMP_NUM_THREADS", shell=True, capture_output=True, text=True).stdout.strip()
made = sorted({str(leaf.dtype) for leaf in jax.tree.leaves(boke)})
print(json.dumps([free, seen, changed, child, history.x.tolist(), made, str(history.x.dtype)]))
"""


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The state of a process that imports kernelbo and uses it, with four threads of BLAS by its own choice."""
    kept = {name: value for name, value in os.environ.items() if name not in (*THREADS, "PJRT_NPROC", "XLA_FLAGS")}
    environment = {**kept, "OPENBLAS_NUM_THREADS": "4", "PYTHONWARNINGS": "error::DeprecationWarning"}
    command = [sys.executable, "-c", CHILD, str(tmp_path_factory.mktemp("saved") / "run")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def test_the_environment_and_so_all_children_stay_as_they_were(child: list[Any]) -> None:
    assert child[2] == []
    assert child[3] == ""  # an OpenMP simulator would take all cores


def test_the_users_functions_see_the_users_precision_and_threads(child: list[Any]) -> None:
    free, seen = child[:2]
    assert free[0] == "float32"
    for where in ("objective", "constraint", "callback", "after"):
        assert seen[where] == free, where


def test_what_is_computed_is_in_double_precision(child: list[Any]) -> None:
    """The tolerance is that of XLA's flags in tests, which optimise nothing: single precision has 1e-7."""
    assert child[1]["type"] == child[6] == "float64"
    assert child[5] == ["float64"] or "float32" not in child[5]
    here = optimize(lambda x: -float(((x - 0.3) ** 2).sum()), [(0.0, 1.0), (0.0, 2.0)], **GIVEN)
    np.testing.assert_allclose(child[4], here.x, atol=1e-5)


def test_the_flags_of_xla_are_those_of_the_settings() -> None:
    assert {name: str(value).lower() for name, value in programs.FLAGS.items()} == settings._FLAGS
    assert environment.TUNED == settings.TUNED
