"""Portfolio optimisation: posterior mean of the return, by a Gaussian process fitted to 3,000 simulations.

Three decisions (risk and trade aversion, holding cost multiplier) and two contexts (bid-ask spread, borrowing cost),
all scaled to the unit interval. The simulations are those of Cakmak, Astudillo, Frazier & Zhou, "Bayesian optimization
of risk measures" (NeurIPS 2020); they are not part of this project (`experiments.data`). Their y is *minus* the return,
a loss: the runs of Paper C maximise minus the posterior mean (`main.py`: ``negate=not Minimization``), and so do ours.

The process is the published one (`Benchmark/portfolio_surrogate_state_dict.pt` of the public code), its constants to
three digits: constant mean and Matern-5/2 kernel with one lengthscale a coordinate, on y standardised with the sample
standard deviation (n - 1), conditioned on all simulations. Constants half a unit of the third digit off move the
expectation at its maximisers by at most 0.004 (uniform contexts) and 0.008 (normal).
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

__all__ = ["FILE", "PAPER_OPTIMA", "PortfolioReturn", "load_portfolio"]

FILE = "portfolio_evaluations.npz"
"""The file's name in `experiments.data.CATALOGUE`."""

LENGTHSCALE = (0.223, 7.78, 0.263, 0.524, 2.52)
VARIANCE = 4.62
NOISE_VARIANCE = 0.0137
MEAN = -0.566
"""The constants of the process, on the standardised losses."""

PAPER_OPTIMA = {"portfolio_uniform": 20.0, "portfolio_normal": 22.0}
"""The optima from which the public code takes its regret. They exceed the largest expectations, so that each round adds
a constant to the regret (`experiments.problems.contexts.registry` has our optima)."""

_KERNEL = STATIONARY["matern52"]


class PortfolioReturn(eqx.Module):
    """Posterior mean of the return at (x, c), in the unit of the simulations.

    Attributes:
        points: simulated (x, c), shape (n, 5).
        weights: minus the scale of the losses times ``(K + noise I)^-1 (y - MEAN)``, y standardised; shape (n,).
        mean: prior mean of the return.
    """

    points: Float[Array, "n 5"]
    weights: Float[Array, " n"]
    mean: Float[Array, ""]

    def __call__(self, x: Float[Array, "3"], c: Float[Array, "2"]) -> Float[Array, ""]:
        """``mean + k(z)^T weights``, z = (x, c)."""
        return self.mean + _row(jnp.concatenate([x, c]), self.points) @ self.weights


def _row(z: Float[Array, "5"], points: Float[Array, "n 5"]) -> Float[Array, " n"]:
    """Kernel between z and the points."""
    covariance = functools.partial(_KERNEL, lengthscale=jnp.asarray(LENGTHSCALE), variance=jnp.asarray(VARIANCE))
    return jax.vmap(covariance, (None, 0))(z, points)


@jax.jit
def _gram(points: Float[Array, "n 5"]) -> Float[Array, "n n"]:
    return jax.vmap(_row, (0, None))(points, points)


@functools.lru_cache(maxsize=2)
def load_portfolio(path: Path) -> PortfolioReturn:
    """The published process, conditioned on the losses in a file.

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
    scale = y.std(ddof=1)
    gram = np.array(_gram(jnp.asarray(x)))
    gram[np.diag_indices_from(gram)] += NOISE_VARIANCE
    weights = linalg.cho_solve(linalg.cho_factor(gram, lower=True), (y - y.mean()) / scale - MEAN)
    return PortfolioReturn(jnp.asarray(x), jnp.asarray(-scale * weights), jnp.asarray(-(y.mean() + scale * MEAN)))
