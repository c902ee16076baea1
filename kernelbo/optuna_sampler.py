"""An Optuna sampler: the policies of this library inside `optuna.create_study(sampler=...)`. Needs the extra [optuna].

Before each trial an :class:`~core.Optimizer` sees all finished trials, on the :class:`~core.Space` made of Optuna's
distributions: integers, steps and categories are searched as such, and none of their points is tried twice while others
are left. Trials that failed or were pruned count as the worst value seen. Trials that run at the same time are pending
points, so that `n_jobs` and several processes on one storage do not all try the same point.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import jax
import numpy as np
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from core import Categorical, Integer, Optimizer, Policy, Real, Space, make
from core.optimizer.options import DEFAULT_POLICY
from core.policies.near import looking_near

__all__ = ["KernelboSampler"]


def _made(name: str, options: Mapping[str, Any], dim: int) -> Policy:
    """A policy by name, with the search that :class:`~core.Optimizer` gives it unless an effort is given."""
    policy = make(name, dim, **options)
    return policy if "effort" in options else looking_near(policy)


class KernelboSampler(BaseSampler):
    """Samples by a policy of this library::

        study = optuna.create_study(sampler=KernelboSampler(seed=0), direction="maximize")
        study.optimize(objective, n_trials=60)

    The first trials, and parameters that not every trial has had (conditional ones), are sampled at random. The policy
    sees all completed trials anew each time: knowledge beyond the data (the weights of Exp3 in ``uhe_bo``) is not kept
    from one proposal to the next. Trials that failed, were pruned, or have an infinite value are shown with the worst
    value seen. One objective only.

    Args:
        policy: a name in :data:`core.REGISTRY`, or a function from the dimension of the cube to a policy. As in
            :class:`~core.Optimizer`, a long tail of bad values is drawn in where the policy is given by name.
        seed: the seed of everything random; None draws one.
        n_startup_trials: completed trials before the policy is asked; None for twice the number of parameters plus one.
        options: options of the policy, where it is given by name.

    Raises:
        ValueError: ``n_startup_trials`` below 1; in use, a study of several objectives.
        TypeError: options beside a function, or that the named policy does not have.
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
        self._named = isinstance(policy, str)
        if isinstance(policy, str):
            make(policy, 2, **options)  # a wrong name or option is said here, not after the first trials
            self._make: Callable[[int], Policy] = partial(_made, policy, options)
        else:
            if options:
                raise TypeError(
                    f"options {list(options)} are of a policy by name: the function makes its policy itself"
                )
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
        """The parameters that every completed trial had, in the same range; those of one value, or of more integers
        or steps than the policies tell apart, are left out and sampled at random."""
        space = self._space.calculate(study)
        return {name: one for name, one in space.items() if not one.single() and _has_parameter(one)}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The policy's next query; None before there are trials to learn from."""
        _one_objective(study)
        if not search_space:
            return {}
        space = Space({name: _parameter(distribution) for name, distribution in search_space.items()})
        others = study.get_trials(deepcopy=False)
        known = [other for other in others if _fits(other, search_space) and other.number != trial.number]
        done = [other for other in known if other.state == TrialState.COMPLETE and math.isfinite(_value(other))]
        if len(done) < (2 * len(search_space) + 1 if self._startup is None else self._startup):
            return {}
        if space.dim not in self._policies:
            self._policies[space.dim] = self._make(space.dim)
        policy = self._policies[space.dim]
        optimizer = Optimizer(
            space,
            policy=policy,
            key=jax.random.fold_in(jax.random.key(self._seed), trial.number),
            initial_size=1,
            transform=self._named,
            maximize=study.direction == StudyDirection.MAXIMIZE,
        )

        def point(other: FrozenTrial) -> dict[str, Any]:
            return {name: _inside(search_space[name], other.params[name]) for name in search_space}

        for other in known:
            if other.state.is_finished():
                value = _value(other) if other.state == TrialState.COMPLETE else math.nan
                if math.isfinite(value):
                    optimizer.tell(point(other), value)
                else:
                    optimizer.tell(point(other), failure=other.state.name)
        running = [other for other in known if other.state == TrialState.RUNNING]
        if running and policy.batches:
            encoded = tuple(space.encode(point(other)) for other in running)
            optimizer.progress = replace(optimizer.progress, pending=encoded)
        asked = optimizer.ask()[0]
        return {name: _outside(search_space[name], asked[name]) for name in search_space}

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """One parameter at random."""
        _one_objective(study)
        return self._random.sample_independent(study, trial, param_name, param_distribution)


def _parameter(distribution: BaseDistribution) -> Real | Integer | Categorical:
    """The parameter of a distribution: categories by their number, floats with a step by the number of steps."""
    if isinstance(distribution, CategoricalDistribution):
        return Categorical(range(len(distribution.choices)))
    if isinstance(distribution, IntDistribution):
        return Integer(distribution.low, distribution.high, log=distribution.log, step=distribution.step)
    assert isinstance(distribution, FloatDistribution)
    if distribution.step is None:
        return Real(distribution.low, distribution.high, log=distribution.log)
    return Integer(0, round((distribution.high - distribution.low) / distribution.step))


def _has_parameter(distribution: BaseDistribution) -> bool:
    """Return False for ranges that :mod:`core.spaces.parameters` refuses."""
    try:
        return bool(_parameter(distribution).width)
    except (ValueError, OverflowError):  # the number of steps may be no double
        return False


def _inside(distribution: BaseDistribution, value: Any) -> Any:
    """The form that :func:`_parameter` gives to the value of a trial."""
    if isinstance(distribution, CategoricalDistribution):
        return int(distribution.to_internal_repr(value))
    if isinstance(distribution, FloatDistribution) and distribution.step is not None:
        return round((value - distribution.low) / distribution.step)
    return value


def _outside(distribution: BaseDistribution, value: Any) -> Any:
    """The trial's form of a value of :func:`_parameter`."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.to_external_repr(value)
    if isinstance(distribution, FloatDistribution) and distribution.step is not None:
        return min(distribution.low + value * distribution.step, distribution.high)
    return value


def _fits(trial: FrozenTrial, space: Mapping[str, BaseDistribution]) -> bool:
    """Return True where a trial has had all of these parameters, in these ranges, with values of the ranges: a value
    that the user set may lie outside, or off the grid."""
    same = all(trial.distributions.get(name) == distribution for name, distribution in space.items())
    return same and all(one._contains(one.to_internal_repr(trial.params[name])) for name, one in space.items())


def _value(trial: FrozenTrial) -> float:
    """The value of a trial; NaN where it has none."""
    return math.nan if trial.value is None else float(trial.value)


def _one_objective(study: Study) -> None:
    if len(study.directions) > 1:
        raise ValueError("KernelboSampler maximises or minimises one objective; this study has several")


def _fresh_seed(seed: int | None) -> int:
    return int(np.random.SeedSequence(seed).generate_state(1)[0])
