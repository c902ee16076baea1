"""The growth of the mean of a cumulative regret: exponents, their trend, and R_T / T, with errors over runs.

Let m(t) be the mean over runs of R_t, and T/8, T/4, T/2, T the four times. The rule judges

- the exponents of three octaves, a_k = log2(m(2t) / m(t)), their trend (the last minus the first), and the projected
  exponent (the last plus the trend);
- the decline of R_t / t, log(m(T) / T) - log(m(T/4) / (T/4));
- the marginal exponent, log2((m(T) - m(T/2)) / (m(T/2) - m(T/4))), which is a for m ~ c + t^a: the cost c of early
  exploration does not enter.

No exponent of a single run is formed. Where some runs freeze and others do not, the mean of the runs' exponents stays
below one although the mean regret becomes linear. Errors come from the jackknife over runs (Efron & Stein 1981):
Student's interval of the pseudo-values.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from theory_checks.significance import interval

LINEAR = 0.95
"""A marginal exponent above this counts as linear growth."""
USUAL = 0.05
"""Level of support: each comparison that supports has this level."""
NAMES = ("first", "middle", "last", "trend", "projected", "decline", "marginal")
FACTORS = np.array([1, 2, 4, 8])


def looked_at(regret: np.ndarray) -> np.ndarray:
    """R_t at T/8, T/4, T/2, T, (runs, 4), of R_t (runs, T). Raises ValueError where T is not a multiple of eight."""
    horizon = regret.shape[1]
    if horizon < 8 or horizon % 8:
        raise ValueError(f"regret: T must be a positive multiple of eight, not {horizon}")
    return np.asarray(regret[:, horizon // 8 * FACTORS - 1])


def _statistics(mean: np.ndarray) -> np.ndarray:
    """The statistics of NAMES from m at the four times, (..., 4) -> (..., 7)."""
    at = np.maximum(mean, 1e-12)
    octaves = np.log2(at[..., 1:] / at[..., :-1])
    gained = np.maximum(np.diff(at, axis=-1), 1e-12)
    trend = octaves[..., 2] - octaves[..., 0]
    decline = (octaves[..., 1] + octaves[..., 2] - 2) * np.log(2)
    rest = (trend, octaves[..., 2] + trend, decline, np.log2(gained[..., 2] / gained[..., 1]))
    return np.concatenate([octaves, np.stack(rest, axis=-1)], axis=-1)


def pseudo_values(at: np.ndarray) -> np.ndarray:
    """Jackknife pseudo-values (runs, 7) of the statistics of NAMES, from `looked_at`."""
    count = len(at)
    whole = _statistics(at.mean(axis=0))
    return np.asarray(count * whole - (count - 1) * _statistics((at.sum(axis=0) - at) / (count - 1)))


def mean_growth(at: np.ndarray, horizon: int, alpha: float) -> dict[str, Any]:
    """R_t / t of the mean run at the four times, and each statistic with two-sided intervals at `alpha` (refutation)
    and at USUAL (support), from `looked_at`."""
    estimate, values, t = _statistics(at.mean(axis=0)), pseudo_values(at), horizon // 8 * FACTORS
    row: dict[str, Any] = {"average": {str(when): value for when, value in zip(t, at.mean(axis=0) / t, strict=True)}}
    for index, name in enumerate(NAMES):
        _, low, high = interval(values[:, index], alpha)
        usual = interval(values[:, index], USUAL)[1:]
        row[name] = {"estimate": estimate[index], "low": low, "high": high, "usual": usual}
    return row


def linear(row: Mapping[str, Any]) -> bool:
    """True where the marginal exponent lies above LINEAR at the level of refutation."""
    return bool(row["marginal"]["low"] > LINEAR)


def slows(row: Mapping[str, Any]) -> bool:
    """True where, at USUAL, the last, the projected and the marginal exponent lie below LINEAR, and R_t / t falls."""
    below = all(row[name]["usual"][1] < LINEAR for name in ("last", "projected", "marginal"))
    return bool(below and row["decline"]["usual"][1] < 0)


def frozen(at: np.ndarray) -> np.ndarray:
    """A near control. From T/8 on every other run repeats the mean loss of its first T/8 rounds, and the other runs
    lose nothing. Half of the runs are perfect, and the mean regret is linear."""
    out = np.repeat(at[:, :1], 4, axis=1)
    out[::2] *= FACTORS
    return out


def shown(row: Mapping[str, Any]) -> str:
    """The exponents and R_t / t in words."""
    first, last, marginal = (row[name]["estimate"] for name in ("first", "last", "marginal"))
    averages = " -> ".join(f"{value:.4g}" for value in row["average"].values())
    return f"exponents {first:.3f} -> {last:.3f}, marginal {marginal:.3f}, R_t / t {averages}"


RULE = f"""The check takes the mean regret over runs at T/8, T/4, T/2 and T, with errors by the jackknife. It computes
    the exponents of the three octaves, their trend (last less first), R_t / t, and the marginal exponent: the binary
    logarithm of the regret gained in the last octave over the regret gained in the octave before. A setting is linear
    where the marginal exponent is above {LINEAR} at the level of refutation. A setting slows where, at {USUAL:g}
    each, the last exponent, the same with the trend added once more, and the marginal one are below {LINEAR}, and R_t
    / t falls between T/4 and T."""
"""The common part of the rules that use this module."""
