"""The grouped simulator agrees with `core`, and the assumptions of the checks on finite decision sets hold."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.designs import seed_keys
from core.policies.finite import FiniteBoke, Ucb1
from core.simulate import simulate
from theory_checks.boke.testbeds import bandit, compact_kernels
from theory_checks.boke.testbeds.grid_boke import distances_of
from theory_checks.boke.ucb1_limit import BanditObjective

ARMS = np.array([[0.1, 0.2], [0.15, 0.3], [0.8, 0.1], [0.7, 0.9], [0.4, 0.5]])
MEANS = np.array([0.3, 0.1, 0.9, 0.5, 0.7])
STEPS, NOISE = 60, 0.4


@pytest.fixture(scope="module")
def objective():
    return BanditObjective(jnp.asarray(ARMS), jnp.asarray(MEANS), jnp.asarray(NOISE), 2)


def replayed(run, keys, profile, bandwidth, bonus, objective):
    """The same runs by `bandit.play`: the design point is a site that is never chosen again."""
    for seed in range(len(keys)):
        start = np.asarray(run.x[seed, 0])
        sites = np.concatenate([ARMS, start[None]])
        values = np.append(MEANS, float(objective.value(jnp.asarray(start))))
        gram = profile(distances_of(sites) / bandwidth)
        noise_key = jax.random.split(keys[seed], 3)[2]
        noise = jax.vmap(lambda t, key=noise_key: jax.random.normal(jax.random.fold_in(key, t)))(jnp.arange(STEPS))
        yield bandit.play(
            values,
            lambda t, gram=gram: gram,
            NOISE * np.asarray(noise)[None],
            bonus,
            first=len(ARMS),
            allowed=np.arange(len(sites)) < len(ARMS),
        )


@pytest.mark.parametrize("bandwidth", [0.02, 0.35])
def test_play_makes_the_choices_of_finite_boke(objective, bandwidth):
    keys = seed_keys(range(3))
    policy = FiniteBoke(jnp.asarray(ARMS), bandwidth=bandwidth, noise_scale=NOISE)
    run = simulate(policy, objective, keys, STEPS, initial_size=1)
    bonus = bandit.theorem8_bonus(NOISE, 1.0)
    plays = replayed(run, keys, compact_kernels.EPANECHNIKOV, bandwidth, bonus, objective)
    for seed, play in enumerate(plays):
        np.testing.assert_array_equal(play.arm[0, 1:], np.asarray(run.info["arm"][seed]))


def test_play_with_the_identity_makes_the_choices_of_ucb1(objective):
    keys = seed_keys(range(3))
    policy = Ucb1(jnp.asarray(ARMS), exploration=4 * NOISE**2)
    run = simulate(policy, objective, keys, STEPS, initial_size=1)
    plays = replayed(run, keys, lambda u: (u == 0) * 1.0, 1.0, bandit.theorem8_bonus(NOISE, 1.0), objective)
    for seed, play in enumerate(plays):
        np.testing.assert_array_equal(play.arm[0, 1:], np.asarray(run.info["arm"][seed]))


def test_play_is_the_same_when_the_gram_matrix_is_renewed():
    gram = compact_kernels.PLATEAU(distances_of(ARMS) / 0.3)
    noise = np.random.default_rng(0).standard_normal((4, 80))
    bonus = bandit.theorem8_bonus(1.0, 1.0)
    kept = bandit.play(MEANS, lambda t: gram, noise, bonus)
    renewed = bandit.play(MEANS, lambda t: gram.copy(), noise, bonus)
    np.testing.assert_array_equal(kept.arm, renewed.arm)
    np.testing.assert_allclose(kept.weight, renewed.weight, rtol=1e-12)
    np.testing.assert_array_equal(kept.visits(len(ARMS)).sum(1), 80)


def test_modulus_is_that_of_the_interpolant():
    rng = np.random.default_rng(1)
    for _ in range(5):
        knots = np.sort(np.concatenate([[0.0, 1.0], rng.random(4)]))
        values, radius = rng.normal(size=6), rng.uniform(0.05, 0.5)
        x = np.linspace(0, 1, 2001)
        f = np.interp(x, knots, values)
        steps = int(np.floor(radius * 2000))
        dense = max(np.max(np.abs(f[k:] - f[: len(f) - k])) for k in range(1, steps + 1))
        slope = np.max(np.abs(np.diff(values) / np.diff(knots)))
        exact = bandit.modulus(knots, values, radius)
        assert dense <= exact + 1e-9
        assert exact <= dense + 2 * slope / 2000


def test_instances_outside_the_hypotheses_are_refused():
    with pytest.raises(ValueError, match="omega_f"):
        bandit.Instance("too wide", (0.0, 1.0), (0.0, 1.0), (0.3,))


@pytest.mark.parametrize("p", [0.5, 0.01, 1 - 1e-4, 1e-8])
def test_two_point_noise_is_centred_and_sub_gaussian_with_parameter_one(p):
    low, high = bandit.TwoArms(1.0, p).noise
    assert p * low + (1 - p) * high == pytest.approx(0.0, abs=1e-9)
    rates = np.linspace(-12, 12, 4001)
    generating = np.logaddexp(np.log(p) + rates * low, np.log1p(-p) + rates * high)
    assert np.all(generating <= rates**2 / 2 + 1e-9)
    assert np.max(generating[np.abs(rates) > 0.1] / (rates**2 / 2)[np.abs(rates) > 0.1]) > 0.99


def test_exact_two_arms_agrees_with_simulation():
    law, horizon, runs = bandit.TwoArms(1.5, 0.3), 14, 20_000
    low, high = law.noise
    noise = np.where(np.random.default_rng(2).random((runs, horizon)) < law.p, low, high)
    plays = bandit.play(np.array([0.0, law.gap]), lambda t: np.eye(2), noise, bandit.theorem8_bonus(1.0, 1.0))
    visits = plays.visits(2)[:, 0]
    error = visits.std() / np.sqrt(runs)
    assert abs(visits.mean() - law.walk(horizon)["visits"]) < 5 * error


def test_mean_lower_limit_is_below_the_mean_and_tightens():
    rng = np.random.default_rng(3)
    limits = [bandit.mean_lower_limit(rng.binomial(10, 0.3, size), 10.0, 0.01) for size in (100, 10_000, 1_000_000)]
    assert limits[0] < limits[1] < limits[2] < 3.0
    assert limits[2] > 2.97
