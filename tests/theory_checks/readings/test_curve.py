"""Verdicts from the shares of settings."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from theory_checks.ledger import Outcome
from theory_checks.readings.curve import Curve, Setting, outcome, placed
from theory_checks.readings.judgement import Claimed, Comparison, State

H, L, O, U = State.HOLDS, State.LEVEL, State.OPPOSITE, State.OPEN


@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        ([H], Outcome.REPRODUCED),
        ([L], Outcome.NOT_REPRODUCED),
        ([O], Outcome.OPPOSITE),
        ([U], Outcome.UNDECIDED),
        ([H] + [L], Outcome.REPRODUCED),
        ([L] + [H], Outcome.UNDETERMINED),  # the default does not hold
        ([H] * 19 + [O], Outcome.UNDETERMINED),  # opposite in 5 %
        ([H] * 20 + [O], Outcome.REPRODUCED),  # in fewer
        ([H] + [L] * 20, Outcome.NOT_REPRODUCED),
        ([H] + [O] * 20, Outcome.OPPOSITE),
        ([H] + [O] * 18, Outcome.UNDETERMINED),
        ([L] * 11 + [O] * 10, Outcome.NOT_REPRODUCED),
        ([H] * 8 + [L] * 4 + [O] * 4 + [U], Outcome.UNDETERMINED),
        ([H] + [U], Outcome.UNDECIDED),
        ([O] * 19 + [U], Outcome.UNDECIDED),
        ([O] * 30 + [U], Outcome.OPPOSITE),
    ],
)
def test_verdicts(states, verdict):
    assert outcome(states) is verdict


def test_open_settings_decide_exactly_where_some_completion_says_otherwise():
    """Against brute force over every completion."""
    for states in itertools.product((H, L, O, U), repeat=5):
        open_ = [place for place, state in enumerate(states) if state is U]
        if len(open_) == 5:
            continue
        completions = set()
        for filled in itertools.product((H, L, O), repeat=len(open_)):
            whole = list(states)
            for place, state in zip(open_, filled, strict=True):
                whole[place] = state
            completions.add(outcome(whole))
        found = outcome(states)
        assert (found is Outcome.UNDECIDED) == (len(completions) > 1), states
        if found is not Outcome.UNDECIDED:
            assert completions == {found}


def setting(middle: float, choice: str, seeds: int = 30) -> Setting:
    noise = np.random.default_rng(3).normal(0, 0.02, seeds)
    one = Comparison("a against b", {"p": middle + noise - noise.mean()}, Claimed("better", 0.1), "student")
    return Setting({"constant": choice}, {"a against b": [one]})


def test_curve_says_shares_choices_and_what_is_missing():
    settings = [setting(0.3, "ours"), setting(-0.3, "theirs"), Setting({"constant": "third"}, missing="run it")]
    points = [placed(one, "every", 1e-3, 6) for one in settings]
    curve = Curve(points, [replace(setting(0.0, "weak"), left_out="peer behind random_search")])
    numbers = curve.numbers()
    assert [point.state for point in points] == [H, O, U]
    assert numbers["shares"] == {"holds": 1 / 3, "level": 0.0, "opposite": 1 / 3, "open": 1 / 3}
    assert numbers["questions"] == ["constant"]
    assert [row[:2] for row in numbers["curve"]] == [["ours", "holds"], ["theirs", "opposite"], ["third", "open"]]
    assert numbers["left_out"] == {"peer behind random_search": 1}
    assert curve.verdict is Outcome.UNDETERMINED


def test_too_few_seeds_are_open_and_say_how_many_it_takes():
    point = placed(setting(0.3, "ours", seeds=4), "every", 1e-3, 6)
    assert (point.state, point.prospects) == (U, [(6, H)])
    assert Curve([point], []).numbers()["needs"] == 6


def undecided(middle: float, choice: str = "ours", name: str = "a against b") -> Setting:
    """Twenty seeds with a standard deviation of one about `middle`, for an effect of a half."""
    noise = np.random.default_rng(3).normal(0, 1, 20)
    one = Comparison(
        name, {"p": middle + (noise - noise.mean()) / noise.std(ddof=1)}, Claimed("better", 0.5), "student"
    )
    return Setting({"constant": choice}, {name: [one]})


def test_a_verdict_takes_the_seeds_of_the_first_comparisons_that_decide_it():
    nearly, hardly = undecided(0.25, name="nearly"), undecided(0.4, name="hardly")
    both = Setting({}, {**nearly.groups, **hardly.groups})
    point = placed(both, "every", 1e-3, 6)
    assert [state for _, state in point.prospects] == [L, L]
    (first, _), (last, _) = point.prospects
    # Each excludes the effect at .025, of which it is .25 and .1 away: (1.960 + 1.282)^2 = 10.51.
    assert (first, last) == (math.ceil(10.51 / 0.25**2), math.ceil(10.51 / 0.1**2))
    assert [point.at(seeds) for seeds in (first - 1, first, last)] == [U, L, L]
    assert Curve([point], []).needs == first
    assert [state for _, state in placed(both, "most", 1e-3, 6).prospects] == [L, L]
    holds = undecided(0.6, name="holds")
    mixed = placed(Setting({}, {**holds.groups, **hardly.groups}), "some", 1e-3, 6)
    assert mixed.prospects[0][1] is H
    assert Curve([mixed], []).needs == mixed.prospects[0][0]


def test_a_curve_takes_the_seeds_of_the_settings_that_decide_it():
    points = [placed(undecided(middle, str(middle)), "every", 1e-3, 6) for middle in (0.45, 0.4, 0.25)]
    seeds = sorted(point.prospects[0][0] for point in points)
    assert Curve(points, []).needs == seeds[2]  # two of three do not tell "not reproduced" from "undetermined"
    held = [placed(setting(0.3, str(index)), "every", 1e-3, 6) for index in range(30)]
    # One open setting of 32 could not change "reproduced", two could: the first one that is told decides.
    assert Curve([*held, *points[1:]], []).needs == seeds[0]


@pytest.mark.parametrize("values", [[0.0, 1.0], [np.nan, np.nan]], ids=["on its bound", "without estimate"])
def test_an_estimate_on_its_bound_or_none_promises_no_verdict(values):
    one = replace(undecided(0.25).groups["a against b"][0], samples={"p": np.array(values)})
    assert one.prospect(1e-3, 0.05) == (0, U)
    assert placed(Setting({}, {"a": [one]}), "every", 1e-3, 6).prospects == []


@pytest.mark.parametrize(
    ("middles", "quantifier", "state"),
    [
        ((0.3,), "every", U),
        ((0.3, 0.0), "every", L),  # fails whatever the third one says
        ((0.3, 0.3), "most", H),
        ((0.3, 0.0), "most", U),
        ((-0.3, -0.3), "most", O),
        ((0.3,), "some", H),
    ],
)
def test_a_comparison_without_runs_is_open_and_the_others_may_decide_without_it(middles, quantifier, state):
    every = [setting(middle, "ours").groups["a against b"][0] for middle in middles]
    groups = {str(place): [replace(one, name=str(place))] for place, one in enumerate(every)}
    one = Setting({}, groups, missing="run it", absent=["third"])
    assert placed(one, quantifier, 1e-3, 6).state is state
    assert placed(one.moved("true"), quantifier, 1e-3, 6).setting.absent == ["third"]


def test_a_group_that_lacks_a_comparison_does_not_hold():
    one = setting(0.3, "ours")
    assert placed(replace(one, absent=["a against b"]), "every", 1e-3, 6).state is U
    assert placed(replace(one, absent=["a against b"]), "some", 1e-3, 6).state is U
    failed = setting(0.0, "ours")
    assert placed(replace(failed, absent=["a against b"]), "every", 1e-3, 6).state is L
