"""The comparisons in the evidence parse back to those of the declarations."""

import pytest

from experiments.engine import evidence
from experiments.engine.scale import SCALES
from experiments.engine.store import REFERENCE
from paper_figures.style import METHODS
from theory_checks.ledger import load
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.summary import compared

load()


@pytest.mark.parametrize("scale", SCALES[1:])
def test_comparisons_of_committed_evidence_are_those_of_the_declarations(scale):
    found = 0
    for name, reading in READINGS.items():
        entry = evidence.raw(name, scale, REFERENCE)
        if entry is None or not reading.orders:
            continue
        rows = [one for one, row in entry["numbers"].get("default", {}).items() if "advantage" in row]
        found += len(rows)
        for first, second, problem in map(compared, rows):
            assert (first, second) in {(one.first, one.second) for one in reading.orders}, name
            assert problem not in METHODS, name
    assert found > 100


def test_runs_cut_for_two_methods_are_on_no_problem_of_their_own():
    assert compared("boke_plus against gp_ucb, ackley6") == ("boke_plus", "gp_ucb", "ackley6")
    assert compared("boke_plus against gp_ucb") == ("boke_plus", "gp_ucb", "")
    assert compared("boke_plus against gp_ucb, boke_plus") == ("boke_plus", "gp_ucb", "")
