"""Nine observations, a dense grid, one compiled step and weights in numpy, for the tests of single methods."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from core.policies import SearchEffort, make
from core.types import Observations
from tests.core.helpers import sample_data

EFFORT = SearchEffort.of(2, raw_candidates=256, starts=6)
SIDE = np.linspace(0.0, 1.0, 301)
GRID = np.stack(np.meshgrid(SIDE, SIDE), -1).reshape(-1, 2)
X, Y = sample_data(9, 2, 31)
Z = (Y - Y.mean()) / Y.std()
OBSERVATIONS = Observations.of(jnp.asarray(X), jnp.asarray(Y), capacity=12)
SCOTT = 2**0.5 * 9 ** (-1 / 6)
STEP = eqx.filter_jit(lambda policy, data: policy.propose(jax.random.key(0), (), data))  # for memoryless policies


def program(**options: Any) -> Callable[..., tuple]:
    """One step, compiled once for all policies that differ in numbers only; traced anew by every program made."""
    step = lambda policy, key, data: policy.propose(key, policy.init(key), data)  # noqa: E731
    return eqx.filter_jit(step, **options)  # type: ignore[no-any-return]


SHARED = program()


def propose(
    name: str,
    observations: Observations = OBSERVATIONS,
    seed: int = 0,
    compiled: Callable[..., tuple] = SHARED,
    **options: object,
) -> tuple:
    """Query and diagnostics of one compiled step."""
    policy = make(name, 2, effort=EFFORT, **options)
    query, _, info = compiled(policy, jax.random.key(seed), observations)
    return np.asarray(query), {name: float(value) for name, value in info.items()}


def gaussian_weights(points: np.ndarray, h: float | np.ndarray) -> np.ndarray:
    squared = (((points[:, None] - X[None]) / h) ** 2).sum(-1)
    return np.exp(-squared / 2)
