"""Algorithm 1 plays EXP3 with two arms, tuned for T/2 rounds; a round is a pair of evaluations.

With K = 2 and g = T/2, which is at least R_max for rewards in [0, 1], sqrt(K ln K / ((e - 1) g)) = sqrt(4 log 2 / ((e -
1) T)); gamma r / (K p) is the exponent of line 20. Line 7 asks for weights of round t - 1, line 20 for weights of round
t - 2; these are equal, as no weight changes at odd t. Line 5 gives gamma > 1 for T = 1 (no pair); EXP3 caps gamma at
one. The check compares Algorithm 1 as printed, in 60-digit arithmetic, with `core.exp3`, which the policies use.
"""

from collections.abc import Mapping
from decimal import Decimal, localcontext
from typing import Any

from hypothesis import strategies as st

from core.exp3 import Exp3, exploration_rate, paired_exploration_rate
from theory_checks.exact import DIGITS
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(12, 40, 500)
TOLERANCE = 1e-11
SEED = 4002


def printed(horizon: int, arms: list[int], rewards: list[float], divisor: int) -> tuple[Decimal, list[Decimal]]:
    """gamma and p^1 before every pair, from lines 3 to 20 of Algorithm 1; `divisor` is 1 as printed."""
    with localcontext(DIGITS):
        gamma = min(Decimal(1), (4 * Decimal(2).ln() / ((Decimal(1).exp() - 1) * horizon) / divisor).sqrt())
        weights = [Decimal(1), Decimal(1)]
        shown = []
        for arm, reward in zip(arms, rewards, strict=True):
            p = [(1 - gamma) * w / sum(weights) + gamma / 2 for w in weights]
            shown.append(p[0])
            weights[arm] *= (gamma * Decimal(reward) / (2 * p[arm])).exp()
        return gamma, shown


def gap(case: Mapping[str, Any]) -> float:
    """Largest difference of gamma and of p^1 between Algorithm 1 and `Exp3` with K = 2 and g = T/2."""
    horizon = int(case["horizon"])
    arms, rewards = [int(one) for one, _ in case["rounds"]], [float(r) for _, r in case["rounds"]]
    gamma, shown = printed(horizon, arms, rewards, int(case["divisor"]))
    bandit = Exp3.init(2, exploration_rate(2, horizon / 2))
    worst = max(abs(float(gamma) - bandit.gamma), abs(bandit.gamma - paired_exploration_rate(horizon)))
    for arm, reward, expected in zip(arms, rewards, shown, strict=True):
        worst = max(worst, abs(float(bandit.probabilities()[0]) - float(expected)))
        bandit = bandit.update(arm, reward)
    return worst


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the largest difference; right: the tolerance."""
    found = gap(stored)
    return found, TOLERANCE, found > TOLERANCE


@claim(
    id="uhe.exp3_algorithm",
    rule=f"""Algorithm 1 in 60 digits against `core.exp3` with K = 2, g = T/2, on {EXAMPLES} runs (Hypothesis with
        target; T from 2 to 1e6, up to 12 pairs, any arms and rewards): refuted if gamma or a probability differs by
        more than {TOLERANCE:g}, otherwise supported.""",
    control={"divisor": 2},
    control_statement="gamma = sqrt(2 log 2 / ((e-1) T)), EXP3's for T rounds.",
    replay=replay,
    origin="implied",
)
def exp3_algorithm(scale: str, *, divisor: int = 1) -> Evidence:
    """Searches a difference."""
    one_round = st.tuples(st.integers(0, 1), st.one_of(st.sampled_from((0.0, 1.0)), st.floats(0, 1)))
    cases = st.fixed_dictionaries(
        {
            "horizon": st.one_of(st.integers(2, 30), st.integers(2, 10**6)),
            "rounds": st.lists(one_round, min_size=1, max_size=12),
            "divisor": st.just(divisor),
        }
    )
    worst = maximise_by_hypothesis(cases, gap, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"runs": worst.evaluations, "largest_difference": worst.value}
    if replay(worst.example)[2]:
        return Evidence(Verdict.REFUTED, f"a difference of {worst.value:.3g}", numbers, worst.example)
    return Evidence(
        Verdict.SUPPORTED,
        f"Both algorithms are equal to {worst.value:.1e} in {worst.evaluations} runs of up to 12 pairs.",
        numbers,
    )
