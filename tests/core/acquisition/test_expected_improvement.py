"""EI, PI and their corrected forms against scikit-learn's joint posterior, quadrature and Monte Carlo, near and far."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

from core.acquisition import corrected_ei, expected_improvement, probability_of_improvement
from core.acquisition.expected_improvement import incumbent_index
from core.models.gaussian_process import JITTER, GaussianProcess
from core.models.kernels import STATIONARY
from tests.core.helpers import gradient, sample_data

X, Y = sample_data(10, 2, 17)
Y = Y - 6.0
LENGTHSCALE, VARIANCE = np.array([0.5, 0.8]), 1.9
NOISE = np.linspace(0.02, 0.6, 10)  # heteroscedastic
POINTS = np.concatenate([np.random.default_rng(5).random((5, 2)), X[:2]])
PAIRS: dict[str, tuple[Callable, Callable]] = {
    "ei": (expected_improvement.expected_improvement, expected_improvement.log_expected_improvement),
    "corrected_ei": (corrected_ei.corrected_expected_improvement, corrected_ei.log_corrected_expected_improvement),
    "pi": (
        probability_of_improvement.probability_of_improvement,
        probability_of_improvement.log_probability_of_improvement,
    ),
    "corrected_pi": (
        probability_of_improvement.corrected_probability_of_improvement,
        probability_of_improvement.log_corrected_probability_of_improvement,
    ),
}
CORRECTED = ("corrected_ei", "corrected_pi")


@functools.lru_cache
def compiled(kernel: str) -> Callable:
    """Values, slopes and moments of everything at once: one program a kernel."""

    @jax.jit
    def evaluate(y: jax.Array, noise: jax.Array, points: jax.Array, incumbent: jax.Array, variance: jax.Array) -> dict:
        process = GaussianProcess.fit(jnp.asarray(X), y, STATIONARY[kernel], jnp.asarray(LENGTHSCALE), variance, noise)

        def values(x: jax.Array) -> dict[str, jax.Array]:
            logs = {f"log_{name}": pair[1](x, process, incumbent) for name, pair in PAIRS.items()}
            return logs | {name: pair[0](x, process, incumbent) for name, pair in PAIRS.items()}

        slopes = jax.vmap(jax.jacfwd(values))(points)
        gain, spread = jax.vmap(lambda x: corrected_ei.corrected_gain_and_variance(x, process, incumbent))(points)
        deviation = jax.vmap(lambda x: corrected_ei.corrected_standard_deviation(x, process, incumbent))(points)
        moments = {"gain": gain, "variance": spread, "deviation": deviation, "best": incumbent_index(process)}
        return jax.vmap(values)(points) | {f"slope_{name}": slope for name, slope in slopes.items()} | moments

    return evaluate


def evaluate(
    points: np.ndarray = POINTS,
    noise: np.ndarray = NOISE,
    incumbent: np.ndarray | None = None,
    kernel: str = "matern52",
) -> dict[str, np.ndarray]:
    best = oracle(noise, kernel)[1] if incumbent is None else incumbent
    return jax.tree.map(np.asarray, compiled(kernel)(Y, noise, points, best, VARIANCE))


@functools.lru_cache
def _regressor(noise: bytes, kernel: str) -> GaussianProcessRegressor:
    inner = RBF(LENGTHSCALE) if kernel == "squared_exponential" else Matern(LENGTHSCALE, nu=int(kernel[-2]) / 2)
    alpha = np.frombuffer(noise) + JITTER * VARIANCE
    return GaussianProcessRegressor(ConstantKernel(VARIANCE) * inner, alpha=alpha, optimizer=None).fit(X, Y)


def oracle(noise: np.ndarray = NOISE, kernel: str = "matern52") -> tuple[GaussianProcessRegressor, np.ndarray]:
    """The posterior and the incumbent."""
    regressor = _regressor(np.asarray(noise, float).tobytes(), kernel)
    return regressor, X[np.argmax(regressor.predict(X))]


def expected(x: np.ndarray, noise: np.ndarray = NOISE, kernel: str = "matern52") -> dict[str, float]:
    """Eqs. (5), (7) and the two probabilities as printed, from a joint posterior of x and x+."""
    regressor, incumbent = oracle(noise, kernel)
    mean, covariance = regressor.predict(np.stack([x, incumbent]), return_cov=True)
    gain, result = mean[0] - mean[1], {}
    for prefix, variance in (
        ("", covariance[0, 0]),
        ("corrected_", covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]),
    ):
        deviation = np.sqrt(variance)
        z = gain / deviation
        result[f"{prefix}ei"] = deviation * stats.norm.pdf(z) + gain * stats.norm.cdf(z)
        result[f"{prefix}pi"] = stats.norm.cdf(z)
    return result


@pytest.mark.parametrize("kernel", STATIONARY)
def test_the_printed_formulas_and_their_slopes(kernel: str) -> None:
    ours = evaluate(kernel=kernel)
    assert np.array_equal(X[ours["best"]], oracle(kernel=kernel)[1])
    for row, x in enumerate(POINTS):
        if np.array_equal(x, oracle(kernel=kernel)[1]):
            continue
        values = expected(x, kernel=kernel)
        for name in PAIRS:
            assert ours[name][row] == pytest.approx(values[name], rel=1e-8)
            assert ours[f"log_{name}"][row] == pytest.approx(np.log(values[name]), rel=1e-8, abs=1e-8)
            if row < 5:
                slope = gradient(lambda p, n=name: expected(p, kernel=kernel)[n], x, 1e-5)
                np.testing.assert_allclose(ours[f"slope_{name}"][row], slope, rtol=2e-4, atol=1e-6)
                np.testing.assert_allclose(ours[f"slope_log_{name}"][row], slope / values[name], rtol=2e-4, atol=1e-5)


def test_corrected_ei_is_the_expected_positive_part_by_monte_carlo_and_quadrature() -> None:
    regressor, incumbent = oracle()
    ours, rng, count = evaluate(), np.random.default_rng(3), 200_000
    for row, x in enumerate(POINTS[:5]):
        mean, covariance = regressor.predict(np.stack([x, incumbent]), return_cov=True)
        pairs = rng.multivariate_normal(mean, covariance, count)
        improvement = np.maximum(pairs[:, 0] - pairs[:, 1], 0)
        error = improvement.std() / np.sqrt(count)
        assert ours["corrected_ei"][row] == pytest.approx(improvement.mean(), abs=4.5 * error)
        gain, deviation = float(ours["gain"][row]), float(ours["deviation"][row])
        density = functools.partial(stats.norm.pdf, loc=gain, scale=deviation)
        top = max(gain, 0.0) + 12 * deviation
        integral, _ = integrate.quad(lambda s, p=density: s * p(s), 0, top, points=[max(gain, 1e-9)], epsabs=1e-14)
        assert ours["corrected_ei"][row] == pytest.approx(integral, rel=1e-9)


def test_plain_ei_and_pi_treat_the_incumbent_as_known() -> None:
    regressor, incumbent = oracle()
    best, (mean, deviation) = regressor.predict(incumbent[None])[0], regressor.predict(POINTS[:5], return_std=True)
    ours, samples = evaluate(), np.random.default_rng(4).normal(size=200_000)
    for row in range(5):
        improvement = np.maximum(mean[row] + deviation[row] * samples - best, 0)
        error = improvement.std() / np.sqrt(len(samples))
        assert ours["ei"][row] == pytest.approx(improvement.mean(), abs=4.5 * error)
        share = (improvement > 0).mean()
        assert ours["pi"][row] == pytest.approx(share, abs=4.5 * np.sqrt(share * (1 - share) / len(samples)))


# --- at the incumbent and near it ------------------------------------------------------------


@pytest.mark.parametrize("kernel", STATIONARY)
@pytest.mark.parametrize("noise", [NOISE, np.zeros(10)], ids=["noisy", "noise-free"])
def test_corrected_forms_vanish_at_the_incumbent_without_nan(kernel: str, noise: np.ndarray) -> None:
    incumbent = oracle(noise, kernel)[1]
    ours = evaluate(np.tile(incumbent, (7, 1)), noise, incumbent, kernel)
    for name in ("variance", "deviation", *CORRECTED):
        assert np.all(ours[name] == 0.0), name
    for name in CORRECTED:
        assert np.all(ours[f"log_{name}"] == -np.inf)
        assert np.all(ours[f"slope_log_{name}"] == 0.0)
        assert np.isfinite(ours[f"slope_{name}"]).all()
    for name in ("ei", "pi"):
        assert np.isfinite(ours[f"slope_log_{name}"]).all()
        assert np.isfinite(ours[f"log_{name}"]).all()


def test_sigma_tilde_keeps_its_digits_towards_the_incumbent() -> None:
    # Near x+, sigma~^2 = h^T A h + O(|h|^3), A constant; a sum of three would lose all digits.
    incumbent = oracle()[1]
    steps = np.array([1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8])
    ours = evaluate(incumbent + steps[:, None] * np.array([0.6, -0.8]), incumbent=incumbent)
    ratio, slope = ours["variance"] / steps**2, ours["gain"] / steps
    np.testing.assert_allclose(ratio[3:], ratio[4], rtol=1e-3)
    np.testing.assert_allclose(slope[3:], slope[4], rtol=1e-3)
    assert np.all(np.diff(ours["corrected_ei"]) < 0)  # towards zero, monotonically, ever closer to x+
    np.testing.assert_allclose(ours["corrected_pi"][3:], special.ndtr(slope[4] / np.sqrt(ratio[4])), rtol=1e-3)


def test_without_noise_the_corrected_form_is_ei() -> None:
    # Section 4: sigma(x+) = sigma(x, x+) = 0. Our jitter is an observation noise with variance 1e-10 of the prior's.
    ours = evaluate(noise=np.zeros(10))
    np.testing.assert_allclose(ours["corrected_ei"][:5], ours["ei"][:5], rtol=2e-4)
    np.testing.assert_allclose(ours["corrected_pi"][:5], ours["pi"][:5], rtol=2e-4)


# --- far below the incumbent ------------------------------------------------------------


@pytest.mark.parametrize("depth", [5.0, 40.0, 400.0])
def test_logs_are_informative_far_below_the_incumbent(depth: float) -> None:
    # One observation is raised until a point lies `depth` deviations below it: linear values underflow, logs must not.
    x = POINTS[:2]
    raised = Y.copy()
    top = int(np.argmax(Y))
    raised[top] += depth * 40.0

    def at(points: np.ndarray) -> dict[str, np.ndarray]:
        padded = np.concatenate([points, np.zeros((5, 2))])  # seven points, as everywhere: no new program
        values = compiled("matern52")(raised, NOISE * 1e-3, padded, X[top], VARIANCE)
        return {name: np.asarray(value)[:2] for name, value in values.items() if name != "best"}

    ours = at(x)
    z = ours["gain"] / ours["deviation"]
    assert np.all(z < -depth)
    step = 1e-6
    for name in PAIRS:
        assert np.isfinite(ours[f"log_{name}"]).all()
        slope = ours[f"slope_log_{name}"]
        assert np.isfinite(slope).all()
        assert np.all(np.abs(slope).sum(axis=1) > 1.0)
        for axis in range(2):
            shift = step * np.eye(2)[axis]
            above, below = (at(x + s * shift)[f"log_{name}"] for s in (1, -1))
            np.testing.assert_allclose(slope[:, axis], (above - below) / (2 * step), rtol=1e-4, atol=1e-3 * depth**2)


# --- invariances ------------------------------------------------------------


@given(scale=st.floats(1e-3, 1e3), seed=st.integers(0, 100))
@settings(max_examples=20)
def test_scaling_the_problem_scales_ei_and_leaves_pi(scale: float, seed: int) -> None:
    points = np.random.default_rng(seed).random((7, 2))
    plain = evaluate(points)

    inputs = scale * Y, scale**2 * NOISE, points, oracle()[1], scale**2 * VARIANCE
    other = jax.tree.map(np.asarray, compiled("matern52")(*inputs))
    for name in PAIRS:
        factor = 1.0 if name.endswith("pi") else scale
        np.testing.assert_allclose(other[name], factor * plain[name], rtol=1e-7)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20)
def test_order_of_the_forms(seed: int) -> None:
    points = np.random.default_rng(seed).random((7, 2))
    ours = evaluate(points)
    assert np.all(ours["corrected_ei"] >= np.maximum(ours["gain"], 0.0) * (1 - 1e-12))  # tau(z) >= z
    for name in PAIRS:
        np.testing.assert_allclose(np.exp(ours[f"log_{name}"]), ours[name], rtol=1e-9)
    # sigma~ <= sigma(x) + sigma(x+), (26)
    regressor, incumbent = oracle()
    deviations = regressor.predict(points, return_std=True)[1] + regressor.predict(incumbent[None], return_std=True)[1]
    assert np.all(ours["deviation"] <= deviations * (1 + 1e-9))


def test_tied_incumbents_and_constant_data_give_the_first_row() -> None:
    x = jnp.asarray([[0.2, 0.2], [0.8, 0.8], [0.2, 0.2]])

    @jax.jit
    def index(y: jax.Array, mask: jax.Array) -> jax.Array:
        return incumbent_index(GaussianProcess.fit(x, y, STATIONARY["matern52"], jnp.ones(2), 1.0, 0.1, mask))

    everyone = jnp.ones(3, bool)
    assert int(index(jnp.array([1.0, 0.3, 1.0]), everyone)) == 0
    assert int(index(jnp.zeros(3), everyone)) == 0
    assert int(index(jnp.array([9.0, 0.3, 1.0]), everyone.at[0].set(False))) == 2
