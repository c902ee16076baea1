"""Claims, evidence, the registry, family-wise error, the cache and the runner."""

import json
import math

import numpy as np
import pytest

from experiments.engine import evidence
from theory_checks import cache, ledger, runner
from theory_checks.history import amended, amendments, page
from theory_checks.ledger import (
    Claim,
    Evidence,
    Kind,
    Origin,
    Outcome,
    Severity,
    Verdict,
    claim,
    level,
    load,
    plain,
    select,
    spent,
    variant_claim,
)
from theory_checks.statements import Words

_FIELDS = {
    "said": Words("t", "1", "s"),
    "rule": "r",
    "control": {"a": 1},
    "control_statement": "c",
}


def register(**fields) -> Claim:
    """A claim of the fields above that always holds."""
    entry = claim(**{"id": "boke.toy", "paper": "A", **_FIELDS, **fields})
    return entry(lambda scale, **variant: Evidence(Verdict.SUPPORTED, "fine"))


def test_evidence_is_json():
    numbers = {"array": np.arange(2), "scalar": np.float64(0.5), "bad": math.nan, "inf": -math.inf, "flag": np.True_}
    evidence = Evidence(Verdict.SUPPORTED, "fine", numbers)
    assert evidence.verdict is Verdict.SUPPORTED
    assert json.loads(json.dumps(evidence.numbers)) == {
        "array": [0, 1],
        "scalar": 0.5,
        "bad": "nan",
        "inf": "-inf",
        "flag": True,
    }


def test_evidence_rejects_what_json_cannot_hold():
    with pytest.raises(ValueError, match="perhaps"):
        Evidence("perhaps", "")
    with pytest.raises(TypeError, match="object"):
        plain({"x": object()})


def test_floats_survive_storage_exactly(tmp_path):
    value = float(np.nextafter(0.1, 1.0))
    cache.write_json(tmp_path / "x.json", plain({"x": value}))
    assert json.loads((tmp_path / "x.json").read_text())["x"] == value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "prop1"}, "must look like"),
        ({"id": "drbo.x"}, "does not go with"),
        ({"control": {}}, "no negative control"),
        ({"tests": -1}, "must be a count"),
    ],
)
def test_claim_refuses_bad_fields(change, message):
    with pytest.raises(ValueError, match=message):
        claim(**{"id": "boke.x", "paper": "A", **_FIELDS, **change})


def test_claim_refuses_a_taken_id(toy_ledger):
    def other(scale, *, a=0):
        return Evidence(Verdict.SUPPORTED, "")

    other.__module__ = "elsewhere"
    with pytest.raises(ValueError, match="registered by both"):
        claim(id="boke.square", paper="A", **_FIELDS)(other)


def test_select(toy_ledger):
    assert [c.id for c in select()] == ["boke.cube", "boke.square"]
    assert [c.id for c in select(["square"])] == ["boke.square"]
    assert [c.id for c in select(["boke", "boke.cube"])] == ["boke.cube", "boke.square"]
    with pytest.raises(KeyError, match=r"boke\.square"):
        select(["boke.sqare"])


def test_levels_are_fixed_a_claim(toy_ledger):
    """So that one more claim outdates no other."""
    before = level("A")
    claim(id="boke.more", paper="A", **_FIELDS, tests=3)(toy_ledger["boke.square"].check)
    assert level("A") == before
    assert spent() == pytest.approx(5 * before)
    with pytest.raises(KeyError, match="unknown paper"):
        level("E")


def test_family_wise_error_of_the_whole_ledger():
    load()
    assert spent() <= ledger.FAMILY_WISE_ERROR


def test_controls_are_refuted_by_the_same_code(toy_ledger):
    assert toy_ledger["boke.square"]("smoke").verdict == "supported"
    assert toy_ledger["boke.square"].negative_control("smoke").verdict == "refuted"


def test_finished_checks_are_kept(toy_ledger, tmp_path):
    claims = list(toy_ledger.values())
    first = runner.plan(claims, "smoke", tmp_path)
    assert [c.id for c in first.pending] == ["boke.cube", "boke.square"]
    runner.compute(first.pending, "smoke", tmp_path, workers=1)
    again = runner.plan(claims, "smoke", tmp_path)
    assert not again.pending
    assert {entry["id"]: entry["verdict"] for entry in again.stored} == {
        "boke.cube": "refuted",
        "boke.square": "supported",
    }
    assert len(runner.plan(claims, "quick", tmp_path).pending) == 2


def test_other_code_is_computed_again(toy_ledger, tmp_path, monkeypatch):
    claims = list(toy_ledger.values())
    runner.compute(claims, "smoke", tmp_path, workers=1)
    monkeypatch.setattr(cache, "code_version", lambda claim: "9876543210")
    assert len(runner.plan(claims, "smoke", tmp_path).pending) == 2


def test_a_new_claim_outdates_no_other(toy_ledger, tmp_path):
    runner.compute(list(toy_ledger.values()), "smoke", tmp_path, workers=1)
    claim(id="boke.more", paper="A", **_FIELDS, tests=3)(toy_ledger["boke.square"].check)
    pending = runner.plan(list(load().values()), "smoke", tmp_path).pending
    assert [c.id for c in pending] == ["boke.more"]


def test_an_experiment_whose_verdict_is_another_is_said_and_not_failed(toy_ledger, tmp_path, monkeypatch):
    def outcome(scale, *, a=0):
        return Evidence(Outcome.REPRODUCED, "as the paper says", {})

    claim(id="boke.experiment", paper="A", **_FIELDS, kind=Kind.EXPERIMENT)(outcome)
    (entry,) = runner.compute(select(["experiment"]), "smoke", tmp_path, workers=1)
    cache.keep([{**entry, "verdict": "undecided"}], "smoke", cache.REFERENCE)
    assert runner.mismatches([entry], {}) == []
    (said,) = runner.other_outcomes([entry], "smoke")
    assert said == "boke.experiment: reproduced by the runs here, undecided by the committed ones"
    cache.keep([entry], "smoke", cache.REFERENCE)
    assert runner.other_outcomes([entry], "smoke") == []


def test_a_planted_defect_of_theory_fails(toy_ledger, tmp_path):
    (entry,) = runner.compute(select(["square"]), "smoke", tmp_path, workers=1)
    assert runner.mismatches([entry], {"boke.square": "supported"}) == []
    (said,) = runner.mismatches([{**entry, "verdict": "refuted"}], {"boke.square": "supported"})
    assert said == "boke.square: refuted, but expected.json says supported"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"id": "boke.cube"}', "\x00\xff"])
def test_broken_files_are_reported_and_computed_again(toy_ledger, tmp_path, content):
    claims = list(toy_ledger.values())
    runner.compute(claims, "smoke", tmp_path, workers=1)
    evidence.path_of("boke.square", "smoke", tmp_path).write_text(content)
    work = runner.plan(claims, "smoke", tmp_path)
    assert [c.id for c in work.pending] == ["boke.square"]
    assert "boke.square" in work.complaints[0]
    runner.compute(work.pending, "smoke", tmp_path, workers=1)
    assert not runner.plan(claims, "smoke", tmp_path).pending


def test_a_failing_check_is_not_stored(toy_ledger, tmp_path):
    def broken(scale, *, a=0):
        raise ArithmeticError("no")

    claim(id="boke.broken", paper="A", **_FIELDS)(broken)
    entries = runner.compute(select(["broken", "square"]), "smoke", tmp_path, workers=1)
    assert {entry["id"]: entry["verdict"] for entry in entries} == {"boke.broken": "error", "boke.square": "supported"}
    assert runner.mismatches(entries, {}) == ["boke.broken: the check failed with ArithmeticError: no"]
    assert [c.id for c in runner.plan(select(), "smoke", tmp_path).pending] == ["boke.broken", "boke.cube"]


def test_mismatches_name_the_claim(toy_ledger, tmp_path):
    entries = runner.compute(list(toy_ledger.values()), "smoke", tmp_path, workers=1)
    pinned = {"boke.square": "refuted", "boke.cube": "refuted"}
    assert runner.mismatches(entries, pinned) == ["boke.square: supported, but expected.json says refuted"]


def test_pins_per_scale(toy_ledger, tmp_path):
    entries = runner.compute(list(toy_ledger.values()), "smoke", tmp_path, workers=1)
    runner.pin(entries, "smoke")
    assert runner.expected("smoke") == {"boke.square": "supported", "boke.cube": "refuted"}
    assert runner.expected("quick") == {}
    assert set(runner.seconds_on_reference("smoke")) == {"boke.square", "boke.cube"}


def test_what_was_changed_after_a_first_run_is_told():
    told = {one.claim for one in amendments()}
    assert {"uhe.prop6_4_2", "boke.fig8_beats_gp_ucb", "ctx.lemma1_repaired", "cei.fig8_robust"} <= told
    assert {"boke.prop1", "ctx.closed_form", "cei.lemma4_3"}.isdisjoint(told)
    (record,) = amended("ctx.lemma1_repaired")
    assert record.text.startswith("Changed after the first run: `ctx.lemma1_repaired`")
    assert record.text in page()
    assert len({one.claim for one in amendments()}) == len(amendments())


@pytest.mark.parametrize(
    ("fields", "origin"),
    [({}, Origin.PRINTED), ({"repairs": "boke.square"}, Origin.REPAIR), ({"origin": "here"}, Origin.HERE)],
)
def test_whose_words_a_claim_is(toy_ledger, fields, origin):
    assert register(**fields).origin == origin


def test_what_a_refutation_costs_is_one_of_four_words(toy_ledger):
    assert register(severity="misprint").severity == Severity.MISPRINT
    with pytest.raises(ValueError, match="grave"):
        register(severity="grave")


def test_a_positive_control_has_keywords_and_words(toy_ledger):
    entry = register(positive={"wrong": False}, positive_statement="x^2 >= -1")
    assert entry.positive_control("smoke").verdict == Verdict.SUPPORTED
    assert register().positive_control("smoke") is None
    with pytest.raises(ValueError, match="positive control"):
        register(positive={"wrong": False})


def test_every_refuted_claim_says_what_it_costs():
    claims = load()
    pinned = json.loads(runner.EXPECTED.read_text())
    refuted = {claim for claim, verdicts in pinned.items() if "refuted" in verdicts.values()}
    assert not [claim for claim in sorted(refuted) if claims[claim].severity is None]


def test_only_what_the_papers_say_has_a_severity():
    assert not [claim.id for claim in load().values() if claim.origin == Origin.HERE and claim.severity]


def test_a_variant_is_the_same_check_with_other_keywords(monkeypatch):
    """The variant's keywords hold, its control's come on top; tests and replay are the claim's unless given."""
    title = load()["boke.prop11_repaired"].title
    monkeypatch.setattr(ledger, "_CLAIMS", {})

    def check(scale: str, *, shift: int = 0, factor: int = 1) -> Evidence:
        return Evidence(Verdict.SUPPORTED, scale, {"shift": shift, "factor": factor})

    fields = {"control": {"factor": 5}, "control_statement": "c"}
    of = claim(id="boke.toy", paper="A", said=Words("t"), rule="r", tests=3, replay=sorted, **fields)(check)
    found = variant_claim(of, id="boke.prop11_repaired", variant={"shift": 2}, rule="r2", **fields)
    assert found("quick").numbers == {"shift": 2, "factor": 1}
    assert found.negative_control("quick").numbers == {"shift": 2, "factor": 5}
    assert (found.repairs, found.origin, found.rule, found.title) == (of.id, Origin.REPAIR, "r2", title)
    assert (found.paper, found.tests, found.replay, found.severity) == ("A", 3, sorted, None)
