"""The properties of tau(z) = z Phi(z) + phi(z) that the proofs of section 4.3 use.

All follow from tau' = Phi and tau(z) - tau(-z) = z: tau is increasing and positive, so tau(z) >= z; tau(z) - z =
tau(-z) <= tau(0) = phi(0) < 1 for z >= 0; and tau(z) - phi(z) = z Phi(z) <= 0 for z <= 0.
"""

import math
from collections.abc import Mapping
from decimal import Decimal, localcontext
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st

from core.acquisition.normal_tails import log_tau
from core.acquisition.normal_tails import tau as core_tau
from theory_checks import exact
from theory_checks.cei.testbeds import normal
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(100, 600, 6000)
FARTHEST = 60.0
ROUNDING = Decimal(10) ** -55
"""Slack of an equality or of an inequality that is tight, in 60-digit arithmetic."""
CORE_TOLERANCE = 1e-11
"""Relative error of core's tau and absolute error of its logarithm, against 60 digits."""
SEED = 4501


def violations(z: float, gap: float, constant: float = 1.0) -> dict[str, Decimal]:
    """The violation of each property at z (of monotonicity between z and z + gap); <= 0 where the property holds."""
    with localcontext(exact.DIGITS):
        here, mirrored = normal.tau(z), normal.tau(-z)
        x = normal.to_decimal(z)
        found = {
            "z = tau(z) - tau(-z)": abs(x - (here - mirrored)) - ROUNDING,
            "tau(z) >= z": x - here,
            "tau non-decreasing": here - normal.tau(x + normal.to_decimal(gap)) - ROUNDING,
        }
        if z >= 0:
            found["tau(z) <= 1 + z, z >= 0"] = here - normal.to_decimal(constant) - x
        if z <= 0:
            found["tau(z) <= phi(z), z <= 0"] = here - normal.density(z) - ROUNDING
        return found


def replay_tau(stored: Mapping[str, Any]) -> tuple[dict[str, float], float, bool]:
    """Left: the violation of each property at the stored z; right: 0."""
    found = violations(float(stored["z"]), float(stored["gap"]), float(stored["constant"]))
    return {name: float(value) for name, value in found.items()}, 0.0, max(found.values()) > 0


def core_errors() -> dict[str, float]:
    """Largest relative error of core's tau above -36, and absolute error of its log tau down to -FARTHEST."""
    z = np.concatenate([np.linspace(-FARTHEST, FARTHEST, 61), [-1e-9, 0.0, 1e-9, -3.0, 3.0, -11.9, -12.1]])
    truth = [normal.tau(float(point)) for point in z]
    values, logs = (np.asarray(jax.jit(jax.vmap(f))(jnp.asarray(z))) for f in (core_tau, log_tau))
    with localcontext(exact.DIGITS):
        in_logs = [abs(value - float(one.ln())) for value, one in zip(logs, truth, strict=True)]
    relative = [abs(v / float(t) - 1) for point, v, t in zip(z, values, truth, strict=True) if point > -36]
    return {"tau": float(np.max(relative)), "log_tau": float(np.max(in_logs))}


@claim(
    id="cei.tau_bounds",
    rule=f"""Refuted if one of the five fails, in 60 digits, at one of {EXAMPLES} points (smoke / quick / paper;
        Hypothesis with target, |z| <= {FARTHEST:g}, gaps down to 1e-12). Undecided if core's tau (relative) or log
        tau (absolute) is off by more than {CORE_TOLERANCE:g}. Otherwise supported; all five are proved in the
        module.""",
    control={"constant": 0.39},
    control_statement="tau(z) <= 0.39 + z for z >= 0 (the best constant is phi(0) = 0.3989...).",
    replay=replay_tau,
)
def tau_bounds(scale: str, *, constant: float = 1.0) -> Evidence:
    """Searches a z that breaks one of the five properties."""

    def violation(drawn: tuple[float, float]) -> float:
        return float(max(violations(*drawn, constant).values()))

    points = st.one_of(st.floats(-FARTHEST, FARTHEST), st.floats(-1.0, 1.0))
    gaps = st.floats(-12.0, 1.0).map(lambda power: 10.0**power)
    worst = maximise_by_hypothesis(st.tuples(points, gaps), violation, examples=EXAMPLES[scale], seed=SEED)
    errors = core_errors()
    numbers = {"points": worst.evaluations, "largest_violation": worst.value, "core_errors": errors}
    if worst.value > 0:
        z, gap = worst.example
        summary = f"violated by {worst.value:.2g} at z = {z:.4g}"
        return Evidence(Verdict.REFUTED, summary, numbers, {"z": z, "gap": gap, "constant": constant})
    if not max(errors.values()) <= CORE_TOLERANCE:
        return Evidence(Verdict.UNDECIDED, f"core's tau is off by {max(errors.values()):.1e}", numbers)
    best = 1 / math.sqrt(2 * math.pi)
    summary = f"All five bounds hold at {worst.evaluations} points in 60 digits. In the first, 1 could be {best:.4f}."
    return Evidence(Verdict.SUPPORTED, summary, numbers)
