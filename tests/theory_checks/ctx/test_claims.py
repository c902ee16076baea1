"""Paper C's claims at smoke scale, and the helpers behind them against independent oracles."""

import math
from fractions import Fraction

import jax.numpy as jnp
import numpy as np
import pytest
from scipy import integrate
from scipy.special import erfc, ndtr
from scipy.stats import norm

from core.models import context_density
from core.worst_case.total_variation import tv_worst_case
from experiments.engine.result_file import Result
from theory_checks import inputs
from theory_checks.ctx import (
    bias,
    closed_form,
    independence,
    kernel,
    lipschitz,
    regret,
    saa,
    sum_rate,
    table2,
    total_variation,
    ucb_excess,
    variance_sum,
)
from theory_checks.ctx.instruments import densities, wave_regret
from theory_checks.ledger import load

VERDICTS = {
    "ctx.closed_form": "supported",
    "ctx.kernel_normalised": "refuted",
    "ctx.kernel_normalised_repaired": "supported",
    "ctx.lemma1": "refuted",
    "ctx.lemma1_repaired": "supported",
    "ctx.lemma10_step": "refuted",
    "ctx.lemma10_step_repaired": "supported",
    "ctx.lemma3": "refuted",
    "ctx.lemma3_repaired": "supported",
    "ctx.lemma4": "supported",
    "ctx.lemma5": "vacuous",
    "ctx.lemma5_repaired": "supported",
    "ctx.lemma5_used": "refuted",
    "ctx.lemma6": "refuted",
    "ctx.lemma6_equality": "refuted",
    "ctx.lemma6_equality_bound": "supported",
    "ctx.lemma6_repaired": "supported",
    "ctx.prop1": "refuted",
    "ctx.prop1_repaired": "supported",
    "ctx.prop2": "refuted",
    "ctx.prop2_any_measure": "supported",
    "ctx.prop2_essential_infimum": "supported",
    "ctx.sum_rate": "supported",
    "ctx.thm1_rate": "supported",
    "ctx.thm2_rate": "supported",
    "ctx.variance_sum": "refuted",
    "ctx.variance_sum_constant": "refuted",
    "ctx.variance_sum_repaired": "supported",
}


@pytest.mark.parametrize("claim_id", sorted(VERDICTS))
def test_verdicts_at_smoke_scale(claim_id):
    claim = load()[claim_id]
    evidence = claim("smoke")
    assert evidence.verdict == VERDICTS[claim_id], evidence.summary
    if evidence.verdict == "refuted":
        assert evidence.counterexample is not None
        assert claim.replay(evidence.counterexample)[2] is True


# Densities.


@pytest.mark.parametrize("dim", [1, 2])
def test_exact_error_of_a_mixture_matches_simulation_and_obeys_its_bound(dim):
    mixture, h, rng = densities.BIMODAL[dim], np.full(dim, 0.4), np.random.default_rng(0)
    errors = [mixture.integrated_squared_error(mixture.sample(rng, 40), h) for _ in range(400)]
    exact = mixture.mise(40, h)
    assert abs(np.mean(errors) - exact) < 4 * np.std(errors) / math.sqrt(400)
    assert exact <= mixture.lemma1(40, h)


def test_squared_error_and_curvature_match_quadrature():
    mixture = densities.NormalMixture(np.array([0.3, 0.7]), np.array([[-0.5], [0.8]]), np.array([[0.4], [0.6]]))
    contexts, h = np.array([[-0.2], [0.1], [1.3]]), np.array([0.35])
    grid = np.linspace(-6, 6, 12001)
    p = sum(w * norm.pdf(grid, m[0], s[0]) for w, m, s in zip(*vars(mixture).values(), strict=True))
    estimate = norm.pdf(grid[:, None], contexts[:, 0], h[0]).mean(1)
    assert mixture.integrated_squared_error(contexts, h) == pytest.approx(np.trapezoid((estimate - p) ** 2, grid))
    second = np.gradient(np.gradient(p, grid), grid)
    expected = 1 / (2 * math.sqrt(math.pi) * 0.35 * 50) + 0.35**4 / 4 * np.trapezoid(second**2, grid)
    assert mixture.lemma1(50, h) == pytest.approx(expected, rel=1e-4)


def test_error_of_uniform_contexts_matches_adaptive_quadrature():
    h, count = 0.07, 30.0

    def integrand(c):
        mean = ndtr((1 - c) / h) - ndtr(-c / h)
        root2 = math.sqrt(2)
        square = (ndtr(root2 * (1 - c) / h) - ndtr(-root2 * c / h)) / (2 * math.sqrt(math.pi) * h)
        return (mean - 1) ** 2 + (square - mean**2) / count

    assert densities.UNIFORM.mise(count, h) == pytest.approx(integrate.quad(integrand, 0, 1, points=[0.1, 0.9])[0])
    assert densities.UNIFORM.lost_mass(h) == pytest.approx(densities.uniform_lost_mass(h), rel=1e-10)


def test_burr_density_integrates_to_one():
    assert integrate.quad(lambda c: float(densities.BURR.value(np.asarray(c))), 0, 1)[0] == pytest.approx(1)


def test_rule_of_thumb_is_that_of_core():
    contexts = np.random.default_rng(1).normal(size=(17, 3)) * [1, 2, 3]
    assert np.allclose(densities.rule_of_thumb(contexts), context_density.rule_of_thumb(jnp.asarray(contexts)))


def test_kernel_integral_is_a_power_of_two():
    for dim in (1, 3):
        assert kernel.kernel_integral(dim, 1.0)[0] == pytest.approx(2 ** (-dim / 2), rel=1e-12)


# Total variation.


def random_case(rng):
    weights = rng.integers(0, 4, size=total_variation.SIZE)
    weights[0] += 1
    return {
        "values": rng.integers(-5, 6, size=total_variation.SIZE).tolist(),
        "weights": weights.tolist(),
        "radius": [int(rng.integers(0, 30)), 12],
    }


def test_no_feasible_pair_beats_the_vertices_and_weak_duality_holds():
    rng = np.random.default_rng(2)
    for _ in range(30):
        u, p, radius = total_variation.exact(random_case(rng))
        best = total_variation.dual(u, p, radius, min(u))
        value, q = total_variation.primal(u, p, radius, anywhere=True)
        assert sum(q) == 1
        assert min(q) >= 0
        assert sum(abs(a - b) for a, b in zip(q, p, strict=True)) <= radius
        assert value == best
        for _ in range(20):
            alpha = Fraction(int(rng.integers(0, 40)), 7)
            beta = -min(u) - alpha + Fraction(int(rng.integers(0, 40)), 7)
            assert total_variation.objective(alpha, beta, u, p, radius) <= best


def test_worst_expectations_agree():
    rng = np.random.default_rng(3)
    values, p = rng.normal(size=8), rng.dirichlet(np.ones(8))
    for radius in (0.0, 0.3, 1.0, 2.5):
        expected = float(tv_worst_case(jnp.asarray(values), radius, jnp.asarray(p)))
        assert independence.worst_expectation(values, p, radius) == pytest.approx(expected)


def test_closed_form_errors_see_a_wrong_radius():
    case = {"values": [3, 1, 0, 0, 0, 0], "weights": [1, 1, 1, 0, 0, 0], "radius": [6, 12]}
    assert max(closed_form.closed_form_error(case).values()) < 1e-12
    assert closed_form.closed_form_error({**case, "factor": 1.5})["value"] > 0.1


# Slopes.


@pytest.mark.parametrize(("count", "expected"), [(1, math.sqrt(2 / math.pi)), (2, 2 / math.sqrt(math.pi))])
def test_largest_half_normal(count, expected):
    assert lipschitz.largest_half_normal(count) == pytest.approx(expected, rel=1e-7)


def test_the_path_of_lemma_3_satisfies_assumption_1_and_exceeds_its_bound():
    y = np.linspace(0, 8, 40001)
    assert np.all(1 - (1 - erfc(y)) ** 2 <= np.exp(-(y**2)) + 1e-15)
    assert lipschitz.smallest_a(2) == pytest.approx(1.0, abs=1e-9)
    slopes = np.abs(np.random.default_rng(4).standard_normal((200_000, 4))).max(axis=1)
    assert slopes.mean() == pytest.approx(lipschitz.largest_half_normal(4), abs=0.005)
    assert slopes.mean() > lipschitz.slope_bound("printed", 2, 1.0, math.sqrt(2))


def test_slopes_of_the_path_of_lemma_3_are_the_largest_weights():
    """f(z) = sum_ij w_ij g_j(z_i) with derivative bumps sin^2 of height one on [0, 1/2] and [1/2, 1]."""
    grid = np.linspace(0, 1, 801)
    bumps = np.sin(2 * np.pi * grid) ** 2 * np.stack([grid <= 0.5, grid > 0.5])
    weights = np.random.default_rng(8).standard_normal((50, 2, 2))
    largest = np.abs(weights @ bumps).max(axis=(1, 2))
    assert np.allclose(largest, np.abs(weights).max(axis=(1, 2)))


def test_union_bound_matches_quadrature():
    for dim, a in ((1, 0.3), (3, 0.9), (10, 5.0)):
        expected = integrate.quad(lambda x, d=dim, a=a: min(1.0, d * a * math.exp(-((x / 1.7) ** 2))), 0, 20, limit=200)
        assert lipschitz.slope_bound("union", dim, a, 1.7) == pytest.approx(expected[0], rel=1e-6)


def test_lemma_4_left_side_without_contexts_moving_is_a_half_normal():
    case = {"contexts": 1, "shares": [1.0, 0.0, 0.0], "log10_r": 0.0, "factor": 1.0, "points": 2**12}
    assert lipschitz.value_sides(case)[0] == pytest.approx(math.sqrt(2 / math.pi), rel=2e-3)


# Normal tails and power sums.


@pytest.mark.parametrize("z", [1.0, 0.0, -0.7, -3.9, -4.1, -9.0, -25.0])
def test_expected_positive_part_matches_quadrature(z):
    ratio = integrate.quad(lambda s: s * math.exp(z * s - s * s / 2), 0, 40, epsabs=0, epsrel=1e-12)[0]
    assert ucb_excess.positive_part(z) == pytest.approx(ratio * ucb_excess.density(z), rel=1e-9)


def test_power_sums_continue_the_direct_ones():
    for numerator, dim in ((2, 1), (4, 1), (2, 40)):
        s = numerator / (4 + dim)
        for last in (1, 60, 61, 500):
            expected = math.fsum(t**-s for t in range(1, last + 1))
            assert float(sum_rate.power_sum(numerator, dim, last)) == pytest.approx(expected, rel=1e-14)


# Variances.


def sequential(gram, noise):
    """Posterior variance at each point given those before it, by solving from scratch."""
    found = []
    for t in range(len(gram)):
        cross, before = gram[t, :t], gram[:t, :t] + noise * np.eye(t)
        found.append(gram[t, t] - cross @ np.linalg.solve(before, cross))
    return np.array(found)


def test_variances_along_a_path():
    points, beta = [[0, 1], [2, 1], [0, 1], [-1, 0]], [1.0, 0.5, 0.0, 2.0]
    case = {
        "kernel": "matern12",
        "points": points,
        "log10_noise": -0.5,
        "beta": beta,
        "form": "repaired",
        "factor": 1.0,
    }
    gram, noise = variance_sum.covariance("matern12", np.array(points, float)), 10**-0.5
    left, right = variance_sum.path_sides(case)
    assert left == pytest.approx(np.cumsum(beta) @ sequential(gram, noise))
    gain = 0.5 * np.linalg.slogdet(np.eye(4) + gram / noise)[1]
    assert right == pytest.approx(3.5 * 2 / math.log(1 + 1 / noise) * gain)


def test_wave_variances_are_those_of_the_cosine_kernel():
    path, noise = [0.0, 0.3, 0.3, 0.9], 0.2
    places = np.array([*path, 0.6])
    gram = np.cos(math.pi / 2 * (places[:, None] - places))
    for t, variance in enumerate(variance_sum.wave_variances(path, 0.6, noise)):
        kept = [*range(t), 4]
        assert variance == pytest.approx(sequential(gram[np.ix_(kept, kept)], noise)[-1])


# Sample averages.


def test_one_far_context_turns_the_sample_average():
    rng = np.random.default_rng(5)
    draws = rng.choice(saa.CONTEXTS, 400_000) + saa.BANDWIDTH * rng.standard_normal(400_000)
    assert (draws**4).mean() == pytest.approx(saa.fourth_moment(), rel=0.01)
    count = 1000
    far = (count * saa.fourth_moment() / saa.SHARE) ** 0.25
    contexts = np.append(draws[: count - 1], far * 1.001)
    assert saa.upper_confidence(1.0, contexts).mean() > saa.upper_confidence(0.0, contexts).mean()
    assert saa.upper_confidence(1.0, draws).mean() < saa.upper_confidence(0.0, draws).mean()
    once = draws[: 400_000 // 2 * 2].reshape(-1, 2)
    frequency = (saa.upper_confidence(1.0, once).mean(1) > saa.upper_confidence(0.0, once).mean(1)).mean()
    assert frequency >= math.exp(saa.log_probability_at_least(2))


def test_acquisition_of_the_counterexample_is_that_of_the_rank_one_process():
    c, x = np.array([-0.3, 0.5, 1.2]), 0.7
    known, there = saa.feature(0.0, np.array(0.5)), saa.feature(x, c)
    gram = known**2 + 0.01
    mean, variance = there * known / gram, there**2 - (there * known) ** 2 / gram
    assert np.allclose(saa.upper_confidence(x, c), mean + 1.5 * np.sqrt(variance))


def test_finite_bound_counts_every_far_decision():
    ucb = np.zeros((saa.GRID, 4))
    ucb[20] = [1, 2, 3, 2]
    far = saa.GRID - 9  # 20 +- 4 lie within 0.1
    exponent = 2 * 3 * 2.0**2 / 2.0**2
    assert saa.explicit_bound(ucb, 3, 1.0) == pytest.approx(far * math.exp(-exponent))


# Bias and regret.


def test_paths_in_pairs_cancel_and_an_offset_does_not():
    assert max(bias.fixed_x_difference("smoke", 0.0)) < 1e-12
    assert bias.fixed_x_difference("smoke", 1.0)[0] > 0.05


def test_l1_bound_by_quadrature():
    _, bound = bias.l1_sides(np.random.default_rng(0), 50, 1)
    h, grid = (4 / 3 / 50) ** 0.2, np.linspace(-12, 12, 24001)
    curvature = np.trapezoid(np.abs(grid**2 - 1) * norm.pdf(grid), grid)
    root = np.trapezoid(np.sqrt(norm.pdf(grid, scale=math.sqrt(1 + h * h / 2))), grid)
    expected = h * h / 2 * curvature + math.sqrt(1 / (2 * math.sqrt(math.pi) * h * 50)) * root
    assert bound == pytest.approx(expected, rel=1e-6)


def test_wave_features_are_a_stationary_kernel_of_unit_variance():
    points = np.random.default_rng(6).random((5, 2))
    gram = wave_regret.waves(points, 2) @ wave_regret.waves(points, 2).T
    shares = np.array([4, 2, 1]) / 7
    expected = np.ones((5, 5))
    for k in range(2):
        gap = points[:, None, k] - points[None, :, k]
        expected *= sum(share * np.cos(math.pi * j * gap) for j, share in enumerate(shares))
    assert np.allclose(gram, expected)


@pytest.mark.parametrize("method", ["sbo", "drbo"])
def test_wave_choice_matches_the_gaussian_process_formulas(method):
    rng = np.random.default_rng(7)
    setting = wave_regret.Setting("test", 1, wave_regret.normal(1), method, 2.25)
    x, c, y = rng.random((5, 1)), rng.random((5, 1)), rng.normal(size=5)
    grid_points = np.linspace(0, 1, wave_regret.DECISIONS)[:, None]
    samples, box = rng.normal(0.5, 0.2, (1, wave_regret.SAMPLES, 1)), rng.random((wave_regret.BOX, 1))

    def k(a, b, e, g):
        return (wave_regret.waves(a, 1) @ wave_regret.waves(e, 1).T) * (
            wave_regret.waves(b, 1) @ wave_regret.waves(g, 1).T
        )

    phi = (wave_regret.waves(x, 1)[:, :, None] * wave_regret.waves(c, 1)[:, None]).reshape(5, -1)
    covariance = np.linalg.inv(np.eye(9) + phi.T @ phi / wave_regret.NOISE**2)
    chosen = setting._choose(
        8, wave_regret.waves(grid_points, 1), samples, box, covariance[None], (phi.T @ y / wave_regret.NOISE**2)[None]
    )
    noisy = k(x, c, x, c) + wave_regret.NOISE**2 * np.eye(5)
    where = np.concatenate([samples[0], box]) if method == "drbo" else samples[0]
    scores = []
    for point in grid_points:
        here = np.tile(point, (len(where), 1))
        cross = k(here, where, x, c)
        variance = 1 - np.sum(cross * np.linalg.solve(noisy, cross.T).T, axis=1)
        ucb = cross @ np.linalg.solve(noisy, y) + 1.5 * np.sqrt(variance)
        if method == "sbo":
            scores.append(ucb.mean())
        else:
            head = jnp.asarray(ucb[: wave_regret.SAMPLES])
            scores.append(float(tv_worst_case(head, 8.0**-0.4, infimum=jnp.asarray(ucb.min()))))
    assert chosen[0] == np.argmax(scores)


def test_regret_grows_by_non_negative_steps_and_is_reproducible():
    setting = regret.settings("sbo")[0]
    first = setting.regret(12, 3, 0)
    assert first.shape == (3, 12)
    assert np.all(np.diff(first, axis=1) >= 0)
    assert np.array_equal(first, setting.regret(12, 3, 0))


def test_beta_of_the_theorem():
    setting = regret.settings("sbo")[0]
    a, b, t = 2 ** (9 / 2), 2 * wave_regret.slope(1), 10
    expected = 2 * math.log(t**2 / math.sqrt(2 * math.pi)) + 2 * math.log(t**2 * a * b * math.sqrt(math.pi) / 2)
    assert setting.beta_at(t) == pytest.approx(expected)


# Table 2.


def plant(monkeypatch, factor, runs=25):
    """Stored results whose first reading has the printed means times `factor`; the others are far off."""
    rng, stored = np.random.default_rng(9), []
    for name, cells in table2.PRINTED.items():
        distance = np.ones((runs, 4, 4))
        for j, (mean, error) in enumerate(cells):
            distance[:, j, 0] = factor * mean + math.sqrt(20) * error * standardised(rng, runs)
        stored.append(Result({"problem": name}, {"distance": distance}, {}))
    monkeypatch.setattr(inputs, "results", lambda study, scale: stored)


def standardised(rng, runs):
    noise = rng.standard_normal(runs)
    return (noise - noise.mean()) / noise.std()


@pytest.mark.parametrize(
    ("factor", "runs", "verdict"),
    [(1.0, 25, "supported"), (3.0, 25, "refuted"), (1.0, 10, "inconclusive")],
)
def test_table_2_is_judged_by_its_best_reading(monkeypatch, factor, runs, verdict):
    plant(monkeypatch, factor, runs)
    assert load()["ctx.table2_values"]("quick").verdict == verdict


def test_table_2_without_results_says_how_to_get_them(monkeypatch):
    monkeypatch.setattr(inputs, "results", lambda study, scale: [])
    evidence = load()["ctx.table2_values"]("quick")
    assert evidence.verdict == "inconclusive"
    assert "experiments run --only ctx.table2" in evidence.summary
