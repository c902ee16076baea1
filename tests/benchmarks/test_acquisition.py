"""The acquisition benchmark on a tiny task, its page, and the peer's values where the peer is installed."""

import dataclasses

import numpy as np
import pytest

from benchmarks.acquisition import agreement, page, peer
from benchmarks.acquisition import measure as acquisition
from core.models.gaussian_process import JITTER
from tests.benchmarks.runs import as_run

TINY = acquisition.AcquisitionSettings(counts=(9,), raw_candidates=16, starts=1, seeds=2, peer_sets=1, rounds=1)


def test_the_task_is_the_one_announced() -> None:
    settings = acquisition.SETTINGS
    assert (settings.raw_candidates, settings.starts, settings.seeds, acquisition.TARGET) == (1024, 8, 15, 10.0)
    assert settings.counts[-1] == 150
    assert set(acquisition.OPPONENTS) == set(acquisition.METHODS) == set(page.LABELS)
    assert set(acquisition.OPPONENTS.values()) == set(peer.PEERS)


def test_our_side_runs_without_the_peer_and_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch, without_peer: None
) -> None:
    monkeypatch.setattr(acquisition, "METHODS", ("corrected_ei",))
    said: list[str] = []
    part = acquisition.measure(TINY, said.append)
    assert said
    assert part["agreement"] == part["targets"] == []
    for row in part["rows"].values():
        assert set(row) == {"together", "alone"}
        assert all(seconds > 0 for how in row.values() for seconds in how)
    text = page.section(as_run(acquisition=part))
    assert "The peer was skipped" in text
    assert "Corrected EI, together" in text


def test_the_page_shows_ratios_agreement_and_missed_targets() -> None:
    settings = dataclasses.replace(TINY, counts=(9, 10))
    row = {"together": [0.002, 0.004], "alone": [0.003, 0.005]}
    theirs = {"peer": "ExpectedImprovement", "peer_seconds": [0.03, 0.06], "ratio": 15.0, "ratio_alone": 11.25}
    part = {
        "settings": settings.config(),
        "rows": {"ei": row | theirs},
        "agreement": [{"count": 9, "ei": 1e-15, "qnei": 7.0, "agree": False}],
        "targets": [{"name": "ei", "target": 10.0, "reached": 15.0, "met": True}],
    }
    text = page.section(as_run(acquisition=part))
    for expected in (
        "| EI, together | 2 ms | 4 ms |",
        "| BoTorch ExpectedImprovement | 30 ms | 60 ms |",
        "15.0",
        "**no**",
    ):
        assert expected in text


def test_ratios_are_of_the_means_over_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acquisition, "METHODS", ("corrected_ei",))
    seconds = {("corrected_ei", "together", count): [value] for count, value in ((9, 0.002), (10, 0.006))}
    seconds |= {("corrected_ei", "alone", count): [0.01, 0.02, 0.9] for count in (9, 10)}
    seconds |= {("ei", "peer", count): [0.1] for count in (9, 10)}
    row = acquisition._rows(seconds, dataclasses.replace(TINY, counts=(9, 10)))["corrected_ei"]
    assert row["ratio"] == pytest.approx(0.1 / 0.004)
    assert row["ratio_alone"] == pytest.approx(5.0)  # the median resists one slow turn
    assert row["peer"] == "ExpectedImprovement"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rows", [6, 20])
def test_the_peer_computes_the_same_acquisitions(rows: int, with_peer: None) -> None:
    rng = np.random.default_rng(rows)
    x = rng.random((rows, 2))
    task = peer.Task(
        x=x,
        z=np.sin(7 * x[:, 0]) + x[:, 1],
        noise_variance=np.linspace(0.05, 0.3, rows),
        lengthscale=np.array([0.3, 0.6]),
        variance=1.4,
        beta=1.0,
    )
    found = agreement.agreement(task)
    assert found["agree"], found
    assert JITTER < 1e-9  # the peer adds it to its noise too


@pytest.mark.filterwarnings("ignore")
def test_both_sides_take_turns(monkeypatch: pytest.MonkeyPatch, with_peer: None) -> None:
    monkeypatch.setattr(acquisition, "METHODS", ("corrected_ei", "ei"))
    monkeypatch.setattr(acquisition, "PEERS", {"ei": "ExpectedImprovement"})
    part = acquisition.measure(TINY, lambda words: None)
    assert [len(row["peer_seconds"]) for row in part["rows"].values()] == [1, 1]
    assert [entry["count"] for entry in part["agreement"]] == [9]
    assert len(part["targets"]) == 2
