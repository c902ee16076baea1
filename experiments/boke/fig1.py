"""Figure 1: kernel regression of function A (9) from 10 noisy samples at a small, a cross-validated, a large bandwidth.

f(x) = −e^{−1.4x} cos(3.5πx) on [0, 1], noise N(0, 0.01) (a variance). Gaussian kernel. The middle bandwidth minimises
the leave-one-out error (1/n) Σᵢ (yᵢ − m₋ᵢ(xᵢ))² over `BANDWIDTH_GRID`. The paper gives neither the design nor the small
and large bandwidths: we draw a Latin hypercube and fix both bandwidths before the draw.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from core.designs import initial_designs, seed_keys
from core.models.regression import kernel_regression
from experiments import problems
from experiments.engine.study import Cell, Study
from experiments.problems.noise import GaussianNoise

SAMPLE_SIZE = 10
NOISE_VARIANCE = 0.01
TOO_SMALL, TOO_LARGE = 0.01, 0.3
BANDWIDTH_GRID = np.geomspace(0.005, 1.0, 60)
EVALUATION_GRID = np.linspace(0.0, 1.0, 501)
SEEDS = {"smoke": 3, "quick": 10, "paper": 30}


def leave_one_out_error(x: Float[Array, "n d"], y: Float[Array, " n"], bandwidth: Float[Array, ""]) -> Float[Array, ""]:
    """Mean squared error of predicting each observation from all the others."""
    others = ~jnp.eye(x.shape[0], dtype=bool)
    predicted = jax.vmap(lambda point, mask: kernel_regression(point, x, y, bandwidth, mask=mask))(x, others)
    return jnp.mean((y - predicted) ** 2)


def _one_seed(x: Float[Array, "n 1"], y: Float[Array, " n"]) -> dict[str, Array]:
    candidates = jnp.asarray(BANDWIDTH_GRID)
    score = jax.vmap(leave_one_out_error, in_axes=(None, None, 0))(x, y, candidates)
    bandwidths = jnp.stack([jnp.asarray(TOO_SMALL), candidates[jnp.argmin(score)], jnp.asarray(TOO_LARGE)])
    over_grid = jax.vmap(kernel_regression, in_axes=(0, None, None, None))
    mean = jax.vmap(over_grid, in_axes=(None, None, None, 0))(jnp.asarray(EVALUATION_GRID)[:, None], x, y, bandwidths)
    return {"bandwidth": bandwidths, "cv_score": score, "mean": mean}


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `x`, `y (s,10)`, `bandwidth (s,3)`, `mean (s,3,G)`, `cv_score (s,C)`; shared `grid, truth, cv_grid`."""
    objective = problems.get(cell.problem, noise=GaussianNoise(NOISE_VARIANCE**0.5))
    design_keys, noise_keys = jnp.unstack(jax.vmap(jax.random.split)(seed_keys(cell.seeds)), axis=1)
    x = initial_designs(design_keys, SAMPLE_SIZE, 1)

    def observe(key: PRNGKeyArray, points: Float[Array, "n 1"]) -> Float[Array, " n"]:
        return jax.vmap(lambda k, point: objective.observe(k, point)[0])(jax.random.split(key, SAMPLE_SIZE), points)

    y = jax.jit(jax.vmap(observe))(noise_keys, x)
    arrays = {name: np.asarray(value) for name, value in jax.jit(jax.vmap(_one_seed))(x, y).items()}
    truth = jax.vmap(objective.value)(jnp.asarray(EVALUATION_GRID)[:, None])
    shared = {"grid": EVALUATION_GRID, "truth": np.asarray(truth), "cv_grid": BANDWIDTH_GRID}
    return {"x": np.asarray(x)[:, :, 0], "y": np.asarray(y), **arrays, **shared}


STUDY = Study(
    __name__,
    title="Kernel regression at three bandwidths",
    caption=(
        "Kernel regression of function A (9) from ten noisy samples at a bandwidth that is too small, the one that "
        "leave-one-out cross-validation chooses, and one that is too large."
    ),
    cells=lambda scale: [Cell("eq9", "kernel_regression", tuple(range(SEEDS[scale])))],
    run=run,
)
