"""The Optuna sampler: Optuna's own tests of samplers as far as they apply, and what only this one promises.

Optuna's cases for several objectives do not apply, but for the one that asks for a refusal. Its cases are about types,
ranges and bookkeeping: the policy of no model does, and takes no time.
"""

import math
from collections.abc import Callable, Iterator

import jax
import numpy as np
import pytest

from core import Optimizer, Policy, make
from core.policies.base import SearchEffort

optuna = pytest.importorskip("optuna", reason="the extra [optuna] is not installed")

from optuna.testing import pytest_samplers as optunas  # noqa: E402

from kernelbo.optuna_sampler import KernelboSampler  # noqa: E402

pytestmark = pytest.mark.slow

SPACE = {"x": optuna.distributions.FloatDistribution(-5.0, 10.0), "n": optuna.distributions.IntDistribution(1, 8)}


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    level = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    yield
    optuna.logging.set_verbosity(level)


def random_search() -> KernelboSampler:
    return KernelboSampler("random_search", seed=0, n_startup_trials=1)


def gp_ucb(dim: int) -> Policy:
    return make("gp_ucb", dim, effort=SearchEffort.of(dim, raw_candidates=64, starts=1, max_steps=20))


class _Sampler:
    @pytest.fixture
    def sampler(self) -> Callable[[], KernelboSampler]:
        return random_search


class TestBasic(_Sampler, optunas.BasicSamplerTestCase):
    """Optuna's own."""


class TestRelative(_Sampler, optunas.RelativeSamplerTestCase):
    """Optuna's own."""


class TestOneObjective(_Sampler, optunas.SingleOnlySamplerTestCase):
    """Optuna's own."""


def objective(trial: "optuna.Trial") -> float:
    return (trial.suggest_float("x", -5.0, 10.0) - 2.0) ** 2 + (trial.suggest_int("n", 1, 8) - 3) ** 2


def studied(sampler: KernelboSampler, trials: int, sign: float = 1.0, **options: str) -> "optuna.Study":
    study = optuna.create_study(sampler=sampler, direction="minimize" if sign > 0 else "maximize", **options)
    study.optimize(lambda trial: sign * objective(trial), n_trials=trials)
    return study


def test_a_proposal_is_the_optimizers_on_the_same_data() -> None:
    """Floats are scaled; 8 integers are the centres of 8 equal parts of the interval; minimising turns the sign."""
    sampler = KernelboSampler(gp_ucb, seed=3, n_startup_trials=4)
    study = studied(sampler, 5)
    x = np.array([[(t.params["x"] + 5.0) / 15.0, (t.params["n"] - 0.5) / 8.0] for t in study.trials])
    y = -np.array([t.value for t in study.trials])
    key = jax.random.fold_in(jax.random.key(sampler._seed), 5)
    one = Optimizer([(0, 1), (0, 1)], policy=gp_ucb(2), key=key, observations=(x, y), initial_size=1).ask()[0]
    trial = study.ask(SPACE)
    assert trial.params["x"] == pytest.approx(15.0 * one[0] - 5.0)
    assert trial.params["n"] == min(8, math.floor(8 * one[1]) + 1)


def test_it_learns_and_directions_mirror() -> None:
    """Of 15 trials the best must be within one integer step, the same run whichever way the study is directed."""
    least = studied(KernelboSampler(gp_ucb, seed=1, n_startup_trials=4), 15)
    most = studied(KernelboSampler(gp_ucb, seed=1, n_startup_trials=4), 15, sign=-1.0)
    assert [t.params for t in least.trials] == [t.params for t in most.trials]
    assert least.best_value < 1.0


def test_running_trials_are_pending() -> None:
    """Asked twice before either is told, it gives other points; told of none, it would give near ones."""
    study = studied(KernelboSampler(gp_ucb, seed=2, n_startup_trials=4), 6)
    first, second = study.ask(SPACE), study.ask(SPACE)
    assert first.params != second.params


def test_failed_pruned_and_infinite_trials_are_left_out() -> None:
    study = studied(KernelboSampler(gp_ucb, seed=4, n_startup_trials=4), 5)
    for state in (optuna.trial.TrialState.FAIL, optuna.trial.TrialState.PRUNED):
        study.tell(study.ask(SPACE), state=state)
    study.tell(study.ask(SPACE), math.inf)
    assert set(study.ask(SPACE).params) == {"x", "n"}


def test_bad_arguments() -> None:
    with pytest.raises(KeyError, match="gp_ucb"):
        KernelboSampler("gp_ubc")
    with pytest.raises(ValueError, match="n_startup_trials must be at least 1"):
        KernelboSampler(n_startup_trials=0)
