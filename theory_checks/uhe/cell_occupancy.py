"""Appendix B.1: the probability that random points reach every one of sqrt(t) equal parts of the domain.

**RA-BO.** The paper prints that the probability "is" 1 - N (1 - 1/N)^m, N = sqrt(t); the probability is larger (t = 9:
.444, printed .407). The expression with m = floor((t - 1) / 2) is the union bound and a lower bound for every whole
number N of parts. sqrt(t) is whole only for squares: for floor(sqrt(t)) parts the printed expression is still a bound
(the expression falls as N grows), for ceil(sqrt(t)) parts it is not. D_{t-1} holds floor(t/2) random points, one more
than printed for even t. The bound is not positive at t = 1, 2 and 4. The paper multiplies the bound by 1 - N (1 -
1/N)^{M_t} for the pseudo-points, which the argument does not need: pseudo-points may leave parts empty.

**UHE-BO.** Theorem 6.8 prints the same number of random points, and appendix B.5 takes it from a run of RA-BO. Read of
UHE-BO's own random points, which is our reading, the probability is too large: UHE-BO draws a random point only where
EXP3 plays arm 1. Without an adversary, where both arms earn the same, half of the pairs have no random point, and even
where arm 1 always earns 1 and arm 2 nothing random points are fewer than printed. Where arm 2 always earns more, EXP3
comes to play arm 1 with a probability near gamma/2: of T = 961 evaluations 43 are random, not 480, and nearly always
one of the 31 parts has none.

**Repair.** Arm 1 has probability at least gamma/2 in every pair, for any rewards. A pair misses a part with probability
at most 1 - gamma / (2N): P(all reached) >= 1 - N (1 - gamma / (2N))^{floor(t/2)}. With N = sqrt(t) this bound is
negative for every t <= T; it is positive for N well below sqrt(T) / log T. Rates that rest on sqrt(t) parts do not
carry over to UHE-BO.
"""

import math
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy import stats

from core.exp3 import paired_exploration_rate
from theory_checks.exact import DIGITS, decimal
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed
from theory_checks.search import maximise_by_hypothesis

LARGEST = ByScale(200, 900, 4000)
"""The largest t that is checked."""
HORIZONS = ByScale((50, 200), (50, 200, 1000), (50, 200, 1000, 5000))
TOLERANCE = 1e-9
"""An exact probability and an expression differ if their difference is larger."""
EXAMPLES = ByScale(40, 200, 2000)
SEED = 4003


@cache
def occupied(parts: int, points: int) -> Fraction:
    """P(every one of N equal parts holds one of m uniform points) = sum_k (-1)^k C(N, k) (1 - k/N)^m, exact."""
    top = sum((-1) ** k * math.comb(parts, k) * (parts - k) ** points for k in range(parts + 1))
    return Fraction(top, parts**points)


def bound(parts: Decimal, points: int) -> Decimal:
    """1 - N (1 - 1/N)^m, for any real N >= 1."""
    with localcontext(DIGITS):
        missed = (1 - 1 / parts) ** points if points else Decimal(1)
        return 1 - parts * missed


def sides(stored: Mapping[str, Any]) -> tuple[Decimal, Decimal]:
    """(exact probability for sqrt(t) parts rounded "up" or "down", 1 - (1 - printed expression) / `shrink`)."""
    t, up = int(stored["t"]), stored["rounding"] == "up"
    parts = math.isqrt(t) + (1 if up and math.isqrt(t) ** 2 < t else 0)
    points = (t - 1) // 2
    with localcontext(DIGITS):
        root = Decimal(t).sqrt()
        printed = 1 - (1 - bound(root, points)) / Decimal(stored["shrink"])
        return decimal(occupied(parts, points)), printed


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the exact probability; right: the bound; violated where the probability is smaller."""
    left, right = sides(stored)
    return float(left), float(right), bool(left < right)


def replay_equality(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the exact probability; right: the printed expression; violated where they differ."""
    left, right = sides(stored)
    return float(left), float(right), abs(left - right) > TOLERANCE


@claim(
    id="uhe.cell_occupancy",
    rule=f"""Exact probabilities (inclusion-exclusion, rationals) against the printed expression in 60 digits at t = 9,
        16, 25, ... up to {LARGEST}, those at which it is positive. Refuted if they differ by more than {TOLERANCE:g}
        for one t, otherwise supported.""",
    control={"shrink": 1.01},
    control_statement="The same with the expression's second term divided by 1.01.",
    replay=replay_equality,
    severity="misprint",
    positive={"exact": True},
    positive_statement="The probability has its own value, by inclusion and exclusion.",
)
def cell_occupancy(scale: str, *, shrink: float = 1, exact: bool = False) -> Evidence:
    """Compares both at every square."""
    gaps = {}
    for root in range(3, math.isqrt(LARGEST[scale]) + 1):
        left, right = sides({"t": root**2, "rounding": "down", "shrink": shrink})
        gaps[root**2] = 0.0 if exact else float(left - right)
    worst = max(gaps, key=lambda t: abs(gaps[t]))
    numbers = {"difference_at": {t: gaps[t] for t in (9, 16, 25, 100)}, "largest_at": worst}
    if abs(gaps[worst]) > TOLERANCE:
        stored = {"t": worst, "rounding": "down", "shrink": shrink}
        exactly, printed, _ = replay_equality(stored)
        text = (
            f"At t = {worst} the probability is {exactly:.4f}. The paper prints {printed:.4f}, which is a union bound."
        )
        return Evidence(Verdict.REFUTED, text, numbers, stored)
    return Evidence(Verdict.SUPPORTED, "equal at every square", numbers)


@claim(
    id="uhe.cell_occupancy_repaired",
    rule=f"""Exact probabilities (inclusion-exclusion, rationals) against the bound in 60 digits for every t up to
        {LARGEST}, with floor(sqrt(t)) parts where t is no square. Refuted if one is smaller; vacuous if the bound is
        never positive; otherwise supported. With ceil(sqrt(t)) parts the failures are counted and reported: the
        statement says nothing of them.""",
    control={"shrink": 1.01},
    control_statement="The probability that some part is empty is at most the union bound over 1.01.",
    replay=replay,
    repairs="uhe.cell_occupancy",
)
def cell_occupancy_repaired(scale: str, *, shrink: float = 1) -> Evidence:
    """Compares both at every t."""
    rows = {t: sides({"t": t, "rounding": "down", "shrink": shrink}) for t in range(1, LARGEST[scale] + 1)}
    above = [t for t in rows if math.isqrt(t) ** 2 != t and replay({"t": t, "rounding": "up", "shrink": shrink})[2]]
    empty = [t for t, (_, right) in rows.items() if (1 - right) * Decimal(shrink) >= 1]  # the bound is not positive
    gaps = {t: float(left - right) for t, (left, right) in rows.items() if t not in empty}
    numbers = {
        "last_t_without_a_positive_bound": max(empty, default=0),
        "bound_at": {t: float(rows[t][1]) for t in (9, 25, 49, 100, LARGEST[scale])},
        "exact_at": {t: float(rows[t][0]) for t in (9, 25, 49, 100, LARGEST[scale])},
        "fails_with_ceil_parts": {"count": len(above), "largest_t": max(above, default=0)},
    }
    worst = min(gaps, key=lambda t: gaps[t], default=1)
    stored = {"t": worst, "rounding": "down", "shrink": shrink}
    if replay(stored)[2]:
        left, right = replay(stored)[:2]
        return Evidence(Verdict.REFUTED, f"t = {worst}: {left:.6g} < {right:.6g}", numbers, stored)
    if len(empty) == len(rows):
        return Evidence(Verdict.VACUOUS, "the bound is never positive", numbers)
    summary = (
        f"The bound holds for every t up to {LARGEST[scale]} with floor(sqrt t) parts, and is positive from t = "
        f"{max(empty, default=0) + 1} on. With ceil(sqrt t) parts it fails for {len(above)} t, up to "
        f"{max(above, default=0)}."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


def arm_counts(horizon: int, pairs: int, favoured: str = "acquisition") -> np.ndarray:
    """P(EXP3 plays arm 1 k times in `pairs` pairs), k = 0..pairs. The favoured arm, "random" (arm 1) or "acquisition"
    (arm 2), always earns 1 and the other arm nothing, so that the weights depend on its number of plays alone. With
    "neither" both arms earn nothing, and each has probability 1/2."""
    if favoured == "neither":
        mass: np.ndarray = stats.binom.pmf(np.arange(pairs + 1), pairs, 0.5)
        return mass
    gamma = paired_exploration_rate(horizon)
    chance, gain = np.empty(pairs), 0.0
    for played in range(pairs):
        chance[played] = (1 - gamma) / (1 + math.exp(-gain)) + gamma / 2
        gain += gamma / (2 * chance[played])
    mass = np.zeros(pairs + 1)
    mass[0] = 1.0
    for _ in range(pairs):
        moved = mass[:-1] * chance
        mass[:-1] -= moved
        mass[1:] += moved
    return mass if favoured == "random" else mass[::-1]


def uhe_sides(stored: Mapping[str, Any]) -> tuple[float, float]:
    """(exact probability that UHE-BO's random points reach all parts after t = T evaluations, with the stored rewards;
    bound, printed or repaired)."""
    horizon, parts, odds = int(stored["horizon"]), int(stored["parts"]), float(stored["odds"])
    pairs = horizon // 2
    likely = [(k, float(p)) for k, p in enumerate(arm_counts(horizon, pairs, stored["favoured"])) if p > 1e-14]
    reached = sum(p * float(occupied(parts, k)) for k, p in likely)
    if stored["form"] == "printed":
        return reached, float(bound(Decimal(parts), (horizon - 1) // 2))
    gamma = paired_exploration_rate(horizon)
    return reached, 1 - odds * parts * (1 - gamma / (2 * parts)) ** pairs


def replay_uhe(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the exact probability; right: the bound; violated where the probability is smaller."""
    left, right = uhe_sides(stored)
    return left, right, left < right - 1e-9


@claim(
    id="uhe.cell_occupancy_uhe",
    rule=f"""T = {ByScale(*map(listed, HORIZONS))} (nearest squares below), t = T, with the rewards of both arms equal
        (no adversary), with 1 of arm 2 and 0 of arm 1, and the other way round, which is most favourable: the law of
        the number of random points and the probability are exact. Refuted if it is below the bound with equal rewards,
        otherwise supported; the others are reported.""",
    control={"favoured": "random"},
    control_statement="The same where arm 1 always earns 1 and arm 2 nothing.",
    replay=replay_uhe,
    positive={"form": "repaired"},
    positive_statement="The bound of uhe.cell_occupancy_uhe_repaired, with equal rewards.",
    origin="here",
    repairs="uhe.cell_occupancy",
)
def cell_occupancy_uhe(scale: str, *, form: str = "printed", favoured: str = "neither") -> Evidence:
    """Equal rewards, and rewards that favour either arm."""
    rows: dict[str, dict[int, dict[str, float]]] = {name: {} for name in ("neither", "random", "acquisition")}
    found: dict[str, Any] | None = None
    for limit in HORIZONS[scale]:
        parts = math.isqrt(limit)
        for name, row in rows.items():
            stored = {
                "horizon": parts**2,
                "parts": parts if form == "printed" else 2,
                "form": form,
                "odds": 1.0,
                "favoured": name,
            }
            left, right, violated = replay_uhe(stored)
            counts = arm_counts(parts**2, parts**2 // 2, name)
            row[parts**2] = {
                "exact": left,
                "bound": right,
                "mean_random_points": float(counts @ np.arange(len(counts))),
            }
            found = stored if violated and name == favoured else found
    numbers = {"horizons": rows}
    if found is None:
        return Evidence(Verdict.SUPPORTED, "never below the bound", numbers)
    shown = [
        f"{row[found['horizon']]['mean_random_points']:.1f} random points leave a part empty with probability "
        f"{1 - row[found['horizon']]['exact']:.3g} ({words})"
        for row, words in zip(rows.values(), ("equal rewards", "arm 1 earns more", "arm 2 earns more"), strict=True)
    ]
    allowed = 1 - rows[favoured][found["horizon"]]["bound"]
    summary = (
        f"With T = {found['horizon']} and {found['parts']} parts {', '.join(shown)}. The bound allows {allowed:.3g}."
    )
    return Evidence(Verdict.REFUTED, summary, numbers, found)


@claim(
    id="uhe.cell_occupancy_uhe_repaired",
    rule=f"""{EXAMPLES} cases (Hypothesis with target; T from 2 to 400, N from 1 to 30, rewards 1 of arm 2 and 0 of arm
        1, t = T): refuted if the exact probability is below the bound, otherwise supported; the union bound proves it.
        The largest N with a positive bound is reported.""",
    control={"odds": 0.9},
    control_statement="Nine tenths of the bound on the probability that some part is empty.",
    replay=replay_uhe,
    repairs="uhe.cell_occupancy",
)
def cell_occupancy_uhe_repaired(scale: str, *, odds: float = 1.0) -> Evidence:
    """Searches horizons and numbers of parts."""
    cases = st.fixed_dictionaries(
        {
            "horizon": st.integers(2, 400),
            "parts": st.integers(1, 30),
            "form": st.just("repaired"),
            "odds": st.just(odds),
            "favoured": st.just("acquisition"),
        }
    )

    def violation(case: Mapping[str, Any]) -> float:
        left, right = uhe_sides(case)
        return right - left

    worst = maximise_by_hypothesis(cases, violation, examples=EXAMPLES[scale], seed=SEED)
    useful = {}
    for horizon in (100, 400, 10_000, 10**6):
        gamma = paired_exploration_rate(horizon)
        parts = np.arange(1, math.isqrt(horizon) + 1)
        positive = 1 - parts * (1 - gamma / (2 * parts)) ** (horizon // 2) > 0
        useful[horizon] = int(parts[positive].max(initial=0))
    numbers = {"cases": worst.evaluations, "largest_excess": worst.value, "largest_useful_parts": useful}
    if replay_uhe(worst.example)[2]:
        return Evidence(Verdict.REFUTED, f"below the bound by {worst.value:.3g}", numbers, worst.example)
    summary = f"The bound holds in {worst.evaluations} cases. It is positive up to N = " + ", ".join(
        f"{parts} (T = {horizon:g}, sqrt(T) = {math.isqrt(horizon)})" for horizon, parts in useful.items()
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
