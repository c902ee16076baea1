"""Weights and images of the large networks, from files of this machine; nothing is downloaded.

In the folder that ``KERNELBO_DATA`` names, or in ``.cache/data``:

| file | content |
|---|---|
| `vgg16_weights.npz`, `resnet50_weights.npz` | one array for each entry of torchvision's state dict, under its name |
| `imagenet_validation.npz` | `x` (n, 3, 224, 224), bytes, RGB; `y` (n,), the classes 0-999 in torchvision's order |

`np.savez("vgg16_weights.npz", **{k: v.numpy() for k, v in torchvision.models.vgg16(weights="DEFAULT").state_dict()
.items()})` writes the first. Where a file of weights is missing, torch is installed and its cache of checkpoints has
torchvision's (`vgg16-*.pth`, `resnet50-*.pth`), these are used. Images are centre crops of the ILSVRC2012 validation
set, whose licence forbids to pass them on; they are standardised here by torchvision's means and deviations.
"""

import importlib
import importlib.util
import os
from pathlib import Path

import numpy as np

from experiments.data import VARIABLE, DataCorrupted, DataUnavailable
from experiments.data.formats import UNREADABLE, parse_arrays
from experiments.data.sources import cache_folder
from experiments.problems.checks import known_choice
from experiments.workloads.compression.convolutional import ARCHITECTURES

__all__ = ["available", "images", "skipped", "weights"]

IMAGES = "imagenet_validation.npz"
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def _find(name: str) -> Path | None:
    folder = os.environ.get(VARIABLE, "")
    candidates = [Path(folder).expanduser() / name] if folder else []
    return next((path for path in (*candidates, cache_folder() / name) if path.is_file()), None)


def _checkpoint(architecture: str) -> Path | None:
    """Torchvision's weights in torch's own cache, where torch is installed."""
    if importlib.util.find_spec("torch") is None:
        return None
    folder = Path(importlib.import_module("torch").hub.get_dir()) / "checkpoints"
    return next(iter(sorted(folder.glob(f"{architecture}-*.pth"))), None)


def available(architecture: str) -> bool:
    """True where weights and images of a network are on this machine; the files are not read or checked."""
    return _find(IMAGES) is not None and (_find(f"{architecture}_weights.npz") or _checkpoint(architecture)) is not None


def skipped() -> list[str]:
    """A sentence for each network that is left out, with the files that it needs."""
    return [_how_to_get(architecture) for architecture in ARCHITECTURES if not available(architecture)]


def _how_to_get(architecture: str) -> str:
    missing = [] if _find(IMAGES) else [f"{IMAGES} (images of ILSVRC2012's validation set)"]
    if not (_find(f"{architecture}_weights.npz") or _checkpoint(architecture)):
        missing.append(f"{architecture}_weights.npz (torchvision's weights)")
    files = " and ".join(missing)
    where = f"the folder that {VARIABLE} names (formats: experiments/workloads/compression/files.py)"
    return f"skipped: data: {architecture} needs {files} in {where}"


def weights(architecture: str) -> dict[str, np.ndarray]:
    """The arrays of a network by torchvision's names.

    Raises:
        ValueError: an unknown architecture.
        DataUnavailable: no weights on this machine; the message says what to put where.
        DataCorrupted: a file that cannot be read.
    """
    known_choice("architecture", architecture, ARCHITECTURES)
    path = _find(f"{architecture}_weights.npz")
    if path is not None:
        return _read(path)
    checkpoint = _checkpoint(architecture)
    if checkpoint is None:
        raise DataUnavailable(_how_to_get(architecture))
    state = importlib.import_module("torch").load(checkpoint, map_location="cpu", weights_only=True)
    return {name: value.numpy() for name, value in state.items()}


def images() -> tuple[np.ndarray, np.ndarray]:
    """Standardised images (n, 3, h, w) in single precision and labels (n,); raises as :func:`weights`."""
    path = _find(IMAGES)
    if path is None:
        raise DataUnavailable(_how_to_get(ARCHITECTURES[0]))
    found = _read(path)
    x, y = found.get("x"), found.get("y")
    if x is None or y is None or x.ndim != 4 or x.shape[1] != 3 or x.dtype != np.uint8 or y.shape != x.shape[:1]:
        raise DataCorrupted(f"{path}: expected x (n, 3, h, w) in bytes and y (n,)")
    mean, deviation = (np.array(values, np.float32)[None, :, None, None] for values in (MEAN, DEVIATION))
    return (x.astype(np.float32) / 255.0 - mean) / deviation, y.astype(np.int32)


def _read(path: Path) -> dict[str, np.ndarray]:
    try:
        return parse_arrays(path.read_bytes())
    except UNREADABLE as error:
        raise DataCorrupted(f"{path} cannot be read ({error}): put the right file there, or remove it") from error
