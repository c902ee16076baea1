"""Outcomes of several circumstances become one verdict."""

import numpy as np
import pytest

from theory_checks.circumstances import combined, verdict
from theory_checks.pairs import Comparison
from theory_checks.readings import judge, problem_by_problem
from theory_checks.sides import below

RULE = problem_by_problem(0.1, "student")


def part(name, mean, whole=True):
    """Twenty differences about a mean, claimed to be below zero."""
    samples = mean + 0.01 * np.random.default_rng(1).standard_normal(20)
    return name, judge([Comparison("ours", {"one": samples}, below(0.0))], RULE, 1e-4, "quick"), whole


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((1, 1), "supported"),
        ((1, 0), "supported"),
        ((0, 1), "inconclusive"),
        ((0, -1), "inconclusive"),
        ((-1, -1), "refuted"),
        ((-1, 1), "depends"),
        ((1, -1), "depends"),
        ((0, 1, -1), "depends"),
    ],
)
def test_verdict(outcomes, expected):
    assert verdict(outcomes) == expected


@pytest.mark.parametrize(
    ("means", "unexcluded", "expected"),
    [
        ((-1.0, -1.0), "", "supported"),
        ((1.0, -1.0), "", "depends"),
        ((1.0, 1.0), "", "refuted"),
        ((1.0, 1.0), "there are others", "inconclusive"),
        ((0.0, -1.0), "there are others", "inconclusive"),
    ],
)
def test_combined(means, unexcluded, expected):
    parts = [part("first", means[0]), part("second", means[1])]
    evidence = combined(parts, "shown", {}, "quick", 1e-4, study="toy.study", unexcluded=unexcluded)
    assert evidence.verdict == expected
    assert (evidence.counterexample is None) == (expected in ("supported", "inconclusive"))
    assert ("there are others" in evidence.summary) == (min(means) > 0 and bool(unexcluded))


def test_what_is_missing_supports_nothing():
    evidence = combined([part("first", -1.0, whole=False)], "shown", {}, "quick", 1e-4, study="toy.study")
    assert evidence.verdict == "inconclusive"
    assert "experiments run --only toy.study" in evidence.summary
    nothing = combined([("first", None, False), part("second", 1.0)], "shown", {}, "quick", 1e-4, study="toy.study")
    assert nothing.verdict == "inconclusive"
