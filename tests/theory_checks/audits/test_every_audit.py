"""The contract of the audit of every paper."""

import importlib

import pytest

from core.models.kernels import SMOOTHING, STATIONARY
from experiments.papers import PAPERS

KERNELS = {"boke": SMOOTHING, "cei": STATIONARY, "ctx": STATIONARY, "uhe": STATIONARY}


@pytest.mark.parametrize("paper", [paper.key for paper in PAPERS])
def test_tables_hold_every_row_and_every_kernel(paper):
    audit = importlib.import_module(f"theory_checks.audits.{paper}")
    assert [row["problem"] for row in audit.table()] == [row.problem for row in audit.audit()]
    assert [row["kernel"] for row in audit.kernel_table()] == list(KERNELS[paper])
