"""The contract of every claim of the ledger."""

import pytest

from experiments.engine.scale import SCALES
from theory_checks import cache, counterexamples, runner, study_results
from theory_checks.certificates.registry import standing
from theory_checks.ledger import Kind, Verdict, load

CLAIMS = load()
THEORY = {claim_id: claim for claim_id, claim in CLAIMS.items() if claim.kind is Kind.THEORY}
PINS = runner.expected("smoke")

WITHOUT_POSITIVE_CONTROL: dict[str, str] = {}
"""Why a refuted claim has no true variant that its own check must not refute."""


@pytest.mark.parametrize("claim_id", [claim_id for claim_id, claim in THEORY.items() if not claim.needs])
def test_verdict_at_smoke_scale_is_the_pinned_one_and_a_counterexample_replays(claim_id):
    claim = CLAIMS[claim_id]
    evidence = claim("smoke")
    assert standing(claim_id, str(evidence.verdict)) == PINS[claim_id], evidence.summary
    if claim.replay is not None and evidence.verdict == "refuted":
        assert claim.replay(evidence.counterexample)[2]


@pytest.mark.parametrize("claim_id", THEORY)
def test_negative_control_is_refuted_and_its_counterexample_replays(claim_id):
    claim = CLAIMS[claim_id]
    if claim.needs and not any(study_results.files(study, study_results.largest(claim.needs)) for study in claim.needs):
        pytest.skip("no stored results to read; its control is tested on planted ones")
    evidence = claim.negative_control("smoke")
    assert evidence.verdict == "refuted", evidence.summary
    if claim.replay is not None and evidence.counterexample is not None:
        assert claim.replay(evidence.counterexample)[2]


@pytest.mark.parametrize("claim_id", [claim_id for claim_id, claim in THEORY.items() if claim.positive is not None])
def test_positive_control_is_not_refuted(claim_id):
    claim = CLAIMS[claim_id]
    if claim.needs and not any(study_results.files(study, study_results.largest(claim.needs)) for study in claim.needs):
        pytest.skip("no stored results to read; its control is tested on planted ones")
    evidence = claim.positive_control("smoke")
    assert evidence.verdict != "refuted", evidence.summary


def test_every_refuted_claim_has_a_positive_control_or_it_is_said_why_not():
    pins = [pin for scale in SCALES for pin in runner.expected(scale).items()]
    refuted = {claim_id for claim_id, verdict in pins if verdict == "refuted"}
    lacking = {claim_id for claim_id in refuted if CLAIMS[claim_id].positive is None}
    assert lacking == set(WITHOUT_POSITIVE_CONTROL)


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_claim_says_what_it_checks(claim_id):
    claim = CLAIMS[claim_id]
    for text in (claim.title, claim.number, claim.statement, claim.rule, claim.control_statement):
        assert len(text) > 5
    assert claim.check.__doc__
    assert claim.repairs is None or claim.repairs in CLAIMS
    assert claim.repairs is not None or not claim_id.endswith("_repaired")
    assert claim.kind is Kind.THEORY or not claim.tests


@pytest.mark.parametrize("path", sorted(counterexamples.COMMITTED.glob("*.json")), ids=lambda path: path.stem)
def test_committed_counterexamples_replay(path):
    claim = CLAIMS[path.stem]
    origin, stored = counterexamples.find(claim)
    assert origin == path
    assert counterexamples.replay(claim, origin, stored).violated


def test_committed_counterexamples_are_those_of_the_committed_evidence():
    """The committed counterexamples are those that `replay` evaluates and the pages tell."""
    for path in counterexamples.COMMITTED.glob("*.json"):
        entry = cache.read(path.stem, "quick", cache.REFERENCE)
        assert entry is not None, path.stem
        assert entry["verdict"] in (Verdict.REFUTED, Verdict.DEPENDS), path.stem
        assert entry["counterexample"] in (None, counterexamples.load(path)), path.stem


def test_every_claim_of_theory_and_no_other_is_pinned_at_smoke_scale():
    assert set(PINS) == set(THEORY)


def test_pins_are_known_claims_scales_and_verdicts():
    for scale in SCALES:
        for claim_id, verdict in runner.expected(scale).items():
            assert claim_id in THEORY
            assert verdict in set(Verdict)


def test_refuted_claims_with_a_replay_have_a_committed_counterexample():
    for claim_id, verdict in runner.expected("quick").items():
        if verdict == "refuted" and CLAIMS[claim_id].replay is not None:
            assert counterexamples.committed_path(claim_id).is_file(), claim_id
