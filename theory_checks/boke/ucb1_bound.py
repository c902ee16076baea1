"""The sentence after Remark 1 that BOKE "achieves a regret bound that is at least equivalent to UCB1".

UCB1's bound for rewards in [0, 1] is E n_T(x) <= 8 log T / Delta^2 + 1 + pi^2 / 3 (Auer et al. 2002, Theorem 1).
Rewards in [0, 1] are sub-Gaussian with s = 1/2, and M_Psi = 1: Lemma 7 has 16 log T / Delta^2 + 1 + 2 pi^2 / 3.

**The same order.** The quotient of the two bounds is (16 L + (1 + 2 pi^2 / 3) Delta^2) / (8 L + (1 + pi^2 / 3)
Delta^2), L = log T: monotone in L / Delta^2, from 1.767 to 2.

**Not at least as good.** The quotient is at least 1.767 everywhere, and tends to 2. Theorem 8 has sqrt(T log T) / delta
where UCB1 has log T: for fixed gaps this quotient grows without bound.
"""

import math

from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import listed

GAPS = (1.0, 0.5, 0.1, 0.01)
LOG_T = (0.0, 1.0, 10.0, 1e3, 1e6, 1e9)
TOLERANCE = 1e-3
OURS, THEIRS = 16.0, 8.0
BEHIND = 1.01
"""The first of two bounds is worse where the quotient is above this."""


def quotient(log_t: float, gap: float) -> float:
    """Lemma 7's bound on E n_T(x) over UCB1's, for rewards in [0, 1]."""
    ours = OURS * log_t / gap**2 + 1 + 2 * math.pi**2 / 3
    return ours / (THEIRS * log_t / gap**2 + 1 + math.pi**2 / 3)


@claim(
    id="boke.at_least_ucb1",
    rule=f"""The statement has two senses, judged at gaps {listed(GAPS)} and log T = {listed(LOG_T)}. About the order it
        is true if the quotient of the two bounds on E n_T(x) never exceeds the claimed limit 2 and is within
        {TOLERANCE:g} of it at the largest T. About the size it is true if the quotient is at most {BEHIND:g}
        everywhere. Supported if both are true, refuted if neither is, depends otherwise.""",
    control={"limit": 1.98},
    control_statement="The bound is at most, and tends to, 1.98 times UCB1's.",
)
def at_least_ucb1(scale: str, *, limit: float = 2.0) -> Evidence:
    """The check divides the two printed bounds."""
    del scale
    table = {gap: [quotient(log_t, gap) for log_t in LOG_T] for gap in GAPS}
    largest, smallest = (pick(pick(row) for row in table.values()) for pick in (max, min))
    order = largest <= limit and all(abs(row[-1] - limit) <= TOLERANCE for row in table.values())
    size = largest <= BEHIND
    numbers = {
        "smallest": smallest,
        "largest": largest,
        "last": {f"gap {gap:g}": row[-1] for gap, row in table.items()},
    }
    summary = (
        f"BOKE's bound on the visits of an arm is {smallest:.3f} to {largest:.3f} times UCB1's, and the quotient tends "
        "to 2: the order is the same, with twice the constant."
    )
    verdict = Verdict.SUPPORTED if order and size else Verdict.DEPENDS if order or size else Verdict.REFUTED
    return Evidence(verdict, summary, numbers)
