"""The peer: BoTorch's SingleTaskGP, UpperConfidenceBound and optimize_acqf, given the same model, data and effort.

Nothing is imported from torch until a function is called, so that the module loads where the extra [bench] is missing.

The model is ours: zero mean on standardised outputs, squared exponential kernel times a variance, homoscedastic noise,
in double precision. Fixed: the policy's constants. Refitted: ARD lengthscales, variance and noise by maximum likelihood
in the box that ours use (`core.models.hyperparameters.DEFAULT_BOUNDS`), started from the last fit, by BoTorch's default
optimiser.
"""

import importlib.metadata
import importlib.util
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.models.gaussian_process import JITTER
from core.models.hyperparameters import DEFAULT_BOUNDS

__all__ = [
    "INSTALL",
    "Constants",
    "available",
    "best_of_acquisition",
    "posterior",
    "run",
    "set_threads",
    "threads_to_use",
    "versions",
]

PACKAGES = ("torch", "botorch", "gpytorch")
INSTALL = '.venv/bin/python -m pip install "torch==2.13.0" botorch'


@dataclass(frozen=True)
class Constants:
    """Fixed hyperparameters on the unit cube and standardised outputs (first start of the fits), and beta of UCB."""

    lengthscale: float
    noise_variance: float
    beta: float


def available() -> bool:
    """Whether torch and botorch are installed."""
    return all(importlib.util.find_spec(package) is not None for package in PACKAGES)


def versions() -> dict[str, str]:
    """Installed versions of the peer's packages."""
    return {package: importlib.metadata.version(package) for package in PACKAGES}


def _tensor(array: Any) -> Any:
    import torch

    return torch.as_tensor(np.array(array, dtype=float), dtype=torch.double)


def _standardized(y: np.ndarray) -> np.ndarray:
    deviation = y.std()
    return (y - y.mean()) / (deviation if deviation > 0 else 1.0)


def _model(x: np.ndarray, z: np.ndarray, constants: Constants, ard: bool) -> Any:
    from botorch.models import SingleTaskGP
    from gpytorch.constraints import Interval
    from gpytorch.kernels import RBFKernel, ScaleKernel
    from gpytorch.likelihoods import GaussianLikelihood
    from gpytorch.means import ZeroMean

    def within(bounds: tuple[float, float]) -> Any:
        return Interval(*bounds, transform=None)  # the optimiser is handed the bounds themselves (L-BFGS-B)

    kernel = RBFKernel(
        ard_num_dims=x.shape[1] if ard else None, lengthscale_constraint=within(DEFAULT_BOUNDS.lengthscale)
    )
    model = SingleTaskGP(
        _tensor(x),
        _tensor(z)[:, None],
        likelihood=GaussianLikelihood(noise_constraint=within(DEFAULT_BOUNDS.noise_variance)),
        covar_module=ScaleKernel(kernel, outputscale_constraint=within(DEFAULT_BOUNDS.variance)),
        mean_module=ZeroMean(),
        outcome_transform=None,
        input_transform=None,
    ).to(_tensor(0.0))
    # Only now, and as tensors: parameters are born, and bare numbers become, single precision.
    model.covar_module.base_kernel.lengthscale = _tensor(constants.lengthscale)
    model.covar_module.outputscale = _tensor(1.0)
    model.likelihood.noise = _tensor(constants.noise_variance)
    return model


def _fit(model: Any, last: dict[str, Any] | None) -> None:
    from botorch.fit import fit_gpytorch_mll
    from gpytorch.mlls import ExactMarginalLogLikelihood

    if last is not None:
        model.load_state_dict(last)
    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))


def _maximize(model: Any, beta: float, dim: int, starts: int, raw_candidates: int) -> np.ndarray:
    from botorch.acquisition import UpperConfidenceBound
    from botorch.optim import optimize_acqf

    point, _ = optimize_acqf(
        UpperConfidenceBound(model, beta=beta),
        bounds=_tensor([[0.0] * dim, [1.0] * dim]),
        q=1,
        num_restarts=starts,
        raw_samples=raw_candidates,
    )
    found: np.ndarray = point.detach().numpy()[0]
    return found


def run(
    f: Callable[[np.ndarray], float],
    design: np.ndarray,
    budget: int,
    constants: Constants,
    *,
    refit: bool,
    starts: int,
    raw_candidates: int,
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Wall seconds of every proposal (conditioning, fit, maximisation; not f), and all values, design included."""
    import torch

    torch.manual_seed(seed)
    x, y, seconds, last = design.copy(), np.array([f(point) for point in design]), [], None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while len(y) < budget:
            start = time.perf_counter()
            model = _model(x, _standardized(y), constants, ard=refit)
            if refit:
                _fit(model, last)
                last = model.state_dict()
            model.eval()
            query = _maximize(model, constants.beta, x.shape[1], starts, raw_candidates)
            seconds.append(time.perf_counter() - start)
            x, y = np.vstack([x, query]), np.append(y, f(query))
    return np.array(seconds), y


def set_threads(threads: int) -> None:
    """Threads of one operation of torch."""
    import torch

    torch.set_num_threads(threads)


def threads_to_use(cores: int, trial: Callable[[], np.ndarray]) -> tuple[int, dict[str, float]]:
    """The faster of one thread and as many as cores, by the median of a short trial; and both medians."""
    medians = {}
    for threads in sorted({1, cores}):
        set_threads(threads)
        medians[str(threads)] = float(np.median(trial()))
    return int(min(medians, key=lambda threads: medians[threads])), medians


def posterior(x: np.ndarray, z: np.ndarray, points: np.ndarray, constants: Constants) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of the fixed model's posterior; our jitter is added to its noise."""
    import torch

    jittered = Constants(constants.lengthscale, constants.noise_variance + JITTER, constants.beta)
    model = _model(x, z, jittered, ard=False)
    model.eval()
    with torch.no_grad():
        found = model.posterior(_tensor(points)[:, None, :])
        return found.mean.numpy().ravel(), found.variance.numpy().ravel()


def best_of_acquisition(
    x: np.ndarray, z: np.ndarray, constants: Constants, *, starts: int, raw_candidates: int, seed: int
) -> np.ndarray:
    """Where the peer finds its largest upper confidence bound, fixed model."""
    import torch

    torch.manual_seed(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = _model(x, z, constants, ard=False)
        model.eval()
        return _maximize(model, constants.beta, x.shape[1], starts, raw_candidates)
