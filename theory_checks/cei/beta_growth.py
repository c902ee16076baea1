"""The growth of beta_T = 2 ||f||^2 + 300 gamma_T ln^3(T / delta), and the rate that B (32) then gives.

The paper takes beta_T as O((log T)^3), gamma_T as O((log T)^(d+1)), and gets R_T = O(sqrt(T (log T)^(d+4))). But beta_T
contains gamma_T. **From below**: T samples at one point with k(x, x) = 1 gain 1/2 log(1 + T / v^2), so

    beta_T >= 150 log(1 + T / v^2) ln^3(T / delta).

The gain is larger at m equidistant points of [-1/2, 1/2], T / m samples each: log det(I + (T / (m v^2)) K_m) is at
least m log(T / (m v^2)) + log det K_m, and log det K_m = sum_{k < m} (m - k) log(1 - exp(-k h^2 / l^2)), h = 1 / (m -
1) (a Vandermonde determinant), which is at least -1/2 m (m - 1) log(1 + (l / h)^2). With m of order log T / log log T
the gain is of order (log T)^2 / log log T, so that beta_T exceeds O((log T)^4), too.

**From above**, squared exponential kernel on [-1/2, 1/2]: with the features exp(-x^2 / (2 l^2)) (x / l)^j / sqrt(j!),
j < m, K = K_m + R, where R has a diagonal of at most e_m = P(Poisson(1 / (4 l^2)) >= m). So

    gamma_T <= 1/2 (m log(1 + T / (m v^2)) + T e_m / v^2)

(log det(A + R) <= log det A + tr R for A >= I; the determinant of K_m's part by its trace). The least m with T e_m <= 1
is of order log T / log log T, so gamma_T = O((log T)^2) and beta_T = O((log T)^5). In d dimensions there are about m^d
/ d! monomials, and beta_T = O((log T)^(d+4)). B (32) would then give O(sqrt(T gamma_T beta_T)) = O(sqrt(T (log
T)^(2d+5))).
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from theory_checks.ledger import Evidence, Verdict, claim, variant_claim
from theory_checks.scales import ByScale, listed

NOISE, DELTA, LENGTHSCALE, NORM_SQUARED = 1.0, 0.05, 0.2, 1.0
CONSTANTS = (1e3, 1e6, 1e9)
"""beta_T grows faster than (log T)^p if beta_T / (log T)^p exceeds each of these at some T."""
LOG_T = ByScale(np.geomspace(10, 1e30, 60), np.geomspace(10, 1e30, 300), np.geomspace(10, 1e30, 3000))


def log1p_exp(log_value: float) -> float:
    """log(1 + exp(a)) without overflow."""
    return float(np.logaddexp(0.0, log_value))


def gain_at_least(log_t: float) -> float:
    """A lower bound of gamma_T for the squared exponential kernel on an interval of length one: the larger gain of one
    point and of m equidistant points with T / m samples each."""
    m = np.unique(np.round(np.geomspace(2, max(log_t, 2.0), 200)))
    spread = m * (log_t - np.log(2 * m) - 2 * math.log(NOISE))  # T / m rounded down is at least T / (2 m)
    determinant = 0.5 * m * (m - 1) * np.log1p((LENGTHSCALE * (m - 1)) ** 2)
    return 0.5 * max(log1p_exp(log_t - 2 * math.log(NOISE)), float(np.max(spread - determinant)))


def lower(log_t: float) -> float:
    """A lower bound of beta_T."""
    gain = gain_at_least(log_t)
    return 2 * NORM_SQUARED + 300 * gain * (log_t - math.log(DELTA)) ** 3


def features(log_t: float) -> int:
    """The least m above a = 1 / (4 l^2) with T P(Poisson(a) >= m) <= 1, by Chernoff's bound of the tail."""
    a = 1 / (4 * LENGTHSCALE**2)
    low, high = math.ceil(a) + 1, math.ceil(a) + 2

    def enough(m: int) -> bool:
        return m * math.log(m / a) - m + a >= log_t

    while not enough(high):
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def gain_at_most(log_t: float) -> float:
    """An upper bound of gamma_T for the squared exponential kernel on an interval of length one."""
    m = features(log_t)
    return 0.5 * (m * log1p_exp(log_t - math.log(m) - 2 * math.log(NOISE)) + 1 / NOISE**2)


def upper(log_t: float) -> float:
    """An upper bound of beta_T, d = 1."""
    return 2 * NORM_SQUARED + 300 * gain_at_most(log_t) * (log_t - math.log(DELTA)) ** 3


def replay_growth(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the lower bound of beta_T over (log T)^p; right: a constant that it should not exceed."""
    log_t, power, constant = (float(stored[name]) for name in ("log_T", "power", "constant"))
    left = lower(log_t) / log_t**power
    return left, constant, left > constant


def attack(scale: str, power: float) -> Evidence:
    """Judges whether beta_T / (log T)^p exceeds every constant or is bounded from above."""
    grid = LOG_T[scale]
    below = np.array([lower(float(t)) / float(t) ** power for t in grid])
    above = np.array([upper(float(t)) / float(t) ** power for t in grid])
    numbers = {
        "log_T": grid[:: max(1, len(grid) // 6)],
        "beta_over_power_at_least": below[:: max(1, len(grid) // 6)],
        "beta_over_power_at_most_d1": above[:: max(1, len(grid) // 6)],
    }
    if all(np.any(below > constant) for constant in CONSTANTS):
        log_t = float(grid[np.argmax(below > max(CONSTANTS))])
        summary = (
            f"beta_T / (log T)^{power:g} exceeds {max(CONSTANTS):g} at log T = {log_t:.3g}: it contains gamma_T, "
            f"which is at least {gain_at_least(log_t):.2g} there."
        )
        found = {"log_T": log_t, "power": power, "constant": max(CONSTANTS)}
        return Evidence(Verdict.REFUTED, summary, numbers, found)
    if np.argmax(above) == 0:
        apart = np.array([gain_at_most(float(t)) / gain_at_least(float(t)) for t in grid])
        summary = (
            f"beta_T / (log T)^{power:g} is at most {above[0]:.3g}, reached at the smallest T with d = 1. The bounds "
            "of "
            f"gamma_T are {apart.min():.2g} to {apart.max():.2g} times apart."
        )
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    return Evidence(Verdict.UNDECIDED, f"neither bound decides for the power {power:g}", numbers)


_RULE = f"""Rigorous bounds of beta_T for T from e^{LOG_T.paper[0]:g} to e^({LOG_T.paper[-1]:g}), delta = {DELTA}, v =
    {NOISE:g}, ||f||^2 = {NORM_SQUARED:g}, on {ByScale(*map(len, LOG_T))} values of T at smoke / quick / paper. Refuted
    if the lower bound over the claimed power of log T exceeds each of {listed(CONSTANTS)} at some T; supported if the
    upper bound (squared exponential kernel, l = {LENGTHSCALE}, d = 1) over it is largest at the smallest T; otherwise
    undecided."""


@claim(
    id="cei.beta_growth",
    rule=_RULE,
    control={"power": 4.5},
    control_statement="beta_T is in the form of O((log T)^4.5), d = 1.",
    replay=replay_growth,
    positive={"power": 5.0},
    positive_statement="beta_T is in the form of O((log T)^5), d = 1.",
    severity="substantive",
)
def beta_growth(scale: str, *, power: float = 3.0) -> Evidence:
    """The printed power is 3."""
    return attack(scale, power)


beta_growth_repaired = variant_claim(
    beta_growth,
    id="cei.beta_growth_repaired",
    variant={"power": 5.0},
    rule=_RULE,
    control={"power": 4.5},
    control_statement="beta_T is in the form of O((log T)^4.5), d = 1.",
)
