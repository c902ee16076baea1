"""The growth of the cumulative regret of corrected EI on an interval, for functions that are not chosen against it.

On a finite set the regret is linear (`cei.sublinear`). On an interval neighbours of x+ can be proposed. But the
acquisition is zero at x+ and small near x+. Most runs end with one incumbent and with proposals at about the same
distance from the incumbent, so that the loss a round hardly falls. The check judges the mean regret over functions
of the RKHS and over sample paths (module `theory_checks.growth`). GP-UCB on the same functions must not be linear.

The statement is a limit, and no finite T refutes a limit: R_t / t still falls at the largest T. The verdict is
"undecided" unless every setting slows. The controls claim the slowing of the runs themselves, up to T.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from theory_checks.cei.testbeds.finite_runs import run
from theory_checks.cei.testbeds.posteriors import gram
from theory_checks.growth import LINEAR, RULE, frozen, linear, looked_at, mean_growth, shown, slows
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.scales import ByScale, listed

HORIZON = ByScale(512, 2048, 4096)
RUNS = ByScale(64, 120, 400)
GRIDS = ByScale((61, 121), (81, 161), (101, 301))
"""The numbers of points of [0, 1]. A finite set by itself makes linear growth possible: a verdict needs both grids."""
LENGTHSCALE = 0.2
UCB = 3.0
"""GP-UCB maximises mu + UCB sigma."""
SEED = 71_047
METHODS = ("corrected EI", "GP-UCB", "GP-UCB, frozen in half of the draws")


@dataclass(frozen=True)
class Setting:
    """The kind of f ("rkhs" or "sample paths"), and the deviation of the noise."""

    kind: str
    noise: float

    @property
    def name(self) -> str:
        """The name in the evidence."""
        return f"{self.kind}, noise {self.noise:g}"


SETTINGS = tuple(Setting(kind, noise) for kind in ("rkhs", "sample paths") for noise in (0.1, 0.5))


def _values(kind: str, points: np.ndarray, covariance: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    if kind == "rkhs":
        centres = rng.uniform(0, 1, (8, 1))
        weights = rng.standard_normal(8)
        weights *= 3 / math.sqrt(float(weights @ gram("squared_exponential", centres, centres, LENGTHSCALE) @ weights))
        return gram("squared_exponential", points, centres, LENGTHSCALE) @ weights
    eigenvalues, vectors = np.linalg.eigh(covariance)
    return vectors @ (np.sqrt(np.maximum(eigenvalues, 0)) * rng.standard_normal(len(points)))


@cache
def regrets(setting: Setting, scale: str, method: str, size: int) -> tuple[np.ndarray, dict[str, float]]:
    """R_t at T/8, T/4, T/2, T (runs, 4), each run with its own function; the share of runs with one incumbent
    throughout the last half, and the least acquisition."""
    rng, horizon = np.random.default_rng([SEED, SETTINGS.index(setting), size]), HORIZON[scale]
    points = np.linspace(0, 1, size)[:, None]
    covariance = gram("squared_exponential", points, points, LENGTHSCALE)
    value = np.stack([_values(setting.kind, points, covariance, rng) for _ in range(RUNS[scale])])
    initial = (10, len(points) // 2, len(points) - 11)
    noise = setting.noise * rng.standard_normal((len(value), len(initial) + horizon))
    played = run(covariance, value, setting.noise, initial, noise, ucb=None if method == METHODS[0] else UCB)
    late = played.incumbent[:, horizon // 2 :]
    at = looked_at(played.regret(value))
    kept = float(np.mean(np.all(late == late[:, :1], axis=1)))
    reached = {"kept_one_incumbent": kept, "least_acquisition": float(np.exp(played.log_acquisition.min()))}
    return frozen(at) if method == METHODS[2] else at, reached


def fitted(setting: Setting, scale: str, method: str, size: int, alpha: float) -> dict[str, Any]:
    """The growth of one setting on a grid of `size` points."""
    at, reached = regrets(setting, scale, method, size)
    return {**mean_growth(at, HORIZON[scale], alpha), **reached}


def replay_growth(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: lower limit of the marginal exponent, the smaller of both grids; right: the exponent that counts as linear.
    The runs are repeated."""
    setting, scale = Setting(str(stored["kind"]), float(stored["noise"])), str(stored["scale"])
    method, alpha = str(stored["method"]), float(stored["level"])
    rows = [fitted(setting, scale, method, size, alpha) for size in GRIDS[scale]]
    return min(float(row["marginal"]["low"]) for row in rows), LINEAR, all(map(linear, rows))


@claim(
    id="cei.sublinear_on_intervals",
    rule=f"""Corrected EI with the kernel known, T = {HORIZON}, {RUNS} runs at smoke / quick / paper, on grids of
        {ByScale(*map(listed, GRIDS))} points of [0, 1]: functions of norm 3 and sample paths, noise 0.1 and 0.5. {RULE}
        Supported if every setting slows on both grids, otherwise undecided: no finite T refutes a limit. Of the runs up
        to T themselves, which the controls judge, the slowing is refuted if a setting is linear on both grids (level
        shared by the settings).""",
    control={"method": METHODS[2], "limit": False},
    control_statement="""Up to T the mean regret slows, for GP-UCB on the same functions, altered from T/8 on: half of
        the draws lose nothing more, the other half repeat their mean loss so far.""",
    tests=1,
    replay=replay_growth,
    repairs="cei.sublinear",
    origin="here",
    positive={"method": METHODS[1], "limit": False},
    positive_statement="Up to T the mean regret slows, for GP-UCB on the same functions.",
)
def sublinear_on_intervals(scale: str, *, method: str = METHODS[0], limit: bool = True) -> Evidence:
    """Judges the growth of the mean regret in every setting, on both grids: of the limit, or of the runs up to T."""
    alpha, sizes = level("B") / len(SETTINGS), GRIDS[scale]
    rows = {one: {size: fitted(one, scale, method, size, alpha) for size in sizes} for one in SETTINGS}
    settings = {f"{one.name}, {size} points": row for one, both in rows.items() for size, row in both.items()}
    numbers = {"settings": settings, "level": alpha, "linear_above": LINEAR}
    grow = {one: min(row["marginal"]["low"] for row in both.values()) for one, both in rows.items()}
    grow = {one: low for one, low in grow.items() if low > LINEAR}
    if grow:
        worst = max(grow, key=lambda one: grow[one])
        row = rows[worst][sizes[-1]]
        found = {"kind": worst.kind, "noise": worst.noise, "scale": scale, "method": method, "level": alpha}
        summary = (
            f"The mean regret on {worst.name}, {sizes[-1]} points, has {shown(row)}. On both grids the marginal "
            "exponent is at least "
            f"{grow[worst]:.3f}. Up to this T the growth is linear in {len(grow)} of {len(SETTINGS)} settings, and "
            f"{row['kept_one_incumbent']:.0%} "
            f"of the runs keep one incumbent throughout the last half."
        )
        if limit:
            return Evidence(Verdict.UNDECIDED, f"{summary} No finite T settles the limit, which has no proof.", numbers)
        return Evidence(Verdict.REFUTED, summary, numbers, found)
    described = "; ".join(f"{one.name}: {shown(both[sizes[-1]])}" for one, both in rows.items())
    verdict = Verdict.SUPPORTED if all(map(slows, settings.values())) else Verdict.UNDECIDED
    return Evidence(verdict, f"The mean regret on {sizes[-1]} points has {described}.", numbers)
