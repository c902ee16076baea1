"""The committed evidence of every claim on stored results follows from the committed results, read once more.

So a change of a reading, or of the arrays kept (`experiments.engine.slim`), cannot leave behind a verdict that no
longer follows.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from experiments.engine import evidence
from experiments.engine.registry import STUDIES
from experiments.engine.store import REFERENCE
from theory_checks import cache, study_results
from theory_checks.ledger import Kind, load
from theory_checks.verdicts import plain

pytestmark = pytest.mark.slow
ROUNDING = 1e-6
CLAIMS = load()
STORED = [
    (scale, name)
    for scale in ("quick", "paper")
    for name in evidence.claims(REFERENCE, scale)
    if name in CLAIMS and CLAIMS[name].kind is Kind.EXPERIMENT
]
ON_PUBLIC_DATA = [(scale, name) for scale, name in STORED if any(STUDIES[study].data for study in CLAIMS[name].needs)]


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and word of nested evidence, with where it stands."""
    if isinstance(value, dict):
        for key, of in value.items():
            yield from leaves(of, f"{name}/{key}")
    elif isinstance(value, list):
        for index, of in enumerate(value):
            yield from leaves(of, f"{name}/{index}")
    else:
        yield name, value


def test_there_is_evidence_of_both_scales():
    assert {"quick", "paper"} == {scale for scale, _ in STORED}
    assert len(STORED) > 100


@pytest.mark.parametrize(("scale", "name"), ON_PUBLIC_DATA)
def test_a_machine_without_public_data_says_the_same(scale, name, monkeypatch, tmp_path):
    for variable in ("KERNELBO_DATA", "KERNELBO_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(study_results, "LOCAL", tmp_path)
    stored = cache.read(name, scale, REFERENCE)
    assert stored is not None
    assert str(CLAIMS[name].check(scale).verdict) == stored["verdict"]


@pytest.mark.parametrize(("scale", "name"), STORED)
def test_the_committed_results_say_the_same_again(scale, name, monkeypatch, tmp_path):
    monkeypatch.setattr(study_results, "LOCAL", tmp_path)
    stored = cache.read(name, scale, REFERENCE)
    assert stored is not None
    again = CLAIMS[name].check(scale)
    assert str(again.verdict) == stored["verdict"]
    numbers = json.loads(json.dumps(again.numbers, default=plain))
    ours, theirs = dict(leaves(numbers)), dict(leaves(stored["numbers"]))
    assert ours.keys() == theirs.keys()
    for place, value in theirs.items():
        near = pytest.approx(value, rel=ROUNDING, abs=ROUNDING, nan_ok=True) if isinstance(value, float) else value
        assert ours[place] == near, place
