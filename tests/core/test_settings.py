"""XLA's flags: ours are set, an environment that names one keeps it, and the programs compute the same."""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np

from core import settings
from core.policies import SearchEffort, make
from core.types import Observations
from tests.core.helpers import sample_data

FLAGS = ("xla_cpu_use_fusion_emitters=false", "xla_cpu_parallel_codegen_split_count=1")


def test_flags_are_set_for_a_release_that_knows_them() -> None:
    assert jax.lib.__version__.startswith(settings.TUNED)
    assert all(f"--{flag}" in os.environ["XLA_FLAGS"] for flag in FLAGS)


def test_a_flag_of_the_environment_stays() -> None:
    given = "--xla_cpu_use_fusion_emitters=true"
    found = subprocess.run(
        [sys.executable, "-c", "import os, core.settings; print(os.environ['XLA_FLAGS'])"],
        env={**os.environ, "XLA_FLAGS": given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == [given, f"--{FLAGS[1]}"]


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
