"""Who takes part: each minimises a Python function on a box with the same number of evaluations.

A contestant is a function of the objective, the box, the budget, the size of the initial design and the seed; what it
evaluates is recorded by the objective itself. Libraries are used as their manuals show, with their defaults, but that
everyone is given the same size of the initial design; with greenlet, without which Optuna's GP sampler searches from
its starts one after the other, twice as slowly. Nothing of a library is imported before its turn.
"""

import importlib.metadata
import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from core import optimize

__all__ = ["CONTESTANTS", "Contestant", "Run"]

Objective = Callable[[np.ndarray], float]
Bounds = tuple[tuple[float, float], ...]
Run = Callable[[Objective, Bounds, int, int, int], None]
"""(objective, bounds, budget, initial size, seed)"""


@dataclass(frozen=True)
class Contestant:
    """One method of one library.

    Attributes:
        label: for tables.
        run: minimises.
        packages: what must be installed, by the names they are imported by.
    """

    label: str
    run: Run
    packages: tuple[str, ...] = ()

    @property
    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [package for package in self.packages if importlib.util.find_spec(package) is None]

    def versions(self) -> dict[str, str]:
        """Installed versions of its packages."""
        names = {"skopt": "scikit-optimize"}
        return {package: importlib.metadata.version(names.get(package, package)) for package in self.packages}


def _ours(policy: str) -> Run:
    def run(objective: Objective, bounds: Bounds, budget: int, initial: int, seed: int) -> None:
        key = jax.random.key(seed)
        optimize(lambda x: -objective(x), bounds, policy=policy, budget=budget, key=key, initial_size=initial)

    return run


def _random(objective: Objective, bounds: Bounds, budget: int, initial: int, seed: int) -> None:
    low, high = np.array(bounds).T
    for point in np.random.default_rng(seed).uniform(low, high, size=(budget, len(bounds))):
        objective(point)


def _optuna(sampler: str, startup: str = "n_startup_trials") -> Run:
    def run(objective: Objective, bounds: Bounds, budget: int, initial: int, seed: int) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(sampler=getattr(optuna.samplers, sampler)(seed=seed, **{startup: initial}))

        def value(trial: Any) -> float:
            return objective(np.array([trial.suggest_float(f"x{i}", *ends) for i, ends in enumerate(bounds)]))

        study.optimize(value, n_trials=budget)

    return run


def _skopt(objective: Objective, bounds: Bounds, budget: int, initial: int, seed: int) -> None:
    from skopt import gp_minimize

    gp_minimize(
        lambda x: objective(np.array(x)),
        [(float(low), float(high)) for low, high in bounds],
        n_calls=budget,
        n_initial_points=initial,
        random_state=seed,
    )


def _botorch(objective: Objective, bounds: Bounds, budget: int, initial: int, seed: int) -> None:
    """The loop of BoTorch's tutorial: SingleTaskGP, standardised values, LogEI, 10 restarts of 512 raw samples."""
    import torch
    from botorch.acquisition import LogExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf
    from botorch.utils.sampling import draw_sobol_samples
    from gpytorch.mlls import ExactMarginalLogLikelihood

    torch.manual_seed(seed)
    low, high = np.array(bounds).T
    unit = torch.tensor([[0.0] * len(bounds), [1.0] * len(bounds)], dtype=torch.double)
    x = draw_sobol_samples(unit, n=initial, q=1, seed=seed).squeeze(1).to(torch.double)

    def value(point: Any) -> float:
        return -objective(low + (high - low) * point.numpy())

    y = torch.tensor([[value(point)] for point in x], dtype=torch.double)
    while len(y) < budget:
        model = SingleTaskGP(x, y, outcome_transform=Standardize(m=1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        acquisition = LogExpectedImprovement(model, best_f=y.max())
        point, _ = optimize_acqf(acquisition, bounds=unit, q=1, num_restarts=10, raw_samples=512)
        x = torch.cat([x, point.detach()])
        y = torch.cat([y, torch.tensor([[value(point.detach()[0])]], dtype=torch.double)])


def _quietly(run: Run) -> Run:
    """Without the warnings that libraries give in their ordinary work."""

    def quiet(*arguments: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(*arguments)

    return quiet


CONTESTANTS = {
    "gp_ucb_refit": Contestant("kernelbo gp_ucb_refit", _ours("gp_ucb_refit")),
    "corrected_ei": Contestant("kernelbo corrected_ei", _ours("corrected_ei")),
    "boke": Contestant("kernelbo boke", _ours("boke")),
    "random": Contestant("random search", _random),
    "optuna_tpe": Contestant("Optuna TPE", _quietly(_optuna("TPESampler")), ("optuna",)),
    "optuna_gp": Contestant("Optuna GP", _quietly(_optuna("GPSampler")), ("optuna", "torch", "greenlet")),
    "skopt_gp": Contestant("scikit-optimize GP", _quietly(_skopt), ("skopt",)),
    "botorch": Contestant("BoTorch GP, LogEI", _quietly(_botorch), ("torch", "gpytorch", "botorch")),
}
"""Every contestant by name; those whose packages are missing are skipped, and said so."""
