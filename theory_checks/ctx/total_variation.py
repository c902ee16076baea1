"""Proposition 2: the worst expectation over a ball in total variation equals a maximum over two numbers.

**As printed the proposition fails.** The total variation of section 3.2 asks for q << p, so q has no mass where p has
none. The dual's constraint alpha + beta >= -inf_C f is over all of C. With p uniform on the left half of C = [0, 1], f
= 1 there and f = 0 on the right half, every q has E_q f = 1 while the dual is 1 - delta / 2. (In the proof, C (15)
divides by p, and the conjugate's domain binds only where p > 0.) Moreover the printed min need not be attained: for
f(c) = c and p uniform no density attains the infimum.

**Two repairs.** With the essential infimum of f under p in place of inf_C f the proposition holds for q << p; as
printed it holds for q any probability measure on C. The two agree for a Gaussian p^, which is positive everywhere, and
a continuous f. On the M samples of C (6) the two differ: with inf over the box, C (6) is the second repair, not
Proposition 2 on the sample.

Both sides are exact: a feasible q (mass moves from the largest values to the smallest) and a feasible (alpha, beta) of
equal value prove each other optimal, by weak duality. A linear programme checks the primal.
"""

from fractions import Fraction
from typing import Any

from theory_checks.ctx.testbeds.worst_expectation import SIZE, Case, cases, dual, exact, primal, programme
from theory_checks.ledger import Evidence, Verdict, claim, variant_claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(60, 500, 20_000)
PROGRAMMES = ByScale(20, 100, 2000)
"""The number of cases that HiGHS also solves as linear programmes."""
LP_TOLERANCE = 1e-8
SEED = 3005
NEARLY = Fraction(21, 20)
"""Factor of delta in the dual of the false variants."""


def sides(case: Case, anywhere: bool, whole: bool, shift: Fraction) -> tuple[Fraction, Fraction]:
    """(primal, dual); the dual's inf is over all contexts where `whole`, otherwise over those of positive
    probability."""
    u, p, radius = exact(case)
    lowest = min(v for v, w in zip(u, p, strict=True) if whole or w > 0)
    return primal(u, p, radius, anywhere)[0], dual(u, p, radius * shift, lowest)


def replay(stored: Case) -> tuple[str, str, bool]:
    """Left: the smallest E_q u; right: the dual maximum; both as exact fractions."""
    left, right = sides(stored, stored["anywhere"], stored["whole"], Fraction(*stored["shift"]))
    return str(left), str(right), left != right


SIMPLEST = {"values": [1, 1, 1, 0, 0, 0], "weights": [1, 1, 1, 0, 0, 0], "radius": [12, 12]}
"""p is uniform on three of six equal cells of C, where f = 1; f = 0 on the others; delta = 1."""


def search(scale: str, anywhere: bool, whole: bool, shift: Fraction) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """(numbers, counterexample or None) of a search for the largest gap between the two sides."""
    solved: list[float] = []

    def violation(case: Case) -> float:
        u, p, radius = exact(case)
        left, right = sides(case, anywhere, whole, shift)
        if len(solved) < PROGRAMMES[scale]:
            solved.append(abs(programme(u, p, radius, anywhere) - float(left)))
        return float(abs(left - right))

    violation(SIMPLEST)
    worst = maximise_by_hypothesis(cases(), violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {
        "cases": worst.evaluations,
        "largest_gap": worst.value,
        "programmes": len(solved),
        "off_programme": max(solved),
    }
    variant = {"anywhere": anywhere, "whole": whole, "shift": [shift.numerator, shift.denominator]}
    for case in (SIMPLEST, worst.example):
        stored = {**case, **variant}
        if replay(stored)[2]:
            return numbers, stored
    return numbers, None


def _verdict(numbers: dict[str, Any], stored: dict[str, Any] | None) -> Evidence:
    if stored:
        left, right, _ = replay(stored)
        return Evidence(
            Verdict.REFUTED, f"The smallest expectation is {left} and the dual is {right}, exactly.", numbers, stored
        )
    if numbers["off_programme"] > LP_TOLERANCE:
        text = f"a linear programme differs from the exact primal by {numbers['off_programme']:.1e}"
        return Evidence(Verdict.UNDECIDED, text, numbers)
    summary = (
        f"Both sides are equal, exactly, in {numbers['cases']} cases. They agree with {numbers['programmes']} linear "
        "programmes to "
        f"{numbers['off_programme']:.0e}."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_RULE = f"""Refuted if the two sides, computed in exact rational arithmetic, differ on one of {EXAMPLES} cases at smoke
    / quick / paper (Hypothesis with target; {SIZE} contexts, values with ties and constant ones, probabilities with
    zeros, radius 0 to 2.5). Undecided if a linear programme (HiGHS, the first {PROGRAMMES} cases) differs from the
    exact primal by more than {LP_TOLERANCE:g}. A finite set stands for cells of C on which p and f are constant."""


@claim(
    id="ctx.prop2",
    rule=_RULE,
    control={"whole": False, "shift": NEARLY},
    control_statement="inf the essential infimum of f under p, with 1.05 delta in the dual.",
    replay=replay,
    severity="technical",
    positive={"whole": False},
    positive_statement="inf the essential infimum of f under p.",
)
def prop2(scale: str, *, shift: Fraction = Fraction(1), whole: bool = True, anywhere: bool = False) -> Evidence:
    """The primal has q << p, the dual has inf over all of C."""
    return _verdict(*search(scale, anywhere=anywhere, whole=whole, shift=shift))


prop2_essential_infimum = variant_claim(
    prop2,
    id="ctx.prop2_essential_infimum",
    variant={"whole": False},
    rule=_RULE,
    control={"shift": NEARLY},
    control_statement="The same with 1.05 delta in the dual.",
)


prop2_any_measure = variant_claim(
    prop2,
    id="ctx.prop2_any_measure",
    variant={"anywhere": True},
    rule=_RULE,
    control={"shift": NEARLY},
    control_statement="The same with 1.05 delta in the dual.",
)
