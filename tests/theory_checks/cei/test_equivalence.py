"""The bounds of EI and of corrected EI, and two points on which only one of the two has sublinear regret."""

import math

import numpy as np
import pytest

from theory_checks.cei import equivalence
from theory_checks.cei.beta_growth import lower


def test_ratio_of_the_bounds_by_hand():
    beta, kappa = lower(10.0), 1e-3
    ours, standard = math.log(2e6 / math.pi), math.log(1e6 / (2 * math.pi))
    corrected = beta**0.5 + (2 * (1 + ours)) ** 0.5 + (3 * (1 + ours + beta)) ** 0.5
    assert equivalence.ratio(10.0, kappa) == pytest.approx(corrected / (beta**0.5 + (3 * (1 + standard + beta)) ** 0.5))


@pytest.mark.parametrize("kappa", equivalence.KAPPAS)
def test_ratio_falls_to_one(kappa):
    ratios = np.array([equivalence.ratio(log_t, kappa) for log_t in equivalence.LOG_T])
    assert np.all(ratios > 1)
    assert np.all(np.diff(ratios) < 0)


def test_a_verdict_needs_both_senses(monkeypatch):
    def found(average, staying):
        return {
            "average_regret": average, "average_regret_at_tenth": average, "runs_that_stay": staying,
            "probability_for_ever_at_least": 0.9,
        }  # fmt: skip

    def play(noise, first, scale, corrected):
        return found(1.0, 3) if corrected else found(0.05, 0)

    monkeypatch.setattr(equivalence, "row", play)
    assert equivalence.equivalent_to_ei("smoke").verdict == "depends"
    assert equivalence.equivalent_to_ei.negative_control("smoke").verdict == "refuted"
    monkeypatch.setattr(equivalence, "row", lambda *_: found(0.05, 0))
    assert equivalence.equivalent_to_ei("smoke").verdict == "supported"
