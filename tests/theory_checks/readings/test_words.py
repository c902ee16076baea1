"""Words for readers: every state has a word of its own, and the names of settings hold no code."""

import re

import pytest

from experiments.boke import regret_constants, settings
from theory_checks.readings.judgement import State
from theory_checks.readings.words import HEADS, in_choice_words, in_state_words, said


def test_every_state_has_words_of_its_own() -> None:
    assert list(HEADS) == list(State)
    assert len(set(HEADS.values())) == len(State)
    assert [said(state, 2) for state in State] == ["hold", "do not hold", "are opposite", "are open"]


def test_a_summary_says_does_not_hold() -> None:
    text = "At the declared setting the sentence is level (2 comparisons: 2 are level). The noise level is high."
    assert in_state_words(text) == (
        "At the default setting the sentence does not hold (2 comparisons: 2 do not hold). The noise level is high."
    )


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("rule = scott, bandwidth = 1.0, noise_scale = 0.01", "Scott's rule by deviations, c = 1, noise scale 0.01"),
        ("rule = scott_sides, bandwidth = 0.04", "Scott's rule by the sides, c = 0.04"),
        ("lengthscale = 0.1, beta = 10.0", "lengthscale 0.1, β = 10"),
        ("branin and h1", "branin and h1"),
    ],
)
def test_a_choice_in_words(choice: str, words: str) -> None:
    assert in_choice_words(choice) == words


def test_no_swept_setting_keeps_a_name_of_the_code() -> None:
    """Settings of Figures 5 to 8, of all methods, and the contenders for the default."""
    swept = [*(one for of in regret_constants.SETTINGS.values() for one in of if one), *settings.CONTENDERS]
    every = {regret_constants.in_words(one) for one in swept}
    assert len(every) > 20
    told = {in_choice_words(one) for one in every}
    assert not [one for one in told if re.search(r"\w_\w|rule =", one)]
    assert len(told) == len(every), "two settings have one name"
