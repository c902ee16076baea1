"""Whether BOKE's cumulative regret grows more slowly than T when h_t goes to zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from core.designs import seed_keys
from core.policies.base import SearchEffort
from core.policies.boke import Boke
from core.simulate import simulate
from experiments import problems
from experiments.engine.statistics import fit_exponent
from theory_checks.boke.instruments.bandit import play
from theory_checks.boke.instruments.compact_kernels import EPANECHNIKOV
from theory_checks.boke.instruments.grid_boke import distances_of, grid_of
from theory_checks.boke.instruments.selection import beta9
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.scales import ByScale

HORIZON = ByScale(1500, 3000, 40_000)
RUNS = ByScale(6, 8, 20)
CORE_BUDGET = ByScale(0, 150, 400)
LINEAR = 0.95
"""Exponents above this count as linear growth."""
NOISE, DELTA, WIDTH = 0.3, 0.1, 0.3
SEED = 20260


def _tent(x: np.ndarray) -> np.ndarray:
    return 1 - 2 * np.abs(x - 0.3).max(axis=1)


def _bumps(x: np.ndarray) -> np.ndarray:
    far = ((x - 0.8) ** 2).sum(1) / 0.1**2
    return np.exp(-far) + 0.7 * np.exp(-((x - 0.3) ** 2).sum(1) / 0.2**2)


def _waves(x: np.ndarray) -> np.ndarray:
    return np.cos(9 * x).mean(axis=1) * 0.5 + 0.3 * x.mean(axis=1)


def _cusp(x: np.ndarray) -> np.ndarray:
    return 1 - np.sqrt(np.abs(x - 0.6).max(axis=1))


FUNCTIONS = {"tent": _tent, "two bumps": _bumps, "waves": _waves, "cusp": _cusp}
"""f of range about one: Lipschitz, smooth with a narrow best peak, many maxima, only Hoelder."""


@dataclass(frozen=True)
class Setting:
    """A function on a grid of [0, 1]^d and a kernel; noise 0.3, beta_t of Theorem 9 with its true parameter."""

    function: str
    dim: int
    kernel: str

    def regret(self, rate: float | None, horizon: int, runs: int, rng: np.random.Generator) -> np.ndarray:
        """R_t (runs, T) with h_t = 0.3 t^-rate; Scott's rule, 1 / (d + 4), by default."""
        grid = grid_of({1: 101, 2: 13}[self.dim], self.dim)
        between = distances_of(grid)
        values = FUNCTIONS[self.function](grid)
        power = 1 / (self.dim + 4) if rate is None else rate

        def matrix(t: int) -> np.ndarray:
            # Renewed at every 2 % of growth of t: h_t is piecewise constant, and goes to zero all the same.
            step = 1.02 ** np.floor(np.log(t) / np.log(1.02)) if t > 50 else t
            ratio = between / (WIDTH * step**-power)
            return EPANECHNIKOV(ratio) if self.kernel == "epanechnikov" else np.exp(-0.5 * ratio**2)

        current: dict[float, np.ndarray] = {}

        def gram(t: int) -> np.ndarray:
            key = float(np.floor(np.log(t) / np.log(1.02))) if t > 50 else -float(t)
            if power == 0.0:
                key = 0.0
            if key not in current:
                current.clear()
                current[key] = matrix(t)
            return current[key]

        noise = NOISE * rng.standard_normal((runs, horizon))
        plays = play(values, gram, noise, lambda t, w: NOISE * np.sqrt(beta9(t, DELTA) / w), first=len(grid) // 2)
        return plays.regret(values.max() - values)


SETTINGS = tuple(
    Setting(function, dim, kernel)
    for dim in (1, 2)
    for function in FUNCTIONS
    for kernel in ("epanechnikov", "gaussian")
    if dim == 1 or kernel == "epanechnikov"
)
CORE_PROBLEM = "forrester"


def growth(regret: np.ndarray, confidence: float) -> dict[str, float]:
    """Exponent of R_t ~ t^a over the last decade, with its bootstrap interval, and R_T / T at T/10 and T."""
    last = regret.shape[1]
    times = np.unique(np.geomspace(last / 10, last, 12).astype(int))
    fit = fit_exponent(times, np.maximum(regret[:, times - 1], 1e-12), confidence)
    early, late = (float(np.mean(regret[:, t - 1] / t)) for t in (last // 10, last))
    return {
        "exponent": float(fit.estimate),
        "low": float(fit.low),
        "high": float(fit.high),
        "average_at_tenth": early,
        "average_at_end": late,
    }


def core_regret(budget: int) -> np.ndarray:
    """R_t of `core`'s BOKE as the experiments run it: Gaussian kernel, Scott's rule, standardised outputs."""
    problem = problems.get(CORE_PROBLEM, noise=problems.GaussianNoise(0.1))
    policy = Boke(problem.dim, effort=SearchEffort.of(problem.dim, 256, 2, 20))
    run = simulate(policy, problem, seed_keys(range(8)), budget)
    return np.asarray(run.cumulative_regret(jnp.asarray(problem.optimum)))


@claim(
    id="boke.sublinear_regret",
    paper="A",
    number="section 4.3, reading of A (27) [4.34]",
    statement="R_T / T -> 0 as T grows, for h_t -> 0 by Scott's rule.",
    hypotheses=(
        "Assumptions 1, 2, 4",
        "kernel inside (Epanechnikov) or outside (Gaussian) Assumption 3",
        "Theorem 9's beta_t",
    ),
    rule=f"""{len(SETTINGS)} settings (four functions, d = 1 and 2, two kernels) on grids, T = {HORIZON}, {RUNS} runs at
        smoke / quick / paper, and `core`'s BOKE on {CORE_PROBLEM} ({CORE_BUDGET} steps, 8 seeds). The exponent of R_t
        is fitted over the last decade. Refuted if the lower bootstrap limit (level shared) is above {LINEAR} in one
        setting, supported if the upper one is below {LINEAR} in all, otherwise inconclusive. A finite T cannot prove a
        limit: supported means that growth is slower than linear over the last decade.""",
    control={"rate": 0.0},
    control_statement="R_T / T -> 0 also for a fixed bandwidth h = 0.3.",
    tests=1,
    origin="implied",
)
def sublinear_regret(scale: str, *, rate: float | None = None) -> Evidence:
    """Fitted growth exponents of the cumulative regret."""
    rng = np.random.default_rng(SEED)
    confidence = 1 - 2 * level("A") / (len(SETTINGS) + 1)
    table: dict[str, Any] = {}
    for one in SETTINGS:
        regret = one.regret(rate, HORIZON[scale], RUNS[scale], rng)
        table[f"{one.function}, d = {one.dim}, {one.kernel}"] = growth(regret, confidence)
    if CORE_BUDGET[scale] and rate is None:
        table[f"core, {CORE_PROBLEM}"] = growth(core_regret(CORE_BUDGET[scale]), confidence)
    lowest = max(table, key=lambda name: table[name]["low"])
    highest = max(table, key=lambda name: table[name]["high"])
    numbers = {"horizon": HORIZON[scale], "settings": table}
    if table[lowest]["low"] > LINEAR:
        summary = f"{lowest}: R_t grows like t^{table[lowest]['exponent']:.2f} (lower limit {table[lowest]['low']:.2f})"
        return Evidence(Verdict.REFUTED, summary, numbers)
    if table[highest]["high"] < LINEAR:
        summary = (
            f"growth exponents from {min(row['exponent'] for row in table.values()):.2f} to "
            f"{max(row['exponent'] for row in table.values()):.2f} over the last decade of T = {HORIZON[scale]}"
        )
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    summary = f"{highest}: the interval of the exponent reaches {table[highest]['high']:.2f}"
    return Evidence(Verdict.INCONCLUSIVE, summary, numbers)
