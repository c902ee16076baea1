"""Appendix B.2: "with large t, the Fisher information matrix I^_t is continuous, positive, and upper bounded", because
I is, and the second derivatives of the two losses differ by O(t^(-1/2d)).

An information that is positive at each theta need not be bounded away from zero. Take the additive loss B(theta) + u
A(theta), u zero at true values and of mean s at pseudo-values, B'' = (1 + theta^2)^-3 and A = -(1 + theta^2)^(-1/2),
bounded with its derivatives. The information of the true loss is B'' > 0; the information of pseudo-data is B'' + s
A'', A'' = (1 - 2 theta^2) (1 + theta^2)^(-5/2), which is negative from |theta| of order s^(-1/3) on, for every s > 0.
(The sign of the information is that of the errata, `uhe.proofs.loss_sign`.) Where I is at least some lambda > 0, for
example on a compact set of theta, the step holds as soon as the difference is below lambda.

The arithmetic is exact: at theta = (m^2 - 1) / (2 m) the root of 1 + theta^2 is (m^2 + 1) / (2 m).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import listed

COUNTS = (10, 1000, 10**6, 10**12)
"""Values of 1 / s."""
ROOTS = tuple(range(1, 65)) + tuple(2**k for k in range(7, 40))
"""Values of m."""
LARGEST = 10
"""The largest |theta| of the positive control."""


def information(m: int, share: Fraction) -> tuple[Fraction, Fraction]:
    """(theta, information of the pseudo-loss at theta), s = `share`."""
    theta, root = Fraction(m * m - 1, 2 * m), Fraction(m * m + 1, 2 * m)
    return theta, 1 / root**6 + share * (1 - 2 * theta**2) / root**5


def replay(stored: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Left: the exact information of the pseudo-loss; right: zero."""
    value = information(int(stored["m"]), Fraction(1, int(stored["count"])))[1]
    return str(value), "0", value <= 0


@claim(
    id="uhe.fisher_positive",
    rule=f"""The additive loss of the module, with pseudo-values s = 1 / {listed(COUNTS)} off, in rational arithmetic at
        {len(ROOTS)} values of theta: refuted if for each s the information of the pseudo-loss is not positive at one of
        them; otherwise supported.""",
    control={"power": 1},
    control_statement="The same for |theta| <= 1 / s only, a set that grows with t.",
    replay=replay,
    severity="technical",
    positive={"largest": LARGEST},
    positive_statement=f"|theta| <= {LARGEST}, where I is bounded away from zero.",
)
def fisher_positive(scale: str, *, largest: int | None = None, power: int | None = None) -> Evidence:
    """Finds theta where the information of the pseudo-loss is not positive."""
    del scale
    where: dict[int, int | None] = {}
    for count in COUNTS:
        limit = largest if power is None else count**power
        found = ((m, *information(m, Fraction(1, count))) for m in ROOTS)
        where[count] = next((m for m, theta, value in found if value <= 0 and (limit is None or theta <= limit)), None)
    numbers = {"not_positive_from": {f"s = 1/{count:g}": m and (m * m - 1) / (2 * m) for count, m in where.items()}}
    if all(m is not None for m in where.values()):
        count, m = COUNTS[-1], where[COUNTS[-1]]
        assert m is not None
        theta = (m * m - 1) / (2 * m)
        said = (
            f"For every s tried the information is not positive at some theta, as for s = 1/{count:g} at theta = "
            f"{theta:.4g}."
        )
        return Evidence(Verdict.REFUTED, said, numbers, {"m": m, "count": count})
    return Evidence(Verdict.SUPPORTED, "positive once s is small", numbers)
