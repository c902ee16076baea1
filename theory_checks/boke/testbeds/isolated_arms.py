"""The worst known cases for Lemma 7 and Theorem 8: arms that share no data, with tuned gaps.

**Visits.** Without shared data an arm of gap g has about 4 log(T) / g^2 visits, a sixteenth of Lemma 7's bound. An
initial design brings the visits closer to the bound: Algorithm 2 begins with any design. Let almost all of T
observations lie at a site p outside X, within reach of x* alone, with k(x*, p) = 1 and f(p) = f(x*) - g / 4, the least
that A (22) admits. Then m_t(x*) is g / 4 too low as long as these data outnumber the visits of x*, and x has 4 log(T) /
(3 g / 4)^2 visits: a ninth.

**Regret.** Against Theorem 8 the worst gap is about 2 sqrt(|X| log T / T), at which T observations just fail to tell
the arms apart.
"""

import math

import numpy as np

from theory_checks.boke.testbeds.bandit import modulus

SITES = (0.0, 0.96, 1.0)
"""The places of x, x* and p in [0, 1]."""
BANDWIDTH = 0.05
"""The bandwidth h: p is at 0.8 h from x*, where the plateau kernel is 1; x shares no data with x* or p."""


def visits_after_prior(gap: float, total: int, own: int, runs: int, rng: np.random.Generator) -> np.ndarray:
    """n_T(x) (runs,) for two arms and Gaussian noise of parameter one, after T - own observations at p; T = `total`.

    Raises ValueError where A (22) fails for the function that interpolates linearly between the sites.
    """
    values = (0.0, gap, 0.75 * gap)
    if modulus(SITES, values, BANDWIDTH) > gap / 4 * (1 + 1e-9):
        raise ValueError(f"omega_f({BANDWIDTH}) is above a quarter of the gap")
    before = total - own
    noise = rng.standard_normal((own, runs))
    best_weight = np.full(runs, float(before))
    best_sum = before * 0.75 * gap + math.sqrt(before) * rng.standard_normal(runs)
    visits, other_sum = np.ones(runs), noise[0].copy()  # x comes first, since W_t(x) = 0
    for step in range(1, own):
        width = 2 * math.sqrt(math.log(before + step))
        best = best_sum / best_weight + width / np.sqrt(best_weight)
        lost = other_sum / visits + width / np.sqrt(visits) >= best
        visits += lost
        other_sum += lost * noise[step]
        best_weight += ~lost
        best_sum += ~lost * (gap + noise[step])
    return visits


def regret_of_equal_arms(arms: int, gap: float, horizon: int, runs: int, rng: np.random.Generator) -> np.ndarray:
    """R_T (runs,) of Theorem 8's algorithm on `arms` arms without shared data; the last arm is better by `gap`."""
    values = np.zeros(arms)
    values[-1] = gap
    counts, sums, row = np.zeros((runs, arms)), np.zeros((runs, arms)), np.arange(runs)
    for t in range(horizon):
        if t < arms:
            chosen = np.full(runs, t)
        else:
            chosen = np.argmax(sums / counts + 2 * np.sqrt(math.log(t) / counts), axis=1)
        counts[row, chosen] += 1.0
        sums[row, chosen] += values[chosen] + rng.standard_normal(runs)
    return np.asarray(gap * (horizon - counts[:, -1]))
