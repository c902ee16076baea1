"""G(s) = s / log(1 + s) in the proof of Lemma 4.2 (appendix A).

G increases: G' has the sign of log(1 + s) - s / (1 + s) = integral_0^s u / (1 + u)^2 du > 0. The limit at 0 is 1, since
log(1 + s) = s + O(s^2). The proof uses only that G increases.
"""

from collections.abc import Mapping
from decimal import Context, Decimal, localcontext
from typing import Any

from hypothesis import strategies as st

from theory_checks.cei.testbeds.normal import to_decimal
from theory_checks.ledger import Evidence, Verdict, claim, variant_claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(100, 600, 6000)
NEAR_ZERO = (1e-3, 1e-6, 1e-12, 1e-24, 1e-48)
TOLERANCE = 1e-12
"""The allowed distance of the value at the smallest s from the stated minimum."""
_DIGITS = Context(prec=140, Emax=10**9, Emin=-(10**9))


def ratio(s: float | Decimal) -> Decimal:
    """s / log(1 + s) for s > 0, in 140 digits."""
    with localcontext(_DIGITS):
        value = to_decimal(s)
        return value / (1 + value).ln()


def replay_minimum(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: G(s); right: the stated minimum, which G(s) should approach as s -> 0."""
    left, right = float(ratio(float(stored["s"]))), float(stored["minimum"])
    return left, right, abs(left - right) > TOLERANCE and (left < right or float(stored["s"]) <= min(NEAR_ZERO))


def attack(scale: str, minimum: float) -> Evidence:
    """Searches a decrease of G, a value below the minimum, or a gap to the minimum at 0."""

    def violation(drawn: tuple[float, float]) -> float:
        with localcontext(_DIGITS):
            s, further = to_decimal(10.0 ** drawn[0]), to_decimal(10.0 ** drawn[1])
            return float(max(ratio(s) - ratio(s * (1 + further)), to_decimal(minimum) - ratio(s)))

    pairs = st.tuples(st.floats(-30.0, 30.0), st.floats(-20.0, 3.0))
    worst = maximise_by_hypothesis(pairs, violation, examples=EXAMPLES[scale], seed=35)
    values = {f"G({s:g})": float(ratio(s)) for s in NEAR_ZERO}
    numbers = {"pairs": worst.evaluations, "largest_violation": worst.value, **values}
    smallest = min(NEAR_ZERO)
    limit = float(ratio(smallest))
    if worst.value > 0:
        found = {"s": 10.0 ** worst.example[0], "minimum": minimum}
        return Evidence(Verdict.REFUTED, f"not increasing or below {minimum:g} at {found['s']:.3g}", numbers, found)
    if abs(limit - minimum) > TOLERANCE:
        summary = f"G increases, but tends to {limit:g} at 0, not to {minimum:g}. At 0 itself it is 0/0."
        return Evidence(Verdict.REFUTED, summary, numbers, {"s": smallest, "minimum": minimum})
    return Evidence(
        Verdict.SUPPORTED, f"G increases on {worst.evaluations} pairs and tends to {limit:g} at 0.", numbers
    )


_RULE = f"""Refuted if in 140 digits G decreases between one of {EXAMPLES} pairs s < s' (smoke / quick / paper;
    Hypothesis with target, s from 1e-30 to 1e30, s'/s - 1 down to 1e-20), falls below the stated minimum, or differs
    from it at s = {min(NEAR_ZERO):g} by more than {TOLERANCE:g}. Otherwise supported."""
_CONTROL = {"minimum": 1.001}
_CONTROL_STATEMENT = "The same with minimum G(0) = 1.001."


@claim(
    id="cei.lemma_G",
    rule=_RULE,
    control={"minimum": 0.999},
    control_statement="The same with minimum G(0) = 0.999.",
    replay=replay_minimum,
    severity="misprint",
    positive={"minimum": 1.0},
    positive_statement="The same with minimum G(0) = 1, the limit at 0.",
)
def lemma_g(scale: str, *, minimum: float = 0.0) -> Evidence:
    """Checks that G increases and that its limit at 0 is the stated minimum."""
    return attack(scale, minimum)


lemma_g_repaired = variant_claim(
    lemma_g,
    id="cei.lemma_G_repaired",
    variant={"minimum": 1.0},
    rule=_RULE,
    control=_CONTROL,
    control_statement=_CONTROL_STATEMENT,
)
