"""The regret of corrected EI with the squared exponential kernel is not sublinear on two points.

X = {a, b}, f(a) = g > f(b) = 0, k(a, b) = rho, each point observed m times first, noise of deviation v. Since
alpha^C(x+) = 0 and alpha^C > 0 elsewhere, a proposal is never the incumbent: as long as a is the incumbent, every
proposal is b. After n observations of b, with Y_a and Y_b the means of the observations of a and b,

    mu(a) > mu(b)  iff  Y_a (1 + rho + v^2 / n) > Y_b (1 + rho + v^2 / m).

So a stays the incumbent **forever** if Y_a >= c r, r = 1 + v^2 / (m (1 + rho)), and Y_b < c for all n >= m. By Ville's
inequality for exp(c S_n / v^2 - c^2 n / (2 v^2)), S_n the sum of n noises, the second condition fails with probability
at most exp(-m c^2 / (2 v^2)), the first with Phi((c r - g) sqrt(m) / v). Otherwise R_T = g T for every T.

The threshold kappa of the regret bound does not stop such a run. Where moreover Y_b > -c and Y_a < g + c, which fails
with probability at most exp(-m c^2 / (2 v^2)) + Phi(-c sqrt(m) / v), mu(a) - mu(b) <= g + 2 c (Y_a and Y_b have weights
of at most 1), and sigma tilde^2 is at least its limit s^2 := 1 / (1 / (1 - rho^2) + m / v^2). So alpha^C(b) >= s
tau(-(g + 2 c) / s) =: kappa forever, while R_T = g T. The check states the largest probability over c.

EI, B (5), samples its incumbent, too: R_T / T of EI tends to zero on the two points.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from theory_checks.cei.testbeds import normal
from theory_checks.cei.testbeds.finite_runs import Runs, run
from theory_checks.cei.testbeds.posteriors import gram
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.outward import at_least
from theory_checks.scales import ByScale, listed

HORIZON = ByScale(1500, 5000, 20_000)
RUNS = ByScale(16, 32, 200)
NOISES = (0.1, 0.3)
POINTS = np.array([[0.0], [1.0]])
LENGTHSCALE = 0.2
GAP = 1.0
SEED = 2029


def play(noise: float, first: int, scale: str, corrected: bool) -> Runs:
    """Corrected EI, or EI, on the two points, each observed `first` times before the first proposal."""
    initial = (0, 1) * first
    drawn = np.random.default_rng(SEED).standard_normal((RUNS[scale], len(initial) + HORIZON[scale]))
    covariance = gram("squared_exponential", POINTS, POINTS, LENGTHSCALE)
    return run(covariance, np.array([GAP, 0.0]), noise, initial, noise * drawn, corrected=corrected)


def for_ever(noise: float, first: int) -> tuple[float, float]:
    """(least probability that every proposal is b with alpha^C >= kappa, log kappa)."""
    rho = float(gram("squared_exponential", POINTS, POINTS, LENGTHSCALE)[0, 1])
    scale, ratio = noise / math.sqrt(first), 1 + noise**2 / (first * (1 + rho))
    c = np.linspace(0.01, GAP, 100)
    fails = stats.norm.cdf((c * ratio - GAP) / scale) + 2 * np.exp(-0.5 * (c / scale) ** 2) + stats.norm.cdf(-c / scale)
    best, s = int(np.argmin(fails)), 1 / math.sqrt(1 / (1 - rho**2) + 1 / scale**2)
    return 1 - float(fails[best]), float(normal.log_corrected_ei(-(GAP + 2 * c[best]), s))


def row(noise: float, first: int, scale: str, corrected: bool) -> dict[str, Any]:
    """Numbers of the proved bound and of the runs."""
    played, (probability, log_kappa) = play(noise, first, scale, corrected), for_ever(noise, first)
    average = played.regret(np.array([GAP, 0.0])) / np.arange(1, HORIZON[scale] + 1)
    least = played.log_acquisition.min(axis=1)
    staying = (average == GAP).all(axis=1) & (least >= log_kappa)
    return {
        "probability_for_ever_at_least": probability,
        "log10_kappa": log_kappa / math.log(10),
        "runs": len(staying),
        "runs_that_stay": int(staying.sum()),
        "average_regret_at_tenth": float(np.mean(average[:, HORIZON[scale] // 10 - 1])),
        "average_regret": float(np.mean(average[:, -1])),
        "least_acquisition_of_those": float(np.exp(np.min(least[staying]))) if staying.any() else "none",
    }


def replay_linear(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: mean R_T / T of the runs, which are repeated; right: the claimed limit 0."""
    found = row(float(stored["noise"]), int(stored["first"]), str(stored["scale"]), bool(stored["corrected"]))
    share = found["runs_that_stay"] / found["runs"]
    return found["average_regret"], 0.0, share > 0 and found["probability_for_ever_at_least"] > 0


@claim(
    id="cei.sublinear",
    rule=f"""X of two points at distance 1, f = {GAP:g} and 0, l = {LENGTHSCALE}, noise {listed(NOISES)}; T = {HORIZON},
        {RUNS} runs at smoke / quick / paper. Refuted if for one noise the probability that every proposal is the worse
        point, for ever, with alpha^C above a positive kappa, is bounded away from zero (in closed form, see the
        module), and a run is played in which R_t = t (f(a) - f(b)) at every t <= T. Otherwise undecided: no finite T
        proves a limit.""",
    control={"first": 10},
    control_statement="The same once both points were observed ten times.",
    replay=replay_linear,
    severity="substantive",
    positive={"corrected": False},
    positive_statement="The same for EI, B (5), which samples its incumbent too.",
)
def sublinear(scale: str, *, first: int = 1, corrected: bool = True) -> Evidence:
    """Runs exhibit the linear regret that the module proves."""
    rows = {noise: row(noise, first, scale, corrected) for noise in NOISES}
    numbers = {"steps": HORIZON[scale], "noise": {f"{noise:g}": found for noise, found in rows.items()}}
    shown = "; ".join(
        f"noise {noise:g}: R_T = T (f(a) - f(b)) in {found['runs_that_stay']} of {found['runs']} runs, mean R_T / T = "
        f"{found['average_regret']:.3g}"
        for noise, found in rows.items()
    )
    staying = [n for n in NOISES if rows[n]["runs_that_stay"] and rows[n]["probability_for_ever_at_least"] > 0]
    if not staying:
        return Evidence(Verdict.UNDECIDED, f"On two points, with T = {HORIZON[scale]}: {shown}.", numbers)
    noise = max(staying)
    summary = (
        f"On two points, with T = {HORIZON[scale]}: {shown}. The run stays for ever with probability at least "
        f"{at_least(rows[min(staying)]['probability_for_ever_at_least'], 6)} and with alpha^C >= "
        f"1e{at_least(rows[min(staying)]['log10_kappa'], 0)} at noise {min(staying):g}, at least "
        f"{at_least(rows[noise]['probability_for_ever_at_least'], 2)} and with alpha^C >= "
        f"1e{at_least(rows[noise]['log10_kappa'], 0)} at "
        f"noise {noise:g}."
    )
    found = {"noise": min(staying), "first": first, "corrected": corrected, "scale": scale}
    return Evidence(Verdict.REFUTED, summary, numbers, found)
