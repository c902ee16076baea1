"""The words of the claims: the permitted contents of a file, titles, plain text."""

from collections import Counter

import pytest

from experiments.papers import PAPERS
from theory_checks.ledger import Kind, load
from theory_checks.statements import Words, _of_paper, in_plain_text, read, words

CLAIM = """
[hypotheses]
real = '$x$ is real'

[square]
title = "Squares are positive"
number = "Lemma 1"
statement = '''$x^2
\\ge 0$'''
hypotheses = ["real", "any paper"]
"""


def test_names_of_hypotheses_stand_for_their_texts():
    expected = Words("Squares are positive", "Lemma 1", r"$x^2 \ge 0$", ("$x$ is real", "any paper"))
    assert read("toy", CLAIM) == {"square": expected}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Squares are positive"', "", "1 to 60 characters"),
        ("Squares are positive", "x" * 61, "not 61"),
        ("number =", "numbr =", "did you mean 'number'"),
        ('"real", ', "", "no claim has the hypothesis 'real'"),
        ("[square]", "[square", "toy/statements.toml"),
    ],
)
def test_malformed_files_are_refused(old, new, message):
    with pytest.raises(ValueError, match=message):
        read("toy", CLAIM.replace(old, new))


def test_a_claim_without_words_is_named():
    with pytest.raises(KeyError, match=r"boke/statements.toml.*thm9_instant"):
        words("boke.thm9_instnt")


def test_titles_are_the_claims_own_and_no_words_lack_their_claim():
    claims = load()
    theory = {claim.id for claim in claims.values() if claim.kind is Kind.THEORY}
    assert theory == {f"{paper.key}.{name}" for paper in PAPERS for name in _of_paper(paper.key)}
    assert [title for title, count in Counter(claim.title for claim in claims.values()).items() if count > 1] == []
    assert not any("$" in claim.title for claim in claims.values())


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"$h_t \to 0^+$ for $x \ne x'$", "h_t → 0^+ for x ≠ x'"),
        (r"$\sqrt{\beta_T} \le \frac{a + 1}{b}$", "√(β_T) ≤ (a + 1)/(b)"),
        (r"$\hat{\sigma}(x^\ast) = \min\lbrace 1, \infty \rbrace$", "σ̂(x^*) = min{1, ∞}"),
        (r"$\mathbb{E}[f]$ on $\mathcal{X}$, `code`", "E[f] on X, `code`"),
        (r"$\lvert x_{t+1} \rvert^{-2}$", "| x_(t+1) |^(-2)"),
    ],
)
def test_plain_text(tex, plain):
    assert in_plain_text(tex) == plain


def test_every_text_of_the_claims_has_a_plain_form():
    for claim in load().values():
        for text in (claim.statement, *claim.hypotheses):
            assert not set(in_plain_text(text)) & set("$\\")
