"""The streaming benchmark's probe, its memory meter, and its page."""

import sys
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.streaming import page
from benchmarks.streaming.measure import SETTINGS, probe
from benchmarks.streaming.memory import peak_growth_mib
from tests.benchmarks.runs import as_run


def test_the_task_is_the_one_announced() -> None:
    assert (SETTINGS.candidates, SETTINGS.counts[0], SETTINGS.counts[-1]) == (1024, 10**3, 10**6)


def test_the_probe_sums_exponentials() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.random((5, 3)), rng.random((23, 3))
    found = probe(jnp.asarray(left), jnp.asarray(right), 7)
    assert float(found) == pytest.approx(float(np.exp(left @ right.T).sum()), rel=1e-12)


def test_every_count_is_a_row_of_the_page(streamed: dict[str, Any]) -> None:
    assert [row["count"] for row in streamed["rows"]] == [100, 200]
    assert all(row["of_probe"] > 0 for row in streamed["rows"])
    assert len(streamed["targets"]) == 3
    text = page.section(as_run(streaming=streamed))
    assert "| 100 |" in text
    assert "| memory beyond the data at t = 10^6, MiB | 1024 | 3 | yes |" in text


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only a new all-time peak shows")
def test_the_memory_meter_sees_what_is_allocated_and_freed_again() -> None:
    """The meter counts the 64 MiB that a call touches, even after a higher peak before it, and 0 for a call that
    touches nothing."""
    np.ones(2**25)  # 256 MiB, freed: the all-time peak is now far above
    assert 60.0 < peak_growth_mib(lambda: np.ones(2**23)) < 80.0
    assert peak_growth_mib(lambda: None) < 4.0
