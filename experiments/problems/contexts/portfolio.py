"""Portfolio optimisation: posterior mean of a Gaussian process fitted to 3,000 simulated returns.

Three decisions (risk and trade aversion, holding cost multiplier) and two contexts (bid-ask spread, borrowing cost),
all scaled to the unit interval. The simulations are those of Cakmak, Astudillo, Frazier & Zhou, "Bayesian optimization
of risk measures" (NeurIPS 2020); they are not part of this project (`experiments.data`). The process has a constant
mean and a Matern-5/2 kernel with one lengthscale a coordinate, on standardised returns, and is conditioned on all
simulations; its constants are maximum-likelihood estimates from all of them (22 iterations of L-BFGS, variance at most
exp(6), where it ended), rounded and written down here so that the function is the same everywhere.
"""

import functools
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy import linalg

from core.models.kernels import STATIONARY
from experiments.problems.checks import require

__all__ = ["FILE", "PortfolioReturn", "load_portfolio"]

FILE = "portfolio_evaluations.npz"
"""In `experiments.data.CATALOGUE`."""

LENGTHSCALE = (0.835, 21.0, 0.824, 1.42, 1.24)
VARIANCE = 403.0
NOISE_VARIANCE = 9.1e-7
"""On standardised returns."""

_KERNEL = STATIONARY["matern52"]


class PortfolioReturn(eqx.Module):
    """Posterior mean at (x, c), in the unit of the simulated returns.

    Attributes:
        points: simulated (x, c), shape (n, 5).
        weights: ``(K + noise I)^-1`` times the standardised returns, shape (n,).
        mean, scale: of the simulated returns.
    """

    points: Float[Array, "n 5"]
    weights: Float[Array, " n"]
    mean: Float[Array, ""]
    scale: Float[Array, ""]

    def __call__(self, x: Float[Array, "3"], c: Float[Array, "2"]) -> Float[Array, ""]:
        """``mean + scale k(z)^T (K + noise I)^-1 y``, z = (x, c)."""
        return self.mean + self.scale * (_row(jnp.concatenate([x, c]), self.points) @ self.weights)


def _row(z: Float[Array, "5"], points: Float[Array, "n 5"]) -> Float[Array, " n"]:
    """Kernel between z and the points."""
    covariance = functools.partial(_KERNEL, lengthscale=jnp.asarray(LENGTHSCALE), variance=jnp.asarray(VARIANCE))
    return jax.vmap(covariance, (None, 0))(z, points)


@jax.jit
def _gram(points: Float[Array, "n 5"]) -> Float[Array, "n n"]:
    return jax.vmap(_row, (0, None))(points, points)


@functools.lru_cache(maxsize=2)
def load_portfolio(path: Path) -> PortfolioReturn:
    """The process fitted to the evaluations in a file.

    Raises:
        ValueError: arrays of other shapes, inputs outside the unit cube, or values that are not finite.
    """
    with np.load(path) as data:
        require({"x", "y"} <= set(data.files), f"{path}: expected arrays x and y, got {sorted(data.files)}")
        x, y = np.asarray(data["x"], float), np.asarray(data["y"], float)
    fits = x.ndim == 2 and x.shape[1] == 5 and y.shape == x.shape[:1] and len(y) > 1
    require(fits, f"{path}: expected x of shape (n, 5) and y of shape (n,), got {x.shape} and {y.shape}")
    finite = bool(np.all(np.isfinite(y)) and np.all((x >= 0) & (x <= 1)) and y.std() > 0)
    require(finite, f"{path}: expected x in the unit cube and finite y that vary")
    gram = np.array(_gram(jnp.asarray(x)))
    gram[np.diag_indices_from(gram)] += NOISE_VARIANCE
    weights = linalg.cho_solve(linalg.cho_factor(gram, lower=True), (y - y.mean()) / y.std())
    return PortfolioReturn(jnp.asarray(x), jnp.asarray(weights), jnp.asarray(y.mean()), jnp.asarray(y.std()))
