"""The picture of a specification curve shows the settings whose comparisons all have pairs of runs."""

import re

import pytest

from paper_figures.specification_curve import by_choice, picture

SEEN = [["ours", "holds", [0.1, 0.2, 0.3]], ["theirs", "opposite", [-0.4, -0.3, -0.1]]]


@pytest.mark.parametrize("missing", [[], ["nan", "nan", "nan"], [0.28, "nan", 0.34], [0.28, float("nan"), 0.34]])
def test_a_setting_without_pairs_stands_in_the_table_alone(missing):
    numbers = {"questions": ["constants"], "curve": [*SEEN, ["third", "open", missing]]}
    assert picture(numbers) == picture({"questions": ["constants"], "curve": SEEN})
    assert by_choice(numbers)[-1] == ("constants", "third", {"open": 1})


def test_settings_stand_by_their_mean_advantage():
    drawn = picture({"questions": ["constants"], "curve": SEEN})
    holds, opposite = (
        float(re.search(rf'd="M([\d.]+) [\d.]+h.01" stroke="{colour}"', drawn)[1]) for colour in ("#1b7837", "#b2182b")
    )
    assert opposite < holds
