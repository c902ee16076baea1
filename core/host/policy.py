"""The host's versions of what a policy learns and proposes, for the policies that the host knows.

The host can fit the hyperparameters of every policy of likeliest Matern-5/2 hyperparameters
(:class:`core.policies.refitted.RefittedPolicy` as it stands), and propose for
:class:`core.policies.improvement.NoisyEi`, the default, and :class:`core.policies.improvement.CorrectedEi`. States and
observations are those of the JAX policies.
"""

from typing import Any

import jax
import numpy as np
import scipy  # scipy loads its special functions at first use
from jaxtyping import Array, Float, PRNGKeyArray

from core.host.likelihood import Likelihood, fit
from core.host.process import CorrectedImprovement, Improvement, NoisyImprovement, Process
from core.host.search import search
from core.models.hyperparameters import Hyperparameters
from core.models.kernels import matern52
from core.models.transform import standardize_on_host
from core.policies.base import Policy, SearchEffort
from core.policies.improvement import BEST, CorrectedEi, NoisyEi
from core.policies.near import NearEffort
from core.policies.refitted import RefittedPolicy
from core.policies.restricted import ListedEffort, SnappedEffort
from core.types import Observations

__all__ = ["log_likelihood", "predicted", "proposed", "recommended", "learns_here", "proposes_here", "updated"]

AS_THEY_STAND = ("update", "fit", "in_force", "posterior", "surrogate", "predict")
"""Methods that a policy must have from :class:`RefittedPolicy` for the host to learn in its place."""

SEARCHES = (SearchEffort, NearEffort, ListedEffort)


def learns_here(policy: Any) -> bool:
    """Return True where the host fits the policy's hyperparameters, predicts and recommends."""
    if not isinstance(policy, RefittedPolicy) or policy.log_prior is not None or policy.kernel is not matern52:
        return False
    kind = type(policy)
    same = all(getattr(kind, name) is getattr(RefittedPolicy, name) for name in AS_THEY_STAND)
    return same and kind.recommend is Policy.recommend


def proposes_here(policy: Any) -> bool:
    """Return True where the host proposes the policy's next point."""
    if type(policy) not in (CorrectedEi, NoisyEi) or not learns_here(policy):
        return False
    effort = policy.effort.effort if isinstance(policy.effort, SnappedEffort) else policy.effort
    return type(effort) in SEARCHES


def updated(policy: Any, state: Hyperparameters, observations: Observations) -> Hyperparameters:
    """The hyperparameters refitted."""
    theta = fit(
        _likelihood(observations),
        _vector(state),
        bounds=policy.bounds(observations),
        starts=policy.fit_starts,
        candidates=policy.fit_candidates,
    )
    return Hyperparameters(*jax.device_put((theta[:-2], np.asarray(theta[-2]), np.asarray(theta[-1]))))


def log_likelihood(theta: Hyperparameters, observations: Observations) -> float:
    """Log-likelihood of the standardised observations."""
    return _likelihood(observations).evaluate(np.log(_vector(theta)))[0]


def proposed(
    policy: Any, step_key: PRNGKeyArray, index: int, state: Hyperparameters, observations: Observations
) -> tuple[Any, Hyperparameters, dict[str, Array]]:
    """The query, the state, and the diagnostics of :meth:`core.policies.improvement.ImprovementPolicy.propose`.

    Raises:
        numpy.linalg.LinAlgError: a covariance that is not positive definite.
    """
    rng = np.random.default_rng([*np.asarray(jax.random.key_data(step_key)).ravel().tolist(), index])
    x, y, known = _rows(observations)
    samples = isinstance(policy, NoisyEi)
    # samples depend on the data as a set, not on their order
    order = np.lexsort((y, *x.T[::-1])) if samples else np.arange(len(y))
    process = Process.fit(x[order], y[order], known[order], _vector(state))
    best = np.argsort(-process.means, kind="stable")[:BEST]
    acquisition: Improvement = (
        NoisyImprovement(process, _normals(rng, policy.fantasies, 2 * len(y)))
        if samples
        else CorrectedImprovement(process, process.x[best[0]])
    )
    point, value = search(policy.effort, rng, acquisition, process.x[best])
    theta = _vector(state)
    info = {
        "acquisition": process.scale * np.exp(value),
        "incumbent": float(order[best[0]]),
        "lengthscale": np.exp(np.mean(np.log(theta[:-2]))),
        "variance": theta[-2],
        "noise_variance": theta[-1],
    }
    return point, state, jax.device_put({name: np.asarray(number) for name, number in info.items()})


def _normals(rng: np.random.Generator, count: int, dim: int) -> Float[np.ndarray, "s m"]:
    """A Latin hypercube of standard normals, shape (count, dim) (McKay, Beckman & Conover 1979)."""
    cells = rng.permuted(np.tile(np.arange(count), (dim, 1)), axis=1).T
    normals: np.ndarray = scipy.special.ndtri((cells + rng.random(cells.shape)) / count)
    return normals


def recommended(state: Hyperparameters, observations: Observations) -> Float[np.ndarray, " d"]:
    """The observed point of largest posterior mean; LinAlgError as :func:`proposed`."""
    process = _process(state, observations)
    point: np.ndarray = process.x[np.argmax(process.means)]
    return point


def predicted(
    state: Hyperparameters, observations: Observations, points: Float[np.ndarray, "p d"]
) -> Float[np.ndarray, " p"]:
    """Posterior means in the unit of y; LinAlgError as :func:`proposed`."""
    return _process(state, observations).mean(points)


def _vector(theta: Hyperparameters) -> Float[np.ndarray, " p"]:
    return np.concatenate([np.ravel(theta.lengthscale), np.ravel(theta.variance), np.ravel(theta.noise_variance)])


def _rows(observations: Observations) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points, outputs and known noise variances of the rows in use."""
    count = int(observations.count)
    x, y, noise = (np.asarray(part)[:count] for part in (observations.x, observations.y, observations.noise_variance))
    return x, y, noise.sum(axis=1)


def _likelihood(observations: Observations) -> Likelihood:
    x, y, known = _rows(observations)
    z, _, scale = standardize_on_host(y)
    return Likelihood(x, z, known / scale / scale)  # the square may be no double


def _process(theta: Hyperparameters, observations: Observations) -> Process:
    return Process.fit(*_rows(observations), _vector(theta))
