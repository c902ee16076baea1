"""The assumption audit of Paper B measures the stated quantities, and covers the studies."""

import jax.numpy as jnp
import pytest

from core import policies
from core.policies.improvement import CorrectedEi
from core.types import Observations
from experiments.cei.known_kernel import KnownKernel
from experiments.engine.registry import STUDIES
from theory_checks.audits import cei as audit


def test_gaussian_noise_exceeds_its_deviation_and_bounded_noise_does_not():
    assert audit.share_beyond_deviation("gaussian") == pytest.approx(0.3173, abs=0.04)
    assert audit.share_beyond_deviation("bounded") == 0.0
    assert 0.2 < audit.share_beyond_deviation("binomial") < 0.5


def test_ranks_make_the_compressed_size_jump():
    """One more rank of the second layer of FC3 is 96 numbers of 6,464, worked out by hand."""
    objective = audit.compression()
    below, above = (objective.value(jnp.asarray([0.5, at, 0.5])) for at in (0.499, 0.501))
    assert float(below - above) == pytest.approx(96 / 6464)
    assert not audit.continuous_compression()


def test_arms_differ_in_what_they_report():
    assert audit.reports_variance("known")
    assert not audit.reports_variance("leaked")


def test_every_study_that_optimises_is_audited():
    studies = {study for study in STUDIES if study.startswith("cei.")}
    by_the_code = {"cei.fig3_public", "cei.fig7_public", "cei.fig8_public"}
    more = {"cei.fig7_seeds", "cei.fig8_seeds"}
    assert studies - by_the_code - more - {"cei.fig5", "cei.cost"} == set(audit.USAGE)
    for study, usage in audit.USAGE.items():
        for cell in STUDIES[study].cells("smoke"):
            if cell.policy == "corrected_ei" and usage.policy is CorrectedEi:
                assert isinstance(policies.make(cell.policy, 3), usage.policy)


def test_known_kernel_has_unit_variance():
    policy = KnownKernel(1, acquisition="ei", lengthscale=0.3)
    x = jnp.asarray([[0.2], [0.8]])
    observations = Observations.of(x, jnp.zeros(2), noise_variance=jnp.ones(2))
    assert float(policy.process(observations).variance) == audit.prior_variance_at_most(KnownKernel) == 1.0
    assert audit.prior_variance_at_most(CorrectedEi) > 1.0


def test_what_holds_where():
    rows = audit.audit()
    assert {row.study for row in rows} == set(audit.USAGE)
    for row in rows:
        assert not row.noise_within_its_deviation
        assert row.kernel_fixed == row.kernel_at_most_one == (row.study == "cei.fig6")
        assert row.objective_continuous == (row.problem != "nearest_sample" and "fig4" not in row.study)
        assert row.noise_variance_known == (row.noise_reported == "its variance")


def test_kernels_of_section_3():
    assert all(all(value is True for name, value in row.items() if name != "kernel") for row in audit.kernel_table())
