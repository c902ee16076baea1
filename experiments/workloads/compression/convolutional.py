"""VGG-16 and ResNet50 with convolutions at low rank, in JAX, from arrays named as torchvision names them.

Sources: Simonyan & Zisserman (ICLR 2015), configuration D; He et al. (CVPR 2016), 50 layers, with the stride on the
3 x 3 convolution as in torchvision. As in Paper B only convolutions are compressed: the 13 of VGG-16, and the 3 x 3
convolution of each of ResNet50's 16 blocks, which makes the paper's 13 and 16 parameters. Sizes count all trained
numbers of the network: most of VGG-16's are in its three dense layers, so that its relative size stays above 0.89.

Widths and image sizes are those of the arrays: a network of the same architecture with fewer channels is evaluated by
the same code. Batch normalisation is at inference, by the stored means and variances.
"""

from collections.abc import Mapping

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments.problems.checks import known_choice, require
from experiments.workloads.compression.factors import Factors, convolve, factor_kernel, matrix_shape
from experiments.workloads.compression.problem import Compression
from experiments.workloads.compression.ranks import Levels

__all__ = ["ARCHITECTURES", "ErrorRate", "compressed_names", "compression", "scores"]

ARCHITECTURES = ("vgg16", "resnet50")
BATCH = 50
"""The number of images that go through the network together."""
BATCH_NORM_EPSILON = 1e-5

VGG_CONVOLUTIONS = (0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28)
VGG_POOLED = (1, 3, 6, 9, 12)
"""The places in `features` of the 13 convolutions, and the convolutions that a pooling layer follows."""
RESNET_BLOCKS = (3, 4, 6, 3)

Parameters = Mapping[str, Array]


def compressed_names(architecture: str) -> tuple[str, ...]:
    """The convolutions that are compressed, in order."""
    known_choice("architecture", architecture, ARCHITECTURES)
    if architecture == "vgg16":
        return tuple(f"features.{place}" for place in VGG_CONVOLUTIONS)
    return tuple(f"layer{i + 1}.{j}.conv2" for i, blocks in enumerate(RESNET_BLOCKS) for j in range(blocks))


def _pool(x: Array, size: int, stride: int, padding: int) -> Array:
    sides = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    pooled: Array = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, size, size), (1, 1, stride, stride), sides)
    return pooled


def _convolution(x: Array, kernel: Array, stride: int) -> Array:
    side = kernel.shape[-1] // 2
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), [(side, side)] * 2)


def _normalised(x: Array, parameters: Parameters, name: str) -> Array:
    scale = parameters[f"{name}.weight"] / jnp.sqrt(parameters[f"{name}.running_var"] + BATCH_NORM_EPSILON)
    shift = parameters[f"{name}.bias"] - scale * parameters[f"{name}.running_mean"]
    return x * scale[None, :, None, None] + shift[None, :, None, None]


def _dense(x: Array, parameters: Parameters, name: str) -> Array:
    weight = parameters[f"{name}.weight"]
    require(
        x.shape[1] == weight.shape[1],
        f"{name}: expects {weight.shape[1]} inputs, images of this size give {x.shape[1]}",
    )
    return x @ weight.T + parameters[f"{name}.bias"][None, :]


def _vgg(parameters: Parameters, factors: tuple[Factors, ...], x: Array, level: Array) -> Array:
    for i, place in enumerate(VGG_CONVOLUTIONS):
        bias = parameters[f"features.{place}.bias"]
        x = jax.nn.relu(convolve(x, factors[i], level[i]) + bias[None, :, None, None])
        x = _pool(x, 2, 2, 0) if i in VGG_POOLED else x
    x = x.reshape(len(x), -1)
    for name in ("classifier.0", "classifier.3"):
        x = jax.nn.relu(_dense(x, parameters, name))
    return _dense(x, parameters, "classifier.6")


def _resnet(parameters: Parameters, factors: tuple[Factors, ...], x: Array, level: Array) -> Array:
    x = jax.nn.relu(_normalised(_convolution(x, parameters["conv1.weight"], 2), parameters, "bn1"))
    x = _pool(x, 3, 2, 1)
    for i, name in enumerate(compressed_names("resnet50")):
        block = name.removesuffix(".conv2")
        stride = 2 if block.endswith(".0") and not block.startswith("layer1") else 1
        inner = _convolution(x, parameters[f"{block}.conv1.weight"], 1)
        inner = jax.nn.relu(_normalised(inner, parameters, f"{block}.bn1"))
        inner = convolve(inner, factors[i], level[i], stride)
        inner = jax.nn.relu(_normalised(inner, parameters, f"{block}.bn2"))
        inner = _normalised(_convolution(inner, parameters[f"{block}.conv3.weight"], 1), parameters, f"{block}.bn3")
        if block.endswith(".0"):
            x = _convolution(x, parameters[f"{block}.downsample.0.weight"], stride)
            x = _normalised(x, parameters, f"{block}.downsample.1")
        x = jax.nn.relu(inner + x)
    return _dense(jnp.mean(x, axis=(2, 3)), parameters, "fc")


def scores(
    architecture: str,
    parameters: Parameters,
    factors: tuple[Factors, ...],
    x: Float[Array, "b 3 h w"],
    level: Int[Array, " d"],
) -> Float[Array, "b classes"]:
    """The network's outputs with its convolutions at these levels."""
    return (_vgg if architecture == "vgg16" else _resnet)(parameters, factors, x, level)


class ErrorRate(eqx.Module):
    """Top-1 error rate of a network on its images, by the levels of its convolutions.

    Attributes:
        parameters: the arrays that are not compressed, by name.
        factors: of the kernels, in the order of `compressed_names`.
        x: images, whole batches of them, shape (batches, b, 3, h, w).
        y: labels, shape (batches, b).
    """

    architecture: str = eqx.field(static=True)
    parameters: dict[str, Array]
    factors: tuple[Factors, ...]
    x: Float[Array, "m b 3 h w"]
    y: Int[Array, "m b"]

    def __call__(self, level: Int[Array, " d"]) -> Float[Array, ""]:
        """The rate at these levels."""

        def wrong(batch: tuple[Array, Array]) -> Array:
            found = scores(self.architecture, self.parameters, self.factors, batch[0], level)
            return jnp.mean((jnp.argmax(found, axis=1) != batch[1]).astype(float))

        return jnp.mean(jax.lax.map(wrong, (self.x, self.y)))


def compression(
    architecture: str,
    weights: Mapping[str, np.ndarray],
    x: Float[np.ndarray, "n 3 h w"],
    y: Int[np.ndarray, " n"],
    batch: int = BATCH,
) -> Compression:
    """The objective of a network on these images; images beyond the last whole batch are left out.

    Raises:
        ValueError: an unknown architecture, arrays that are missing or not finite, or fewer images than a batch.
    """
    names = compressed_names(architecture)
    required = {f"{name}.weight" for name in names} | ({"fc.weight"} if architecture == "resnet50" else set())
    missing = sorted(required - set(weights))
    require(not missing, f"weights: {architecture} lacks {', '.join(missing[:3])} and {max(len(missing) - 3, 0)} more")
    broken = sorted(name for name, array in weights.items() if not np.all(np.isfinite(array)))
    require(not broken, f"weights: not finite in {', '.join(broken[:3])}")
    require(len(x) == len(y) >= batch, f"x, y: expected at least {batch} images and as many labels")
    kernels = [weights[f"{name}.weight"] for name in names]
    trained = [name for name in weights if name.endswith(("weight", "bias"))]
    others = sum(weights[name].size for name in trained) - sum(kernel.size for kernel in kernels)
    levels = Levels.of([matrix_shape(kernel) for kernel in kernels], others)
    count = len(x) // batch * batch
    compressed = {f"{name}.weight" for name in names}
    error = ErrorRate(
        architecture,
        {name: jnp.asarray(array) for name, array in weights.items() if name not in compressed},
        tuple(factor_kernel(kernel) for kernel in kernels),
        jnp.asarray(x[:count]).reshape(-1, batch, *x.shape[1:]),
        jnp.asarray(y[:count]).reshape(-1, batch),
    )
    jax.eval_shape(error, jnp.zeros(len(names), int))  # shapes that do not fit together are refused here
    return Compression(levels, error)
