"""The default of `optimize` is the policy that the rule takes from the study of all methods."""

import numpy as np
import pytest

from core.optimizer.options import DEFAULT_POLICY
from experiments.engine.result_file import Result
from experiments.engine.scale import SCALES
from experiments.engine.store import ROOT
from paper_figures.common.default import better, chosen
from paper_figures.load import MissingResults, StudyResults, load

POLICIES = (DEFAULT_POLICY, "ei", "pi", "boke", "uhe_bo", "random_search")


def made(factors: dict[str, float], seconds: dict[str, float] | None = None, noisy: float = 1.0) -> StudyResults:
    """Final regrets of each method as multiples of the same draws; under noise `noisy` times as large, but the
    default's."""
    results = []
    for number, problem in enumerate(("branin", "hartmann3")):
        draws = np.random.default_rng(number).uniform(0.5, 1.5, (len(POLICIES), 20))
        for policy, ends in zip(POLICIES, draws, strict=True):
            end = ends * factors.get(policy, 1.0)
            later = end if policy == DEFAULT_POLICY else end * noisy
            regret = np.stack([np.ones((20, 2)), np.stack([end, later], axis=1)], axis=-1)
            arrays = {
                "simple_regret": regret,
                "noise_fraction": np.array([0.0, 0.05]),
                "seconds_per_proposal": np.array([(seconds or {}).get(policy, 0.01)]),
                "initial_size": np.asarray(1),
            }
            config = {"study": "common.policies", "problem": problem, "policy": policy, "seeds": list(range(20))}
            results.append(Result({**config, "scale": "quick", "options": {}}, arrays, {"commit": "0"}))
    return StudyResults("common.policies", "quick", "quick", "reference", tuple(results))


def test_the_default_stays_where_nothing_is_better():
    assert better(made({})) == []
    assert chosen(made({"boke": 3.0})) == DEFAULT_POLICY


def test_the_best_of_the_better_ones_takes_its_place():
    assert better(made({"ei": 0.5, "pi": 0.2})) == ["pi", "ei"]
    assert chosen(made({"ei": 0.5, "pi": 0.2})) == "pi"


def test_neither_the_dear_nor_the_sequential_take_its_place():
    assert better(made({"ei": 0.5}, {"ei": 0.11})) == []
    assert better(made({"ei": 0.5}, {"ei": 0.09})) == ["ei"]
    assert better(made({"uhe_bo": 0.1})) == []


def test_better_in_one_case_does_not_make_up_for_worse_in_the_other():
    assert better(made({"ei": 0.5}, noisy=10.0)) == []
    assert better(made({"ei": 0.5}, noisy=2.0)) == ["ei"]


def test_the_default_in_use_is_the_one_chosen():
    try:
        stored = load("common.policies", SCALES[-1], ROOT, local=False)
    except MissingResults:
        pytest.skip("no results of common.policies are kept")
    assert chosen(stored) == DEFAULT_POLICY
