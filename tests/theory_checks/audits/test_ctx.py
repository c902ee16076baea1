"""The audit of Paper C's context distributions measures the stated quantities."""

import pytest
from scipy import stats

from theory_checks.audits import ctx as audit


@pytest.mark.parametrize(
    ("distribution", "has_density", "vanishes", "smooth"),
    [
        (stats.beta(4, 4).cdf, True, True, True),
        (stats.beta(2, 2).cdf, True, True, False),
        (stats.uniform().cdf, True, False, True),
        (stats.norm(0.5, 0.2).cdf, False, False, False),
    ],
    ids=["beta(4, 4)", "beta(2, 2)", "uniform", "clipped normal"],
)
def test_parts_that_hold(distribution, has_density, vanishes, smooth):
    row = audit.audit_distribution("study", "problem", distribution)
    assert (row.has_density, row.vanishes_at_ends, row.smooth_at_ends) == (has_density, vanishes, smooth)
    assert row.lemma1_repaired == (has_density and vanishes and smooth)


def test_no_experiment_satisfies_the_repaired_lemma_1_to_the_letter():
    rows = {row.problem: row for row in audit.audit()}
    assert not any(row.lemma1_repaired for row in rows.values())
    assert rows["branin"].atoms == pytest.approx(2 * stats.norm.sf(5.0))
    assert rows["ackley"].atoms == pytest.approx(2 * stats.norm.sf(0.5 / 0.15))
    assert rows["newsvendor"].atoms == pytest.approx(2.0**-20)
    assert rows["portfolio_uniform"].mass_outside > 0.05
    assert rows["branin"].mass_outside < 1e-3


def test_kernels_with_and_without_differentiable_paths():
    rows = {row["kernel"]: row for row in audit.kernel_table()}
    assert {name for name, row in rows.items() if not row["differentiable_paths"]} == {"matern12"}
    assert all(row["correlation_at_most_one"] for row in rows.values())
    assert rows["matern12"]["increment_exponent"] == pytest.approx(1.0, abs=0.01)
