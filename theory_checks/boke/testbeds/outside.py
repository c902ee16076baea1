"""Fill distance of BOKE with the Gaussian kernel, which every experiment uses and Assumption 3 excludes.

R is infinite, so that Theorem 4(i) does not apply. With h fixed, W_t(x) >= t exp(-diam(X)^2 / (2 h^2)): the bonus
sqrt(beta_t / W_t) vanishes everywhere as t grows, and exploration ends. With Scott's rule exploration does not end. If
no point came near x', W_t(x') <= t exp(-eta^2 / (2 h_t^2)) -> 0, so the rescaled acquisition A (20) at x', and with it
that of every later query, would tend to infinity (the mean part is bounded under Theorem 9's beta_t, as the largest of
t sub-Gaussian errors grows like sqrt(2 log t)). Then W_t(x_{t+1}) -> 0, and later queries lie at pairwise distance >=
h_T: only O(h_T^(-d)) = O(T^(d/(d+4))) of T. So BOKE fills X almost surely in the experiments' setting.
"""

import math
from functools import cache
from typing import Any

import numpy as np

from theory_checks.boke.testbeds import grid_boke
from theory_checks.boke.testbeds.sub_gaussian import draw
from theory_checks.scales import ByScale

STEPS = ByScale(60, 200, 500)
RUNS = ByScale(3, 10, 30)
NOISE = 0.1
SEED = 20256


@cache
def outside_assumptions(scale: str) -> dict[str, Any]:
    """Median fill distance and simple regret after STEPS queries; d = 1, a broad hill at 0.3, a narrow peak at 0.7."""
    rng = np.random.default_rng(SEED)
    grid = grid_boke.grid_of(201, 1)
    x = grid[:, 0]
    values = np.exp(-0.5 * ((x - 0.3) / 0.15) ** 2) + 1.5 * np.maximum(1 - np.abs(x - 0.7) / 0.02, 0.0)
    steps, result = STEPS[scale], {}
    rules = {
        "gaussian, h fixed at 0.3": lambda t: 0.3,
        "gaussian, Scott's rule": lambda t: 0.3 * t ** (-1 / 5),
    }
    for name, bandwidth in rules.items():
        method = grid_boke.Method(
            lambda r: np.exp(-(r**2) / 2),
            bandwidth,
            lambda t: NOISE**2 * 2 * math.log(2 * math.pi**2 * t**2 / 0.3),
            "random",
        )
        noise = NOISE * draw(rng, "gaussian", (RUNS[scale], steps))
        first = rng.integers(0, 100, RUNS[scale])
        runs = grid_boke.run(method, grid, values, noise, first, rng)
        result[name] = {
            "t": steps,
            "fill": float(np.median(runs.fill[:, -1])),
            "fill_at_half": float(np.median(runs.fill[:, steps // 2])),
            "regret_over_range": float(np.median(runs.simple_regret(values)[:, -1]) / np.ptp(values)),
        }
    return result
