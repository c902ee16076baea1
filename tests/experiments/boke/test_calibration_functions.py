"""Functions of the calibration: optimum and range against a search, and families against their descriptions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import qmc, skew

from experiments.boke.calibration_functions import FAMILIES, STEEPNESS, calibration_problem

POINTS = jnp.asarray(qmc.Sobol(2, rng=np.random.default_rng(4)).random(2**12))


def values(seed: int) -> np.ndarray:
    return np.asarray(jax.vmap(calibration_problem(2, seed).value)(POINTS))


@pytest.mark.parametrize("seed", range(8))
def test_optimum_and_range_bound_a_search_closely(seed: int) -> None:
    problem, found = calibration_problem(2, seed), values(seed)
    slack = 1e-6 * float(problem.range)
    assert found.max() <= float(problem.optimum) + slack
    assert found.min() >= float(problem.optimum - problem.range) - slack
    assert np.ptp(found) >= 0.9 * float(problem.range)
    assert float(problem.value(problem.optimizers[0])) == pytest.approx(float(problem.optimum), abs=10 * slack)


def test_families_come_in_turn() -> None:
    formulas = [calibration_problem(2, seed).formula for seed in range(8)]
    assert [float(f.bowl) for f in formulas] == [0, 0, 0, 1] * 2
    assert [float(f.steepness) for f in formulas] == [0, 0, STEEPNESS, 0] * 2
    assert len(FAMILIES) == 4


def test_the_skewed_family_is_the_exponential_of_its_path() -> None:
    for seed in (2, 6):
        problem = calibration_problem(2, seed)
        path = np.asarray(jax.vmap(problem.formula.path)(POINTS))
        np.testing.assert_allclose(values(seed), np.expm1(STEEPNESS * path) / STEEPNESS, rtol=1e-10)
        assert skew(values(seed)) > skew(path) + 0.5


def test_a_bowl_is_its_formula() -> None:
    f = calibration_problem(2, 3).formula
    centre, weight, exponent = (np.asarray(part) for part in (f.centre, f.weight, f.exponent))
    expected = -(weight * np.abs(np.asarray(POINTS) - centre) ** exponent).sum(axis=1)
    np.testing.assert_allclose(values(3), expected, rtol=1e-12)
    assert np.all((centre >= 0.2) & (centre <= 0.8))
    assert 1.0 <= exponent <= 3.0
