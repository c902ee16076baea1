"""The sprinkler study: its cells, its stored arrays, and timed proposals that are those of the runs."""

import jax
import numpy as np
import pytest

from core import policies
from core.designs import seed_keys
from core.policies import SearchEffort, constants
from core.simulate import simulate
from experiments import problems
from experiments.boke import fig8, fig8_constants, fig8_seeds, regret_constants
from experiments.engine.scale import SCALES
from experiments.engine.study import Cell


@pytest.mark.parametrize("scale", SCALES)
def test_methods_and_seeds(scale):
    cells = fig8.STUDY.cells(scale)
    assert all(cell.options["timed_seeds"] <= len(cell.seeds) for cell in cells)
    if scale != "smoke":
        assert {cell.policy for cell in cells} >= {"boke", "boke_plus", "kr_ucb", "gp_ucb"}
        assert {len(cell.seeds) for cell in cells} == {30}


@pytest.mark.parametrize("scale", SCALES)
def test_more_seeds_are_other_runs_of_the_figure(scale):
    """The paper's four methods, the same budget and clock, no seed twice."""
    of_figure = fig8.STUDY.cells(scale)
    cells = fig8_seeds.STUDY.cells(scale)
    assert {cell.policy for cell in cells} == {"boke", "boke_plus", "kr_ucb", "gp_ucb"}
    assert {tuple(cell.options.items()) for cell in cells} == {tuple(of_figure[0].options.items())}
    assert not {seed for cell in cells for seed in cell.seeds} & {seed for cell in of_figure for seed in cell.seeds}
    assert fig8_seeds.STUDY.run is fig8.run


def test_the_sweep_is_of_the_same_runs_and_goes_through_our_values():
    for scale in SCALES:
        cells, of_figure = fig8_constants.STUDY.cells(scale), fig8.STUDY.cells(scale)[0]
        assert len(cells) > 1
        assert {(cell.seeds, cell.options["budget"]) for cell in cells} == {
            (of_figure.seeds, of_figure.options["budget"])
        }
    for method, by_constant in fig8_constants.VALUES.items():
        for constant, values in by_constant.items():
            if constant == "exploration":  # the run with all of our values is among those of the bandwidth
                continue
            calibrated = regret_constants.complete(method, {})
            default = calibrated.get(constant, getattr(constants, constant.upper()))
            assert default in values, (method, constant)


def test_a_cell_of_the_sweep_has_the_calibrated_constants():
    scott = {"rule": "scott", "bandwidth": 1.0}
    swept = {"constant": "noise_scale", "value": 0.03}
    assert fig8_constants.setting("boke", swept) == {**scott, "noise_scale": 0.03}
    together = {"constant": "noise_scale at bandwidth 0.5", "value": 0.001, "bandwidth": 0.5}
    assert fig8_constants.setting("boke_plus", together) == {"rule": "scott", "bandwidth": 0.5, "noise_scale": 0.001}
    assert fig8_constants.setting("kr_ucb", {"constant": "exploration", "value": 0.9}) == {**scott, "exploration": 0.9}
    assert fig8_constants.setting("gp_ucb", {"constant": "lengthscale", "value": 0.1}) == {"lengthscale": 0.1}


def test_what_is_stored():
    cell = Cell("sprinkler", "random_search", (0, 1, 2), {"budget": 20, "timed_seeds": 2}, scale="smoke")
    arrays = fig8.run(cell)
    assert arrays["x"].shape == (3, 20, 8)
    assert int(arrays["initial_size"]) == 17
    assert arrays["seconds"].shape == (2, 3)
    assert np.all(arrays["seconds"] > 0)
    regret = 8.3357608433964 - np.maximum.accumulate(arrays["value"], axis=1)
    np.testing.assert_allclose(arrays["simple_regret"], regret, rtol=1e-12)
    np.testing.assert_array_equal(arrays["y"], arrays["value"])


@pytest.mark.parametrize(("policy_name", "initial_size", "budget"), [("boke_plus", 17, 24), ("random_search", 60, 82)])
def test_the_proposals_timed_are_those_of_the_run(policy_name, initial_size, budget):
    """The proposals of `simulate` in one program equal those made one by one; the second run has a change of capacity
    at 64."""
    options = {"effort": SearchEffort.of(8, raw_candidates=32, starts=1, max_steps=5)} if budget == 24 else {}
    policy, keys = policies.make(policy_name, 8, **options), seed_keys((3,))
    trajectory = simulate(policy, problems.get("sprinkler"), keys, budget, initial_size=initial_size)
    replayed = (trajectory.x[0], trajectory.y[0], initial_size)
    seconds, queries = fig8.proposal_seconds(policy, keys[0], *replayed)
    assert seconds.shape == (budget - initial_size,)
    assert np.all(seconds > 0)
    np.testing.assert_allclose(queries, trajectory.x[0, initial_size:], atol=1e-6)
    other = fig8.proposal_seconds(policy, jax.random.key(99), *replayed)[1]
    assert not np.allclose(other, queries)
