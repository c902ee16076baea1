"""VGG-16 and ResNet50 with fewer channels, trained here on MNIST.

| network | layers | channels of the convolutions | numbers |
|---|---|---|---|
| `vgg16_mnist` | of VGG-16 | an eighth of VGG-16's | 256,010 |
| `resnet50_mnist` | of ResNet50 | an eighth of ResNet50's | 381,770 |

Paper B compresses VGG-16 and ResNet50 as trained on ImageNet, whose images this repository may not pass on. These
networks have the same layers, hence the same 13 and 16 parameters of the search, and stand in for them. Images are
MNIST's test images with a border of two zeros, 32 x 32, their one channel repeated; 8,000 are trained on and 2,000 held
out (`experiments.workloads.compression.dense.images`). Arrays have torchvision's names. The weights are kept in the
cache folder.
"""

from collections.abc import Mapping
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments.data.formats import UNREADABLE, parse_arrays, write_arrays
from experiments.data.sources import cache_folder
from experiments.engine.code_version import code_version
from experiments.engine.files import write_whole
from experiments.workloads.compression import dense
from experiments.workloads.compression.convolutional import (
    RESNET_BLOCKS,
    VGG_CONVOLUTIONS,
    Parameters,
    compressed_names,
    compression,
    scores,
    whole_convolution,
)
from experiments.workloads.compression.problem import Compression
from experiments.workloads.compression.training import adam, cross_entropy

__all__ = ["HELD_OUT", "NETWORKS", "images", "objective", "start", "trained"]

NETWORKS = {"vgg16_mnist": "vgg16", "resnet50_mnist": "resnet50"}
"""Problem -> architecture."""

HELD_OUT = 500
"""Images that judge a network."""

EPOCHS = 8
WIDTHS = (8, 8, 16, 16, 32, 32, 32, 64, 64, 64, 64, 64, 64)
CLASSES = 10
MOMENT_IMAGES = 2000
"""Images whose moments batch normalisation holds after the training."""


def images() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images (n, 3, 32, 32) in [0, 1] and labels (n,) of those trained on, and of those held out.

    Raises `experiments.data.DataUnavailable` where MNIST is not on this machine.
    """
    x, y, held_x, held_y = dense.images("fc3_mnist")

    def framed(pixels: np.ndarray) -> np.ndarray:
        square = np.pad(pixels.reshape(-1, 1, 28, 28), ((0, 0), (0, 0), (2, 2), (2, 2)))
        return np.repeat(square, 3, axis=1)

    return framed(x), y, framed(held_x), held_y


def start(architecture: str) -> dict[str, Array]:
    """The arrays before training: kernels and matrices normal with variance 2 / inputs (He et al. 2015), biases zero,
    batch normalisation the identity, but zero in the last layer of a block."""
    key = jax.random.key(dense.SEED)
    found: dict[str, Array] = {}

    def add(name: str, shape: tuple[int, ...]) -> None:
        scale = np.float32(np.sqrt(2.0 / np.prod(shape[1:])))
        found[f"{name}.weight"] = scale * jax.random.normal(jax.random.fold_in(key, len(found)), shape, jnp.float32)

    def add_bias(name: str, width: int) -> None:
        found[f"{name}.bias"] = jnp.zeros(width, jnp.float32)

    def add_norm(name: str, width: int, scale: float = 1.0) -> None:
        found[f"{name}.weight"] = jnp.full(width, scale, jnp.float32)
        add_bias(name, width)

    if architecture == "vgg16":
        for place, inputs, outputs in zip(VGG_CONVOLUTIONS, (3, *WIDTHS), WIDTHS, strict=False):
            add(f"features.{place}", (outputs, inputs, 3, 3))
            add_bias(f"features.{place}", outputs)
        for name, inputs, outputs in (("0", 64, 64), ("3", 64, 64), ("6", 64, CLASSES)):
            add(f"classifier.{name}", (outputs, inputs))
            add_bias(f"classifier.{name}", outputs)
        return found
    inputs = width = 8
    add("conv1", (width, 3, 7, 7))
    add_norm("bn1", width)
    for i, count in enumerate(RESNET_BLOCKS):
        inner = width * 2**i
        for j in range(count):
            block = f"layer{i + 1}.{j}"
            for part, shape in enumerate(((inner, inputs, 1, 1), (inner, inner, 3, 3), (4 * inner, inner, 1, 1)), 1):
                add(f"{block}.conv{part}", shape)
                add_norm(f"{block}.bn{part}", shape[0], 0.0 if part == 3 else 1.0)
            if j == 0:
                add(f"{block}.downsample.0", (4 * inner, inputs, 1, 1))
                add_norm(f"{block}.downsample.1", 4 * inner)
            inputs = 4 * inner
    add("fc", (CLASSES, inputs))
    add_bias("fc", CLASSES)
    return found


def _moments(x: Array, parameters: Parameters, name: str) -> tuple[Array, Array]:
    """Of the batch itself."""
    return jnp.mean(x, axis=(0, 2, 3)), jnp.var(x, axis=(0, 2, 3))


def _scores(architecture: str, weights: Parameters, x: Array) -> tuple[Array, dict[str, Array]]:
    """Outputs by the batch's own moments, and these moments under torchvision's names."""
    names, seen = compressed_names(architecture), {}

    def moments(x: Array, parameters: Parameters, name: str) -> tuple[Array, Array]:
        found = _moments(x, parameters, name)
        seen[f"{name}.running_mean"], seen[f"{name}.running_var"] = found
        return found

    def convolution(x: Array, place: int, stride: int) -> Array:
        return whole_convolution(x, weights[f"{names[place]}.weight"], stride)

    return scores(architecture, weights, convolution, x, moments), seen


def trained(
    architecture: str, x: Float[np.ndarray, "n 3 h w"], y: Int[np.ndarray, " n"], epochs: int = EPOCHS
) -> dict[str, np.ndarray]:
    """The arrays of a network that has been trained on these images, with the moments of the first of them."""
    pixels, labels = jnp.asarray(x), jnp.asarray(y)

    def loss(weights: Parameters, rows: Array) -> Array:
        return cross_entropy(_scores(architecture, weights, pixels[rows])[0], labels[rows])

    key = jax.random.fold_in(jax.random.key(dense.SEED), 1)
    weights: dict[str, np.ndarray] = adam(loss, start(architecture), key, len(y), epochs)
    _, held = jax.jit(lambda weights: _scores(architecture, weights, pixels[:MOMENT_IMAGES]))(weights)
    return {**weights, **{name: np.asarray(array) for name, array in held.items()}}


def _weights(problem: str) -> Mapping[str, np.ndarray]:
    path = cache_folder("compression") / f"{problem}-{code_version('experiments.workloads.compression.small')}.npz"
    try:
        return parse_arrays(path.read_bytes())
    except UNREADABLE:
        x, y, _, _ = images()
        found = trained(NETWORKS[problem], x, y)
        write_whole(path, write_arrays(found))
        return found


@lru_cache(maxsize=2)
def objective(problem: str) -> Compression:
    """The objective of a network of :data:`NETWORKS`: from the cache, or trained in some minutes.

    Raises `experiments.data.DataUnavailable` where MNIST is not on this machine.
    """
    _, _, x, y = images()
    return compression(NETWORKS[problem], _weights(problem), x[:HELD_OUT], y[:HELD_OUT])
