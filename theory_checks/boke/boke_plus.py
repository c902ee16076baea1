"""Section 4.3, "BOKE+ yields the same result as BOKE, since the additional exploitation steps do not affect the regret
upper bound": A (26) [4.33] for BOKE+.

**Why it fails.** The proof of A (26) compares u_t(x*) with u_t(x_{t+1}), and x_{t+1} maximises u_t. An exploitation
step maximises m_t instead: the step returns to the best arm seen so far. The bonus of this arm shrinks with every
visit, and the regret of the arm does not. Until an exploration step finds a better arm, the bonus does not bound the
regret.

**The repair.** At exploration steps the proof of BOKE holds. The radius U_t of boke.thm9_instant_repaired holds for
designs that depend on the noise and gives r_{t+1} <= 2 U_t(x_{t+1}) + 2 omega_f(h_t) at these steps, for all t at once.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from experiments.engine.statistics import clopper_pearson
from theory_checks.boke.testbeds.loops import repaired_radius
from theory_checks.boke.testbeds.selection import beta9
from theory_checks.ledger import Evidence, Verdict, claim, level, variant_claim
from theory_checks.scales import ByScale

ARMS, GAP, DELTA, STEPS = 40, 12.0, 0.1, 200
"""The sizes of the example: one arm is better than the others by `GAP` times the noise."""
RUNS = ByScale(200, 1000, 10_000)
SEED = 20264

Radius = Callable[[int, np.ndarray], np.ndarray]
"""Maps t and W_t > 0 to the bonus of A (14)."""


def printed_radius(t: int, weight: np.ndarray) -> np.ndarray:
    """sqrt(beta_t / W) with Theorem 9's beta_t."""
    return np.sqrt(beta9(t, DELTA) / weight)


def adaptive_radius(t: int, weight: np.ndarray) -> np.ndarray:
    """U_t of boke.thm9_instant_repaired."""
    return repaired_radius(t, weight, 1.0, math.log(ARMS))


def largest_excess(explore: float, radius: Radius, every_step: bool, runs: int) -> np.ndarray:
    """max over t of r_{t+1} - 2 radius(x_{t+1}), (runs,): BOKE+ on isolated arms explores with probability `explore`.

    With `every_step` all steps count, otherwise exploration steps alone. An arm without data has an infinite bonus, and
    exploration takes the first such arm. An arm without data has the prediction of its nearest neighbour; where the two
    tie, exploitation takes the arm with data.
    """
    rng = np.random.default_rng(SEED)
    row, best = np.arange(runs), rng.integers(0, ARMS, runs)
    counts, sums = np.zeros((runs, ARMS)), np.zeros((runs, ARMS))
    counts[:, 0] = 1.0
    sums[:, 0] = GAP * (best == 0) + rng.standard_normal(runs)
    excess = np.full(runs, -np.inf)
    for t in range(1, STEPS):
        seen = counts > 0
        visits = np.where(seen, counts, 1.0)
        mean, bonus = sums / visits, radius(t, visits)
        exploring = rng.random(runs) < explore
        optimistic = np.argmax(np.where(seen, mean + bonus, np.inf), axis=1)
        greedy = np.argmax(np.where(seen, mean, -np.inf), axis=1)
        chosen = np.where(exploring, optimistic, greedy)
        bonus = np.where(seen, bonus, np.inf)
        regret = GAP * (chosen != best)
        counted = np.full(runs, every_step) | exploring
        excess = np.where(counted, np.maximum(excess, regret - 2 * bonus[row, chosen]), excess)
        counts[row, chosen] += 1.0
        sums[row, chosen] += GAP * (chosen == best) + rng.standard_normal(runs)
    return excess


RADII: Mapping[str, Radius] = {"printed": printed_radius, "repaired": adaptive_radius}


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: lower limit of the probability that the bound fails at some t; right: delta."""
    excess = largest_excess(stored["explore"], RADII[stored["radius"]], stored["every_step"], int(stored["runs"]))
    low = float(clopper_pearson(int(np.sum(excess > 0)), len(excess), 1 - 2 * stored["alpha"]).low)
    return low, DELTA, low > DELTA


def _examined(scale: str, explore: float, radius: str, every_step: bool) -> Evidence:
    alpha, runs = level("A"), RUNS[scale]
    excess = largest_excess(explore, RADII[radius], every_step, runs)
    failing = int(np.sum(excess > 0))
    low = float(clopper_pearson(failing, runs, 1 - 2 * alpha).low)
    nearest = float(np.max(excess)) / GAP
    numbers = {
        "failing": failing,
        "runs": runs,
        "low": low,
        "largest_excess_over_gap": nearest,
    }
    steps = "some step" if every_step else "some exploration step"
    summary = (
        f"One of {ARMS} isolated arms is {GAP:g} s better, p = {explore:g}: the bound fails at {steps} in {failing} of "
    )
    summary += f"{runs} runs with delta = {DELTA}. Regret minus bound is at most {nearest:.2f} of the gap."
    if low > DELTA:
        stored = {"explore": explore, "radius": radius, "every_step": every_step, "runs": RUNS["smoke"], "alpha": alpha}
        return Evidence(Verdict.REFUTED, summary, numbers, stored)
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_RULE = f"""{ARMS} arms that share no data, one of them, at random, {GAP:g} s better, Gaussian noise, {STEPS} steps,
    {RUNS} runs at smoke / quick / paper, delta = {DELTA}. Refuted if the exact binomial lower limit of the probability
    that the bound fails at some t is above delta; otherwise supported."""


@claim(
    id="boke.boke_plus_regret",
    rule=_RULE,
    control={"explore": 0.9},
    control_statement="The same where only every tenth step exploits.",
    tests=1,
    replay=replay,
    severity="substantive",
    positive={"explore": 1.0},
    positive_statement="BOKE itself, on these arms (p = 1).",
)
def boke_plus_regret(scale: str, *, explore: float = 0.5, form: str = "printed", every_step: bool = True) -> Evidence:
    """An exploitation step costs more than its bonus until the best arm is found."""
    return _examined(scale, explore, form, every_step)


boke_plus_regret_repaired = variant_claim(
    boke_plus_regret,
    id="boke.boke_plus_regret_repaired",
    variant={"form": "repaired", "every_step": False},
    rule=_RULE,
    control={"every_step": True},
    control_statement="The same at the exploitation steps too.",
)
