"""Each improvement policy's query against its formula on a dense grid, written out with scikit-learn's posterior."""

import functools
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats
from scipy.linalg import cho_solve
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from core.models.gaussian_process import JITTER
from core.models.hyperparameters import Hyperparameters
from core.policies import Policy, SearchEffort, make
from core.policies.refitted import NEGLIGIBLE_NOISE
from core.types import Observations
from tests.core.helpers import sample_data

EFFORT = SearchEffort.of(2, raw_candidates=256, starts=6)
SIDE = np.linspace(0.0, 1.0, 101)
GRID = np.stack(np.meshgrid(SIDE, SIDE), -1).reshape(-1, 2)
X, Y = sample_data(9, 2, 31)
NOISE = np.linspace(0.02, 0.5, 9)
SCALE, OFFSET = Y.std(), Y.mean()
OBSERVATIONS = Observations.of(jnp.asarray(X), jnp.asarray(Y), capacity=12)
TOLD = Observations.of(jnp.asarray(X), jnp.asarray(Y), noise_variance=jnp.asarray(NOISE), capacity=12)
LENGTHSCALE, VARIANCE = np.array([0.3, 0.45]), 1.6
KEY = jax.random.key(2)


def theta(noise: float) -> Hyperparameters:
    return Hyperparameters(jnp.asarray(LENGTHSCALE), jnp.asarray(VARIANCE), jnp.asarray(noise))


@eqx.filter_jit
def propose(policy: Policy, parameters: Hyperparameters, observations: Observations) -> Any:
    return policy.propose(KEY, parameters, observations)


@functools.lru_cache
def proposal(name: str, told: bool) -> tuple[np.ndarray, dict[str, float]]:
    policy = make(name, 2, effort=EFFORT)
    observations, noise = (TOLD, NEGLIGIBLE_NOISE) if told else (OBSERVATIONS, 0.07)
    query, _, info = propose(policy, theta(noise), observations)
    return np.asarray(query), {name: float(value) for name, value in info.items()}


def posterior(points: np.ndarray, told: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Gain over the incumbent, the two deviations, on standardised outputs; and the incumbent's row."""
    noise = NOISE / SCALE**2 + NEGLIGIBLE_NOISE if told else 0.07
    kernel = ConstantKernel(VARIANCE) * Matern(LENGTHSCALE, nu=2.5)
    regressor = GaussianProcessRegressor(kernel, alpha=noise + JITTER * VARIANCE, optimizer=None)
    regressor.fit(X, (Y - OFFSET) / SCALE)
    row = int(np.argmax(regressor.predict(X)))
    mean, plain = regressor.predict(np.vstack([points, X[row]]), return_std=True)
    whitened = cho_solve((regressor.L_, True), kernel(X, X[[row]]))
    shared = (kernel(points, X[[row]]) - kernel(points, X) @ whitened).ravel()
    corrected = np.sqrt(np.maximum(plain[:-1] ** 2 + plain[-1] ** 2 - 2 * shared, 0.0))
    return mean[:-1] - mean[-1], plain[:-1], corrected, row


FORMULAS = {
    "ei": lambda gain, plain, _: SCALE * (plain * stats.norm.pdf(gain / plain) + gain * stats.norm.cdf(gain / plain)),
    "pi": lambda gain, plain, _: stats.norm.cdf(gain / plain),
    "corrected_ei": lambda gain, _, s: SCALE * (s * stats.norm.pdf(gain / s) + gain * stats.norm.cdf(gain / s)),
    "corrected_pi": lambda gain, _, s: stats.norm.cdf(gain / s),
}


@pytest.mark.parametrize("told", [False, True], ids=["fitted noise", "known noise"])
@pytest.mark.parametrize("name", FORMULAS)
def test_the_query_maximises_the_formula_in_the_unit_of_y(name: str, told: bool) -> None:
    query, info = proposal(name, told)
    values = FORMULAS[name](*posterior(np.vstack([GRID, query]), told)[:3])
    tolerance = 1e-4 if name == "corrected_pi" else 1e-6  # near x+, the oracle's sum of three loses digits
    assert values[-1] >= values[:-1].max() * (1 - tolerance)
    assert info["acquisition"] == pytest.approx(values[-1], rel=tolerance)
    assert info["incumbent"] == posterior(query[None], told)[3]


@pytest.mark.parametrize("name", ["noisy_ei", "qnei"])
def test_the_query_maximises_its_average_over_samples(name: str) -> None:
    query, info = proposal(name, True)
    policy = make(name, 2, effort=EFFORT)
    order = np.lexsort((Y, X[:, 1], X[:, 0]))  # samples belong to the data as a set
    told = Observations.of(
        jnp.asarray(X[order]), jnp.asarray(Y[order]), noise_variance=jnp.asarray(NOISE[order]), capacity=12
    )

    @jax.jit
    def values(points: jax.Array) -> jax.Array:
        after = policy.posterior(theta(NEGLIGIBLE_NOISE), told)  # type: ignore[attr-defined]
        _, value = policy.formulas(jax.random.split(KEY)[1], after, told.x[0])  # type: ignore[attr-defined]
        return jax.vmap(value)(points)

    scores = SCALE * np.asarray(values(jnp.asarray(np.vstack([GRID, query]))))
    assert scores[-1] >= scores[:-1].max() * (1 - 1e-6)
    assert info["acquisition"] == pytest.approx(scores[-1], rel=1e-9)
    assert info["incumbent"] == posterior(query[None], True)[3]


def test_more_samples_bring_the_monte_carlo_forms_together() -> None:
    policies = [make("noisy_ei", 2, effort=EFFORT, fantasies=1024), make("qnei", 2, effort=EFFORT, samples=4096)]
    reached = [float(propose(policy, theta(NEGLIGIBLE_NOISE), TOLD)[2]["acquisition"]) for policy in policies]
    assert reached[0] == pytest.approx(reached[1], rel=0.05)


def test_ucb_reports_the_bound_and_the_incumbent_in_the_unit_of_y() -> None:
    policy = make("gp_ucb_refit", 2, effort=EFFORT, kernel="matern52", beta=1.0)
    query, _, info = propose(policy, theta(NEGLIGIBLE_NOISE), TOLD)
    gain, plain, _, row = posterior(np.vstack([GRID, query]), True)
    surrogate = np.asarray(eqx.filter_jit(policy.surrogate)(theta(NEGLIGIBLE_NOISE), TOLD))[:9]
    bound = surrogate.max() + SCALE * (gain + plain)
    assert bound[-1] >= bound[:-1].max() - 1e-7
    assert float(info["acquisition"]) == pytest.approx(bound[-1], rel=1e-7)
    assert int(info["incumbent"]) == row == int(np.argmax(surrogate))
