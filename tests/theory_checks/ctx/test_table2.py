"""Table 2, on planted results."""

import math

import numpy as np
import pytest

from experiments.engine.result_file import Result
from tests.theory_checks.decisions import told_as
from theory_checks import inputs
from theory_checks.ctx import (
    table2,
)
from theory_checks.ledger import load


def plant(monkeypatch, factor, runs=25):
    """Stored results whose first reading has the printed means times `factor`; the others are far off."""
    rng, stored = np.random.default_rng(9), []
    for name, cells in table2.PRINTED.items():
        distance = np.ones((runs, 4, 4))
        for j, (mean, error) in enumerate(cells):
            distance[:, j, 0] = factor * mean + math.sqrt(20) * error * standardised(rng, runs)
        stored.append(Result({"problem": name, "policy": "kernel_density"}, {"distance": distance}, {}))
    monkeypatch.setattr(inputs, "results", lambda study, scale: stored)


def standardised(rng, runs):
    noise = rng.standard_normal(runs)
    return (noise - noise.mean()) / noise.std()


@pytest.mark.decides(told_as("ctx.table2_values"))
@pytest.mark.parametrize(
    ("factor", "runs", "verdict"),
    [(1.0, 25, "supported"), (1.5, 25, "refuted"), (1.2, 25, "inconclusive"), (1.0, 10, "inconclusive")],
)
def test_table_2_is_judged_by_its_best_reading(monkeypatch, factor, runs, verdict):
    plant(monkeypatch, factor, runs)
    assert load()["ctx.table2_values"]("quick").verdict == verdict
