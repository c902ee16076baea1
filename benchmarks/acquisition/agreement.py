"""Do both sides compute the same acquisitions? Values at random points, on the same posterior."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.acquisition.peer import Task, values
from core.acquisition.expected_improvement import expected_improvement, incumbent_index
from core.acquisition.gp_ucb import gp_ucb
from core.acquisition.noisy_ei import NoisyExpectedImprovement
from core.acquisition.probability_of_improvement import probability_of_improvement
from core.acquisition.qnei import MonteCarloNoisyExpectedImprovement
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import matern52

__all__ = ["ANALYTIC_TOLERANCE", "STANDARD_ERRORS", "agreement"]

ANALYTIC_TOLERANCE = 1e-7
"""Largest difference of UCB, EI, PI at 256 points, of the largest value there."""

STANDARD_ERRORS = 5.0
"""Largest difference of the means of NEI and of qNEI over independent sets of samples, in standard errors, at the
points whose value is at least a hundredth of the largest. Sample by sample the two sides cannot agree: the covariance
at the observed points is nearly singular, and they regularise it differently."""

SETS = 16


def agreement(task: Task, points: int = 256) -> dict[str, float | bool]:
    """Differences of UCB, EI, PI, of their largest value; of NEI, qNEI in standard errors; and whether all agree."""
    x = np.random.default_rng(len(task.z)).random((points, task.x.shape[1]))
    ours_at = jnp.asarray(x)
    process = GaussianProcess.fit(
        jnp.asarray(task.x),
        jnp.asarray(task.z),
        matern52,
        jnp.asarray(task.lengthscale),
        task.variance,
        jnp.asarray(task.noise_variance),
    )
    incumbent = process.x[incumbent_index(process)]
    analytic: dict[str, Callable[[jax.Array], jax.Array]] = {
        "gp_ucb_refit": lambda point: gp_ucb(point, process, task.beta),
        "ei": lambda point: expected_improvement(point, process, incumbent),
        "pi": lambda point: probability_of_improvement(point, process, incumbent),
    }
    found: dict[str, float | bool] = {}
    for name, function in analytic.items():
        found[name] = _difference(jax.vmap(function)(ours_at), values(name, task, x))
    noise = jnp.asarray(task.noise_variance)
    fits = {"noisy_ei": NoisyExpectedImprovement.fit, "qnei": MonteCarloNoisyExpectedImprovement.fit}
    for name, fit in fits.items():
        by_key = jax.jit(lambda key, fit=fit: jax.vmap(fit(key, process, noise).value)(ours_at))
        ours = np.stack([by_key(jax.random.key(seed)) for seed in range(SETS)])
        theirs = np.stack([values(name, task, x, seed) for seed in range(SETS)])
        found[name] = _standard_errors(ours, theirs)
    found["agree"] = all(
        value <= (ANALYTIC_TOLERANCE if name in analytic else STANDARD_ERRORS) for name, value in found.items()
    )
    return found


def _difference(ours: jax.Array, theirs: np.ndarray) -> float:
    return float(np.max(np.abs(np.asarray(ours) - theirs)) / np.max(np.abs(theirs)))


def _standard_errors(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest difference of the means over sets (rows), in standard errors."""
    means = ours.mean(0), theirs.mean(0)
    error = np.sqrt((ours.var(0, ddof=1) + theirs.var(0, ddof=1)) / len(ours))
    large = means[1] >= 1e-2 * means[1].max()
    return float(np.max(np.abs(means[0] - means[1])[large] / error[large]))
