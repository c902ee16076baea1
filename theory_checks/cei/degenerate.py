"""The paper sets alpha^C = 0 where sigma tilde = 0, and says that "alpha^C(x) = I^C(x) = 0" (proof A.2).

The first is a convention. The second says that the convention loses nothing: true under noise, the setting of the
proof ("under heteroskedastic noisy outputs", section 4.3), and without noise for definite kernels, such as the paper's.
The abstract and section 4 speak of noiseless settings too, and the sentence itself names no noise.

**False without noise.** A kernel that is positive semi-definite but not definite, such as k(x, x') = x x' on [0, 1],
learns f from one noise-free observation: f(x) = y x / x_1. Then sigma tilde is zero everywhere, f(x) - f(x+) is a known
positive number for some x, and alpha^C = 0 ends the search. The value to use is E max(0, f(x) - f(x+)) = max(0, u), u =
mu(x) - mu(x+).

**True with noise.** Let h = f(x) - f(x+), with prior variance v, c = cov(h, f_data), w = (K + Sigma)^-1 c. The
posterior variance v - c^T w is that of h - w^T (f_data + eps). If the posterior variance is 0, so is its part sum_i
w_i^2 v_i^2 from eps; with all v_i > 0 then w = 0, hence v = 0 and u = w^T y = 0.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from theory_checks import exact
from theory_checks.ledger import Evidence, Verdict, claim, variant_claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(150, 1500, 15_000)
SEED = 702

KERNELS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "linear": lambda a, b: a * b,
    "affine": lambda a, b: (1 + a * b) / 2,
    "square": lambda a, b: (a * b) ** 2,
    "brownian": lambda a, b: min(a, b),
    "white": lambda a, b: Fraction(a == b),
}
"""Positive semi-definite kernels on [0, 1] with k(x, x) <= 1 and rational values; the first three have finite rank."""

Design = dict[str, Any]


@st.composite
def designs(draw: st.DrawFn, noise_free: int | None) -> Design:
    """One to three observations and x on the eighths of [0, 1]. Noise variances are 0 for the first `noise_free`
    points, then 1/4, 1 or 4; they are 0 or 1/4 where `noise_free` is None."""
    places = st.integers(0, 8)
    count = draw(st.integers(1, 3))
    points = draw(st.lists(places, min_size=count, max_size=count, unique=True))
    noise = st.sampled_from((0, 0, 0, 1) if noise_free is None else (1, 4, 16))
    variances = draw(st.lists(noise, min_size=count, max_size=count))
    return {
        "kernel": draw(st.sampled_from(tuple(KERNELS))),
        "points": points,
        "y": draw(st.lists(st.integers(-4, 4), min_size=count, max_size=count)),
        "noise_variance": [0 if i < (noise_free or 0) else variance for i, variance in enumerate(variances)],
        "x": draw(places),
    }


def difference(design: Mapping[str, Any]) -> tuple[Fraction, Fraction, Fraction] | None:
    """(u, sigma tilde^2, sigma^2(x)), exactly; None where K + Sigma is singular."""
    kernel = KERNELS[str(design["kernel"])]
    points = [Fraction(i, 8) for i in design["points"]]
    x, noise = Fraction(int(design["x"]), 8), [Fraction(v, 4) for v in design["noise_variance"]]
    matrix = [[kernel(a, b) + (noise[i] if i == j else 0) for j, b in enumerate(points)] for i, a in enumerate(points)]
    everything = [*points, x]
    cross = [[kernel(a, b) for b in points] for a in everything]
    try:
        weights, *solved = exact.solve(matrix, [[Fraction(v) for v in design["y"]], *cross])
    except ZeroDivisionError:
        return None

    def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))

    means = [dot(row, weights) for row in cross]
    best = max(range(len(points)), key=lambda i: means[i])

    def covariance(i: int, j: int) -> Fraction:
        return kernel(everything[i], everything[j]) - dot(cross[i], solved[j])

    last = len(points)
    squared = covariance(last, last) + covariance(best, best) - 2 * covariance(last, best)
    return means[last] - means[best], squared, covariance(last, last)


def excess(design: Mapping[str, Any], quantity: str) -> Fraction:
    """max(0, u) ("improvement") or sigma^2(x) ("variance") where sigma tilde = 0, which should be 0; -1 elsewhere."""
    found = difference(design)
    if found is None or found[1] != 0:
        return Fraction(-1)
    return max(found[0], Fraction(0)) if quantity == "improvement" else found[2]


def replay_zero(stored: Mapping[str, Any]) -> tuple[str, int, bool]:
    """Left: the exact improvement f(x) - f(x+), or sigma^2(x); right: 0."""
    value = excess(stored, str(stored["quantity"]))
    return str(value), 0, value > 0


def attack(scale: str, noise_free: int | None, quantity: str) -> Evidence:
    """Searches a design with sigma tilde exactly 0 and a quantity above 0."""
    hits = 0
    failures: list[Design] = []

    def violation(design: Design) -> float:
        nonlocal hits
        value = excess(design, quantity)
        hits += value >= 0
        if value > 0:
            failures.append({**design, "quantity": quantity})
        return float(value)

    worst = maximise_by_hypothesis(designs(noise_free), violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"designs": worst.evaluations, "with_zero_deviation": hits, "violating": len(failures)}
    if failures:
        found = min(failures, key=lambda d: (len(d["points"]), tuple(KERNELS).index(d["kernel"]), -abs(d["x"])))
        summary = (
            f"The sentence fails on {len(failures)} of {hits} designs with sigma~ = 0. In the simplest, with the "
            f"kernel {found['kernel']} and "
            f"{len(found['points'])} observation(s), the {quantity} is {excess(found, quantity)}."
        )
        return Evidence(Verdict.REFUTED, summary, numbers, found)
    if hits == 0:
        return Evidence(Verdict.UNDECIDED, "no design with sigma~ = 0 was met", numbers)
    return Evidence(Verdict.SUPPORTED, f"All {hits} designs with sigma~ = 0 have improvement 0.", numbers)


_SEARCH = f"""Exact rational arithmetic on {EXAMPLES} designs at smoke / quick / paper (Hypothesis with target: five
    kernels, three of them of finite rank; up to three observations on [0, 1]; x on the data or off)."""
_VIOLATED = "sigma~ = 0 and the improvement, then known for certain, is positive"


@claim(
    id="cei.zero_deviation",
    rule=f"""{_SEARCH} One search has noise variances 1/4, 1 or 4, the other 0 or 1/4. A design violates the sentence if
        {_VIOLATED}. Refuted if a design with positive noises violates it; depends if designs with a noise-free
        observation do and none with positive noises; undecided if a search never meets sigma~ = 0; otherwise
        supported.""",
    control={"noise_free": 0, "quantity": "variance"},
    control_statement="If sigma~(x) = 0 and all noise variances are positive, then sigma(x) = 0 (false at x+).",
    replay=replay_zero,
)
def zero_deviation(scale: str, *, noise_free: int | None = None, quantity: str = "improvement") -> Evidence:
    """Searches designs with positive noises and designs with noises that may be zero; `noise_free` is the number of
    noise-free observations of the one search of a variant."""
    if noise_free is not None:
        return attack(scale, noise_free, quantity)
    noisy, free = attack(scale, 0, quantity), attack(scale, None, quantity)
    if Verdict.REFUTED not in (noisy.verdict, free.verdict):
        return noisy if noisy.verdict is Verdict.UNDECIDED else free
    if noisy.verdict is not Verdict.SUPPORTED:
        return noisy
    summary = f"With positive noises: {noisy.summary} Where noises may be zero: {free.summary}"
    numbers = {"positive_noises": noisy.numbers, "noises_may_be_zero": free.numbers}
    return Evidence(Verdict.DEPENDS, summary, numbers, free.counterexample)


zero_deviation_repaired = variant_claim(
    zero_deviation,
    id="cei.zero_deviation_repaired",
    variant={"noise_free": 0},
    rule=f"""{_SEARCH} Noise variances 1/4, 1 or 4. Refuted if {_VIOLATED}; undecided if sigma~ = 0 is never met;
        otherwise supported.""",
    control={"noise_free": 1},
    control_statement="The same where all noise variances but one are positive.",
)
