"""The stored runs behind the readings of Paper D, on planted results with numbers that follow by hand."""

import numpy as np
import pytest

from experiments.engine.result_file import Result
from tests.theory_checks.readings.uhe.planted import ALL, FIRST, STEPS, figure, result
from theory_checks.ledger import Outcome
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.judgement import State
from theory_checks.readings.uhe import compared, components, figure2, predictions, runs


def test_regret_after_a_share_of_the_evaluations():
    one = result("branin", "uhe_bo", 0.1, seeds=range(2))
    one.arrays["simple_regret"][:] = 100.0 * np.arange(FIRST + STEPS, 0, -1)
    whole, half = runs.at(one, 1.0), runs.at(one, 0.5)
    np.testing.assert_allclose(whole.arrays["regret"], 1.0)
    np.testing.assert_allclose(half.arrays["regret"], 7.0)  # 17 - 4 after the initial data, 6 of 12 less
    np.testing.assert_allclose(half.arrays["initial"], 13.0)
    np.testing.assert_allclose(whole.arrays["mse"], one.arrays["mse"][:, 3] / 3.0)


def test_the_unit_and_the_initial_data_are_those_of_the_method_with_most_seeds():
    few = runs.at(result("h1", "gp_ucb_mcmc", 0.1, seeds=range(6), start=0.2), 1.0)
    many = runs.at(result("h1", "uhe_bo", 0.1, start=0.5), 1.0)
    found = runs.with_yardsticks({("h1", "gp_ucb_mcmc"): few, ("h1", "uhe_bo"): many})
    assert found["h1", "gp_ucb_mcmc"].arrays["unit"] == pytest.approx(many.arrays["initial"].mean())
    np.testing.assert_allclose(found["h1", runs.INITIAL].arrays["regret"], np.sqrt(0.1 * 0.25) * many.arrays["initial"])


def test_further_seeds_stand_behind_those_of_the_figure_at_the_end_alone(plant):
    study, key = figure2.FRESH, ("hartmann3", "gp_ucb_map")
    more = Result(
        {"study": study, "problem": key[0], "policy": key[1], "seeds": [1000, 1001], "options": {"arm": "rate"}},
        {"simple_regret": np.array([[30.0, 1.0], [30.0, 3.0]]), "initial_size": np.asarray(1)},
        {},
    )
    plant([*figure(("hartmann3",), ("gp_ucb_map",)), more])
    whole, half = runs.runs(("gp_ucb_map",), ("hartmann3",), arms=False, more=study)("paper")
    assert len(whole.results[key].arrays["regret"]) == 22
    np.testing.assert_allclose(whole.results[key].arrays["regret"][-2:], [0.01, 0.03])
    assert len(half.results[key].arrays["regret"]) == 20


def test_a_reading_of_the_text_changes_the_methods_that_it_touches(plant):
    other = result("deceptive2", "uhe_bo", 0.05, runs.ARMS, "uncapped")
    plant([*figure(("deceptive2",)), other])
    found = {tuple(one.choices.items()): one for one in runs.runs(ALL, ("deceptive2",))("paper")}
    assert len(found) == 8  # as it stands and three other readings, h1's box is none of them; two budgets
    main, uncapped = (
        next(one for one in found.values() if one.choices["rewards"] == choice and one.choices["budget"] == "all")
        for choice in ("capped", "not capped")
    )
    assert compared.regret(main.results["deceptive2", "uhe_bo"]).mean() == pytest.approx(0.2, rel=0.02)
    assert compared.regret(uncapped.results["deceptive2", "uhe_bo"]).mean() == pytest.approx(0.05, rel=0.02)
    assert ("deceptive2", "gp_ucb_map") in uncapped.results
    assert ("deceptive2", "portfolio_exp3") not in uncapped.results
    assert "--only uhe.fig2_arms" in uncapped.missing
    assert "no study" not in uncapped.missing
    assert not main.missing


def test_a_lead_below_a_twentieth_of_the_initial_regret_is_a_lead(plant):
    """Peers leave two hundredths of it, UHE-BO a hundredth: a difference of a twentieth could not be had."""
    plant(figure(**dict.fromkeys(runs.PEERS, 0.008), uhe_bo=0.004))
    for name in ("fig2_shrinking", "fig2_portfolio_random", "fig2_best"):
        assert READINGS[f"uhe.{name}"].curve("paper").default.state is State.HOLDS


@pytest.mark.parametrize(("final", "state"), [(0.036, "holds"), (0.06, "level"), (0.12, "opposite")])
def test_well_is_a_tenth_of_the_initial_regret_and_badly_a_quarter(plant, final, state):
    plant(figure(gp_ucb_map=final, gp_ucb_mcmc=final))
    assert READINGS["uhe.fig2_easy"].curve("paper").default.state == state
    hard = {"holds": "opposite", "level": "level", "opposite": "holds"}[state]
    assert READINGS["uhe.fig2_hard"].curve("paper").default.state == hard


def test_every_setting_of_a_sentence_with_several_readings_answers_every_question(plant):
    plant(figure())
    for name in ("fig2_random_badly", "fig2_comparable", "fig4_mse"):
        reading = READINGS[f"uhe.{name}"]
        every = list(reading.settings("paper"))
        assert all({*reading.questions, "measure"} == set(one.choices) for one in every), name
        assert len({tuple(sorted(one.choices.items())) for one in every}) == len(every)


def test_pooled_problems_may_hold_where_one_of_them_does_not(plant):
    worse = [result("branin", m, 0.2) for m in ("portfolio_exp3", "random_search")]
    worse.append(result("branin", "uhe_bo", 0.3))
    plant([*figure(("deceptive2", "hartmann3", "h1"), uhe_bo=0.05), *worse])
    curve = READINGS["uhe.fig2_portfolio_random"].curve("paper")
    ways = {one.setting.choices["put together"]: one.state for one in reversed(curve.points) if not one.setting.missing}
    assert ways == {"each": State.LEVEL, "pooled": State.HOLDS}


def test_the_two_problems_of_figure_5_are_any_two(plant):
    found = figure(("deceptive2", "hartmann3"), ("uhe_bo", "ra_bo"), runs.ABLATION, uhe_bo=0.1)
    found += figure(("branin", "h1"), ("uhe_bo", "ra_bo"), runs.ABLATION, uhe_bo=0.3)
    plant(found)
    evidence = components.fig5_efficient("paper")
    assert evidence.verdict == Outcome.UNDETERMINED
    held = {row[0] for row in evidence.numbers["curve"] if row[-2] == "holds"}
    assert held == {"deceptive2 and hartmann3"}
    assert evidence.numbers["shares"] == pytest.approx({"holds": 1 / 6, "level": 0, "opposite": 5 / 6, "open": 0})


def test_predictions_are_ordered_by_their_errors(plant):
    factors = {"uhe_bo": 0.5, "portfolio_exp3": 0.8, "random_search": 0.1}
    plant([result(p, m, 0.2, mse=factors.get(m, 1.0)) for p in runs.PROBLEMS for m in ALL])
    for claim in (
        predictions.fig4_mse,
        predictions.fig4_random,
        predictions.fig4_portfolio_well,
        predictions.fig3_mean,
    ):
        assert READINGS[claim.id].curve("paper").default.state is State.HOLDS
    plant([result(p, m, 0.2, mse=1.0 / factors.get(m, 1.0)) for p in runs.PROBLEMS for m in ALL])
    for claim in (
        predictions.fig4_mse,
        predictions.fig4_random,
        predictions.fig4_portfolio_well,
        predictions.fig3_mean,
    ):
        assert READINGS[claim.id].curve("paper").default.state is State.OPPOSITE


def test_units_leave_equal_regrets_equal_though_one_method_has_fewer_seeds(plant):
    same = result("deceptive2", "uhe_bo", 0.2)
    few = Result(
        {**same.config, "policy": "gp_ucb_mcmc", "seeds": list(range(6))},
        {name: array[:6] if np.ndim(array) else array for name, array in same.arrays.items()},
        {},
    )
    plant([same, few])
    one = next(iter(runs.runs(("uhe_bo", "gp_ucb_mcmc"), ("deceptive2",), arms=False)("paper"))).results
    samples = compared.DIFFERENCE.samples(one["deceptive2", "uhe_bo"], one["deceptive2", "gp_ucb_mcmc"])
    np.testing.assert_allclose(samples, np.zeros(6), atol=1e-12)


def test_what_no_study_runs_is_said():
    """Scale quick has UHE-BO and MAP on Deceptive alone; scale paper has all."""
    told = runs.how_to_run("scale", [("branin", "gp_ucb_mcmc")], "quick")
    assert told == "no study runs gp_ucb_mcmc on branin (scale)"
    both = runs.how_to_run("scale", [("branin", "gp_ucb_mcmc"), ("deceptive2", "gp_ucb_map")], "quick")
    assert both.endswith(told)
    assert "--only uhe.fig2_arms" in both
    assert "no study" not in runs.how_to_run("scale", [("branin", "gp_ucb_mcmc")], "paper")
    near = runs.how_to_run(runs.NEAR, [("h1", "gp_ucb_mcmc")], "paper")
    assert "no study" not in near
