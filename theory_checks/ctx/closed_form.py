"""The closed form of the worst expectation in total variation in `core.worst_case.total_variation`, in exact
arithmetic.

`core.worst_case.total_variation` derives the closed form from Proposition 2: with theta = alpha - beta the dual's
constraint is tight, and the maximum over theta is at the (1 - delta/2)-quantile. The check compares the value with the
exact dual of `theory_checks.ctx.testbeds.worst_expectation`, and the derivative with a distribution in the ball that
attains the value.
"""

import jax
import jax.numpy as jnp
import numpy as np

from core.worst_case.total_variation import tv_worst_case
from theory_checks.ctx.testbeds.worst_expectation import Case, cases, dual, exact
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(60, 500, 20_000)
TOLERANCE = 1e-10
SEED = 3006


@jax.jit
def _closed_form(
    u: jax.Array, p: jax.Array, radius: jax.Array, lowest: jax.Array
) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
    """(`core`'s closed form, (derivative in u, derivative in the infimum))."""
    value, derivatives = jax.value_and_grad(lambda v, low: tv_worst_case(v, radius, p, low), argnums=(0, 1))(u, lowest)
    return value, derivatives


def closed_form_error(case: Case) -> dict[str, float]:
    """The errors of the closed form on a case: of the value, and of the derivative as a minimising distribution.

    The derivative q in (u, inf) is a minimiser if q >= 0, sum q = 1, int |q - p| <= delta, and q'(u, inf) is the value.
    """
    u, p, radius = exact(case)
    true = float(dual(u, p, radius, min(u)))
    scaled = float(radius) * float(case.get("factor", 1.0))
    value, (in_u, in_low) = _closed_form(
        jnp.array(u, float), jnp.array(p, float), jnp.asarray(scaled), jnp.asarray(float(min(u)))
    )
    q, extra = np.asarray(in_u), float(in_low)
    distance = float(np.abs(q - np.array(p, float)).sum()) + abs(extra)
    return {
        "value": abs(float(value) - true),
        "negative": max(0.0, -float(min(q.min(), extra))),
        "total": abs(float(q.sum()) + extra - 1),
        "outside": max(0.0, distance - float(radius)),
        "not_minimal": abs(float(q @ np.array(u, float)) + extra * float(min(u)) - true),
    }


def replay_closed_form(stored: Case) -> tuple[float, float, bool]:
    """Left: the largest error of the closed form; right: the tolerance."""
    error = max(closed_form_error(stored).values())
    return error, TOLERANCE, error > TOLERANCE


@claim(
    id="ctx.closed_form",
    rule=f"""`core`'s closed form in float64 against the exact dual on {EXAMPLES} cases (as for Proposition 2; |u| <=
        20). Refuted if the value, or its derivative as a distribution (non-negative, total one, within delta of p, of
        that expectation), is off by more than {TOLERANCE:g}.""",
    control={"factor": 1.02},
    control_statement="Mass 0.51 delta is moved, not delta / 2.",
    replay=replay_closed_form,
    origin="here",
)
def closed_form(scale: str, *, factor: float = 1.0) -> Evidence:
    """Compares value and derivative of the closed form with exact arithmetic."""

    def violation(case: Case) -> float:
        return max(closed_form_error({**case, "factor": factor}).values())

    worst = maximise_by_hypothesis(cases(), violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"cases": worst.evaluations, "largest_error": worst.value}
    stored = {**worst.example, "factor": factor}
    if replay_closed_form(stored)[2]:
        return Evidence(Verdict.REFUTED, f"off by {worst.value:.3g}", numbers | closed_form_error(stored), stored)
    return Evidence(
        Verdict.SUPPORTED, f"Value and minimiser are exact to {worst.value:.0e} in {worst.evaluations} cases.", numbers
    )
