"""The readings of Paper C's figures, on planted results: each verdict can be reached, and controls are refuted."""

import numpy as np
import pytest

from experiments.ctx import fig1a, fig1b, fig2
from experiments.ctx.benchmarks import METHODS
from experiments.engine.result_file import Result
from theory_checks.ctx import readings

STUDIES = {"ctx.fig1a": fig1a.PROBLEMS, "ctx.fig1b": fig1b.PROBLEMS, "ctx.fig2": fig2.PROBLEMS}
INITIAL = 10


def _result(study, problem, policy, **arrays):
    config = {"study": study, "problem": problem, "policy": policy, "seeds": [], "scale": "quick", "options": {}}
    return Result(config, {name: np.asarray(array) for name, array in arrays.items()}, {})


def _runs(rounds=350, seeds=5, spread=0.05, worse=(), **factors):
    """Regret of each method's factor a round, 5 % a seed; the initial design is worth a million and must not count."""
    found = []
    for study, problems in STUDIES.items():
        for problem in problems:
            for index, policy in enumerate(METHODS):
                rng = np.random.default_rng([index, len(problem), seeds])
                factor = 10.0 if problem in worse and policy in readings.OURS else factors.get(policy, 1.0)
                regret = np.full((seeds, INITIAL + rounds), factor)
                regret *= np.exp(spread * rng.standard_normal(seeds))[:, None]
                y = 3.0 - regret
                regret[:, :INITIAL], y[:, :INITIAL] = 1e6, -1e6
                found.append(_result(study, problem, policy, regret=regret, y=y, initial_size=INITIAL))
    return found


@pytest.mark.parametrize("claim", [readings.fig1_best, readings.fig2_best], ids=lambda claim: claim.id)
@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ({"sbo_kde": 0.1, "drbo_kde": 0.1}, "supported"),
        ({"sbo_kde": 0.1}, "inconclusive"),
        ({"sbo_kde": 0.1, "drbo_kde": 0.1, "stable_opt": 0.01}, "refuted"),
        ({}, "inconclusive"),
    ],
)
def test_best_of_all(plant, claim, factors, verdict):
    plant(_runs(spread=0.01, **factors))
    evidence = claim("paper")
    assert evidence.verdict == verdict, evidence.summary
    if verdict == "refuted":
        assert claim.replay(evidence.counterexample)[2]
        assert evidence.counterexample["comparison"].endswith(" / stable_opt")


def test_being_worse_on_one_problem_is_not_outperforming(plant):
    plant(_runs(worse=("newsvendor",), sbo_kde=0.1, drbo_kde=0.1))
    evidence = readings.fig1_best("paper")
    assert evidence.verdict == "inconclusive"
    assert "not on every problem" in evidence.summary


@pytest.mark.parametrize(
    "claim",
    [readings.fig1_best, readings.fig2_best, readings.fig1_ackley_sbo, readings.fig1_complicated_dro],
    ids=lambda claim: claim.id,
)
def test_too_few_rounds_or_seeds_decide_nothing_either_way(plant, claim):
    for factors in ({"sbo_kde": 0.1, "drbo_kde": 0.15}, {"sbo_kde": 10.0, "drbo_kde": 9.0}):
        plant(_runs(rounds=25, **factors))
        assert "only 25 of 350 rounds" in claim("quick").summary
        assert claim("quick").verdict == "inconclusive"
        plant(_runs(seeds=3, **factors))
        assert "only 3 seeds" in claim("paper").summary
    plant([])
    assert "python -m experiments run" in claim("paper").summary
    plant(_runs(rounds=25))
    control = claim.negative_control("smoke")
    assert control.verdict == "refuted"
    assert claim.replay(control.counterexample)[2]


@pytest.mark.parametrize(
    ("sbo", "drbo", "ackley", "complicated"),
    [
        (0.1, 1.0, "supported", "refuted"),
        (1.0, 0.1, "refuted", "supported"),
        (0.5, 0.5, "inconclusive", "inconclusive"),
    ],
)
def test_one_against_the_other(plant, sbo, drbo, ackley, complicated):
    plant(_runs(spread=0.01, sbo_kde=sbo, drbo_kde=drbo))
    assert readings.fig1_ackley_sbo("paper").verdict == ackley
    assert readings.fig1_complicated_dro("paper").verdict == complicated
