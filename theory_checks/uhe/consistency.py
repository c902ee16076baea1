"""Does maximum likelihood find the hyperparameters as i.i.d. data grow?

Judged on the stored estimates of `uhe.consistency` (data of one seed are nested: n grows along one sample path).
Variance and lengthscale of Matérn are not found (`uhe.iid_consistent`), nor visibly the variance of the squared
exponential. s^2 / l^(2 nu) is, but slowly: at the rate n^(-1/(2 + 4 nu / d)) where there is noise (Tang, Zhang &
Banerjee 2021), n^(-1/12) for Matérn-5/2 on the line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from experiments.uhe.consistency import log_ratios
from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import FEWEST_SEEDS, side

IDENTIFIED = {"squared_exponential": ("lengthscale", "noise"), "matern52": ("noise", "microergodic")}
"""Kernel -> the parameters that i.i.d. data visibly determine."""
SERIES = 8
"""Kernels by dimensions by parameters: one test each."""
Table = dict[tuple[str, int, str], np.ndarray]


def collected(results: list[Result], array: str) -> tuple[dict[int, np.ndarray], Table]:
    """Dimension -> the n; (kernel, dim, parameter) -> log estimate over truth, (seeds, counts)."""
    found: Table = {}
    counts: dict[int, np.ndarray] = {}
    ordered = sorted(results, key=lambda one: int(one.config["options"]["n"]))
    series: dict[tuple[str, int], list[Result]] = {}
    for one in ordered:
        series.setdefault((one.config["options"]["kernel"], one.config["options"]["dim"]), []).append(one)
    for (kernel, dim), members in series.items():
        counts[dim] = np.array([one.config["options"]["n"] for one in members])
        ratios = [log_ratios(kernel, one.arrays[array]) for one in members]
        for parameter in ratios[0]:
            found[kernel, dim, parameter] = np.stack([row[parameter] for row in ratios], axis=1)
    return counts, found


def trend(counts: np.ndarray, logs: np.ndarray, power: float) -> np.ndarray:
    """(seeds,) slope of n^power |log estimate / truth| against log n."""
    centred = np.log(counts) - np.log(counts).mean()
    slope: np.ndarray = (np.abs(logs) * counts**power) @ centred / (centred @ centred)
    return slope


def described(counts: np.ndarray, logs: np.ndarray) -> dict[str, Any]:
    """n -> median and quartiles of estimate over truth, and the root mean square of its logarithm."""
    return {
        f"n = {n}": {
            "median": float(np.exp(np.median(column))),
            "quartiles": np.exp(np.quantile(column, [0.25, 0.75])),
            "rms_log": float(np.sqrt(np.mean(column**2))),
        }
        for n, column in zip(counts, logs.T, strict=True)
    }


def _read(scale: str) -> list[Result] | str:
    results = inputs.results("uhe.consistency", scale)
    if not results:
        return inputs.how_to_get("uhe.consistency", scale)
    seeds = min(len(one.config["seeds"]) for one in results)
    series = {(one.config["options"]["kernel"], one.config["options"]["dim"]) for one in results}
    if seeds < FEWEST_SEEDS or len(series) < 4:
        return f"{seeds} seeds and {len(series)} of 4 series at scale {scale}: too few"
    return results


def _shown(key: tuple[str, int, str]) -> str:
    return f"{key[0]}, d = {key[1]}: {key[2]}"


_TREND = (
    "Slope of |log estimate / truth| against log n, one a seed, for noise and lengthscale of the squared exponential "
    "and noise and s^2/l^(2 nu) of Matérn-5/2 in d = 1, 2 (Wilcoxon, the ledger's level each). Stored results of "
    "uhe.consistency, 16 / 40 seeds and n up to 400 / 1600 at quick / paper. "
)


@claim(
    id="uhe.iid_consistent_repaired",
    paper="D",
    number="Assumption 6.3, of the parameters that are identified",
    statement="Maximum likelihood from i.i.d. data finds the noise variance, the squared exponential's lengthscale and "
    "s^2/l^(2 nu) of Matérn-5/2 as n grows.",
    hypotheses=("f a sample path of a GP with the kernel, X the unit cube, d = 1, 2", "Gaussian noise, n i.i.d. data"),
    rule=_TREND + "Supported if it falls significantly in all eight series, refuted if it grows significantly in one, "
    "otherwise inconclusive.",
    control={"power": 1.0, "at": "quick"},
    control_statement="The errors times n go to zero.",
    tests=SERIES,
    needs=("uhe.consistency",),
    repairs="uhe.iid_consistent",
)
def iid_consistent_repaired(scale: str, *, power: float = 0.0, at: str | None = None) -> Evidence:
    """Trends of the errors of the i.i.d. estimate."""
    results = _read(at or scale)
    if isinstance(results, str):
        return Evidence(Verdict.INCONCLUSIVE, results)
    counts, table = collected(results, "iid")
    alpha = level("D")
    judged = {
        key: side(trend(counts[key[1]], logs, power), 0.0, alpha)
        for key, logs in table.items()
        if key[2] in IDENTIFIED[key[0]]
    }
    numbers = {
        "estimates": {_shown(key): described(counts[key[1]], logs) for key, logs in table.items()},
        "trends": {_shown(key): sign for key, sign in judged.items()},
        "level": alpha,
    }
    growing = [_shown(key) for key, sign in judged.items() if sign > 0]
    falling = [_shown(key) for key, sign in judged.items() if sign < 0]
    if growing:
        return Evidence(Verdict.REFUTED, f"errors grow: {'; '.join(growing)}", numbers)
    if len(falling) == len(judged):
        return Evidence(Verdict.SUPPORTED, f"errors fall significantly in all {len(judged)} series", numbers)
    open_ = [_shown(key) for key, sign in judged.items() if sign == 0]
    return Evidence(Verdict.INCONCLUSIVE, f"{len(falling)} of {len(judged)} fall; not {'; '.join(open_)}", numbers)
