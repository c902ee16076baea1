"""VGG-16 and ResNet50 from end to end, on networks with the same layers, a sixteenth of the width, random weights."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.designs import seed_keys
from core.policies import make
from core.simulate import simulate
from experiments.cei import fig4_convolutional
from experiments.data import DataUnavailable
from experiments.engine.study import Cell
from experiments.workloads.compression import convolutional, convolutional_training
from experiments.workloads.compression.convolutional_training import NETWORKS, Network, trained
from experiments.workloads.compression.factors import Convolution
from experiments.workloads.compression.ranks import saving_ranks

VGG_WIDTHS = (4, 4, 8, 8, 16, 16, 16, 32, 32, 32, 32, 32, 32)
CLASSES = 10


def small_vgg(rng, widths=VGG_WIDTHS):
    """Arrays of VGG-16 for images of 32 x 32, under torchvision's names."""
    found, inputs = {}, 3
    for place, width in zip((0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28), widths, strict=True):
        found[f"features.{place}.weight"] = rng.normal(size=(width, inputs, 3, 3)) * np.sqrt(2 / (9 * inputs))
        found[f"features.{place}.bias"] = 0.1 * rng.normal(size=width)
        inputs = width
    for place, (inner, outer) in {0: (inputs, 24), 3: (24, 24), 6: (24, CLASSES)}.items():
        found[f"classifier.{place}.weight"] = rng.normal(size=(outer, inner)) * np.sqrt(2 / inner)
        found[f"classifier.{place}.bias"] = 0.1 * rng.normal(size=outer)
    return {name: array.astype(np.float32) for name, array in found.items()}


def small_resnet(rng):
    """Arrays of ResNet50, under torchvision's names."""
    found = {}

    def convolution(name, outer, inner, side):
        found[f"{name}.weight"] = rng.normal(size=(outer, inner, side, side)) * np.sqrt(2 / (side**2 * inner))

    def norm(name, width):
        found[f"{name}.weight"], found[f"{name}.bias"] = rng.uniform(0.3, 0.7, width), 0.1 * rng.normal(size=width)
        found[f"{name}.running_mean"], found[f"{name}.running_var"] = rng.normal(size=width), rng.uniform(0.5, 2, width)

    convolution("conv1", 4, 3, 7)
    norm("bn1", 4)
    inputs = 4
    for i, blocks in enumerate((3, 4, 6, 3)):
        width = 4 * 2**i
        for j in range(blocks):
            block = f"layer{i + 1}.{j}"
            for k, (outer, inner, side) in enumerate(((width, inputs, 1), (width, width, 3), (4 * width, width, 1)), 1):
                convolution(f"{block}.conv{k}", outer, inner, side)
                norm(f"{block}.bn{k}", outer)
            if j == 0:
                convolution(f"{block}.downsample.0", 4 * width, inputs, 1)
                norm(f"{block}.downsample.1", 4 * width)
            inputs = 4 * width
    found["fc.weight"], found["fc.bias"] = rng.normal(size=(CLASSES, inputs)), rng.normal(size=CLASSES)
    found["bn1.num_batches_tracked"] = np.array(7)
    return {name: np.asarray(array, np.float32) for name, array in found.items()}


SMALL = {"vgg16": small_vgg, "resnet50": small_resnet}


def last(x):
    """Images with their channels last."""
    return x.transpose(0, 2, 3, 1)


def correlate(x, kernel, stride=1):
    side = kernel.shape[-1] // 2
    padded = np.pad(x, [(0, 0), (0, 0), (side, side), (side, side)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[-2:], axis=(2, 3))
    return np.einsum("bchwij,ncij->bnhw", windows[:, :, ::stride, ::stride], kernel, optimize=True)


def pool(x, size, stride, padding):
    padded = np.pad(x, [(0, 0), (0, 0), (padding, padding), (padding, padding)], constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))
    return windows[:, :, ::stride, ::stride].max(axis=(4, 5))


def plain_vgg(w, x):
    for place in (0, 2, "M", 5, 7, "M", 10, 12, 14, "M", 17, 19, 21, "M", 24, 26, 28, "M"):
        if place == "M":
            x = pool(x, 2, 2, 0)
        else:
            convolved = correlate(x, w[f"features.{place}.weight"])
            x = np.maximum(convolved + w[f"features.{place}.bias"][:, None, None], 0)
    x = x.reshape(len(x), -1)
    for place in (0, 3):
        x = np.maximum(x @ w[f"classifier.{place}.weight"].T + w[f"classifier.{place}.bias"], 0)
    return x @ w["classifier.6.weight"].T + w["classifier.6.bias"]


def plain_resnet(w, x):
    def norm(x, name):
        mean, var, scale, shift = (w[f"{name}.{part}"] for part in ("running_mean", "running_var", "weight", "bias"))
        inner = (x - mean[:, None, None]) / np.sqrt(var + 1e-5)[:, None, None]
        return inner * scale[:, None, None] + shift[:, None, None]

    x = pool(np.maximum(norm(correlate(x, w["conv1.weight"], 2), "bn1"), 0), 3, 2, 1)
    for i, blocks in enumerate((3, 4, 6, 3)):
        for j in range(blocks):
            block, stride = f"layer{i + 1}.{j}", 2 if i > 0 and j == 0 else 1
            out = np.maximum(norm(correlate(x, w[f"{block}.conv1.weight"]), f"{block}.bn1"), 0)
            out = np.maximum(norm(correlate(out, w[f"{block}.conv2.weight"], stride), f"{block}.bn2"), 0)
            out = norm(correlate(out, w[f"{block}.conv3.weight"]), f"{block}.bn3")
            if j == 0:
                shortcut = correlate(x, w[f"{block}.downsample.0.weight"], stride)
                x = norm(shortcut, f"{block}.downsample.1")
            x = np.maximum(out + x, 0)
    return x.mean(axis=(2, 3)) @ w["fc.weight"].T + w["fc.bias"]


PLAIN = {"vgg16": plain_vgg, "resnet50": plain_resnet}


def truncated(kernel, level):
    """The kernel at a level, by its factors multiplied out (their own test holds them against numpy)."""
    factors = Convolution.of(kernel.astype(float))
    if level >= factors.first.shape[-1]:
        return kernel
    first, second = factors.first[:, 0, :, : level + 1], factors.second[0, :, : level + 1]
    return np.einsum("icr,jrn->ncij", first, second)


@pytest.fixture(scope="module", params=convolutional.ARCHITECTURES)
def network(request):
    """Architecture, arrays, 12 images (b, 3, h, w), labels that the whole network gives for all but three, and the
    objective."""
    rng = np.random.default_rng(1)
    weights = SMALL[request.param](rng)
    x = rng.normal(size=(12, 3, 32, 32)).astype(np.float32)
    y = PLAIN[request.param](weights, x.astype(float)).argmax(axis=1)
    y[:3] = (y[:3] + 1) % CLASSES
    return request.param, weights, x, y, convolutional.compression(request.param, weights, last(x), y, batch=5)


def test_number_of_parameters_is_the_papers(network):
    architecture, weights, *_, objective = network
    assert objective.dim == {"vgg16": 13, "resnet50": 16}[architecture]
    names = convolutional.compressed_names(architecture)
    assert all(weights[f"{name}.weight"].shape[2:] == (3, 3) for name in names)


def test_error_rate_is_that_of_the_network_with_factored_kernels(network):
    architecture, weights, x, y, objective = network
    rate = jax.jit(lambda level: objective.error(level))
    counts = np.asarray(objective.levels.count)
    rng = np.random.default_rng(2)
    for level in (counts - 1, np.zeros_like(counts), rng.integers(0, counts)):
        names = convolutional.compressed_names(architecture)
        cut = {f"{n}.weight": truncated(weights[f"{n}.weight"], int(v)) for n, v in zip(names, level, strict=True)}
        expected = PLAIN[architecture]({**weights, **cut}, x.astype(float)).argmax(axis=1)
        assert float(rate(jnp.asarray(level))) == pytest.approx(np.mean(expected != y))
    assert float(rate(jnp.asarray(counts - 1))) == 0.25


def test_each_choice_is_computed_once(network, monkeypatch):
    *_, objective = network
    levels = jnp.stack([objective.levels.count - 1] * 3)
    known = jax.vmap(objective.error)(levels)
    monkeypatch.setattr(convolutional.Rates, "scores", None)
    np.testing.assert_array_equal(jax.vmap(objective.error)(levels), known)
    with pytest.raises(Exception, match="NoneType"):
        objective.error(levels[0] - 2)


def test_sizes_count_every_trained_number_once(network):
    architecture, weights, *_, objective = network
    total = sum(a.size for n, a in weights.items() if n.endswith(("weight", "bias")))
    kernels = [weights[f"{name}.weight"] for name in convolutional.compressed_names(architecture)]
    rank_one = total - sum(k.size for k in kernels) + sum(3 * (k.shape[0] + k.shape[1]) for k in kernels)
    levels = objective.levels
    assert float(levels.ratio(levels.count - 1)) == 1.0
    assert float(levels.ratio(jnp.zeros_like(levels.count))) == pytest.approx(rank_one / total)


def test_a_run_on_resnet():
    """The study itself is run on VGG-16 below."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(4, 32, 32, 3)).astype(np.float32), rng.integers(0, CLASSES, 4)
    objective = convolutional.compression("resnet50", small_resnet(rng), x, y, 4)
    found = simulate(
        make("random_search", objective.dim), objective, seed_keys((0,)), 4, initial_size=2, known_noise=True
    )
    assert np.all(np.isfinite(found.y))
    np.testing.assert_allclose(found.value[0, 0], objective.value(found.x[0, 0]), rtol=1e-12)


def test_what_does_not_fit_is_refused(network):
    architecture, weights, x, y, _ = network
    name = convolutional.compressed_names(architecture)[0] + ".weight"
    with pytest.raises(ValueError, match=f"weights: {architecture} lacks {name}"):
        convolutional.compression(architecture, {n: a for n, a in weights.items() if n != name}, last(x), y)
    with pytest.raises(ValueError, match="weights: not finite in"):
        convolutional.compression(architecture, {**weights, name: weights[name] * np.nan}, last(x), y)
    with pytest.raises(ValueError, match="expected images and as many labels"):
        convolutional.compression(architecture, weights, last(x), y[:-1])
    with pytest.raises(ValueError, match="architecture: 'vgg19'"):
        convolutional.compressed_names("vgg19")


def test_vgg_refuses_images_of_another_size():
    rng = np.random.default_rng(3)
    with pytest.raises(ValueError, match=r"classifier\.0: expects 32 inputs, images of this size give 128"):
        convolutional.compression("vgg16", small_vgg(rng), np.zeros((2, 64, 64, 3), np.float32), np.zeros(2, int))


@pytest.mark.parametrize("architecture", convolutional.ARCHITECTURES)
def test_start_has_torchvisions_names_and_the_architectures_sizes(architecture):
    """The number of trained numbers is torchvision's, less what the images' size and the ten classes take from it."""
    start = {"vgg16": convolutional_training._vgg_start, "resnet50": convolutional_training._resnet_start}[architecture]
    small = {name for name in SMALL[architecture](np.random.default_rng(0)) if "running" not in name}
    assert set(start(1)) == small - {"bn1.num_batches_tracked"}
    dense = {"vgg16": (25_088 - 512) * 4096 + 4097 * 990, "resnet50": 2049 * 990}[architecture]
    total = {"vgg16": 138_357_544, "resnet50": 25_557_032}[architecture]
    assert sum(array.size for array in start(64).values()) == total - dense


def test_a_start_of_low_rank_has_the_rank_and_the_variance():
    start, share = convolutional_training._vgg_start(8, 0.5), 0.5
    for name, (outputs, inputs) in {"features.0": (8, 3), "features.28": (64, 64)}.items():
        weight = start[f"{name}.weight"]
        assert weight.shape == (outputs, inputs, 3, 3)
        matrix = weight.transpose(1, 2, 3, 0).reshape(3 * inputs, 3 * outputs)
        assert np.linalg.matrix_rank(matrix) == round(share * saving_ranks(*matrix.shape))
        assert weight.var() == pytest.approx(2 / (9 * inputs), rel=0.3)


def test_training_of_resnet_lowers_the_error_and_keeps_the_statistics_of_its_images():
    """The images are four blurred patterns. VGG-16 is trained below."""
    rng = np.random.default_rng(6)
    y = rng.integers(0, 4, 512).astype(np.int32)
    x = (rng.normal(size=(4, 32, 32, 3))[y] + 0.3 * rng.normal(size=(512, 32, 32, 3))).astype(np.float32)
    weights = trained(Network("resnet50", "", 1, 6, 3e-3), x, y)
    objective = convolutional.compression("resnet50", weights, x, y)
    assert float(objective.error(objective.levels.count - 1)) < 0.3
    plain = correlate(x.transpose(0, 3, 1, 2).astype(float), weights["conv1.weight"], 2)
    np.testing.assert_allclose(weights["bn1.running_mean"], plain.mean(axis=(0, 2, 3)), atol=1e-4)
    np.testing.assert_allclose(weights["bn1.running_var"], plain.var(axis=(0, 2, 3)), rtol=1e-3)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path))
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path / "cache"))
    convolutional_training.compression.cache_clear()
    yield tmp_path
    convolutional_training.compression.cache_clear()


def test_images_have_three_equal_colours_and_a_margin(folder):
    x, y, held_x, held_y = convolutional_training.images("vgg16_digits")
    assert (x.shape, held_x.shape) == ((1437, 32, 32, 3), (100, 32, 32, 3))
    assert (len(y), len(held_y)) == (1437, 100)
    assert (x.min(), x.max()) == (-1.0, 1.0)
    np.testing.assert_array_equal(x[..., 0], x[..., 2])
    np.testing.assert_array_equal(x[:, ::4, ::4], x[:, 3::4, 3::4])  # a pixel of the digits is four by four
    with pytest.raises(DataUnavailable, match="mnist_test"):
        convolutional_training.images("vgg16_mnist")


def test_the_study_trains_a_network_once_and_runs(folder, monkeypatch):
    monkeypatch.setitem(NETWORKS, "vgg16_digits", Network("vgg16", "fc3_digits", 2, 4, 3e-3))
    cell = Cell("vgg16_digits", "gp_ucb_refit", (0,), {"initial": 3, "steps": 1}, scale="smoke")
    found = fig4_convolutional.run(cell)
    assert found["x"].shape == (1, 4, 13)
    assert np.isnan(found["optimum"])
    assert found["incumbent_value"][0, 0] in found["value"][0, :3]
    assert len(list((folder / "cache" / "compression").glob("vgg16_digits-*.npz"))) == 1
    objective = convolutional_training.compression("vgg16_digits")
    assert float(objective.error(objective.levels.count - 1)) < 0.5
    convolutional_training.compression.cache_clear()
    monkeypatch.setattr(convolutional_training, "trained", None)  # the kept weights are used
    np.testing.assert_array_equal(fig4_convolutional.run(cell)["value"], found["value"])


def test_paper_scale_has_the_papers_seeds_and_evaluations_of_the_two_compared():
    cells = fig4_convolutional.STUDY.cells("paper")
    assert {cell.options["initial"] + cell.options["steps"] for cell in cells} == {300}
    for network in ("vgg16_mnist", "resnet50_mnist"):
        for method in ("corrected_ei", "ei"):
            seeds = [cell.seeds for cell in cells if (cell.problem, cell.policy) == (network, method)]
            assert sorted(sum(seeds, ())) == list(range(10))
    assert {cell.policy for cell in cells} == {"corrected_ei", "ei"}
