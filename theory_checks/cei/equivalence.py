"""Two sentences, after B (32) and in section 6: "the regret bound for our proposed acquisition is equivalent to that of
standard EI", and "this modified EI retains a convergence rate similar to that of the standard EI".

The paper prints no bound for EI. The first sentence is about bounds; the second can be about bounds or about regrets.

**About the bounds both sentences are true.** The paper's proof, with sigma in place of sigma tilde and the known number
mu(x+) in place of f(x+), gives for EI, B (5), with the same incumbent: f(x*) - mu(x+) <= alpha(x_t) + sqrt(beta_t)
sigma(x*), mu(x+) - f(x_t) <= -u + sqrt(beta_t) sigma(x_t), alpha(x_t) - u = sigma(x_t) tau(-z) <= (1 + sqrt(C'))
sigma(x_t) with C' = log(1 / (2 pi kappa^2)), since sigma <= 1; so r_t <= (1 + sqrt(C') + sqrt(beta_t)) sigma(x_t) +
sqrt(beta_t) sigma(x*), and with Lemma 4.2, used as the paper uses it,

    R_T <= sqrt(2 T gamma_T / log(1 + v_max^-2)) (sqrt(beta_T) + sqrt(3 (1 + C' + beta_T))).

B (32) has sqrt(2 (1 + C)) more and C = C' + log 4: the ratio tends to 1 as beta_T grows.

**About the regrets the second sentence is false.** On the two points of `cei.sublinear` corrected EI proposes the worse
point forever with positive probability, R_T = g T. EI proposes both points forever: alpha of a point without new data
stays, and alpha of the other point falls like 1 / sqrt(n). So the means converge, and EI proposes the worse point about
log T times (v / sqrt(n_a) phi(0) against v / sqrt(n_b) tau(-g sqrt(n_b) / v)). A sublinear bound of EI does not hold
for corrected EI. The proof of B (32) bounds sum_t sigma_{t-1}(x_t+) by Lemma 4.2, which is false there; EI has no such
sum.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from theory_checks.cei.beta_growth import lower as beta_at_least
from theory_checks.cei.two_points import GAP, HORIZON, NOISES, RUNS, row
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.outward import at_least
from theory_checks.scales import listed

KAPPAS = (1e-3, 1e-12, 1e-100)
LOG_T = np.geomspace(1, 1e6, 25)
TOLERANCE = 0.001
"""The allowed distance of the ratio of the bounds from its limit at the largest T."""
LOW = 0.1
"""R_T / T tends to zero if it ends below this share of f(a) - f(b) and does not rise over the last decade."""
NOISE = NOISES[0]


def ratio(log_t: float, kappa: float) -> float:
    """B (32) over the bound for EI, whose common root cancels, with the lower bound of beta_T of `cei.beta_growth`."""
    beta = beta_at_least(log_t)
    ours = max(math.log(2 / math.pi) - 2 * math.log(kappa), 0.0)
    standard = max(-math.log(2 * math.pi) - 2 * math.log(kappa), 0.0)
    corrected = math.sqrt(beta) + math.sqrt(2 * (1 + ours)) + math.sqrt(3 * (1 + ours + beta))
    return corrected / (math.sqrt(beta) + math.sqrt(3 * (1 + standard + beta)))


def replay_regrets(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: R_T / T of corrected EI on two points; right: R_T / T of EI. The runs are repeated on the same noise."""
    corrected, standard = (row(float(stored["noise"]), 1, str(stored["scale"]), flag) for flag in (True, False))
    return corrected["average_regret"], standard["average_regret"], _stays(corrected) and _learns(standard)


def _stays(found: Mapping[str, Any]) -> bool:
    return bool(found["runs_that_stay"] and found["probability_for_ever_at_least"] > 0)


def _learns(found: Mapping[str, Any]) -> bool:
    return bool(found["average_regret"] < LOW * GAP and found["average_regret"] <= found["average_regret_at_tenth"])


@claim(
    id="cei.equivalent_to_ei",
    rule=f"""The statement has two senses. About the bounds, the subject of section 4.3.3's sentence, it is true if B
        (32) over the bound of EI is within {TOLERANCE:g} of the claimed limit 1 at T = e^({LOG_T[-1]:g}), for kappa =
        {listed(KAPPAS)}. About the regrets, a sense of section 6's sentence, it is false if on the two points of
        `cei.sublinear`, noise {NOISE:g}, T = {HORIZON}, {RUNS} runs at smoke / quick / paper, a run of corrected EI has
        R_t = t (f(a) - f(b)) throughout and does so for ever with positive probability, while the mean R_T / T of EI
        does not rise over the last decade and ends below {LOW:g} (f(a) - f(b)). Depends if it is true in the first
        sense and false in the second; refuted if false in both; supported if true in the first and not false in the
        second; otherwise undecided.""",
    control={"limit": 0.99},
    control_statement="The bound of corrected EI tends to 0.99 times that of EI.",
    replay=replay_regrets,
)
def equivalent_to_ei(scale: str, *, limit: float = 1.0) -> Evidence:
    """Compares the two bounds, then runs of the two methods on two points."""
    ratios = {kappa: [ratio(float(log_t), kappa) for log_t in LOG_T] for kappa in KAPPAS}
    alike = all(abs(values[-1] - limit) <= TOLERANCE for values in ratios.values())
    corrected, standard = (row(NOISE, 1, scale, flag) for flag in (True, False))
    apart = _stays(corrected) and _learns(standard)
    numbers = {
        "ratio_of_bounds": {f"kappa {kappa:g}": {"largest": max(v), "last": v[-1]} for kappa, v in ratios.items()},
        "corrected_ei": corrected,
        "ei": standard,
    }
    largest = max(map(max, ratios.values()))
    summary = (
        f"About the bounds it is true: B (32) is 1 to {largest:.3g} times the bound that its proof gives for EI, and "
        f"the ratio tends to 1. About the regrets it is false: on two points R_T / T is "
        f"{corrected['average_regret']:.3g} for corrected EI, for ever with probability at least "
        f"{at_least(corrected['probability_for_ever_at_least'], 6)}, and {standard['average_regret']:.2g} for EI at "
        f"T = {HORIZON[scale]}."
    )
    if apart:
        verdict = Verdict.DEPENDS if alike else Verdict.REFUTED
        return Evidence(verdict, summary, numbers, {"noise": NOISE, "scale": scale})
    return Evidence(Verdict.SUPPORTED if alike else Verdict.UNDECIDED, summary, numbers)
