"""The assumption audit of Paper A measures the stated quantities, and covers the studies."""

import numpy as np
import pytest

from core.models.kernels import SmoothingKernel
from core.policies import REGISTRY, make
from experiments import problems
from experiments.engine.registry import STUDIES
from theory_checks.audits import boke as audit


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


def test_jumps_are_told_from_steep_slopes():
    assert audit.largest_jump(lambda s: np.tanh(1e4 * (s - 0.3)), 0.0, 1.0) < 1e-6
    assert audit.largest_jump(lambda s: 1e-3 * (s > 1 / 3), 0.0, 1.0) == pytest.approx(1e-3)


def test_every_experiment_with_a_gaussian_kernel_breaks_assumption_3_and_the_sprinkler_is_not_continuous():
    rows = audit.audit()
    assert {row.study for row in rows} >= {"boke.fig6", "boke.fig7"}
    for row in rows:
        assert row.assumption1
        assert row.assumption2 == (row.problem != "sprinkler")
        assert row.assumption4
        assert row.assumption3 == (row.kernel == "epanechnikov")


def _objectives(study):
    named = {cell.problem.split(",")[0] for cell in STUDIES[study].cells("quick")}
    return {name for name in named if name in problems.NAMES or name.rstrip("0123456789") in problems.NAMES}


@pytest.mark.parametrize("usage", audit.USAGE, ids=lambda usage: usage.study)
def test_the_audit_names_what_the_studies_run(usage):
    assert _objectives(usage.study) == {name for name in usage.problems if name}
    for policy in {cell.policy for cell in STUDIES[usage.study].cells("quick")} & set(REGISTRY):
        kernel = getattr(make(policy, 2), "kernel", None)
        if isinstance(kernel, SmoothingKernel):
            assert kernel.name == usage.kernel


def test_every_study_with_an_objective_is_audited():
    audited = {usage.study for usage in audit.USAGE} | {
        "boke.calibration",
        "boke.fig8_constants",
        "boke.fig8_seeds",
        "boke.regret_constants",
        "boke.settings",
    }
    assert {study for study in STUDIES if study.startswith("boke.") and _objectives(study)} <= audited
