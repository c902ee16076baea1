"""Fully connected networks of three layers, trained here, and their error rates by the ranks of the layers.

| network | images (all, trained on, held out) | layers | choices of ranks |
|---|---|---|---|
| `fc3_digits` | scikit-learn's digits, 8 x 8 (1,797; 1,437; 360) | 64-64-32-10 | 5,632 |
| `fc3_mnist` | MNIST's test images, 28 x 28 (10,000; 8,000; 2,000) | 784-128-64-10 | 42,570 |
| `fc3_public` | the same | 784-1000-1000-10 | 2,200,000 |

The paper does not give the sizes of the layers of its FC3. The public code of Paper B has those of `fc3_public`; the
two others are small stand-ins. The paper trains on MNIST's 60,000 training images and holds out the 10,000 test images;
only the latter are at hand through `experiments.data`. The split is a fixed permutation, pixels are scaled to [0, 1],
ReLU stands between layers, and Adam minimises the cross entropy in single precision.

The error rates at all choices of ranks are tabulated once, and an evaluation is a look-up: a layer's output at rank r
is its output at rank r - 1 plus one outer product. Training and table take seconds for the stand-ins and 12 CPU minutes
for `fc3_public`. The table is kept in the cache folder, and a process waits for a table that another one makes.
"""

import itertools
from dataclasses import dataclass
from functools import lru_cache

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments.data import arrays
from experiments.workloads.compression.factors import Factors, factor_matrix
from experiments.workloads.compression.files import made_once
from experiments.workloads.compression.problem import GAMMA, Compression
from experiments.workloads.compression.ranks import Levels, saving_ranks
from experiments.workloads.compression.training import adam, cross_entropy

__all__ = [
    "NETWORKS",
    "Network",
    "Table",
    "compression",
    "error_table",
    "images",
    "optimum",
    "trained",
]

SEED = 0

Weights = list[tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Network:
    """A network to train: its `layers`, the number of images trained on, and passes over them."""

    layers: tuple[int, int, int, int]
    training: int
    epochs: int


NETWORKS = {
    "fc3_digits": Network((64, 64, 32, 10), 1437, 60),
    "fc3_mnist": Network((784, 128, 64, 10), 8000, 15),
    "fc3_public": Network((784, 1000, 1000, 10), 8000, 15),
}
STAND_INS = ("fc3_digits", "fc3_mnist")


def _shapes(network: Network) -> list[tuple[int, int]]:
    """Rows and columns of the three weight matrices."""
    return list(itertools.pairwise(network.layers))


SHAPE = tuple(
    max(saving_ranks(*_shapes(network)[i]) + 1 for network in map(NETWORKS.__getitem__, STAND_INS)) for i in range(3)
)
"""The shape of the tables of the stand-ins, common to both so that they share their compiled programs."""


class Table(eqx.Module):
    """Error rates by the levels of three layers."""

    rates: Float[Array, "a b c"]

    def __call__(self, level: Int[Array, "3"]) -> Float[Array, ""]:
        """The rate at these levels."""
        return self.rates[level[0], level[1], level[2]]


def images(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pixels (n, m) in [0, 1] and labels (n,) of the images trained on, and of those held out.

    Raises `experiments.data.DataUnavailable` where MNIST is not on this machine.
    """
    if name != "fc3_digits":
        found = arrays("mnist_test.npz")
        x, y = found["x"].reshape(len(found["y"]), -1) / 255.0, found["y"]
    else:
        from sklearn.datasets import load_digits  # slow to import, and the other networks do not need it

        x, y = load_digits(return_X_y=True)
        x = x / 16.0
    order = np.random.default_rng(SEED).permutation(len(y))
    training, held_out = np.split(order, [NETWORKS[name].training])
    x, y = x.astype(np.float32), y.astype(np.int32)
    return x[training], y[training], x[held_out], y[held_out]


def _forward(weights: list[tuple[Array, Array]], x: Array) -> Array:
    for matrix, bias in weights[:-1]:
        x = jax.nn.relu(x @ matrix + bias[None, :])
    return x @ weights[-1][0] + weights[-1][1][None, :]


def trained(network: Network, x: Float[np.ndarray, "n m"], y: Int[np.ndarray, " n"]) -> Weights:
    """Weights (m, n) and biases (n,) of the three layers, trained on these images."""
    start_key, batch_key = jax.random.split(jax.random.key(SEED))
    weights = []
    for key, shape in zip(jax.random.split(start_key, 3), _shapes(network), strict=True):
        matrix = jax.random.normal(key, shape, jnp.float32) * np.float32(np.sqrt(2.0 / shape[0]))
        weights.append((matrix, jnp.zeros(shape[1], jnp.float32)))
    pixels, labels = jnp.asarray(x), jnp.asarray(y)

    def loss(weights: list[tuple[Array, Array]], rows: Array) -> Array:
        return cross_entropy(_forward(weights, pixels[rows]), labels[rows])

    found: Weights = adam(loss, weights, batch_key, len(y), network.epochs)
    return found


def _outputs(x: Array, factors: Factors) -> Float[Array, "levels n m"]:
    """``x W`` at all levels: running sums of the components' outer products, and the whole product last."""
    inner = x @ factors.first
    sums = jnp.cumsum(inner.T[:, :, None] * factors.second[:, None, :], axis=0)
    return jnp.concatenate([sums, (x @ factors.whole)[None]])


@jax.jit
def _rates(hidden: Array, y: Array, second: Factors, third: Factors, bias2: Array, bias3: Array) -> Array:
    """Error rates (b, c) of the network's last two layers at all levels, from the first layer's output (n, m)."""

    def last(inner: Array) -> Array:
        scores = _outputs(jax.nn.relu(inner + bias2[None, :]), third) + bias3[None, None, :]
        return jnp.mean((jnp.argmax(scores, axis=2) != y[None, :]).astype(float), axis=1)

    def add(running: Array, component: tuple[Array, Array]) -> tuple[Array, Array]:
        running = running + component[0][:, None] * component[1][None, :]
        return running, last(running)

    start = jnp.zeros((hidden.shape[0], second.second.shape[1]), hidden.dtype)
    _, thin = jax.lax.scan(add, start, ((hidden @ second.first).T, second.second))
    return jnp.concatenate([thin, last(hidden @ second.whole)[None]])


def error_table(weights: Weights, x: Float[np.ndarray, "n m"], y: Int[np.ndarray, " n"]) -> Float[np.ndarray, "a b c"]:
    """Error rates on these images at every choice of levels of three layers."""
    first, second, third = (factor_matrix(matrix) for matrix, _ in weights)
    biases = [jnp.asarray(bias) for _, bias in weights]
    labels, running = jnp.asarray(y), jnp.zeros((len(y), len(weights[0][1])), jnp.float32)
    inner, rates = jnp.asarray(x) @ first.first, []
    for level in range(first.first.shape[1] + 1):
        whole = level == first.first.shape[1]
        running = jnp.asarray(x) @ first.whole if whole else running + inner[:, level, None] * first.second[level][None]
        hidden = jax.nn.relu(running + biases[0][None, :])
        rates.append(np.asarray(_rates(hidden, labels, second, third, biases[1], biases[2])))
    return np.stack(rates)


def optimum(objective: Compression) -> float:
    """The largest value of an objective with a table, by trying every choice of levels."""
    levels, error = objective.levels, objective.error
    if not isinstance(error, Table):
        raise ValueError("error: expected a table of error rates")
    choices = np.indices(tuple(np.asarray(levels.count))).reshape(3, -1)
    sizes = np.asarray(levels.sizes)
    total = sizes[:, -1].sum() + float(levels.others)
    ratio = (sizes[np.arange(3)[:, None], choices].sum(axis=0) + float(levels.others)) / total
    return float(np.max(-(GAMMA * np.asarray(error.rates)[tuple(choices)] + ratio)))


def _table(name: str) -> Float[np.ndarray, "a b c"]:
    """Error rates of a network at all choices of levels."""

    def make() -> dict[str, np.ndarray]:
        x, y, held_x, held_y = images(name)
        return {"rates": error_table(trained(NETWORKS[name], x, y), held_x, held_y)}

    return made_once(name, __name__, make)["rates"]


@lru_cache(maxsize=4)
def compression(name: str) -> Compression:
    """The objective of a network of :data:`NETWORKS`.

    Raises `experiments.data.DataUnavailable` where its images are not on this machine.
    """
    rates, others = _table(name), sum(NETWORKS[name].layers[1:])
    shape = SHAPE if name in STAND_INS else rates.shape
    levels = Levels.of(_shapes(NETWORKS[name]), others, width=max(shape))
    padded = np.pad(rates, [(0, full - used) for full, used in zip(shape, rates.shape, strict=True)], mode="edge")
    return Compression(levels, Table(jnp.asarray(padded)))
