"""The assumption audit measures what it says, and covers what the studies run."""

import numpy as np
import pytest

from core.kernels import SMOOTHING
from experiments import problems
from experiments.registry import STUDIES
from theory_checks.boke import audit


@pytest.mark.parametrize(
    ("kernel", "missing"),
    [
        ("epanechnikov", ()),
        ("uniform", ("continuous",)),
        ("gaussian", ("compact_support",)),
        ("exponential", ("compact_support",)),
        ("laplacian", ("compact_support",)),
    ],
)
def test_assumption_3_of_each_kernel(kernel, missing):
    assert audit.audit_kernel(kernel).missing == missing


def test_every_kernel_is_in_the_table():
    assert {row["kernel"] for row in audit.kernel_table()} == set(SMOOTHING)


def test_jumps_are_told_from_steep_slopes():
    assert audit.largest_jump(lambda s: np.tanh(1e4 * (s - 0.3)), 0.0, 1.0) < 1e-6
    assert audit.largest_jump(lambda s: 1e-3 * (s > 1 / 3), 0.0, 1.0) == pytest.approx(1e-3)


def test_every_experiment_with_a_gaussian_kernel_breaks_assumption_3_and_only_it():
    rows = audit.audit()
    assert {row.study for row in rows} >= {"boke.fig6", "boke.fig7"}
    for row in rows:
        assert row.assumption1
        assert row.assumption2
        assert row.assumption4
        assert row.assumption3 == (row.kernel == "epanechnikov")


def test_the_audit_names_the_objectives_that_the_studies_run():
    for usage in audit.USAGE:
        if usage.study not in STUDIES:
            continue
        run = {cell.problem for cell in STUDIES[usage.study].cells("quick")}
        objectives = {name for name in run if name in problems.NAMES or name.rstrip("0123456789") in problems.NAMES}
        assert objectives == {name for name in usage.problems if name}
