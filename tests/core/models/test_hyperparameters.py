"""Maximum-likelihood and MAP fits against scipy's L-BFGS-B on an objective written again in numpy."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import gamma
from sklearn.gaussian_process.kernels import RBF, Matern

from core.models.gaussian_process import JITTER
from core.models.hyperparameters import (
    DEFAULT_BOUNDS,
    Bounds,
    Fit,
    Hyperparameters,
    fit_hyperparameters,
    gamma_prior,
    log_posterior,
)
from core.models.kernels import matern52, squared_exponential
from core.types import Observations

DIM, COUNT, CAPACITY = 2, 14, 16
SHAPE, SCALE = 2.0, 0.4
LOG_BOX = np.log([DEFAULT_BOUNDS.lengthscale] * DIM + [DEFAULT_BOUNDS.variance, DEFAULT_BOUNDS.noise_variance])
KERNELS = {
    "squared_exponential": (squared_exponential, lambda lengthscale: RBF(lengthscale)),
    "matern52": (matern52, lambda lengthscale: Matern(lengthscale, nu=2.5)),
}


def data(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.beta(1.3, 2.2, (COUNT, DIM))
    y = (
        np.sin(rng.uniform(2, 9) * x[:, 0])
        + rng.uniform(0, 1) * x[:, 1]
        + rng.uniform(0.02, 0.3) * rng.normal(size=COUNT)
    )
    return x, (y - y.mean()) / y.std()


@functools.lru_cache
def fitted(kernel: str, map_estimate: bool, starts: int = 6) -> Callable[..., Fit]:
    prior = gamma_prior(SHAPE, SCALE) if map_estimate else None

    @jax.jit
    def run(observations: Observations) -> Fit:
        return fit_hyperparameters(observations, KERNELS[kernel][0], prior=prior, starts=starts, max_steps=100)

    return run


def objective(
    theta: np.ndarray, x: np.ndarray, y: np.ndarray, kernel: str, map_estimate: bool, known: np.ndarray
) -> float:
    """Log likelihood and log prior from the formulas."""
    values = np.exp(theta)
    covariance = values[-2] * KERNELS[kernel][1](values[:-2])(x)
    covariance += np.diag(known + values[-1] + JITTER * values[-2])
    sign, determinant = np.linalg.slogdet(covariance)
    total = -0.5 * y @ np.linalg.solve(covariance, y) - 0.5 * determinant - 0.5 * len(y) * np.log(2 * np.pi)
    if map_estimate:
        total += np.sum((SHAPE - 1) * np.log(values) - values / SCALE)
    return float(total) if sign > 0 else -np.inf


def oracle(x: np.ndarray, y: np.ndarray, kernel: str, map_estimate: bool, known: np.ndarray) -> float:
    """The best of scipy's multi-start L-BFGS-B."""
    rng = np.random.default_rng(11)
    moderate = np.log([(0.1, 2.0)] * DIM + [(0.3, 3.0), (1e-4, 0.3)])
    starts = rng.uniform(moderate[:, 0], moderate[:, 1], (8, DIM + 2))
    runs = [
        minimize(lambda t: -objective(t, x, y, kernel, map_estimate, known), start, method="L-BFGS-B", bounds=LOG_BOX)
        for start in starts
    ]
    return -min(run.fun for run in runs)


def vector(fit: Fit) -> np.ndarray:
    theta = fit.parameters
    return np.concatenate([theta.lengthscale, [float(theta.variance), float(theta.noise_variance)]])


@pytest.mark.parametrize("map_estimate", [False, True], ids=["likelihood", "map"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_fits_reach_scipys_best(kernel: str, map_estimate: bool) -> None:
    for seed in range(6):
        x, y = data(seed)
        found = fitted(kernel, map_estimate)(Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=CAPACITY))
        zero = np.zeros(COUNT)
        reached = objective(np.log(vector(found)), x, y, kernel, map_estimate, zero)
        assert float(found.objective) == pytest.approx(reached, abs=1e-6)  # the value reported is the value there
        assert reached >= oracle(x, y, kernel, map_estimate, zero) - 1e-3, seed
        lower, upper = np.exp(LOG_BOX).T
        assert np.all(vector(found) >= lower * (1 - 1e-12))
        assert np.all(vector(found) <= upper * (1 + 1e-12))


def test_known_noise_is_on_the_diagonal() -> None:
    x, y = data(3)
    known = np.linspace(0.01, 0.5, COUNT)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), noise_variance=jnp.asarray(known), capacity=CAPACITY)
    found = fitted("matern52", False)(observations)
    reached = objective(np.log(vector(found)), x, y, "matern52", False, known)
    assert float(found.objective) == pytest.approx(reached, abs=1e-6)
    assert reached >= oracle(x, y, "matern52", False, known) - 1e-3


def test_a_fitted_mean_is_the_best_constant() -> None:
    """Against scipy's search over the hyperparameters and a constant at once, on data far from their own mean."""
    x, y = data(4)
    y, zero = y + 1.7 * (x[:, 0] < 0.4), np.zeros(COUNT)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=CAPACITY)

    def loss(v: np.ndarray) -> float:
        return -objective(v[:-1], x, y - v[-1], "matern52", False, zero)

    box = np.concatenate([LOG_BOX, [[-5.0, 5.0]]])
    starts = np.random.default_rng(2).uniform(*np.log([[0.2, 1.0]] * DIM + [[0.3, 3.0], [1e-3, 0.3]]).T, (4, DIM + 2))
    runs = [minimize(loss, np.append(start, 0.0), method="L-BFGS-B", bounds=box) for start in starts]
    best = min(runs, key=lambda run: run.fun)

    found = jax.jit(lambda o: fit_hyperparameters(o, matern52, max_steps=100, fit_mean=True))(observations)
    theta = np.log(vector(found))
    covariance = np.exp(theta[-2]) * Matern(np.exp(theta[:-2]), nu=2.5)(x) + np.exp(theta[-1]) * np.eye(COUNT)
    weights = np.linalg.solve(covariance, np.ones(COUNT))  # generalised least squares
    assert weights @ y / weights.sum() > 1.0
    assert float(found.objective) == pytest.approx(-loss(np.append(theta, weights @ y / weights.sum())), abs=1e-6)
    assert -best.fun - 1e-3 <= float(found.objective) <= -best.fun + 1e-3

    profile = jax.jit(log_posterior(observations, matern52, fit_mean=True))
    point = jnp.asarray([-1.0, -0.4, 0.3, -3.0])
    steps = 1e-5 * jnp.eye(DIM + 2)
    slopes = [(profile(point + step) - profile(point - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(jax.grad(profile)(point), slopes, rtol=1e-6, atol=1e-7)


def test_unused_rows_change_nothing() -> None:
    x, y = data(1)
    clean = fitted("matern52", False)(Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=CAPACITY))
    rubbish = Observations(
        x=jnp.asarray(np.concatenate([x, [[0.3, 0.9], [5.0, -2.0]]])),
        context=jnp.zeros((CAPACITY, 0)),
        y=jnp.asarray(np.append(y, [1e3, -7.0])),
        noise_variance=jnp.zeros((CAPACITY, 0)),
        count=jnp.asarray(COUNT),
    )
    np.testing.assert_allclose(vector(fitted("matern52", False)(rubbish)), vector(clean), rtol=1e-6)


@pytest.mark.parametrize("case", ["duplicates", "constant", "one", "none", "huge", "tiny", "same x"])
def test_difficult_data_give_finite_fits_inside_the_bounds(case: str) -> None:
    x, y = data(2)
    if case == "duplicates":
        x[5:], y[5:] = x[0], y[0]
    elif case == "constant":
        y[:] = 0.0
    elif case == "same x":
        x[:] = x[0]
    elif case in ("huge", "tiny"):
        y *= 1e12 if case == "huge" else 1e-12
    rows = {"one": 1, "none": 0}.get(case, COUNT)
    found = fitted("matern52", False)(Observations.of(jnp.asarray(x[:rows]), jnp.asarray(y[:rows]), capacity=CAPACITY))
    lower, upper = np.exp(LOG_BOX).T
    assert np.isfinite(float(found.objective))
    assert np.all((vector(found) >= lower * (1 - 1e-12)) & (vector(found) <= upper * (1 + 1e-12)))


DEGENERATE = [("flat", 1e-12, 1e12), ("spike", 1e8, 1e-8), ("outside", 1e-3, 1e-12)]


@pytest.mark.parametrize(("case", "shape", "scale"), DEGENERATE, ids=[case for case, _, _ in DEGENERATE])
def test_degenerate_priors_give_finite_fits_inside_the_bounds(case: str, shape: float, scale: float) -> None:
    """The cases are no prior, all prior mass at one, and all prior mass below the box."""
    x, y = data(5)
    observations = Observations.of(jnp.asarray(x[:, :1]), jnp.asarray(y))
    prior = gamma_prior(shape, scale, of_logarithms=True)
    found, plain = jax.jit(
        lambda o: tuple(fit_hyperparameters(o, matern52, prior=p, starts=1, raw_candidates=2) for p in (prior, None))
    )(observations)
    lower, upper = np.exp(LOG_BOX[1:]).T
    assert np.all((vector(found) >= lower * (1 - 1e-12)) & (vector(found) <= upper * (1 + 1e-12)))
    if case == "flat":
        np.testing.assert_allclose(vector(found), vector(plain), rtol=1e-2)
    else:
        np.testing.assert_allclose(vector(found), 1.0 if case == "spike" else lower, rtol=2e-2)


def test_initial_point_and_own_bounds() -> None:
    x, y = data(4)
    bounds = Bounds(lengthscale=(0.5, 0.6), variance=(0.9, 1.1), noise_variance=(0.01, 0.02))
    start = Hyperparameters(jnp.full(DIM, 9.0), jnp.asarray(1e-9), jnp.asarray(5.0))  # outside: moved in
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=CAPACITY)
    found = jax.jit(lambda o: fit_hyperparameters(o, matern52, bounds=bounds, starts=1, initial=start, max_steps=30))(
        observations
    )
    values = vector(found)
    assert np.all((values[:2] >= 0.5 - 1e-9) & (values[:2] <= 0.6 + 1e-9))
    assert 0.9 - 1e-9 <= values[2] <= 1.1 + 1e-9
    assert 0.01 - 1e-12 <= values[3] <= 0.02 + 1e-12


@pytest.mark.parametrize("pair", [(0.0, 1.0), (2.0, 1.0), (1.0, 1.0), (0.1, float("inf")), (float("nan"), 1.0)])
@pytest.mark.parametrize("name", ["lengthscale", "variance", "noise_variance"])
def test_bounds_are_checked(name: str, pair: tuple[float, float]) -> None:
    good = {"lengthscale": (0.1, 1.0), "variance": (0.1, 1.0), "noise_variance": (0.1, 1.0)}
    with pytest.raises(ValueError, match=f"bounds of {name} must satisfy"):
        Bounds(**{**good, name: pair})


def test_gamma_prior_is_scipys_up_to_a_constant() -> None:
    prior = gamma_prior(SHAPE, SCALE)
    first, second = (
        Hyperparameters(jnp.array([0.3, 1.1]) * k, jnp.asarray(0.8 * k), jnp.asarray(0.05 * k)) for k in (1.0, 2.5)
    )
    values = np.array([0.3, 1.1, 0.8, 0.05])
    expected = gamma.logpdf(2.5 * values, SHAPE, scale=SCALE).sum() - gamma.logpdf(values, SHAPE, scale=SCALE).sum()
    assert float(prior(second) - prior(first)) == pytest.approx(expected, rel=1e-12)


def test_summary_is_scalar() -> None:
    theta = Hyperparameters(jnp.array([0.1, 0.4]), jnp.asarray(2.0), jnp.asarray(0.3))
    assert {name: float(value) for name, value in theta.summary().items()} == pytest.approx(
        {"lengthscale": 0.2, "variance": 2.0, "noise_variance": 0.3}
    )


def test_the_best_candidates_are_refined_and_a_good_initial_one_is_kept() -> None:
    x, y = data(3)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=CAPACITY)
    best = fitted("matern52", False)(observations)
    for initial in (best.parameters, None):
        found = jax.jit(
            lambda o, first=initial: fit_hyperparameters(
                o, matern52, starts=1, raw_candidates=2, initial=first, max_steps=0
            )
        )(observations)
        near = float(best.objective - found.objective)
        assert near < 1e-9 if initial is not None else near > 1e-3  # no steps: the better candidate comes back


@pytest.mark.parametrize("sizes", [{"starts": 0}, {"starts": 3, "raw_candidates": 2}])
def test_numbers_of_starts_are_checked(sizes: dict[str, int]) -> None:
    x, y = data(3)
    with pytest.raises(ValueError, match="1 <= starts <= raw_candidates"):
        fit_hyperparameters(Observations.of(jnp.asarray(x), jnp.asarray(y)), matern52, **sizes)
