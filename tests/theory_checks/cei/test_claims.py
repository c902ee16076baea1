"""Paper B: the oracles agree with independent ones, the claims of the specification are there, key cases by hand."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import integrate, special, stats

from core.acquisition.corrected_ei import corrected_standard_deviation, log_corrected_expected_improvement
from core.models.gaussian_process import JITTER, GaussianProcess, greedy_information_gain
from core.models.kernels import STATIONARY as CORE_KERNELS
from theory_checks import exact
from theory_checks.cei import (
    beta_growth,
    closed_form,
    degenerate,
    limits,
    profit_rule,
    regret_bound,
    regret_steps,
    sublinear,
    threshold,
    variance_sum,
)
from theory_checks.cei.instruments import finite_runs, normal, posteriors, step_designs
from theory_checks.ledger import load

SPECIFIED = (
    *("closed_form", "noise_free_limit", "vanishes_at_incumbent", "lemma4_2", "lemma4_3", "lemma4_5", "tau_bounds"),
    *("lemma4_7", "lemma4_8", "eq24", "eq26", "lemma_G", "regret_bound", "sublinear", "fig1_closer_to_optimum"),
    *("fig2_profit", "fig3_beats_ei", "fig7_beats_ei", "fig8_robust", "figB_wilcoxon", "cost_analytic"),
)
REPAIRED = ("beta_growth", "zero_deviation", "lemma4_2", "lemma4_5", "lemma_G", "eq24", "eq27", "regret_bound")


def test_every_claim_of_the_specification_is_registered():
    claims = load()
    assert {f"cei.{name}" for name in SPECIFIED} <= set(claims)
    for name in REPAIRED:
        assert claims[f"cei.{name}_repaired"].repairs == f"cei.{name}"
    assert all(claim.paper == "B" for claim_id, claim in claims.items() if claim_id.startswith("cei."))


@pytest.mark.parametrize("z", [-36.0, -30.0, -8.5, -3.0, -2.999, -1.0, -0.3, 0.0, 0.7, 2.999, 3.0, 6.0])
def test_sixty_digit_normal_against_scipy(z):
    assert float(normal.density(z)) == pytest.approx(stats.norm.pdf(z), rel=1e-13, abs=0)
    assert float(normal.distribution(z)) == pytest.approx(special.ndtr(z), rel=1e-11, abs=1e-320)
    assert float(normal.tau(z).ln()) == pytest.approx(float(normal.log_tau_float(z)), abs=1e-9)
    if z > -36:
        assert float(normal.tau(z)) == pytest.approx(float(normal.tau_float(z)), rel=1e-11)


def test_sixty_digit_normal_is_consistent_across_its_branches():
    step = Decimal(10) ** -20
    with localcontext(exact.DIGITS):
        for z in (Decimal(3), Decimal(-3)):
            slope = (normal.tau(z + step) - normal.tau(z - step)) / (2 * step)
            assert abs(slope - normal.distribution(z)) < Decimal(10) ** -35
        assert abs(normal.distribution(Decimal("1.7")) + normal.distribution(Decimal("-1.7")) - 1) < Decimal(10) ** -58


def test_tau_is_the_integral_of_the_distribution():
    for z in (-2.0, 0.5, 3.3):
        area, _ = integrate.quad(special.ndtr, -40, z)
        assert float(normal.tau(z)) == pytest.approx(area, rel=1e-9)


DATA = [0.0, 0.7, -0.9], [0.4, -1.0, 0.3], [0.04, 0.25, 0.01]


@jax.jit
def _core_values(x):
    data, y, noise = (jnp.asarray(values) for values in DATA)
    process = GaussianProcess.fit(data[:, None], y, CORE_KERNELS["matern52"], jnp.asarray([0.8]), 1.0, noise)
    both = x, process, jnp.asarray([0.7])
    return process.mean(x), corrected_standard_deviation(*both), log_corrected_expected_improvement(*both)


@pytest.mark.parametrize("kernel", sorted(posteriors.STATIONARY))
def test_posteriors_agree_with_each_other_and_with_core(kernel):
    data, y, noise, x = *DATA, 0.31
    points = np.array([*data, x])[:, None]
    finite = posteriors.condition(posteriors.gram(kernel, points, points, 0.8), [0, 1, 2], y, np.add(noise, JITTER))
    pair = posteriors.decimal_pair(kernel, 0.8, x, 0.7, data, y, np.add(noise, JITTER))
    assert float(pair.mean[0]) == pytest.approx(finite.mean[3], rel=1e-12)
    assert float(pair.variance[0]) == pytest.approx(finite.covariance[3, 3], rel=1e-11)
    assert float(pair.covariance) == pytest.approx(finite.covariance[3, 1], rel=1e-10)
    deviation = float(pair.difference[1])
    assert deviation == pytest.approx(finite.difference_deviation(1)[3], rel=1e-10)
    if kernel == "matern52":
        mean, core_deviation, core_logarithm = (float(value) for value in _core_values(jnp.asarray([x])))
        logarithm = float(normal.log_corrected_ei(float(pair.difference[0]), deviation))
        assert (mean, core_deviation) == pytest.approx((float(pair.mean[0]), deviation), rel=1e-10)
        assert core_logarithm == pytest.approx(logarithm, rel=1e-9)


def test_quadrature_knows_the_univariate_answer():
    for tilt, r, u in ((0.0, 1.3, -0.4), (0.5, 1.2, 0.3), (-2.0, 1e-6, 0.7), (1e-3, 0.0, 1e-3)):
        s = math.hypot(tilt, r)
        assert closed_form.two_dimensional(u, tilt, r) == pytest.approx(float(normal.corrected_ei(u, s)), abs=1e-12)


def test_exact_zero_deviation_by_hand():
    design = {"kernel": "linear", "points": [4], "y": [1], "noise_variance": [0], "x": 8}
    assert degenerate.difference(design) == (Fraction(1), Fraction(0), Fraction(0))
    noisy = {**design, "noise_variance": [4]}
    u, squared, _ = degenerate.difference(noisy)
    assert u == Fraction(1, 5) * 2 - Fraction(1, 5)
    assert squared > 0
    assert degenerate.difference({**design, "points": [4, 2], "y": [1, 1], "noise_variance": [0, 0]}) is None


def test_maximum_information_of_independent_points_by_hand():
    gain = variance_sum.maximum_information(np.eye(3), 1.0, 3)
    assert gain == pytest.approx(1.5 * math.log(2))
    two = variance_sum.maximum_information(np.eye(2), 0.25, 3)
    assert two == pytest.approx(0.5 * math.log(1 + 2 / 0.25) + 0.5 * math.log(1 + 1 / 0.25))
    covariance = np.array([[1.0, 0.6], [0.6, 1.0]])
    direct = max(variance_sum.information(covariance, path, np.ones(2)) for path in ([0, 0], [0, 1], [1, 1]))
    assert variance_sum.maximum_information(covariance, 1.0, 2) == pytest.approx(direct)


def test_variance_sum_of_repeated_samples_by_hand():
    left = variance_sum.variance_sum(np.eye(2), [0, 0, 0], [1.0] * 3, 0)
    assert left == pytest.approx(1 + 1 / 2 + 1 / 3)
    assert variance_sum.variance_sum(np.eye(2), [0, 0, 0], [1.0] * 3, 1) == pytest.approx(3.0)
    # Three samples of one of two independent points: 3 > 2 gamma_3 / log 2 = log(3 * 2) / log 2.
    gamma = 0.5 * math.log(1 + 2) + 0.5 * math.log(1 + 1)
    assert variance_sum.maximum_information(np.eye(2), 1.0, 3) == pytest.approx(gamma)
    assert 2 * gamma / math.log(2) < 3


def test_gradient_search_excess_is_the_one_that_is_replayed():
    value, design = variance_sum._ascend("smoke", 4.0)
    points, noise = np.asarray(design["points"]), np.asarray(design["noise"])
    assert variance_sum.path_excess("squared_exponential", points, noise, 4.0) == pytest.approx(value, rel=1e-6)


def test_threshold_bounds_by_hand():
    assert threshold.gap43(0.0, 2.0, 1.0, "2") <= 0
    kappa = Decimal(1)
    assert float(threshold.exponent("1", kappa)) == pytest.approx(-math.log(math.pi))
    printed = {**threshold.EXTRAPOLATION, "numerator": "1", "one": 1.0, "positive_part": False}
    _, right, violated = threshold.replay45(printed)
    assert violated
    assert "not a real number" in right
    assert not threshold.replay45({**printed, "kappa": 0.5})[2]
    assert not threshold.replay45({**printed, "kappa": 100.0})[2]  # alpha^C < kappa: outside the hypotheses


def test_noise_free_limit_is_sharp_at_the_incumbent():
    design = {"kernel": "squared_exponential", "data": [0.0], "y": [1.0], "factors": [1.0], "offset": 1e-13}
    rates = limits.towards_ei(design)["rates"]
    assert rates[2] == pytest.approx(1.0, abs=1e-5)
    assert limits.near_incumbent(design)[0] == 0.0


def test_steps_in_the_event():
    step = regret_steps.build(regret_steps.UNSEEN_AND_BAD)
    assert (step.incumbent, step.chosen) == (1, 2)
    assert step.event
    assert step.value[step.optimum] - step.value[step.chosen] == 1e5
    norm = 1e5**2 / (1 - math.exp(-9))
    assert step.root_beta**2 == pytest.approx(2 * norm, rel=1e-2)
    assert step_designs.beta_of(1.0, 2.0, 3, 0.1) == pytest.approx(2 + 600 * math.log(30) ** 3)


def test_runs_never_propose_the_incumbent_and_match_a_step_by_hand():
    rng = np.random.default_rng(0)
    points = np.linspace(0, 1, 7)[:, None]
    covariance = posteriors.gram("matern52", points, points, 0.3)
    value, noise = np.sin(5 * points[:, 0]), 0.2 * rng.standard_normal((3, 12))
    played = finite_runs.run(covariance, value, 0.2, (0, 3), noise)
    assert np.all(played.index != played.incumbent)
    posterior = posteriors.condition(covariance, [0, 3], value[[0, 3]] + noise[1, :2], [0.04, 0.04])
    best = max((0, 3), key=lambda i: posterior.mean[i])
    acquisition = normal.corrected_ei(posterior.mean - posterior.mean[best], posterior.difference_deviation(best))
    assert played.incumbent[1, 0] == best
    assert played.index[1, 0] == np.argmax(acquisition)
    assert played.log_acquisition[1, 0] == pytest.approx(math.log(acquisition.max()), rel=1e-9)
    assert played.deviation[1, 0] == pytest.approx(math.sqrt(posterior.variance()[played.index[1, 0]]), rel=1e-9)
    assert played.regret(value)[1, 0] == pytest.approx(value.max() - value[played.index[1, 0]])


def test_needle_is_inside_the_hypotheses_and_never_visited():
    played = regret_bound.NEEDLE.play(60, 5)
    assert np.all(played.index != 2)
    bound, inside = regret_bound.bounds(regret_bound.NEEDLE, played, repaired=False)
    assert inside.all()
    gain = variance_sum.maximum_information(np.eye(3), 0.01, 62)
    assert regret_bound.gain_of(regret_bound.NEEDLE, 62) == pytest.approx(gain, rel=1e-4)
    beta = 2e12 + 300 * gain * math.log(62 / 0.05) ** 3
    c = math.log(2 / math.pi) + 24 * math.log(10)
    expected = math.sqrt(2 * 60 * gain / math.log(101)) * (
        math.sqrt(beta) + math.sqrt(2 * (1 + c)) + math.sqrt(3 * (1 + c + beta))
    )
    np.testing.assert_allclose(bound, expected, rtol=1e-3)


def test_two_points_have_linear_regret():
    regret, least = sublinear.regrets(sublinear.Setting("two points", 0.3), "smoke")
    assert least > 0
    np.testing.assert_allclose(regret[:, -1] / regret.shape[1], 1.0, atol=0.01)
    root = np.ones((4, 1)) * np.sqrt(np.arange(1.0, 300.0))
    assert sublinear.growth(root, 0.01)["exponent"] == pytest.approx(0.5)


def test_bounds_of_the_information_gain_enclose_the_greedy_one():
    points = jnp.linspace(-0.5, 0.5, 101)[:, None]
    covariance = posteriors.gram("squared_exponential", np.asarray(points), np.asarray(points), beta_growth.LENGTHSCALE)
    gains, _ = greedy_information_gain(jnp.asarray(covariance), beta_growth.NOISE**2, 256)
    for rounds in (32, 256):
        at_most = beta_growth.gain_at_most(math.log(rounds))
        assert 0.5 * math.log(1 + rounds) < float(gains[rounds - 1]) < at_most
    m = beta_growth.features(50.0)
    tail = stats.poisson.logsf(m - 1, 1 / (4 * beta_growth.LENGTHSCALE**2))
    assert tail <= -50.0


def test_profit_of_the_criterion_is_that_of_the_step_at_which_it_stops():
    setting = profit_rule.SETTINGS[0]
    criterion, fixed, unstopped = profit_rule.profits(setting, "smoke", 1.0)
    assert 0.2 < unstopped < 0.8
    assert np.all(np.any(np.isclose(criterion[:, None], fixed), axis=1))
    never, _, share = profit_rule.profits(setting, "smoke", 1e-300)
    assert share == 1.0
    np.testing.assert_allclose(never, fixed[:, -1])
    at_once, _, share = profit_rule.profits(setting, "smoke", 1e300)
    assert share == 0.0
    np.testing.assert_allclose(at_once, fixed[:, 0])


def test_runs_take_a_function_of_their_own():
    covariance = np.eye(3)
    values, noise = np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 0.0]]), np.zeros((2, 6))
    together = finite_runs.run(covariance, values, 0.1, (0,), noise)
    for row in range(2):
        alone = finite_runs.run(covariance, values[row], 0.1, (0,), noise[:1])
        np.testing.assert_array_equal(together.index[row], alone.index[0])
        np.testing.assert_allclose(together.regret(values)[row], alone.regret(values[row])[0])
        np.testing.assert_allclose(together.optimum_deviation[row], alone.optimum_deviation[0])
