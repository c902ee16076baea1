"""The data that kernel sums stream over."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from core.models.bandwidth import scott
from core.policies.constants import BANDWIDTH

__all__ = ["CANDIDATES", "DIM", "draw"]

DIM = 3
CANDIDATES = 1024


def draw(count: int, candidates: int = CANDIDATES) -> tuple[Array, Array, Array, Array]:
    """Candidates, x, y, and the bandwidth by Scott's rule for so many of them."""
    rng = np.random.default_rng(count)
    arrays = rng.random((candidates, DIM)), rng.random((count, DIM)), rng.standard_normal(count)
    left, x, y = (jnp.asarray(array) for array in arrays)
    return left, x, y, scott(count, DIM, BANDWIDTH)
