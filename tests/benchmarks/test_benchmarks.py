"""The benchmark's machinery on tiny tasks; its timings are nobody's business here."""

import copy
import json
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import context, context_page, ours, peer, proposal, streaming
from benchmarks.agreement import agreement
from benchmarks.document import render
from benchmarks.settings import SETTINGS, TARGETS, Settings

TINY = Settings(initial_size=4, budget=6, raw_candidates=16, starts=2, seeds=2, rounds=1)


@pytest.fixture
def boke_without_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "available", lambda: False)
    monkeypatch.setattr(ours, "NAMES", ("boke",))


@pytest.fixture
def tiny_streaming(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "COUNTS", (100, 200))
    monkeypatch.setattr(streaming, "CANDIDATES", 8)
    monkeypatch.setattr(streaming, "SHORTEST", 1e-4)
    memory = {"count": 200, "data_mib": 0.1, "beyond_data_mib": 3.0}
    monkeypatch.setattr(streaming, "_memory_in_a_fresh_process", lambda count: memory)


def test_the_task_is_the_one_announced() -> None:
    assert (SETTINGS.problem, SETTINGS.raw_candidates, SETTINGS.starts, SETTINGS.seeds) == ("hartmann3", 1024, 8, 30)
    assert (SETTINGS.initial_size, SETTINGS.budget - 1) == (10, 100)
    assert TARGETS == {
        ("boke", "botorch_fixed"): 50.0,
        ("gp_ucb", "botorch_fixed"): 10.0,
        ("gp_ucb_refit", "botorch_refit"): 10.0,
    }


def test_our_side_runs_without_the_peer_and_the_page_says_so(boke_without_peer: None, tiny_streaming: None) -> None:
    said: list[str] = []
    result = {
        "benchmark": "proposal",
        "provenance": {
            "commit": "abc",
            "versions": {"jax": "1"},
            "machine": {"processor": "p", "cores": 2, "system": "s"},
        },
        "device": "cpu",
        "proposal": proposal.measure(TINY, said.append),
        "streaming": streaming.measure(said.append),
    }
    part = result["proposal"]
    assert part["peer"] == {}
    assert part["ratios"] == part["targets"] == part["agreement"] == []
    assert part["together"]["boke"]["runs"] == 2
    assert part["alone"]["boke"]["runs"] == 1
    assert part["alone"]["boke"]["seconds"] > 0
    assert said
    page = render(json.loads(json.dumps(result)))
    assert "The peer was skipped" in page
    assert "BOKE, together" in page


def test_the_probe_sums_exponentials() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.random((5, 3)), rng.random((23, 3))
    found = streaming.probe(jnp.asarray(left), jnp.asarray(right), 7)
    assert float(found) == pytest.approx(float(np.exp(left @ right.T).sum()), rel=1e-12)


def test_unknown_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "propsal"]) == 2
    assert "Did you mean proposal?" in capsys.readouterr().err
    assert command.main(["--rounds", "0"]) == 2


def test_a_run_without_the_peer_cannot_become_the_reference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peer, "available", lambda: False)
    assert command.main(["--keep"]) == 2
    message = capsys.readouterr().err
    assert "peer is skipped" in message
    assert "pip install" in message


needs_a_reference = pytest.mark.skipif(
    not (command.REFERENCE / "proposal.json").is_file(), reason="no benchmark run is committed"
)


@needs_a_reference
def test_the_committed_page_shows_the_committed_reference() -> None:
    assert command.DOCUMENT.read_text() == command.page()


@needs_a_reference
def test_a_missed_target_is_shown_as_missed() -> None:
    result: dict[str, Any] = json.loads((command.REFERENCE / "proposal.json").read_text())
    worse = copy.deepcopy(result)
    worse["streaming"]["targets"][0]["met"] = False
    assert render(worse).count("**no**") == render(result).count("**no**") + result["streaming"]["targets"][0]["met"]


@pytest.mark.parametrize("count", [10, 40])
@pytest.mark.filterwarnings("ignore")
def test_the_peer_has_our_posterior_and_no_better_maximum(count: int) -> None:
    pytest.importorskip("botorch", reason="the extra [bench] is not installed")
    rng = np.random.default_rng(count)
    x = rng.random((count, 3))
    y = np.sin(7 * x[:, 0]) + x[:, 1] * x[:, 2]
    found = agreement(x, y, peer.Constants(0.2, 0.01, 4.0), SETTINGS)
    assert found["agree"], found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("refit", [False, True])
def test_a_run_of_the_peer(refit: bool) -> None:
    pytest.importorskip("botorch", reason="the extra [bench] is not installed")
    design = np.random.default_rng(0).random((4, 2))
    effort = {"starts": 2, "raw_candidates": 16}
    constants = peer.Constants(0.2, 0.01, 4.0)
    seconds, y = peer.run(lambda x: -float(x @ x), design, 7, constants, refit=refit, seed=0, **effort)
    assert seconds.shape == (3,)
    assert y.shape == (7,)
    assert np.all(seconds > 0)
    assert np.isfinite(y).all()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only a new all-time peak shows")
def test_the_memory_meter_sees_what_is_allocated_and_freed_again() -> None:
    """64 MiB touched inside the call count, also after a higher peak before it; nothing touched counts as nothing."""
    np.ones(2**25)  # 256 MiB, freed: the all-time peak is now far above
    assert 60.0 < streaming.peak_growth_mib(lambda: np.ones(2**23)) < 80.0
    assert streaming.peak_growth_mib(lambda: None) < 4.0


def test_the_context_benchmark_is_the_one_announced() -> None:
    assert context.SETTINGS.counts == (20, 60)
    assert context.TARGETS == {
        "sbo_kde": 0.35,
        "drbo_kde": 0.35,
        "drbo_mmd": 2.0,
        "drbo_mmd_minimax": 0.35,
        "stable_opt": 0.35,
    }
    assert (context.RATIO_TARGET, context.SHORTFALL_TARGET) == (1.2, 1e-6)


def test_its_ackley_is_ackleys() -> None:
    x, c = np.array([0.1, 0.83]), np.array([0.41])
    z = 65.536 * np.append(x, c) - 32.768
    expected = -20 * np.exp(-0.2 * np.sqrt((z**2).mean())) - np.exp(np.cos(2 * np.pi * z).mean()) + 20 + np.e
    found, variance = context.Ackley().observe(jax.random.key(0), jnp.asarray(x), jnp.asarray(c))
    assert float(found) == pytest.approx(-expected, rel=1e-12)
    assert float(variance) == 0.0
    best, _ = context.Ackley().observe(jax.random.key(0), jnp.full(2, 0.5), jnp.full(1, 0.5))
    assert float(best) == pytest.approx(0.0, abs=1e-12)


def test_the_context_section_shows_every_number_of_its_result_and_missed_targets() -> None:
    result: dict[str, Any] = {
        "provenance": {
            "commit": "abc",
            "versions": {"jax": "1"},
            "machine": {"processor": "p", "cores": 2, "system": "s"},
        },
        "device": "cpu",
        "context": {
            "settings": context.SETTINGS.config(),
            "rows": [
                {"method": "sbo_kde", "count": 60, "wall": [0.11, 0.67, 0.93], "processor": [0.1, 0.2, 0.3]},
                {"method": "stable_opt", "count": 60, "wall": [0.1, 0.2, 0.3], "processor": [0.1, 0.2, 0.3]},
            ],
            "ratios": {"60": 1.37},
            "brute_force": {"sbo_kde": -3e-9},
            "targets": [{"name": "a", "target": 1.2, "reached": 1.37, "met": False}],
        },
    }
    page = context_page.section(json.loads(json.dumps(result)))
    for part in ("0.670 (0.110, 0.930)", "6.7 s, 10 times ours", "1.37 at t = 60", "-3.0e-09", "**no**"):
        assert part in page
