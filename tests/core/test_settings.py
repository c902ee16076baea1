"""XLA's flags are set, a flag of the environment stays, and the results are those of XLA's own flags.

`import core` is quick: it loads no library that only some calls need.
"""

import json
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import settings
from core.policies import SearchEffort, make
from core.types import Observations
from tests.core.helpers import sample_data

FLAGS = ("xla_cpu_use_fusion_emitters=false", "xla_cpu_parallel_codegen_split_count=1")


def test_flags_are_set_for_a_release_that_knows_them() -> None:
    assert jax.lib.__version__.startswith(settings.TUNED)
    assert all(f"--{flag}" in os.environ["XLA_FLAGS"] for flag in FLAGS)


GIVEN = "--xla_cpu_use_fusion_emitters=true"


@pytest.fixture(scope="module")
def imported() -> tuple[str, list[str]]:
    """The state of a new process with that flag after `import core`: its flags, and the libraries it has loaded."""
    report = "import json, os, sys, core; print(json.dumps([os.environ['XLA_FLAGS'], sorted(sys.modules)]))"
    found = subprocess.run(
        [sys.executable, "-c", report],
        env={**os.environ, "XLA_FLAGS": GIVEN},
        capture_output=True,
        text=True,
        check=True,
    )
    flags, modules = json.loads(found.stdout)
    return flags, modules


def test_a_flag_of_the_environment_stays(imported: tuple[str, list[str]]) -> None:
    assert imported[0].split() == [GIVEN, f"--{FLAGS[1]}"]


def test_what_few_calls_need_is_not_imported(imported: tuple[str, list[str]]) -> None:
    later = {
        "scipy.linalg",
        "scipy.special",
        "scipy.stats",
        "optimistix",
        "lineax",
        "blackjax",
        "optax",
        "matplotlib",
        "pandas",
        "optuna",
    }
    assert {"core", "jax"} <= set(imported[1])
    assert not later.intersection(imported[1])


def test_queries_are_those_of_xlas_own_choice() -> None:
    x, y = sample_data(7, 2, 3)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), jnp.zeros((7, 0)), capacity=8)
    policy = make("gp_ucb", 2, effort=SearchEffort.of(2, raw_candidates=32, starts=1, max_steps=20))

    def query(key: jax.Array) -> jax.Array:
        return policy.propose(key, policy.init(key), observations)[0]

    usual = jax.jit(query, compiler_options={"xla_cpu_use_fusion_emitters": True})
    for seed in range(3):
        key = jax.random.key(seed)
        np.testing.assert_allclose(jax.jit(query)(key), usual(key), atol=1e-6)
