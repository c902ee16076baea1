"""Paper D's checks against calculations made another way."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.exp3 import Exp3, exploration_rate
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import STATIONARY
from experiments.engine.result_file import Result
from experiments.uhe import consistency as study
from experiments.uhe.likelihood import log_likelihood
from theory_checks import inputs
from theory_checks.ledger import load
from theory_checks.uhe import (
    additive,
    cell_occupancy,
    exp3_algorithm,
    exp3_bound,
    identifiability,
    information_gain,
    pseudo_estimate,
    pseudo_loss,
    pseudo_rate,
    regret,
)
from theory_checks.uhe.instruments import grid_runs, markov

# EXP3.


def by_hand(rewards, gamma):
    """Expected reward by walking every history with `core.exp3`."""
    horizon, arms = rewards.shape
    total = 0.0
    for history in itertools.product(range(arms), repeat=horizon):
        bandit, probability, earned = Exp3.init(arms, gamma), 1.0, 0.0
        for reward, arm in zip(rewards, history, strict=True):
            probability *= float(bandit.probabilities()[arm])
            earned += reward[arm]
            bandit = bandit.update(arm, reward[arm])
        total += probability * earned
    return total


def test_expected_reward_is_the_sum_over_histories():
    rewards = np.random.default_rng(0).random((2, 2))
    assert exp3_bound.expected_reward(rewards, 0.4) == pytest.approx(by_hand(rewards, 0.4), rel=1e-12)


@pytest.mark.parametrize(("arms", "horizon", "reward"), [(2, 9, 1.0), (3, 6, 0.7), (6, 4, 0.4)])
def test_one_earning_arm_counted_and_enumerated(arms, horizon, reward):
    rewards = np.zeros((horizon, arms))
    rewards[:, 1] = reward
    gamma = exploration_rate(arms, 5.0)
    expected = exp3_bound.expected_reward(rewards, gamma)
    assert exp3_bound.one_earner(arms, horizon, reward, gamma) == pytest.approx(expected, rel=1e-12)


def test_printed_algorithm_starts_even_and_moves_to_the_arm_that_earns():
    gamma, shown = exp3_algorithm.printed(50, [1, 1, 0], [1.0, 1.0, 0.5], 1)
    assert float(gamma) == pytest.approx(math.sqrt(4 * math.log(2) / ((math.e - 1) * 50)))
    assert [float(p) for p in shown] == sorted([float(p) for p in shown], reverse=True)
    assert shown[0] == 0.5


# Cells.


def test_occupancy_is_that_of_counting_maps():
    for parts, points in ((2, 3), (3, 4), (4, 4)):
        onto = sum(len(set(image)) == parts for image in itertools.product(range(parts), repeat=points))
        assert cell_occupancy.occupied(parts, points) * parts**points == onto


def test_law_of_the_number_of_random_points():
    """Against runs of `core.exp3` where arm 2 earns one and arm 1 nothing."""
    horizon, pairs, runs = 40, 6, 4000
    law = cell_occupancy.arm_counts(horizon, pairs)
    assert law.sum() == pytest.approx(1.0)
    gamma = exploration_rate(2, horizon / 2)
    rng, counts = np.random.default_rng(1), np.zeros(runs, int)
    gain = np.zeros(runs)
    for _ in range(pairs):
        p = (1 - gamma) / (1 + np.exp(-gain)) + gamma / 2
        second = rng.random(runs) < p
        gain += np.where(second, gamma / (2 * p), 0.0)
        counts += ~second
    assert np.abs(np.bincount(counts, minlength=pairs + 1) / runs - law).max() < 4 * math.sqrt(0.25 / runs)


# Losses.


def test_mixed_difference_is_the_entry_of_the_inverse():
    stored = {
        "kernel": "squared_exponential", "distance": 0.5, "lengthscale": 1.0, "noise": 0.2,
        "first": [0.3, -1.0], "second": [1.0, 2.0],
    }  # fmt: skip
    r = math.exp(-0.125)
    inverse = np.linalg.inv(np.array([[1.2, r], [r, 1.2]]))
    assert additive.mixed_difference(stored) == pytest.approx(abs(inverse[0, 1]), rel=1e-7)


def test_loss_bound_is_attained_by_independent_equal_values():
    case = {
        "kernel": "matern52", "x": [[0.0], [1.0]], "y": [1.0, 1.0], "change": [0.5, 0.5], "lengthscales": [1e-2],
        "variance": 1e-9, "noise": 0.3, "factor": 1.0,
    }  # fmt: skip
    left, right = additive.loss_sides(case)
    assert left == pytest.approx(right, rel=1e-6)
    theta = np.log([1e-2, 1e-9, 0.3])
    values = [log_likelihood("matern52", np.array([[0.0], [1.0]]), np.full(2, v), theta)[0] for v in (1.5, 1.0)]
    assert left == pytest.approx(abs(values[0] - values[1]) / 2)


# Pseudo-data.


def test_estimate_of_the_additive_loss_minimises_it():
    """theta^ of one run is where the slope of the summed loss vanishes, at the nearest data by brute force."""
    dim, t = 2, 64
    found = pseudo_rate.estimates(dim, t, 1)[0, 0] + pseudo_rate.TRUTH
    rng = np.random.default_rng((pseudo_rate.SEED, dim, t))
    data, pseudo = rng.random(((t - 1) // 2, dim)), rng.random((2 * t, dim))
    nearest = data[((pseudo[:, None] - data) ** 2).sum(2).argmin(1)]
    y, x = 1.7 * np.sqrt(1 + nearest[:, 0]), pseudo[:, 0]

    def loss(theta):
        return np.sum(y**2 * (theta**2 * (4 - 6 * x) / 2 - theta * (12 * x - 6)))

    assert (loss(found + 1e-3) - loss(found - 1e-3)) / 2e-3 == pytest.approx(0.0, abs=1e-6 * len(x))


def test_limit_deviation_is_that_of_many_true_values():
    rng = np.random.default_rng(2)
    x = rng.random((4000, 512))
    square = 1 + x
    theta = (square * (12 * x - 6)).sum(1) / (square * (4 - 6 * x)).sum(1)
    assert np.std(theta) * math.sqrt(256) == pytest.approx(pseudo_rate.limit_deviation(), rel=0.08)


def test_exponent_of_a_power():
    times = (10, 100, 1000)
    values = np.random.default_rng(3).standard_normal((500, 3)) * np.array(times) ** -0.7
    row = pseudo_loss.exponent(times, values, 0.01)
    assert row["low"] < -0.7 < row["high"]
    assert row["high"] - row["low"] < 0.2


# Identifiability.


def test_divergence_of_paths_bounds_that_of_points_and_is_approached():
    whole = identifiability.divergence(1.25)
    sampled = [identifiability.finite_divergence(1.25, n, 1e-10) for n in (10, 40)]
    assert sampled[0] < sampled[1] < whole
    assert whole - sampled[1] < 0.03
    assert identifiability.divergence(1.0) == pytest.approx(0.0, abs=1e-9)


def test_stationary_covariance_solves_the_stochastic_equation():
    """F P + P F' + q e e' = 0 for the companion matrix of f''' + 3 b f'' + 3 b^2 f' + b^3 f."""
    covariance, drift, q = identifiability.stationary(0.3, 1.7)
    companion = np.array([[0, 1, 0], [0, 0, 1], -drift])
    noise = np.zeros((3, 3))
    noise[2, 2] = q
    residual = companion @ covariance + covariance @ companion.T + noise
    assert np.abs(residual).max() < 1e-8 * q


def test_white_noise_information_is_that_of_many_points():
    """Against 1/2 tr (C^-1 dC)^2 of 400 equidistant noisy values."""
    count, step = 400, 1e-5
    x = (np.arange(count)[:, None] + 0.5) / count

    def covariance(log_lengthscale):
        squared = (x - x.T) ** 2 / math.exp(2 * log_lengthscale)
        return np.exp(-0.5 * squared) + identifiability.NOISE_VARIANCE * np.eye(count)

    centre = math.log(0.2)
    moved = (covariance(centre + step) - covariance(centre - step)) / (2 * step)
    solved = np.linalg.solve(covariance(centre), moved)
    expected = 0.5 * np.trace(solved @ solved)
    assert identifiability.information("squared_exponential", count, 0.2) == pytest.approx(expected, rel=0.02)


# Consistency, on planted estimates.


def plant(monkeypatch, iid, pseudo):
    """Stored estimates whose logarithms have the deviations n^iid and n^pseudo; 16 seeds."""
    rng, found = np.random.default_rng(4), []
    for cell in study.cells("quick"):
        n, dim = cell.options["n"] / 25, cell.options["dim"]
        noise = 0.5 + rng.random((2, len(cell.seeds), dim + 2))
        noise[:, :, :dim] *= -1
        arrays = {
            name: study.truth(dim) * np.exp(0.3 * noise[i] * n**power)
            for i, (name, power) in enumerate({"iid": iid, "pseudo": pseudo}.items())
        }
        found.append(Result(cell.config(), arrays, {}))
    monkeypatch.setattr(inputs, "results", lambda study, scale: found)


@pytest.mark.parametrize(("power", "verdict"), [(-0.5, "supported"), (0.5, "refuted")])
def test_trends_decide_the_claim_on_consistency(monkeypatch, power, verdict):
    plant(monkeypatch, power, 0.0)
    assert load()["uhe.iid_consistent_repaired"]("quick").verdict == verdict


def test_control_on_consistency_is_refuted(monkeypatch):
    plant(monkeypatch, -0.5, -0.5)
    assert load()["uhe.iid_consistent_repaired"].negative_control("smoke").verdict == "refuted"


def test_stored_trends_of_both_estimates(monkeypatch):
    plant(monkeypatch, -0.5, 0.5)
    trends = pseudo_estimate._trends("quick")
    assert len(trends) == 8
    assert set(map(tuple, trends.values())) == {(-1, 1)}


@pytest.mark.parametrize(
    ("pseudo", "iid", "verdict"), [(3.0, 0.1, "refuted"), (0.1, 0.1, "inconclusive"), (3.0, 3.0, "inconclusive")]
)
def test_pseudo_data_estimate_is_judged_by_how_often_it_is_off(monkeypatch, pseudo, iid, verdict):
    def errors(count, seed):
        return {
            which: {"noise": size, "lengthscale": -size, "microergodic": 5 * size}
            for which, size in (("pseudo", pseudo), ("iid", iid))
        }

    monkeypatch.setattr(pseudo_estimate, "log_errors", errors)
    monkeypatch.setattr(inputs, "results", lambda study, scale: [])
    assert load()["uhe.prop6_4_2"]("smoke").verdict == verdict


def test_markov_likelihood_is_that_of_the_gram_matrix():
    rng = np.random.default_rng(7)
    x, y = np.sort(rng.random(40)), rng.standard_normal(40)
    x[5] = x[4]
    theta = np.log([0.15, 0.8, 0.03])
    value, gradient = markov._value_and_gradient(
        jnp.asarray(theta), jnp.asarray(np.diff(x, prepend=x[0])), jnp.asarray(y)
    )
    expected, slope = log_likelihood("matern52", x[:, None], y, theta)
    assert float(value) == pytest.approx(expected, rel=1e-7)
    assert np.asarray(gradient) == pytest.approx(slope, rel=1e-5, abs=1e-5)


def test_sampled_paths_have_the_covariance():
    x = np.array([0.1, 0.25, 0.6])
    rng = np.random.default_rng(8)
    paths = np.stack([pseudo_estimate.sample_path(rng, x) for _ in range(3000)])
    expected = study.PROFILES["matern52"]((x[:, None] - x) ** 2 / 0.04)[0]
    assert np.abs(paths.T @ paths / 3000 - expected).max() < 4 * math.sqrt(2 / 3000)


def test_without_results_the_way_to_get_them(monkeypatch):
    monkeypatch.setattr(inputs, "results", lambda study, scale: [])
    evidence = load()["uhe.iid_consistent_repaired"]("quick")
    assert evidence.verdict == "inconclusive"
    assert "experiments run --only uhe.consistency" in evidence.summary


# Regret.


def test_gains_are_log_determinants_of_the_points_chosen():
    """The first greedy gains against all single and pairs of points of a small grid."""
    found = information_gain.gains("matern52", 1, 0.3, 2, 7)
    x = np.linspace(0, 1, 7)
    gram = study.PROFILES["matern52"]((x[:, None] - x) ** 2 / 0.09)[0] / study.NOISE_VARIANCE
    best = max(
        0.5 * np.linalg.slogdet(np.eye(2) + gram[np.ix_(pair, pair)])[1]
        for pair in itertools.combinations_with_replacement(range(7), 2)
    )
    assert found[0] == pytest.approx(0.5 * math.log1p(1 / study.NOISE_VARIANCE))
    assert (1 - 1 / math.e) * best <= found[1] <= best + 1e-9


def test_acquisition_on_the_grid_is_gp_ucb():
    play, rng = grid_runs.Play("ra_bo", "matern52"), np.random.default_rng(5)
    grid, queried, y = np.linspace(0, 1, 31), [2, 17, 25], rng.standard_normal(3)
    lengthscale, variance, noise, beta_t = 0.25, 1.4, 0.02, 3.0
    process = GaussianProcess.fit(
        jnp.asarray(grid[queried])[:, None], jnp.asarray(y), STATIONARY["matern52"], jnp.asarray([lengthscale]),
        variance, noise,
    )  # fmt: skip
    mean, spread = jax.vmap(process.mean_and_variance)(jnp.asarray(grid)[:, None])
    expected = int(np.argmax(np.asarray(mean) + math.sqrt(beta_t) * np.sqrt(np.asarray(spread))))
    assert play._acquire(grid, queried, y, np.array([lengthscale, variance, noise]), beta_t) == expected


def test_simple_regret_falls_and_repeats():
    play = grid_runs.Play("uhe_bo", "squared_exponential")
    first = play.regret(6, 2, 1)
    assert first.shape == (2, 6)
    assert np.all(np.diff(first, axis=1) <= 0)
    assert np.all(first >= 0)
    assert np.array_equal(first, play.regret(6, 2, 1))


def test_rates_of_a_known_power_and_the_floor():
    times = np.array([8, 16, 32, 64])
    noise = np.exp(0.1 * np.random.default_rng(6).standard_normal((40, 1)))
    row = regret.rates(noise * np.arange(1, 65) ** -0.5, times, 0.01)
    assert row["exponent"] == pytest.approx(-0.5, abs=1e-9)
    assert regret.rates(np.zeros((5, 64)), times, 0.01)["exponent"] == pytest.approx(0.0)


@pytest.mark.parametrize("kernel", ["squared_exponential", "matern52"])
def test_bound_is_that_of_the_appendix(kernel):
    """gamma from 300 equidistant points, each weighted T/2 / 300."""
    t = 200.0
    x = (np.arange(300) + 0.5) / 300
    gram = study.PROFILES[kernel]((x[:, None] - x) ** 2 / 0.04)[0]
    gain = 0.5 * np.linalg.slogdet(np.eye(300) + gram * t / 2 / 300 / 0.01)[1]
    expected = math.sqrt(8 / math.log(101) * grid_runs.beta(t, kernel) * gain / (t / 2))
    assert regret.bound(kernel, t) == pytest.approx(expected, rel=1e-2)
