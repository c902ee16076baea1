"""Consistency, on planted estimates."""

import numpy as np
import pytest

from experiments.engine.result_file import Result
from experiments.uhe import consistency as study
from theory_checks import study_results
from theory_checks.uhe import consistency, pseudo_estimate


def plant(monkeypatch, iid, pseudo):
    """Stored estimates whose logarithms have the deviations n^iid and n^pseudo; 20 seeds."""
    rng, found = np.random.default_rng(4), []
    for cell in study.cells("paper"):
        n, dim = cell.options["n"] / 25, cell.options["dim"]
        noise = 0.5 + rng.random((2, len(cell.seeds), dim + 2))
        noise[:, :, :dim] *= -1
        arrays = {
            name: study.truth(dim) * np.exp(0.3 * noise[i] * n**power)
            for i, (name, power) in enumerate({"iid": iid, "pseudo": pseudo}.items())
        }
        found.append(Result(cell.config(), arrays, {}))
    monkeypatch.setattr(study_results, "results", lambda study, scale: found)


@pytest.mark.parametrize(("power", "verdict"), [(-0.5, "supported"), (0.5, "refuted"), (0.0, "undecided")])
def test_trends_decide_the_claim_on_consistency(monkeypatch, power, verdict):
    plant(monkeypatch, power, 0.0)
    assert consistency.iid_consistent_repaired("quick").verdict == verdict


def test_control_on_consistency_is_refuted(monkeypatch):
    plant(monkeypatch, -0.3, -0.5)
    assert consistency.iid_consistent_repaired.negative_control("smoke").verdict == "refuted"


def test_stored_trends_of_both_estimates(monkeypatch):
    plant(monkeypatch, -0.5, 0.5)
    trends = pseudo_estimate._trends("quick")
    assert len(trends) == 8
    assert set(map(tuple, trends.values())) == {(-1, 1)}
