"""The kernel of the density estimate: C (2) needs a density, section 4.1 prints (2 pi)^(-Dc/2) exp(-||x||^2).

The integral of exp(-||x||^2) over R^D is pi^(D/2), so the printed kernel integrates to 2^(-D/2), and p^ is no density.
The kernel with exp(-||x||^2 / 2) integrates to one, is even, and has m_2(K) = 1. (Section 2.3 asks for the same
integrals over the context set C, a compact box inside [0, r]^Dc, where K(-c) is not defined; the paper means integrals
over R^Dc.)
"""

import math
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from core.models.context_density import ContextDensity
from theory_checks.ledger import Evidence, Verdict, claim

DIMS = (1, 2, 3, 4, 6)
TOLERANCE = 1e-9
REACH = 12.0
"""Quadrature runs over [-REACH, REACH]^D; the tails beyond are below 1e-31."""


def kernel_integral(dim: int, exponent: float) -> tuple[float, float]:
    """int K and int c_1^2 K for K = (2 pi)^(-D/2) exp(-exponent ||c||^2), from one-dimensional trapezoidal sums.

    The trapezoidal rule converges geometrically for such integrands: a step of 0.01 leaves rounding only.
    """
    grid = np.linspace(-REACH, REACH, 2401)
    line = np.exp(-exponent * grid**2) / math.sqrt(2 * math.pi)
    step = grid[1] - grid[0]
    mass, second = float(line.sum() * step), float((grid**2 * line).sum() * step)
    return mass**dim, second * mass ** (dim - 1)


def replay(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the integral of the kernel; right: one."""
    mass, _ = kernel_integral(stored["dim"], stored["exponent"])
    return mass, 1.0, abs(mass - 1) > TOLERANCE


def _check(exponent: float) -> tuple[dict[str, Any], dict[str, Any] | None]:
    table, stored = {}, None
    for dim in DIMS:
        mass, second = kernel_integral(dim, exponent)
        table[f"D = {dim}"] = {"integral": mass, "m2": second}
        if stored is None and abs(mass - 1) > TOLERANCE:
            stored = {"dim": dim, "exponent": exponent}
    return table, stored


@claim(
    id="ctx.kernel_normalised",
    rule=f"""Refuted if the integral (trapezoidal, to rounding) differs from 1 by more than {TOLERANCE:g} for a D of
        {DIMS}.""",
    control={"exponent": 0.501},
    control_statement="exp(-0.501 ||x||^2) instead.",
    replay=replay,
    severity="misprint",
    positive={"exponent": 0.5},
    positive_statement="exp(-||x||^2 / 2) instead.",
)
def kernel_normalised(scale: str, *, exponent: float = 1.0) -> Evidence:
    """Integrates the printed kernel."""
    table, stored = _check(exponent)
    if stored:
        summary = f"The kernel integrates to {table['D = 1']['integral']:.4f} in one dimension, and to 2^(-D/2) in D."
        return Evidence(Verdict.REFUTED, summary, {"kernels": table}, stored)
    return Evidence(Verdict.SUPPORTED, "integrates to one", {"kernels": table})


@claim(
    id="ctx.kernel_normalised_repaired",
    rule=f"""Refuted if the integral or m_2 differs from 1 by more than {TOLERANCE:g} for a D of {DIMS}, or if the
        integral of `core`'s p^ (7 contexts, D = 1 and 2, trapezoidal sums) does.""",
    control={"exponent": 0.501},
    control_statement="exp(-0.501 ||x||^2) instead.",
    replay=replay,
    repairs="ctx.kernel_normalised",
)
def kernel_normalised_repaired(scale: str, *, exponent: float = 0.5) -> Evidence:
    """Integrates the standard kernel, and the density estimate of the policies."""
    table, stored = _check(exponent)
    numbers: dict[str, Any] = {"kernels": table}
    if stored is None:
        off = max(abs(row["m2"] - 1) for row in table.values())
        numbers["p^"] = {f"D = {dim}": _core_integral(dim) for dim in (1, 2)}
        off = max(off, *(abs(value - 1) for value in numbers["p^"].values()))
        if off <= TOLERANCE:
            return Evidence(Verdict.SUPPORTED, f"Integrals and second moments are one to {off:.0e}.", numbers)
        return Evidence(Verdict.REFUTED, f"a second moment or p^ is off by {off:.2g}", numbers)
    return Evidence(
        Verdict.REFUTED, f"integrates to {table['D = 1']['integral']:.4f} in one dimension", numbers, stored
    )


def _core_integral(dim: int) -> float:
    """int p^ over R^D for seven contexts, by trapezoidal sums whose step is a third of the bandwidth."""
    contexts = np.random.default_rng(7).normal(size=(7, dim)) * np.arange(1, dim + 1)
    density = ContextDensity.fit(jnp.asarray(contexts))
    axes, cell = [], 1.0
    for k, h in enumerate(np.asarray(density.bandwidth)):
        axes.append(np.arange(contexts[:, k].min() - 9 * h, contexts[:, k].max() + 9 * h, h / 3))
        cell *= h / 3
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*axes)], axis=-1)
    return float(jnp.sum(jax.jit(jax.vmap(density.density))(jnp.asarray(grid)))) * cell
