"""The networks that are trained here: their shapes against torchvision's, and training that lowers the loss."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.cei import fig4_networks
from experiments.data import present
from experiments.workloads.compression import small
from experiments.workloads.compression.convolutional import compressed_names, compression
from tests.experiments.workloads.compression.test_convolutional import PLAIN

COUNTS = {"vgg16": 13, "resnet50": 16}


@pytest.mark.parametrize("architecture", COUNTS)
def test_layers_have_an_eighth_of_the_channels(architecture):
    """VGG-16 ends in 512 channels and ResNet50 in 2,048; the searched kernels are 3 x 3."""
    weights = small.start(architecture)
    names = compressed_names(architecture)
    assert len(names) == COUNTS[architecture]
    assert all(weights[f"{name}.weight"].shape[2:] == (3, 3) for name in names)
    last = "features.28" if architecture == "vgg16" else "layer4.2.conv3"
    assert weights[f"{last}.weight"].shape[0] == {"vgg16": 512, "resnet50": 2048}[architecture] // 8
    assert sum(array.size for array in weights.values()) == {"vgg16": 239_538, "resnet50": 376_722}[architecture]


@pytest.fixture(scope="module", params=COUNTS)
def learnt(request):
    """Architecture, images of ten classes that differ in one bright square, and a network trained on them."""
    rng = np.random.default_rng(3)
    y = np.arange(160) % 10
    x = 0.1 * rng.random((160, 3, 32, 32)).astype(np.float32)
    for row, label in enumerate(y):
        x[row, :, 3 * label : 3 * label + 3, 8:24] += 1.0
    return request.param, x, y, small.trained(request.param, x, y.astype(np.int32), epochs=30)


def test_training_learns_easy_images(learnt):
    """By the network written out in numpy, with the moments that training left behind."""
    architecture, x, y, weights = learnt
    found = PLAIN[architecture]({name: array.astype(float) for name, array in weights.items()}, x[:60].astype(float))
    assert np.mean(found.argmax(axis=1) != y[:60]) < 0.3
    assert all(np.all(np.isfinite(array)) for array in weights.values())


def test_levels_judged_together_are_those_judged_alone(learnt):
    architecture, x, y, weights = learnt
    objective = compression(architecture, weights, x[:10], y[:10], batch=10)
    levels = jnp.stack(
        [objective.levels.count - 1, objective.levels.count // 3, jnp.zeros_like(objective.levels.count)]
    )
    together = jax.jit(jax.vmap(lambda level: objective.error(level)))(levels)
    alone = jax.jit(lambda level: objective.error(level))
    np.testing.assert_array_equal(together, [alone(level) for level in levels])


def test_the_study_has_the_papers_parameters_and_runs():
    cells = fig4_networks.STUDY.cells("paper")
    if present("mnist_test.npz") is None:
        assert not cells
        return
    assert {len(cell.seeds) for cell in cells} == {10}
    assert {cell.options["initial"] + cell.options["steps"] for cell in cells} == {300}
    assert [cell.policy for cell in cells[:6]] == ["corrected_ei"] * 3 + ["ei"] * 3
    assert not fig4_networks.STUDY.default
