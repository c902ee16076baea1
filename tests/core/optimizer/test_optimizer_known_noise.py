"""Known noise variances through `optimize`: the variances that reach the policy, resuming, and every bad input."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core import Evaluation, EvaluationError, History, optimize
from core.policies import SearchEffort, make
from core.policies.refitted import NEGLIGIBLE_NOISE
from core.types import Observations
from tests.core.helpers import sample_data

BOX = [(-5.0, 10.0), (100.0, 101.5)]
EFFORT = SearchEffort.of(2, raw_candidates=64, starts=2, max_steps=60)
POLICY = make("corrected_ei", 2, effort=EFFORT, fit_starts=1)
KEY = jax.random.key(11)


def hill(x: np.ndarray) -> float:
    u = (x - np.array([4.0, 101.2])) / np.array([15.0, 1.5])
    return 3.0 - float(u @ u)


def noise_at(x: np.ndarray) -> float:
    return 0.01 * (x[0] + 5.0)


def told(x: np.ndarray) -> Evaluation:
    return Evaluation(hill(x), noise_at(x))


def run(f: Any, budget: int = 9, policy: Any = POLICY, **options: Any) -> History:
    return optimize(f, BOX, policy=policy, budget=budget, key=KEY, **options)


def test_the_variances_are_kept_and_used() -> None:
    history = run(told)
    assert history.noise_variance is not None
    np.testing.assert_allclose(history.noise_variance, [noise_at(x) for x in history.x])
    assert float(history.state.noise_variance) == pytest.approx(NEGLIGIBLE_NOISE, rel=1e-3)
    untold = run(lambda x: Evaluation(hill(x)))
    assert untold.noise_variance is None
    assert float(untold.state.noise_variance) > 1e-7  # fitted
    np.testing.assert_array_equal(untold.x, run(hill).x)  # an evaluation without a variance is a number
    assert not np.array_equal(history.x, untold.x)


def test_resuming_with_known_noise_is_exact_from_a_history_and_accepted_from_arrays() -> None:
    direct, half = run(told), run(told, 7)
    again = run(told, observations=half)
    np.testing.assert_array_equal(again.x, direct.x)
    np.testing.assert_array_equal(again.noise_variance, direct.noise_variance)
    arrays = run(told, observations=(half.x, half.y, half.noise_variance))
    assert arrays.noise_variance is not None
    assert len(arrays.noise_variance) == 9


def test_zero_noise_and_equal_values_are_fine() -> None:
    exact = run(lambda x: Evaluation(hill(x), 0.0))
    assert exact.noise_variance is not None
    assert np.all(exact.noise_variance == 0.0)
    flat = run(lambda x: Evaluation(-3.7, 0.0))
    assert np.all(flat.y == -3.7)
    assert np.all(np.isfinite(flat.x))
    assert len({tuple(x) for x in flat.x}) == 9  # it keeps looking


@pytest.mark.parametrize("noise", [-1e-9, float("nan"), float("inf")])
def test_bad_variances_are_named_and_cost_nothing(noise: float) -> None:
    def breaks(x: np.ndarray) -> Evaluation:
        breaks.calls += 1  # type: ignore[attr-defined]
        return Evaluation(hill(x), noise if breaks.calls == 4 else 0.1)  # type: ignore[attr-defined]

    breaks.calls = 0  # type: ignore[attr-defined]
    with pytest.raises(
        EvaluationError, match=r"evaluation 3 at x = .* returned the noise_variance .*, which is not"
    ) as e:
        run(breaks)
    assert len(e.value.history.y) == 3
    np.testing.assert_array_equal(e.value.history.noise_variance, [0.1] * 3)
    breaks.calls = 0  # type: ignore[attr-defined]
    for rule in ("skip", "worst"):
        breaks.calls = 0  # type: ignore[attr-defined]
        history = run(breaks, 7, on_failure=rule)
        assert np.isnan(history.y[3])
        assert history.noise_variance is not None
        assert np.isnan(history.noise_variance[3])
        assert list(history.failures) == [3]


def test_variances_for_some_evaluations_only_are_refused() -> None:
    def sometimes(first: bool) -> Any:
        calls: list[int] = []

        def f(x: np.ndarray) -> Evaluation:
            calls.append(1)
            return Evaluation(hill(x), 0.1 if (len(calls) > 2) != first else None)

        return f

    with pytest.raises(
        EvaluationError, match="evaluation 2 .* returned no noise_variance, but earlier evaluations did"
    ):
        run(sometimes(first=True))
    with pytest.raises(EvaluationError, match="returned a noise_variance, but earlier evaluations did not"):
        run(sometimes(first=False))


def test_observations_given_with_bad_variances_are_refused(unchecked: None) -> None:
    history = run(told, 6)
    x, y, noise = history.x, history.y, np.array(history.noise_variance)
    with pytest.raises(ValueError, match="one noise variance a row"):
        run(told, observations=(x, y, noise[:3]))
    for wrong in (-1.0, np.nan, np.inf):
        bad = noise.copy()
        bad[[1, 4]] = wrong
        with pytest.raises(ValueError, match=r"noise_variance is not a finite number >= 0 in rows \[1, 4\]"):
            run(told, observations=(x, y, bad))
        with pytest.raises(ValueError, match=r"noise_variance must be finite and at least 0.* rows \[1, 4\]"):
            Observations.of(jnp.zeros((6, 2)), jnp.asarray(y), noise_variance=jnp.asarray(bad))
    with pytest.raises(ValueError, match="4 parts"):
        run(told, observations=(x, y, noise, noise))


# --- one step of every policy of the paper on degenerate data ------------------------------------------------------


@pytest.mark.parametrize("name", ["corrected_ei", "noisy_ei", "qnei"])
def test_degenerate_noise_gives_finite_proposals(name: str) -> None:
    policy = make(name, 2, effort=EFFORT, fit_starts=1)

    @jax.jit
    def step(observations: Observations) -> tuple:
        state = policy.update(policy.init(KEY), observations)
        return policy.propose(KEY, state, observations)

    x, y = sample_data(6, 2, 5)
    tied = y.copy()
    tied[:] = y.max()
    same_point = np.tile(x[:1], (6, 1))
    noises = (np.zeros(6), np.full(6, 1e-14), np.array([0, 1e3, 0, 1e-8, 5.0, 0]), np.full(6, 1e6))
    for points, values in ((x, y), (x, tied), (same_point, y), (same_point, tied)):
        for noise in noises:
            observations = Observations.of(
                jnp.asarray(points), jnp.asarray(values), noise_variance=jnp.asarray(noise), capacity=8
            )
            query, _, info = step(observations)
            assert np.all((np.asarray(query) >= 0) & (np.asarray(query) <= 1))
            assert all(bool(jnp.isfinite(value)) for value in info.values()), info
            assert 0 <= int(info["incumbent"]) < 6
            assert float(info["acquisition"]) >= 0.0


def test_known_noise_is_in_the_unit_of_y() -> None:
    x, y = sample_data(6, 2, 5)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), noise_variance=jnp.full(6, 0.3), capacity=8)
    moved = eqx.tree_at(
        lambda o: (o.y, o.noise_variance), observations, (50.0 * observations.y, 2500.0 * observations.noise_variance)
    )
    step = eqx.filter_jit(POLICY.propose)
    state = POLICY.init(KEY)
    (query, _, info), (other, _, larger) = step(KEY, state, observations), step(KEY, state, moved)
    np.testing.assert_allclose(query, other, atol=2e-5)
    assert float(larger["acquisition"]) == pytest.approx(50.0 * float(info["acquisition"]), rel=1e-5)
