"""Quasi-random normal vectors under ``jit``: a scrambled Sobol sequence made on the host, shifted by a JAX key.

The unscrambled sequence will not do: a few of its points in hundreds of dimensions are the same permutations over and
over, so that coordinates come in copies. One fixed scrambling (Owen 1998, in scipy's form) cures that; the uniform
shift modulo one (Cranley & Patterson 1976) makes every point uniform, and averages unbiased, given the key.
"""

import jax.numpy as jnp
import numpy as np
from jax.scipy.special import ndtri
from jaxtyping import Array, Float, PRNGKeyArray

from core.search.maximize import shift_lattice

__all__ = ["quasi_normals"]

_SCRAMBLING = 20231111  # seeds the one fixed scrambling
_EDGE = 2.0**-53


def quasi_normals(key: PRNGKeyArray, count: int, dim: int) -> Float[Array, "s d"]:
    """``count`` points in ``dim`` dimensions, each standard normal, evenly spread together.

    Raises:
        ValueError: count or dim below 1, or more dimensions than the Sobol sequence has (21,201).
    """
    from scipy.stats import qmc  # imported at first use, because the import takes as long as that of JAX

    if count < 1 or not 1 <= dim <= qmc.Sobol.MAXDIM:
        raise ValueError(f"count must be at least 1 and dim between 1 and {qmc.Sobol.MAXDIM}, got {count} and {dim}")
    sampler = qmc.Sobol(dim, scramble=True, rng=np.random.default_rng(_SCRAMBLING))
    exponent = int(np.ceil(np.log2(count)))
    lattice = jnp.asarray(sampler.random_base2(exponent)[:count])
    return ndtri(jnp.clip(shift_lattice(key, lattice), _EDGE, 1.0 - _EDGE))
