"""Worst cases in maximum mean discrepancy: the interior-point method against CVXPY; the minimax bounds around them."""

import functools

import cvxpy as cp
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.models.gaussian_process import gram_matrix
from core.models.kernels import STATIONARY
from core.worst_case.mmd import MmdBall, mmd_worst_case, mmd_worst_distribution
from core.worst_case.mmd_minimax import RIDGE, ScreenedSensitivity, Sensitivity, minimax_bounds, minimax_worst_case

SIZE = 24
WORST = jax.jit(jax.vmap(mmd_worst_case, in_axes=(0, None)))
BALL = jax.jit(MmdBall.of)
DISTRIBUTIONS = jax.jit(jax.vmap(mmd_worst_distribution, in_axes=(0, None)))
MINIMAX = jax.jit(jax.vmap(minimax_worst_case, in_axes=(0, None, None)))
KERNELS = [("matern52", 0.05), ("matern52", 0.3), ("matern52", 3.0), ("squared_exponential", 0.5)]
RADII = (1e-3, 0.02, 0.1, 0.3, 0.535, 1.2)


@functools.lru_cache
def kernel_matrix(name: str, lengthscale: float, size: int = SIZE) -> jax.Array:
    grid = jnp.linspace(0.0, 1.0, size)[:, None]
    gram = jax.jit(gram_matrix, static_argnums=0)
    return gram(STATIONARY[name], grid, grid, jnp.asarray([lengthscale]), jnp.asarray(1.0))


def reference(size: int = SIZE, seed: int = 0) -> np.ndarray:
    """An empirical distribution of 60 contexts on the grid: most of it zero."""
    rng = np.random.default_rng(seed)
    return np.bincount(np.clip(rng.normal(0.4, 0.1, 60) * size, 0, size - 1).astype(int), minlength=size) / 60.0


def functions(size: int = SIZE, seed: int = 1) -> np.ndarray:
    """Smooth, rough, tied, and monotone functions of the context; large and small, off zero."""
    rng = np.random.default_rng(seed)
    c = np.linspace(0.0, 1.0, size)
    smooth = [np.sin(a + b * c) + 3.0 for a, b in rng.normal(0, 4, (3, 2))]
    rough = [rng.normal(size=size), rng.integers(0, 3, size).astype(float)]
    return np.stack([*smooth, *rough, 1e5 * c, -1e-4 * c, np.full(size, 2.0)])


def oracle(values: np.ndarray, matrix: np.ndarray, p: np.ndarray, radius: float) -> float:
    """CVXPY with Clarabel, values scaled to a range of one."""
    low, spread = values.min(), max(np.ptp(values), 1e-300)
    eigenvalues, vectors = np.linalg.eigh(matrix)
    root = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    q = cp.Variable(len(p))
    ball = cp.norm(root.T @ (q - p), 2) <= radius
    problem = cp.Problem(cp.Minimize(((values - low) / spread) @ q), [q >= 0, cp.sum(q) == 1, ball])
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    return float(low + spread * problem.value)


@pytest.mark.parametrize(("name", "lengthscale"), KERNELS)
def test_the_minimum_is_cvxpys(name: str, lengthscale: float) -> None:
    matrix, p, batch = kernel_matrix(name, lengthscale), reference(), functions()
    for radius in RADII:
        found = np.asarray(WORST(jnp.asarray(batch), BALL(matrix, jnp.asarray(p), radius)))
        expected = [oracle(values, np.asarray(matrix), p, radius) for values in batch]
        spread = np.maximum(np.ptp(batch, axis=1), 1.0)
        np.testing.assert_array_less(np.abs(found - expected) / spread, 1e-6, err_msg=f"{radius}")


def test_a_hundred_contexts() -> None:
    matrix, p, batch = kernel_matrix("matern52", 0.3, 100), reference(100), functions(100)[:5]
    found = np.asarray(WORST(jnp.asarray(batch), BALL(matrix, jnp.asarray(p), 0.2)))
    expected = [oracle(values, np.asarray(matrix), p, 0.2) for values in batch]
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize(("name", "lengthscale"), KERNELS)
def test_the_distribution_is_one_and_lies_in_the_ball(name: str, lengthscale: float) -> None:
    matrix, p = np.asarray(kernel_matrix(name, lengthscale)), reference()
    for radius in RADII:
        found = np.asarray(DISTRIBUTIONS(jnp.asarray(functions()), BALL(jnp.asarray(matrix), jnp.asarray(p), radius)))
        assert np.all(found >= 0)
        np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)
        d = found - p
        assert np.all(np.einsum("ki,ij,kj->k", d, matrix, d) <= radius**2 * (1 + 1e-9) + 1e-15)


def test_edges() -> None:
    matrix, p = kernel_matrix("matern52", 0.3), jnp.asarray(reference())
    batch = jnp.asarray(functions())
    np.testing.assert_allclose(WORST(batch, BALL(matrix, p, 0.0)), batch @ p, rtol=1e-14)
    np.testing.assert_allclose(WORST(batch, BALL(matrix, p, 5.0)), jnp.min(batch, axis=1), rtol=1e-14)
    one = BALL(jnp.ones((1, 1)), jnp.ones(1), 0.3)
    assert float(WORST(jnp.asarray([[4.0]]), one)[0]) == 4.0
    # A kernel matrix of ones sees no difference between distributions: every one lies in the ball.
    blind = BALL(jnp.ones((SIZE, SIZE)), p, 1e-6)
    np.testing.assert_allclose(WORST(batch, blind), jnp.min(batch, axis=1), rtol=1e-14)
    assert bool(jnp.isnan(WORST(batch.at[0, 3].set(jnp.nan), BALL(matrix, p, 0.1))[0]))


@jax.jit
def slope_and_distribution(u: jax.Array, ball: MmdBall) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
    return jax.value_and_grad(mmd_worst_case)(u, ball), mmd_worst_distribution(u, ball)


@pytest.mark.parametrize("radius", [0.05, 0.3])
def test_its_derivative_is_a_supergradient(radius: float) -> None:
    """The function is concave; where it has kinks (the support of the minimiser changes), differences are no oracle."""
    ball = BALL(kernel_matrix("matern52", 0.3), jnp.asarray(reference()), radius)
    rng = np.random.default_rng(2)
    for u in functions()[:5]:
        (value, slope), distribution = slope_and_distribution(jnp.asarray(u), ball)
        np.testing.assert_allclose(slope, distribution, atol=1e-15)
        others = u + rng.normal(size=(40, SIZE)) * rng.choice([1e-3, 0.1, 2.0], (40, 1))
        bound = float(value) + (others - u) @ np.asarray(slope)
        assert np.all(np.asarray(WORST(jnp.asarray(others), ball)) <= bound + 1e-7)


@pytest.mark.parametrize("identity", [False, True])
def test_sensitivity_is_its_formula(identity: bool) -> None:
    matrix = np.asarray(kernel_matrix("matern52", 0.3)) + RIDGE * np.eye(SIZE)
    inverse = np.eye(SIZE) if identity else np.linalg.inv(matrix)
    sensitivity = Sensitivity.of(kernel_matrix("matern52", 0.3), identity)
    for u in functions()[:5]:
        squared = u @ inverse @ u - (inverse.sum(axis=0) @ u) ** 2 / inverse.sum()
        assert float(sensitivity(jnp.asarray(u))) == pytest.approx(np.sqrt(squared), rel=1e-7)
    assert float(sensitivity(jnp.full(SIZE, 3.0))) == 0.0
    assert bool(jnp.all(jnp.isfinite(jax.grad(sensitivity)(jnp.full(SIZE, 3.0)))))


def test_a_screened_sensitivity_changes_no_bound() -> None:
    """It is a lower bound where the tangent does not count, S elsewhere; both happen."""
    values, matrix = jnp.asarray(functions()), kernel_matrix("matern52", 0.3)
    bounds = jax.jit(jax.vmap(minimax_bounds, in_axes=(0, None, None)))
    equal = []
    for radius in RADII:
        ball = BALL(matrix, jnp.asarray(reference()), radius)
        full, screened = jax.jit(Sensitivity.of)(matrix), ScreenedSensitivity.of(ball, 6)
        assert screened.few.ones.shape == (6,)
        for found, expected in zip(bounds(values, ball, screened), bounds(values, ball, full), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12)
        exact, lower = (np.asarray(jax.jit(jax.vmap(lambda u, s=s: s(u)))(values)) for s in (full, screened))
        assert np.all(lower <= exact * (1 + 1e-9))
        equal += np.isclose(lower, exact, rtol=1e-9).tolist()
    assert 0.1 < np.mean(equal) < 0.9


def test_the_bounds_hold_and_the_approximation_is_their_midpoint() -> None:
    # Well conditioned, so that the ridge is small beside the matrix.
    matrix, p = kernel_matrix("matern52", 0.05), jnp.asarray(reference())
    sensitivity = Sensitivity.of(matrix)
    batch = jnp.asarray(functions()[:5])
    bounds = jax.jit(jax.vmap(minimax_bounds, in_axes=(0, None, None)))
    for radius in RADII:
        ball = BALL(matrix, p, radius)
        lower, upper = bounds(batch, ball, sensitivity)
        exact = WORST(batch, ball)
        spread = np.ptp(np.asarray(batch), axis=1)
        assert np.all(lower <= exact + 0.02 * radius * spread)  # the ridge
        assert np.all(exact <= upper + 1e-8 * spread)
        np.testing.assert_allclose(MINIMAX(batch, ball, sensitivity), 0.5 * (lower + upper), rtol=1e-12)


def test_the_approximation_at_the_ends() -> None:
    matrix, p = kernel_matrix("matern52", 0.3), jnp.asarray(reference())
    sensitivity, batch = Sensitivity.of(matrix), functions()
    at_zero, far = (MINIMAX(jnp.asarray(batch), BALL(matrix, p, radius), sensitivity) for radius in (0.0, 3.0))
    np.testing.assert_allclose(at_zero, batch @ np.asarray(p), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(far, batch.min(axis=1), rtol=1e-12, atol=1e-12)
