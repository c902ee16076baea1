"""The proposal benchmark on a tiny task; the test asserts nothing about its timings."""

import numpy as np
import pytest

from benchmarks.proposal import measure, ours, page, peer
from benchmarks.proposal.agreement import agreement
from benchmarks.proposal.task import SETTINGS, TARGETS, ProposalSettings
from tests.benchmarks.runs import as_run

TINY = ProposalSettings(initial_size=4, budget=6, raw_candidates=16, starts=2, seeds=2, rounds=1)


def test_the_task_is_the_one_announced() -> None:
    assert (SETTINGS.problem, SETTINGS.raw_candidates, SETTINGS.starts, SETTINGS.seeds) == ("hartmann3", 1024, 8, 30)
    assert (SETTINGS.initial_size, SETTINGS.budget - 1) == (10, 100)
    assert TARGETS == {
        ("boke", "botorch_fixed"): 50.0,
        ("gp_ucb", "botorch_fixed"): 10.0,
        ("gp_ucb_refit", "botorch_refit"): 10.0,
    }


def test_our_side_runs_without_the_peer_and_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch, without_peer: None
) -> None:
    monkeypatch.setattr(ours, "NAMES", ("boke",))
    said: list[str] = []
    part = measure.measure(TINY, said.append)
    assert part["peer"] == {}
    assert part["ratios"] == part["targets"] == part["agreement"] == []
    assert part["together"]["boke"]["runs"] == 2
    assert part["alone"]["boke"]["runs"] == 1
    assert part["alone"]["boke"]["seconds"] > 0
    assert said
    text = page.section(as_run(proposal=part))
    assert "The peer was skipped" in text
    assert "BOKE, together" in text


@pytest.mark.parametrize("count", [10, 40])
@pytest.mark.filterwarnings("ignore")
def test_the_peer_has_our_posterior_and_no_better_maximum(count: int, with_peer: None) -> None:
    rng = np.random.default_rng(count)
    x = rng.random((count, 3))
    y = np.sin(7 * x[:, 0]) + x[:, 1] * x[:, 2]
    found = agreement(x, y, peer.Constants(0.2, 0.01, 4.0), SETTINGS)
    assert found["agree"], found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("refit", [False, True])
def test_a_run_of_the_peer(refit: bool, with_peer: None) -> None:
    design = np.random.default_rng(0).random((4, 2))
    effort = {"starts": 2, "raw_candidates": 16}
    constants = peer.Constants(0.2, 0.01, 4.0)
    seconds, y = peer.run(lambda x: -float(x @ x), design, 7, constants, refit=refit, seed=0, **effort)
    assert seconds.shape == (3,)
    assert y.shape == (7,)
    assert np.all(seconds > 0)
    assert np.isfinite(y).all()


@pytest.mark.filterwarnings("ignore")
def test_both_sides_take_turns(monkeypatch: pytest.MonkeyPatch, with_peer: None) -> None:
    monkeypatch.setattr(measure, "AGREEMENT_AT", (4,))
    part = measure.measure(TINY, lambda words: None)
    assert set(part["peer"]) == set(measure.PEERS)
    assert [entry["peer"] for entry in part["ratios"]] == ["botorch_fixed"] * 4 + ["botorch_refit"] * 2
    assert len(part["targets"]) == len(TARGETS)
    assert part["agreement"][0]["count"] == 4
