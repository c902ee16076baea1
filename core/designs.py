"""Initial designs, drawn on the host from explicit keys: the same key gives every policy the same start."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key, PRNGKeyArray

__all__ = ["DESIGNS", "default_initial_size", "initial_design", "initial_designs", "seed_keys"]

DESIGNS = ("lhs", "sobol", "uniform")


def default_initial_size(dim: int) -> int:
    """Points observed before the first proposal: ``max(5, 2 d + 1)``; the paper leaves it open."""
    return max(5, 2 * dim + 1)


def seed_keys(seeds: list[int] | tuple[int, ...] | range) -> Key[Array, " s"]:
    """One key a seed, independent of which other seeds run beside it.

    Raises:
        ValueError: a seed that is not an integer from 0 to 2**32 - 1.
    """
    numbers = list(seeds)
    if not all(isinstance(seed, int | np.integer) and 0 <= seed < 2**32 for seed in numbers):
        raise ValueError(f"seeds must be integers from 0 to 2**32 - 1, got {numbers}")
    return jax.vmap(jax.random.key)(jnp.asarray(numbers, dtype=jnp.uint32))


def initial_design(key: PRNGKeyArray, size: int, dim: int, design: str = "lhs") -> Float[Array, "n d"]:
    """``size`` points of the unit cube: Latin hypercube, scrambled Sobol or uniform.

    The hypercube is that of ``scipy.stats.qmc.LatinHypercube``, number for number: one uniform point in each of
    ``size`` equal slices of every coordinate, matched at random. It is drawn without scipy.stats, whose import would
    take a third of the time to a first proposal; the Sobol points are scipy's own.

    Raises:
        ValueError: size or dim below 1, or an unknown design.
    """
    if size < 1 or dim < 1:
        raise ValueError(f"size and dim must be at least 1, got {size} and {dim}")
    if design not in DESIGNS:
        raise ValueError(f"design must be one of {DESIGNS}, got {design!r}")
    rng = np.random.default_rng(np.asarray(jax.random.key_data(key)).ravel())
    if design == "lhs":
        (rng,) = rng.spawn(1)
        depths = rng.random((size, dim))
        slices = np.stack([rng.permutation(size) for _ in range(dim)], axis=1)
        return jax.device_put((1 + slices - depths) / size)  # jnp.asarray compiles a program
    if design == "sobol":
        from scipy.stats import qmc

        exponent = int(np.ceil(np.log2(size)))
        return jnp.asarray(qmc.Sobol(dim, rng=rng).random_base2(exponent)[:size])
    return jnp.asarray(rng.random((size, dim)))


def initial_designs(keys: Key[Array, " s"], size: int, dim: int, design: str = "lhs") -> Float[Array, "s n d"]:
    """One design a key, stacked; see :func:`initial_design`."""
    return jnp.stack([initial_design(key, size, dim, design) for key in keys])
