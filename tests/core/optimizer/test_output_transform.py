"""The transform shortens a long tail of bad values where the likelihood prefers it, and otherwise leaves the values."""

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from core import Optimizer, make, optimize
from core.models.output_transform import checkpoint, scale_of, transformed

BOX = [(0.0, 1.0), (0.0, 1.0)]


def penalised(x: np.ndarray) -> float:
    """A bowl, largest at (0.3, 0.3), and a penalty of 10,000 on a quarter of the box."""
    return -1e4 if x[0] > 0.75 else -float(((x - 0.3) ** 2).sum())


def test_a_penalty_does_not_stop_progress() -> None:
    """With the transformation a penalty of 10,000 does not stop a run; without it the regret stays at hundredths."""
    for seed in range(2):
        history = optimize(penalised, BOX, budget=30, key=jax.random.key(seed))
        assert history.scale is not None
        assert history.best_y > -1e-3


def test_it_is_monotone_with_the_slope_that_its_scale_says() -> None:
    y = np.array([5.0, 4.999, 2.0, -1e6])
    z = transformed(y, 2.0)
    assert np.all(np.diff(z) < 0)
    assert (z[0] - z[1]) / 0.001 == pytest.approx(0.5, rel=1e-3)
    np.testing.assert_allclose(z[2:], [-np.log(2.5), -np.log1p((5.0 + 1e6) / 2.0)])
    assert transformed(y, None) is y


def test_the_likelihood_is_of_the_values_themselves() -> None:
    """The likelihood compares densities of the untransformed values: a long tail of independent values is found."""
    rng = np.random.default_rng(0)

    def normal(gains: np.ndarray) -> Any:
        return lambda scale: -0.5 * len(gains) * (1.0 + np.log(2.0 * np.pi))  # standardised values at their best

    tail = -np.exp(3.0 * rng.standard_normal(60))
    found = scale_of(tail, normal(tail))
    assert found is not None
    density = {
        scale: -len(tail) * np.log(np.std(transformed(tail, scale)))
        + (0.0 if scale is None else np.sum(np.log(np.gradient(transformed(np.sort(tail), scale), np.sort(tail)))))
        for scale in (None, found)
    }
    assert density[found] > density[None] + 5.0
    plain = rng.standard_normal(60)
    assert scale_of(plain, normal(plain)) is None
    assert scale_of(np.ones(9), normal(np.ones(9))) is None


@pytest.mark.parametrize("offset", [0.0, 1.0, 1e6])
def test_values_that_differ_by_rounding_have_no_scale(offset: float) -> None:
    """More than half of the values are the best up to rounding: their distances give no scale."""
    gains = offset + np.array([1.0, 1.0, 1.0, 1.0, 0.2, 0.5, 0.9])
    gains[1:4] = gains[0] - np.spacing(gains[0]) * np.arange(1, 4)
    assert np.median(gains) < gains.max()
    assert scale_of(gains, lambda scale: 0.0 if scale is None else 1e3) is None


def test_checkpoints() -> None:
    """Five, then a quarter more each time: 6, 7, 8, 10, 12, 15, 18, 22."""
    assert [checkpoint(n, 5) for n in (5, 6, 7, 8, 9, 10, 11, 14, 15, 21)] == [5, 6, 7, 8, 8, 10, 10, 12, 15, 18]


@pytest.mark.parametrize("shape", ["bowl", "waves", "noise"])
def test_values_without_a_tail_are_left_as_they_are(shape: str) -> None:
    rng = np.random.default_rng(0)
    functions: dict[str, Any] = {
        "bowl": lambda x: -float(((x - 0.3) ** 2).sum()),
        "waves": lambda x: float(np.sin(6 * x[0]) + np.cos(5 * x[1])),
        "noise": lambda x: -float(((x - 0.3) ** 2).sum()) + 0.1 * rng.standard_normal(),
    }
    history = optimize(functions[shape], BOX, budget=20, key=jax.random.key(0))
    assert history.scale is None


def test_what_it_is_off_for() -> None:
    for options in (
        {"policy": make("corrected_ei", 2)},
        {"transform": False},
        {"noise": 0.01},
        {"policy": "gp_ucb"},
        {"policy": "gp_ucb_map"},
    ):
        assert not Optimizer(BOX, key=jax.random.key(0), **options).settings.transforms  # type: ignore[arg-type]
    assert Optimizer(BOX, key=jax.random.key(0), policy=make("corrected_ei", 2), transform=True).settings.transforms


def test_exact_observations_may_have_a_tail() -> None:
    """The variance of their noise is known, zero, and stays zero however values are transformed."""
    history = optimize(penalised, BOX, budget=12, key=jax.random.key(1), noise="exact")
    assert history.scale is not None


def test_a_run_goes_on_exactly_and_is_invariant(tmp_path: Path) -> None:
    key = jax.random.key(1)
    whole = optimize(penalised, BOX, budget=18, key=key)
    half = optimize(penalised, BOX, budget=12, key=key)
    np.testing.assert_array_equal(optimize(penalised, BOX, budget=18, key=key, observations=half).x, whole.x)
    scaled = optimize(lambda x: 2.0**20 * penalised(x), BOX, budget=18, key=key)
    np.testing.assert_allclose(scaled.x, whole.x, atol=1e-4)
    optimizer = Optimizer(BOX, key=key)
    for _ in range(12):
        x = optimizer.ask()[0]
        optimizer.tell(x, penalised(x))
    optimizer.save(tmp_path / "run")
    np.testing.assert_array_equal(Optimizer.load(tmp_path / "run").ask(), optimizer.ask())
    np.testing.assert_array_equal(optimizer.history.x, whole.x[:12])
    assert "fitted to the evaluations" in whole.summary()
