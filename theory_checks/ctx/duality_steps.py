"""Steps of appendix A.3: the conjugate of |x - 1|, Slater's condition, and the first lines of C (21).

**The conjugate** is the supremum over x >= 0 of s x - |x - 1|, a concave function with a kink at 1. For s <= 1 the
supremum is the larger of the values at 0 and 1, -1 and s. Beyond x = 1 the slope is s - 1, so that for s > 1 there is
no maximum.

**Slater's condition** holds, since q = p has distance 0 < delta, and closes the gap between the primal C (14) and its
dual C (16), whose constraint holds where p > 0. The false step is the one from C (16) to C (17), which asks for the
constraint "for all c in C". The gap of `ctx.prop2` opens there, not in the duality: with the constraint p-almost
everywhere both sides are exactly equal.

**C (21)**: E_q f(x*) is least at the worst q for f(x*), and a mean is at most the mean of absolute values. (The
appendix prints [x]*_t for [x*]_t.)
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from theory_checks.ctx.testbeds.worst_expectation import SIZE, cases, dual, exact, primal
from theory_checks.ctx.total_variation import NEARLY, SIMPLEST
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(60, 500, 20_000)
SLOPES = (*(Fraction(k, 20) for k in range(-100, 101)), 1 - Fraction(1, 10**9), 1 + Fraction(1, 10**9))
POINTS = tuple(Fraction(k, 8) for k in range(0, 401))
LARGE = 10**6
"""A supremum of at least this counts as infinite."""
SEED = 3041


def conjugate(slope: Fraction) -> Fraction:
    """The largest s x - |x - 1| over `POINTS` and, for s > 1, over an x with a value above `LARGE`."""
    far = (2 * LARGE / (slope - 1),) if slope > 1 else ()
    return max(slope * x - abs(x - 1) for x in (*POINTS, *far))


@claim(
    id="ctx.tv_conjugate",
    rule=f"""In rational arithmetic at {len(SLOPES)} slopes from -5 to 5, two of them 1e-9 on either side of 1, over
        {len(POINTS)} points of [0, 50] and, for s > 1, a point far away: refuted if for an s below the threshold 1 the
        largest value is not max(s, -1), or for one above it stays below {LARGE:,}; otherwise supported.""",
    control={"threshold": NEARLY},
    control_statement="phi* is finite, and max{s, -1}, for s <= 1.05.",
)
def tv_conjugate(scale: str, *, threshold: Fraction = Fraction(1)) -> Evidence:
    """Compares the conjugate with its closed form."""
    del scale
    for slope in SLOPES:
        value = conjugate(slope)
        if (slope <= threshold and value != max(slope, Fraction(-1))) or (slope > threshold and value < LARGE):
            return Evidence(Verdict.REFUTED, f"phi*({float(slope):g}) >= {float(value):g}", {"slopes": len(SLOPES)})
    return Evidence(Verdict.SUPPORTED, f"The conjugate is exact at {len(SLOPES)} slopes.", {"slopes": len(SLOPES)})


def gap(case: Mapping[str, Any], whole: bool, shift: Fraction) -> tuple[Fraction, Fraction]:
    """(primal C (14), dual); the dual's constraint holds on all of C (`whole`) or where p > 0."""
    u, p, radius = exact(case)
    lowest = min(v for v, w in zip(u, p, strict=True) if whole or w > 0)
    return primal(u, p, radius, False)[0], dual(u, p, shift * radius, lowest)


def replay_gap(stored: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Left: C (14); right: the dual, C (17) or C (16); both as exact fractions."""
    left, right = gap(stored, stored["whole"], Fraction(*stored["shift"]))
    return str(left), str(right), left != right


@claim(
    id="ctx.no_dual_gap",
    rule=f"""In rational arithmetic on {EXAMPLES} problems of {SIZE} contexts with delta > 0 (Hypothesis with target),
        at each of which q = p satisfies the first constraint strictly: refuted if C (14) and C (17) differ on one,
        otherwise supported.""",
    control={"whole": False, "shift": NEARLY},
    control_statement="C (16), its constraint where p > 0, with 1.05 delta.",
    replay=replay_gap,
    severity="step",
    positive={"whole": False},
    positive_statement="C (16), its constraint where p > 0: the dual of C (14) for q << p.",
)
def no_dual_gap(scale: str, *, whole: bool = True, shift: Fraction = Fraction(1)) -> Evidence:
    """Slater's condition holds in every case; the false step leads from C (16) to C (17)."""

    def violation(case: Mapping[str, Any]) -> float:
        left, right = gap(case, whole, shift)
        return float(abs(left - right))

    strictly = cases().filter(lambda case: case["radius"][0] > 0)
    worst = maximise_by_hypothesis(strictly, violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"problems": worst.evaluations, "largest_gap": worst.value}
    for case in (SIMPLEST, worst.example):
        stored = {**case, "whole": whole, "shift": [shift.numerator, shift.denominator]}
        left, right, apart = replay_gap(stored)
        if apart:
            name = "C (17)" if whole else "C (16)"
            said = f"Slater's condition holds for C (14). C (14) is {left} and {name} is {right}, exactly."
            return Evidence(Verdict.REFUTED, said, numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"no gap, exactly, in {worst.evaluations} problems", numbers)


@st.composite
def pairs(draw: st.DrawFn) -> dict[str, Any]:
    """f at x* and at [x*]_t on the contexts of a case."""
    case = draw(cases())
    return {**case, "nearby": draw(st.lists(st.integers(-20, 20), min_size=SIZE, max_size=SIZE))}


SHIFTED = {"values": [3, 2, 2, 1, 0, 5], "nearby": [2, 1, 1, 0, -1, 4], "weights": [1] * SIZE, "radius": [6, 12]}
"""A case with f([x*], .) = f(x*, .) - 1, where all three sides of C (21) are 1."""


def lipschitz(case: Mapping[str, Any]) -> tuple[Fraction, Fraction, Fraction]:
    """The three sides of the first lines of C (21): difference of worst expectations, mean difference, mean absolute
    difference."""
    u, p, radius = exact(case)
    nearby = [Fraction(value) for value in case["nearby"]]
    low, q = primal(nearby, p, radius, False)
    apart = [(w, a - b) for w, a, b in zip(q, u, nearby, strict=True)]
    mean, most = (sum((w * one(d) for w, d in apart), Fraction(0)) for one in (Fraction, abs))
    return primal(u, p, radius, False)[0] - low, mean, most


def replay_lipschitz(stored: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Left: the difference of worst expectations; right: the factor times the mean absolute difference."""
    left, mean, most = lipschitz(stored)
    right = Fraction(*stored["factor"]) * most
    return str(left), str(right), not (left <= mean and left <= right)


@claim(
    id="ctx.eq21",
    rule=f"""In rational arithmetic on {EXAMPLES} pairs of functions of {SIZE} contexts (Hypothesis with target), and on
        two that differ by a constant: refuted if one of the inequalities fails on one, otherwise supported.""",
    control={"factor": Fraction(19, 20)},
    control_statement="With 0.95 times the mean absolute difference.",
    replay=replay_lipschitz,
)
def eq21(scale: str, *, factor: Fraction = Fraction(1)) -> Evidence:
    """The three sides of one summand."""

    def violation(case: Mapping[str, Any]) -> float:
        left, mean, most = lipschitz(case)
        return max(float(left - mean), float(left / most - factor) if most else -1.0)

    worst = maximise_by_hypothesis(pairs(), violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"pairs": worst.evaluations, "largest_excess": worst.value}
    for case in (SHIFTED, worst.example):
        stored = {**case, "factor": [factor.numerator, factor.denominator]}
        left, right, violated = replay_lipschitz(stored)
        if violated:
            return Evidence(Verdict.REFUTED, f"the difference is {left}, allowed are {right}", numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"Both inequalities hold, exactly, in {worst.evaluations} pairs.", numbers)
