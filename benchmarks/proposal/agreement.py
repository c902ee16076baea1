"""Do both sides solve the same problem? The same posterior on the same data, and a maximum no worse than the peer's."""

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.proposal import peer
from benchmarks.proposal.task import ProposalSettings
from core.acquisition.gp_ucb import gp_ucb
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import squared_exponential

__all__ = ["POSTERIOR_TOLERANCE", "UCB_TOLERANCE", "agreement"]

POSTERIOR_TOLERANCE = 1e-8
UCB_TOLERANCE = 1e-6  # tolerance as a share of the acquisition's range over the raw candidates


def agreement(
    x: np.ndarray, y: np.ndarray, constants: peer.Constants, settings: ProposalSettings, trials: int = 3
) -> dict[str, float | bool]:
    """Largest differences of posterior mean and variance, and how far our best bound falls below theirs.

    Args:
        x, y: data in the unit cube, shapes (t, d), (t,).
        constants: the hyperparameters, used by both sides.
        settings: the search effort.
        trials: searches of the peer (it draws its starts at random); ours must be as good as the best.

    Returns:
        ``mean_difference``, ``variance_difference``, ``shortfall`` (of the acquisition's range; negative where ours is
        better), ``agree``.
    """
    z = (y - y.mean()) / y.std()
    dim = x.shape[1]
    points = np.random.default_rng(len(y)).random((256, dim))
    process = GaussianProcess.fit(
        jnp.asarray(x),
        jnp.asarray(z),
        squared_exponential,
        jnp.full(dim, constants.lengthscale),
        1.0,
        constants.noise_variance,
    )
    mean, variance = jax.vmap(process.mean_and_variance)(jnp.asarray(points))
    their_mean, their_variance = peer.posterior(x, z, points, constants)
    mean_difference = float(np.max(np.abs(np.asarray(mean) - their_mean)))
    variance_difference = float(np.max(np.abs(np.asarray(variance) - their_variance)))

    effort = settings.effort(dim)
    search = jax.jit(lambda key: effort.maximize(key, lambda point: gp_ucb(point, process, constants.beta)))
    ours = float(search(jax.random.key(len(y))).value)
    scores = jax.vmap(lambda point: gp_ucb(point, process, constants.beta))(effort.lattice)
    points_found = (
        peer.best_of_acquisition(x, z, constants, seed=trial, **settings.peer_effort()) for trial in range(trials)
    )
    theirs = max(float(gp_ucb(jnp.asarray(point), process, constants.beta)) for point in points_found)
    shortfall = (theirs - ours) / float(jnp.max(scores) - jnp.min(scores))
    return {
        "mean_difference": mean_difference,
        "variance_difference": variance_difference,
        "shortfall": shortfall,
        "agree": max(mean_difference, variance_difference) <= POSTERIOR_TOLERANCE and shortfall <= UCB_TOLERANCE,
    }
