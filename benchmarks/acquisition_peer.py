"""The peer's acquisitions: BoTorch's own, on the same data, hyperparameters and search effort.

The model is ours: zero mean on standardised outputs, Matern-5/2 ARD times a variance, known noise variances, in double
precision, with the hyperparameters handed over. Nothing is imported from torch until a function is called.
"""

import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.acquisition.noisy_ei import FANTASIES
from core.acquisition.qnei import SAMPLES
from core.models.gaussian_process import JITTER

__all__ = ["PEERS", "Task", "propose", "values"]

PEERS = {
    "gp_ucb_refit": "UpperConfidenceBound",
    "ei": "ExpectedImprovement",
    "pi": "ProbabilityOfImprovement",
    "noisy_ei": "NoisyExpectedImprovement",
    "qnei": "qNoisyExpectedImprovement",
}
"""BoTorch's class for each of our policies that has one; the corrected forms are held against EI and PI."""


@dataclass(frozen=True)
class Task:
    """One posterior, on the unit cube and standardised outputs.

    Attributes:
        x, z, noise_variance: data, shapes (t, d), (t,), (t,).
        lengthscale, variance: hyperparameters of the kernel.
        beta: of UCB.
    """

    x: np.ndarray
    z: np.ndarray
    noise_variance: np.ndarray
    lengthscale: np.ndarray
    variance: float
    beta: float


def _tensor(array: Any) -> Any:
    import torch

    return torch.as_tensor(np.array(array, dtype=float), dtype=torch.double)


def _model(task: Task) -> Any:
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import MaternKernel, ScaleKernel
    from gpytorch.means import ZeroMean

    model = SingleTaskGP(
        _tensor(task.x),
        _tensor(task.z)[:, None],
        train_Yvar=_tensor(task.noise_variance + JITTER * task.variance)[:, None],
        covar_module=ScaleKernel(MaternKernel(nu=2.5, ard_num_dims=task.x.shape[1])),
        mean_module=ZeroMean(),
        outcome_transform=None,
        input_transform=None,
    ).to(_tensor(0.0))
    model.covar_module.base_kernel.lengthscale = _tensor(task.lengthscale)
    model.covar_module.outputscale = _tensor(task.variance)
    model.eval()
    return model


def _acquisition(name: str, task: Task, model: Any, prune: bool) -> Any:
    import torch
    from botorch import acquisition
    from botorch.sampling import SobolQMCNormalSampler

    observed = _tensor(task.x)
    if name == "gp_ucb_refit":
        return acquisition.UpperConfidenceBound(model, beta=task.beta)
    if name == "noisy_ei":
        return acquisition.NoisyExpectedImprovement(model, observed, num_fantasies=FANTASIES)
    if name == "qnei":
        sampler = SobolQMCNormalSampler(torch.Size([SAMPLES]))
        return acquisition.qNoisyExpectedImprovement(model, observed, sampler=sampler, prune_baseline=prune)
    with torch.no_grad():
        best = model.posterior(observed).mean.max()
    return {"ei": acquisition.ExpectedImprovement, "pi": acquisition.ProbabilityOfImprovement}[name](model, best_f=best)


def _maximize(function: Any, dim: int, starts: int, raw_candidates: int) -> np.ndarray:
    from botorch.optim import optimize_acqf

    bounds = _tensor([[0.0] * dim, [1.0] * dim])
    point, _ = optimize_acqf(function, bounds=bounds, q=1, num_restarts=starts, raw_samples=raw_candidates)
    found: np.ndarray = point.detach().numpy()[0]
    return found


def propose(name: str, task: Task, *, starts: int, raw_candidates: int, seed: int) -> tuple[float, np.ndarray]:
    """Wall seconds of conditioning, building and maximising the acquisition, and the point found.

    BoTorch's defaults elsewhere: qNEI drops the observed points that are hardly ever the best.
    """
    import torch

    torch.manual_seed(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        function = _acquisition(name, task, _model(task), prune=True)
        point = _maximize(function, task.x.shape[1], starts, raw_candidates)
        return time.perf_counter() - start, point


def values(name: str, task: Task, points: np.ndarray, seed: int = 0) -> np.ndarray:
    """BoTorch's acquisition at the points, shape (m,); ``seed`` is for its samples. No observed point is dropped."""
    import torch

    torch.manual_seed(seed)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        found: np.ndarray = _acquisition(name, task, _model(task), prune=False)(_tensor(points)[:, None, :]).numpy()
    return found
