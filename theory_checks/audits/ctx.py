"""Assumption audit of Paper C: the hypotheses of Lemma 1 and of Assumption 1 that hold in each of its experiments.

The context distributions are those of section 4 and appendix B.2, clipped to [0, 1] as the experiments draw them. The
audit measures on the distribution function if there is a density on the box and if p vanishes smoothly at the ends, and
computes the mass of the Gaussian p^ outside the box.
"""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from scipy import stats

from core.models.kernels import STATIONARY
from theory_checks.ctx.testbeds.densities import rule_of_thumb

STEP = 1e-4
"""Step of the one-sided differences at the ends of the box."""
ATOM = 1e-9
"""Probability of being clipped to one end above which the clipped context has no density there."""
NEGLIGIBLE = 1e-3
"""A density or a slope below this at an end, relative to the largest density, counts as zero."""
COUNT, DRAWS = 100, 50
SEED = 3011

Distribution = Callable[[np.ndarray], np.ndarray]


def _mixture(*parts: Any) -> Distribution:
    return lambda c: np.mean([part.cdf(c) for part in parts], axis=0)


COMPLICATED = _mixture(
    stats.norm(0.1, 0.02),
    stats.norm(0.3, 0.075),
    stats.norm(0.4, 0.1),
    stats.norm(0.5, 0.1),
    stats.norm(0.7, 0.075),
    stats.norm(0.8, 0.03),
    stats.cauchy(0.2, 0.02),
    stats.cauchy(0.8, 0.02),
)
"""Complicated Hartmann: six normals and two Cauchys with equal weights."""

USAGE: tuple[tuple[str, str, Distribution], ...] = (
    ("ctx.fig1a", "ackley", _mixture(stats.norm(0.5, 0.15))),
    ("ctx.fig1a", "branin", _mixture(stats.norm(0.5, 0.1))),
    ("ctx.fig1a", "hartmann", _mixture(stats.norm(0.5, 0.1))),
    ("ctx.fig1a", "hartmann_complicated", COMPLICATED),
    ("ctx.fig1b", "newsvendor", _mixture(stats.burr12(2, 20))),
    ("ctx.fig1b", "portfolio_uniform", _mixture(stats.uniform())),
    ("ctx.fig1b", "portfolio_normal", _mixture(stats.norm(0.5, 0.1))),
    ("ctx.fig2", "ackley_2_4", _mixture(stats.norm(0.5, 0.15))),
)
"""Study, problem, and the distribution function of one coordinate of its contexts before clipping."""


@dataclass(frozen=True)
class Row:
    """One problem: the hypotheses on p that hold on the box, and those that fail."""

    study: str
    problem: str
    atoms: float
    density_at_ends: float
    slope_at_ends: float
    mass_outside: float
    has_density: bool
    vanishes_at_ends: bool
    smooth_at_ends: bool

    @property
    def lemma1_repaired(self) -> bool:
        """True where p, continued by zero, is smooth enough on all of R for `ctx.lemma1_repaired`."""
        return self.has_density and self.vanishes_at_ends and self.smooth_at_ends


def clipped_sample(distribution: Distribution, rng: np.random.Generator, count: int) -> np.ndarray:
    """Draws by inversion of the distribution function on a grid of [0, 1]; draws outside are clipped."""
    grid = np.linspace(0.0, 1.0, 4001)
    return np.asarray(np.interp(rng.random(count), distribution(grid), grid))


def audit_distribution(study: str, problem: str, distribution: Distribution) -> Row:
    """The measurements of one distribution on [0, 1]."""
    grid = np.linspace(0.0, 1.0, 2001)
    density = np.diff(distribution(grid)) / np.diff(grid)
    largest = float(density.max())
    at = distribution(np.array([0.0, STEP, 2 * STEP, 1 - 2 * STEP, 1 - STEP, 1.0]))
    first, second, third, fourth = (at[1] - at[0], at[2] - at[1], at[4] - at[3], at[5] - at[4])
    ends = max(float(first), float(fourth)) / STEP / largest
    slopes = max(abs(float(second - first)), abs(float(fourth - third))) / STEP**2 / largest
    atoms = float(at[0] + 1 - at[5])
    rng = np.random.default_rng(SEED)
    outside = []
    for _ in range(DRAWS):
        contexts = clipped_sample(distribution, rng, COUNT)[:, None]
        h = rule_of_thumb(contexts)
        outside.append(float((stats.norm.cdf(-contexts / h) + stats.norm.sf((1 - contexts) / h)).mean()))
    return Row(
        study=study,
        problem=problem,
        atoms=atoms,
        density_at_ends=ends,
        slope_at_ends=slopes,
        mass_outside=float(np.mean(outside)),
        has_density=atoms < ATOM,
        vanishes_at_ends=ends < NEGLIGIBLE,
        smooth_at_ends=slopes < NEGLIGIBLE,
    )


def audit() -> tuple[Row, ...]:
    """One row a problem."""
    return tuple(audit_distribution(*usage) for usage in USAGE)


def table() -> list[dict[str, Any]]:
    """The rows as plain mappings, for the report; numbers to three digits."""
    return [
        {name: _short(value) for name, value in {**asdict(row), "lemma1_repaired": row.lemma1_repaired}.items()}
        for row in audit()
    ]


def kernel_table() -> list[dict[str, Any]]:
    """Assumption 1 for the covariance kernels of `core`: k <= 1, and paths with derivatives.

    E (f(x) - f(x'))^2 = 2 (1 - k) is of order r^2 where paths have derivatives in mean square, and of a lower order
    otherwise. For these kernels the largest slope of a differentiable path on a box is sub-Gaussian by the Borell-TIS
    inequality. The experiments fit the prior variance, so that k <= 1 holds for the correlation only.
    """
    rows = []
    for name, kernel in STATIONARY.items():
        far, near = (1.0 - float(kernel.profile(jnp.asarray(r * r))) for r in (1e-2, 1e-3))
        exponent = math.log10(far / near)
        rows.append(
            {
                "kernel": name,
                "increment_exponent": _short(exponent),
                "differentiable_paths": exponent > 1.9,
                "correlation_at_most_one": float(kernel.profile(jnp.asarray(0.0))) <= 1.0,
            }
        )
    return rows


def _short(value: Any) -> Any:
    return float(f"{value:.3g}") if isinstance(value, float) else value
