"""What README and the report say first: the records, and that verdicts come from the evidence alone."""

import re
from dataclasses import replace

import pytest

from experiments.engine.code_version import PROJECT
from experiments.engine.store import ROOT
from experiments.papers import PAPERS
from paper_figures.claims import ClaimEntry, load_published
from paper_figures.first_screen import READING, cards, foundations, tally_by_origin, undecided_sentence
from paper_figures.first_screen_markdown import BEGIN, END, first_screen, readme, with_first_screen
from paper_figures.headlines import headlines, read
from theory_checks.ledger import Origin, Severity, load


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
    ((line,),) = [card.lines for card in cards([found(one.claim, "inconclusive")])]
    assert line.why == "found | so"


def test_a_kind_of_inconclusive_has_words_of_its_own():
    one = next(one for record in headlines() for one in record.headline if "reversed here" in one.why)
    whys = {}
    for kind in ("reversed here", "withheld"):
        ((line,),) = [card.lines for card in cards([found(one.claim, "inconclusive", undecided={"kind": kind})])]
        whys[kind] = line.why
    assert whys == {"reversed here": one.why["reversed here"], "withheld": one.why["inconclusive"]}


def test_repairs_are_not_among_what_is_supported():
    entries = [found("boke.prop1", "supported"), found("boke.prop11_repaired", "supported")]
    rows = {row.name: row for row in tally_by_origin(entries)}
    assert {name: row.total for name, row in rows.items()} == {"as printed": 1, "repairs, ours": 1}
    refuted = ClaimEntry(
        replace(load()["boke.prop11"], severity=Severity.STEP), found("boke.prop11", "refuted").stored, ""
    )
    assert tally_by_origin([refuted])[0].severities == "1 step"
    assert refuted.claim.origin is Origin.PRINTED


def test_inconclusive_says_which_kind():
    entries = [
        found("boke.prop1", "inconclusive", undecided={"kind": "too few runs", "needs": 1220}),
        found("boke.cor5", "inconclusive", undecided={"kind": "reversed here"}),
        found("boke.cor6", "inconclusive", undecided={"kind": "withheld"}),
        found("boke.thm8", "inconclusive"),
    ]
    assert entries[0].weight == "? inconclusive (too few runs, it takes about 1,220)"
    assert [entry.undecided for entry in entries[2:]] == ["smaller runs than its rule asks for", ""]
    sentence = undecided_sentence(entries)
    assert sentence == (
        "Inconclusive: 1 reversed here, 1 too few runs, 1 smaller runs than its rule asks for, "
        "1 for another reason, which the evidence gives."
    )
    assert undecided_sentence([found("boke.prop1", "supported")]) == ""


def test_markdown():
    entries = [found("boke.thm9_instant", "refuted"), found("boke.prop1", "supported")]
    text = first_screen(entries)
    assert "| [✘ refuted (substantive, certified)](docs/claims/boke.md#bokethm9_instant) |" in text
    assert foundations(entries) in text
    assert "Paper B" not in text
    page = with_first_screen(f"# Head\n{BEGIN}\nstale\n{END}\nTail\n", entries)
    assert page.startswith(f"# Head\n{BEGIN}\n\n{READING}\n\n### A · ")
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
        read(text[:start] + '[[ctx.headline]]\nclaim = "ctx.prop2"\nsays = "so"\n' + text[end:])
