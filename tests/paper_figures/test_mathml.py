"""Formulas in texts: every one that a claim has is rendered, and nothing is lost."""

import re

import pytest

from paper_figures import mathml
from paper_figures.mathml import with_mathematics
from theory_checks.ledger import load
from theory_checks.statements import formulas

TEXTS = [text for claim in load().values() for text in (claim.statement, *claim.hypotheses)]


def test_words_stay_words_and_formulas_become_mathml():
    found = str(with_mathematics(r"Then $u < \beta_t$ holds, `x_t` & x aside."))
    assert found.startswith(r'Then <math alttext="u &lt; \beta_t" ')
    assert "<msub><mi>&#x003B2;</mi><mi>t</mi></msub>" in found
    assert found.endswith("</math> holds, <code>x_t</code> &amp; x aside.")


def test_every_formula_of_the_claims_is_rendered_whole():
    """No command is left as text, and the alternative texts are the formulas."""
    rendered = [str(with_mathematics(text)) for text in TEXTS]
    assert sum(map(len, map(formulas, TEXTS))) > 1000
    for text, shown in zip(TEXTS, rendered, strict=True):
        assert shown.count("<math ") == len(formulas(text))
        assert "\\" not in re.sub(r'alttext="[^"]*"', "", shown), text


def test_without_the_library_formulas_are_plain_text(monkeypatch):
    monkeypatch.setattr(mathml, "_converter", lambda: None)
    assert str(with_mathematics(r"$a < \beta$ `c`")) == "a &lt; β <code>c</code>"


@pytest.mark.parametrize("text", TEXTS)
def test_formulas_survive_markdown(text):
    """A bar would end a cell, a pair of asterisks be emphasis, and an escaped bracket lose its backslash."""
    assert text.count("$") % 2 == 0
    for formula in formulas(text):
        assert not re.search(r"[|*]|\\[{}|,;!]|<\w", formula), formula
