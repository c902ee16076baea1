"""Theorem 2 [4.1], the pointwise error bound of kernel regression: on fixed designs, on adaptive ones, and repaired.

The proof applies Hoeffding's bound to sum_i w_i eps_i with weights w_i = k(x, x_i) / W_t(x) as if they were constants.
The weights are constants on designs that ignore the noise. BOKE's design depends on the noise, and so does W_t(x).
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.stats import norm

from experiments.engine.statistics import clopper_pearson
from theory_checks.boke.testbeds import sub_gaussian
from theory_checks.boke.testbeds.compact_kernels import EPANECHNIKOV, PLATEAU, PROFILES, RING, Profile
from theory_checks.boke.testbeds.core_values import coefficients
from theory_checks.boke.testbeds.pointwise_bound import NEGLIGIBLE, half_width
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.outward import at_most
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

DELTAS = (0.5, 0.1, 0.01)
EXAMPLES = ByScale(200, 800, 50_000)
"""Fixed designs of the exact attack."""
DRAWS = ByScale(4000, 40_000, 1_000_000)
"""Noise draws of each Monte Carlo test."""
LARGEST_DESIGN = 8
"""The largest number of points of a fixed design."""
SEED = 20251


def failure_at_one_point(delta: float, radius: float) -> tuple[float, float]:
    """(atom of the worst noise, exact P(|f - m| > bound)) for one observation at x itself: W = 1, f constant."""
    atom = radius * math.sqrt(2 * math.log(2 / delta)) * (1 + 1e-9)
    return atom, sub_gaussian.extremal_probability(atom)


@st.composite
def fixed_designs(draw: st.DrawFn) -> dict[str, Any]:
    """Designs: distances of the data from x over h, (f(x_i) - f(x)) / omega in [0, 1], kernel, omega and delta."""
    count = draw(st.integers(1, LARGEST_DESIGN))
    profile = draw(st.sampled_from((EPANECHNIKOV, PLATEAU, RING)))
    ratio = draw(st.lists(st.floats(0.0, 0.99), min_size=count, max_size=count))
    omega = draw(st.sampled_from((0.0, 0.1, 1.0, 10.0)))
    rise = draw(st.lists(st.floats(0.0, 1.0), min_size=count, max_size=count))
    return {
        "kernel": profile.name,
        "ratio": [0.0] * count if draw(st.booleans()) else ratio,
        "rise": [1.0] * count if draw(st.booleans()) else rise,
        "omega": omega,
        "delta": draw(st.sampled_from((0.9, *DELTAS, 1e-4))),
    }


def gaussian_failure(design: Mapping[str, Any], radius: float) -> float:
    """P(|f(x) - m(x)| > bound) / delta under Gaussian noise on a fixed design, in closed form."""
    profile = PROFILES[design["kernel"]]
    weights = profile(design["ratio"])
    total = float(weights.sum())
    spread = math.sqrt(float((weights**2).sum())) / total
    bias = design["omega"] * float(weights @ np.asarray(design["rise"])) / total
    bound = design["omega"] + radius * float(half_width(total, profile.bound, design["delta"]))
    return float(norm.sf((bound - bias) / spread) + norm.sf((bound + bias) / spread)) / design["delta"]


def replay_fixed(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: probability that the bound fails; right: delta."""
    if "ratio" in stored:
        failure = gaussian_failure(stored, stored["radius"]) * stored["delta"]
    else:
        failure = failure_at_one_point(stored["delta"], stored["radius"])[1]
    return failure, stored["delta"], failure > stored["delta"]


MONTE_CARLO: tuple[tuple[str, Profile, tuple[float, ...], float], ...] = (
    ("one point at x", EPANECHNIKOV, (0.0,), 0.0),
    ("16 duplicates at x", EPANECHNIKOV, (0.0,) * 16, 0.0),
    ("16 points across the ball", EPANECHNIKOV, tuple(np.linspace(0, 0.98, 16)), 0.5),
    ("8 points of weight one, bias omega", PLATEAU, (0.8,) * 8, 0.5),
    ("one point of weight M_Psi = 3", RING, (0.5,), 0.0),
)
"""Fixed designs: name, kernel, distances in units of h, and omega (f rises from 0 at x to omega at half the radius)."""
FIXED_TESTS = len(MONTE_CARLO) * len(sub_gaussian.INSIDE) * len(DELTAS)


def fixed_rates(scale: str, radius: float) -> list[dict[str, Any]]:
    """Monte Carlo failure rates through core's kernel regression, with exact binomial intervals."""
    rng = np.random.default_rng(SEED)
    alpha = level("A")
    rows = []
    for name, profile, ratio, omega in MONTE_CARLO:
        weights, total = coefficients(profile, np.array(ratio))
        rise = omega * np.minimum(2 * np.array(ratio), 1.0)
        for kind in sub_gaussian.INSIDE:
            for delta in DELTAS:
                atom = failure_at_one_point(delta, radius)[0]
                noise = sub_gaussian.draw(rng, kind, (DRAWS[scale], len(ratio)), atom)
                bound = omega + radius * float(half_width(total, profile.bound, delta))
                failures = int((np.abs((rise + noise) @ weights) > bound).sum())
                interval = clopper_pearson(failures, DRAWS[scale], 1 - alpha)
                rows.append(
                    {
                        "design": name,
                        "noise": kind,
                        "delta": delta,
                        "rate": float(interval.estimate),
                        "low": float(interval.low),
                        "high": float(interval.high),
                    }
                )
    return rows


def outside_assumptions() -> dict[str, Any]:
    """The bound outside Assumptions 3 and 4 (numbers only, no verdict)."""
    tail = {f"delta={delta:g}": 2 * _student_tail(math.sqrt(2 * math.log(2 / delta))) for delta in (0.1, 0.01, 1e-3)}
    return {
        "student_t3_unit_variance_failure": tail,
        "gaussian_kernel": "R is infinite: omega_f(h) is the range of f, so the bound says nothing at any h",
        "gaussian_kernel_R3_one_point_at_10h_linear_f": {"error": 10.0, "omega_f(h) with R = 3": 3.0, "noise": 0.0},
    }


def _student_tail(value: float) -> float:
    from scipy.stats import t

    return float(t.sf(value * math.sqrt(3), 3))


@claim(
    id="boke.thm2",
    rule=f"""Refuted if the failure probability exceeds delta: exactly, for one observation under the worst noise that
        Assumption 4 allows (delta = 0.9 ... 1e-6) or for one of {EXAMPLES} designs with Gaussian noise (closed form,
        Hypothesis with target: kernels with M_Psi = 1 and 3, up to {LARGEST_DESIGN} points, bias up to omega); or by an
        exact binomial interval in one of {FIXED_TESTS} Monte Carlo tests ({len(MONTE_CARLO)} designs through core,
        {len(sub_gaussian.INSIDE)} noises, {len(DELTAS)} deltas, {DRAWS} draws). Vacuous if no failure probability
        exceeds {NEGLIGIBLE:g} delta. Otherwise supported.""",
    control={"radius": 0.9},
    control_statement="The noise part of the bound is 10 % shorter.",
    tests=FIXED_TESTS,
    replay=replay_fixed,
)
def thm2(scale: str, *, radius: float = 1.0) -> Evidence:
    """On fixed designs Hoeffding's step is right; the check asks how close the failure probability comes to delta."""
    numbers: dict[str, Any] = {"exact_one_point_over_delta": {}}
    worst_delta, worst_ratio = 0.5, 0.0
    for delta in (0.9, 0.5, 0.1, 0.05, 0.01, 1e-3, 1e-6):
        ratio = failure_at_one_point(delta, radius)[1] / delta
        numbers["exact_one_point_over_delta"][f"{delta:g}"] = ratio
        worst_delta, worst_ratio = max((worst_delta, worst_ratio), (delta, ratio), key=lambda pair: pair[1])
    found = maximise_by_hypothesis(
        fixed_designs(), lambda design: gaussian_failure(design, radius), examples=EXAMPLES[scale], seed=SEED
    )
    rows = fixed_rates(scale, radius)
    violated = [row for row in rows if row["low"] > row["delta"]]
    numbers |= {
        "worst_gaussian_over_delta": found.value,
        "designs": found.evaluations,
        "monte_carlo": rows,
        "violations": len(violated),
        "outside_assumptions": outside_assumptions(),
    }
    if worst_ratio > 1:
        stored: Mapping[str, Any] | None = {"delta": worst_delta, "radius": radius}
    elif found.value > 1 + 1e-12:
        stored = {**found.example, "radius": radius}
    else:
        stored = None
    if stored or violated:
        summary = f"On a fixed design the failure probability is {max(worst_ratio, found.value):.3g} delta."
        return Evidence(Verdict.REFUTED, summary, numbers, stored)
    if max(worst_ratio, found.value) < NEGLIGIBLE:
        return Evidence(Verdict.VACUOUS, "No failure probability is above delta / 1000.", numbers)
    summary = (
        "The bound is tight: under the worst sub-Gaussian noise one observation fails with probability "
        f"{worst_ratio:.4f} delta "
        f"(at delta = {worst_delta:g}); {found.evaluations} Gaussian designs fail with at most "
        f"{at_most(found.value, 3)} delta. "
        f"No violation occurs in {len(rows)} Monte Carlo tests."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
