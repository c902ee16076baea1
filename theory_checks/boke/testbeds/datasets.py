"""Small datasets with many ties, and `core`'s values as the bandwidth goes to zero."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st

from core.models.density import density
from core.models.kernels import SMOOTHING
from core.models.regression import kernel_regression

BANDWIDTHS = tuple(10.0**-k for k in range(13))
"""The bandwidths h, from 1 down to 1e-12."""
POINTS, DIMENSIONS = 12, 64
"""The largest number of points and dimension; smaller datasets are masked, and padded with equal coordinates."""


@dataclass(frozen=True)
class Dataset:
    """A query point x (d,), data points (n, d) and their values (n,); floats stand for their exact binary values."""

    x: np.ndarray
    data_x: np.ndarray
    data_y: np.ndarray

    @property
    def size(self) -> tuple[int, int]:
        """(points, dimension): the order in which counterexamples are simple."""
        return self.data_x.shape[0], self.data_x.shape[1]


@st.composite
def datasets(draw: st.DrawFn, dimensions: Sequence[int] = (1, 2, 3, 8, DIMENSIONS)) -> Dataset:
    """Datasets with ties, duplicates, x on data points and bisectors, values of very small and very large units."""
    count, dim = draw(st.integers(1, POINTS)), draw(st.sampled_from(tuple(dimensions)))
    kind = draw(st.sampled_from(("drawn lattice", "random lattice", "continuous")))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if kind == "drawn lattice" and dim <= 3:
        cells = st.lists(st.integers(-4, 4), min_size=dim, max_size=dim)
        data_x = np.array(draw(st.lists(cells, min_size=count, max_size=count)), float) / 4
        free = np.array(draw(cells), float) / 4
    elif kind == "continuous":
        data_x, free = random.uniform(-1.0, 1.0, (count, dim)), random.uniform(-1.0, 1.0, dim)
    else:
        data_x, free = random.integers(-1, 2, (count, dim)) / 4, random.integers(-2, 3, dim) / 8
    for source, target in draw(st.lists(st.tuples(*[st.integers(0, count - 1)] * 2), max_size=4)):
        data_x[target] = data_x[source]
    first, second = draw(st.integers(0, count - 1)), draw(st.integers(0, count - 1))
    place = draw(st.sampled_from(("data point", "bisector", "free")))
    x = {"data point": data_x[first], "bisector": (data_x[first] + data_x[second]) / 2, "free": free}[place]
    origin = draw(st.sampled_from((0.0, 2.0, -16.0)))
    unit = draw(st.sampled_from((1.0, 2.0**-40, 2.0**40)))
    data_y = unit * np.array(draw(st.lists(st.integers(-9, 9), min_size=count, max_size=count)), float)
    return Dataset(x + origin, data_x + origin, data_y)


@cache
def _core_values(kernel: str, quantity: str) -> Callable[..., jax.Array]:
    """`core`'s m_t(x) or W_t(x) for all bandwidths, compiled once for every dataset."""

    def value(x: jax.Array, data_x: jax.Array, data_y: jax.Array, mask: jax.Array, bandwidth: jax.Array) -> jax.Array:
        if quantity == "regression":
            return kernel_regression(x, data_x, data_y, bandwidth, SMOOTHING[kernel], mask)
        return density(x, data_x, bandwidth, SMOOTHING[kernel], mask)

    return jax.jit(jax.vmap(value, in_axes=(None, None, None, None, 0)))


def core_values(kernel: str, quantity: str, dataset: Dataset) -> np.ndarray:
    """`core`'s value of "regression" or "density" at each of BANDWIDTHS."""
    count, dim = dataset.size
    x, data_x, data_y = np.zeros(DIMENSIONS), np.zeros((POINTS, DIMENSIONS)), np.zeros(POINTS)
    x[:dim], data_x[:count, :dim], data_y[:count] = dataset.x, dataset.data_x, dataset.data_y
    mask = np.arange(POINTS) < count
    values = _core_values(kernel, quantity)(x, data_x, data_y, mask, jnp.array(BANDWIDTHS))
    return np.asarray(values)
