"""Compiled programs are released when their memory mappings are many, and not before."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.engine.compiled_programs import mappings, release, resident


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists and limits the mappings")
def test_release_gives_the_mappings_back() -> None:
    @jax.jit
    def program(x: jax.Array, power: jax.Array) -> jax.Array:
        return jnp.sin(x) ** power

    results = [float(program(jnp.full(size, 0.5), jnp.asarray(2.0))[0]) for size in range(1, 9)]
    before = mappings()
    assert not release(many=before + 1000, much=2**40)
    assert release(many=0)
    assert mappings() < before - 8  # eight programs and more, several mappings each
    assert float(program(jnp.full(3, 0.5), jnp.asarray(2.0))[0]) == results[2]  # compiled again


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process")
def test_release_follows_the_memory_since_the_last_time() -> None:
    release(many=0)
    kept = resident()
    assert not release(many=2**31, much=256 * 2**20)
    ballast = np.ones(2**26)  # 512 MiB
    assert resident() > kept + 256 * 2**20
    assert release(many=2**31, much=256 * 2**20)
    assert not release(many=2**31, much=256 * 2**20)  # the ballast is not ours to let go: not again and again
    assert ballast[0] == 1.0
