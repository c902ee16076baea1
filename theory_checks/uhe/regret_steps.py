"""Steps of appendix B.3.2 and B.5: D (14), the rewards behind D (22), and D (23).

**D (14)** takes a path of the estimated kernel through the observed data, with a bounded Lipschitz constant, and
replaces the path's value at the datum x^* by f(x^*). The data are noisy (section 3). Of m disjoint neighbouring pairs
among n = 2m points of [0, 1] half lie within 2/m of each other. A function through y with Lipschitz constant K needs
|difference of noises + difference of f| <= 2 K / m there, which has probability at most 2 K / (m sigma sqrt(pi)),
independently. All these pairs together have at most the power m/2 of this probability, which vanishes for every K.
Through the unobserved values f(x_i), f is such a function.

**Rewards.** Appendix B.5 replaces max(y_t, y_{t-1}) by max(f, f') + max(eps, eps') for large t, where the second term
has a constant mean. E max(f + eps, f' + eps') = max(f, f') + E max(eps, eps' - gap), gap = |f - f'|: sigma / sqrt(pi) =
0.564 sigma without a gap, and nothing for a large one. Arm 1 pairs a random query with a good one, arm 2 two good ones:
D (22), in which these means cancel, misses a term linear in T.

**D (23)**: the regret of RA-BO at even steps is at most sqrt(C_1 beta_T gamma_{T/2}) + const. Appendix B.3.2 and
Srinivas et al. have another factor sqrt(T/2) under the root. With f(x) = z (2x - 1) on [0, 1], z standard normal, and
heavy noise the data are uninformative. GP-UCB plays the end of the sign of sum (2 x_i - 1) y_i, which for every past is
z Q + N(0, sigma^2 Q) with Q <= t - 1. So a step errs, at a cost of 2 |z|, with probability at least Phi(-|z| sqrt(t -
1) / sigma). The regret R is at most |z| T, so P(R > B | z) >= (E R - B) / (|z| T - B). All hyperparameters are known.

Up to T of order sigma^2 the regret is of order |z| T and the root as printed of order (T log T)^(1/2), so that no
number serves every sigma. For one sigma the example says nothing: half of the data lie at the ends, so that Q >= t / 2
- 1, and the expected regret is of order sigma^2 / |z| for every T. The certificate has an example on a disc, whose
regret grows like sigma^2 log T and exceeds every constant. The factor T/2 is a misprint: D (26) divides by T/2 and has
the order with the factor.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import norm

from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import listed

STEPS = (1000, 10**4, 10**5)
"""Values of t for D (14)."""
SIGMA, LIPSCHITZ = 0.1, 1.0
IMPOSSIBLE = -6.0
"""log10 of the probability below which a path counts as impossible."""
GAPS = (0.0, 0.5, 1.0, 3.0)
"""Values of |f - f'| in units of sigma."""
TOLERANCE = 1e-9
NOISE, HORIZON, DELTA = 1e4, 10**6, 0.1
"""sigma, T and delta of the example against D (23)."""
CONSTANT = 1000.0
BLOCKS = 500
"""The number of blocks of steps in the sum over t, and of bins of |z|; each is bounded at its worse end."""


def passable(steps: int, sigma: float, constant: float) -> float:
    """log10 of an upper limit of the probability that a function of Lipschitz constant `constant` passes the data."""
    pairs = (steps // 2) // 2
    each = 2 * constant / (pairs * sigma * math.sqrt(math.pi)) if sigma > 0 else 1.0
    return pairs / 2 * math.log10(min(1.0, each))


def replay_path(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: `passable` of the stored case; right: `IMPOSSIBLE`."""
    left = passable(int(stored["steps"]), float(stored["sigma"]), float(stored["constant"]))
    return left, IMPOSSIBLE, left < IMPOSSIBLE


@claim(
    id="uhe.eq14",
    rule=f"""The statement has two senses, judged on [0, 1] with f(x) = x of Lipschitz constant {LIPSCHITZ:g}. For a
        path through the observed y_i it is false if at each of t = {listed(STEPS)} the probability that any function of
        the claimed constant passes through the random data, sigma = {SIGMA:g}, is bounded by less than
        10^{IMPOSSIBLE:g}. For a path through the unobserved f(x_i) it is true if the claimed constant is at least
        that of f, which is such a path itself. Supported if true in both senses, refuted if in neither, depends
        otherwise.""",
    control={"constant": 0.9 * LIPSCHITZ},
    control_statement="A path of 0.9 times the Lipschitz constant of f.",
    replay=replay_path,
)
def eq14(scale: str, *, constant: float = LIPSCHITZ) -> Evidence:
    """Judges Lipschitz functions through the noisy and through the exact data."""
    del scale
    found = {steps: passable(steps, SIGMA, constant) for steps in STEPS}
    numbers = {"log10_of_probability_at_most": {f"t = {steps:g}": value for steps, value in found.items()}}
    stored = {"steps": STEPS[0], "sigma": SIGMA, "constant": constant}
    noisy, exact = max(found.values()) >= IMPOSSIBLE, constant >= LIPSCHITZ
    summary = (
        f"At t = {STEPS[0]:g} a function of Lipschitz constant {constant:g} passes through the noisy data with "
        "probability at "
        f"most 10^{math.ceil(found[STEPS[0]])}. Through the values of f, which are not observed, "
        f"{'f passes' if exact else 'none passes'}."
    )
    if noisy == exact:
        return Evidence(Verdict.SUPPORTED if noisy else Verdict.REFUTED, summary, numbers, None if noisy else stored)
    return Evidence(Verdict.DEPENDS, summary, numbers, stored)


def mean_of_noise(gap: float) -> float:
    """E max(f + eps, f' + eps') - max(f, f') in units of sigma, for |f - f'| = gap sigma: closed form (Clark 1961)."""
    root = math.sqrt(2.0)
    return float(root * norm.pdf(gap / root) - gap * norm.cdf(-gap / root))


def replay_noise(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the mean at the stored gap; right: the stored share of the mean without a gap."""
    left, right = mean_of_noise(float(stored["gap"])), float(stored["share"]) * mean_of_noise(0.0)
    return left, right, left < right - TOLERANCE


@claim(
    id="uhe.noisy_rewards",
    rule=f"""E max(y_t, y_{{t-1}}) - max(f(x_t), f(x_{{t-1}})) in closed form, where f(x_t) and f(x_{{t-1}}) differ by
        {listed(GAPS)} sigma, which random queries do with positive probability at every t: refuted if it is less than
        E max(eps, eps') = sigma / sqrt(pi) at one, otherwise supported.""",
    control={"share": 0.8},
    control_statement="It is at least 0.8 sigma / sqrt(pi).",
    replay=replay_noise,
    severity="step",
    positive={"gaps": (0.0,)},
    positive_statement="The same where f(x_t) = f(x_{t-1}).",
)
def noisy_rewards(scale: str, *, share: float = 1.0, gaps: tuple[float, ...] = GAPS) -> Evidence:
    """The effect of noise on the mean of the larger of two values."""
    del scale
    found = {gap: mean_of_noise(gap) for gap in gaps}
    numbers = {"mean_in_sigma": {f"gap {gap:g}": value for gap, value in found.items()}}
    stored = {"gap": max(gaps), "share": share}
    if replay_noise(stored)[2]:
        most = max(gaps)
        said = (
            f"Noise adds {found[0.0]:.3f} sigma without a gap and {found[most]:.4f} sigma at a gap of {most:g} sigma."
        )
        return Evidence(Verdict.REFUTED, said, numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"noise adds {found[0.0]:.3f} sigma", numbers)


def right_side(noise: float, horizon: int, delta: float) -> float:
    """sqrt(C_1 beta_T gamma_{T/2}) for f(x) = z (2x - 1): C_1 = 8 / log(1 + sigma^-2), a = 1, b = 2 sqrt(2), r = 1."""
    half = (horizon / 2) ** 2
    beta = 2 * math.log(half * 2 * math.pi**2 / (3 * delta))
    beta += 2 * math.log(half * 2 * math.sqrt(2) * math.sqrt(math.log(4 / delta)))
    gain = math.log1p(horizon / 2 / noise**2) / 2
    return math.sqrt(8 / math.log1p(noise**-2) * beta * gain)


def failing(noise: float, horizon: int, allowed: float) -> float:
    """Lower limit of P(T/2 f(x*) - sum over even t of f(x_t) > allowed)."""
    ends = np.linspace(1, horizon - 1, BLOCKS + 1)[1:]
    size = np.linspace(0, 8, BLOCKS + 1)
    low, high = size[:-1], size[1:]
    wrong = norm.cdf(-high[:, None] * np.sqrt(ends)[None, :] / noise).mean(axis=1)
    regret = 2 * low * (horizon // 2 - BLOCKS) * wrong
    at_most = high * horizon
    chance = np.where(at_most > allowed, np.clip((regret - allowed) / np.maximum(at_most - allowed, 1e-300), 0, 1), 0)
    return float(np.sum(chance * 2 * (norm.cdf(high) - norm.cdf(low))))


def replay_regret(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: lower limit of the probability that D (23) fails; right: delta."""
    noise, horizon = float(stored["noise"]), int(stored["horizon"])
    allowed = float(stored["factor"]) * right_side(noise, horizon, DELTA) + CONSTANT
    left = failing(noise, horizon, allowed)
    return left, DELTA, left > DELTA


@claim(
    id="uhe.eq23",
    rule=f"""f(x) = z (2x - 1) on [0, 1], z standard normal, sigma = {NOISE:g}, T = {HORIZON:,}: the probability that
        the regret exceeds the right side is bounded from below in closed form (module), delta = {DELTA:g}. Refuted if
        the bound is above delta, otherwise supported.""",
    control={"factor": 2.0},
    control_statement="Twice the root.",
    replay=replay_regret,
    severity="misprint",
    positive={"restored": True},
    positive_statement="sqrt(C_1 T/2 beta_T gamma_{T/2}) + const, as in appendix B.3.2.",
)
def eq23(scale: str, *, factor: float = 1.0, restored: bool = False) -> Evidence:
    """Compares the regret under heavy noise with D (23)."""
    del scale
    factor *= math.sqrt(HORIZON / 2) if restored else 1.0
    stored = {"noise": NOISE, "horizon": HORIZON, "factor": factor}
    allowed = factor * right_side(NOISE, HORIZON, DELTA) + CONSTANT
    chance = replay_regret(stored)[0]
    numbers = {
        "right_side": allowed,
        "probability_of_failure_at_least": chance,
        "mean_regret_z_1_at_most": float(HORIZON),
    }
    if chance > DELTA:
        least = math.floor(1000 * chance) / 1000
        said = (
            f"The regret exceeds {allowed:,.0f} with probability at least {least:.3f}. With the factor T/2 under the "
            "root, as in appendix B.3.2, this example is no failure."
        )
        return Evidence(Verdict.REFUTED, said, numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"it may be above {allowed:,.0f} with probability {chance:.3f} or more", numbers)
