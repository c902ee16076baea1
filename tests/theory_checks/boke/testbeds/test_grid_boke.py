"""The grid implementation of BOKE against `core`."""

import jax
import numpy as np
import pytest

from core.acquisition.boke import ikr_ucb
from core.models.kernels import EPANECHNIKOV as CORE_EPANECHNIKOV
from core.models.regression import kernel_regression
from theory_checks.boke.testbeds import grid_boke, packing_runs
from theory_checks.boke.testbeds.compact_kernels import EPANECHNIKOV


def _runs(explore=1.0, ties="nearest", steps=25):
    rng = np.random.default_rng(3)
    grid = grid_boke.grid_of(41, 1)
    values = np.sin(5 * grid[:, 0])
    method = grid_boke.Method(EPANECHNIKOV, lambda t: 0.3 * t**-0.2, packing_runs.theorem9, ties, explore)
    runs = grid_boke.run(method, grid, values, 0.1 * rng.standard_normal((3, steps)), np.zeros(3, int), rng)
    return grid, values, runs


@pytest.mark.parametrize("explore", [1.0, 0.0])
def test_every_query_maximises_cores_acquisition(explore):
    grid, _, runs = _runs(explore)

    @jax.jit
    def acquisition(points, data_x, data_y, mask, h, beta):
        def one(x):
            if explore:
                return ikr_ucb(x, data_x, data_y, h, beta, CORE_EPANECHNIKOV, mask)
            return kernel_regression(x, data_x, data_y, h, CORE_EPANECHNIKOV, mask)

        return jax.vmap(one)(points)

    for seed in range(3):
        for t in range(1, 25):
            mask = np.arange(25) < t
            data_x = np.where(mask[:, None], grid[runs.index[seed]], 0.0)
            data_y = np.where(mask, runs.y[seed], 0.0)
            value = acquisition(grid, data_x, data_y, mask, 0.3 * t**-0.2, packing_runs.theorem9(t))
            assert value[runs.index[seed, t]] >= value.max() - 1e-9


def test_fill_distance_regret_and_counts():
    grid, values, runs = _runs()
    for seed in range(3):
        visited = grid[runs.index[seed]]
        assert runs.fill[seed, -1] == pytest.approx(np.abs(grid - visited.T).min(1).max())
        assert runs.simple_regret(values)[seed, -1] == pytest.approx(values.max() - values[runs.index[seed]].max())
        assert runs.counts[seed].sum() == 25
        gram = EPANECHNIKOV(np.abs(grid - grid.T) / (0.3 * 25**-0.2))
        assert np.allclose(runs.weight[seed], runs.counts[seed] @ gram)


def test_ties_decide_how_fast_the_grid_fills():
    near, far = _runs(ties="nearest")[2], _runs(ties="farthest")[2]
    assert np.all(near.fill[:, 1] > far.fill[:, 1])
