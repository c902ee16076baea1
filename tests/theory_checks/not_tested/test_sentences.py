"""The lists of untested sentences: the messages for malformed lists, and names that exist."""

import re

import pytest

from experiments.papers import BY_KEY, PAPERS
from theory_checks.ledger import load
from theory_checks.not_tested.sentences import LONGEST, Sentence, read, sentences

ENTRY = '[[sentence]]\nplace = "section 1"\nsentence = "BOKE is good"\nreason = "no measure is named"\n'


def test_a_list():
    text = (
        ENTRY + '[[sentence]]\nplace = "section 2"\nsentence = """\nit\nholds"""\nreason = "by `boke.prop1`, `x.y`"\n'
    )
    first, second = read("boke", text)
    assert first == Sentence("section 1", "BOKE is good", "no measure is named")
    assert (second.sentence, second.names) == ("it holds", ("boke.prop1",))
    assert not first.paraphrase
    assert read("boke", f"{ENTRY}paraphrase = true\n")[0].paraphrase


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"boke.toml has no array of tables \[\[sentence\]\]"),
        ('[sentence]\nplace = "section 1"\n', "has no array of tables"),
        (ENTRY + "[[sentense]]\n", "boke.toml: unknown table 'sentense'.*sentence"),
        (ENTRY + '[[sentence]]\nplace = "section 2"\n', "sentence 2 of boke.toml lacks sentence, reason"),
        (ENTRY + 'claims = ["boke.prop1"]\n', "sentence 1 of boke.toml: unknown field 'claims'"),
        (ENTRY.replace('"section 1"', "1"), "sentence 1 of boke.toml: place must be a text, not 1"),
        (f"{ENTRY}paraphrase = false\n", "sentence 1 of boke.toml: paraphrase must be true, or left out, not False"),
        (ENTRY.replace("no measure", "`boke.prop01`"), "unknown claim, study or record 'boke.prop01'"),
        (ENTRY.replace("good", "good" * LONGEST), "a quotation of .* characters"),
        (ENTRY + ENTRY, "sentence 2 of boke.toml is sentence 1 again"),
        (ENTRY + ENTRY.replace("[[", "["), "boke.toml: "),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(ValueError, match=message):
        read("boke", text)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_every_list_can_be_read(paper):
    """Every claim, study and record that a reason names exists (else `sentences` raises)."""
    assert all(name.split(".")[0] in BY_KEY for one in sentences(paper) for name in one.names)


RUN = 4
"""Words in a row by which a quotation is found in the statement of a claim."""


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.sub(r"[^a-z0-9 ]+", " ", text.lower()).split()
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_a_sentence_that_a_claim_quotes_names_the_claim(paper):
    """A quotation whose every run of words stands in a claim's statement is tested there, or says what is left."""
    mine = {name: runs(claim.statement) for name, claim in load().items() if claim.paper == paper.letter}
    for one in sentences(paper):
        quoted = runs(one.sentence)
        found = {name for name, statement in mine.items() if quoted and quoted <= statement}
        assert found <= set(one.names), f"{one.sentence}: a claim quotes it"
