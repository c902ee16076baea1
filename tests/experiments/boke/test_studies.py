"""Studies of Paper A: the stored arrays against definitions worked out here, and the constants in use."""

import dataclasses
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.spatial.distance import cdist

from core import policies
from core.acquisition.boke import ikr_ucb
from core.designs import seed_keys
from core.models.density import fill_distance
from core.policies import SearchEffort, constants
from core.simulate import simulate
from experiments import problems
from experiments.boke import (
    calibration,
    chosen_constants,
    fig3,
    fig6,
    fig7,
    regret,
    regret_constants,
    sensitivity,
    table1,
)
from experiments.boke.calibration_functions import calibration_problem
from experiments.engine.scale import SCALES
from experiments.engine.store import REFERENCE, Store
from experiments.engine.study import Cell


@pytest.mark.parametrize("scale", SCALES)
def test_both_figures_have_the_same_panels_and_budgets(scale):
    noise_free, noisy = fig6.STUDY.cells(scale), fig7.STUDY.cells(scale)
    assert [(c.problem, c.policy, c.seeds) for c in noise_free] == [(c.problem, c.policy, c.seeds) for c in noisy]
    for cell in noise_free:
        dim = problems.get(cell.problem).dim
        assert cell.options["budget"] == regret.BUDGETS[scale][dim] > max(5, 2 * dim + 1)


def _cell(noise_fraction: float, policy: str = "random_search") -> Cell:
    options = {"noise_fraction": noise_fraction, "budget": 40}
    return Cell("goldstein_price", policy, tuple(range(20)), options, scale="smoke")


def test_regret_is_that_of_the_noise_free_function():
    exact, noisy = regret.run(_cell(0.0)), regret.run(_cell(0.05))
    problem = problems.get("goldstein_price")
    for arrays in (exact, noisy):
        assert arrays["simple_regret"].shape == arrays["y"].shape == arrays["value"].shape == (20, 40)
        assert arrays["x"].shape == (20, 40, 2)
        best = np.maximum.accumulate(arrays["value"], axis=1)
        np.testing.assert_allclose(arrays["simple_regret"], float(problem.optimum) - best)
        assert arrays["initial_size"] == 5
        points = jnp.asarray(arrays["x"][0, -1], float)
        np.testing.assert_allclose(problem.value(points), arrays["value"][0, -1], rtol=1e-4)
    np.testing.assert_allclose(exact["y"], exact["value"], rtol=1e-12)
    np.testing.assert_array_equal(exact["x"], noisy["x"])  # random search does not look at the noise
    noise = (noisy["y"] - noisy["value"]) / float(problem.range)
    count = noise.size
    assert abs(noise.std() - 0.05) < 4 * 0.05 / np.sqrt(2 * count)
    assert abs(noise.mean()) < 4 * 0.05 / np.sqrt(count)


def test_settings_are_run_as_the_figures_are_and_differ_from_ours():
    """One setting by the figure's own program; every setting accepted; the noise's true level by hand."""
    chosen = [{"noise_scale": name} for name in (regret_constants.LEVEL, regret_constants.RAW)]
    options = {"problem": "forrester", "noisy": True, "noise_fraction": 0.05, "budget": 8, "settings": chosen}
    arrays = regret_constants.run(Cell("forrester, noisy", "boke", (3, 4), options, scale="smoke"))
    problem = problems.get("forrester")
    values = np.asarray(jax.vmap(problem.value)(jnp.linspace(0.0, 1.0, 100_001)[:, None]))
    sigma = 0.05 * float(problem.range)
    level = sigma / np.sqrt(values.var() + sigma**2)
    assert arrays["noise_scale"][0] == pytest.approx(level, rel=1e-3)
    assert arrays["noise_scale"][1] == pytest.approx(0.01 * level / sigma, rel=1e-3)
    policy = policies.make("boke", 1, rule="scott", bandwidth=1.0, noise_scale=arrays["noise_scale"][0])
    run = simulate(policy, problem.with_relative_noise(0.05), seed_keys([3, 4]), 8, initial_size=5)
    expected = np.asarray(run.simple_regret(problem.optimum)) / float(problem.range)
    np.testing.assert_allclose(arrays["final_regret"][0], expected[:, -1], rtol=1e-9)
    np.testing.assert_allclose(arrays["mean_log10_regret"][0], np.log10(expected[:, 5:]).mean(axis=1), rtol=1e-9)
    named = (regret_constants.LEVEL, regret_constants.RAW)
    for policy, settings in regret_constants.SETTINGS.items():
        whole = [regret_constants.complete(policy, one) for one in (*regret_constants.ADDED[policy], *settings)]
        made = [{name: 0.2 if value in named else value for name, value in one.items()} for one in whole]
        assert len({regret_constants.in_words(one) for one in whole}) == len(whole)
        for options in made:
            ours, other = policies.make(policy, 2), policies.make(policy, 2, **options)
            assert any(getattr(other, name) != getattr(ours, name) for name in options)


def test_a_setting_leaves_the_calibrated_values(monkeypatch):
    """BOKE, BOKE+ and KR-UCB are made with every value of the calibration that a setting does not name."""
    made, make = [], policies.make
    monkeypatch.setattr(
        policies, "make", lambda name, dim, **options: made.append(options) or make(name, dim, **options)
    )
    options = {"problem": "forrester", "noisy": False, "noise_fraction": 0.0, "budget": 6}
    for policy, setting in {"boke_plus": {"delta": 0.1}, "kr_ucb": {"threshold": 0.5}, "gp_ucb": {"beta": 4.0}}.items():
        regret_constants.run(Cell("forrester", policy, (1,), {**options, "settings": [setting]}))
    scott = {"rule": "scott", "bandwidth": 1.0}
    assert made == [{**scott, "noise_scale": 0.01, "delta": 0.1}, {**scott, "threshold": 0.5}, {"beta": 4.0}]


def test_fill_distance_on_the_line_is_exact():
    points = np.random.default_rng(0).random((30, 1))
    counts = np.array([1, 2, 7, 30])
    found = fig3.fill_distances(points, counts, None)
    grid = jnp.linspace(0.0, 1.0, 40001)[:, None]
    expected = [float(fill_distance(grid, jnp.asarray(points[:count]))) for count in counts]
    np.testing.assert_allclose(found, expected, atol=0.5 / 40000 + 1e-12)


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_fill_distance_over_the_grid(dim):
    grid, resolution = fig3.candidate_grid(dim)
    points = np.random.default_rng(dim).random((12, dim))
    counts = np.array([1, 3, 12])
    found = fig3.fill_distances(points, counts, grid)
    expected = [cdist(grid, points[:count]).min(axis=1).max() for count in counts]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(found[1], float(fill_distance(jnp.asarray(grid), jnp.asarray(points[:3]))), rtol=1e-12)
    elsewhere = np.random.default_rng(99).random((20000, dim))
    assert cdist(elsewhere, points).min(axis=1).max() <= found[-1] + resolution
    assert len(grid) >= 2**13


def test_latin_hypercubes_are_drawn_anew_and_sequences_grow():
    def run(policy):
        return fig3.run(Cell("d2", policy, (0, 1), {"dim": 2}, scale="smoke"))

    for policy in ("uniform", "sobol", "lhs"):
        arrays = run(policy)
        assert arrays["fill_distance"].shape == (2, len(arrays["t"]))
        assert arrays["t"][0] == 1
        assert arrays["t"][-1] == fig3.LARGEST_T["smoke"]
        growing = np.all(np.diff(arrays["fill_distance"], axis=1) <= 0)
        assert growing == (policy != "lhs")


def test_sensitivity_sweeps_through_the_values_in_use():
    for policy, swept in sensitivity.VALUES.items():
        used = policies.make(policy, 2)
        for constant, values in swept.items():
            assert any(np.isclose(value, float(getattr(used, constant))) for value in values)
            for value in values:
                policies.make(policy, 2, **{constant: value})  # none is outside its range


def test_timings_repeat_short_calls():
    calls = []
    assert 0 < table1.timed(lambda: calls.append(1)) < table1.SHORTEST
    assert len(calls) > 10
    cell = Cell("preprocessing", "boke", (0, 1), {}, scale="smoke")
    arrays = table1.run(cell)
    assert arrays["seconds"].shape == (2, 3)
    assert np.all(arrays["seconds"] > 0)


def test_every_method_is_calibrated_on_as_many_configurations():
    grids = [calibration.grid_of(policy, rule) for policy, rule in calibration.METHODS]
    assert {len(calibration.configurations(grid)) for grid in grids} == {32}


def test_stacked_policies_do_what_single_ones_do(monkeypatch):
    monkeypatch.setattr(calibration, "EFFORT", {"raw_candidates": 64, "starts": 0})
    grid = {"bandwidth": [0.2, 0.6], "noise_scale": [0.1]}
    options = {"dim": 1, "rule": "scott", "budget": 8, "noise_fractions": [0.1], "grid": grid}
    arrays = calibration.run(Cell("calibration1", "boke", (3,), options, scale="smoke"))
    problem = calibration_problem(1, 3).with_relative_noise(0.1)
    effort = SearchEffort.of(1, **calibration.EFFORT)
    for index, made in enumerate(calibration.configurations(grid)):
        single = simulate(policies.make("boke", 1, rule="scott", **made, effort=effort), problem, seed_keys([3]), 8)
        expected = single.simple_regret(problem.optimum)[0] / problem.range
        np.testing.assert_allclose(arrays["final_regret"][0, 0, index], expected[-1], rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(arrays["initial_regret"][0, 0, index], expected[4], rtol=1e-6, atol=1e-9)


def test_a_configuration_that_does_not_improve_on_its_design_comes_last():
    """A configuration that improves on its design in fewer than five of six runs comes last, whatever its ranks."""
    final = np.stack([np.linspace(0.1, 0.2, 9), np.linspace(0.3, 0.4, 9)], axis=1)
    initial = np.full((9, 2), 0.5)
    initial[:2, 0] = final[:2, 0]
    options = {"dim": 1, "budget": 30, "rule": ""}
    result = SimpleNamespace(config={"options": options}, arrays={"initial_regret": initial, "final_regret": final})
    np.testing.assert_allclose(chosen_constants.improved(result), [7 / 9, 1.0])
    np.testing.assert_array_equal(chosen_constants.improving([result]), [False, True])
    initial[1, 0] = 0.5
    np.testing.assert_array_equal(chosen_constants.improving([result]), [True, True])


def test_ranks_share_ties():
    ranks = chosen_constants.mean_ranks(np.array([[0.1, 0.1, 0.3], [2.0, 1.0, 3.0]]))
    np.testing.assert_allclose(ranks, [(1.5 + 2) / 2, (1.5 + 1) / 2, 3])


def test_the_shared_pair_serves_all_methods():
    score = {policy: np.full(32, 20.0) for policy in calibration.GRIDS}
    wanted = {"bandwidth": 2.0, "noise_scale": 0.3, "delta": 0.001, "exploration_probability": 0.5, "lengthscale": 0.2}
    wanted |= {"beta": 4.0, "exploration": 1.0, "widening": 0.7, "threshold": 0.9}
    for policy, rule in calibration.METHODS[:4]:
        grid = calibration.grid_of(policy, rule)
        made = calibration.configurations(grid)
        score[policy][made.index({name: wanted[name] for name in grid})] = 10.0
    # A method that would do better alone with another pair is outvoted.
    score["boke"][calibration.configurations(calibration.grid_of("boke", "scott")).index(
        {"bandwidth": 0.5, "noise_scale": 0.3, "delta": 0.1}
    )] = 9.0  # fmt: skip
    chosen = chosen_constants.choose(score)
    assert chosen == {name: wanted[key] for name, (_, key) in chosen_constants.CONSTANTS.items()}


def test_the_constants_in_use_are_the_calibrated_ones():
    results = Store(REFERENCE, any_code=True).results("boke.calibration", "quick")
    assert len(results) == len(calibration.STUDY.cells("quick"))
    chosen = chosen_constants.choose(chosen_constants.scores(results))
    assert chosen == {name: getattr(constants, name) for name in chosen_constants.CONSTANTS}
    pair = {"bandwidth": chosen["EXPLORATION_BANDWIDTH"], "noise_scale": chosen["GP_NOISE_SCALE"]}
    assert {"rule": calibration.RULES[0], **pair} == regret_constants.CALIBRATED
    text = (REFERENCE.parent.parent / "docs" / "constants" / "boke.md").read_text()
    assert "python -m experiments.boke.chosen_constants" in text
    table = chosen_constants.markdown(results)
    for name, value in chosen.items():
        assert f"| `{name}` | {value:g} |" in table


def test_no_figure_shows_a_problem_of_the_calibration():
    shown = {cell.problem for study in (fig6, fig7, sensitivity) for cell in study.STUDY.cells("paper")}
    assert not {cell.problem for cell in calibration.STUDY.cells("paper")} & shown


def test_a_block_of_seeds_gives_what_each_seed_gives():
    cell = _cell(0.05)
    alone = regret.run(dataclasses.replace(cell, seeds=(7,)))
    together = regret.run(cell)
    np.testing.assert_allclose(alone["y"][0], together["y"][7], rtol=1e-12)


def test_timed_inference_is_the_acquisition_function():
    candidates, x, y = table1._data(0, 50)
    h, beta = table1._constants(jnp.asarray(50))
    expected = [float(ikr_ucb(point, x, y, h, beta)) for point in candidates[:5]]
    np.testing.assert_allclose(table1.INFERENCE["boke"](candidates, x, y)[:5], expected, rtol=1e-8)
