"""States of comparisons and of groups of them."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from theory_checks.readings.judgement import Claimed, Comparison, Levels, State, judge, together
from theory_checks.readings.statistics import moved

H, L, O, U = State.HOLDS, State.LEVEL, State.OPPOSITE, State.OPEN
SIZE = 0.1


def comparison(
    kind: str, middle: float, spread: float = 0.05, seeds: int = 40, name: str = "a against b"
) -> Comparison:
    noise = np.random.default_rng(7).normal(0.0, 1.0, seeds)
    noise = spread * (noise - noise.mean()) / noise.std()
    return Comparison(name, {"p": middle + noise}, Claimed(kind, SIZE), "student")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "middle", "spread", "state"),
    [
        ("better", 0.2, 0.05, H),
        ("better", 0.09, 0.01, L),  # significant, but below the smallest effect
        ("better", 0.0, 0.05, L),
        ("better", -0.09, 0.01, L),
        ("better", -0.2, 0.05, O),
        ("better", 0.2, 2.0, U),
        ("better", -0.2, 2.0, U),
        ("better by", 0.2, 0.05, H),
        ("better by", 0.05, 0.05, L),
        ("better by", -0.2, 0.05, O),
        ("not worse", 0.0, 0.05, H),
        ("not worse", -0.09, 0.01, H),
        ("not worse", -0.2, 0.05, O),
        ("not worse", -0.1, 0.05, U),
        ("similar", 0.0, 0.05, H),
        ("similar", 0.2, 0.05, O),
        ("similar", -0.2, 0.05, O),
        ("similar", 0.0, 1.0, U),
    ],
)
def test_states(kind, middle, spread, state):
    assert comparison(kind, middle, spread).state(opposite=1e-4, excluded=0.05) is state


@pytest.mark.parametrize("kind", ["better", "better by", "not worse", "similar"])
def test_truths_of_a_claim_are_told_apart(kind):
    one = comparison(kind, 5.0, spread=0.02, seeds=200)
    told = {truth: one.moved(truth).state(1e-4, 0.05) for truth in ("true", "false", "reverse")}
    assert told["true"] is H
    assert told["false"] is not H
    assert told["reverse"] is O


def test_a_coin_toss_holds_and_is_opposite_no_more_often_than_the_levels_say():
    rng = np.random.default_rng(11)
    tosses = [Comparison("t", {"p": rng.normal(0, 1, 20)}, Claimed("better", 1e-9), "student") for _ in range(2000)]
    states = [one.state(opposite=0.02, excluded=0.05) for one in tosses]
    assert states.count(H) / 2000 < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 2000)
    assert states.count(O) / 2000 < 0.02 + 4 * np.sqrt(0.02 * 0.98 / 2000)


@pytest.mark.parametrize("test", ["student", "wilcoxon"])
@pytest.mark.parametrize(
    ("kind", "estimate", "state"),
    [
        ("better", 3.0, H),
        ("better", 0.2, L),
        ("better", -0.5, L),
        ("better by", 2.0, H),
        ("better by", 0.2, L),
        ("not worse", 0.0, H),
        ("not worse", -2.0, O),
        ("similar", 0.2, H),
        ("similar", 2.0, O),
        ("similar", -2.0, O),
    ],
)
def test_an_open_comparison_is_decided_nine_times_in_ten_as_its_prospect_says(kind, estimate, state, test):
    rng, levels = np.random.default_rng(7), (1e-3, 0.05)
    values = rng.normal(0.0, 1.0, 8)
    values *= 6.0 / np.std(values, ddof=1)
    first = Comparison("a against b", moved({"p": values}, estimate, test), Claimed(kind, 1.0), test)
    assert first.state(*levels) is U
    seeds, found = first.prospect(*levels)
    assert found is state
    assert seeds > first.seeds
    rows = rng.normal(estimate, 6.0, (200, seeds))
    again = [replace(first, samples={"p": row}).state(*levels) for row in rows]
    assert again.count(state) / 200 == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 200))


@pytest.mark.parametrize(
    ("quantifier", "states", "whole"),
    [
        ("every", (H, H, H), H),
        ("every", (H, H, U), U),
        ("every", (H, L, U), L),
        ("every", (H, O, H, H), L),
        ("every", (H, O), O),
        ("most", (H, H, L), H),
        ("most", (H, L, U), U),
        ("most", (H, L, L, H), L),
        ("most", (O, O, H), O),
        ("some", (O, H, U), H),
        ("some", (O, O, U), U),
        ("some", (O, O), O),
        ("some", (O, L), L),
    ],
)
def test_quantifiers(quantifier, states, whole):
    assert together(states, quantifier) is whole


@pytest.mark.parametrize("quantifier", ["every", "most", "some"])
def test_an_open_one_leaves_the_whole_open_where_it_could_make_it_hold_and_only_there(quantifier):
    for states in itertools.product((H, L, O), repeat=3):
        with_open = (*states, U)
        could = together((*states, H), quantifier) is H
        found = together(with_open, quantifier)
        assert (found in (U, H)) == could


def test_a_group_holds_where_all_of_it_does_and_some_shares_support():
    groups = {
        "panel 1": [comparison("better", 0.3, name="x"), comparison("better", 0.0, name="y")],
        "panel 2": [comparison("better", 0.3, name="z")],
    }
    state, states = judge(groups, "some", Levels(1e-3, 3))
    assert state is H
    assert states == {"x": H, "y": L, "z": H}
    assert judge(groups, "every", Levels(1e-3, 3))[0] is L
