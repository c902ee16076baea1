"""D (11): the regret of EXP3 is at most 2 sqrt(e - 1) sqrt(g K ln K), for g >= R_max.

**For g below the best arm's reward the bound fails.** The general bound (Theorem 3.1 of Auer et al.) is (e - 1) gamma
R_max + K ln K / gamma. With gamma from g the general bound is sqrt((e - 1) K ln K) (R_max / sqrt(g) + sqrt(g)), which
is at most D (11) exactly where g >= R_max. The corollary's hypothesis is g >= R_max; the paper prints "smaller". With a
g so small that gamma = 1 EXP3 plays at random: the regret is linear and the bound arbitrarily small.

**Repair.** The hypothesis is g >= R_max, as in Auer et al., Corollary 3.2; g = T always satisfies it.

Expected rewards are exact. Rewards are fixed in advance, and the K^T histories are enumerated; where one arm alone
earns, a chain counts the draws of that arm.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from core.exp3 import exploration_rate
from theory_checks.ledger import Evidence, Verdict, claim, variant_claim
from theory_checks.scales import ByScale, listed
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(60, 400, 10_000)
HISTORIES = 6000
"""The largest number of histories that are enumerated."""
ONE_ARM = ByScale(80, 600, 5000)
"""The longest horizon with one earning arm."""
ROUNDING = 1e-9
EARNERS = (2, 3, 5, 8, 12, 20)
"""Numbers of arms where one arm always earns 1, up to the longest horizon: the tightest cases."""
SEED = 4001


def expected_reward(rewards: np.ndarray, gamma: float) -> float:
    """E sum_t r_t^{a_t} of EXP3 on fixed rewards (T, K), by enumeration of all K^T histories."""
    horizon, arms = rewards.shape
    if arms**horizon > HISTORIES:
        raise ValueError(f"{arms}^{horizon} histories are too many to enumerate")
    log_weights, mass, total = np.zeros((1, arms)), np.ones(1), 0.0
    for reward in rewards:
        share = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
        p = (1 - gamma) * share / share.sum(axis=1, keepdims=True) + gamma / arms
        total += float(mass @ (p @ reward))
        raised = gamma * reward / (arms * p)
        log_weights = (log_weights[:, None, :] + raised[:, :, None] * np.eye(arms)).reshape(-1, arms)
        mass = (mass[:, None] * p).reshape(-1)
    return total


def one_earner(arms: int, horizon: int, reward: float, gamma: float) -> float:
    """E sum_t r_t^{a_t} where one arm earns `reward` every time and the others nothing.

    The weights depend only on the number of draws of that arm, a chain on 0..T.
    """
    chance, gain = np.empty(horizon), 0.0
    for drawn in range(horizon):
        share = 1 / (1 + (arms - 1) * math.exp(-gain))
        chance[drawn] = (1 - gamma) * share + gamma / arms
        gain += gamma * reward / (arms * chance[drawn])
    mass, total = np.zeros(horizon + 1), 0.0
    mass[0] = 1.0
    for _ in range(horizon):
        moved = mass[:-1] * chance
        total += reward * float(moved.sum())
        mass[:-1] -= moved
        mass[1:] += moved
    return total


def sides(case: Mapping[str, Any]) -> tuple[float, float]:
    """(regret, factor * bound D (11)), with g = g_over_best R_max."""
    if "rewards" in case:
        rewards = np.asarray(case["rewards"], float)
        arms, best = rewards.shape[1], float(rewards.sum(axis=0).max())
    else:
        arms, best = int(case["arms"]), int(case["horizon"]) * float(case["reward"])
    if best == 0.0:
        return 0.0, 0.0
    g = float(case["g_over_best"]) * best
    gamma = exploration_rate(arms, g)
    if "rewards" in case:
        earned = expected_reward(rewards, gamma)
    else:
        earned = one_earner(arms, int(case["horizon"]), float(case["reward"]), gamma)
    return best - earned, float(case["factor"]) * 2 * math.sqrt((math.e - 1) * g * arms * math.log(arms))


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: R_max - E R_EXP3; right: the bound times the stored factor."""
    left, right = sides(stored)
    return left, right, left > right * (1 + ROUNDING) + ROUNDING


def cases(scale: str, lower: float, upper: float, factor: float) -> st.SearchStrategy[dict[str, Any]]:
    """Reward tables of up to HISTORIES histories, or one earning arm; g between lower and upper times R_max."""
    ratio = st.floats(math.log10(lower), math.log10(upper)).map(lambda exponent: 10.0**exponent)
    common = {"g_over_best": ratio, "factor": st.just(factor)}

    @st.composite
    def tables(draw: st.DrawFn) -> dict[str, Any]:
        arms = draw(st.integers(2, 6))
        horizon = draw(st.integers(1, int(math.log(HISTORIES) / math.log(arms))))
        value = st.one_of(st.sampled_from((0.0, 1.0)), st.floats(0, 1))
        row = st.lists(value, min_size=arms, max_size=arms)
        return {
            "rewards": draw(st.lists(row, min_size=horizon, max_size=horizon)),
            **draw(st.fixed_dictionaries(common)),
        }

    one = st.fixed_dictionaries(
        {"arms": st.integers(2, 60), "horizon": st.integers(1, ONE_ARM[scale]), "reward": st.floats(0.05, 1), **common}
    )
    return st.one_of(one, tables())


def attack(scale: str, lower: float, upper: float, factor: float) -> Evidence:
    """Searches the largest ratio of regret to bound."""

    def violation(case: Mapping[str, Any]) -> float:
        left, right = sides(case)
        return left / right - 1 if right > 0 else -1.0

    found = maximise_by_hypothesis(cases(scale, lower, upper, factor), violation, examples=EXAMPLES[scale], seed=SEED)
    fixed = {"horizon": ONE_ARM[scale], "reward": 1.0, "g_over_best": lower, "factor": factor}
    worst = max(({"arms": arms, **fixed} for arms in EARNERS), key=violation)
    if found.value >= violation(worst):
        worst = found.example
    (left, right), count = sides(worst), found.evaluations + len(EARNERS)
    ratio = violation(worst) + 1
    numbers = {"cases": count, "largest_ratio": ratio}
    if replay(worst)[2]:
        said = f"The regret is {left:.4g}, {ratio:.3g} times the bound of {right:.4g}."
        return Evidence(Verdict.REFUTED, said, numbers, worst)
    return Evidence(Verdict.SUPPORTED, f"The regret is at most {ratio:.3f} of the bound in {count} cases.", numbers)


_SEARCH = f"""One of {EXAMPLES} cases (Hypothesis with target; fixed rewards in [0, 1], 2 to 6 arms and at most
    {HISTORIES} histories enumerated, or one earning arm among up to 60 and T up to {ONE_ARM}; expectations exact; gamma
    by `core.exp3`), or an arm of {listed(EARNERS)} that always earns 1, up to that T and with the smallest g,"""


@claim(
    id="uhe.exp3_bound",
    rule=f"{_SEARCH} with g from 0.001 to 1 times R_max: refuted if the regret exceeds the bound, otherwise supported.",
    control={"factor": 0.1},
    control_statement="The bound times 0.1.",
    replay=replay,
    severity="misprint",
    positive={"g_over_best": (1.0, 1.1)},
    positive_statement="The bound with g from 1 to 1.1 times R_max.",
)
def exp3_bound(scale: str, *, factor: float = 1.0, g_over_best: tuple[float, float] = (1e-3, 0.999)) -> Evidence:
    """g is below the best arm's reward."""
    return attack(scale, *g_over_best, factor)


exp3_bound_repaired = variant_claim(
    exp3_bound,
    id="uhe.exp3_bound_repaired",
    variant={"g_over_best": (1.0, 100.0)},
    rule=f"""{_SEARCH} with g from 1 to 100 times R_max: refuted if the regret exceeds the bound, otherwise supported.
        For K = 2 the bound is below the trivial R_max as soon as g = R_max > 9.6.""",
    control={"factor": 0.6},
    control_statement="The bound times 0.6.",
)
