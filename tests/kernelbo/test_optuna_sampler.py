"""The Optuna sampler: those of Optuna's own tests of samplers that apply, and the promises of this sampler alone.

Of Optuna's cases for several objectives only the refusal applies. The cases concern types, ranges and bookkeeping, so
a policy without a model, which takes no time, serves.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import jax
import pytest

from core import Integer, Optimizer, Policy, Real, make
from core.policies.base import SearchEffort

optuna = pytest.importorskip("optuna", reason="the extra [optuna] is not installed")

from optuna.testing import pytest_samplers as optunas  # noqa: E402

from kernelbo.optuna_sampler import KernelboSampler  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:all . points of the space")]

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
    """Runs the basic tests that Optuna has for samplers."""


class TestRelative(_Sampler, optunas.RelativeSamplerTestCase):
    """Runs the tests that Optuna has for relative sampling."""


class TestOneObjective(_Sampler, optunas.SingleOnlySamplerTestCase):
    """Runs the tests that Optuna has for one objective."""


def objective(trial: "optuna.Trial") -> float:
    return (trial.suggest_float("x", -5.0, 10.0) - 2.0) ** 2 + (trial.suggest_int("n", 1, 8) - 3) ** 2


def studied(sampler: KernelboSampler, trials: int, sign: float = 1.0, **options: str) -> "optuna.Study":
    study = optuna.create_study(sampler=sampler, direction="minimize" if sign > 0 else "maximize", **options)
    study.optimize(lambda trial: sign * objective(trial), n_trials=trials)
    return study


def test_a_proposal_is_the_optimizers_on_the_same_data() -> None:
    sampler = KernelboSampler(gp_ucb, seed=3, n_startup_trials=4)
    study = studied(sampler, 5)
    key = jax.random.fold_in(jax.random.key(sampler._seed), 5)
    points = [trial.params for trial in study.trials]
    values = [trial.value for trial in study.trials]
    space = {"n": Integer(1, 8), "x": Real(-5.0, 10.0)}  # in the order of their names, as Optuna has them
    optimizer = Optimizer(
        space, policy=gp_ucb(2), key=key, observations=(points, values), initial_size=1, maximize=False
    )
    assert study.ask(SPACE).params == optimizer.ask()[0]


def test_a_tail_of_bad_values_is_drawn_in_as_in_the_optimizer() -> None:
    """A policy given by name sees transformed values where likelihood favours that; an instance does not."""

    def penalised(x: float, y: float) -> float:
        return 1e4 if x > 0.75 else (x - 0.3) ** 2 + (y - 0.3) ** 2

    def after(policy: Any, trials: int = 14) -> "optuna.Study":
        study = optuna.create_study(sampler=KernelboSampler(policy, seed=3, n_startup_trials=trials))
        study.optimize(lambda t: penalised(t.suggest_float("x", 0, 1), t.suggest_float("y", 0, 1)), n_trials=trials)
        return study

    asked = {}
    space = {name: optuna.distributions.FloatDistribution(0.0, 1.0) for name in ("x", "y")}
    for policy in ("corrected_ei", lambda dim: make("corrected_ei", dim)):
        study = after(policy)
        key = jax.random.fold_in(jax.random.key(study.sampler._seed), 14)
        given = ([trial.params for trial in study.trials], [trial.value for trial in study.trials])
        optimizer = Optimizer(
            {"x": Real(0.0, 1.0), "y": Real(0.0, 1.0)},
            policy=policy if isinstance(policy, str) else policy(2),
            key=key,
            observations=given,
            initial_size=1,
            maximize=False,
        )
        asked[isinstance(policy, str)] = study.ask(space).params
        assert asked[isinstance(policy, str)] == optimizer.ask()[0]
        assert (optimizer.history.scale is not None) == isinstance(policy, str)
    assert asked[True] != asked[False]


def test_no_point_of_a_discrete_space_is_tried_twice() -> None:
    """Forty trials on ten times ten integers try forty different points."""
    for seed in range(2):
        study = optuna.create_study(sampler=KernelboSampler(seed=seed))
        study.optimize(lambda t: (t.suggest_int("a", 0, 9) - 6) ** 2 + (t.suggest_int("b", 0, 9) - 3) ** 2, n_trials=40)
        ours = [tuple(trial.params.values()) for trial in study.trials[5:]]  # the first are random
        assert len(set(ours)) == 35
        assert not set(ours) & {tuple(trial.params.values()) for trial in study.trials[:5]}
        assert study.best_value == 0


def test_steps_logarithms_and_categories_are_searched_as_such() -> None:
    def cost(trial: "optuna.Trial") -> float:
        a, b = trial.suggest_int("a", 0, 20, step=4), trial.suggest_int("b", 1, 64, log=True)
        c, d = trial.suggest_categorical("c", ["x", None, 2.5]), trial.suggest_float("d", 0.1, 0.7, step=0.2)
        return (a - 12) ** 2 / 16 + (b - 9) ** 2 / 30 + 3 * (c is not None) + 10 * (d - 0.5) ** 2

    study = optuna.create_study(sampler=KernelboSampler(seed=0))
    study.optimize(cost, n_trials=40)
    assert len({tuple(trial.params.items()) for trial in study.trials[9:]}) == 31
    assert all(trial.params["a"] % 4 == 0 for trial in study.trials)
    assert {round(trial.params["d"], 12) for trial in study.trials} <= {0.1, 0.3, 0.5, 0.7}
    assert study.best_value < 0.3  # at a = 12, c = None, d = 0.5, b from 7 to 11


def test_an_exhausted_space_is_said() -> None:
    study = optuna.create_study(sampler=KernelboSampler(gp_ucb, seed=0, n_startup_trials=2))
    study.optimize(lambda trial: trial.suggest_int("a", 0, 3), n_trials=5)
    space = {"a": optuna.distributions.IntDistribution(0, 3)}
    while len({trial.params["a"] for trial in study.trials}) < 4:
        study.tell(study.ask(space), 1.0)
    with pytest.warns(UserWarning, match="all 4 points of the space"):
        study.ask(space)


def test_a_region_that_fails_is_learned() -> None:
    """The sampler learns where trials fail, and then few of them do."""

    def fails(trial: "optuna.Trial") -> float:
        x, y = trial.suggest_float("x", 0.0, 1.0), trial.suggest_float("y", 0.0, 1.0)
        if x > 0.6:
            raise RuntimeError("solver diverged")
        return x + 0.3 * math.sin(5 * y)

    study = optuna.create_study(sampler=KernelboSampler(seed=0), direction="maximize")
    study.optimize(fails, n_trials=40, catch=RuntimeError)
    assert sum(trial.state == optuna.trial.TrialState.FAIL for trial in study.trials) <= 14
    assert study.best_value > 0.85


def test_it_learns_and_directions_mirror() -> None:
    """The best of 15 trials must be within one integer step, the same run for both directions of the study."""
    least = studied(KernelboSampler(gp_ucb, seed=1, n_startup_trials=4), 15)
    most = studied(KernelboSampler(gp_ucb, seed=1, n_startup_trials=4), 15, sign=-1.0)
    assert [t.params for t in least.trials] == [t.params for t in most.trials]
    assert least.best_value < 1.0


def test_running_trials_are_pending() -> None:
    """Asked twice before either is told, it gives other points; told of none, it would give near ones."""
    study = studied(KernelboSampler(gp_ucb, seed=2, n_startup_trials=4), 6)
    first, second = study.ask(SPACE), study.ask(SPACE)
    assert first.params != second.params


def test_failed_pruned_and_infinite_trials_are_no_obstacle() -> None:
    study = studied(KernelboSampler(gp_ucb, seed=4, n_startup_trials=4), 5)
    for state in (optuna.trial.TrialState.FAIL, optuna.trial.TrialState.PRUNED):
        study.tell(study.ask(SPACE), state=state)
    study.tell(study.ask(SPACE), math.inf)
    assert set(study.ask(SPACE).params) == {"x", "n"}


@pytest.mark.parametrize(
    ("values", "objective"),
    [
        ([{"x": 1.5}], lambda trial: trial.suggest_float("x", 0, 1)),
        ([{"n": 4}], lambda trial: trial.suggest_int("n", 0, 9, step=3)),
        ([{"d": 0.25}], lambda trial: trial.suggest_float("d", 0.1, 0.7, step=0.2)),
    ],
)
@pytest.mark.filterwarnings("ignore:Fixed parameter")
def test_values_set_outside_the_range_or_off_the_grid_are_passed_over(
    values: list[dict[str, Any]], objective: Callable[["optuna.Trial"], float]
) -> None:
    study = optuna.create_study(sampler=random_search())
    for value in values:
        study.enqueue_trial(value)
    study.optimize(objective, n_trials=5)
    assert study.trials[0].params == values[0]
    assert len(study.trials) == 5


def test_ranges_beyond_the_doubles_integers_are_sampled_at_random() -> None:
    def cost(trial: "optuna.Trial") -> float:
        number, fine = trial.suggest_int("seed", 0, 2**53), trial.suggest_float("fine", 0, 1e9, step=1e-8)
        return trial.suggest_float("x", 0, 1) + 1e-20 * (number + fine)

    study = optuna.create_study(sampler=random_search())
    study.optimize(cost, n_trials=5)
    assert set(study.sampler.infer_relative_search_space(study, study.trials[-1])) == {"x"}


def test_bad_arguments() -> None:
    with pytest.raises(TypeError, match=r"options \['alpha'\] are of a policy by name"):
        KernelboSampler(gp_ucb, alpha=3)
    with pytest.raises(KeyError, match="gp_ucb"):
        KernelboSampler("gp_ubc")
    with pytest.raises(ValueError, match="n_startup_trials must be at least 1"):
        KernelboSampler(n_startup_trials=0)
