"""The peer, BoTorch: the check that it is installed, and the functions that every benchmark uses.

Nothing is imported from torch until a function is called, so that the module loads where the extra [bench] is missing.
"""

import importlib.metadata
import importlib.util
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from experiments.engine.provenance import usable_cores

__all__ = [
    "INSTALL",
    "available",
    "choose_threads",
    "maximize",
    "seeded",
    "set_threads",
    "tensor",
    "versions",
    "within",
]

PACKAGES = ("torch", "botorch", "gpytorch")
INSTALL = '.venv/bin/python -m pip install "torch==2.13.0" botorch'


def available() -> bool:
    """True where torch and botorch are installed."""
    return all(importlib.util.find_spec(package) is not None for package in PACKAGES)


def versions() -> dict[str, str]:
    """Installed versions of the peer's packages."""
    return {package: importlib.metadata.version(package) for package in PACKAGES}


def tensor(array: Any) -> Any:
    """The numbers in double precision."""
    import torch

    return torch.as_tensor(np.array(array, dtype=float), dtype=torch.double)


def within(bounds: tuple[float, float]) -> Any:
    """A constraint whose bounds the optimiser itself is handed (L-BFGS-B)."""
    from gpytorch.constraints import Interval

    return Interval(*bounds, transform=None)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """The peer's random numbers follow the seed; its warnings are left out."""
    import torch

    torch.manual_seed(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def maximize(function: Any, dim: int, *, starts: int, raw_candidates: int) -> np.ndarray:
    """The place where `optimize_acqf` finds the largest value of an acquisition on the unit cube."""
    from botorch.optim import optimize_acqf

    bounds = tensor([[0.0] * dim, [1.0] * dim])
    point, _ = optimize_acqf(function, bounds=bounds, q=1, num_restarts=starts, raw_samples=raw_candidates)
    found: np.ndarray = point.detach().numpy()[0]
    return found


def set_threads(threads: int) -> None:
    """Threads of one operation of torch."""
    import torch

    torch.set_num_threads(threads)


def choose_threads(trial: Callable[[], np.ndarray]) -> dict[str, Any]:
    """The faster of one thread and one per core, by the median seconds of a short trial: "used"; "trial_seconds"."""
    medians = {}
    for threads in sorted({1, usable_cores()}):
        set_threads(threads)
        medians[str(threads)] = float(np.median(trial()))
    return {"used": int(min(medians, key=lambda threads: medians[threads])), "trial_seconds": medians}
