"""Formulas in words: what becomes TeX, what stays text, and that nothing is lost."""

import html
import re

import pytest

from paper_figures import mathematics
from paper_figures.mathematics import tex, with_mathematics
from theory_checks.ledger import load


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h_t -> 0", r"h_{t}\to0"),
        ("x_(t+1) <= sqrt(beta_t)", r"x_{t+1}\le\sqrt{\beta_{t}}"),
        ("sigma~(x) >= sigma_hat", r"\tilde{\sigma}(x)\ge\hat{\sigma}"),
        ("T^((2+Dc)/(4+Dc))", r"T^{(2+D_{c})/(4+D_{c})}"),
        ("p^_t = theta^", r"\hat{p}_{t}=\hat{\theta}"),
        ("f(x*) - f(x+)", r"f({x}^{*})-f({x}^{+})"),
        ("1{x = x_i}", r"1\{x=x_{i}\}"),
        ("||x||^2", r"\|x\|^{2}"),
    ],
)
def test_formulas(text, expected):
    found = tex(text)
    assert found is not None
    assert found.replace(" ", "") == expected


@pytest.mark.parametrize("text", ["f(x", "floor: t^floor(t/2)", "a\\b"])
def test_what_is_not_certain_stays_text(text):
    assert tex(text) is None


def test_words_stay_words(monkeypatch):
    monkeypatch.setattr(mathematics, "_converter", lambda: lambda source: f'<math xmlns="x">{source}</math>')
    mathematics._mathml.cache_clear()
    found = str(with_mathematics("Then u < b holds, `x_t` aside, and h_t -> 0."))
    assert found.startswith('Then <math alttext="u &lt; b">')
    assert "holds, <code>x_t</code> aside, and" in found
    assert found.endswith("</math>.")
    mathematics._mathml.cache_clear()


def test_without_the_library_words_are_escaped(monkeypatch):
    monkeypatch.setattr(mathematics, "_converter", lambda: None)
    assert str(with_mathematics("a < b `c`")) == "a &lt; b <code>c</code>"


def test_every_statement_is_whole(monkeypatch):
    """The alternative texts and the words between them are the statement itself."""
    monkeypatch.setattr(mathematics, "_converter", lambda: lambda source: "<math></math>")
    mathematics._mathml.cache_clear()
    for claim in load().values():
        shown = re.sub(r'<math alttext="([^"]*)"></math>', r"\1", str(with_mathematics(claim.statement)))
        assert html.unescape(re.sub(r"</?code>", "`", shown)) == claim.statement
    mathematics._mathml.cache_clear()
