"""Initial designs depend on explicit keys alone, and are in the cube and stratified."""

import jax
import numpy as np
import pytest
from scipy.stats import qmc

from core.designs import DESIGNS, default_initial_size, initial_design, initial_designs, seed_keys


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("size", "dim"), [(1, 1), (5, 2), (13, 8)])
def test_shape_range_and_reproducibility(design: str, size: int, dim: int) -> None:
    key = jax.random.key(3)
    points = np.asarray(initial_design(key, size, dim, design))
    assert points.shape == (size, dim)
    assert np.all((points >= 0) & (points < 1))
    np.testing.assert_array_equal(points, initial_design(key, size, dim, design))
    assert not np.array_equal(points, initial_design(jax.random.key(4), size, dim, design))


def test_latin_hypercubes_have_one_point_a_stratum() -> None:
    points = np.asarray(initial_design(jax.random.key(0), 9, 4))
    for column in points.T:
        assert sorted(np.floor(9 * column).astype(int)) == list(range(9))


@pytest.mark.parametrize(("size", "dim"), [(1, 1), (5, 2), (21, 10)])
def test_latin_hypercubes_are_scipys(size: int, dim: int) -> None:
    for seed in range(5):
        key = jax.random.key(seed)
        rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
        np.testing.assert_array_equal(initial_design(key, size, dim), qmc.LatinHypercube(dim, rng=rng).random(size))


def test_a_seeds_design_does_not_depend_on_the_block() -> None:
    block = initial_designs(seed_keys([5, 1, 9]), 4, 2)
    alone = initial_designs(seed_keys([9]), 4, 2)
    np.testing.assert_array_equal(block[2], alone[0])


def test_seed_keys_are_the_keys_of_the_seeds() -> None:
    keys = seed_keys((0, 7, 2**32 - 1))
    assert keys.shape == (3,)
    np.testing.assert_array_equal(jax.random.key_data(keys[1]), jax.random.key_data(jax.random.key(7)))


def test_default_size() -> None:
    assert [default_initial_size(dim) for dim in (1, 2, 3, 8)] == [5, 5, 7, 17]


def test_bad_arguments() -> None:
    key = jax.random.key(0)
    with pytest.raises(ValueError, match=r"size and dim must be at least 1, got 0 and 2"):
        initial_design(key, 0, 2)
    with pytest.raises(ValueError, match=r"design must be one of .*got 'latin'"):
        initial_design(key, 3, 2, "latin")
