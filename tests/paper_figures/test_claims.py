"""The ledger in Markdown and on the terminal shows the stored verdicts and nothing else."""

import io
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from cli import figures as command
from experiments.engine import evidence
from experiments.engine.scale import SCALES
from experiments.engine.source import PROJECT
from experiments.engine.store import REFERENCE
from paper_figures.claims import (
    BADGES,
    NOT_RUN,
    ClaimEntry,
    load_claims,
    load_published,
    places,
    print_claims,
    tally,
)
from paper_figures.claims_markdown import claim_files, overview
from paper_figures.publish import PAGES, write_pages
from theory_checks import cache
from theory_checks.ledger import Claim, Evidence, Kind, Origin, Outcome, Severity, Verdict, load


def claim(id: str, repairs: str | None = None) -> Claim:
    def check(scale: str) -> Evidence:
        raise AssertionError("the report never runs a check")

    def replay(counterexample: Mapping[str, Any]) -> tuple[float, float, bool]:
        return 1.0, 0.0, True

    return Claim(
        id=id, paper="A", title=f"Title of {id}", number=f"Theorem of {id} [4.1]", statement="f |x| is\n  at most 1.",
        hypotheses=("x is real",),
        rule="Rule with 100 samples.", check=check, control={"wrong": True}, control_statement="f is at most 0.",
        replay=replay, repairs=repairs, origin=Origin.REPAIR if repairs else Origin.PRINTED,
        severity=Severity.STEP, positive={}, positive_statement="f is at most 9.",
    )  # fmt: skip


FIRST, REPAIR = claim("boke.first"), claim("boke.first_repaired", repairs="boke.first")


def entry(claim: Claim, verdict: str, scale: str = "quick") -> dict[str, Any]:
    return {
        "id": claim.id, "paper": "A", "number": claim.number, "verdict": verdict, "summary": "Found | at x = 1.",
        "numbers": {"largest": 1.23456789, "by": {"d": [1, 2.5]}}, "seconds": 3.2, "counterexample": {"x": 1.0},
        "scale": scale, "key": "k",
    }  # fmt: skip


def entries(tmp_path, **verdicts: str) -> list[ClaimEntry]:
    for name, verdict in verdicts.items():
        source, which = name.split("_", 1)
        chosen = {"first": FIRST, "repair": REPAIR}[which]
        cache.write(entry(chosen, verdict), "quick", tmp_path / source)
    return load_claims("quick", tmp_path, [FIRST, REPAIR])


@pytest.fixture(autouse=True)
def current_code(monkeypatch):
    """Evidence of this machine with the key "k" counts as made by the present code, committed evidence as older."""
    monkeypatch.setattr(cache, "key_of", lambda claim, scale, *, committed=False: "older" if committed else "k")


def test_every_verdict_has_a_sign_of_its_own():
    assert {str(verdict) for verdict in (*Verdict, *Outcome)} == set(BADGES)
    assert len({sign for sign, _ in BADGES.values()}) == len(BADGES)


def test_not_run(tmp_path):
    found = load_claims("quick", tmp_path, [FIRST])
    assert found[0].verdict == NOT_RUN
    assert "theory_checks run boke.first" in found[0].summary
    assert tally(found) == "1 not run"
    assert places(found) == ""


def test_local_before_reference(tmp_path):
    found = entries(tmp_path, local_first="refuted", reference_first="supported", reference_repair="supported")
    assert [(item.verdict, item.source) for item in found] == [("refuted", "local"), ("supported", "reference")]
    assert tally(found) == "1 supported, 1 refuted"
    assert found[0].replay == "python -m theory_checks replay boke.first --scale quick"


def test_reference_of_the_largest_scale_where_the_asked_one_is_missing(tmp_path):
    for scale in ("smoke", "paper"):
        cache.write(entry(FIRST, "supported", scale), scale, tmp_path / "reference")
    assert load_claims("quick", tmp_path, [FIRST])[0].scale == "paper"


def test_a_lower_scale_never_replaces_a_higher_one(tmp_path):
    """The finding of a smoke run on this machine stands beside the committed verdict, whatever scale is selected."""
    cache.write(entry(FIRST, "refuted", "quick"), "quick", tmp_path / "reference")
    cache.write(entry(FIRST, "undecided", "smoke"), "smoke", tmp_path / "local")
    (found,) = load_claims("smoke", tmp_path, [FIRST])
    assert (found.verdict, found.scale, found.source) == ("refuted", "quick", "reference")
    assert found.rerun is not None
    assert found.rerun["verdict"] == "undecided"
    assert load_claims("quick", tmp_path, [FIRST])[0].rerun is None
    cache.write(entry(FIRST, "supported", "paper"), "paper", tmp_path / "local")
    assert load_claims("quick", tmp_path, [FIRST])[0].verdict == "supported"


def test_evidence_of_other_code_counts_only_as_reference(tmp_path):
    stale = {**entry(FIRST, "supported"), "key": "another"}
    cache.write(stale, "quick", tmp_path / "local")
    assert load_claims("quick", tmp_path, [FIRST])[0].verdict == NOT_RUN
    cache.write(stale, "quick", tmp_path / "reference")
    assert load_claims("quick", tmp_path, [FIRST])[0].source == "reference"


def test_unreadable_evidence_counts_as_absent(tmp_path):
    path = evidence.path_of("boke.first", "quick", tmp_path / "local")
    path.parent.mkdir(parents=True)
    path.write_text('{"id": "boke.first", "verd')
    assert load_claims("quick", tmp_path, [FIRST])[0].verdict == NOT_RUN


def test_a_refutation_says_what_it_costs_the_paper():
    assert ClaimEntry(FIRST, entry(FIRST, "refuted"), "local").weight == "✘ refuted (step)"


def test_an_experiment_says_the_shares_of_its_settings():
    claimed = replace(FIRST, kind=Kind.EXPERIMENT, severity=None)
    shares = {"holds": 0.25, "level": 0.0, "opposite": 0.5, "open": 0.25}
    numbers = {"settings": 8, "shares": shares, "default": {"state": "level"}}
    stored = {**entry(claimed, "undetermined"), "numbers": numbers}
    text = ClaimEntry(claimed, stored, "local").weight
    assert text == "∼ undetermined (at the default: does not hold; 8 settings: holds 25 %, opposite 50 %, open 25 %)"
    measured = {**stored, "numbers": {**numbers, "settings": 2, "questions": ["measure"]}}
    assert "; one setting, 2 measures: holds" in ClaimEntry(claimed, measured, "local").weight
    one = {**stored, "verdict": "undecided", "numbers": {"settings": 1, "needs": 1220}}
    assert ClaimEntry(claimed, one, "local").weight == "? undecided (it takes about 1,220 seeds)"


def test_overview(tmp_path):
    found = entries(tmp_path, local_first="refuted", local_repair="supported")
    text = overview(found)
    assert overview(found) == text
    rows = "| Theorem of boke.first | [Title of boke.first](docs/claims/boke/first.md) | ✘ refuted, step; repair ✔ |"
    assert rows in text, "a repair stands beside the claim that it repairs"
    assert "| theory | A | all |\n|---|---:|---:|\n| ✘ refuted | 1 | 1 |\n\n" in text, "repairs are not counted"
    assert "Refuted, by severity: 1 step." in text
    assert "1 of 1 refutations are counterexamples" in text
    assert "### Experiments of Paper A" not in text, "kinds that have no claim are left out"
    assert "Paper B" not in text, "papers without claims here are left out"
    assert text.endswith("\n") and not text.endswith("\n\n")  # noqa: PT018


def test_page_of_a_claim(tmp_path):
    """Its repair stands on it; numbers and times do not."""
    ((name, text),) = claim_files(entries(tmp_path, local_first="refuted", local_repair="supported"))
    assert name == "claims/boke/first.md"
    assert text.startswith(
        "# Title of boke.first\n\n[Paper A: BOKE](../../papers/boke.md), Theorem of boke.first [4.1]"
        " (in brackets: the number in the paper's later version) · `boke.first` · [glossary]"
    )
    statement = "Statement, as printed or shortened:\n\n> f |x| is\n>   at most 1.\n\n"
    assert f"{statement}**✘ refuted (step)**\n\nFound | at x = 1." in text
    assert f"The check (`{__name__.replace('.', '/')}.py`) must refute this false variant: " in text
    assert "\n## boke.first_repaired\n\nTitle of boke.first\\_repaired.\n\nStatement, our repair:\n" in text
    assert "The same check must not refute this true variant: f is at most 9." in text
    assert "python -m theory_checks replay boke.first --scale quick" in text
    assert "1.23457" not in text, "numbers stand in the evidence file"


def test_pages_are_written_from_the_reference_at_its_highest_scale(tmp_path, monkeypatch):
    """Neither local evidence nor that of a lower scale replaces it."""
    monkeypatch.setattr("paper_figures.claims.load_ledger", lambda: {FIRST.id: FIRST, REPAIR.id: REPAIR})
    monkeypatch.setattr("theory_checks.changes.before", dict)
    cache.write(entry(FIRST, "refuted", "smoke"), "smoke", tmp_path / "local")
    cache.write(entry(FIRST, "vacuous", "quick"), "quick", tmp_path / "reference")
    cache.write(entry(FIRST, "supported", "paper"), "paper", tmp_path / "reference")
    found = load_published(tmp_path)
    assert [(item.verdict, item.scale, item.source) for item in found] == [("supported", "paper", "reference")] + [
        (NOT_RUN, "", "")
    ]
    folder = tmp_path / "repository"
    assert command.main(["publish", "--results", str(tmp_path), "--repository", str(folder)]) == 0
    written = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert written == {*PAGES, "docs/claims/boke/first.md"}
    assert (folder / "README.md").read_text().startswith("<!-- Written by `make publish`")
    assert "✔ supported" in (folder / "CLAIMS.md").read_text()
    for name in ("CLAIMS.md", "docs/claims/boke/first.md"):
        page = folder / name
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            assert any((one / name).parent.joinpath(target).is_file() for one in (folder, PROJECT)), (name, target)


def test_a_page_is_written_whole_or_not_at_all(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        write_pages({"CLAIMS.md": overview}, [], tmp_path / "file")
    stale = tmp_path / "report" / "docs" / "claims" / "boke" / "gone.md"
    stale.parent.mkdir(parents=True)
    stale.touch()
    written = write_pages({"CLAIMS.md": overview}, [], tmp_path / "report")
    assert not stale.exists()
    assert "(none yet)" in written[0].read_text()


def test_terminal_table(tmp_path):
    output = io.StringIO()
    print_claims(entries(tmp_path, local_first="refuted"), Console(file=output, width=120))
    text = output.getvalue()
    assert "✘ refuted" in text
    assert "– not run" in text
    print_claims([], Console(file=output))


def test_the_real_ledger_renders(tmp_path):
    """Whatever claims are registered, with or without evidence: a line and a section each, on pages one can read."""
    found = load_claims("quick", tmp_path)
    assert len(found) == len(load())
    text = overview(found)
    pages = {name for name, _ in claim_files(found)}
    for item in found:
        if not item.claim.repairs:
            assert f"](docs/claims/{item.claim.id.replace('.', '/')}.md)" in text
            assert f"claims/{item.claim.id.replace('.', '/')}.md" in pages


def test_the_overview_is_short_and_whole():
    """The overview has at most 30 kB with the committed evidence, and no title is cut."""
    text = (PROJECT / "CLAIMS.md").read_text(encoding="utf-8")
    assert len(text.encode()) <= 30 * 1024
    assert "…" not in text
    for claim in load().values():
        assert claim.repairs or f"](docs/claims/{claim.id.replace('.', '/')}.md)" in text, claim.id


def test_committed_evidence_is_small_and_of_claims_that_are_there():
    files = list((REFERENCE / "claims").glob("*.json"))
    assert {path.stem.partition(".")[2] for path in files} <= set(SCALES)
    assert {claim for scale in SCALES for claim in evidence.claims(REFERENCE, scale)} <= set(load())
    assert sum(path.stat().st_size for path in files) < 3 * 2**20
