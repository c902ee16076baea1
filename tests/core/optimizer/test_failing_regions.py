"""The model learns a region that fails, in whatever way a failure is told."""

from typing import Any

import jax
import numpy as np
import pytest

from core import History, Optimizer, optimize

BOX = [(0.0, 1.0), (0.0, 1.0)]


def value(x: np.ndarray) -> float:
    """Rises towards x0 = 0.6, beyond which it fails."""
    if x[0] > 0.6:
        raise RuntimeError("solver diverged")
    return float(x[0] + 0.3 * np.sin(5 * x[1]))


def told(**options: Any) -> History:
    """Forty evaluations by ask and tell."""
    optimizer = Optimizer(BOX, policy="corrected_ei", key=jax.random.key(0), **options)
    for _ in range(40):
        x = optimizer.ask()[0]
        try:
            optimizer.tell(x, value(x))
        except RuntimeError as error:
            optimizer.tell(x, failure=str(error))
    return optimizer.history


def near_an_earlier_failure(history: History) -> int:
    """Proposals within 0.02 of a point that had failed by then."""
    failed = ~history.ok
    gaps = np.abs(history.x[:, None] - history.x[None]).max(axis=2)
    before = np.tril(np.ones_like(gaps, bool), -1)
    return int(((gaps < 0.02) & before & failed[None]).any(axis=1)[5:].sum())


def test_by_default_few_evaluations_fail() -> None:
    """The default learns where evaluations fail, and then few of them do."""
    history = told()
    assert len(history.failures) <= 12
    assert near_an_earlier_failure(history) <= 2
    assert history.best_y > 0.85  # of 0.9


def test_skipped_failures_are_not_asked_for_again() -> None:
    history = told(failures="skip")
    assert near_an_earlier_failure(history) <= 4


def test_optimize_and_optimizer_learn_alike() -> None:
    ran = optimize(value, BOX, policy="corrected_ei", budget=40, key=jax.random.key(0), on_failure="worst")
    np.testing.assert_array_equal(ran.x, told().x)


@pytest.mark.parametrize("failures", [None, "skip"])
def test_contexts_are_skipped(failures: str | None) -> None:
    seen = Optimizer(BOX, policy="random_search", key=jax.random.key(0), failures=failures, context_bounds=[(0.0, 1.0)])
    assert seen.settings.failures == "skip"
