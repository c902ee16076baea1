"""The peer's step: BoTorch's SingleTaskGP, fit_gpytorch_mll and optimize_acqf, on the same data from the same start.

The model is ours: zero mean on standardised outputs, Matern-5/2 ARD times a variance, homoscedastic noise, Gamma priors
on every hyperparameter, the box of `core.models.hyperparameters.DEFAULT_BOUNDS`, in double precision.
"""

import math
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peer import maximize, seeded, tensor, within
from core.models.gaussian_process import JITTER
from core.models.hyperparameters import DEFAULT_BOUNDS
from core.policies.map_gp_ucb import BETA, PRIOR_RATE, PRIOR_SHAPE

__all__ = ["Task", "log_posterior", "step"]


@dataclass(frozen=True)
class Task:
    """One step, on the unit cube and standardised outputs.

    Attributes:
        x, z: data, shapes (n, d), (n,).
        fit_x, fit_z: the data of the fit, or pseudo-data, shapes (m, d), (m,).
        start: the start of the fit: d lengthscales, the variance, the noise variance.
    """

    x: np.ndarray
    z: np.ndarray
    fit_x: np.ndarray
    fit_z: np.ndarray
    start: np.ndarray


def _model(x: np.ndarray, z: np.ndarray, theta: np.ndarray) -> Any:
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import MaternKernel, ScaleKernel
    from gpytorch.likelihoods import GaussianLikelihood
    from gpytorch.means import ZeroMean
    from gpytorch.priors import GammaPrior

    def prior() -> Any:
        """Ours is a density of the logarithm; that of the value has a shape larger by one."""
        return GammaPrior(tensor(PRIOR_SHAPE + 1.0), tensor(PRIOR_RATE))

    kernel = MaternKernel(
        nu=2.5,
        ard_num_dims=x.shape[1],
        lengthscale_prior=prior(),
        lengthscale_constraint=within(DEFAULT_BOUNDS.lengthscale),
    )
    model = SingleTaskGP(
        tensor(x),
        tensor(z)[:, None],
        likelihood=GaussianLikelihood(noise_prior=prior(), noise_constraint=within(DEFAULT_BOUNDS.noise_variance)),
        covar_module=ScaleKernel(
            kernel, outputscale_prior=prior(), outputscale_constraint=within(DEFAULT_BOUNDS.variance)
        ),
        mean_module=ZeroMean(),
        outcome_transform=None,
        input_transform=None,
    ).to(tensor(0.0))
    _set(model, theta)
    return model


def _set(model: Any, theta: np.ndarray) -> None:
    model.covar_module.base_kernel.lengthscale = tensor(theta[:-2])
    model.covar_module.outputscale = tensor(theta[-2])
    model.likelihood.noise = tensor(theta[-1])


def _theta(model: Any) -> np.ndarray:
    lengthscale = model.covar_module.base_kernel.lengthscale.detach().numpy().ravel()
    return np.array([*lengthscale, model.covar_module.outputscale.item(), model.likelihood.noise.item()])


def step(task: Task, *, starts: int, raw_candidates: int, seed: int) -> tuple[float, float, np.ndarray]:
    """Wall seconds of the fit and of the maximisation of UCB (conditioning included), and the hyperparameters found."""
    from botorch.acquisition import UpperConfidenceBound
    from botorch.fit import fit_gpytorch_mll
    from gpytorch.mlls import ExactMarginalLogLikelihood

    with seeded(seed):
        begin = time.perf_counter()
        model = _model(task.fit_x, task.fit_z, task.start)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        fitted = time.perf_counter()
        theta = _theta(model)
        if task.fit_x is not task.x:
            model = _model(task.x, task.z, theta)
        model.eval()
        bound = UpperConfidenceBound(model, beta=BETA)
        maximize(bound, task.x.shape[1], starts=starts, raw_candidates=raw_candidates)
        return fitted - begin, time.perf_counter() - fitted, theta


def log_posterior(x: np.ndarray, z: np.ndarray, theta: np.ndarray) -> float:
    """The peer's log posterior density of the logarithms of theta, with our jitter, up to the priors' constants."""
    import torch
    from gpytorch.mlls import ExactMarginalLogLikelihood

    jittered = np.append(theta[:-1], theta[-1] + JITTER * theta[-2])
    model = _model(x, z, jittered)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mean = ExactMarginalLogLikelihood(model.likelihood, model)(model(tensor(x)), tensor(z))
    shape = PRIOR_SHAPE + 1.0
    constant = len(theta) * (shape * math.log(PRIOR_RATE) - math.lgamma(shape))
    return float(mean) * len(z) - constant
