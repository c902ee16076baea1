"""The sources of Paper C's readings on planted results."""

import math

import numpy as np
import pytest

from experiments.ctx.table2 import COUNTS
from experiments.engine.result_file import Result
from theory_checks.paired_seeds import Undecided
from theory_checks.readings.ctx import figures, regret_runs, tables
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.judgement import State

DESIGN = 2
TWICE = math.log10(2.0)


def result(study, problem, policy, seeds, **arrays):
    config = {"study": study, "problem": problem, "policy": policy, "scale": "paper", "options": {}}
    return Result({**config, "seeds": list(seeds)}, {name: np.asarray(array) for name, array in arrays.items()}, {})


def run(study, problem, policy, rate, rounds=150, seeds=range(6), late=1.0):
    """A design of 100 a round, then `rate` times the seed's own factor; `late` times that in the second half."""
    each = rate * 1.05 ** np.array([seed % 7 for seed in seeds])[:, None] * np.ones(rounds)
    each[:, rounds // 2 :] *= late
    whole = np.concatenate([np.full((len(each), DESIGN), 100.0), each], axis=1)
    return result(study, problem, policy, seeds, regret=whole, y=-whole, initial_size=DESIGN)


def points(reading):
    return READINGS[reading].curve("paper").points


def estimates(reading):
    return {one.setting.choices.get("measure", ""): one.advantages for one in points(reading)}


def test_runs_of_other_seeds_are_put_in_order_and_padded():
    long = result("s", "p", "m", [5, 1], regret=np.array([[9.0, 1, 2, 3]] * 2), y=np.zeros((2, 4)), initial_size=1)
    short = result("t", "p", "m", [3], regret=np.array([[9.0, 7]]), y=np.zeros((1, 2)), initial_size=1)
    one = regret_runs.together([long, short])
    assert one.config["seeds"] == [1, 3, 5]
    np.testing.assert_array_equal(one.arrays["regret"], [[1, 2, 3], [7, np.nan, np.nan], [1, 2, 3]])


@pytest.mark.parametrize(
    ("part", "sums"),
    [("longest", [4.0, 8.0]), ("every", [2.0, 4.0, 6.0]), ("second half", [2.0, 4.0])],
)
def test_two_methods_are_compared_over_the_rounds_that_both_have(part, sums):
    rows = np.array([[1.0] * 4, [2.0] * 4, [3.0, 3.0, np.nan, np.nan]])
    first = result("s", "p", "a", range(3), regret=rows)
    second = result("s", "p", "b", range(3), regret=np.full((3, 6), 10.0))
    measure = regret_runs.OverRounds(
        "sum", lambda one: one.arrays["regret"], "difference", "student", 1.0, 0.0, True, part
    )
    rounds = {"longest": 4, "every": 2, "second half": 2}[part]
    np.testing.assert_allclose(measure.samples(first, second), 10.0 * rounds - np.array(sums))


def test_the_design_does_not_count_and_means_come_first(plant):
    rates = {"sbo_kde": 1.0, "drbo_kde": 2.0}
    plant([run("ctx.fig1a", "context_hartmann", name, rate) for name, rate in rates.items()])
    found = estimates("ctx.fig1_hartmann_sbo")
    assert list(found) == ["mean cumulative regret", "mean of log10 of cumulative regret"]
    np.testing.assert_allclose(list(found.values()), TWICE, rtol=1e-9)


def test_an_order_that_turns_is_seen_in_the_second_half(plant):
    problem = "portfolio_normal"
    plant([run("ctx.fig1b", problem, "drbo_mmd", 1.0, late=3.0), run("ctx.fig1b", problem, "drbo_kde", 1.0)])
    found = estimates("ctx.fig1_competitive")
    assert found["mean cumulative regret"] == pytest.approx([-TWICE])
    assert found["mean cumulative regret, second half of the rounds"] == pytest.approx([-math.log10(3.0)])


def test_other_seeds_are_stacked_for_the_methods_that_have_them(plant):
    problem, methods = "portfolio_normal", ("drbo_mmd", "drbo_kde")
    both = [("ctx.fig1b", range(6)), ("ctx.fig1_seeds", range(200, 210))]
    plant([run(study, problem, method, 1.0, seeds=seeds) for study, seeds in both for method in methods])
    (one,) = points("ctx.fig1_competitive")[0].setting.groups[f"drbo_mmd against drbo_kde, {problem}"]
    assert one.seeds == 16


def test_short_runs_leave_the_sentence_open(plant):
    plant([run("ctx.fig1a", "context_hartmann", name, 1.0, rounds=25) for name in ("sbo_kde", "drbo_kde")])
    curve = READINGS["ctx.fig1_hartmann_sbo"].curve("paper")
    assert {one.state for one in curve.points} == {State.OPEN}
    assert "here 25 rounds of 340" in curve.points[0].setting.missing


def test_without_its_arm_the_public_codes_box_is_a_setting_without_runs(plant):
    plant([])
    with pytest.raises(Undecided):
        points("ctx.fig1_poor")
    names = ("stable_opt", "context_free_ucb")
    plant([run("ctx.fig1a", problem, name, 1.0) for problem in regret_runs.SYNTHETIC for name in names])
    curve = points("ctx.fig1_poor")
    assert [one.setting.choices["box of StableOpt"] for one in curve] == ["text"] * 4 + ["public code"] * 4
    assert all(bool(one.setting.missing) == (one.setting.choices["box of StableOpt"] != "text") for one in curve)
    assert "run --only ctx.public_arms" in curve[-1].setting.missing


def test_runs_by_the_public_code_stand_in_the_place_of_the_methods_own(plant):
    """Three times the rate of GP-UCB's in the arm, half of it by the text; on the seeds and rounds that both have."""
    own = [
        run("ctx.fig1a", problem, name, rate, rounds=rounds, seeds=range(8))
        for problem in regret_runs.SYNTHETIC
        for name, rate, rounds in (("stable_opt", 0.5, 150), ("context_free_ucb", 1.0, 340))
    ]
    plant([*own, *(run("ctx.public_arms", problem, "stable_opt", 3.0) for problem in regret_runs.SYNTHETIC)])
    curve = points("ctx.fig1_poor")
    assert [one.state for one in curve] == [State.OPPOSITE] * 4 + [State.HOLDS] * 4
    np.testing.assert_allclose([one.advantages for one in curve[4:]], math.log10(3.0), rtol=1e-9)


def test_short_runs_of_the_arm_leave_its_settings_open(plant):
    own = [run("ctx.fig1a", "context_hartmann", name, 1.0) for name in ("sbo_kde", "drbo_kde")]
    plant([*own, run("ctx.public_arms", "context_hartmann", "drbo_kde", 1.0, rounds=25)])
    curve = points("ctx.fig1_hartmann_sbo")
    assert [bool(one.setting.missing) for one in curve] == [False] * 2 + [True] * 2
    assert "ctx.public_arms --scale paper (here 25 rounds of 340)" in curve[-1].setting.missing


def full(problem, policy, arm, rate):
    found = run("ctx.full_length", problem, policy, rate, 340, seeds=range(10))
    return Result({**found.config, "options": {"arm": arm}}, found.arrays, {})


def test_slower_peers_over_all_rounds_are_a_setting_where_they_were_run(plant):
    """Ahead of GP-UCB over 150 rounds, behind it over 340, on the ten seeds that both have."""
    own = [
        run("ctx.fig1a", problem, name, rate, rounds=rounds, seeds=seeds)
        for problem in regret_runs.SYNTHETIC
        for name, rate, rounds, seeds in (
            ("drbo_mmd_minimax", 0.5, 150, range(5)),
            ("context_free_ucb", 1.0, 340, range(30)),
        )
    ]
    plant(own)
    assert not any("slower peers" in one.setting.choices for one in points("ctx.fig1_minimax_poor"))
    slower = [full(problem, "drbo_mmd_minimax", "text", 2.0) for problem in regret_runs.SYNTHETIC]
    plant([*own, *slower, full("context_hartmann_complicated", "context_free_ucb", "text", 1.0)])
    curve = points("ctx.fig1_minimax_poor")
    whole = [one for one in curve if one.setting.choices.get("slower peers") == "340 rounds"]
    np.testing.assert_allclose([one.advantages for one in whole], TWICE, rtol=1e-9)
    assert {one.seeds for each in whole for group in each.setting.groups.values() for one in group} == {10}
    assert len(curve) == 2 * len(whole) == 8


def test_a_fitted_mean_is_a_setting_where_both_methods_have_it(plant):
    own = [run("ctx.fig1a", "context_ackley", name, 1.0, 340) for name in ("sbo_kde", "drbo_kde")]
    fitted = [full("context_ackley", name, "fitted_mean", rate) for name, rate in (("sbo_kde", 1.0), ("drbo_kde", 2.0))]
    plant([*own, fitted[0]])
    assert not any("prior mean" in one.setting.choices for one in points("ctx.fig1_ackley_sbo"))
    plant([*own, *fitted])
    found = [one.advantages for one in points("ctx.fig1_ackley_sbo") if "prior mean" in one.setting.choices]
    np.testing.assert_allclose(found, TWICE, rtol=1e-9)
    assert "prior mean" not in READINGS["ctx.fig1_hartmann_sbo"].questions


def test_the_reward_a_round_is_over_the_rounds_that_both_have(plant):
    problem = "context_hartmann_complicated"
    own = [run("ctx.fig1a", problem, name, 3.0, rounds=340) for name in ("sbo_kde", "drbo_kde")]
    plant([*own, run("ctx.public_arms", problem, "drbo_kde", 2.0)])
    curve = points("ctx.fig1_complicated_dro")
    rewards = [one.advantages for one in curve if one.setting.choices["measure"] == regret_runs.OBSERVED.name]
    np.testing.assert_allclose(rewards, [[0.0], [np.mean(1.05 ** np.arange(6))]], atol=1e-12)


def test_on_complicated_hartmann_the_reward_a_round_comes_first(plant):
    problem = "context_hartmann_complicated"
    plant([run("ctx.fig1a", problem, name, rate) for name, rate in (("sbo_kde", 3.0), ("drbo_kde", 2.0))])
    first = points("ctx.fig1_complicated_dro")[0]
    assert first.setting.choices["measure"] == "mean reward observed, a round"
    assert first.advantages == pytest.approx([np.mean(1.05 ** np.arange(6))])


def test_table_1_is_judged_neighbour_by_neighbour(plant):
    seconds = {"context_free_ucb": 1, "sbo_kde": 3, "stable_opt": 3, "drbo_mmd_minimax": 12, "drbo_kde": 6}
    noise = 1.01 ** np.arange(10)
    plant(
        [
            result("ctx.table1", "context_ackley", name, range(10), cpu_seconds=value * noise)
            for name, value in {**seconds, "drbo_mmd": 500}.items()
        ]
    )
    default = points("ctx.table1_order_here")[0]
    states = list(default.states.values())
    assert states == [State.HOLDS] * 4 + [State.OPPOSITE, State.HOLDS]
    assert default.state is State.LEVEL


def planted_table(factor):
    shift = 0.05 * np.linspace(-1, 1, 40)
    return [
        result(
            "ctx.table2",
            name,
            "kernel_density",
            range(40),
            distance=np.repeat(factor * np.array(cells)[None, :, :1] * (1 + shift)[:, None, None], 4, axis=2),
        )
        for name, cells in tables.PRINTED.items()
    ]


@pytest.mark.parametrize(("factor", "state"), [(1.0, State.HOLDS), (1.5, State.OPPOSITE), (0.5, State.OPPOSITE)])
def test_table_2_has_the_printed_means(plant, factor, state):
    plant(planted_table(factor))
    curve = points("ctx.table2_values")
    assert [one.state for one in curve] == [state] * 4
    np.testing.assert_allclose(curve[0].advantages, factor - 1, atol=1e-12)


def test_the_discrepancy_is_greater_under_the_complicated_distribution(plant):
    plant(planted_table(1.0))
    default = points("ctx.table2_greater")[0]
    assert len(default.advantages) == len(COUNTS)
    assert default.advantages[0] == pytest.approx(math.log10(0.6216 / 0.3222))
    assert default.state is State.HOLDS


def test_whoever_reads_drbo_kde_asks_or_says_where_its_infimum_is_taken():
    """The reading asks where the infimum is taken if the arm has every problem."""
    readings = [one for one in READINGS.values() if one.paper == "C"]
    question = {one.id for one in readings if regret_runs.INFIMUM in one.questions}
    assert question == {
        f"ctx.fig1_{name}" for name in ("best", "close", "hartmann_sbo", "ackley_sbo", "complicated_dro")
    }
    by_text = {one.id for one in readings if regret_runs.OURSELVES in one.deviations}
    assert not question & by_text
    told = question | by_text
    asked = {
        one.id
        for one in READINGS.values()
        if one.paper == "C"
        and one.source is not tables.timed
        and any("drbo_kde" in (order.first, order.second) for order in one.orders)
    }
    assert told == asked
    assert figures.fig1_best.id in told
