"""The contestants: each minimises a Python function on a box with the same number of evaluations.

A contestant is a function of the objective, the box or the space, the budget, the size of the initial design and the
seed; what it evaluates is recorded by the objective itself. It returns the point that its library recommends, or None
where that is the one of the best value observed. Libraries are used as their manuals show, with their defaults, but
that everyone is given the same size of the initial design; with greenlet, without which Optuna's GP sampler searches
from its starts one after the other, twice as slowly. Nothing of a library is imported before its turn.
"""

import importlib.metadata
import importlib.util
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.code import of_runs
from core import Categorical, Integer, Real, Space, optimize

__all__ = ["CONTESTANTS", "Contestant", "Run", "older"]

Objective = Callable[[Any], float]
Domain = Any
"""Pairs (low, high), or a :class:`core.Space`."""
Run = Callable[[Objective, Domain, int, int, int], Any]
"""(objective, domain, budget, initial size, seed) -> the point recommended, or None"""


@dataclass(frozen=True)
class Contestant:
    """One method of one library.

    Attributes:
        label: the name in tables.
        run: the function that minimises.
        packages: the required packages, by their import names.
        mixed: True where it takes a space of integers and choices.
        policy: of this library; "" for another library's.
    """

    label: str
    run: Run
    packages: tuple[str, ...] = ()
    mixed: bool = False
    policy: str = ""

    @property
    def code(self) -> str:
        """The version of this library's code that a run uses; "" for another library, whose versions are recorded."""
        return of_runs(self.policy) if self.policy else ""

    @property
    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [package for package in self.packages if importlib.util.find_spec(package) is None]

    def versions(self) -> dict[str, str]:
        """Installed versions of its packages."""
        names = {"skopt": "scikit-optimize"}
        return {package: importlib.metadata.version(names.get(package, package)) for package in self.packages}


def _ours(policy: str, mixed: bool = False) -> Contestant:
    def run(objective: Objective, domain: Domain, budget: int, initial: int, seed: int) -> Any:
        history = optimize(
            objective, domain, policy=policy, budget=budget, key=seed, initial_size=initial, maximize=False
        )
        return history.recommended

    return Contestant(f"kernelbo {policy}", run, mixed=mixed, policy=policy)


def _random(objective: Objective, domain: Domain, budget: int, initial: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    if isinstance(domain, Space):
        for unit in rng.uniform(size=(budget, domain.dim)):
            objective(domain.decode(unit))
        return
    low, high = np.array(domain).T
    for point in rng.uniform(low, high, size=(budget, len(domain))):
        objective(point)


def _optuna(sampler: str, startup: str = "n_startup_trials") -> Run:
    def run(objective: Objective, domain: Domain, budget: int, initial: int, seed: int) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(sampler=getattr(optuna.samplers, sampler)(seed=seed, **{startup: initial}))

        def value(trial: Any) -> float:
            if isinstance(domain, Space):
                return objective({name: _suggested(trial, name, p) for name, p in domain.parameters.items()})
            return objective(np.array([trial.suggest_float(f"x{i}", *ends) for i, ends in enumerate(domain)]))

        study.optimize(value, n_trials=budget)

    return run


def _suggested(trial: Any, name: str, parameter: Real | Integer | Categorical) -> Any:
    """A parameter by Optuna's own kinds; it has no ordered choices."""
    if isinstance(parameter, Real):
        return trial.suggest_float(name, parameter.low, parameter.high, log=parameter.log)
    if isinstance(parameter, Integer):
        return trial.suggest_int(name, parameter.low, parameter.high, log=parameter.log)
    return trial.suggest_categorical(name, parameter.choices)


def _skopt(objective: Objective, bounds: Domain, budget: int, initial: int, seed: int) -> None:
    from skopt import gp_minimize

    gp_minimize(
        lambda x: objective(np.array(x)),
        [(float(low), float(high)) for low, high in bounds],
        n_calls=budget,
        n_initial_points=initial,
        random_state=seed,
    )


def _botorch(objective: Objective, bounds: Domain, budget: int, initial: int, seed: int) -> None:
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
    """Runs without the warnings that libraries give in their ordinary work."""

    def quiet(*arguments: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(*arguments)

    return quiet


CONTESTANTS = {
    "gp_ucb_refit": _ours("gp_ucb_refit"),
    "noisy_ei": _ours("noisy_ei", mixed=True),
    "corrected_ei": _ours("corrected_ei", mixed=True),
    "boke": _ours("boke"),
    "random": Contestant("random search", _random, mixed=True),
    "optuna_tpe": Contestant("Optuna TPE", _quietly(_optuna("TPESampler")), ("optuna",), mixed=True),
    "optuna_gp": Contestant("Optuna GP", _quietly(_optuna("GPSampler")), ("optuna", "torch", "greenlet"), mixed=True),
    "skopt_gp": Contestant("scikit-optimize GP", _quietly(_skopt), ("skopt",)),
    "botorch": Contestant("BoTorch GP, LogEI", _quietly(_botorch), ("torch", "gpytorch", "botorch")),
}
"""Every contestant by name; those whose packages are missing are skipped, and said so."""


def older(record: Mapping[str, Any]) -> bool:
    """True for a run that used other code of this library than today's."""
    return bool(record.get("code", "") != CONTESTANTS[record["cell"]["contestant"]].code)
