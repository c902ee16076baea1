"""docs/charitable.md on the committed evidence: counts by setting against a count by hand."""

import re

import pytest

from experiments.engine.store import ROOT
from experiments.papers import BY_LETTER
from paper_figures.charitable_page import by_setting, page
from paper_figures.claims import load_published
from theory_checks.readings.words import in_choice_words

QUESTION = "constants of BOKE"
READINGS = re.compile(r"boke\.fig[67]_")


@pytest.fixture(scope="module")
def entries():
    return load_published(ROOT)


def states(entries, setting):
    """States of the sentences on Figures 6 and 7 at a setting of BOKE, in words, everything else at its default."""
    found = []
    for one in entries:
        if not READINGS.match(one.claim.id) or one.claim.repairs or not one.numbers:
            continue
        questions, curve, default = one.numbers["questions"], one.numbers["curve"], one.numbers["default"]["choices"]
        place = questions.index(QUESTION)
        wanted = [default[name] for name in questions]
        for row in curve:
            choices = [*row[: len(questions)]]
            if setting and in_choice_words(choices[place]) == setting:
                choices[place] = wanted[place]
            elif setting:
                continue
            found += [row[len(questions)]] if choices == wanted else []
    return found


def test_the_count_on_figures_6_and_7_follows_the_definition(entries, tmp_path):
    text = page(entries)
    definition, count = [line for line in text.splitlines()[1:] if line and not line.startswith("<!--")][:2]
    assert "most charitable setting is" in definition
    assert count == f"Paper A: {by_setting(entries, BY_LETTER['A'])}"
    at_default = states(entries, "")
    assert f"{at_default.count('holds')} of {len(at_default)} sentences hold with the default {QUESTION}" in count
    assert by_setting(entries, BY_LETTER["B"]) == ""


def test_every_setting_has_a_row(entries):
    text = page(entries)
    rows = [line.strip("| ").split(" | ") for line in text.partition(f"by the {QUESTION}\n")[2].splitlines()]
    rows = [cells for cells in rows if len(cells) == 7][1:]  # without the head
    assert len(rows) > 10
    count = len(states(entries, ""))
    for name, *cells in rows:
        found = states(entries, name.strip("*"))
        *told, left_out, _ = map(int, cells)
        assert told == [found.count(state) for state in ("holds", "level", "opposite", "open")], name
        assert sum(told) + left_out == count
    assert sum(name.startswith("**") for name, *_ in rows) == 1
