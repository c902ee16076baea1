"""The parts (b) of the later version's lemmas, with h_t -> 0: Lemma B.7 (b1), Lemma 4.3 (b1) and (b2), Lemma B.10 (b).

(Lemma B.7 (b2) is boke.lemma13b_shrinking.) Designs are fixed before the noise is drawn, as in Lemmas 3(b) and 14.

**(b1).** With delta = inf_t d(x, A_t) > 0, W_t(x) is an empty sum as soon as R h_t < delta: sigma_hat and a are then
infinite, for every outcome.

**(b2), B.10 (b).** With the h_t of boke.lemma13b_shrinking, W(x_t) -> infinity. The mean of m(x_t) is within
omega_f(h_t) of f(x_t) for any further points in the set, and the variance is at most s^2 M_Psi / W(x_t). Hence m(x_t)
-> f(x') in probability, and a(x_t) = m(x_t) / sqrt(beta_t) + W(x_t)^(-1/2) -> 0.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.stats import norm

from theory_checks.boke.sneb import later_diameter
from theory_checks.boke.testbeds.compact_kernels import EPANECHNIKOV, PLATEAU, RING, Profile
from theory_checks.boke.testbeds.sequences import SEQUENCES
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed

DISTANCES = (0.3, 0.03)
"""The distances delta, for R = 1."""
SCHEDULES: Mapping[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "t^(-1/5)": (lambda log_t: math.exp(-log_t / 5), lambda h: -5 * math.log(h)),
    "1 / log t": (lambda log_t: 1 / log_t, lambda h: 1 / h),
    "(log t)^(-1/4)": (lambda log_t: log_t**-0.25, lambda h: h**-4.0),
}
"""The bandwidth h_t as a function of log t, and its inverse, the log t of a given h."""
LATER = (1.01, 3.0, 100.0)
"""The multiples of the log t with R h_t = delta that are tried."""
LENGTH = ByScale(2**10, 2**13, 2**16)
PROFILES: tuple[Profile, ...] = (EPANECHNIKOV, PLATEAU, RING)
TOLERANCE = 0.25
"""lambda, in units of the noise: the allowed excess of |m - f(x')| over the bias, and of a over 0."""
RARE = 1e-3
"""The largest allowed probability of a larger error at the last t."""
FURTHER = 2
"""The number of further points near each end of the kernel's support, for each point of the sequence."""


def log_weights(kernel: str, delta: float) -> dict[str, list[float]]:
    """Schedule -> log W_t(x) of t points at distance delta, at several t beyond R h_t = delta."""
    found = {}
    for name, (bandwidth, reached) in SCHEDULES.items():
        rows = []
        for factor in LATER:
            log_t = reached(delta) * factor
            ratio = delta / bandwidth(log_t)
            if kernel == "gaussian":
                rows.append(log_t - ratio**2 / 2)
            else:
                value = float(EPANECHNIKOV(ratio))
                rows.append(log_t + math.log(value) if value > 0 else -math.inf)
        found[name] = rows
    return found


def replay_empty(stored: Mapping[str, Any]) -> tuple[float, str, bool]:
    """Left: log W_t(x) at the last t; right: minus infinity, so that sigma_hat is infinite."""
    left = log_weights(stored["kernel"], stored["delta"])[stored["schedule"]][-1]
    return left, "-inf", left > 0


def _empty(kernel: str) -> Evidence:
    numbers = {f"delta = {delta:g}": log_weights(kernel, delta) for delta in DISTANCES}
    for delta in DISTANCES:
        for name, rows in log_weights(kernel, delta).items():
            if rows[-1] > 0:
                stored = {"kernel": kernel, "delta": delta, "schedule": name}
                summary = f"{kernel} kernel, h_t = {name}, data at distance {delta:g}: log W_t(x) = {rows[-1]:.3g}"
                return Evidence(Verdict.REFUTED, summary, numbers, stored)
    tries = len(DISTANCES) * len(SCHEDULES) * len(LATER)
    summary = (
        f"W_t(x) is 0 at all {tries} t with R h_t < delta: the deviation is infinite there, not only in the limit."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


def moments(name: str, profile: Profile, schedule: str, last: int, further: int) -> dict[str, float]:
    """h_t, W(x_t), mean and deviation of m(x_t; A_(t-1)) at t = `last`, for f(x) = |x| and noise of parameter one.

    The data are x_1, ..., x_(t-1) and (t - 1) `further` points at 0.99 h_t on each side of x_t.
    """
    index = np.arange(1, last + 1)
    offsets = SEQUENCES[name](index.astype(float))
    kept = max(float(later_diameter(offsets, index)[-1]) / profile.core, 1.0 / last)
    h = {"kept positive": kept, "fast": 2.0 ** -math.sqrt(last)}[schedule]
    here = float(offsets[-1])
    sites = np.concatenate([offsets[:-1], here + 0.99 * h * np.array([-1.0, 1.0])])
    copies = np.concatenate([np.ones(last - 1), np.full(2, further * (last - 1.0))])
    weight = profile(np.abs(sites - here) / h)
    total = float(copies @ weight)
    if total == 0:
        return {"h": h, "here": here, "W": 0.0, "mean": math.nan, "deviation": math.inf}
    mean = float(copies @ (weight * np.abs(sites))) / total
    return {"h": h, "here": here, "W": total, "mean": mean, "deviation": math.sqrt(copies @ weight**2) / total}


def _along(scale: str, schedule: str, acquisition: bool) -> Evidence:
    """Judges P(|m(x_t) - f(x')| > bias + lambda), or of a(x_t), at the last t; W(x_t) > 0, h_t falls; beta_t = log
    t."""
    last = LENGTH[scale]
    worst, where, loosest = 0.0, "", 0.0
    for name in SEQUENCES:
        for profile in PROFILES:
            for further in (0, FURTHER):
                early, one = (moments(name, profile, schedule, t, further) for t in (last // 8, last))
                place = f"{name}, {profile.name}" + (", further points" if further else "")
                if one["W"] == 0 or one["h"] >= early["h"]:
                    return Evidence(Verdict.REFUTED, f"{place}: W(x_t) = {one['W']:.3g}, h_t = {one['h']:.3g}")
                bias = one["h"] + abs(one["here"])  # omega_f(h_t) + |f(x_t) - f(x')|
                scaling = math.sqrt(math.log(last)) if acquisition else 1.0
                mean = one["mean"] / scaling + (one["W"] ** -0.5 if acquisition else 0.0)
                edge, deviation = bias / scaling + TOLERANCE, one["deviation"] / scaling
                chance = float(norm.sf((edge - mean) / deviation) + norm.cdf((-edge - mean) / deviation))
                loosest = max(loosest, bias)
                if chance > worst:
                    worst, where = chance, f"{place}: W(x_t) = {one['W']:.3g}"
    numbers = {"last_t": last, "largest_probability": worst, "where": where, "largest_bias": loosest}
    if worst > RARE:
        return Evidence(Verdict.REFUTED, f"{where}: beyond bias + {TOLERANCE} with probability {worst:.2g}", numbers)
    summary = (
        f"At t = {last} the error is beyond bias + {TOLERANCE} with probability {max(worst, 1e-300):.1g} at most. The "
        f"bias is {loosest:.2f} at most."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_RULE_EMPTY = f"""Refuted if, for one of delta = {listed(DISTANCES)} (R = 1) and h_t = {listed(SCHEDULES)}, W_t(x) of t
    points at distance delta is above 1 at the last of {listed(LATER)} times the log t at which R h_t = delta
    (Epanechnikov kernel). Otherwise supported: W_t(x) is an empty sum. The values play no part."""
_RULE_ALONG = f"""{len(SEQUENCES)} convergent sequences, {len(PROFILES)} kernels of Assumption 3, f(x) = |x|, Gaussian
    noise, no further points or {2 * FURTHER} at the edge of the kernel for each of the sequence, h_t of
    boke.lemma13b_shrinking; all in closed form. Refuted if at t = {LENGTH} the probability to be farther from the limit
    than the bias omega_f(h_t) + |f(x_t) - f(x')| and {TOLERANCE} is above {RARE}, if W(x_t) = 0, or if h_t has not
    fallen in three doublings. Otherwise supported."""


@claim(
    id="boke.lemma13a_shrinking",
    rule=_RULE_EMPTY,
    control={"kernel": "gaussian"},
    control_statement="The same for the Gaussian kernel (it fails for h_t = (log t)^(-1/4), not for Scott's rule).",
    replay=replay_empty,
)
def lemma13a_shrinking(scale: str, *, kernel: str = "epanechnikov") -> Evidence:
    """From some t on the ball has no data."""
    return _empty(kernel)


@claim(
    id="boke.lemma3a_shrinking",
    rule=_RULE_EMPTY,
    control={"kernel": "gaussian"},
    control_statement="The same for the Gaussian kernel (it fails for h_t = (log t)^(-1/4), not for Scott's rule).",
    replay=replay_empty,
)
def lemma3a_shrinking(scale: str, *, kernel: str = "epanechnikov") -> Evidence:
    """a is infinite where sigma_hat is infinite: m, the nearest neighbour's value, is finite."""
    return _empty(kernel)


@claim(
    id="boke.lemma3b_shrinking",
    rule=_RULE_ALONG,
    control={"schedule": "fast"},
    control_statement="h_t = 2^(-sqrt t) does for every sequence.",
)
def lemma3b_shrinking(scale: str, *, schedule: str = "kept positive") -> Evidence:
    """h_t depends on the whole sequence; the lemma does not cover the sequence that BOKE makes with h_t."""
    return _along(scale, schedule, acquisition=True)


@claim(
    id="boke.lemma14_shrinking",
    rule=_RULE_ALONG,
    control={"schedule": "fast"},
    control_statement="h_t = 2^(-sqrt t) does for every sequence.",
)
def lemma14_shrinking(scale: str, *, schedule: str = "kept positive") -> Evidence:
    """The bias is at most omega_f(h_t) + |f(x_t) - f(x')|, the variance at most s^2 M_Psi / W(x_t)."""
    return _along(scale, schedule, acquisition=False)
