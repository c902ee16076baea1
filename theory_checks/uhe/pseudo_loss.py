"""Proposition 6.4 (1): the losses of the pseudo-data and of the true values differ by O(L C t^(-1/(2d))).

**Refuted for the loss of Assumption 6.1,** which is a sum over M_t >= t observations: the proof D (12) divides by M_t,
the assumption and D (2) do not (a misprint: the mean is meant). In the example f(x) = w'x with w standard normal (a GP,
k(x, x') = x . x'), l(y, x, theta) = y^2 / 2, no noise. A term changes by about t^(-1/d); near the boundary the nearest
point lies inside, so that the sum grows like t^(1 - 2/d) for d >= 3. (The check reports the change of the log marginal
likelihood D (8), which is no mean, too.)

**Repair.** Take the mean of the terms, and no noise. Where every one of N = k^d equal cubes holds a random point, a
pseudo-point has a random point within sqrt(d) / k, and the mean of |l^_j - l_j| is at most C L sqrt(d) / k with L a
bound on the Euclidean norm of the gradient of f and C a Lipschitz constant of l on the values of f; k =
floor(t^(1/(2d))) gives the stated order.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from experiments.uhe.likelihood import PROFILES, log_likelihood
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.scales import ByScale, listed
from theory_checks.uhe.testbeds.exponent import exponent

TIMES = ByScale((64, 256, 1024), (64, 256, 1024, 4096), (64, 256, 1024, 4096, 16384))
RUNS = ByScale(150, 400, 1000)
LIKELIHOOD_TIMES = ByScale((16, 32, 64), (25, 50, 100, 200), (50, 100, 200, 400, 800))
LIKELIHOOD_RUNS = ByScale(8, 12, 40)
DIMS = (1, 2, 3)
SLACK = 0.1
"""A fitted exponent significantly beyond the stated one plus this is another order."""
SEED = 4005


@cache
def changes(dim: int, t: int, runs: int) -> tuple[np.ndarray, float]:
    """(changes (runs, 2), largest ratio): |sum_j (l^_j - l_j)| over M = 2t pseudo-points, and mean_j |l^_j - l_j|, over
    L C.

    L C = |w| |w|_1 bounds the gradient of f times the slope of l; RA-BO has floor((t-1)/2) random points. The ratio is
    that of the mean to sqrt(d) / k, over runs that reach every one of the k^d cubes; 0 where no run does.
    """
    rng, found, worst = np.random.default_rng((SEED, dim, t)), np.empty((runs, 2)), 0.0
    k = int(t ** (1 / (2 * dim)) + 1e-9)
    for run in range(runs):
        w, data, pseudo = rng.standard_normal(dim), rng.random(((t - 1) // 2, dim)), rng.random((2 * t, dim))
        nearest = data[cKDTree(data).query(pseudo)[1]]
        moved = ((nearest @ w) ** 2 - (pseudo @ w) ** 2) / 2 / (np.linalg.norm(w) * np.abs(w).sum())
        found[run] = abs(moved.sum()), np.abs(moved).mean()
        if len(np.unique((data * k).astype(int), axis=0)) == k**dim:
            worst = max(worst, float(found[run, 1] * k / np.sqrt(dim)))
    return found, worst


def likelihood_changes(t: int, runs: int) -> np.ndarray:
    """(runs,): |L(y^') - L(y')| of D (8) at the true hyperparameters, squared exponential, d = 1, t i.i.d. data, M =
    2t, noisy values."""
    rng, theta, found = np.random.default_rng((SEED, t)), np.log([0.2, 1.0, 0.01]), np.empty(runs)
    for run in range(runs):
        x = rng.random((3 * t, 1))
        correlation = PROFILES["squared_exponential"]((x - x.T) ** 2 / 0.04)[0]
        y = np.linalg.cholesky(correlation + 0.01 * np.eye(3 * t)) @ rng.standard_normal(3 * t)
        copies = y[cKDTree(x[:t]).query(x[t:])[1]]
        losses = [-log_likelihood("squared_exponential", x[t:], values, theta)[0] for values in (copies, y[t:])]
        found[run] = abs(losses[0] - losses[1])
    return found


def fitted(scale: str, dim: int, column: int, alpha: float) -> dict[str, float]:
    """Exponent in t of the sum (column 0) or of the mean of absolute terms (column 1)."""
    times = TIMES[scale]
    return exponent(times, np.stack([changes(dim, t, RUNS[scale])[0][:, column] for t in times], axis=1), alpha)


def replay_exponent(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: lower limit of the exponent; right: the stated exponent plus the slack."""
    dim = int(stored["dim"])
    row = fitted(str(stored["scale"]), dim, int(stored["column"]), float(stored["level"]))
    limit = -float(stored["power"]) / (2 * dim) + SLACK
    return row["low"], limit, row["low"] > limit


_EXAMPLE = f"""f(x) = w'x, l = y^2 / 2, no noise, floor((t-1)/2) random points, M = 2t; exponents in t from
    {TIMES.paper[0]} to {ByScale(*(times[-1] for times in TIMES))}, {RUNS} runs, d = {listed(DIMS)} (bootstrap, the
    ledger's level)."""


@claim(
    id="uhe.prop6_4_1",
    rule=f"""{_EXAMPLE} Refuted if the exponent of the root mean square of |L^ - L| is significantly above -1/(2d) +
        {SLACK} for one d, supported if significantly below for all, otherwise undecided. The likelihood D (8) is
        reported beside.""",
    control={"power": 6.0},
    control_statement="|L^ - L| <= O(t^(-3/d)).",
    tests=len(DIMS),
    replay=replay_exponent,
    severity="misprint",
    positive={"column": 1},
    positive_statement="The same of the mean of the absolute terms, by which the proof divides.",
)
def prop6_4_1(scale: str, *, power: float = 1.0, column: int = 0) -> Evidence:
    """Fits exponents of the change of the sum."""
    alpha = level("D")
    rows = {dim: {**fitted(scale, dim, column, alpha), "stated": -power / (2 * dim)} for dim in DIMS}
    times = LIKELIHOOD_TIMES[scale]
    likelihood = np.stack([likelihood_changes(t, LIKELIHOOD_RUNS[scale]) for t in times], axis=1)
    of_likelihood = exponent(times, likelihood, alpha)
    numbers = {"sum": rows, "log_marginal_likelihood": of_likelihood, "level": alpha}
    shown = ", ".join(f"{row['exponent']:.2f} (d = {dim}, stated {row['stated']:.2f})" for dim, row in rows.items())
    summary = f"The loss has exponents {shown}. The likelihood (8) has {of_likelihood['exponent']:.2f}."
    worst = max(rows, key=lambda dim: rows[dim]["low"] - rows[dim]["stated"])
    quickly = {"scale": "smoke", "dim": worst, "column": column, "power": power, "level": alpha}
    stored = quickly if replay_exponent(quickly)[2] else {**quickly, "scale": scale}
    if rows[worst]["low"] > rows[worst]["stated"] + SLACK:
        return Evidence(Verdict.REFUTED, summary, numbers, stored)
    below = all(row["high"] < row["stated"] + SLACK for row in rows.values())
    return Evidence(Verdict.SUPPORTED if below else Verdict.UNDECIDED, summary, numbers)


@claim(
    id="uhe.prop6_4_1_repaired",
    rule=f"""{_EXAMPLE} Refuted if the inequality fails in a run in which every cube is reached, or if the exponent is
        significantly above -1/(2d) + {SLACK}; supported if it is significantly below in all d, otherwise undecided;
        the proof is in the module.""",
    control={"power": 2.4},
    control_statement="The mean is O(t^(-1.2/d)): it falls like t^(-1/d).",
    tests=len(DIMS),
    replay=replay_exponent,
    repairs="uhe.prop6_4_1",
)
def prop6_4_1_repaired(scale: str, *, power: float = 1.0) -> Evidence:
    """Exponents of the mean, and the inequality in every run."""
    alpha = level("D")
    rows = {dim: {**fitted(scale, dim, 1, alpha), "stated": -power / (2 * dim)} for dim in DIMS}
    ratios = {dim: max(changes(dim, t, RUNS[scale])[1] for t in TIMES[scale]) for dim in DIMS}
    numbers = {"mean": rows, "largest_ratio_to_bound": ratios, "level": alpha}
    worst = max(rows, key=lambda dim: rows[dim]["low"] - rows[dim]["stated"])
    shown = ", ".join(f"{row['exponent']:.2f} (d = {dim}, stated {row['stated']:.2f})" for dim, row in rows.items())
    if rows[worst]["low"] > rows[worst]["stated"] + SLACK:
        stored = {"scale": scale, "dim": worst, "column": 1, "power": power, "level": alpha}
        return Evidence(Verdict.REFUTED, f"exponents {shown}", numbers, stored)
    if max(ratios.values()) > 1:
        return Evidence(Verdict.REFUTED, f"{max(ratios.values()):.3f} of the bound", numbers)
    summary = f"The loss has exponents {shown}. It is at most {max(ratios.values()):.2f} of the bound."
    below = all(row["high"] < row["stated"] + SLACK for row in rows.values())
    return Evidence(Verdict.SUPPORTED if below else Verdict.UNDECIDED, summary, numbers)
