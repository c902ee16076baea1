"""Lemma 1: the mean integrated squared error of the context density is O(t^(-4 / (4 + D))) at the stated bandwidth.

**On a box the rate fails.** Lemma 1 integrates over the context set C, which is compact, and asks only that p is twice
differentiable over C. Where p does not vanish at the boundary, p^ leaks mass across it: for p = 1 on [0, 1] the
expected estimate at the end point is 1/2, the squared bias is of order one on a strip of width h, and the error is of
order h = t^(-1 / (4 + D)), not h^4. (Uniform contexts are one of the paper's two portfolio problems.) Where p vanishes
at the boundary but its slope does not (the newsvendor's demand), the error is of order h^3.

**Repair, with a constant.** On all of R^D, let p have square-integrable second derivatives. The Gaussian K_H is the
heat semigroup: p * K_H - p = 1/2 int_0^1 (sum_k h_k^2 d_k^2 p) * K_{sqrt(s) H} ds. Convolution with a density contracts
L2, so the bias is at most 1/2 ||sum_k h_k^2 d_k^2 p||_2, and the variance at most R(K) / (t |H|): Lemma 1's expression
bounds the error for every t, with the constant one.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from experiments.engine.statistics import bootstrap_interval, fit_exponent
from theory_checks.ctx.testbeds.densities import (
    BIMODAL,
    BURR,
    STANDARD,
    UNIFORM,
    NormalMixture,
    bandwidth,
    rule_of_thumb,
)
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EARLY, LATE = 1e6, 1e8
"""The counts between which exact exponents are taken."""
SLACK = 0.05
"""An exact exponent counts as larger if it exceeds the stated one by more; O() covers constants, not powers."""
EXAMPLES = ByScale(100, 600, 20_000)
COUNTS = (64, 128, 256, 512)
RUNS = ByScale(16, 60, 1000)
MARGIN = 1.1
"""The mean error with a bandwidth from the data may be this factor above the bound at the true bandwidth."""
ROUNDING = 1e-12
SEED = 3001


def rate(dim: int) -> float:
    """-4 / (4 + D)."""
    return -4 / (4 + dim)


BOXED = {density.name: density for density in (UNIFORM, BURR)}


def exact_exponent(name: str, dim: int) -> float:
    """Exponent between the two counts of the exact error over [0, 1]^D; over R^D for the standard normal density."""

    def error(count: float) -> float:
        h = bandwidth(count, dim)
        return BOXED[name].mise(count, h, dim) if name in BOXED else STANDARD[dim].mise(count, np.full(dim, h))

    return math.log(error(LATE) / error(EARLY)) / math.log(LATE / EARLY)


def replay_exponent(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: exponent of the exact error; right: the stated exponent plus the slack."""
    exponent, limit = exact_exponent(stored["density"], stored["dim"]), stored["stated"] + SLACK
    return exponent, limit, exponent > limit


@claim(
    id="ctx.lemma1",
    rule=f"""Exact errors (quadrature) of the uniform and the Burr XII density on [0, 1]^D and of the normal density on
        R^D, D = 1 and 2, h = 0.3 t^(-1/(4+D)). Refuted if the exponent between t = {EARLY:g} and {LATE:g} is above
        -4/(4+D) + {SLACK} for one of them, otherwise supported.""",
    control={"power": 0.35},
    control_statement="The MISE is O(t^(-1.4/(4+Dc))): still too fast for uniform contexts.",
    replay=replay_exponent,
    severity="substantive",
    positive={"power": 0.25},
    positive_statement="The MISE is O(t^(-1/(4+Dc))): the mass lost across the boundary is of order h.",
)
def lemma1(scale: str, *, power: float = 1.0) -> Evidence:
    """Compares exact exponents of the error with the stated ones."""
    table = {
        f"{name}, D = {dim}": {"exponent": exact_exponent(name, dim), "stated": power * rate(dim)}
        for dim in (1, 2)
        for name in (*BOXED, "standard normal")
    }
    numbers = {"exponents": table}
    worst = max(table, key=lambda key: table[key]["exponent"] - table[key]["stated"])
    name, dim = worst.split(", D = ")
    stored = {"density": name, "dim": int(dim), "stated": table[worst]["stated"]}
    exponent, limit, violated = replay_exponent(stored)
    if violated:
        summary = f"For {worst} the error decays with exponent {exponent:.3f}; the paper states {stored['stated']:.3f}."
        return Evidence(Verdict.REFUTED, summary, numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"largest exponent {exponent:.3f} against {limit:.3f} ({worst})", numbers)


@st.composite
def mixtures(draw: st.DrawFn) -> dict[str, Any]:
    """A mixture of one to four normals in one or two dimensions, with t and bandwidths."""
    dim, count = draw(st.integers(1, 2)), draw(st.integers(1, 4))
    row = st.lists(st.floats(-3, 3), min_size=dim, max_size=dim)
    spread = st.lists(st.floats(-1.5, 0.5), min_size=dim, max_size=dim)
    return {
        "weights": draw(st.lists(st.integers(1, 9), min_size=count, max_size=count)),
        "means": draw(st.lists(row, min_size=count, max_size=count)),
        "log10_deviations": draw(st.lists(spread, min_size=count, max_size=count)),
        "log10_h": draw(st.lists(st.floats(-2.5, 0.7), min_size=dim, max_size=dim)),
        "log10_t": draw(st.floats(0, 8)),
    }


def bound_sides(case: Mapping[str, Any], factor: float) -> tuple[float, float]:
    """Exact error over R^D, and `factor` times Lemma 1's expression."""
    weights = np.asarray(case["weights"], float)
    mixture = NormalMixture(
        weights / weights.sum(), np.asarray(case["means"]), 10.0 ** np.asarray(case["log10_deviations"])
    )
    h, count = 10.0 ** np.asarray(case["log10_h"]), 10.0 ** case["log10_t"]
    return mixture.mise(count, h), factor * mixture.lemma1(count, h)


def replay_bound(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: exact error; right: Lemma 1's expression times the stored factor."""
    left, right = bound_sides(stored, stored["factor"])
    return left, right, bool(left > right * (1 + 1e-9) + ROUNDING)


FITTED = {
    f"{name}, D = {dim}": density[dim]
    for dim in (1, 2)
    for name, density in (("normal", STANDARD), ("bimodal", BIMODAL))
}


@claim(
    id="ctx.lemma1_repaired",
    rule=f"""Refuted if the exact error exceeds the bound on one of {EXAMPLES} normal mixtures (Hypothesis with target;
        D = 1, 2, up to four components, t from 1 to 1e8, h from 0.003 to 5), or if the mean closed-form error of {RUNS}
        samples at a t of {COUNTS}, with the rule-of-thumb bandwidth of the same data, has its lower bootstrap limit
        above {MARGIN} times the bound at the bandwidth of the true deviation (normal and bimodal, D = 1, 2). The fitted
        exponents are reported: at these t they decide nothing about an O(), since the rule of thumb smooths a bimodal
        density too much until t is large. Otherwise supported; the proof is in the module.""",
    control={"factor": 0.9},
    control_statement="The bound times 0.9.",
    tests=len(FITTED) * len(COUNTS),
    replay=replay_bound,
    repairs="ctx.lemma1",
)
def lemma1_repaired(scale: str, *, factor: float = 1.0) -> Evidence:
    """Searches mixtures that exceed the bound, and measures errors with bandwidths from the data."""

    def violation(case: Mapping[str, Any]) -> float:
        left, right = bound_sides(case, factor)
        return left / right - 1 if right > 1e3 * ROUNDING else -1.0

    worst = maximise_by_hypothesis(mixtures(), violation, examples=EXAMPLES[scale], seed=SEED)
    numbers: dict[str, Any] = {"mixtures": worst.evaluations, "largest_ratio": worst.value + 1}
    stored = {**worst.example, "factor": factor}
    if replay_bound(stored)[2]:
        return Evidence(Verdict.REFUTED, f"the error is {worst.value + 1:.4f} times the bound", numbers, stored)
    rng, confidence = np.random.default_rng(SEED), 1 - 2 * level("C")
    rows = {}
    for name, mixture in FITTED.items():
        errors = np.empty((RUNS[scale], len(COUNTS)))
        for run in range(RUNS[scale]):
            contexts = mixture.sample(rng, COUNTS[-1])
            for j, count in enumerate(COUNTS):
                used = contexts[:count]
                errors[run, j] = mixture.integrated_squared_error(used, rule_of_thumb(used))
        rows[name] = _against_bound(mixture, errors, confidence)
    numbers["rule_of_thumb"] = rows
    over = {name: max(row["error_over_bound_low"]) for name, row in rows.items()}
    highest = max(over, key=lambda name: over[name])
    if over[highest] > MARGIN:
        return Evidence(
            Verdict.REFUTED, f"{highest}: the error is at least {over[highest]:.3f} times the bound", numbers
        )
    fitted = ", ".join(f"{row['exponent']:.2f} ({name})" for name, row in rows.items())
    summary = (
        f"The error is at most {worst.value + 1:.4f} of the bound on {worst.evaluations} mixtures. Fitted exponents "
        f"are {fitted}."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


def _against_bound(mixture: NormalMixture, errors: np.ndarray, confidence: float) -> dict[str, Any]:
    """Means of `errors` (runs, counts) over the bound at the true deviation, and the fitted exponent, with
    intervals."""
    dim = mixture.dim
    deviation = np.sqrt(
        mixture.weights @ (mixture.deviations**2 + mixture.means**2) - (mixture.weights @ mixture.means) ** 2
    )
    bounds = [mixture.lemma1(t, (4 / (dim + 2) / t) ** (1 / (4 + dim)) * deviation) for t in COUNTS]
    ratio = bootstrap_interval(errors / np.asarray(bounds), "mean", confidence)
    fit = fit_exponent(COUNTS, errors, confidence)
    return {
        "error_over_bound": ratio.estimate,
        "error_over_bound_low": ratio.low.tolist(),
        "exponent": float(fit.estimate),
        "exponent_low": float(fit.low),
        "exponent_high": float(fit.high),
        "stated": rate(dim),
    }
