"""The peer's acquisitions: BoTorch's own, on the same data, hyperparameters and search effort.

The model is ours: zero mean on standardised outputs, Matern-5/2 ARD times a variance, known noise variances, in double
precision, with the hyperparameters handed over.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peer import maximize, seeded, tensor
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


def _model(task: Task) -> Any:
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import MaternKernel, ScaleKernel
    from gpytorch.means import ZeroMean

    model = SingleTaskGP(
        tensor(task.x),
        tensor(task.z)[:, None],
        train_Yvar=tensor(task.noise_variance + JITTER * task.variance)[:, None],
        covar_module=ScaleKernel(MaternKernel(nu=2.5, ard_num_dims=task.x.shape[1])),
        mean_module=ZeroMean(),
        outcome_transform=None,
        input_transform=None,
    ).to(tensor(0.0))
    model.covar_module.base_kernel.lengthscale = tensor(task.lengthscale)
    model.covar_module.outputscale = tensor(task.variance)
    model.eval()
    return model


def _acquisition(name: str, task: Task, model: Any, prune: bool) -> Any:
    import torch
    from botorch import acquisition
    from botorch.sampling import SobolQMCNormalSampler

    observed = tensor(task.x)
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


def propose(name: str, task: Task, *, starts: int, raw_candidates: int, seed: int) -> tuple[float, np.ndarray]:
    """Wall seconds of conditioning, building and maximising the acquisition, and the point found.

    BoTorch's defaults elsewhere: qNEI drops the observed points that are hardly ever the best.
    """
    with seeded(seed):
        start = time.perf_counter()
        function = _acquisition(name, task, _model(task), prune=True)
        point = maximize(function, task.x.shape[1], starts=starts, raw_candidates=raw_candidates)
        return time.perf_counter() - start, point


def values(name: str, task: Task, points: np.ndarray, seed: int = 0) -> np.ndarray:
    """BoTorch's acquisition at the points, shape (m,); ``seed`` is for its samples. No observed point is dropped."""
    import torch

    with seeded(seed), torch.no_grad():
        found: np.ndarray = _acquisition(name, task, _model(task), prune=False)(tensor(points)[:, None, :]).numpy()
    return found
