"""The sums of powers in C (8) and in the proof of Lemma 8: sum_{t<=T} t^-s <= T^(1-s) / (1-s) for 0 < s < 1.

t^-s decreases, so each term is at most its integral over [t-1, t], and the sum is at most int_0^T t^-s dt. The integral
is ((4+D)/(2+D)) T^((2+D)/(4+D)) for s = 2/(4+D), and ((4+D)/D) T^(D/(4+D)) for s = 4/(4+D). The ratio of the sides
tends to one, so that the constant is the best possible.
"""

from collections.abc import Mapping
from decimal import Decimal, localcontext
from functools import cache
from typing import Any

from hypothesis import strategies as st

from theory_checks.exact import DIGITS
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(60, 400, 10_000)
DIRECT = 60
"""Sums are term by term up to this T; beyond, the Euler-Maclaurin formula is exact to 1e-20."""
SEED = 3008
_BERNOULLI = ((1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66))


@cache
def _direct(numerator: int, dim: int, last: int) -> Decimal:
    with localcontext(DIGITS):
        s = Decimal(numerator) / (4 + dim)
        return sum((Decimal(t) ** -s for t in range(1, last + 1)), Decimal(0))


def _smooth_part(s: Decimal, last: int) -> Decimal:
    """T^(1-s) / (1-s) + T^-s / 2 - sum_k B_2k / (2k)! s (s+1) ... (s+2k-2) T^(-s-2k+1)."""
    t = Decimal(last)
    total = t ** (1 - s) / (1 - s) + t**-s / 2
    rising, factorial = s, Decimal(2)
    for k, (top, bottom) in enumerate(_BERNOULLI, start=1):
        total -= Decimal(top) / bottom / factorial * rising * t ** (-s - 2 * k + 1)
        rising *= (s + 2 * k - 1) * (s + 2 * k)
        factorial *= (2 * k + 1) * (2 * k + 2)
    return total


def power_sum(numerator: int, dim: int, last: int) -> Decimal:
    """sum_{t=1}^T t^-s, s = numerator / (4 + D)."""
    with localcontext(DIGITS):
        if last <= DIRECT:
            return _direct(numerator, dim, last)
        s = Decimal(numerator) / (4 + dim)
        return _direct(numerator, dim, DIRECT) + _smooth_part(s, last) - _smooth_part(s, DIRECT)


def sides(case: Mapping[str, Any]) -> tuple[Decimal, Decimal]:
    """(sum, factor * integral)."""
    with localcontext(DIGITS):
        s = Decimal(case["numerator"]) / (4 + case["dim"])
        bound = Decimal(case["factor"]) * Decimal(case["T"]) ** (1 - s) / (1 - s)
        return power_sum(case["numerator"], case["dim"], case["T"]), bound


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the sum; right: the bound times the stored factor."""
    left, right = sides(stored)
    return float(left), float(right), bool(left > right)


@claim(
    id="ctx.sum_rate",
    rule=f"""Refuted if one of {EXAMPLES} cases (Hypothesis with target; Dc from 1 to 60, T from 1 to 1e12, both sums,
        60-digit arithmetic) has left > right. Otherwise supported; the proof is in the module.""",
    control={"factor": "0.99"},
    control_statement="The right side times 0.99.",
    replay=replay,
)
def sum_rate(scale: str, *, factor: str = "1") -> Evidence:
    """Searches T and Dc in 60-digit arithmetic."""
    cases = st.fixed_dictionaries(
        {
            "numerator": st.sampled_from((2, 4)),
            "dim": st.integers(1, 60),
            "T": st.one_of(st.integers(1, 50), st.integers(1, 10**12)),
            "factor": st.just(factor),
        }
    )

    def violation(case: Mapping[str, Any]) -> float:
        left, right = sides(case)
        return float(left / right - 1)

    worst = maximise_by_hypothesis(cases, violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"cases": worst.evaluations, "largest_ratio_minus_one": worst.value}
    if replay(worst.example)[2]:
        return Evidence(
            Verdict.REFUTED, f"left is {worst.value + 1:.4f} of right at {worst.example}", numbers, worst.example
        )
    return Evidence(
        Verdict.SUPPORTED,
        f"The bound holds in {worst.evaluations} cases. One minus the ratio falls to {-worst.value:.1e}.",
        numbers,
    )
