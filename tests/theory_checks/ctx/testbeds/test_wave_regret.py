"""Choices on the grid of waves against the formulas of a Gaussian process."""

import math

import jax.numpy as jnp
import numpy as np
import pytest

from core.worst_case.total_variation import tv_worst_case
from theory_checks.ctx.testbeds import wave_regret


def test_wave_features_are_a_stationary_kernel_of_unit_variance():
    points = np.random.default_rng(6).random((5, 2))
    gram = wave_regret.waves(points, 2) @ wave_regret.waves(points, 2).T
    shares = np.array([4, 2, 1]) / 7
    expected = np.ones((5, 5))
    for k in range(2):
        gap = points[:, None, k] - points[None, :, k]
        expected *= sum(share * np.cos(math.pi * j * gap) for j, share in enumerate(shares))
    assert np.allclose(gram, expected)


@pytest.mark.parametrize("method", ["sbo", "drbo"])
def test_wave_choice_matches_the_gaussian_process_formulas(method):
    rng = np.random.default_rng(7)
    setting = wave_regret.Setting("test", 1, wave_regret.normal(1), method, 2.25)
    x, c, y = rng.random((5, 1)), rng.random((5, 1)), rng.normal(size=5)
    grid_points = np.linspace(0, 1, wave_regret.DECISIONS)[:, None]
    samples, box = rng.normal(0.5, 0.2, (1, wave_regret.SAMPLES, 1)), rng.random((wave_regret.BOX, 1))

    def k(a, b, e, g):
        return (wave_regret.waves(a, 1) @ wave_regret.waves(e, 1).T) * (
            wave_regret.waves(b, 1) @ wave_regret.waves(g, 1).T
        )

    phi = (wave_regret.waves(x, 1)[:, :, None] * wave_regret.waves(c, 1)[:, None]).reshape(5, -1)
    covariance = np.linalg.inv(np.eye(9) + phi.T @ phi / wave_regret.NOISE**2)
    chosen = setting._choose(
        8, wave_regret.waves(grid_points, 1), samples, box, covariance[None], (phi.T @ y / wave_regret.NOISE**2)[None]
    )
    noisy = k(x, c, x, c) + wave_regret.NOISE**2 * np.eye(5)
    where = np.concatenate([samples[0], box]) if method == "drbo" else samples[0]
    scores = []
    for point in grid_points:
        here = np.tile(point, (len(where), 1))
        cross = k(here, where, x, c)
        variance = 1 - np.sum(cross * np.linalg.solve(noisy, cross.T).T, axis=1)
        ucb = cross @ np.linalg.solve(noisy, y) + 1.5 * np.sqrt(variance)
        if method == "sbo":
            scores.append(ucb.mean())
        else:
            head = jnp.asarray(ucb[: wave_regret.SAMPLES])
            scores.append(float(tv_worst_case(head, 8.0**-0.4, infimum=jnp.asarray(ucb.min()))))
    assert chosen[0] == np.argmax(scores)
