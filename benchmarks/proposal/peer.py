"""The peer's runs: BoTorch's SingleTaskGP, UpperConfidenceBound and optimize_acqf, on the same model, data and effort.

The model is ours: zero mean on standardised outputs, squared exponential kernel times a variance, homoscedastic noise,
in double precision. Fixed: the policy's constants. Refitted: ARD lengthscales, variance and noise by maximum likelihood
in the box that ours use (`core.models.hyperparameters.DEFAULT_BOUNDS`), started from the last fit, by BoTorch's default
optimiser.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peer import maximize, seeded, tensor, within
from core.models.gaussian_process import JITTER
from core.models.hyperparameters import DEFAULT_BOUNDS

__all__ = ["Constants", "best_of_acquisition", "posterior", "run"]


@dataclass(frozen=True)
class Constants:
    """Fixed hyperparameters on the unit cube and standardised outputs (first start of the fits), and beta of UCB."""

    lengthscale: float
    noise_variance: float
    beta: float


def _standardized(y: np.ndarray) -> np.ndarray:
    deviation = y.std()
    return (y - y.mean()) / (deviation if deviation > 0 else 1.0)


def _model(x: np.ndarray, z: np.ndarray, constants: Constants, ard: bool) -> Any:
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import RBFKernel, ScaleKernel
    from gpytorch.likelihoods import GaussianLikelihood
    from gpytorch.means import ZeroMean

    kernel = RBFKernel(
        ard_num_dims=x.shape[1] if ard else None, lengthscale_constraint=within(DEFAULT_BOUNDS.lengthscale)
    )
    model = SingleTaskGP(
        tensor(x),
        tensor(z)[:, None],
        likelihood=GaussianLikelihood(noise_constraint=within(DEFAULT_BOUNDS.noise_variance)),
        covar_module=ScaleKernel(kernel, outputscale_constraint=within(DEFAULT_BOUNDS.variance)),
        mean_module=ZeroMean(),
        outcome_transform=None,
        input_transform=None,
    ).to(tensor(0.0))
    # Imported only now, and as tensors, because new parameters and bare numbers become single precision.
    model.covar_module.base_kernel.lengthscale = tensor(constants.lengthscale)
    model.covar_module.outputscale = tensor(1.0)
    model.likelihood.noise = tensor(constants.noise_variance)
    return model


def _fit(model: Any, last: dict[str, Any] | None) -> None:
    from botorch.fit import fit_gpytorch_mll
    from gpytorch.mlls import ExactMarginalLogLikelihood

    if last is not None:
        model.load_state_dict(last)
    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))


def _bound(model: Any, constants: Constants) -> Any:
    from botorch.acquisition import UpperConfidenceBound

    return UpperConfidenceBound(model, beta=constants.beta)


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
    x, y, seconds, last = design.copy(), np.array([f(point) for point in design]), [], None
    with seeded(seed):
        while len(y) < budget:
            start = time.perf_counter()
            model = _model(x, _standardized(y), constants, ard=refit)
            if refit:
                _fit(model, last)
                last = model.state_dict()
            model.eval()
            bound = _bound(model, constants)
            query = maximize(bound, x.shape[1], starts=starts, raw_candidates=raw_candidates)
            seconds.append(time.perf_counter() - start)
            x, y = np.vstack([x, query]), np.append(y, f(query))
    return np.array(seconds), y


def posterior(x: np.ndarray, z: np.ndarray, points: np.ndarray, constants: Constants) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of the fixed model's posterior; our jitter is added to its noise."""
    import torch

    jittered = Constants(constants.lengthscale, constants.noise_variance + JITTER, constants.beta)
    model = _model(x, z, jittered, ard=False)
    model.eval()
    with torch.no_grad():
        found = model.posterior(tensor(points)[:, None, :])
        return found.mean.numpy().ravel(), found.variance.numpy().ravel()


def best_of_acquisition(
    x: np.ndarray, z: np.ndarray, constants: Constants, *, starts: int, raw_candidates: int, seed: int
) -> np.ndarray:
    """The place where the peer finds its largest upper confidence bound, by the fixed model."""
    with seeded(seed):
        model = _model(x, z, constants, ard=False)
        model.eval()
        return maximize(_bound(model, constants), x.shape[1], starts=starts, raw_candidates=raw_candidates)
