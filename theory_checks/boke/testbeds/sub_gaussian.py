"""Noise of Assumption 4 with parameter one, its worst law, and exact crossing probabilities of Rademacher sums."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar

SAFETY = 1e-6
"""The extremal noise keeps this fraction below the largest probability that Assumption 4 allows."""


def extremal_probability(atom: float) -> float:
    """The largest p for which noise that is +atom or -atom with probability p/2 each, else 0, has parameter one.

    Assumption 4 asks 1 + p (cosh(l a) - 1) <= exp(l^2/2) for all l, hence p = inf_l (exp(l^2/2) - 1)/(cosh(l a) - 1).
    At l = a the ratio is about 2 exp(-a^2/2), Chernoff's bound: no tail bound for all sub-Gaussian noise is better.
    """

    def log_ratio(rate: np.ndarray | float) -> np.ndarray:
        half, product = np.asarray(rate) ** 2 / 2, np.asarray(rate) * atom
        log_top = half + np.log(-np.expm1(-half))
        log_bottom = product - np.log(2) + 2 * np.log(-np.expm1(-product))  # cosh z - 1 = e^z (1 - e^-z)^2 / 2
        return log_top - log_bottom

    rates = np.geomspace(1e-3, 4 * max(atom, 1.0), 4000)
    index = int(np.argmin(log_ratio(rates)))
    low, high = rates[max(index - 1, 0)], rates[min(index + 1, len(rates) - 1)]
    refined = minimize_scalar(log_ratio, bounds=(low, high), method="bounded")
    return min(1.0, float(np.exp(min(float(refined.fun), float(log_ratio(rates[index])))))) * (1 - SAFETY)


def draw(rng: np.random.Generator, kind: str, shape: tuple[int, ...], atom: float = 1.0) -> np.ndarray:
    """Independent noise with sub-Gaussian parameter one: "gaussian", "rademacher", "uniform" or "extremal".

    Uniform noise on [-c, c] has parameter c / sqrt(3), for sinh(z) / z <= exp(z^2 / 6). "student" (3 degrees of
    freedom, unit variance) and "cauchy" lie outside Assumption 4.
    """
    if kind == "gaussian":
        return rng.standard_normal(shape)
    if kind == "rademacher":
        return rng.integers(0, 2, shape) * 2.0 - 1.0
    if kind == "uniform":
        return rng.uniform(-np.sqrt(3), np.sqrt(3), shape)
    if kind == "extremal":
        sign = rng.integers(0, 2, shape) * 2.0 - 1.0
        return np.where(rng.random(shape) < extremal_probability(atom), atom * sign, 0.0)
    if kind == "student":
        return rng.standard_t(3, shape) / np.sqrt(3)
    if kind == "cauchy":
        return rng.standard_cauchy(shape)
    raise KeyError(f"unknown noise {kind!r}")


INSIDE = ("gaussian", "rademacher", "uniform", "extremal")
"""The noises of `draw` that satisfy Assumption 4."""


def crossing_probability(boundary: Callable[[np.ndarray], np.ndarray], steps: int) -> np.ndarray:
    """P(|S_m| > boundary(m) for some m <= n), n = 1..steps, for sums S_m of m Rademacher variables.

    Dynamic programming over the distribution of S_n on paths that have not crossed is exact up to rounding. `boundary`
    must not decrease.
    """
    limits = np.asarray(boundary(np.arange(1, steps + 1)), float)
    half = int(np.floor(limits[-1])) + 2
    mass = np.zeros(2 * half + 1)
    mass[half] = 1.0
    crossed = np.zeros(steps)
    total = 0.0
    for n in range(steps):
        keep = min(int(np.floor(limits[n])), half - 2)
        previous = min(int(np.floor(limits[n - 1])), half - 2) if n else 0
        low, high = half - previous - 1, half + previous + 2
        moved = 0.5 * (mass[low - 1 : high - 1] + mass[low + 1 : high + 1])
        mass[low:high] = moved
        if keep <= previous:
            outside = np.abs(np.arange(low, high) - half) > limits[n]
            total += float(moved[outside].sum())
            mass[low:high][outside] = 0.0
        crossed[n] = total
    return crossed
