"""Proof of Corollary 5: BOKE+ maximises the acquisition function infinitely often.

The draws q of Algorithm 3 are independent with P(q = 1) = p > 0, so the probability that none of N steps after step n
explores is (1 - p)^N -> 0, for every n: the second Borel-Cantelli lemma. (An exploitation step may maximise the
acquisition as well; the event is then larger.) The lemma needs independence and sum p = infinity: with p_t = 1 / (t +
1)^2 the probability that no step from n on explores is n / (n + 1).
"""

from decimal import Decimal, localcontext

from theory_checks.exact import DIGITS
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import listed

SHARES = ("1", "0.5", "0.1", "0.01")
STARTS = (1, 10, 1000)
STEPS = 3000
SMALL = Decimal("1e-9")


def none_in(share: Decimal, power: int, start: int, steps: int) -> Decimal:
    """P(no step of start, ..., start + steps - 1 explores) with p_t = share / (t + 1)^power, to 60 digits."""
    with localcontext(DIGITS):
        none = Decimal(1)
        for step in range(start, start + steps):
            none *= 1 - share / Decimal(step + 1) ** power
        return none


@claim(
    id="boke.cor5_exploration",
    rule=f"""The probability that none of {STEPS} steps from step n on explores, in 60 digits, for p = {listed(SHARES)}
        and n = {listed(STARTS)}: refuted if one is above {SMALL} (the event "from n on never" then has, as far as
        {STEPS} steps tell, positive probability), otherwise supported.""",
    control={"power": 2},
    control_statement="The same with p_t = p / (t + 1)^2, which is positive at every step too.",
)
def cor5_exploration(scale: str, *, power: int = 0) -> Evidence:
    """The longest time that BOKE+ can go without exploring."""
    del scale
    found = {
        f"p {share}, from {start}": none_in(Decimal(share), power, start, STEPS) for share in SHARES for start in STARTS
    }
    where = max(found, key=lambda name: found[name])
    numbers = {"steps": STEPS, "probability_of_none": {name: float(value) for name, value in found.items()}}
    if found[where] > SMALL:
        return Evidence(
            Verdict.REFUTED, f"none of {STEPS} steps explores: {float(found[where]):.3g} ({where})", numbers
        )
    summary = (
        f"The probability that none of {STEPS} steps explores is below {SMALL:.0e} everywhere; it is largest for "
        f"{where}."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
