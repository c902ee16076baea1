"""Runs of BOKE, BOKE+ and density exploration on grids, up to the number of steps that a packing bound allows."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import binom

from theory_checks.boke.testbeds import grid_boke
from theory_checks.boke.testbeds.compact_kernels import EPANECHNIKOV, NEEDLE, RADIUS, RING, packing_bound
from theory_checks.boke.testbeds.sub_gaussian import draw
from theory_checks.scales import ByScale

RUNS = ByScale(4, 20, 200)
SCOTT = (0.3, 1.0)
"""Factors c of Scott's rule."""
PER_SIDE = {1: 201, 2: 25}
"""Grid points a side; the grid is the compact X on which the argmax is exact."""
KERNELS = (EPANECHNIKOV, RING, NEEDLE)
SETTINGS = (("gaussian", "nearest"), ("cauchy", "random"), ("gaussian", "farthest"))
"""The noise, and the choice among the points with W_t = 0, which are all maximisers."""
SEED = 20255
UNLUCKY = 1e-9
"""The largest probability that BOKE+ makes too few exploration steps; the number of steps follows."""
ROUNDING = 1e-9


def theorem9(t: int) -> float:
    """beta_t of Theorem 9 with noise parameter one and delta = 0.1."""
    return 2 * math.log(2 * math.pi**2 * t**2 / 0.3)


def steps_needed(explorations: int, probability: float) -> int:
    """The smallest T with P(fewer than `explorations` of T steps explore) <= UNLUCKY."""
    if probability >= 1:
        return explorations
    steps = max(explorations, 1)
    while binom.cdf(explorations - 1, steps, probability) > UNLUCKY:
        steps = math.ceil(1.1 * steps)
    return steps


def _cone(grid: np.ndarray) -> np.ndarray:
    """f(x) = -||x - x*||, L = 1, with x* a corner: the Lipschitz function that decays fastest."""
    return -np.linalg.norm(grid - 1.0, axis=1)


def fixed_bandwidth(
    scale: str, radius: float, h: float, probability: float = 1.0, density_only: bool = False
) -> tuple[list[str], dict[str, Any]]:
    """(failures, numbers) of part (i) on grids, after as many exploration steps as the packing bound."""
    rng = np.random.default_rng(SEED)
    failures, worst_fill, worst_regret, most = [], 0.0, 0.0, 0.0
    for dim in (1, 2):
        grid = grid_boke.grid_of(PER_SIDE[dim], dim)
        values, between = _cone(grid), grid_boke.distances_of(grid)
        for profile in KERNELS:
            allowed = packing_bound(profile.positive * h, dim)
            if probability < 1 and allowed > 200:
                continue  # the needle in d = 2 would need thousands of steps
            steps = 1 + (steps_needed(allowed, probability) if probability > 0 else 2 * allowed)
            for kind, ties in SETTINGS:
                runs = RUNS[scale] if probability == 1 else max(RUNS[scale] // 4, 4)
                method = grid_boke.Method(profile, lambda t: h, theorem9, ties, probability, density_only)
                noise = 0.3 * draw(rng, kind, (runs, steps))
                first = rng.integers(0, len(grid), runs)
                result = grid_boke.run(method, grid, values, noise, first, rng, between)
                explored = int(result.uncovered.sum(1).max()) + 1
                fill = float(result.fill[:, -1].max())
                regret = float(result.simple_regret(values)[:, -1].max())
                worst_fill, worst_regret = (
                    max(worst_fill, fill / (RADIUS * h)),
                    max(worst_regret, regret / (RADIUS * h)),
                )
                most = max(most, explored / allowed)
                setting = f"d={dim}, {profile.name}, {kind} noise, {ties} first, h={h:g}, T={steps}"
                if fill > radius * RADIUS * h * (1 + ROUNDING):
                    failures.append(f"{setting}: fill distance {fill / (RADIUS * h):.3f} R h")
                if regret > radius * RADIUS * h * (1 + ROUNDING) and not density_only:
                    failures.append(f"{setting}: r* = {regret / (RADIUS * h):.3f} L R h")
                if explored > allowed:
                    failures.append(f"{setting}: {explored} exploration steps, packing bound {allowed}")
    numbers = {
        "largest_fill_over_Rh": worst_fill,
        "largest_regret_over_LRh": worst_regret,
        "most_exploration_steps_over_packing_bound": most,
    }
    return failures, numbers


def staged(
    scale: str, stages: int, shrink: bool, probability: float = 1.0, density_only: bool = False
) -> tuple[list[str], dict[str, Any]]:
    """(failures, numbers) of part (ii): stage n = 1, 2, ... has h = 1/n and as many steps as its packing bound."""
    rng = np.random.default_rng(SEED + 1)
    failures, reached = [], {}
    for dim in (1, 2):
        grid = grid_boke.grid_of(PER_SIDE[dim], dim)
        values, between = _cone(grid), grid_boke.distances_of(grid)
        last = stages if dim == 1 else max(2, stages // 2)
        lengths = [steps_needed(packing_bound(1.0 / n, dim), probability) for n in range(1, last + 1)]
        ends = np.cumsum(lengths) + 1
        table = np.repeat(1.0 / np.arange(1, last + 1), lengths)
        bandwidths = np.concatenate([table, table[-1:]]) if shrink else np.ones(len(table) + 1)

        def bandwidth(t: int, bandwidths: np.ndarray = bandwidths) -> float:
            return float(bandwidths[min(t - 1, len(bandwidths) - 1)])

        method = grid_boke.Method(EPANECHNIKOV, bandwidth, theorem9, "nearest", probability, density_only)
        noise = 0.3 * draw(rng, "gaussian", (RUNS[scale], int(ends[-1])))
        first = rng.integers(0, len(grid), RUNS[scale])
        result = grid_boke.run(method, grid, values, noise, first, rng, between)
        regret = result.simple_regret(values)
        for n, end in enumerate(ends, 1):
            fill = float(result.fill[:, end - 1].max())
            reached[f"d={dim}, n={n}, t={end}"] = {"fill": fill, "regret": float(regret[:, end - 1].max())}
            if fill > RADIUS / n * (1 + ROUNDING):
                failures.append(f"d={dim}, stage n={n} (t={end}): fill distance {fill:.3f} > R/n = {RADIUS / n:.3f}")
    return failures, {"stages": reached}


def rule_of_thumb(scale: str, power: Callable[[int], float]) -> tuple[list[str], dict[str, Any]]:
    """(failures, numbers) of fill(X_T) <= R h_(T/2), h_t = c t^(-power(d)), at the first T with T/2 > P(e h_T)."""
    rng = np.random.default_rng(SEED + 2)
    failures, reached = [], {}
    for dim in (1, 2):
        grid = grid_boke.grid_of(PER_SIDE[dim], dim)
        values, between = _cone(grid), grid_boke.distances_of(grid)
        for constant in SCOTT:

            def bandwidth(t: int, constant: float = constant, dim: int = dim) -> float:
                return constant * t ** -power(dim)

            def scott(t: int, constant: float = constant, dim: int = dim) -> float:
                return constant * t ** (-1 / (dim + 4))

            steps = next(t for t in range(4, 10**4) if t / 2 > packing_bound(scott(t), dim) + 1)
            method = grid_boke.Method(EPANECHNIKOV, bandwidth, theorem9, "nearest")
            noise = 0.3 * draw(rng, "gaussian", (RUNS[scale], steps))
            first = rng.integers(0, len(grid), RUNS[scale])
            fill = float(grid_boke.run(method, grid, values, noise, first, rng, between).fill[:, -1].max())
            allowed = RADIUS * bandwidth(steps // 2)
            reached[f"d={dim}, c={constant:g}, T={steps}"] = {"fill": fill, "R h_(T/2)": allowed}
            if fill > allowed * (1 + ROUNDING):
                failures.append(
                    f"d={dim}, c={constant:g}: fill(X_{steps}) = {fill:.3f} > R h_{steps // 2} = {allowed:.3f}"
                )
    return failures, {"rule_of_thumb": reached}
