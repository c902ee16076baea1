"""Assumption audit of Paper A: the parts of Assumptions 1 to 4 that hold for each kernel used in each experiment.

The audit probes the code that the experiments run: symmetry, sign, continuity, support and bound of Psi, the continuity
of the objective along random lines, the bounds of the domain, and the model of the noise. `USAGE` lists the kernels,
problems and noise of each study by hand.
"""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from core.models.kernels import SMOOTHING
from experiments import problems
from experiments.boke.regret import PROBLEMS
from experiments.problems.noise import BoundedNoise, GaussianNoise, Noise, NoNoise

PROBES = 2000
"""Points along each probed line, before bisection."""
LINES = 12
"""Random lines probed in each problem."""
JUMP = 1e-6
"""Variation, relative to the range, that counts as a discontinuity when bisection to 2^-45 of a line leaves it."""
SEED = 3

NOISE: dict[str, Callable[[], Noise]] = {
    "none": NoNoise,
    "gaussian": lambda: GaussianNoise(0.1),
    "uniform": lambda: BoundedNoise(0.1, "uniform"),
    "rademacher": lambda: BoundedNoise(0.1, "rademacher"),
}
"""Noise models of the experiments, at one size each: sub-Gaussianity does not depend on the size."""


@dataclass(frozen=True)
class Usage:
    """The runs of a study: its smoothing kernel, its problems ("" where there is no objective), and its noise."""

    study: str
    kernel: str
    problems: tuple[str, ...]
    noise: str


_BENCHMARKS = PROBLEMS["paper"]
USAGE: tuple[Usage, ...] = (
    Usage("boke.fig1", "gaussian", ("eq9",), "gaussian"),
    Usage("boke.fig2", "gaussian", ("",), "none"),
    Usage("boke.fig3", "gaussian", ("",), "none"),
    Usage("boke.fig4", "gaussian", ("eq9",), "gaussian"),
    Usage("boke.fig5", "gaussian", ("eq9",), "gaussian"),
    Usage("boke.fig6", "gaussian", _BENCHMARKS, "none"),
    Usage("boke.fig7", "gaussian", _BENCHMARKS, "gaussian"),
    Usage("boke.fig8", "gaussian", ("sprinkler",), "none"),
    Usage("boke.sensitivity", "gaussian", ("goldstein_price", "hartmann3"), "gaussian"),
)
"""The studies that run kernel regression or density ("all four algorithms use Gaussian kernels", section 5).

The list leaves out table1, which has no objective, and the studies that run by name only: the calibration on sample
paths and the sweep of constants on the sprinkler.
"""


@dataclass(frozen=True)
class KernelAudit:
    """The parts of Assumption 3, as measured on a kernel of `core`."""

    kernel: str
    radius: float
    symmetric: bool
    non_negative: bool
    continuous: bool
    compact_support: bool
    one_at_zero: bool
    bounded: bool

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts that do not hold."""
        return tuple(name for name, value in asdict(self).items() if value is False)


@dataclass(frozen=True)
class Row:
    """One row of the audit: a study, one of its problems, its kernel, and the parts of each assumption that hold."""

    study: str
    problem: str
    kernel: str
    noise: str
    assumption1: bool
    assumption2: bool
    assumption3: bool
    assumption3_missing: tuple[str, ...]
    assumption4: bool


def largest_jump(value: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> float:
    """Largest variation of `value`, (n,) -> (n,), that bisection of [low, high] to 2^-45 of its length leaves.

    The search starts at the neighbouring probes that differ most; bisection keeps the half with the larger variation. A
    jump is found where no other two neighbours differ more.
    """
    grid = np.linspace(low, high, PROBES + 1)
    values = value(grid)
    index = int(np.argmax(np.abs(np.diff(values))))
    left, right = float(grid[index]), float(grid[index + 1])
    for _ in range(34):
        middle = (left + right) / 2
        at_left, at_middle, at_right = (float(item) for item in value(np.array([left, middle, right])))
        if abs(at_middle - at_left) >= abs(at_right - at_middle):
            right = middle
        else:
            left = middle
    at_left, at_right, _ = (float(item) for item in value(np.array([left, right, right])))
    return abs(at_right - at_left)


@cache
def audit_kernel(name: str, dim: int = 3) -> KernelAudit:
    """Probes Psi(u) = k(u, 0; 1) of a smoothing kernel along random rays, to four units of h."""
    kernel = SMOOTHING[name]
    random = np.random.default_rng(SEED)
    rays = np.concatenate([np.eye(dim), random.normal(size=(LINES, dim))])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    compiled = jax.jit(jax.vmap(lambda u: kernel(u, jnp.zeros(dim), 1.0)))
    logarithm = jax.jit(jax.vmap(lambda u: kernel.log_value(u, jnp.zeros(dim), jnp.asarray(1.0))))

    def psi(u: np.ndarray) -> np.ndarray:
        return np.asarray(compiled(u))

    radii = np.linspace(0.0, 4.0, PROBES + 1)
    points = (radii[:, None, None] * rays).reshape(-1, dim)
    values = psi(points)
    outside = np.linalg.norm(points, axis=1) > kernel.radius * (1.0 + 1e-12)
    if math.isinf(kernel.radius):
        compact = not bool(np.isfinite(np.asarray(logarithm(1e3 * rays))).all())
    else:
        compact = bool((values[outside] == 0.0).all())
    jumps = [largest_jump(lambda r, ray=ray: psi(r[:, None] * ray), 0.0, 4.0) for ray in rays]  # type: ignore[misc]
    return KernelAudit(
        kernel=name,
        radius=kernel.radius,
        symmetric=bool(np.array_equal(values, psi(-points))),
        non_negative=bool((values >= 0.0).all()),
        continuous=max(jumps) < JUMP,
        compact_support=compact,
        one_at_zero=bool(psi(np.zeros((1, dim)))[0] == 1.0),
        bounded=bool((values <= kernel.bound).all()),
    )


@cache
def continuous_objective(name: str) -> bool:
    """True where bisection along random lines through the cube finds no jump of a problem's value."""
    problem = problems.get(name)
    random = np.random.default_rng(SEED)
    compiled = jax.jit(jax.vmap(problem.value))
    for _ in range(LINES):
        start, end = random.uniform(size=(2, problem.dim))

        def value(s: np.ndarray, start: np.ndarray = start, end: np.ndarray = end) -> np.ndarray:
            return np.asarray(compiled(start + s[:, None] * (end - start)))

        if largest_jump(value, 0.0, 1.0) > JUMP * float(problem.range):
            return False
    return True


def _box(name: str) -> bool:
    """True for a domain that is a box with finite, ordered sides: compact and convex (Assumption 1, in
    either version)."""
    bounds = np.asarray(problems.get(name).bounds)
    return bool(np.isfinite(bounds).all() and (bounds[:, 0] < bounds[:, 1]).all())


@cache
def audit() -> tuple[Row, ...]:
    """One row a study and problem of `USAGE`. Without an objective Assumptions 2 and 4 hold trivially (f = 0)."""
    rows = []
    for usage in USAGE:
        kernel = audit_kernel(usage.kernel)
        for problem in usage.problems:
            rows.append(
                Row(
                    study=usage.study,
                    problem=problem,
                    kernel=usage.kernel,
                    noise=usage.noise,
                    assumption1=_box(problem) if problem else True,
                    assumption2=continuous_objective(problem) if problem else True,
                    assumption3=not kernel.missing,
                    assumption3_missing=kernel.missing,
                    assumption4=math.isfinite(float(NOISE[usage.noise]().sub_gaussian)),
                )
            )
    return tuple(rows)


def table() -> list[dict[str, Any]]:
    """The rows of `audit()` as plain mappings, for the report."""
    return [asdict(row) for row in audit()]


def kernel_table() -> list[dict[str, Any]]:
    """One mapping for each smoothing kernel of `core`, whether an experiment uses it or not."""
    return [{**asdict(audit_kernel(name)), "missing": list(audit_kernel(name).missing)} for name in SMOOTHING]
