"""The statements of Lemmas 8 and 10: the summed deviations under p^, and under the worst distributions around p^.

The steps of the proofs are in `variance_sum` and `independence`. The statements are false, too, for a process of which
the contexts show only a part. X = [0, 2 pi], C = [0, 1]^Dc and

    f(x, c) = (w_1 cos x + w_2 sin x) psi_1(c_1) + (v_1 cos x + v_2 sin x) psi_2(c_1),   w, v standard normal,

psi_1(u) = (4 (3/4 - u) / 3)_+^2 and psi_2(u) = (4 (u - 3/4))_+^2, so that k <= 1 and Assumption 1 holds with a = 2, b =
8 sqrt(2). The contexts have independent coordinates of density 35/8 (1 - s^2)^3, s = 4 u - 2, on [1/4, 3/4]: p is twice
continuously differentiable on all of R^Dc. psi_2 vanishes at every context, so that no observation depends on v, and
gamma_T <= 2 log(1 + T / (4 sigma^2)): four features, by concavity of the log-determinant.

**Lemma 8.** Its left side is E sum_t sqrt(beta_t) int p^_t sigma_t(x_t, .), in which sigma_t = psi_2 beyond 3/4. p^ has
a mass of order h^4 there, on which psi_2 is of order h^2: the left side is at least of order T^(1 - 6/(4+Dc)), beyond
sqrt(T) and logarithms for Dc > 8. Its upper bound has the order of Theorem 1's last term times sqrt(beta_T).

**Lemma 10.** Given the data, ucb is smallest where psi_2 = 0, and q^ucb puts its mass delta_t / 2 there, at a value of
f that is at least -|w|. q^f may put its mass where psi_2 = 1, at the value of a standard normal variable Z that is
independent of the data. So the left side is at least kappa / 2 sum delta_t, kappa = E(Z - |w|)_+, beyond the right side
in every Dc if delta_t = t^(-2/(4+Dc)). Theorem 2 has a term sum C_4 delta_t in any case.

**Repairs.** `ctx.lemma8_repaired` repairs Lemma 8; Lemma 10 also needs the term of `ctx.lemma10_step_repaired`.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import ndtr

from theory_checks.ledger import Evidence, Verdict, claim

EARLY, LATE = 1e12, 1e24
"""The horizons between which exponents are taken; both sides are in closed form."""
SLACK = 0.05
WIDE = 20
"""Context coordinates of the exhibit for Lemma 8."""
DIMS = (1, 2, 4)
"""Context dimensions of the exhibits for Lemma 10."""
START = 0.05
"""The factor of the bandwidth, h = START t^(-1/(4+Dc))."""
NOISE_VARIANCE = 1.0


def beta(t: float) -> float:
    """beta_t = 2 log(t^2 tau_t / sqrt(2 pi)), tau_t = t^2 a b r sqrt(pi) / 2 with a = 2, b = 8 sqrt(2), r = 2 pi."""
    tau = t * t * 2 * 8 * math.sqrt(2) * 2 * math.pi * math.sqrt(math.pi) / 2
    return 2 * math.log(t * t * tau / math.sqrt(2 * math.pi))


def gain(horizon: float) -> float:
    """An upper bound of gamma_T."""
    return 2 * math.log1p(horizon / (4 * NOISE_VARIANCE))


def leaked(h: float) -> float:
    """A lower bound of E int_C p^ psi_2, increasing in h <= 0.05.

    int int q(3/4 - h a) psi_2(3/4 + h b) phi(a + b) h da db over a, b <= 5, q the density of a coordinate, times the
    least mass of the other coordinates in [0, 1].
    """
    nodes, weights = np.polynomial.legendre.leggauss(60)
    a, w = 2.5 * (nodes + 1), 2.5 * weights
    density = 35 / 8 * (1 - (1 - 4 * h * a) ** 2) ** 3
    feature = (4 * h * a) ** 2
    normal = np.exp(-0.5 * (a[:, None] + a) ** 2) / math.sqrt(2 * math.pi)
    inside = (1 - 2 * float(ndtr(-0.25 / START))) ** (WIDE - 1)
    return inside * h * float((w * density) @ normal @ (w * feature))


def kappa() -> float:
    """E(Z - R)_+ = int r exp(-r^2 / 2) (phi(r) - r Phi(-r)) dr, R = |w| of two coordinates."""
    r = np.linspace(0, 12, 12001)
    excess = np.exp(-0.5 * r * r) / math.sqrt(2 * math.pi) - r * ndtr(-r)
    return float(np.trapezoid(r * np.exp(-0.5 * r * r) * excess, r))


def sides(lemma: int, dim: int, horizon: float, power: float, added: bool) -> tuple[float, float]:
    """(lower bound of the left side, right side with constants one and T^power in the place of sqrt(T)).

    `added` adds the terms of the repairs, sqrt(beta_T) T^((2+Dc)/(4+Dc)) or sum delta_t, on the right.
    """
    kde = horizon ** (dim / (4 + dim) / 2)
    right = math.sqrt(beta(horizon) * gain(horizon)) * (kde + horizon**power)
    order = (2 + dim) / (4 + dim)
    if lemma == 8:
        h = START * horizon ** (-1 / (4 + dim))
        left = horizon / 2 * math.sqrt(beta(horizon / 2)) * leaked(h)  # the second half of the rounds
        return left, right + (math.sqrt(beta(horizon)) * horizon**order if added else 0.0)
    summed = (horizon**order - 1) / order
    right += math.sqrt(beta(horizon) * gain(horizon) * (4 + dim) / dim) * kde
    return kappa() / 2 * summed, right + (summed if added else 0.0)


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: lower bound of the exponent of left over right between the two horizons; right: the slack."""
    variant = (int(stored["lemma"]), int(stored["dim"]))
    ratios = []
    for horizon in (EARLY, LATE):
        left, right = sides(*variant, horizon, float(stored["power"]), bool(stored["added"]))
        ratios.append(left / right)
    exponent = math.log(ratios[1] / ratios[0]) / math.log(LATE / EARLY)
    return exponent, SLACK, exponent > SLACK


def _examine(lemma: int, dims: tuple[int, ...], power: float, added: bool) -> Evidence:
    cases = [{"lemma": lemma, "dim": dim, "power": power, "added": added} for dim in dims]
    numbers = {f"Dc = {case['dim']}": {"exponent_of_the_ratio": replay(case)[0]} for case in cases}
    worst = max(cases, key=lambda case: replay(case)[0])
    exponent, _, violated = replay(worst)
    found = ", ".join(f"{row['exponent_of_the_ratio']:.3f} ({name})" for name, row in numbers.items())
    if violated:
        return Evidence(Verdict.REFUTED, f"Left over right grows with exponent {found} at least.", numbers, worst)
    return Evidence(Verdict.SUPPORTED, f"exponent of left / right at most {exponent:.3f} for the exhibits", numbers)


_RULE = f"""Refuted if for the process of the module the left side over the right one, with constants one, grows with
    an exponent above {SLACK} between T = {EARLY:g} and {LATE:g} (closed forms: a lower bound of the left side, gamma_T
    by an upper one)"""


@claim(
    id="ctx.lemma8",
    rule=f"{_RULE}; Dc = {WIDE}.",
    control={"power": 0.65},
    control_statement="With T^0.65 in the place of sqrt(T).",
    replay=replay,
    severity="step",
    positive={"added": True},
    positive_statement="With sqrt(beta_T) T^((2+Dc)/(4+Dc)) added on the right.",
)
def lemma8(scale: str, *, power: float = 0.5, added: bool = False) -> Evidence:
    """p^ gives mass to a region that the contexts never reach."""
    return _examine(8, (WIDE,), power, added)


@claim(
    id="ctx.lemma10",
    rule=f"{_RULE}; Dc = {DIMS}.",
    control={"power": 0.65},
    control_statement="With T^0.65 in the place of sqrt(T) (which Dc = 4 violates).",
    replay=replay,
    severity="step",
    positive={"added": True},
    positive_statement="With sum delta_t added on the right.",
)
def lemma10(scale: str, *, power: float = 0.5, added: bool = False) -> Evidence:
    """The worst distribution for f depends on unobserved values of f."""
    return _examine(10, DIMS, power, added)
