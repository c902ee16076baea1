"""Every claim on stored results is shown supported, refuted and inconclusive by a test that is marked so."""

import importlib
from functools import cache
from pathlib import Path

import pytest

from tests.theory_checks.decisions import ALL, cases, pairs
from theory_checks.ledger import Origin, load

HERE = Path(__file__).parent
CLAIMS = load()
READINGS = [name for name, claim in CLAIMS.items() if claim.needs and claim.origin != Origin.IMPLIED]
"""Readings, their twins and their repairs; what is implied (`uhe.prop6_4_2`) simulates."""

NEVER_REFUTED = {
    "boke.fig9_faster": "boke.fig9_here",
    "boke.fig9_initial": "boke.fig9_initial_here",
    "cei.cost_analytic": "cei.cost_analytic_here",
    "uhe.fig2_tuning_best": "uhe.fig2_tuning_here",
    "uhe.fig2_tuning_comparable": "uhe.fig2_tuning_comparable_here",
    "uhe.fig2_tuning_random": "uhe.fig2_tuning_random_here",
    "uhe.fig5_runtime": "uhe.fig5_runtime_here",
}
"""Readings that our runs cannot refute, since the paper leaves open what was not varied: boxes, budgets,
implementations. Each has an entry about our runs, which can be refuted."""


@cache
def shown() -> dict[str, set[str]]:
    """Claim → the verdicts that marked tests show."""
    found: dict[str, set[str]] = {}
    for path in sorted(HERE.rglob("test_*.py")):
        if "mark.decides" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(".".join(path.relative_to(HERE.parents[1]).with_suffix("").parts))
        for test in vars(module).values():
            marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "decides"]
            for told in (mark.args[0] for mark in marks):
                for case in cases(test):
                    for name, verdict in pairs(told, case):
                        found.setdefault(name, set()).add(verdict)
    return found


@pytest.mark.parametrize("name", READINGS)
def test_every_claim_on_stored_results_has_decision_tests(name):
    expected = set(ALL) - ({"refuted"} if name in NEVER_REFUTED else set())
    assert expected <= shown().get(name, set())


def test_marks_name_claims_of_the_ledger():
    assert set(shown()) <= set(CLAIMS)


@pytest.mark.parametrize(("name", "twin"), NEVER_REFUTED.items())
def test_what_cannot_be_refuted_has_a_twin_that_can(name, twin):
    assert CLAIMS[twin].origin == Origin.HERE
    assert set(CLAIMS[twin].needs) <= set(CLAIMS[name].needs)
    assert "refuted" not in shown()[name]
