"""Figure 2: kernel density of 30 draws from a beta mixture, at a small, a cross-validated and a large bandwidth.

Density: p(x) = 0.7 Beta(3, 8) + 0.3 Beta(10, 2); estimate p̂(x) = W(x) / (√(2π) h t), Gaussian kernel. The middle
bandwidth maximises the leave-one-out log-likelihood Σᵢ log p̂₋ᵢ(xᵢ) over `BANDWIDTH_GRID`. The paper gives neither the
small nor the large bandwidth: ours are fixed before the draw.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray
from scipy import stats

from core.designs import seed_keys
from core.models.density import log_density, normalized_density_1d
from experiments.engine.study import Cell, Study

SAMPLE_SIZE = 30
COMPONENTS = ((0.7, 3.0, 8.0), (0.3, 10.0, 2.0))
"""The weight and the two parameters of each beta component."""

TOO_SMALL, TOO_LARGE = 0.004, 0.3
BANDWIDTH_GRID = np.geomspace(0.004, 0.5, 60)
EVALUATION_GRID = np.linspace(0.0, 1.0, 501)
SEEDS = {"smoke": 3, "quick": 10, "paper": 30}


def mixture_density(x: np.ndarray) -> np.ndarray:
    """p(x) of the module's docstring."""
    return np.sum([weight * stats.beta(a, b).pdf(x) for weight, a, b in COMPONENTS], axis=0)


def draw_mixture(key: PRNGKeyArray, count: int) -> Float[Array, " n"]:
    """`count` independent draws from the mixture."""
    component_key, *value_keys = jax.random.split(key, 1 + len(COMPONENTS))
    first = jax.random.uniform(component_key, (count,)) < COMPONENTS[0][0]
    draws = [jax.random.beta(k, a, b, (count,)) for k, (_, a, b) in zip(value_keys, COMPONENTS, strict=True)]
    return jnp.where(first, draws[0], draws[1])


def leave_one_out_log_likelihood(data: Float[Array, " n"], bandwidth: Float[Array, ""]) -> Float[Array, ""]:
    """Σᵢ log p̂₋ᵢ(xᵢ), where p̂₋ᵢ is the normalised density estimate without the i-th draw."""
    count = data.shape[0]
    others = ~jnp.eye(count, dtype=bool)
    log_weight = jax.vmap(lambda x, mask: log_density(x, data[:, None], bandwidth, mask=mask))(data[:, None], others)
    return jnp.sum(log_weight - jnp.log(math.sqrt(2.0 * math.pi) * bandwidth * (count - 1)))


def _one_seed(key: PRNGKeyArray) -> dict[str, Array]:
    data = draw_mixture(key, SAMPLE_SIZE)
    candidates = jnp.asarray(BANDWIDTH_GRID)
    score = jax.vmap(leave_one_out_log_likelihood, in_axes=(None, 0))(data, candidates)
    bandwidths = jnp.stack([jnp.asarray(TOO_SMALL), candidates[jnp.argmax(score)], jnp.asarray(TOO_LARGE)])
    over_grid = jax.vmap(normalized_density_1d, in_axes=(0, None, None))
    density = jax.vmap(over_grid, in_axes=(None, None, 0))(jnp.asarray(EVALUATION_GRID), data, bandwidths)
    return {"x": data, "bandwidth": bandwidths, "cv_score": score, "density": density}


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `x (s,30)`, `bandwidth (s,3)`, `density (s,3,G)`, `cv_score (s,C)`; shared `grid`, `truth`, `cv_grid`."""
    arrays = {name: np.asarray(value) for name, value in jax.jit(jax.vmap(_one_seed))(seed_keys(cell.seeds)).items()}
    shared = {"grid": EVALUATION_GRID, "truth": mixture_density(EVALUATION_GRID), "cv_grid": BANDWIDTH_GRID}
    return {**arrays, **shared}


STUDY = Study(
    __name__,
    title="Kernel density at three bandwidths",
    caption=(
        "Normalised kernel density of thirty draws from 0.7 Beta(3, 8) + 0.3 Beta(10, 2) at a bandwidth that is too "
        "small, the one that leave-one-out likelihood chooses, and one that is too large."
    ),
    cells=lambda scale: [Cell("beta_mixture", "kernel_density", tuple(range(SEEDS[scale])))],
    run=run,
)
