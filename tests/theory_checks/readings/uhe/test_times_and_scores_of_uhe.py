"""Tuning, running time and mechanism of Paper D, on planted results."""

import numpy as np
import pytest

from experiments.engine.result_file import Result
from experiments.measures.estimates import lengthscale_error
from tests.theory_checks.readings.uhe.planted import result
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.judgement import State
from theory_checks.readings.uhe import mechanism, runs, runtime, tuning

TASKS = ("lr_vehicle", "xgb_australian", "xgb_kc1", "rf_wilt")


def scores(gain, tasks=TASKS, seconds=None):
    """Accuracies of .8 after the design, higher by each method's gain from the tenth of fifty evaluations on."""
    found = []
    for task in tasks:
        for method in (runs.OURS, *runs.PEERS):
            noise = 0.0005 * np.random.default_rng(len(method)).standard_normal((20, 1))
            best = 0.8 + noise + gain.get(method, 0.0) * (np.arange(50) >= 10)
            own = np.full((20, 50), (seconds or {}).get(method, 1.0) / 50) * np.exp(noise)
            config = {"study": tuning.STUDY, "problem": task, "policy": method, "seeds": list(range(20))}
            arrays = {"best": best, "initial_size": np.asarray(5), "proposal_seconds": own}
            found.append(Result({**config, "options": {}}, arrays, {}))
    return found


def test_half_of_the_budget_of_tuning():
    (one,) = (one for one in scores({}, ("rf_wilt",)) if one.config["policy"] == "uhe_bo")
    assert tuning.cut(one, 0.5).arrays["best"].shape == (20, 27)  # 5 of the design, 22 of 45 others
    assert tuning.cut(one, 1.0).arrays["best"].shape == (20, 50)


@pytest.mark.parametrize(("gain", "state"), [(0.004, "holds"), (0.0015, "level"), (-0.004, "opposite")])
def test_a_lead_below_one_test_case_in_four_hundred_is_none(plant, gain, state):
    plant(scores({"uhe_bo": gain}))
    for name in ("vehicle", "xgb", "all", "most"):
        assert {str(one.state) for one in READINGS[f"uhe.fig2_tuning_{name}"].curve("paper").points} == {state}


@pytest.mark.parametrize(("ahead", "state"), [(3, "holds"), (2, "level")])
def test_most_is_three_of_five(plant, ahead, state):
    others = [peer for peer in runs.PEERS if peer != "gp_ucb_mcmc"]
    plant(scores({"uhe_bo": 0.01} | dict.fromkeys(others[ahead:], 0.01)))
    assert READINGS["uhe.fig2_tuning_most"].curve("paper").default.state == state


@pytest.mark.parametrize(("apart", "state"), [(0.001, "holds"), (-0.001, "holds"), (0.005, "opposite")])
def test_similar_to_mcmc_is_within_the_effect_on_both_sides(plant, apart, state):
    plant(scores({"uhe_bo": 0.01, "gp_ucb_mcmc": 0.01 + apart}))
    assert READINGS["uhe.fig2_tuning_comparable"].curve("paper").default.state == state


def test_the_data_of_xgboost_are_a_question(plant):
    australian = scores({"uhe_bo": 0.01}, ("xgb_australian",))
    plant([*australian, *scores({}, ("xgb_kc1",))])
    curve = READINGS["uhe.fig2_tuning_xgb"].curve("paper")
    told = {point.setting.choices["data of XGBoost"]: point.state for point in curve.points}
    assert told == {"Australian Credit": State.HOLDS, "KC1": State.LEVEL}


def benchmark(study, problem, factors, arm=""):
    noise = np.exp(0.05 * np.random.default_rng(3).standard_normal(8))
    config = {"study": study, "problem": problem, "policy": "all", "seeds": list(range(8)), "options": {"arm": arm}}
    return Result(config, {f"cpu_seconds_{name}": one * noise for name, one in factors.items()}, {})


def timed(ours, chains, arms=()):
    """UHE-BO and MCMC take these times MAP's under the ordinary effort, UHE-BO `arms` under others, without MCMC."""
    factors = {"uhe_bo": ours, "gp_ucb_map": 1.0, "gp_ucb_mcmc": chains}
    found = [benchmark(runtime.STUDY, problem, factors) for problem in runtime.BENCHMARKS]
    found += scores({}, ("rf_wilt",), factors)
    for arm, other in arms:
        of = {"uhe_bo": other, "gp_ucb_map": 1.0}
        found += [benchmark(runtime.EFFORT, problem, of, arm) for problem in runtime.BENCHMARKS]
        for one in scores({}, ("rf_wilt",), of):
            if one.config["policy"] in of:
                found.append(Result({**one.config, "study": runtime.EFFORT, "options": {"arm": arm}}, one.arrays, {}))
    return found


@pytest.mark.parametrize(("ours", "state"), [(1.5, "holds"), (0.7, "holds"), (3.0, "opposite"), (0.3, "opposite")])
def test_similar_times_are_within_a_factor_of_two(plant, ours, state):
    plant(timed(ours, 20.0))
    assert READINGS["uhe.fig5_runtime"].curve("paper").default.state == state


@pytest.mark.parametrize(("chains", "state"), [(4.0, "holds"), (1.5, "level"), (0.3, "opposite")])
def test_much_faster_is_by_more_than_a_factor_of_two(plant, chains, state):
    plant(timed(1.0, chains))
    assert READINGS["uhe.fig5_runtime_mcmc"].curve("paper").default.state == state


def test_a_bound_on_mcmc_holds_and_does_not_tell_against(plant):
    """MCMC takes at least its ordinary time under the harder search; restarts do not change its time."""
    for dear, searched in ((5.0, State.HOLDS), (15.0, State.OPEN)):
        plant(timed(1.0, 20.0, (("search", dear), ("restarts", dear))))
        states = {
            one.setting.choices["effort"]: one.state for one in READINGS["uhe.fig5_runtime_mcmc"].curve("paper").points
        }
        assert states["ordinary"] is State.HOLDS
        assert states["search"] is searched
        assert states["restarts"] is (State.HOLDS if dear == 5.0 else State.LEVEL)


@pytest.mark.parametrize(("moved", "state"), [(0.2, "holds"), (-0.2, "holds"), (0.0, "level")])
def test_a_bandit_has_learnt_where_its_mean_moved_to_either_side(plant, moved, state):
    found = [result(problem, "uhe_bo", 0.2, seeds=range(100)) for problem in runs.PROBLEMS]
    for one in found:
        one.arrays["info_random_probability"][:, -1] += moved
    plant(found)
    assert READINGS["uhe.exp3_learns"].curve("paper").default.state == state
    assert READINGS["uhe.exp3_learns"].curve("paper").default.states.keys() == {"deceptive2", "hartmann3"}


def test_errors_of_lengthscales_and_their_order(plant):
    spread = np.exp(0.1 * np.random.default_rng(0).standard_normal(30))
    arrays = {
        "true_lengthscale": np.asarray(0.1),
        "map_iid": 0.1 * np.e * spread,
        "map_optimisation": 0.1 * spread / np.e**2,
    }
    config = {"study": "uhe.fig1", "problem": "gp_sample1", "policy": "gp_ucb_map", "seeds": list(range(30))}
    one = Result({**config, "options": {}}, arrays, {})
    np.testing.assert_allclose(lengthscale_error(one, "iid"), np.abs(1.0 + np.log(spread)))
    plant([one])
    assert READINGS[mechanism.fig1_worse.id].curve("paper").default.state is State.HOLDS
