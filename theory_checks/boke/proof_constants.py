"""The constants of Theorems 8 and 9, and the counting that leads to them: A (21) and the last lines of both proofs.

**A (21)** counts: each of the T rounds is a visit of one x, and costs Delta(x).

**Theorem 8.** With E n(x) <= C_1' L / Delta^2 + C_2', L = log T, sum n = T and any Delta_0 > 0, arms with Delta >=
Delta_0 cost at most C_1' |X| L / Delta_0 + C_2' |X| sup Delta, the other arms at most Delta_0 T; at Delta_0 = sqrt(C_1'
|X| L / T) the sum is 2 sqrt(C_1' |X| T L) + C_2' |X| sup Delta. Markov's inequality divides by delta: C_1 = (2 /
delta)^2 C_1' = 256 s^2 M_Psi / delta^2, exactly, and C_2 >= C_2' / delta with C_2' = 1 + 2 pi^2 / 3 < 7.58.

**Theorem 9.** beta_T = 2 s^2 M_Psi (2 log T + log(2 pi^2 / (3 delta))), so 4 T beta_T eta_T = C_3 eta_T T log T + C_4 T
eta_T; the root of a sum is at most the sum of the roots. delta_t = 4 exp(-beta_t / (2 s^2 M_Psi)) = 6 delta / (pi t)^2
sums to delta.
"""

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from theory_checks.exact import DIGITS, decimal
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(60, 400, 5000)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
PI_BELOW, PI_ABOVE = Fraction(333, 106), Fraction(22, 7)
LEADING = 64
"""C_1' of Lemma 7 in units of s^2 M_Psi."""
HORIZONS = (1, 2, 10, 10**3, 10**6, 10**12)
DELTAS = ("0.5", "0.1", "0.001", "1e-9")
ROUNDING = Decimal("1e-50")
SEED = 20301


@st.composite
def plays(draw: st.DrawFn) -> dict[str, Any]:
    """Values of up to six arms, as integers, and the arm of every round."""
    values = draw(st.lists(st.integers(-20, 20), min_size=1, max_size=6))
    return {"values": values, "rounds": draw(st.lists(st.integers(0, len(values) - 1), min_size=1, max_size=30))}


def both_counts(case: Mapping[str, Any], counted: int) -> tuple[int, int]:
    """The two sides of A (21) on one run; visits of the last `counted` rounds are left out of n_T."""
    values, rounds = case["values"], case["rounds"]
    visits = rounds[: len(rounds) - counted]
    left = sum(max(values) - values[arm] for arm in rounds)
    return left, sum((max(values) - value) * visits.count(arm) for arm, value in enumerate(values))


def replay_counts(stored: Mapping[str, Any]) -> tuple[int, int, bool]:
    """Left: the sum over rounds; right: the sum over arms."""
    left, right = both_counts(stored, stored["counted"])
    return left, right, left != right


@claim(
    id="boke.eq21",
    rule=f"""Both sides without the expectation, in integers, on {EXAMPLES} runs (Hypothesis with target; up to six arms
        and thirty rounds): refuted if they differ on one, otherwise supported.""",
    control={"counted": 1},
    control_statement="n_T counts the rounds t = 1, ..., T - 1, the data that x_T was chosen from.",
    replay=replay_counts,
)
def eq21(scale: str, *, counted: int = 0) -> Evidence:
    """The same sum over rounds and over arms."""

    def violation(case: Mapping[str, Any]) -> float:
        left, right = both_counts(case, counted)
        return float(abs(left - right))

    worst = maximise_by_hypothesis(plays(), violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"runs": worst.evaluations, "largest_difference": worst.value}
    stored = {**worst.example, "counted": counted}
    if replay_counts(stored)[2]:
        left, right, _ = replay_counts(stored)
        return Evidence(Verdict.REFUTED, f"{left} over the rounds, {right} over the arms", numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"Both sides are equal, exactly, in {worst.evaluations} runs.", numbers)


@st.composite
def gaps(draw: st.DrawFn) -> dict[str, Any]:
    """Gaps of up to six arms in sixteenths, T, and 64 s^2 M_Psi log T as any positive number of sixteenths."""
    return {
        "gaps": draw(st.lists(st.integers(0, 200), min_size=1, max_size=6).filter(any)),
        "horizon": draw(st.integers(1, 10**6)),
        "visits": draw(st.integers(1, 10**6)),
    }


def largest_regret(case: Mapping[str, Any]) -> Fraction:
    """The largest sum of Delta n with n <= C_1' L / Delta^2 + C_2' and sum n = T: large gaps come first."""
    left, total = Fraction(case["horizon"]), Fraction(0)
    for gap in sorted((Fraction(one, 16) for one in case["gaps"] if one), reverse=True):
        taken = min(left, Fraction(case["visits"], 16) / gap**2 + 1 + 2 * PI_BELOW**2 / 3)
        left, total = left - taken, total + gap * taken
    return total


def excess(case: Mapping[str, Any]) -> float:
    """((largest regret - C_2' |X| sup Delta) / (2 sqrt(C_1' |X| T L)))^2 - 1; the sign is exact."""
    arms, most = len(case["gaps"]), Fraction(max(case["gaps"]), 16)
    rest = largest_regret(case) - (1 + 2 * PI_BELOW**2 / 3) * arms * most
    if rest <= 0:
        return -1.0
    return float(rest**2 / (4 * Fraction(case["visits"], 16) * arms * case["horizon"]) - 1)


@claim(
    id="boke.thm8_constants",
    rule=f"""In rational arithmetic, pi between 333/106 and 22/7. Refuted if 4 * 64 is more than C_1 / (delta^-2 s^2
        M_Psi), or 1 + 2 pi^2 / 3 more than C_2 / (delta^-1 sup Delta), or if on one of {EXAMPLES} bandits (Hypothesis
        with target; up to six gaps, any T and log T) the largest regret that A (23) and sum n = T allow is above
        2 sqrt(C_1' |X| T log T) + C_2' |X| sup Delta. Otherwise supported.""",
    control={"constant": Fraction(757, 100)},
    control_statement="C_2 = 7.57 delta^-1 sup Delta: 1 + 2 pi^2 / 3 is 7.579...",
)
def thm8_constants(scale: str, *, leading: int = 256, constant: Fraction = Fraction(8)) -> Evidence:
    """Compares C_1, C_2 with C_1', C_2', and tries the step from visits to regret."""
    worst = maximise_by_hypothesis(gaps(), excess, examples=EXAMPLES[scale], seed=SEED)
    least, most = 1 + 2 * PI_BELOW**2 / 3, 1 + 2 * PI_ABOVE**2 / 3
    numbers = {
        "bandits": worst.evaluations,
        "largest_share_of_the_root": (1 + worst.value) ** 0.5,
        "c2_needed": [float(least), float(most)],
    }
    if worst.value > 0 or leading < 4 * LEADING or least > constant:
        said = f"needed are C_1 = {4 * LEADING} and C_2 > {float(least):.4f}, in units of delta; allowed are {leading}"
        return Evidence(Verdict.REFUTED, f"{said} and {float(constant):g}", numbers)
    if most > constant:
        return Evidence(Verdict.UNDECIDED, "pi is not known well enough", numbers)
    summary = (
        f"C_1 is exactly (2 / delta)^2 C_1'. C_2 is 8 / delta where {float(least):.3f} / delta is needed. The step "
        f"between reaches {numbers['largest_share_of_the_root']:.2f} of its root in {worst.evaluations} bandits."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


def differences(horizon: int, delta: Decimal, third: Decimal) -> tuple[Decimal, Decimal]:
    """Relative errors of 4 beta_T = C_3 log T + C_4 and of delta_T = 6 delta / (pi T)^2, for s^2 M_Psi = 1."""
    with localcontext(DIGITS):
        log_t, rest = Decimal(horizon).ln(), (2 * PI**2 / (3 * delta)).ln()
        beta = 2 * (2 * PI**2 * Decimal(horizon) ** 2 / (3 * delta)).ln()
        share = 6 * delta / (PI * horizon) ** 2
        return abs(third * log_t + 8 * rest - 4 * beta) / (4 * beta), abs(4 * (-beta / 2).exp() - share) / share


@claim(
    id="boke.thm9_constants",
    rule=f"""4 beta_T = C_3 log T + C_4, and the formula of delta_t, in 60 digits at T = {listed(HORIZONS)} and delta =
        {listed(DELTAS)}, in units of s^2 M_Psi: refuted if one is off by more than {ROUNDING} of itself, otherwise
        supported (both are affine in log T and log delta, or a power of them, so that a few points decide).""",
    control={"third": Fraction(1599, 100)},
    control_statement="C_3 = 15.99 s^2 M_Psi.",
)
def thm9_constants(scale: str, *, third: Fraction = Fraction(16)) -> Evidence:
    """The check evaluates both identities on a grid."""
    del scale
    found = [differences(horizon, Decimal(delta), decimal(third)) for horizon in HORIZONS for delta in DELTAS]
    sums, shares = (max(column) for column in zip(*found, strict=True))
    numbers = {"points": len(found), "off_sum": float(sums), "off_share": float(shares)}
    if max(sums, shares) > ROUNDING:
        said = f"C_3 log T + C_4 is off 4 beta_T by {float(sums):.2g}, delta_t by {float(shares):.2g} of itself"
        return Evidence(Verdict.REFUTED, said, numbers)
    return Evidence(Verdict.SUPPORTED, f"Both identities hold to 50 digits at {len(found)} points.", numbers)
