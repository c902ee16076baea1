"""The audit of Paper D measures the stated quantities."""

from core.models.kernels import STATIONARY
from experiments.uhe.benchmarks import PROBLEMS
from theory_checks.audits import uhe as audit
from theory_checks.uhe import identifiability


def test_every_problem_of_the_figures_is_audited():
    rows = {row.problem: row for row in audit.audit()}
    assert set(rows) == set(PROBLEMS["paper"])
    assert not any(row.additive_loss or row.beta_as_stated for row in rows.values())
    assert rows["branin"].parts_per_side == 3  # 100^(1/4) = 3.16
    assert rows["hartmann3"].parts_per_side == 2  # 100^(1/6) = 2.15


def test_one_part_is_always_reached_and_many_hardly():
    short, long = (audit.audit_problem("study", "hartmann3", horizon) for horizon in (36, 10_000))
    assert short.parts_per_side == 1
    assert not short.parts_smaller_than_domain
    assert short.all_parts_reached_ra_bo == 1.0
    assert long.all_parts_reached_uhe_bo < long.all_parts_reached_ra_bo


def test_matern_kernels_are_not_identified_in_a_box():
    rows = {row["kernel"]: row for row in audit.kernel_table()}
    assert {name for name, row in rows.items() if row["lengthscale_and_variance_identified"]} == {"squared_exponential"}
    assert {name for name, row in rows.items() if not row["differentiable_paths"]} == {"matern12"}


def test_least_divergence_stays_below_that_of_the_paths():
    """The variance that keeps s^2 / l^5 is one of those tried (power 5)."""
    assert audit.least_divergence(STATIONARY["matern52"], 1e-9) <= identifiability.divergence(1.1)


def test_noise_hides():
    kernel = STATIONARY["squared_exponential"]
    assert audit.least_divergence(kernel, 1e-2) < audit.least_divergence(kernel, 1e-4)
