"""VGG-16 and ResNet50 trained here on small images.

| network | images (trained on, held out) | channels | passes |
|---|---|---|---|
| `vgg16_mnist`, `resnet50_mnist` | MNIST's test images (8,000; 100 of the other 2,000) | the architecture's | 4, 8 |
| `vgg16_digits`, `resnet50_digits` | scikit-learn's digits (1,437; 100 of the other 360) | a sixteenth | 1 |

The paper's networks are trained on ImageNet. Images here have 32 x 32 pixels and three equal colours: an image of MNIST
with a margin of two pixels, or one of the digits with each pixel repeated four times a side. Adam minimises the cross
entropy in single precision, without dropout or weight decay, from He's random weights. VGG-16 starts from kernels of
low rank: four passes move its kernels by a twentieth of their size, so that a random start of full rank stays, and then
every compression has an error above 0.8. In training ResNet50 is normalised by the batch; the means and variances that
it is judged with are those of 512 images that it was trained on, all layers at once.

The split is that of `dense`. On an AMD EPYC the large VGG-16 takes 16 CPU minutes and the large ResNet50 13. The
weights are kept in the cache folder, and a process waits for weights that another one trains.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments.workloads.compression import dense
from experiments.workloads.compression.convolutional import (
    RESNET_BLOCKS,
    VGG_CONVOLUTIONS,
    compressed_names,
    kernel_of,
    scores,
    standardised,
)
from experiments.workloads.compression.convolutional import compression as compression_of
from experiments.workloads.compression.factors import convolve
from experiments.workloads.compression.files import made_once
from experiments.workloads.compression.problem import Compression
from experiments.workloads.compression.ranks import saving_ranks
from experiments.workloads.compression.training import adam, cross_entropy

__all__ = ["HELD_OUT", "NETWORKS", "Network", "compression", "images", "trained"]

SEED = 0
SIDE = 32
"""Pixels of a side: VGG-16 halves it five times."""
CLASSES = 10
HELD_OUT = 100
"""The number of images that judge a network."""
STATISTICS = 512
"""The number of images whose means and variances ResNet50 is judged with."""
LOW_RANK = 0.1
"""The share of VGG-16's first kernels."""


@dataclass(frozen=True)
class Network:
    """A network to train.

    Attributes:
        architecture: one of `experiments.workloads.compression.convolutional.ARCHITECTURES`.
        images: the network of `dense` whose images it has.
        width: channels of the first convolution; the architecture's have 64.
        epochs: passes over the images.
        step_size: of Adam.
        share: the rank of the first kernels over the largest rank that saves something; None: full rank.
    """

    architecture: str
    images: str
    width: int
    epochs: int
    step_size: float
    share: float | None = None


NETWORKS = {
    "vgg16_mnist": Network("vgg16", "fc3_mnist", 64, 4, 1e-4, LOW_RANK),
    "resnet50_mnist": Network("resnet50", "fc3_mnist", 64, 8, 1e-3),
    "vgg16_digits": Network("vgg16", "fc3_digits", 4, 1, 1e-3, LOW_RANK),
    "resnet50_digits": Network("resnet50", "fc3_digits", 4, 1, 1e-3),
}


def images(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images (n, 32, 32, 3) in [-1, 1] and labels (n,): those trained on, and those held out.

    Raises `experiments.data.DataUnavailable` where MNIST is not on this machine.
    """
    x, y, held_x, held_y = dense.images(NETWORKS[name].images)
    return _coloured(x), y, _coloured(held_x[:HELD_OUT]), held_y[:HELD_OUT]


def _coloured(x: Float[np.ndarray, "n p"]) -> Float[np.ndarray, "n 32 32 3"]:
    side = round(x.shape[1] ** 0.5)
    scale = SIDE // side
    large = x.reshape(-1, side, side).repeat(scale, axis=1).repeat(scale, axis=2)
    margin = (SIDE - scale * side) // 2
    large = np.pad(large, [(0, 0), (margin, margin), (margin, margin)])
    return (2.0 * np.repeat(large[..., None], 3, axis=3) - 1.0).astype(np.float32)


class _Start:
    """Arrays under torchvision's names, drawn with the variance of He et al. (ICCV 2015)."""

    def __init__(self, share: float | None = None) -> None:
        self.rng, self.arrays, self.share = np.random.default_rng(SEED), dict[str, np.ndarray](), share

    def convolution(self, name: str, outputs: int, inputs: int, side: int) -> None:
        deviation = (2.0 / (side**2 * inputs)) ** 0.5
        if self.share is None:
            self.arrays[f"{name}.weight"] = self.rng.normal(0.0, deviation, (outputs, inputs, side, side))
            return
        rows, columns = inputs * side, side * outputs
        rank = max(round(self.share * saving_ranks(rows, columns)), 1)
        first, second = (self.rng.standard_normal(shape) for shape in ((rows, rank), (rank, columns)))
        kernel = (first @ second).reshape(inputs, side, side, outputs) * deviation / rank**0.5
        self.arrays[f"{name}.weight"] = kernel.transpose(3, 0, 1, 2)

    def bias(self, name: str, outputs: int) -> None:
        self.arrays[f"{name}.bias"] = np.zeros(outputs)

    def norm(self, name: str, outputs: int, scale: float = 1.0) -> None:
        self.arrays[f"{name}.weight"] = np.full(outputs, scale)
        self.bias(name, outputs)

    def dense(self, name: str, outputs: int, inputs: int) -> None:
        self.arrays[f"{name}.weight"] = self.rng.normal(0.0, (2.0 / inputs) ** 0.5, (outputs, inputs))
        self.bias(name, outputs)


def _vgg_start(width: int, share: float | None = None) -> dict[str, np.ndarray]:
    start, inputs = _Start(share), 3
    for place, times in zip(VGG_CONVOLUTIONS, (1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 8, 8, 8), strict=True):
        start.convolution(f"features.{place}", times * width, inputs, 3)
        start.bias(f"features.{place}", times * width)
        inputs = times * width
    for place, outputs in {0: 64 * width, 3: 64 * width, 6: CLASSES}.items():
        start.dense(f"classifier.{place}", outputs, inputs)
        inputs = outputs
    return start.arrays


def _resnet_start(width: int) -> dict[str, np.ndarray]:
    start, inputs = _Start(), width
    start.convolution("conv1", width, 3, 7)
    start.norm("bn1", width)
    for i, blocks in enumerate(RESNET_BLOCKS):
        inner = width * 2**i
        for j in range(blocks):
            block = f"layer{i + 1}.{j}"
            for k, (outputs, channels, side) in enumerate(
                ((inner, inputs, 1), (inner, inner, 3), (4 * inner, inner, 1)), 1
            ):
                start.convolution(f"{block}.conv{k}", outputs, channels, side)
                start.norm(f"{block}.bn{k}", outputs, 0.0 if k == 3 else 1.0)  # every block begins as the identity
            if j == 0:
                start.convolution(f"{block}.downsample.0", 4 * inner, inputs, 1)
                start.norm(f"{block}.downsample.1", 4 * inner)
            inputs = 4 * inner
    start.dense("fc", CLASSES, inputs)
    return start.arrays


def _whole(
    architecture: str, weights: Mapping[str, Array], x: Float[Array, "b h w 3"]
) -> tuple[Float[Array, "b classes"], dict[str, Array]]:
    """The outputs with all convolutions whole, normalised by the batch, and its means and variances by name."""
    names, found = compressed_names(architecture), dict[str, Array]()

    def convolved(x: Array, place: int, stride: int = 1) -> Array:
        made: Array = convolve(x, kernel_of(weights, names[place]), (stride, stride), jnp)
        return made

    def normalised(x: Array, name: str) -> Array:
        mean, variance = jnp.mean(x, axis=(0, 1, 2)), jnp.var(x, axis=(0, 1, 2))
        found[f"{name}.running_mean"], found[f"{name}.running_var"] = mean, variance
        return standardised(x, weights, name, mean, variance, jnp)

    return scores(architecture, weights, x, convolved, normalised, jnp), found


def trained(network: Network, x: Float[np.ndarray, "n 32 32 3"], y: Int[np.ndarray, " n"]) -> dict[str, np.ndarray]:
    """The arrays of a network by torchvision's names, trained on these images."""
    vgg = network.architecture == "vgg16"
    start = _vgg_start(network.width, network.share) if vgg else _resnet_start(network.width)
    weights = {name: jnp.asarray(array, jnp.float32) for name, array in start.items()}
    pixels, labels = jnp.asarray(x), jnp.asarray(y)

    def loss(weights: Mapping[str, Array], rows: Int[Array, " b"]) -> Float[Array, ""]:
        return cross_entropy(_whole(network.architecture, weights, pixels[rows])[0], labels[rows])

    found: dict[str, np.ndarray] = adam(loss, weights, jax.random.key(SEED), len(y), network.epochs, network.step_size)
    statistics = jax.jit(lambda weights, x: _whole(network.architecture, weights, x)[1])(found, pixels[:STATISTICS])
    return {**found, **{name: np.asarray(array) for name, array in statistics.items()}}


@lru_cache(maxsize=2)
def compression(name: str) -> Compression:
    """The objective of a network of :data:`NETWORKS`.

    Raises `experiments.data.DataUnavailable` where its images are not on this machine.
    """
    x, y, held_x, held_y = images(name)
    weights = made_once(name, __name__, lambda: trained(NETWORKS[name], x, y))
    return compression_of(NETWORKS[name].architecture, weights, held_x, held_y)
