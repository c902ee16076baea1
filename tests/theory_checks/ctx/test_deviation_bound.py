"""The repaired Lemma 8."""

import math

import numpy as np
import pytest

from theory_checks.ctx import deviation_bound

CASE = {
    "log10_scale_x": 0.2,
    "log10_scale_c": -0.1,
    "log10_noise": -0.5,
    "p": [1, 2, 5],
    "first": [1, 1, 0],
    "smoothing": [[4, 1, 0], [1, 4, 1], [0, 1, 4]],
    "beta": [1.0, 0.5, 0.7],
    "factor": 1.0,
}


def test_both_sides_by_simulation():
    case, rng, runs = CASE, np.random.default_rng(0), 500
    scale = np.array([10.0 ** case["log10_scale_x"], 10.0 ** case["log10_scale_c"]])
    noise, beta = 10.0 ** case["log10_noise"], np.cumsum(case["beta"])
    p, first = np.array([1, 2, 5]) / 8, np.array([0.5, 0.5, 0.0])
    smoothing = np.array(case["smoothing"]) / np.array([[5], [6], [5]])

    def kernel(a, b):
        return np.exp(-0.5 * (((a[:, None] - b[None]) / scale) ** 2).sum(-1))

    left, gain, distance = np.zeros(runs), np.zeros(runs), np.zeros(runs)
    for run in range(runs):
        seen = np.empty((0, 2))
        for root in np.sqrt(beta):
            estimate = smoothing[seen[:, 1].astype(int)].mean(axis=0) if len(seen) else first
            values = []
            for x in range(3):
                at = np.array([[x, c] for c in range(3)], float)
                between = kernel(seen, at)
                solved = np.linalg.solve(kernel(seen, seen) + noise * np.eye(len(seen)), between)
                values.append(np.sqrt(1 - (between * solved).sum(0)))
            x = int(np.argmax(np.array(values) @ estimate))
            left[run] += root * values[x] @ estimate
            distance[run] += root * np.abs(estimate - p).sum()
            seen = np.concatenate([seen, [[x, rng.choice(3, p=p)]]])
        gain[run] = 0.5 * np.linalg.slogdet(np.eye(3) + kernel(seen, seen) / noise)[1]
    found, bound = deviation_bound.sides(case)
    assert found == pytest.approx(left.mean(), abs=4 * left.std() / math.sqrt(runs))
    expected = math.sqrt(3 * beta[-1] * 2 / math.log1p(1 / noise) * gain.mean()) + distance.mean() / 2
    assert bound == pytest.approx(expected, rel=0.02)
