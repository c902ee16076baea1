"""The other statements of appendix A.5 and section 5.1 on EXP3; D (11) is in `exp3_bound`.

**Theorem 3.1** of Auer et al., quoted in appendix A.5, says R_max - E R_EXP3 <= (e - 1) gamma R_max + M ln M / gamma
for every gamma in (0, 1]. The statement is right.

**"For rewards in [a, b] the same bound with the rhs multiplied by a constant factor."** The statement is true if EXP3
and the right side use (r - a) / (b - a): R_max - E R scales by b - a. The statement is false if R_max is that of the
rewards r: where the best arm always earns 0 and the others -1, R_max = 0, the right side is a constant and the regret
is at least gamma T / 2.

**"Logarithmic expected regret".** EXP3 plays each arm with probability at least gamma / M. Where one of two arms always
earns 1, the regret is at least gamma T / 2 = 0.449 sqrt(T) for the gamma of the bound: of order sqrt(T), as D (21)
states.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from core.exp3 import exploration_rate
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed
from theory_checks.search import maximise_by_hypothesis
from theory_checks.uhe.exp3_bound import EARNERS, HISTORIES, ONE_ARM, expected_reward, one_earner

EXAMPLES = ByScale(60, 400, 10_000)
ROUNDING = 1e-9
SEED = 4031
HORIZONS = (100, 1000, 10_000, 10**6, 10**8)
FACTORS = (1.0, 10.0, 1000.0)
"""Constant factors of the bound with unscaled rewards."""
WORST_GAMMA = 0.01


def sides(case: Mapping[str, Any]) -> tuple[float, float]:
    """(regret, factor * ((e - 1) gamma R_max + M ln M / gamma))."""
    gamma = float(case["gamma"])
    if "rewards" in case:
        rewards = np.asarray(case["rewards"], float)
        arms, best = rewards.shape[1], float(rewards.sum(axis=0).max())
        earned = expected_reward(rewards, gamma)
    else:
        arms, best = int(case["arms"]), float(case["horizon"])
        earned = one_earner(arms, int(case["horizon"]), 1.0, gamma)
    bound = (math.e - 1) * gamma * best + arms * math.log(arms) / gamma
    return best - earned, float(case["factor"]) * bound


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: R_max - E R_EXP3; right: the bound times the stored factor."""
    left, right = sides(stored)
    return left, right, left > right * (1 + ROUNDING) + ROUNDING


def cases(scale: str, factor: float) -> st.SearchStrategy[dict[str, Any]]:
    """Reward tables of up to `HISTORIES` histories, or one arm that always earns 1; any gamma."""
    common = {"gamma": st.floats(0.005, 1), "factor": st.just(factor)}

    @st.composite
    def tables(draw: st.DrawFn) -> dict[str, Any]:
        arms = draw(st.integers(2, 6))
        horizon = draw(st.integers(1, int(math.log(HISTORIES) / math.log(arms))))
        row = st.lists(st.one_of(st.sampled_from((0.0, 1.0)), st.floats(0, 1)), min_size=arms, max_size=arms)
        rewards = draw(st.lists(row, min_size=horizon, max_size=horizon))
        return {"rewards": rewards, **draw(st.fixed_dictionaries(common))}

    one = st.fixed_dictionaries({"arms": st.integers(2, 60), "horizon": st.integers(1, ONE_ARM[scale]), **common})
    return st.one_of(one, tables())


def worst_case(scale: str, factor: float) -> tuple[int, dict[str, Any], float]:
    """The number of cases, the case with the largest quotient of regret and bound, and this quotient."""

    def violation(case: Mapping[str, Any]) -> float:
        left, right = sides(case)
        return left / right - 1

    found = maximise_by_hypothesis(cases(scale, factor), violation, examples=EXAMPLES[scale], seed=SEED)
    horizon = ONE_ARM[scale]
    fixed = [
        {"arms": arms, "horizon": horizon, "gamma": exploration_rate(arms, horizon), "factor": factor}
        for arms in EARNERS
    ]
    example = max([found.example, *fixed], key=violation)
    return found.evaluations + len(fixed), example, violation(example) + 1


_SEARCH = f"""{EXAMPLES} cases (Hypothesis with target; rewards in [0, 1] fixed in advance, 2 to 6 arms and at most
    {HISTORIES} histories enumerated, or one earning arm among up to 60 and T up to {ONE_ARM}; expectations exact; gamma
    from 0.005 to 1), and an arm of {listed(EARNERS)} that always earns 1 with the gamma of D (11)"""


@claim(
    id="uhe.exp3_general_bound",
    rule=f"{_SEARCH}: refuted if the regret exceeds the bound on one, otherwise supported.",
    control={"factor": 0.55},
    control_statement="The bound times 0.55.",
    replay=replay,
)
def exp3_general_bound(scale: str, *, factor: float = 1.0) -> Evidence:
    """Searches cases of Theorem 3.1 of Auer et al., as appendix A.5 quotes it."""
    count, worst, ratio = worst_case(scale, factor)
    numbers = {"cases": count, "largest_ratio": ratio}
    if replay(worst)[2]:
        left, right, _ = replay(worst)
        return Evidence(Verdict.REFUTED, f"The regret is {left:.4g}; the bound is {right:.4g}.", numbers, worst)
    return Evidence(Verdict.SUPPORTED, f"The regret is at most {ratio:.3f} of the bound in {count} cases.", numbers)


def replay_raw(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: gamma T / 2, a lower limit of the regret with rewards 0 and -1; right: factor times 2 ln 2 / gamma."""
    left = float(stored["gamma"]) * float(stored["horizon"]) / 2
    right = float(stored["factor"]) * 2 * math.log(2) / float(stored["gamma"])
    return left, right, left > right


@claim(
    id="uhe.exp3_scaled_rewards",
    rule=f"""The statement has two senses. With rewards that EXP3 sees scaled to [0, 1], and the R_max of scaled
        rewards, it is true if on {_SEARCH} the regret, which is b - a times that of the scaled rewards, is at most
        the claimed b - a times the bound. With the R_max of the rewards themselves it is false if for two arms that
        always earn 0 and -1,
        gamma = {WORST_GAMMA:g}, for each of the constant factors {listed(FACTORS)} there is a T with a larger regret.
        Supported if true in both, refuted if in neither, depends otherwise.""",
    control={"factor": 0.55},
    control_statement="The constant factor is 0.55 (b - a).",
    replay=replay_raw,
)
def exp3_scaled_rewards(scale: str, *, factor: float = 1.0) -> Evidence:
    """Tries scaled rewards, then unscaled rewards."""
    count, _, ratio = worst_case(scale, factor)
    constant = 2 * math.log(2) / WORST_GAMMA
    horizons = {times: math.ceil(2 * times * factor * constant / WORST_GAMMA) + 2 for times in FACTORS}
    stored = {"gamma": WORST_GAMMA, "factor": FACTORS[-1] * factor, "horizon": horizons[FACTORS[-1]]}
    scaled, literal = ratio <= 1 + ROUNDING, not replay_raw(stored)[2]
    numbers = {"cases": count, "largest_ratio": ratio, "horizons": {f"{k:g}": v for k, v in horizons.items()}}
    summary = (
        f"With rewards scaled to [0, 1] the regret is at most {ratio:.3f} of b - a times the bound in {count} cases. "
        "With rewards 0 "
        f"and -1 as they are, the right side is the constant {constant:.4g} and the regret at least "
        f"{WORST_GAMMA / 2:g} T."
    )
    if scaled == literal:
        return Evidence(Verdict.SUPPORTED if scaled else Verdict.REFUTED, summary, numbers, None if scaled else stored)
    return Evidence(Verdict.DEPENDS, summary, numbers, stored)


def least_regret(horizon: int) -> float:
    """gamma T / 2 with the gamma of D (11) for g = T and two arms: the cost of exploration alone."""
    return exploration_rate(2, horizon) * horizon / 2


def replay_growth(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: gamma T / 2; right: the stored constant times (log T)^power, or times sqrt(T)."""
    horizon = int(stored["horizon"])
    left = least_regret(horizon)
    grown = math.sqrt(horizon) if stored["root"] else math.log(horizon) ** float(stored["power"])
    return left, float(stored["constant"]) * grown, left > float(stored["constant"]) * grown


@claim(
    id="uhe.exp3_logarithmic",
    rule=f"""Two arms, one of which always earns 1: the regret is at least gamma T / 2, since each arm is played with
        probability gamma / 2 or more; held against the exact regret at T = {ONE_ARM}. Refuted if that lower limit is
        above 100 log T at one of T = {listed(HORIZONS)}; otherwise supported.""",
    control={"power": 1.5, "constant": 20.0},
    control_statement="A regret of at most 20 (log T)^1.5.",
    replay=replay_growth,
    severity="misprint",
    positive={"root": True, "constant": 2.63 * math.sqrt(2 * math.log(2))},
    positive_statement="A regret of at most 2.63 sqrt(T 2 log 2), D (11) with g = T.",
)
def exp3_logarithmic(scale: str, *, power: float = 1.0, constant: float = 100.0, root: bool = False) -> Evidence:
    """Compares the cost of exploration with a logarithm."""
    horizon = ONE_ARM[scale]
    exact = horizon - one_earner(2, horizon, 1.0, exploration_rate(2, horizon))
    numbers = {
        "exact_regret": {"horizon": horizon, "regret": exact, "at_least": least_regret(horizon)},
        "at_least": {f"T = {t:g}": least_regret(t) for t in HORIZONS},
    }
    if exact < least_regret(horizon):
        return Evidence(Verdict.UNDECIDED, "the exact regret is below its lower limit", numbers)
    for t in HORIZONS:
        stored = {"horizon": t, "power": power, "constant": constant, "root": root}
        left, right, violated = replay_growth(stored)
        if violated:
            said = (
                f"At T = {t:g} the regret is at least {left:.4g}, where {right:.4g} are allowed. It grows as sqrt(T)."
            )
            return Evidence(Verdict.REFUTED, said, numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"nowhere above the bound up to T = {HORIZONS[-1]:g}", numbers)
