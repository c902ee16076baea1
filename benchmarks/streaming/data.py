"""The data that kernel sums stream over."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from core.models.bandwidth import RULES

__all__ = ["CANDIDATES", "DIM", "draw"]

DIM = 3
CANDIDATES = 1024
CONSTANT = 0.1


def draw(count: int, candidates: int = CANDIDATES) -> tuple[Array, Array, Array, Array]:
    """Candidates, x, y, and one bandwidth for all axes, by Scott's rule for so many data."""
    rng = np.random.default_rng(count)
    arrays = rng.random((candidates, DIM)), rng.random((count, DIM)), rng.standard_normal(count)
    left, x, y = (jnp.asarray(array) for array in arrays)
    return left, x, y, RULES["scott_box"](x, CONSTANT)
