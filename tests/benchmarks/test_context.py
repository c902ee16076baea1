"""The benchmark on random contexts: its task, its problem, its page."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.context import brute_force, page, public_code
from benchmarks.context import measure as context
from benchmarks.timing import Seconds
from core.policies.base import SearchEffort
from core.policies.context_kde import DrboKde
from core.search.maximize import candidate_lattice
from core.types import Observations
from experiments.problems.contexts.registry import get_context
from paper_figures.style import method_label
from tests.benchmarks.runs import as_run


def test_the_task_is_the_one_announced() -> None:
    assert context.SETTINGS.counts == (20, 60)
    assert context.TARGETS == {
        "sbo_kde": 0.35,
        "drbo_kde": 0.35,
        "drbo_mmd": 2.0,
        "drbo_mmd_minimax": 0.35,
        "stable_opt": 0.35,
    }
    assert context.RATIO_TARGETS == {"drbo_kde": 1.2, "drbo_mmd": 3.0, "drbo_mmd_minimax": 3.0, "stable_opt": 3.0}
    assert (context.SHORTFALL_ALLOWED, context.LATE_TARGETS) == (1e-6, {"sbo_kde": 0.25, "drbo_kde": 0.25})
    assert (context.SETTINGS.late, context.LATE) == (360, context.METHODS[:-1])
    states = len(brute_force.PROBLEMS) * len(brute_force.METHODS) * len(context.SETTINGS.states)
    assert (states, min(context.SETTINGS.states), max(context.SETTINGS.states)) == (112, 20, 340)
    assert len(set(brute_force.PROBLEMS)) == 8


def test_brute_force_starts_from_corners_and_finds_what_a_poor_search_misses() -> None:
    """On the newsvendor after 12 observations the search finds the maximum; another point is reported with its
    shortfall."""
    corners = {(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)}
    assert corners <= {tuple(point) for point in np.asarray(brute_force._lattice(2)).tolist()}
    rng = np.random.default_rng(2)
    x, c = rng.random((12, 1)), rng.random((12, 1))
    y = -((x[:, 0] - 0.3 - 0.2 * c[:, 0]) ** 2)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), jnp.asarray(c), capacity=16)
    policy = DrboKde(1, context_dim=1, samples=64, effort=SearchEffort.of(1, 64, 4))
    state, key = policy.init(jax.random.key(0)), jax.random.key(1)
    proposal = brute_force._propose(policy, key, state, observations)
    lattice = brute_force._lattice(1)[::8]
    found, poor = (
        float(brute_force._lacking(policy, key, state, observations, point, lattice))
        for point in (proposal, jnp.mod(proposal + 0.3, 1.0))
    )
    assert abs(found) <= 1e-6
    assert poor > 0.01


def test_decisions_crowd_around_the_best_and_begin_alike() -> None:
    problem = get_context("newsvendor")
    run, longer = (brute_force.crowded(problem, count) for count in (60, 80))
    x, y = np.asarray(run.x), np.asarray(run.y)
    np.testing.assert_array_equal(x, longer.x[:60])
    np.testing.assert_array_equal(x[:10], candidate_lattice(10, 1))
    value, _ = problem.observe(jax.random.key(0), run.x[50], run.context[50])
    assert float(value) == pytest.approx(float(y[50]), rel=1e-12)
    assert np.all((x >= 0) & (x <= 1))
    near = [np.abs(x[i] - x[np.argmax(y[:i])]).max() <= 0.05 for i in range(10, 60)]
    assert 0.3 < np.mean(near) < 0.8


def test_states_are_summed_up_by_problem_and_method() -> None:
    states = [
        brute_force.State("newsvendor", "drbo_kde", 20, 3e-7),
        brute_force.State("context_branin", "sbo_kde", 20, -1e-12),
        brute_force.State("newsvendor", "drbo_kde", 60, 2e-6),
    ]
    assert brute_force.summary(states, 1e-6) == [
        {"problem": "context_branin", "method": "sbo_kde", "states": 1, "beyond": 0, "worst": -1e-12},
        {"problem": "newsvendor", "method": "drbo_kde", "states": 2, "beyond": 1, "worst": 2e-6},
    ]


def test_the_public_code_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert public_code.main([]) == 2
    assert "CLONE" in capsys.readouterr().err


def test_methods_are_called_as_in_the_figures() -> None:
    assert {name: method_label(name) for name in context.METHODS} == page.LABELS


def test_ratios_are_medians_of_those_in_a_round() -> None:
    ours = [[Seconds(9.0, value) for value in turn] for turn in ([3.0, 1.0, 2.0], [8.0], [30.0])]
    theirs = [[Seconds(1.0, value)] for value in (1.0, 2.0, 3.0)]
    assert context._ratio(ours, theirs) == pytest.approx(4.0)
    row = context._row("a", 20, ours)
    assert (row["wall"], row["processor"][1]) == ([9.0] * 3, 3.0)


def test_its_ackley_is_ackleys() -> None:
    x, c = np.array([0.1, 0.83]), np.array([0.41])
    z = 65.536 * np.append(x, c) - 32.768
    expected = -20 * np.exp(-0.2 * np.sqrt((z**2).mean())) - np.exp(np.cos(2 * np.pi * z).mean()) + 20 + np.e
    found, variance = context.Ackley().observe(jax.random.key(0), jnp.asarray(x), jnp.asarray(c))
    assert float(found) == pytest.approx(-expected, rel=1e-12)
    assert float(variance) == 0.0
    best, _ = context.Ackley().observe(jax.random.key(0), jnp.full(2, 0.5), jnp.full(1, 0.5))
    assert float(best) == pytest.approx(0.0, abs=1e-12)


def test_the_section_shows_every_number_of_its_result_and_missed_targets() -> None:
    part = {
        "settings": context.SETTINGS.config(),
        "rows": [
            {"method": "sbo_kde", "count": 60, "wall": [0.11, 0.67, 0.93], "processor": [0.1, 0.2, 0.3]},
            {"method": "stable_opt", "count": 60, "wall": [0.1, 0.2, 0.3], "processor": [0.1, 0.2, 0.3]},
        ],
        "ratios": {"stable_opt": {"60": 1.37}},
        "states": [{"problem": "newsvendor", "method": "drbo_kde", "states": 7, "beyond": 0, "worst": 2e-8}],
        "targets": [{"name": "a", "target": 1.2, "reached": 1.37, "met": False}],
    }
    text = page.section(as_run(context=part))
    for expected in (
        "0.670 (0.110, 0.930)",
        "6.7 s, 10 times ours",
        "StableOpt 1.37 at t = 60",
        "| newsvendor | DRBO-KDE | 7 | 0 | 2.0e-08 |",
        "**no**",
    ):
        assert expected in text


def test_the_section_shows_runs_kept_before_all_problems_were_compared() -> None:
    part = {
        "settings": context.SETTINGS.config(),
        "rows": [],
        "ratios": {"60": 1.37},
        "brute_force": {"60": {"sbo_kde": -3e-9}, "360": {"sbo_kde": 2e-8}},
        "targets": [{"name": "a", "target": 1.2, "reached": 1.37, "met": False}],
    }
    text = page.section(as_run(context=part))
    for expected in ("DRBO-KDE 1.37 at t = 60", "-3.0e-09 at t = 60", "2.0e-08 at t = 360"):
        assert expected in text
