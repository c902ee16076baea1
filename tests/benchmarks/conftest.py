"""Fixtures of several benchmarks' tests."""

from typing import Any

import pytest

from benchmarks import peer
from benchmarks.streaming import measure as streaming


@pytest.fixture
def without_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the process look as if BoTorch were not installed."""
    monkeypatch.setattr(peer, "available", lambda: False)


@pytest.fixture
def with_peer() -> None:
    """Skips where BoTorch is not installed."""
    pytest.importorskip("botorch", reason="the extra [bench] is not installed")


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The kernel sums of a tiny task."""
    memory = {"count": 200, "data_mib": 0.1, "beyond_data_mib": 3.0}
    monkeypatch.setattr(streaming, "in_a_fresh_process", lambda count: memory)
    tiny = streaming.StreamingSettings(counts=(100, 200), candidates=8, shortest=1e-4, rounds=2)
    return streaming.measure(tiny, lambda words: None)
