"""The hyperparameter benchmark on a tiny task, its page, and the peer's log posterior where the peer is installed."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.hyperparameters import agreement, page, peer
from benchmarks.hyperparameters import measure as hyperparameters
from core.models.hyperparameters import Hyperparameters
from core.policies import make
from core.types import Observations
from paper_figures.style import method_label
from tests.benchmarks.runs import as_run

TINY = hyperparameters.HyperparameterSettings(count=6, raw_candidates=16, starts=1, seeds=2, sets=1, rounds=2)


def step(count: int = 6, dim: int = 3) -> hyperparameters.Step:
    rng = np.random.default_rng(count)
    x = rng.random((count, dim))
    last = Hyperparameters(jnp.linspace(0.4, 0.9, dim), jnp.asarray(1.3), jnp.asarray(0.02))
    return hyperparameters.Step(Observations.of(jnp.asarray(x), jnp.asarray(np.sin(7 * x[:, 0]) + x[:, 1])), last)


def test_the_task_is_the_one_announced() -> None:
    settings = hyperparameters.SETTINGS
    assert (settings.count, settings.raw_candidates, settings.starts) == (100, 1024, 8)
    assert hyperparameters.TARGETS == {"gp_ucb_map": 5.0, "uhe_bo": 2.0}
    assert hyperparameters.MCMC_SECONDS == 1.0
    assert set(page.LABELS) == set(hyperparameters.METHODS)


def test_methods_are_called_as_in_the_figures() -> None:
    """A remark may follow, after a comma."""
    called = {name: label.partition(",")[0] for name, label in page.LABELS.items()}
    assert called == {name: method_label(name) for name in hyperparameters.METHODS}


def test_our_side_runs_without_the_peer_and_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch, without_peer: None
) -> None:
    monkeypatch.setattr(hyperparameters, "METHODS", ("portfolio_exp3",))
    said: list[str] = []
    part = hyperparameters.measure(TINY, said.append)
    assert said
    assert part["agreement"] == part["targets"] == []
    (row,) = part["rows"].values()
    assert set(row) == {"wall", "quartiles", "processor"}
    assert row["wall"] > 0
    text = page.section(as_run(hyperparameters=part))
    assert "The peer was skipped" in text
    assert "| Portfolio |" in text


@pytest.mark.parametrize("name", hyperparameters.METHODS)
def test_states_are_those_of_the_policy_before_a_query_that_is_not_random(name: str) -> None:
    policy: Any = make(name, 3, horizon=40) if name == "uhe_bo" else make(name, 3)
    one = step()
    state, plain = hyperparameters.state_of(policy, one), policy.init(jax.random.key(0))
    shapes = [jax.tree.map(lambda leaf: (jnp.shape(leaf), jnp.result_type(leaf)), s) for s in (state, plain)]
    assert shapes[0] == shapes[1]
    parameters = getattr(state, "parameters", state)
    assert np.all(np.asarray(parameters.lengthscale) == np.asarray(one.last.lengthscale))
    if hasattr(state, "rewarded"):
        assert int(one.observations.count - state.initial_count) % 2 == 1  # the second query of a pair


def test_ratios_are_medians_on_the_same_data_and_targets_compare_with_them() -> None:
    seconds = {("gp_ucb_map", how): [0.01, 0.02, 0.03] for how in ("wall", "processor")}
    seconds |= {("gp_ucb_mcmc", how): [0.5, 1.5, 2.5] for how in ("wall", "processor")}
    seconds |= {("data", "wall"): [0.04, 0.04, 0.3], ("data", "fit"): [0.01, 0.02, 0.03]}
    rows = hyperparameters._rows(seconds)
    assert rows["gp_ucb_map"]["ratio"] == pytest.approx(4.0)
    assert rows["gp_ucb_map"]["peer"] == pytest.approx(0.04)
    targets = hyperparameters._targets(rows)
    assert [entry["met"] for entry in targets] == [False, False]
    assert [entry["reached"] for entry in targets] == pytest.approx([4.0, 1.5])


def test_the_page_shows_ratios_agreement_and_missed_targets() -> None:
    entry = {"fitted": "data", "ours": -3.25, "peer": -3.5, "value_difference": 1e-12, "shortfall": -0.25}
    part = {
        "settings": TINY.config(),
        "rows": {
            "gp_ucb_map": {
                "wall": 0.02,
                "quartiles": [0.019, 0.03],
                "processor": 0.01,
                "peer": 0.14,
                "peer_fit": 0.02,
                "ratio": 7.0,
            }
        },
        "agreement": [entry | {"agree": False}],
        "targets": [{"name": "a", "target": 5.0, "reached": 7.0, "met": True}],
    }
    text = page.section(as_run(hyperparameters=part))
    for expected in (
        "| MAP | 20 ms (19 ms, 30 ms) | 10 ms | 140 ms (20 ms) | 7.0 |",
        "| data | -3.2500 | -3.5000 | -2.5e-01 | 1.0e-12 | **no** |",
        "| a | 5 | 7 | yes |",
    ):
        assert expected in text


@pytest.mark.parametrize("fitted", ["data", "pseudo-data"])
def test_the_peer_fits_the_same_function(fitted: str, with_peer: None) -> None:
    task = hyperparameters.task_of(step(20), fitted)
    assert len(task.fit_z) == (20 if fitted == "data" else 40)
    theirs = peer.step(task, starts=2, raw_candidates=16, seed=0)[2]
    found = agreement.agreement(task, theirs)
    assert found["agree"], found


@pytest.mark.filterwarnings("ignore")
def test_both_sides_take_turns_on_the_same_data(monkeypatch: pytest.MonkeyPatch, with_peer: None) -> None:
    monkeypatch.setattr(hyperparameters, "METHODS", ("gp_ucb_map",))
    part = hyperparameters.measure(TINY, lambda words: None)
    row = part["rows"]["gp_ucb_map"]
    assert 0 < row["peer_fit"] < row["peer"]
    assert row["ratio"] > 0
    assert [entry["fitted"] for entry in part["agreement"]] == ["data", "pseudo-data"] * TINY.seeds
