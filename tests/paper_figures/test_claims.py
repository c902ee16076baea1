"""The ledger in Markdown and on the terminal: what is stored, no more and no less."""

import io
from collections.abc import Mapping
from typing import Any

import pytest
from rich.console import Console

from paper_figures.claims import BADGES, NOT_RUN, ClaimEntry, load_claims, places, print_claims, tally
from paper_figures.claims_markdown import flat_numbers, markdown, write_markdown
from theory_checks import cache
from theory_checks.ledger import Claim, Evidence, Verdict, load


def claim(id: str, repairs: str | None = None) -> Claim:
    def check(scale: str) -> Evidence:
        raise AssertionError("the report never runs a check")

    def replay(counterexample: Mapping[str, Any]) -> tuple[float, float, bool]:
        return 1.0, 0.0, True

    return Claim(
        id=id, paper="A", number=f"Theorem of {id} [4.1]", statement="f |x| is\n  at most 1.",
        hypotheses=("x is real",),
        rule="Rule with 100 samples.", check=check, control={"wrong": True}, control_statement="f is at most 0.",
        replay=replay, repairs=repairs,
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
    """Evidence with the key "k" counts as made by the present code."""
    monkeypatch.setattr(cache, "key_of", lambda claim, scale: "k")


def test_every_verdict_has_a_sign_of_its_own():
    assert {str(verdict) for verdict in Verdict} | {NOT_RUN} == set(BADGES)
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


def test_evidence_of_other_code_counts_only_as_reference(tmp_path):
    stale = {**entry(FIRST, "supported"), "key": "another"}
    cache.write(stale, "quick", tmp_path / "local")
    assert load_claims("quick", tmp_path, [FIRST])[0].verdict == NOT_RUN
    cache.write(stale, "quick", tmp_path / "reference")
    assert load_claims("quick", tmp_path, [FIRST])[0].source == "reference"


def test_unreadable_evidence_counts_as_absent(tmp_path):
    path = cache.path_of("boke.first", "quick", tmp_path / "local")
    path.parent.mkdir(parents=True)
    path.write_text('{"id": "boke.first", "verd')
    assert load_claims("quick", tmp_path, [FIRST])[0].verdict == NOT_RUN


def test_markdown(tmp_path):
    found = entries(tmp_path, local_first="refuted", local_repair="supported")
    text = markdown(found)
    assert markdown(found) == text
    assert "| [boke.first](#bokefirst) | Theorem of boke.first [4.1] | ✘ refuted | Found \\| at x = 1. |" in text
    assert "- Statement, as printed: f |x| is at most 1." in text
    assert "- Repaired by: [boke.first_repaired](#bokefirst_repaired) (supported)" in text
    assert "- Repairs: [boke.first](#bokefirst)" in text
    assert "  - by / d: [1, 2.5]" in text
    assert "  - largest: 1.23457" in text
    assert "3.2" not in text, "times differ between runs and do not belong here"
    assert text.endswith("\n") and not text.endswith("\n\n")  # noqa: PT018


def test_write_markdown_is_whole_or_not_at_all(tmp_path):
    path = tmp_path / "CLAIMS.md"
    write_markdown([], path)
    assert "none yet" in path.read_text()
    assert [item.name for item in tmp_path.iterdir()] == ["CLAIMS.md"]
    with pytest.raises(OSError, match="CLAIMS"):
        write_markdown([], tmp_path / "no folder" / "CLAIMS.md")


def test_long_numbers_are_cut():
    ((name, text),) = flat_numbers({"list": list(range(1000))})
    assert name == "list"
    assert len(text) < 200
    assert text.endswith("…")


def test_terminal_table(tmp_path):
    output = io.StringIO()
    print_claims(entries(tmp_path, local_first="refuted"), Console(file=output, width=120))
    text = output.getvalue()
    assert "✘ refuted" in text
    assert "… not run" in text
    print_claims([], Console(file=output))


def test_the_real_ledger_renders(tmp_path):
    """Whatever claims are registered, with or without evidence."""
    found = load_claims("quick", tmp_path)
    assert len(found) == len(load())
    assert all(item.claim.id in markdown(found) for item in found)
