"""Loops of BOKE on finite grids with the bonus of Theorem 9 [4.13], as printed and repaired."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from theory_checks.boke.testbeds import sub_gaussian
from theory_checks.boke.testbeds.bandit import Plays, play
from theory_checks.boke.testbeds.compact_kernels import EPANECHNIKOV, PLATEAU, Profile
from theory_checks.boke.testbeds.grid_boke import distances_of, grid_of
from theory_checks.boke.testbeds.selection import beta9

DELTA = 0.1


@dataclass(frozen=True)
class Loop:
    """BOKE on a regular grid of [0, 1]^d, which is compact; h_t = width t^(-rate), noise of parameter one."""

    name: str
    per_side: int
    dim: int
    height: float
    width: float
    rate: float
    profile: Profile = EPANECHNIKOV
    noise: str = "gaussian"
    atom: float = 1.0
    shape: str = "bumps"

    @cached_property
    def distances(self) -> np.ndarray:
        """Distances of all pairs of points."""
        return distances_of(grid_of(self.per_side, self.dim))

    @cached_property
    def values(self) -> np.ndarray:
        """f at the points. "bumps": a broad and a narrow bump along the first axis, linear along the others.

        "one": `height` at the last point, zero elsewhere; "slope": from zero to `height` along the first axis.
        """
        x = grid_of(self.per_side, self.dim)
        if self.shape == "slope":
            return self.height * x[:, 0]
        if self.shape == "one":
            return self.height * (np.arange(len(x)) == len(x) - 1)
        first = np.exp(-(((x[:, 0] - 0.8) / 0.1) ** 2)) + 0.7 * np.exp(-(((x[:, 0] - 0.3) / 0.3) ** 2))
        return self.height * (first - 0.2 * x[:, 1:].sum(1))

    def bandwidth(self, t: int) -> float:
        """h_t."""
        return self.width * t**-self.rate

    def modulus(self, t: int) -> float:
        """omega_f(h_t) over X, exact."""
        rise = np.abs(self.values[:, None] - self.values[None, :])
        return float(np.max(np.where(self.distances <= self.bandwidth(t), rise, 0.0)))

    def radius(self, t: int, weight: np.ndarray, form: str) -> np.ndarray:
        """sqrt(beta_t / W) as printed, or U_t of the repaired claim."""
        if form == "printed":
            return np.sqrt(beta9(t, DELTA, self.profile.bound) / weight)
        return repaired_radius(t, weight, self.profile.bound, math.log(len(self.values)))

    def plays(self, form: str, runs: int, steps: int, rng: np.random.Generator) -> Plays:
        """Choices of BOKE with the bonus of `form` from a fixed first point."""
        noise = sub_gaussian.draw(rng, self.noise, (runs, steps), self.atom)

        def gram(t: int) -> np.ndarray:
            return self.profile(self.distances / self.bandwidth(t))

        fixed = gram(1)
        schedule = (lambda t: fixed) if self.rate == 0 else gram
        return play(self.values, schedule, noise, lambda t, w: self.radius(t, w, form), first=len(self.values) // 3)


def repaired_radius(t: int, weight: Any, bound: float, log_size: float) -> Any:
    """U_t = sqrt((M W + 1) (log(M W + 1) + 2 log(pi^2 t^2 |X| / (6 delta)))) / W for noise of parameter one.

    The method of mixtures (de la Pena, Klass & Lai 2004) bounds sums of noise with weights that depend on the past
    only: with V = sum k^2 <= M W, P(|sum k eps| >= sqrt((V + 1) log((V + 1) / d^2))) <= d. U_t is a union over X and t.
    """
    variance = bound * np.asarray(weight) + 1
    logarithm = np.log(variance) + 2 * (math.log(math.pi**2 * t**2 / (6 * DELTA)) + log_size)
    return np.sqrt(variance * logarithm) / weight


LOOPS: tuple[Loop, ...] = (
    Loop("line, Scott's rule, X covered at once", 65, 1, 3.0, 1.0, 1 / 5),
    Loop("line, narrow h", 65, 1, 3.0, 0.1, 1 / 5),
    Loop("line, plateau, rare outliers", 33, 1, 2.0, 0.2, 0.0, PLATEAU, "extremal", 4.0),
    Loop("line, isolated points, Rademacher", 33, 1, 2.0, 0.02, 0.0, PLATEAU, "rademacher"),
    Loop("square, Scott's rule", 9, 2, 3.0, 0.5, 1 / 6),
    Loop("line, isolated points, small noise", 17, 1, 6.5, 0.02, 0.0, shape="one"),
    Loop("line, isolated bumps, small noise", 17, 1, 40.0, 0.02, 0.0),
    Loop("line, slope, shared data, small noise", 33, 1, 20.0, 0.1, 1 / 5, shape="slope"),
)
