"""The beginning of README: the records, and verdicts from the evidence alone."""

import io
import re
from contextlib import redirect_stdout
from dataclasses import replace

import pytest

import paper_figures.first_screen
from experiments.engine.source import PROJECT
from experiments.engine.standing import OLDER, THIS, Standing
from experiments.engine.store import ROOT
from experiments.papers import PAPERS
from paper_figures.claims import ClaimEntry, load_published
from paper_figures.first_screen import cards, foundations, tallies
from paper_figures.first_screen_markdown import OUTPUT, ROWS, TEMPLATE, first_screen, readme
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
    assert f"| **refuted or vacuous** | 1: [{one.title}](docs/claims/boke/thm9_instant.md) |" in text
    assert "| **holds** | 1 |" in text, "what is no headline is counted alone"
    assert foundations(entries) in text
    assert "Paper B" not in text


def test_the_first_screen_counts_what_older_code_made(monkeypatch):
    sampled = Standing("sampled", "sampled 2 of 9, 2026-11-27")
    monkeypatch.setattr(paper_figures.first_screen, "_committed_results", lambda: [THIS, OLDER, OLDER, sampled])
    entries = [found("boke.prop1", "supported")]  # its evidence has no key of any code
    text = foundations(entries)
    assert 'made 1 of 4 committed results ("older": the rest), of which a sample confirms 1.' in text
    assert "judged 0 of 1 claims" in text
    assert text in first_screen(entries)


def test_readme_is_up_to_date():
    """README says what the records and the committed evidence say."""
    path = PROJECT / "README.md"
    assert path.read_text(encoding="utf-8") == readme(load_published(ROOT)), "run `make publish`"


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


README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_readme_is_short_and_its_commands_come_first():
    assert len(README.encode()) <= 7500
    assert README.encode().index(b"make reproduce SCALE=smoke\n") < len(README.encode()) / 3


def test_readme_has_no_commit_and_no_ellipsis():
    for page in (README, TEMPLATE.read_text(encoding="utf-8")):
        assert not re.search(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b", page), "a commit"
        assert "…" not in page


def test_no_number_about_results_is_typed_into_readme():
    """The numbers in README's template are versions, sizes of the machine, names of statements, and the example. Run
    times are the record's (`paper_figures.run_times`)."""
    text = re.sub(
        r"```.*?```|`[^`]*`|\$\{[^}]*\}|\]\([^)]*\)", "", TEMPLATE.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    named = r"Python 3\.11 to 3\.14|1\.5 GB of disk|2 GB of memory|2 cores|VGG-16|ResNet50|Figure 4"
    assert not re.search(r"\d", re.sub(named, "", text)), re.findall(r".*\d.*", re.sub(named, "", text))


def test_cells_of_readmes_table_are_short():
    table = [line for line in README.splitlines() if line.startswith("| **")]
    assert [line.split("**")[1] for line in table] == list(ROWS)
    for line in table:
        for cell in line.split("|")[2:-1]:
            assert len(re.sub(r"\]\([^)]*\)", "]", cell).split()) <= 25, cell


@pytest.mark.slow
def test_readmes_example_prints_what_it_says():
    """The output agrees to three digits: another processor rounds differently."""
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    said = OUTPUT.read_text(encoding="utf-8")
    assert re.sub(r"-?\d[\d.e-]*", "#", printed.getvalue()) == re.sub(r"-?\d[\d.e-]*", "#", said)
    number = re.compile(r"\((\d+\.\d+), (\d+\.\d+)\)")
    for ours, theirs in zip(number.findall(printed.getvalue()), number.findall(said), strict=True):
        assert [float(one) for one in ours] == pytest.approx([float(one) for one in theirs], rel=1e-2)
