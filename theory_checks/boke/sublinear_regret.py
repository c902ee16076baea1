"""The growth of BOKE's cumulative regret when h_t goes to zero by Scott's rule: slower than T.

The certificate of `boke.sublinear_regret` proves the limit. The check searches for a setting whose mean regret over
runs is linear up to T (module `theory_checks.growth`). Beside every setting stand runs with h_t = h fixed, whose regret
can be linear. The grids are finite; their spacings are below h_T, so that the arms share data to the end and
the rate is not that of UCB1.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import jax.numpy as jnp
import numpy as np

from core.designs import seed_keys
from core.policies.base import SearchEffort
from core.policies.boke import Boke
from core.simulate import simulate
from experiments import problems
from theory_checks.boke.testbeds.bandit import play
from theory_checks.boke.testbeds.grid_boke import distances_of, grid_of
from theory_checks.boke.testbeds.selection import beta9
from theory_checks.growth import LINEAR, frozen, linear, looked_at, mean_growth, shown
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.scales import ByScale

HORIZON = {
    1: ByScale(1504, 3000, 40_000),
    2: ByScale(1504, 3000, 40_000),
    3: ByScale(0, 15_000, 100_000),
    4: ByScale(0, 5000, 50_000),
}
RUNS = {1: ByScale(100, 100, 100), 2: ByScale(64, 64, 64), 3: ByScale(0, 10, 10), 4: ByScale(0, 10, 10)}
"""The number of runs by dimension; three and four are left out at smoke scale."""
CORE_BUDGET = ByScale(0, 152, 400)
PER_SIDE = {1: 101, 2: 21, 3: 13, 4: 7}
"""Grid points a side by dimension. The spacings are below h_T at scale quick (in d = 3 below h_t to t = 8,000)."""
WIDTH = {1: 0.3, 2: 0.3, 3: 0.3, 4: 0.6}
"""The first bandwidth h_1 by dimension; the coarse grid of four dimensions needs a larger h_1."""
RENEWED = 1.1
"""The factor of t after which h_t is renewed: h_t is piecewise constant, and goes to zero."""
NOISE, DELTA = 0.05, 0.1
SEED = 46_260


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
"""Functions of range about one: Lipschitz; smooth with a narrow highest peak; with many maxima; Hoelder, not
Lipschitz."""


def _epanechnikov(ratio: np.ndarray) -> np.ndarray:
    """Writes `compact_kernels.EPANECHNIKOV` into its argument; the new view tells `play` that the matrix changed."""
    np.minimum(ratio, 1.0, out=ratio)
    ratio *= ratio
    return np.subtract(1.0, ratio, out=ratio)[:]


@lru_cache(maxsize=1)
def _grid(dim: int) -> tuple[np.ndarray, np.ndarray]:
    """(grid points (g, d), their distances (g, g)) of the latest dimension."""
    grid = grid_of(PER_SIDE[dim], dim)
    return grid, distances_of(grid)


@dataclass(frozen=True)
class Setting:
    """A function on a grid of [0, 1]^d and a kernel; beta_t is Theorem 9's with the true noise parameter."""

    function: str
    dim: int
    kernel: str

    @property
    def name(self) -> str:
        """The name in words."""
        return f"{self.function}, d = {self.dim}, {self.kernel}"

    def regret(self, rate: float | None, horizon: int, runs: int, rng: np.random.Generator) -> np.ndarray:
        """R_t (runs, T) with h_t = h_1 t^-rate; Scott's rule, 1 / (d + 4), by default."""
        grid, between = _grid(self.dim)
        values = FUNCTIONS[self.function](grid)
        power = 1 / (self.dim + 4) if rate is None else rate
        current: dict[float, np.ndarray] = {}
        scaled = np.empty_like(between)  # one buffer for all matrices

        def gram(t: int) -> np.ndarray:
            step = RENEWED ** np.floor(np.log(t) / np.log(RENEWED)) if t > 20 else t
            width = WIDTH[self.dim] * float(step) ** -power
            if width not in current:
                current.clear()
                np.divide(between, width, out=scaled)
                current[width] = _epanechnikov(scaled) if self.kernel == "epanechnikov" else np.exp(-0.5 * scaled**2)
            return current[width]

        noise = NOISE * rng.standard_normal((runs, horizon))
        plays = play(values, gram, noise, lambda t, w: NOISE * np.sqrt(beta9(t, DELTA) / w), first=len(grid) // 2)
        return plays.regret(values.max() - values)


SETTINGS = (
    *(Setting(function, 1, kernel) for function in FUNCTIONS for kernel in ("epanechnikov", "gaussian")),
    *(Setting(function, 2, "epanechnikov") for function in FUNCTIONS),
    *(Setting(function, dim, "epanechnikov") for dim in (3, 4) for function in ("tent", "cusp")),
)
CORE_PROBLEM = "forrester"


@cache
def looked(index: int, rate: float | None, horizon: int, runs: int) -> np.ndarray:
    """R_t of a setting's runs at T/8, T/4, T/2, T, (runs, 4)."""
    return looked_at(SETTINGS[index].regret(rate, horizon, runs, np.random.default_rng([SEED, index])))


def core_regret(budget: int) -> np.ndarray:
    """R_t of `core`'s BOKE as the experiments run it: Gaussian kernel, Scott's rule, standardised outputs."""
    problem = problems.get(CORE_PROBLEM, noise=problems.GaussianNoise(0.1))
    policy = Boke(problem.dim, effort=SearchEffort.of(problem.dim, 256, 2, 20))
    run = simulate(policy, problem, seed_keys(range(8)), budget)
    return np.asarray(run.cumulative_regret(jnp.asarray(problem.optimum)))


@claim(
    id="boke.sublinear_regret",
    rule=f"""{len(SETTINGS)} settings (d = 1: four functions, two kernels; d = 2: four functions; d = 3 and 4: the tent
        and the cusp) on grids; T = {HORIZON[1]} for d = 1 and 2, {HORIZON[3]} for d = 3, {HORIZON[4]} for d = 4,
        {RUNS[1]}, {RUNS[2]}, {RUNS[3]} and {RUNS[4]} runs for d = 1, 2, 3, 4 at smoke / quick / paper (0: left out).
        The check takes the mean regret over runs at T/4, T/2 and T, and the marginal exponent: the binary logarithm of
        the regret gained in the last octave over the regret gained in the octave before, with errors by the jackknife.
        Refuted if the marginal exponent of a setting is above {LINEAR} (level shared), otherwise supported. The same
        runs with the bandwidth fixed at h_1 = {WIDTH[1]} ({WIDTH[4]} for d = 4) and `core`'s BOKE on {CORE_PROBLEM}
        ({CORE_BUDGET} steps, 8 seeds) are reported beside.""",
    control={"freeze": True},
    control_statement="""The same for the runs with the fixed bandwidth, altered from T/8 on: half of them lose nothing
        more, the other half repeat their mean loss so far.""",
    tests=1,
    origin="implied",
)
def sublinear_regret(scale: str, *, freeze: bool = False) -> Evidence:
    """Searches for a setting with linear growth of the mean regret."""
    alpha = level("A") / len(SETTINGS)
    table: dict[str, Any] = {}
    for index, one in enumerate(SETTINGS):
        horizon, runs = HORIZON[one.dim][scale], RUNS[one.dim][scale]
        if runs == 0:
            continue
        fixed = looked(index, 0.0, horizon, runs)
        ours = frozen(fixed) if freeze else looked(index, None, horizon, runs)
        table[one.name] = {
            "shrinking": mean_growth(ours, horizon, alpha),
            "fixed": mean_growth(fixed, horizon, alpha),
        }
    numbers: dict[str, Any] = {"settings": table}
    if CORE_BUDGET[scale] and not freeze:
        core = looked_at(core_regret(CORE_BUDGET[scale]))
        numbers[f"core, {CORE_PROBLEM}"] = mean_growth(core, CORE_BUDGET[scale], alpha)
    for name, row in table.items():
        if linear(row["shrinking"]):
            return Evidence(Verdict.REFUTED, f"{name}: linear, {shown(row['shrinking'])}", numbers)
    nearest = max(table, key=lambda name: float(table[name]["shrinking"]["marginal"]["estimate"]))
    marginal = [float(row["shrinking"]["marginal"]["estimate"]) for row in table.values()]
    return Evidence(
        Verdict.SUPPORTED,
        f"The marginal exponents of the mean regret are {min(marginal):.2f} to {max(marginal):.2f}. The largest, "
        f"{nearest}, has {shown(table[nearest]['shrinking'])}; with the bandwidth fixed it has "
        f"{shown(table[nearest]['fixed'])}.",
        numbers,
    )
