"""The maximiser against scipy's L-BFGS-B from the same starts, on 256 random acquisitions of BOKE and GP-UCB.

The problems of dimension 1 to 8 share one program a family: all live in the cube of dimension 8, where the acquisition
ignores the coordinates beyond d. Their gradients are zero there, so BFGS takes the steps that it takes in dimension d.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import minimize

from core.acquisition.boke import ikr_ucb
from core.acquisition.gp_ucb import gp_ucb
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import squared_exponential
from core.search.maximize import Maximum, candidate_lattice, maximize, shift_lattice

LARGEST = 8
DIMENSIONS = range(1, LARGEST + 1)
PER_DIMENSION, POINTS, CANDIDATES, STARTS = 16, 40, 512, 8
TOLERANCE = 1e-6  # of the range of the raw candidates
REQUIRED = 0.99


def problem(key: jax.Array, active: jax.Array) -> tuple[jax.Array, ...]:
    """Data from a random sum of sines, a bandwidth and a beta from wide log-uniform ranges."""
    keys = jax.random.split(key, 5)
    x = jax.random.uniform(keys[0], (POINTS, LARGEST)) * active[None]
    waves = x @ (3.0 * jax.random.normal(keys[1], (LARGEST, 3)))
    y = jnp.sum(jnp.sin(waves + 6.0 * jax.random.uniform(keys[4], (1, 3))), -1)
    bandwidth = jnp.exp(jax.random.uniform(keys[2], (), minval=jnp.log(0.08), maxval=jnp.log(0.6)))
    beta = jnp.exp(jax.random.uniform(keys[3], (), minval=jnp.log(0.01), maxval=jnp.log(9.0)))
    return x, (y - y.mean()) / y.std(), bandwidth, beta


def boke(x: jax.Array, data: tuple[jax.Array, ...]) -> jax.Array:
    return ikr_ucb(x, *data)


def gaussian_process(x: jax.Array, data: tuple[GaussianProcess, jax.Array]) -> jax.Array:
    return gp_ucb(x, *data)


def prepare_gaussian_process(x: jax.Array, y: jax.Array, bandwidth: jax.Array, beta: jax.Array) -> tuple:
    lengthscale = jnp.broadcast_to(1.5 * bandwidth, x.shape[1:])
    return GaussianProcess.fit(x, y, squared_exponential, lengthscale, 1.0, 0.01), beta


FAMILIES: dict[str, tuple[Callable, Callable]] = {
    "boke": (boke, lambda *data: data),
    "gp_ucb": (gaussian_process, prepare_gaussian_process),
}


def lattices() -> np.ndarray:
    """Sobol candidates of every dimension, zero beyond it."""
    padded = np.zeros((len(DIMENSIONS), CANDIDATES, LARGEST))
    for row, dim in enumerate(DIMENSIONS):
        padded[row, :, :dim] = candidate_lattice(CANDIDATES, dim)
    return padded


def shortfalls(family: str) -> np.ndarray:
    """(scipy's best - ours) / range, shape (dimensions, acquisitions)."""
    acquisition, prepare = FAMILIES[family]

    def run(key: jax.Array, lattice: jax.Array, active: jax.Array) -> tuple[Maximum, tuple, jax.Array, jax.Array]:
        data = prepare(*problem(key, active))
        candidates = shift_lattice(key, lattice) * active[None]
        values = jax.vmap(lambda x: acquisition(x * active, data))(candidates)
        found = maximize(lambda x: acquisition(x * active, data), candidates, starts=STARTS)
        return found, data, candidates[jax.lax.top_k(values, STARTS)[1]], values.max() - values.min()

    keys = jax.random.split(jax.random.key(7), (len(DIMENSIONS), PER_DIMENSION))
    active = jnp.tril(jnp.ones((LARGEST, LARGEST)))
    over_keys = jax.vmap(run, in_axes=(0, None, None))
    found, data, starts, ranges = jax.jit(jax.vmap(over_keys))(keys, jnp.asarray(lattices()), active)
    assert bool(jnp.all(found.value >= found.raw_value))
    slopes = jax.value_and_grad(acquisition)
    compiled = jax.jit(lambda x, one: jnp.hstack(slopes(x, one)))  # one array: a call costs more than what it computes

    def best_of_scipy(one: tuple, points: np.ndarray, dim: int) -> float:
        padded = np.zeros(LARGEST)

        def negative(x: np.ndarray) -> tuple[float, np.ndarray]:
            padded[:dim] = x
            found = -np.asarray(compiled(padded, one))
            return float(found[0]), found[1 : 1 + dim]

        options = {"ftol": 1e-14, "gtol": 1e-9, "maxiter": 500}
        box = [(0.0, 1.0)] * dim
        runs = [minimize(negative, p[:dim], jac=True, method="L-BFGS-B", bounds=box, options=options) for p in points]
        return -min(result.fun for result in runs)

    data = jax.tree.map(np.asarray, data)
    best = np.zeros(keys.shape)
    for row, dim in enumerate(DIMENSIONS):
        for index in range(PER_DIMENSION):
            one = jax.tree.map(lambda leaf, at=(row, index): jnp.asarray(leaf[at]), data)
            best[row, index] = best_of_scipy(one, np.asarray(starts[row, index]), dim)
    return (best - np.asarray(found.value)) / np.asarray(ranges)


@pytest.mark.slow
def test_at_least_99_percent_reach_scipys_best_from_the_same_starts() -> None:
    gaps = np.stack([shortfalls(family) for family in FAMILIES])
    missed = {tuple(where): gaps[tuple(where)] for where in np.argwhere(gaps > TOLERANCE).tolist()}
    reached = 1 - len(missed) / gaps.size
    assert gaps.size == 256
    assert reached >= REQUIRED, f"{reached:.2%}; missed (family, dimension - 1, acquisition): {missed}"
