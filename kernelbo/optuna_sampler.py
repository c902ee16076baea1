"""An Optuna sampler: the policies of this library inside `optuna.create_study(sampler=...)`. Needs the extra [optuna].

Before each trial all completed trials are shown to an :class:`~core.Optimizer` on the unit cube: parameters
are scaled, log-scaled ones on their logarithm, integers and steps as they were rounded, categories one-hot. Trials that
run at the same time are its pending points, so that `n_jobs` and several processes on one storage do not all try
the same point.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import jax
import numpy as np
from optuna._transform import _SearchSpaceTransform  # what Optuna's own GP and CMA-ES samplers use
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from core import Optimizer, Policy, make
from core.door.optimizer import DEFAULT_POLICY

__all__ = ["KernelboSampler"]


class KernelboSampler(BaseSampler):
    """Samples by a policy of this library::

        study = optuna.create_study(sampler=KernelboSampler(seed=0), direction="maximize")
        study.optimize(objective, n_trials=60)

    The first trials, and parameters that not every trial has had (conditional ones), are sampled at random. A policy is
    shown all completed trials anew each time: what a policy learns from one proposal to the next beyond the data
    (the weights of Exp3 in ``uhe_bo``) is not kept. Trials that failed, were pruned, or have an infinite value are
    left out. One objective only.

    Args:
        policy: a name in :data:`core.REGISTRY`, or a function from the dimension of the cube to a policy.
        seed: of everything random; None draws one.
        n_startup_trials: completed trials before the policy is asked; None for twice the dimension plus one.
        options: of the policy, where it is given by name.

    Raises:
        ValueError: ``n_startup_trials`` below 1; in use, a study of several objectives.
        KeyError: an unknown policy.
    """

    def __init__(
        self,
        policy: str | Callable[[int], Policy] = DEFAULT_POLICY,
        *,
        seed: int | None = None,
        n_startup_trials: int | None = None,
        **options: Any,
    ) -> None:
        if n_startup_trials is not None and n_startup_trials < 1:
            raise ValueError(f"n_startup_trials must be at least 1, got {n_startup_trials}")
        if isinstance(policy, str):
            make(policy, 2, **options)  # a wrong name or option is said here, not after the first trials
            self._make: Callable[[int], Policy] = partial(make, policy, **options)
        else:
            self._make = policy
        self._policies: dict[int, Policy] = {}
        self._startup = n_startup_trials
        self._random = RandomSampler(seed)
        self._seed = _fresh_seed(seed)
        self._space = IntersectionSearchSpace()

    def reseed_rng(self) -> None:
        """Another seed; Optuna calls it in the copies that work in parallel."""
        self._random.reseed_rng()
        self._seed = _fresh_seed(None)

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """The parameters that every completed trial had, in the same range; those of one value left out."""
        space = self._space.calculate(study)
        return {name: distribution for name, distribution in space.items() if not distribution.single()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The policy's next query; nothing where there is nothing to learn from yet."""
        _one_objective(study)
        if not search_space:
            return {}
        transform = _SearchSpaceTransform(search_space, transform_0_1=True)
        dim = len(transform.bounds)
        others = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE, TrialState.RUNNING))
        known = [other for other in others if _fits(other, search_space) and other.number != trial.number]
        done = [other for other in known if other.state == TrialState.COMPLETE and math.isfinite(_value(other))]
        if len(done) < (2 * dim + 1 if self._startup is None else self._startup):
            return {}

        def points(trials: list[FrozenTrial]) -> np.ndarray:
            encoded = [transform.transform({name: each.params[name] for name in search_space}) for each in trials]
            return np.clip(np.asarray(encoded).reshape(-1, dim), 0.0, 1.0)

        sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
        if dim not in self._policies:
            self._policies[dim] = self._make(dim)
        policy = self._policies[dim]
        optimizer = Optimizer(
            [(0.0, 1.0)] * dim,
            policy=policy,
            key=jax.random.fold_in(jax.random.key(self._seed), trial.number),
            observations=(points(done), np.asarray([sign * _value(each) for each in done])),
            initial_size=1,
        )
        running = [other for other in known if other.state == TrialState.RUNNING]
        if running and policy.batches:
            optimizer.progress = replace(optimizer.progress, pending=tuple(points(running)))
        return dict(transform.untransform(np.asarray(optimizer.ask()[0])))

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """One parameter at random."""
        _one_objective(study)
        return self._random.sample_independent(study, trial, param_name, param_distribution)


def _fits(trial: FrozenTrial, space: Mapping[str, BaseDistribution]) -> bool:
    """Whether a trial has had all of these parameters, in these ranges."""
    return all(trial.distributions.get(name) == distribution for name, distribution in space.items())


def _value(trial: FrozenTrial) -> float:
    """What a trial came to; NaN where it has no value."""
    return math.nan if trial.value is None else float(trial.value)


def _one_objective(study: Study) -> None:
    if len(study.directions) > 1:
        raise ValueError("KernelboSampler maximises or minimises one objective; this study has several")


def _fresh_seed(seed: int | None) -> int:
    return int(np.random.SeedSequence(seed).generate_state(1)[0])
