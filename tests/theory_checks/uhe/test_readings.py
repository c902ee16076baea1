"""The readings of Paper D's figures, on planted results: each verdict can be reached, and controls are refuted."""

import numpy as np
import pytest

from experiments.engine.result_file import Result
from theory_checks.ledger import load
from theory_checks.uhe import readings
from theory_checks.uhe.instruments import comparison

METHODS = ("uhe_bo", *readings.PEERS)
ABLATIONS = ("uhe_bo", "ra_bo", "random_exp3")
CLAIMS = tuple(load()[f"uhe.{name}"] for name in (
    "fig2_best_deceptive", "fig2_best_h1", "fig2_comparable", "fig4_mse", "fig5_components", "fig5_runtime",
))  # fmt: skip
INITIAL, STEPS = 5, 12


def _result(study, problem, policy, **arrays):
    config = {"study": study, "problem": problem, "policy": policy, "seeds": [], "scale": "quick", "options": {}}
    return Result(config, {name: np.asarray(array) for name, array in arrays.items()}, {})


def _runs(study="uhe.fig2", methods=METHODS, problems=readings.PROBLEMS, seeds=20, early=1.0, mse=None, **factors):
    """Final regrets and errors of 0.01 of the range times the method's factor, 10 % a seed.

    UHE-BO's are `early` times as large in the first half of the run; `mse` has factors of the errors.
    """
    found = []
    for problem in problems:
        for index, policy in enumerate(methods):
            rng = np.random.default_rng([index, len(problem)])
            noise = np.exp(0.1 * rng.standard_normal((seeds, 1)))
            late = np.full(STEPS, 0.01) * factors.get(policy, 1.0)
            late[: STEPS // 2 + 1] *= early if policy == "uhe_bo" else 1.0
            regret = np.concatenate([np.full(INITIAL, 0.1), late]) * noise
            errors = 0.01 * noise * (mse or {}).get(policy, 1.0) * np.ones(4)
            arrays = {"simple_regret": 50.0 * regret, "range": 50.0, "initial_size": INITIAL}
            found.append(_result(study, problem, policy, mse=2.0 * errors, truth_variance=2.0, **arrays))
    return found


def _seconds(repetitions=8, **factors):
    rng = np.random.default_rng(4)
    return [
        _result(
            "uhe.fig5_runtime", problem, "all",
            **{
                f"cpu_seconds_{name}": factors.get(name, 1.0) * np.exp(0.05 * rng.standard_normal(repetitions))
                for name in ("uhe_bo", "gp_ucb_map", "gp_ucb_mcmc")
            },
        )
        for problem in ("deceptive2", "hartmann3")
    ]  # fmt: skip


def judged(claim, verdict):
    evidence = claim("quick")
    assert evidence.verdict == verdict, evidence.summary
    if verdict == "refuted":
        assert claim.replay(evidence.counterexample)[2]
    return evidence


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ({"uhe_bo": 0.5}, "supported"),
        ({}, "inconclusive"),
        ({"uhe_bo": 0.5, "gp_ucb_mcmc": 0.5}, "inconclusive"),
        ({"uhe_bo": 5.0}, "inconclusive"),
        ({"uhe_bo": 0.5, "wang_de_freitas": 0.02}, "refuted"),
        ({"uhe_bo": 30.0}, "refuted"),
        ({"uhe_bo": 30.0, "early": 0.1}, "inconclusive"),
    ],
)
def test_better_than_all(plant, factors, verdict):
    """Worse by less than tenfold, or only late in the run, refutes nothing."""
    plant(_runs(**factors))
    judged(readings.fig2_best_deceptive, verdict)
    judged(readings.fig2_best_h1, verdict)


@pytest.mark.parametrize(
    ("literature", "printed", "verdict"),
    [(0.5, 30.0, "supported"), (30.0, 1.0, "inconclusive"), (30.0, 30.0, "refuted")],
)
def test_the_more_favourable_denominator_counts(plant, literature, printed, verdict):
    plant(_runs(problems=("h1",), uhe_bo=literature) + _runs(problems=("h1_printed",), uhe_bo=printed))
    assert "h1_printed: " in judged(readings.fig2_best_h1, verdict).summary


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ({"uhe_bo": 1.3}, "supported"),
        ({"uhe_bo": 0.3}, "supported"),
        ({"uhe_bo": 3.0}, "inconclusive"),
        ({"gp_ucb_map": 6.0}, "inconclusive"),
        ({"uhe_bo": 8.0}, "refuted"),
    ],
)
def test_comparable(plant, factors, verdict):
    """In units of the regret at the start, 0.1 of the range: 1.3 times 0.01 is 0.03 away, 8 times 0.7."""
    plant(_runs(**factors))
    judged(readings.fig2_comparable, verdict)


@pytest.mark.parametrize(
    ("mse", "verdict"),
    [
        ({"uhe_bo": 0.5, "random_search": 0.2}, "supported"),
        ({"uhe_bo": 0.5}, "inconclusive"),
        ({"random_search": 0.2}, "inconclusive"),
        ({"uhe_bo": 20.0, "random_search": 0.2}, "refuted"),
        ({"uhe_bo": 0.5, "random_search": 20.0}, "refuted"),
    ],
)
def test_errors_of_the_predictions(plant, mse, verdict):
    plant(_runs(mse=mse))
    judged(readings.fig4_mse, verdict)


def test_fewer_errors_on_three_of_four_problems_are_not_enough(plant):
    better = {"uhe_bo": 0.2, "random_search": 0.1}
    plant(
        _runs(problems=readings.PROBLEMS[:3], mse=better)
        + _runs(problems=("h1",), mse={"uhe_bo": 1.1, "random_search": 0.8})
    )
    evidence = judged(readings.fig4_mse, "inconclusive")
    assert all(evidence.numbers[peer]["sides"][-1] == -1 for peer in readings.BASELINES)


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ({"uhe_bo": 0.5}, "supported"),
        ({"random_exp3": 3.0}, "inconclusive"),
        ({"uhe_bo": 4.0}, "inconclusive"),
        ({"uhe_bo": 40.0}, "refuted"),
    ],
)
def test_components(plant, factors, verdict):
    plant(_runs("uhe.fig5", ABLATIONS, **factors))
    judged(readings.fig5_components, verdict)


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ({"uhe_bo": 1.5, "gp_ucb_mcmc": 9.0}, "supported"),
        ({"uhe_bo": 0.7, "gp_ucb_mcmc": 9.0}, "supported"),
        ({"uhe_bo": 2.0, "gp_ucb_mcmc": 9.0}, "inconclusive"),
        ({"uhe_bo": 3.0, "gp_ucb_mcmc": 9.0}, "refuted"),
        ({"uhe_bo": 0.3, "gp_ucb_mcmc": 9.0}, "refuted"),
        ({"uhe_bo": 1.5, "gp_ucb_mcmc": 3.0}, "inconclusive"),
        ({"uhe_bo": 1.5, "gp_ucb_mcmc": 1.6}, "refuted"),
        ({"uhe_bo": 30.0, "gp_ucb_mcmc": 900.0}, "refuted"),
        ({"uhe_bo": 1.5, "gp_ucb_mcmc": 0.3}, "refuted"),
    ],
)
def test_runtime(plant, factors, verdict):
    plant(_seconds(**factors))
    judged(readings.fig5_runtime, verdict)
    plant(_seconds(repetitions=2, **factors))
    judged(readings.fig5_runtime, "inconclusive")


@pytest.mark.parametrize("change", [{"seeds": 3}, {"methods": METHODS[:2]}, {"problems": ("branin",)}])
def test_few_seeds_methods_or_problems_decide_nothing(plant, change):
    plant(_runs(uhe_bo=0.5, **change))
    for claim in CLAIMS[:4]:
        judged(claim, "inconclusive")


def test_quarters_are_counted_from_the_initial_data():
    """Twelve evaluations after five: after the 3rd, 6th, 9th, 12th of them; of four records, each one."""
    one = _result("uhe.fig2", "h1", "uhe_bo", simple_regret=np.arange(17.0)[None], range=1.0, initial_size=5,
                  mse=np.arange(1.0, 5.0)[None], truth_variance=1.0)  # fmt: skip
    regrets = [float(comparison.at_quarter(one, "simple_regret", quarter)[0]) for quarter in comparison.QUARTERS]
    assert regrets == [7.0, 10.0, 13.0, 16.0]
    assert [float(comparison.at_quarter(one, "mse", quarter)[0]) for quarter in comparison.QUARTERS] == [1, 2, 3, 4]


def test_controls_are_refuted_where_the_claims_are_supported(plant):
    ahead = {"uhe_bo": 0.5, "mse": {"uhe_bo": 0.5, "random_search": 0.2}}
    plant(_runs(**ahead) + _runs("uhe.fig5", ABLATIONS, **ahead) + _seconds(uhe_bo=1.5, gp_ucb_mcmc=9.0))
    for entry in CLAIMS:
        judged(entry, "supported")
        evidence = entry.negative_control("smoke")
        assert evidence.verdict == "refuted", entry.id
        assert entry.replay(evidence.counterexample)[2]


@pytest.mark.parametrize("entry", CLAIMS, ids=lambda entry: entry.id)
def test_nothing_stored_decides_nothing(plant, entry):
    plant([])
    assert "python -m experiments run" in judged(entry, "inconclusive").summary
