"""Claims, evidence, the registry, family-wise error, the cache and the runner."""

import json
import math

import numpy as np
import pytest
from rich.console import Console

from experiments.engine import evidence
from experiments.engine.runner import Resources
from experiments.engine.verify import verify_claims
from theory_checks import cache, ledger, runner
from theory_checks.history import amended, amendments
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
    select,
    spent,
    variant_claim,
)
from theory_checks.statements import Words
from theory_checks.verdicts import plain

_FIELDS = {
    "said": Words("t", "1", "s"),
    "rule": "r",
    "control": {"a": 1},
    "control_statement": "c",
}


def register(**fields) -> Claim:
    """A claim of the fields above that always holds."""
    entry = claim(**{"id": "boke.toy", **_FIELDS, **fields})
    return entry(lambda scale, **variant: Evidence(Verdict.SUPPORTED, "fine"))


def compute(claims, scale, root) -> list[dict]:
    """The evidence on claims, of which those are examined that have none."""
    claims = list(claims)
    store = runner.Evidence(claims, root)
    runner.run(claims, scale, store, Resources("here"), Console(quiet=True))
    return runner.entries(claims, scale, store)[0]


def pending(claims, scale, root) -> list[str]:
    """The claims without evidence by the present code."""
    return runner.entries(list(claims), scale, runner.Evidence(claims, root))[1]


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
        ({"id": "drbo.x"}, "with one of boke, cei, ctx, uhe in front"),
        ({"control": {}}, "no negative control"),
        ({"tests": -1}, "must be a count"),
    ],
)
def test_claim_refuses_bad_fields(change, message):
    with pytest.raises(ValueError, match=message):
        claim(**{"id": "boke.x", **_FIELDS, **change})


def test_claim_refuses_a_taken_id(toy_ledger):
    def other(scale, *, a=0):
        return Evidence(Verdict.SUPPORTED, "")

    other.__module__ = "elsewhere"
    with pytest.raises(ValueError, match="registered by both"):
        claim(id="boke.square", **_FIELDS)(other)


def test_select(toy_ledger):
    assert [c.id for c in select()] == ["boke.cube", "boke.square"]
    assert [c.id for c in select(["square"])] == ["boke.square"]
    assert [c.id for c in select(["boke", "boke.cube"])] == ["boke.cube", "boke.square"]
    with pytest.raises(KeyError, match=r"boke\.square"):
        select(["boke.sqare"])


def test_levels_are_fixed_a_claim(toy_ledger):
    """Fixed levels let a new claim outdate no other claim."""
    before = level("A")
    claim(id="boke.more", **_FIELDS, tests=3)(toy_ledger["boke.square"].check)
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
    assert pending(claims, "smoke", tmp_path) == ["boke.cube", "boke.square"]
    first = compute(claims, "smoke", tmp_path)
    assert {entry["id"]: entry["verdict"] for entry in first} == {"boke.cube": "refuted", "boke.square": "supported"}
    assert compute(claims, "smoke", tmp_path) == first
    assert len(pending(claims, "quick", tmp_path)) == 2


def test_other_code_is_computed_again(toy_ledger, tmp_path, monkeypatch):
    claims = list(toy_ledger.values())
    compute(claims, "smoke", tmp_path)
    monkeypatch.setattr(cache, "code_version", lambda claim: "9876543210")
    assert len(pending(claims, "smoke", tmp_path)) == 2
    assert {entry["key"].partition("-")[0] for entry in compute(claims, "smoke", tmp_path)} == {"9876543210"}


def test_a_new_claim_outdates_no_other(toy_ledger, tmp_path):
    compute(toy_ledger.values(), "smoke", tmp_path)
    claim(id="boke.more", **_FIELDS, tests=3)(toy_ledger["boke.square"].check)
    assert pending(load().values(), "smoke", tmp_path) == ["boke.more"]


def test_an_experiment_whose_verdict_is_another_is_said_and_not_failed(toy_ledger, tmp_path, monkeypatch):
    def outcome(scale, *, a=0):
        return Evidence(Outcome.REPRODUCED, "as the paper says", {})

    claim(id="boke.experiment", **_FIELDS, kind=Kind.EXPERIMENT)(outcome)
    (entry,) = compute(select(["experiment"]), "smoke", tmp_path)
    assert runner.mismatches([entry], {}) == []
    for committed, other in (("undecided", 1.0), ("reproduced", 0.0)):
        cache.keep([{**entry, "verdict": committed}], "smoke", cache.REFERENCE)
        (found,) = verify_claims("smoke", tmp_path, cache.REFERENCE).findings
        assert (found.runs, *found.judgement) == (
            "boke.experiment",
            "reported",
            other,
            f"reproduced for {committed}",
        )


def test_a_planted_defect_of_theory_fails(toy_ledger, tmp_path):
    (entry,) = compute(select(["square"]), "smoke", tmp_path)
    assert runner.mismatches([entry], {"boke.square": "supported"}) == []
    (said,) = runner.mismatches([{**entry, "verdict": "refuted"}], {"boke.square": "supported"})
    assert said == "boke.square: refuted, but expected.json says supported"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"id": "boke.cube"}', "\x00\xff"])
def test_broken_files_are_reported_moved_aside_and_computed_again(toy_ledger, tmp_path, content):
    claims = list(toy_ledger.values())
    compute(claims, "smoke", tmp_path)
    path, complaints = evidence.path_of("boke.square", "smoke", tmp_path), []
    path.write_text(content)
    store = runner.Evidence(claims, tmp_path, complaints.append)
    assert runner.entries(claims, "smoke", store)[1] == ["boke.square"]
    assert "boke.square" in complaints[0]
    assert path.with_name(f"{path.name}.corrupt-1").read_text() == content
    compute(claims, "smoke", tmp_path)
    assert not pending(claims, "smoke", tmp_path)


def test_evidence_without_its_checksum_is_refused(toy_ledger, tmp_path):
    compute(list(toy_ledger.values()), "smoke", tmp_path)
    path = evidence.path_of("boke.square", "smoke", tmp_path)
    stored = json.loads(path.read_text())
    assert cache.readable("boke.square", "smoke", tmp_path) is not None
    path.write_text(json.dumps({name: value for name, value in stored.items() if name != "checksum"}))
    assert cache.readable("boke.square", "smoke", tmp_path) is None


def test_a_failing_check_is_not_stored(toy_ledger, tmp_path):
    def broken(scale, *, a=0):
        raise ArithmeticError("no")

    claim(id="boke.broken", **_FIELDS)(broken)
    claims = select(["broken", "square"])
    store = runner.Evidence(claims, tmp_path)
    assert runner.run(claims, "smoke", store, Resources("here"), Console(quiet=True)) == 1
    found, missing = runner.entries(claims, "smoke", store)
    assert ([entry["id"] for entry in found], missing) == (["boke.square"], ["boke.broken"])
    assert "ArithmeticError: no" in store.error_path(store.studies["boke.broken"].cells("smoke")[0]).read_text()


def test_a_check_is_expected_to_take_what_it_took_here_else_what_the_committed_evidence_says(toy_ledger, tmp_path):
    (entry,) = compute(select(["square"]), "smoke", tmp_path / "here")
    cache.keep([{**entry, "scale": "quick", "seconds": 9.0, "cpu_seconds": 7.0}], "quick", cache.REFERENCE)
    cell = runner.study_of(toy_ledger["boke.square"]).cells("smoke")[0]
    roots = (tmp_path / "here", tmp_path / "empty", cache.REFERENCE)
    own = min(entry["seconds"], entry["cpu_seconds"])
    assert [runner.Evidence((), root).seconds(cell) for root in roots] == [own, 7.0, None]


def test_mismatches_name_the_claim(toy_ledger, tmp_path):
    entries = compute(toy_ledger.values(), "smoke", tmp_path)
    pinned = {"boke.square": "refuted", "boke.cube": "refuted"}
    assert runner.mismatches(entries, pinned) == ["boke.square: supported, but expected.json says refuted"]


def test_pins_per_scale(toy_ledger, tmp_path):
    entries = compute(toy_ledger.values(), "smoke", tmp_path)
    runner.pin(entries, "smoke")
    assert runner.expected("smoke") == {"boke.square": "supported", "boke.cube": "refuted"}
    assert runner.expected("quick") == {}


def test_what_was_changed_after_a_first_run_is_told():
    told = {one.claim for one in amendments()}
    assert {"uhe.prop6_4_2", "boke.fig8_beats_gp_ucb", "ctx.lemma1_repaired", "cei.fig8_robust"} <= told
    assert {"boke.prop1", "ctx.closed_form", "cei.lemma4_3"}.isdisjoint(told)
    (record,) = amended("ctx.lemma1_repaired")
    assert record.text.startswith("The rule was changed after the first run.")
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


def test_every_refuted_claim_of_a_paper_says_what_it_costs():
    claims = load()
    pinned = json.loads(runner.EXPECTED.read_text())
    refuted = {claim for claim, verdicts in pinned.items() if "refuted" in verdicts.values()}
    of_papers = {claim for claim in refuted if claims[claim].origin != Origin.HERE}
    assert not [claim for claim in sorted(of_papers) if claims[claim].severity is None]


def test_only_what_the_papers_say_has_a_severity():
    assert not [claim.id for claim in load().values() if claim.origin == Origin.HERE and claim.severity]


def test_a_variant_is_the_same_check_with_other_keywords(monkeypatch):
    """The variant's keywords hold, its control's come on top; tests and replay are the claim's unless given."""
    title = load()["boke.prop11_repaired"].title
    monkeypatch.setattr(ledger, "_CLAIMS", {})

    def check(scale: str, *, shift: int = 0, factor: int = 1) -> Evidence:
        return Evidence(Verdict.SUPPORTED, scale, {"shift": shift, "factor": factor})

    fields = {"control": {"factor": 5}, "control_statement": "c"}
    of = claim(id="boke.toy", said=Words("t"), rule="r", tests=3, replay=sorted, **fields)(check)
    found = variant_claim(of, id="boke.prop11_repaired", variant={"shift": 2}, rule="r2", **fields)
    assert found("quick").numbers == {"shift": 2, "factor": 1}
    assert found.negative_control("quick").numbers == {"shift": 2, "factor": 5}
    assert (found.repairs, found.origin, found.rule, found.title) == (of.id, Origin.REPAIR, "r2", title)
    assert (found.paper, found.tests, found.replay, found.severity) == ("A", 3, sorted, None)
