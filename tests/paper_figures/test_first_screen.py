"""What README and the report say first: the records, and that verdicts come from the evidence alone."""

import re
from dataclasses import replace

import pytest

from experiments.engine.source import PROJECT
from experiments.engine.store import ROOT
from experiments.papers import PAPERS
from paper_figures.claims import ClaimEntry, load_published
from paper_figures.first_screen import cards, foundations, tallies
from paper_figures.first_screen_markdown import BEGIN, END, first_screen, readme, with_first_screen
from paper_figures.headlines import headlines, read
from theory_checks.ledger import Kind, Severity, load


def found(id: str, verdict: str, **numbers: object) -> ClaimEntry:
    stored = {"id": id, "verdict": verdict, "summary": "found | so", "numbers": numbers, "scale": "quick"}
    return ClaimEntry(load()[id], {**stored, "counterexample": None, "seconds": 1.0}, "reference")


def test_authors_are_those_of_the_bibliography():
    text = (PROJECT / "CITATION.bib").read_text(encoding="utf-8")
    for record in headlines():
        entry = text.split("{" + record.paper.citation + ",")[1]
        names = re.search(r"author\s*=\s*\{(.*?)\}", entry)
        assert names is not None
        printed = [" ".join(reversed(name.split(", "))) for name in names[1].split(" and ")]
        assert record.authors == ", ".join(printed)


def test_words_are_shown_for_the_verdict_that_the_evidence_says():
    """Another verdict brings the evidence's own sentence, never the words of the first."""
    one = next(one for record in headlines() for one in record.headline if "refuted" in one.why)
    ((line,),) = [card.lines for card in cards([found(one.claim, "refuted")])]
    assert line.why == one.why["refuted"]
    ((line,),) = [card.lines for card in cards([found(one.claim, "vacuous")])]
    assert line.why == "found | so"


def test_tallies_count_the_papers_own_claims_theory_and_experiments_apart():
    entries = [
        found("boke.prop1", "supported"),
        found("boke.prop11_repaired", "supported"),
        found("boke.fig6_competitive", "undetermined"),
    ]
    theory, experiments = tallies(entries)
    assert (theory.kind, theory.verdicts, theory.rows) == (
        Kind.THEORY,
        ("supported",),
        (("A · BOKE", (1,)), ("all", (1,))),
    )
    assert (experiments.verdicts, experiments.rows[-1]) == (("undetermined",), ("all", (1,)))
    refuted = ClaimEntry(
        replace(load()["boke.prop11"], severity=Severity.STEP), found("boke.prop11", "refuted").stored, ""
    )
    assert tallies([refuted])[0].severities == "1 step"


def test_markdown():
    entries = [found("boke.thm9_instant", "refuted"), found("boke.prop1", "supported")]
    text = first_screen(entries)
    one = next(one for record in headlines() for one in record.headline if one.claim == "boke.thm9_instant")
    assert f"| **fails** | 1: [{one.title}](docs/claims/boke.md#bokethm9_instant) |" in text
    assert "| **holds** | 1 |" in text, "what is no headline is counted alone"
    assert foundations(entries) in text
    assert "Paper B" not in text
    page = with_first_screen(f"# Head\n{BEGIN}\nstale\n{END}\nTail\n", entries)
    assert page.startswith(f"# Head\n{BEGIN}\n\n| | A: BOKE |")
    assert page.endswith(f"\n{END}\nTail\n")
    assert "stale" not in page
    with pytest.raises(ValueError, match="two marks"):
        with_first_screen("# Head\n", entries)


def test_readme_is_up_to_date():
    """Its generated part says what the records and the committed evidence say."""
    path = PROJECT / "README.md"
    assert path.read_text(encoding="utf-8") == readme(load_published(ROOT), path), "run `make publish`"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("boke", "bokke"), "expected boke, cei"),
        (('claim = "boke.thm4ii"', 'claim = "boke.thm44"'), "unknown claim 'boke.thm44'"),
        (("why.refuted", "why.refutted"), "unknown verdict 'refutted'"),
    ],
)
def test_what_is_wrong_is_said(change, message):
    text = (PROJECT / "paper_figures" / "headlines.toml").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read(text.replace(*change))


def test_every_paper_has_headlines_and_a_limit():
    assert [record.paper for record in headlines()] == list(PAPERS)
    text = (PROJECT / "paper_figures" / "headlines.toml").read_text(encoding="utf-8")
    start = text.index("[[ctx.headline]]")
    end = text.index("[uhe]")
    with pytest.raises(ValueError, match="ctx has 1 headlines, not 3 to 5"):
        read(text[:start] + '[[ctx.headline]]\nclaim = "ctx.prop2"\ntitle = "so"\nsays = "so"\n' + text[end:])
