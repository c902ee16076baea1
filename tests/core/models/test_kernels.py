"""Smoothing kernels against their formulas; covariance kernels against scikit-learn."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from sklearn.gaussian_process.kernels import RBF, Matern

from core.models.kernels import SMOOTHING, STATIONARY, l1_distance, l2_distance, squared_distance
from tests.core.helpers import COMPACT, PROFILES, gradient, sample_data, weights

COORDINATE = st.floats(-3.0, 3.0, width=32)
POINT = st.lists(COORDINATE, min_size=3, max_size=3).map(np.asarray)
EVALUATE = {name: jax.jit(kernel) for name, kernel in SMOOTHING.items()}
LOG_VALUE = {name: jax.jit(kernel.log_value) for name, kernel in SMOOTHING.items()}
LOG_GRADIENT = {name: jax.jit(jax.grad(kernel.log_value)) for name, kernel in SMOOTHING.items()}


def test_the_tables_name_the_kernels_of_the_paper() -> None:
    assert set(SMOOTHING) == set(PROFILES)
    assert set(STATIONARY) == {"squared_exponential", "matern12", "matern32", "matern52"}


@pytest.mark.parametrize("name", SMOOTHING)
@given(x=POINT, centre=POINT, bandwidth=st.floats(0.05, 20.0))
@settings(max_examples=40)
def test_smoothing_kernels_are_their_formulas(name: str, x: np.ndarray, centre: np.ndarray, bandwidth: float) -> None:
    if name == "uniform" and abs(np.linalg.norm(x - centre) / bandwidth - 1) < 1e-12:
        return
    oracle = float(weights(name, x, centre[None], bandwidth)[0])
    assert float(EVALUATE[name](x, centre, bandwidth)) == pytest.approx(oracle, rel=1e-12, abs=1e-14)
    if oracle > 0:
        assert float(LOG_VALUE[name](x, centre, jnp.asarray(bandwidth))) == pytest.approx(
            float(np.log(oracle)), rel=1e-8, abs=1e-8
        )


@pytest.mark.parametrize("name", SMOOTHING)
@given(x=POINT, centre=POINT, shift=POINT, power=st.integers(-8, 8))
@settings(max_examples=30)
def test_smoothing_kernels_are_symmetric_and_scale_with_the_bandwidth(
    name: str, x: np.ndarray, centre: np.ndarray, shift: np.ndarray, power: int
) -> None:
    value = float(EVALUATE[name](x, centre, 0.75))
    assert float(EVALUATE[name](centre, x, 0.75)) == value
    assert 0.0 <= value <= SMOOTHING[name].bound
    scale = 2.0**power
    assert float(EVALUATE[name](scale * x, scale * centre, scale * 0.75)) == pytest.approx(value, rel=1e-13, abs=1e-300)
    if name != "uniform":  # a jump at the edge of the support amplifies rounding
        assert float(EVALUATE[name](x + shift, centre + shift, 0.75)) == pytest.approx(value, rel=1e-6, abs=1e-6)


def test_supports_end_at_the_radius() -> None:
    origin, edge = jnp.array([0.25, -1.0]), jnp.array([0.25, -0.5])
    assert float(SMOOTHING["uniform"](edge, origin, 0.5)) == 1.0  # eq. (8) holds with equality
    assert float(SMOOTHING["uniform"](edge, origin, 0.5 - 2**-50)) == 0.0
    assert float(SMOOTHING["epanechnikov"](edge, origin, 0.5)) == 0.0
    assert float(SMOOTHING["epanechnikov"](edge, origin, 0.5 + 2**-40)) > 0.0
    for name, kernel in SMOOTHING.items():
        assert kernel.radius == (1.0 if name in COMPACT else np.inf)
        assert kernel.norm == ("l1" if name == "laplacian" else "l2")
        assert kernel.bound == 1.0
        assert float(kernel(edge, edge, 0.1)) == 1.0


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("bandwidth", [1e-12, 1e-3, 1.0, 1e12, 1e150])
def test_any_bandwidth_gives_values_and_gradients_without_nan(name: str, bandwidth: float) -> None:
    x = jnp.array([0.31, 0.77])
    for other in (x, jnp.array([0.31, 0.78]), jnp.array([5.0, -3.0])):
        value = LOG_VALUE[name](x, other, jnp.asarray(bandwidth))
        assert not bool(jnp.isnan(value))
        assert float(value) <= 0.0
        slope = LOG_GRADIENT[name](x, other, jnp.asarray(bandwidth))
        assert bool(jnp.isfinite(slope).all()), (name, other, slope)


@pytest.mark.parametrize("name", ["gaussian", "epanechnikov", "exponential", "laplacian"])
def test_log_gradients_match_finite_differences(name: str) -> None:
    centre = np.array([0.3, 0.61, 0.18])
    x = np.array([0.42, 0.55, 0.31])
    numeric = gradient(lambda p: np.log(float(weights(name, p, centre[None], 0.6)[0])), x)
    np.testing.assert_allclose(LOG_GRADIENT[name](x, centre, jnp.asarray(0.6)), numeric, rtol=1e-6)


def test_distances_and_their_gradients_at_zero() -> None:
    x, other = np.array([0.3, -2.0, 1.0]), np.array([1.1, 0.5, -4.0])
    distances = (squared_distance, l2_distance, l1_distance)
    expected = [np.sum((x - other) ** 2), np.linalg.norm(x - other), np.abs(x - other).sum()]
    got = [float(distance(jnp.asarray(x), jnp.asarray(other))) for distance in distances]
    assert got == pytest.approx(expected, rel=1e-15)
    for distance in (squared_distance, l2_distance):
        np.testing.assert_array_equal(jax.grad(distance)(jnp.asarray(x), jnp.asarray(x)), 0.0)
    assert bool(jnp.isfinite(jax.grad(l1_distance)(jnp.asarray(x), jnp.asarray(x))).all())  # any subgradient


SCIKIT = {
    "squared_exponential": lambda lengthscale: RBF(lengthscale),
    "matern12": lambda lengthscale: Matern(lengthscale, nu=0.5),
    "matern32": lambda lengthscale: Matern(lengthscale, nu=1.5),
    "matern52": lambda lengthscale: Matern(lengthscale, nu=2.5),
}


@pytest.mark.parametrize("name", STATIONARY)
def test_covariance_kernels_match_scikit_learn_with_ard(name: str) -> None:
    x, _ = sample_data(7, 3, 4)
    lengthscale, variance = np.array([0.13, 0.7, 2.9]), 2.3
    ours = jax.vmap(
        lambda a: jax.vmap(lambda b: STATIONARY[name](a, b, jnp.asarray(lengthscale), jnp.asarray(variance)))(
            jnp.asarray(x)
        )
    )(jnp.asarray(x))
    np.testing.assert_allclose(ours, variance * SCIKIT[name](lengthscale)(x), rtol=1e-13, atol=1e-16)


@pytest.mark.parametrize("name", STATIONARY)
def test_covariance_gradients_are_finite_on_the_diagonal_and_right_off_it(name: str) -> None:
    lengthscale, variance = jnp.array([0.4, 1.1]), jnp.asarray(1.7)
    x, other = np.array([0.3, 0.8]), np.array([0.35, 0.2])
    slope = jax.grad(STATIONARY[name])
    np.testing.assert_array_equal(slope(jnp.asarray(x), jnp.asarray(x), lengthscale, variance), 0.0)
    numeric = gradient(lambda p: 1.7 * float(SCIKIT[name](np.asarray(lengthscale))(p[None], other[None])[0, 0]), x)
    np.testing.assert_allclose(slope(jnp.asarray(x), jnp.asarray(other), lengthscale, variance), numeric, rtol=1e-6)


@pytest.mark.parametrize("spacing", [0.1, 0.3, 1 / 7, 0.05])
def test_points_on_the_very_edge_of_the_support_weigh_nothing(spacing: float) -> None:
    # 1 - ||x - x'||^2 / h^2 is rounding error here, of either sign, and differently in different programs.
    arms = jnp.arange(12)[:, None] * spacing * jnp.array([[0.6, 0.8]])
    kernel = SMOOTHING["epanechnikov"]
    table = jax.jit(lambda a: jax.vmap(lambda x: jax.vmap(lambda b: kernel(x, b, spacing))(a))(a))(arms)
    np.testing.assert_allclose(table, np.eye(12), atol=1e-13)


def matern_as_printed(nu: float, distance: np.ndarray, lengthscale: float) -> np.ndarray:
    """Eq. (4) of the corrected-EI paper: ``2^(1-nu) / Gamma(nu) (r/l)^nu K_nu(r/l)``, without the factor sqrt(2 nu)."""
    u = distance / lengthscale
    return 2.0 ** (1.0 - nu) / special.gamma(nu) * u**nu * special.kv(nu, u)


@pytest.mark.parametrize(("name", "nu"), [("matern12", 0.5), ("matern32", 1.5), ("matern52", 2.5)])
def test_the_printed_matern_kernel_is_ours_at_a_longer_lengthscale(name: str, nu: float) -> None:
    distance, lengthscale = np.linspace(0.05, 4.0, 9), 0.37
    evaluate = jax.jit(jax.vmap(STATIONARY[name], in_axes=(0, None, None, None)))

    def ours(scale: float) -> np.ndarray:
        points = jnp.asarray(0.3 + distance[:, None])
        return np.asarray(evaluate(points, jnp.array([0.3]), jnp.array([scale]), jnp.asarray(1.0)))

    printed = matern_as_printed(nu, distance, lengthscale)
    np.testing.assert_allclose(ours(np.sqrt(2 * nu) * lengthscale), printed, rtol=1e-10)
    if nu > 0.5:  # taken at its word, (4) is another kernel than the closed forms of the same lengthscale
        assert np.abs(ours(lengthscale) - printed).max() > 0.1
