"""Compression: levels and sizes by hand, factors against numpy, the table against the compressed network itself."""

import shutil

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.types import Objective
from experiments.data import present
from experiments.workloads.compression import dense
from experiments.workloads.compression.factors import Convolution, convolve, factor_matrix, matrix_shape
from experiments.workloads.compression.problem import Compression
from experiments.workloads.compression.ranks import Levels, saving_ranks

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("shape", [(64, 64), (784, 128), (10, 3), (1, 7), (5, 5), (2, 2)])
def test_saving_ranks_are_those_that_save(shape):
    rows, columns = shape
    saving = [r for r in range(1, 200) if r * (rows + columns) < rows * columns]
    assert saving_ranks(rows, columns) == (max(saving) if saving else 0)


def test_levels_and_sizes_by_hand():
    levels = Levels.of([(6, 4), (4, 10)], others=14, width=5)  # ranks 1, 2 of 10 numbers each; 1, 2 of 14 each
    np.testing.assert_array_equal(levels.count, [3, 3])
    np.testing.assert_array_equal(levels.sizes, [[10, 20, 24, 24, 24], [14, 28, 40, 40, 40]])
    assert float(levels.ratio(jnp.array([0, 1]))) == pytest.approx((10 + 28 + 14) / (24 + 40 + 14))
    assert float(levels.ratio(jnp.array([2, 2]))) == 1.0
    for x, level in ((0.0, 0), (0.3333, 0), (0.3334, 1), (0.67, 2), (1.0, 2)):
        np.testing.assert_array_equal(levels.choose(jnp.full(2, x)), [level, level])
    with pytest.raises(ValueError, match="width: expected at least 3"):
        Levels.of([(6, 4)], 0, width=2)
    with pytest.raises(ValueError, match="shapes: "):
        Levels.of([], 0)


def test_matrix_factors_are_truncated_decompositions():
    weight = RNG.normal(size=(9, 7))
    factors = factor_matrix(weight)
    assert factors.first.shape == (9, 3)  # 3 * 16 < 63
    left, values, right = np.linalg.svd(weight, full_matrices=False)
    for rank in range(1, 4):
        expected = (left[:, :rank] * values[:rank]) @ right[:rank]
        np.testing.assert_allclose(factors.first[:, :rank] @ factors.second[:rank], expected, atol=1e-12)
    np.testing.assert_array_equal(factors.whole, weight)


def correlate(x, kernel, stride):
    """Cross-correlation with zeros around, by its definition."""
    side = kernel.shape[-1] // 2
    padded = np.pad(x, [(0, 0), (0, 0), (side, side), (side, side)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[-2:], axis=(2, 3))
    return np.einsum("bchwij,ncij->bnhw", windows[:, :, ::stride, ::stride], kernel)


@pytest.mark.parametrize("stride", [1, 2])
def test_convolution_factors_are_the_best_of_their_form(stride):
    """Rank r: the convolution with the kernel whose matrix (C k, k N) is truncated; whole at the last level."""
    kernel, x = RNG.normal(size=(4, 3, 3, 3)), RNG.normal(size=(2, 3, 7, 6))
    convolution = Convolution.of(kernel)
    assert matrix_shape(kernel) == (9, 12)
    assert convolution.first.shape == (3, 1, 3, 5)  # 5 * 21 < 108
    matrix = np.array(
        [[[[kernel[n, c, i, j] for n in range(4)] for j in range(3)] for i in range(3)] for c in range(3)]
    )
    left, values, right = np.linalg.svd(matrix.reshape(9, 12), full_matrices=False)
    for level in range(6):
        rank = level + 1
        cut = ((left[:, :rank] * values[:rank]) @ right[:rank]).reshape(3, 3, 3, 4).transpose(3, 0, 1, 2)
        expected = correlate(x, kernel if level == 5 else cut, stride)
        found = convolution(x.transpose(0, 2, 3, 1), level, stride)
        np.testing.assert_allclose(found.transpose(0, 3, 1, 2), expected, atol=1e-12)


@pytest.mark.parametrize("stride", [(1, 1), (2, 2), (2, 1)])
@pytest.mark.parametrize("sides", [(1, 1), (3, 3), (7, 7), (3, 1)])
def test_a_convolution_is_the_same_in_numpy_and_jax_and_by_its_definition(sides, stride):
    kernel, x = RNG.normal(size=(*sides, 3, 4)), RNG.normal(size=(2, 8, 7, 3))
    found = convolve(x, kernel, stride)
    np.testing.assert_allclose(convolve(jnp.asarray(x), jnp.asarray(kernel), stride, jnp), found, atol=1e-12)
    wide = np.zeros((7, 7, 3, 4))  # the same kernel, zeros around
    low = [(7 - side) // 2 for side in sides]
    wide[low[0] : low[0] + sides[0], low[1] : low[1] + sides[1]] = kernel
    every = correlate(x.transpose(0, 3, 1, 2), wide.transpose(3, 2, 0, 1), 1).transpose(0, 2, 3, 1)
    np.testing.assert_allclose(found, every[:, :: stride[0], :: stride[1]], atol=1e-12)


@pytest.fixture(scope="module")
def small():
    """A network of 6-5-4-3 on random images, and its table."""
    weights = [
        (RNG.normal(size=shape).astype(np.float32), RNG.normal(size=shape[1]).astype(np.float32))
        for shape in ((12, 10), (10, 8), (8, 5))
    ]
    x, y = RNG.normal(size=(50, 12)).astype(np.float32), RNG.integers(0, 5, 50)
    return weights, x, y, dense.error_table(weights, x, y)


def test_table_is_the_error_rate_of_the_network_with_factored_layers(small):
    weights, x, y, table = small
    assert table.shape == (6, 5, 4)
    factors = [factor_matrix(matrix) for matrix, _ in weights]
    for level in np.ndindex(table.shape):
        out = x.astype(float)
        for i, (one, (_, bias)) in enumerate(zip(factors, weights, strict=True)):
            whole = level[i] == one.first.shape[1]
            rank = level[i] + 1
            matrix = np.asarray(one.whole if whole else one.first[:, :rank] @ one.second[:rank], float)
            out = out @ matrix + bias[None]
            out = np.maximum(out, 0) if i < 2 else out
        assert table[level] == pytest.approx(np.mean(out.argmax(axis=1) != y), abs=1e-6)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A folder with the table of a network that has just been trained on the digits."""
    folder = tmp_path_factory.mktemp("compression")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("KERNELBO_CACHE", str(folder))
        dense.compression.cache_clear()
        dense.compression("fc3_digits")
    return folder


@pytest.fixture
def digits(learnt, tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    shutil.copytree(learnt, tmp_path, dirs_exist_ok=True)
    dense.compression.cache_clear()
    yield dense.compression("fc3_digits"), tmp_path
    dense.compression.cache_clear()


def test_digits_are_learnt_kept_and_mended(digits, monkeypatch):
    objective, folder = digits
    assert isinstance(objective, Objective)
    assert objective.dim == 3
    x, y, held_x, held_y = dense.images("fc3_digits")
    assert x.shape == (1437, 64)
    assert held_x.shape == (360, 64)
    assert 0.0 <= x.min() < x.max() <= 1.0
    error, ratio = objective.parts(jnp.ones(3))
    assert float(error) < 0.05
    assert float(ratio) == 1.0
    (path,) = (folder / "compression").glob("fc3_digits-*.npz")
    dense.compression.cache_clear()
    monkeypatch.setattr(dense, "trained", None)  # the kept table is used
    np.testing.assert_array_equal(dense.compression("fc3_digits").error.rates, objective.error.rates)
    monkeypatch.undo()
    monkeypatch.setenv("KERNELBO_CACHE", str(folder))
    path.write_bytes(path.read_bytes()[:1000])  # a truncated one is made again
    dense.compression.cache_clear()
    np.testing.assert_array_equal(dense.compression("fc3_digits").error.rates, objective.error.rates)


def test_optimum_is_the_best_value_anywhere(digits):
    objective, _ = digits
    best = dense.optimum(objective)
    levels = np.asarray(objective.levels.count)
    middles = (np.stack(np.meshgrid(*map(np.arange, levels), indexing="ij"), axis=-1).reshape(-1, 3) + 0.5) / levels
    values = np.asarray(jax.jit(lambda points: jax.lax.map(objective.value, points))(jnp.asarray(middles)))
    assert values.max() == pytest.approx(best, abs=1e-12)
    assert len(values) == 5632
    with pytest.raises(ValueError, match="table"):
        dense.optimum(Compression(objective.levels, lambda level: 0.5))


def test_observations_have_the_binomial_law():
    """Mean, variance and the numbers of images of 20,000 observations of an error rate of 0.3."""
    levels = Levels.of([(6, 4)], 0)
    objective = Compression(levels, lambda level: jnp.asarray(0.3))
    x = jnp.zeros(1)
    y, variance = jax.jit(jax.vmap(lambda key: objective.observe(key, x)))(jax.random.split(jax.random.key(0), 20_000))
    ratio = 10 / 24
    assert float(objective.value(x)) == pytest.approx(-(0.3 + ratio))
    sizes = np.round(0.21 / np.asarray(variance)).astype(int)
    assert (sizes.min(), sizes.max()) == (20, 50)
    errors = -(np.asarray(y) + ratio) * sizes
    np.testing.assert_allclose(errors, np.round(errors), atol=1e-9)
    scores = (np.asarray(y) + 0.3 + ratio) / np.sqrt(np.asarray(variance))
    assert abs(scores.mean()) < 4 / np.sqrt(20_000)
    assert abs(scores.var() - 1) < 4 * np.sqrt(2 / 20_000)
    assert abs(np.mean(sizes) - 35) < 4 * np.sqrt((31**2 - 1) / 12 / 20_000)


@pytest.mark.skipif(present("mnist_test.npz") is None, reason="mnist_test.npz is not on this machine")
def test_mnist_is_split_as_stated():
    x, y, held_x, held_y = dense.images("fc3_mnist")
    assert x.shape == (8000, 784)
    assert held_x.shape == (2000, 784)
    assert sorted(np.unique(np.concatenate([y, held_y]))) == list(range(10))
    assert x.max() == 1.0
