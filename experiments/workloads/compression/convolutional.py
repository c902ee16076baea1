"""VGG-16 and ResNet50 with convolutions at low rank, from arrays named as torchvision names them.

Sources: Simonyan & Zisserman (ICLR 2015), configuration D; He et al. (CVPR 2016), 50 layers, with the stride on the
3 x 3 convolution as in torchvision. As in Paper B only convolutions are compressed: the 13 of VGG-16, and the 3 x 3
convolution of each of ResNet50's 16 blocks, which makes the paper's 13 and 16 parameters. Sizes count all trained
numbers of the network.

The paper's networks classify ImageNet. `convolutional_training` trains the same layers on small images. The dense
layers of VGG-16 then take 512 numbers, where ImageNet's images give 25,088. A network with fewer channels or classes is
evaluated by the same code.

The same function computes the scores in JAX, where a network is trained, and in NumPy, where the network is judged. An
evaluation computes the chosen ranks and no more, and each choice is computed once.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments.problems.checks import known_choice, require
from experiments.workloads.compression.factors import Convolution, convolve, matrix_shape
from experiments.workloads.compression.problem import Compression
from experiments.workloads.compression.ranks import Levels

__all__ = [
    "ARCHITECTURES",
    "ErrorRate",
    "Rates",
    "compressed_names",
    "compression",
    "kernel_of",
    "scores",
    "standardised",
]

ARCHITECTURES = ("vgg16", "resnet50")
BATCH = 50
"""The number of images that go through the network together."""
BATCH_NORM_EPSILON = 1e-5

VGG_CONVOLUTIONS = (0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28)
VGG_POOLED = (1, 3, 6, 9, 12)
"""The places in `features` of the 13 convolutions, and the convolutions that a pooling layer follows."""
RESNET_BLOCKS = (3, 4, 6, 3)

Parameters = Mapping[str, Any]
"""Arrays by torchvision's names."""


class Convolved(Protocol):
    """The convolution of images (b, h, w, C) with the kernel at a place in `compressed_names`, without bias."""

    def __call__(self, x: Any, place: int, stride: int = 1) -> Any: ...


Normalised = Callable[[Any, str], Any]
"""The batch normalisation of images (b, h, w, C) by the arrays of a name."""


def compressed_names(architecture: str) -> tuple[str, ...]:
    """The convolutions that are compressed, in order."""
    known_choice("architecture", architecture, ARCHITECTURES)
    if architecture == "vgg16":
        return tuple(f"features.{place}" for place in VGG_CONVOLUTIONS)
    return tuple(f"layer{i + 1}.{j}.conv2" for i, blocks in enumerate(RESNET_BLOCKS) for j in range(blocks))


def _pooled(x: Any, xp: Any) -> Any:
    """The largest of every 2 x 2 pixels; an odd row or column is left out."""
    batch, height, width, channels = x.shape
    even = x[:, : height // 2 * 2, : width // 2 * 2]
    return xp.max(even.reshape(batch, height // 2, 2, width // 2, 2, channels), axis=(2, 4))


def _pooled3(x: Any, xp: Any) -> Any:
    """The largest of 3 x 3 pixels around every second one. Pixels are nonnegative, so that zeros stand around them."""
    height, width = x.shape[1:3]
    padded = xp.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)])
    shifted = [padded[:, i : i + height : 2, j : j + width : 2] for i in range(3) for j in range(3)]
    return xp.max(xp.stack(shifted), axis=0)


def kernel_of(parameters: Parameters, name: str) -> Any:
    """The kernel (k, k, C, N) of a convolution by its name."""
    return parameters[f"{name}.weight"].transpose(2, 3, 1, 0)


def _dense(x: Any, parameters: Parameters, name: str) -> Any:
    weight = parameters[f"{name}.weight"]
    require(
        x.shape[1] == weight.shape[1],
        f"{name}: expects {weight.shape[1]} inputs, images of this size give {x.shape[1]}",
    )
    return x @ weight.T + parameters[f"{name}.bias"][None, :]


def standardised(x: Any, parameters: Parameters, name: str, mean: Any, variance: Any, xp: Any) -> Any:
    """Images (b, h, w, C) normalised by this mean and variance (C,), scaled and shifted by the arrays of a name."""
    scale = parameters[f"{name}.weight"] / xp.sqrt(variance + BATCH_NORM_EPSILON)
    shift = parameters[f"{name}.bias"] - scale * mean
    return x * scale[None, None, None, :] + shift[None, None, None, :]


def _vgg(parameters: Parameters, x: Any, convolved: Convolved, xp: Any) -> Any:
    for i, place in enumerate(VGG_CONVOLUTIONS):
        x = xp.maximum(convolved(x, i) + parameters[f"features.{place}.bias"][None, None, None, :], 0)
        x = _pooled(x, xp) if i in VGG_POOLED else x
    x = x.reshape(len(x), -1)
    for name in ("classifier.0", "classifier.3"):
        x = xp.maximum(_dense(x, parameters, name), 0)
    return _dense(x, parameters, "classifier.6")


def _resnet(parameters: Parameters, x: Any, convolved: Convolved, normalised: Normalised, xp: Any) -> Any:
    x = convolve(x, kernel_of(parameters, "conv1"), (2, 2), xp)
    x = _pooled3(xp.maximum(normalised(x, "bn1"), 0), xp)
    for i, name in enumerate(compressed_names("resnet50")):
        block = name.removesuffix(".conv2")
        stride = 2 if block.endswith(".0") and not block.startswith("layer1") else 1
        inner = convolve(x, kernel_of(parameters, f"{block}.conv1"), xp=xp)
        inner = convolved(xp.maximum(normalised(inner, f"{block}.bn1"), 0), i, stride)
        inner = xp.maximum(normalised(inner, f"{block}.bn2"), 0)
        inner = normalised(convolve(inner, kernel_of(parameters, f"{block}.conv3"), xp=xp), f"{block}.bn3")
        if block.endswith(".0"):
            x = convolve(x, kernel_of(parameters, f"{block}.downsample.0"), (stride, stride), xp)
            x = normalised(x, f"{block}.downsample.1")
        x = xp.maximum(inner + x, 0)
    return _dense(xp.mean(x, axis=(1, 2)), parameters, "fc")


def scores(
    architecture: str,
    parameters: Parameters,
    x: Float[Any, "b h w 3"],
    convolved: Convolved,
    normalised: Normalised,
    xp: Any = np,
) -> Float[Any, "b classes"]:
    """The network's outputs, in NumPy or in JAX.

    Args:
        architecture: one of `ARCHITECTURES`.
        parameters: the arrays that `convolved` and `normalised` do not hold.
        x: images.
        convolved: the kernels that are compressed.
        normalised: of ResNet50; VGG-16 has none.
        xp: `numpy` or `jax.numpy`.
    """
    if architecture == "vgg16":
        return _vgg(parameters, x, convolved, xp)
    return _resnet(parameters, x, convolved, normalised, xp)


class Rates:
    """Top-1 error rates of a network on its images, by the levels of its convolutions; each choice is computed once."""

    def __init__(
        self, architecture: str, weights: Mapping[str, np.ndarray], x: np.ndarray, y: np.ndarray, batch: int
    ) -> None:
        """A network and its images (n, h, w, 3) with their labels (n,)."""
        names = compressed_names(architecture)
        self.architecture, self.x, self.y, self.batch = architecture, x, y, batch
        self.convolutions = tuple(Convolution.of(weights[f"{name}.weight"]) for name in names)
        compressed = {f"{name}.weight" for name in names}
        self.parameters = {name: array for name, array in weights.items() if name not in compressed}
        self._known: dict[tuple[int, ...], float] = {}

    def __call__(self, level: Int[np.ndarray, " d"]) -> Float[np.ndarray, ""]:
        """The rate at these levels."""
        chosen = tuple(int(one) for one in level)
        if chosen not in self._known:
            batches = (slice(start, start + self.batch) for start in range(0, len(self.y), self.batch))
            wrong = [np.argmax(self.scores(chosen, self.x[rows]), axis=1) != self.y[rows] for rows in batches]
            self._known[chosen] = float(np.mean(np.concatenate(wrong)))
        return np.asarray(self._known[chosen])

    def scores(self, level: tuple[int, ...], x: Float[np.ndarray, "b h w 3"]) -> Float[np.ndarray, "b classes"]:
        """The outputs for these images."""

        def convolved(x: np.ndarray, place: int, stride: int = 1) -> np.ndarray:
            return self.convolutions[place](x, level[place], stride)

        def normalised(x: np.ndarray, name: str) -> np.ndarray:
            mean, variance = (self.parameters[f"{name}.running_{part}"] for part in ("mean", "var"))
            found: np.ndarray = standardised(x, self.parameters, name, mean, variance, np)
            return found

        outputs: np.ndarray = scores(self.architecture, self.parameters, x, convolved, normalised)
        return outputs


class ErrorRate(eqx.Module):
    """`Rates` as a function that JAX may call: on the host, one choice of levels at a time."""

    rates: Rates = eqx.field(static=True)

    def __call__(self, level: Int[Array, " d"]) -> Float[Array, ""]:
        """The rate at these levels."""
        shape = jax.ShapeDtypeStruct((), jnp.result_type(float))
        rate: Array = jax.pure_callback(self.rates, shape, level, vmap_method="sequential")
        return rate


def compression(
    architecture: str,
    weights: Mapping[str, np.ndarray],
    x: Float[np.ndarray, "n h w 3"],
    y: Int[np.ndarray, " n"],
    batch: int = BATCH,
) -> Compression:
    """The objective of a network on these images.

    Raises:
        ValueError: an unknown architecture, arrays that are missing or not finite, no images, or images of a size that
            the network does not take.
    """
    names = compressed_names(architecture)
    required = {f"{name}.weight" for name in names} | ({"fc.weight"} if architecture == "resnet50" else set())
    missing = sorted(required - set(weights))
    require(not missing, f"weights: {architecture} lacks {', '.join(missing[:3])} and {max(len(missing) - 3, 0)} more")
    broken = sorted(name for name, array in weights.items() if not np.all(np.isfinite(array)))
    require(not broken, f"weights: not finite in {', '.join(broken[:3])}")
    require(len(x) == len(y) > 0, "x, y: expected images and as many labels")
    kernels = [weights[f"{name}.weight"] for name in names]
    trained = [name for name in weights if name.endswith(("weight", "bias"))]
    others = sum(weights[name].size for name in trained) - sum(kernel.size for kernel in kernels)
    levels = Levels.of([matrix_shape(kernel) for kernel in kernels], others)
    rates = Rates(architecture, weights, x, y, batch)
    rates.scores((0,) * len(names), x[:1])  # refuses shapes that do not fit together
    return Compression(levels, ErrorRate(rates))
