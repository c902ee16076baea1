"""Does maximum likelihood find the hyperparameters as i.i.d. data grow, and does the pseudo-data estimate find them?

Judged on the stored estimates of `uhe.consistency` (data of one seed are nested: n grows along one sample path).

**The data.** Noise, the squared exponential's lengthscale and Matérn's s^2 / l^(2 nu) are found; variance and
lengthscale of Matérn are not (`uhe.iid_consistent`), nor visibly the variance of the squared exponential.

**The pseudo-data.** Their values are constant on the Voronoi cells of the data, with jumps (between values, and between
noises) at the boundaries. As many pseudo-points as share a cell share its noise exactly, however large n is, since M /
n is fixed: the noise of the pseudo-data is not independent of point to point, and the field is not continuous. A
likelihood of continuous paths with independent noise answers with a lengthscale that shrinks towards the cells
(Matérn, d = 1), with a second maximum there (squared exponential), or, where neighbours are far, with a noise that
includes the jumps (d = 2). Theorem 7.17 of Rudin, which the proof of Proposition 6.4 (2) cites, exchanges limits and
derivatives; it says nothing of minimisers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.result_file import Result
from experiments.study import Cell
from experiments.uhe.consistency import STUDY, log_ratios
from theory_checks import inputs
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired import FEWEST_SEEDS, side

IDENTIFIED = {"squared_exponential": ("lengthscale", "noise"), "matern52": ("noise", "microergodic")}
"""Kernel -> the parameters that i.i.d. data visibly determine."""
SERIES = 8
"""Kernels by dimensions by parameters: one test each."""
REPLAYED = 200
"""Counterexamples are taken from the largest n up to here, to be replayed in seconds."""
FACTOR = 2.0
"""A counterexample is off by more than this factor, and in logarithm more than twice as far as the i.i.d. estimate."""

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


def _rerun(stored: Mapping[str, Any]) -> tuple[float, float]:
    kernel = str(stored["kernel"])
    options = {"kernel": kernel, "dim": int(stored["dim"]), "n": int(stored["n"])}
    arrays = STUDY.run(Cell("uhe.consistency", "", "", (int(stored["seed"]),), "quick", options))
    pseudo, iid = (log_ratios(kernel, arrays[name])[stored["parameter"]][0] for name in ("pseudo", "iid"))
    return abs(float(pseudo)), abs(float(iid))


def replay_estimate(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: factor by which the pseudo-data estimate is off; right: that of the i.i.d. estimate of the same data."""
    pseudo, iid = _rerun(stored)
    return math.exp(pseudo), math.exp(iid), pseudo > math.log(FACTOR) and pseudo > 2 * iid


def _example(results: list[Result], key: tuple[str, int, str]) -> dict[str, Any] | None:
    """The seed with the largest error of the pseudo-data estimate, at the largest n up to REPLAYED."""
    kernel, dim, parameter = key
    members = [
        one
        for one in results
        if (one.config["options"]["kernel"], one.config["options"]["dim"]) == (kernel, dim)
        and one.config["options"]["n"] <= REPLAYED
    ]
    if not members:
        return None
    one = max(members, key=lambda result: int(result.config["options"]["n"]))
    pseudo, iid = (np.abs(log_ratios(kernel, one.arrays[name])[parameter]) for name in ("pseudo", "iid"))
    fitting = np.where((pseudo > 2 * iid) & (pseudo > math.log(FACTOR)), pseudo, -np.inf)
    best = int(np.argmax(fitting))
    if not np.isfinite(fitting[best]):
        return None
    seed = int(one.config["seeds"][best])
    return {"kernel": kernel, "dim": dim, "n": int(one.config["options"]["n"]), "seed": seed, "parameter": parameter}


@claim(
    id="uhe.prop6_4_2",
    paper="D",
    number="Proposition 6.4 (2)",
    statement="If the estimate by the true loss converges to theta*, so does, with high probability, that by the loss "
    "(2) on pseudo-data.",
    hypotheses=(
        "Assumptions 6.1 and 6.2; the loss is (8), as in the method (see uhe.assumption6_1)",
        "half of the data, here all of them, random; M = 2n",
    ),
    rule=_TREND + "Refuted if in one series it falls significantly for the i.i.d. data and grows significantly for the "
    "pseudo-data made of them; supported if it falls significantly for the pseudo-data in all; otherwise inconclusive.",
    control={"power": 1.0, "at": "quick"},
    control_statement="The pseudo-data estimate's errors times n go to zero.",
    tests=2 * SERIES,
    needs=("uhe.consistency",),
    replay=replay_estimate,
)
def prop6_4_2(scale: str, *, power: float = 0.0, at: str | None = None) -> Evidence:
    """Trends of both estimates' errors."""
    results = _read(at or scale)
    if isinstance(results, str):
        return Evidence(Verdict.INCONCLUSIVE, results)
    counts, iid = collected(results, "iid")
    pseudo, alpha = collected(results, "pseudo")[1], level("D")
    judged = {
        key: (
            side(trend(counts[key[1]], iid[key], 0.0), 0.0, alpha),
            side(trend(counts[key[1]], logs, power), 0.0, alpha),
        )
        for key, logs in pseudo.items()
        if key[2] in IDENTIFIED[key[0]]
    }
    numbers = {
        "pseudo_data_estimates": {_shown(key): described(counts[key[1]], logs) for key, logs in pseudo.items()},
        "trends_iid_and_pseudo": {_shown(key): signs for key, signs in judged.items()},
        "level": alpha,
    }
    against = [key for key, signs in judged.items() if signs[0] < 0 < signs[1]]
    if against:
        words = []
        for key in against:
            last = counts[key[1]][-1]
            row = described(counts[key[1]], pseudo[key])[f"n = {last}"]
            words.append(f"{_shown(key)} is {row['median']:.3g} times the truth at n = {last}")
        example = next((found for key in against if (found := _example(results, key)) is not None), None)
        return Evidence(Verdict.REFUTED, f"away from the truth: {'; '.join(words)} (medians)", numbers, example)
    falling = [key for key, signs in judged.items() if signs[1] < 0]
    if len(falling) == len(judged):
        return Evidence(Verdict.SUPPORTED, f"errors fall significantly in all {len(judged)} series", numbers)
    summary = f"{len(falling)} of {len(judged)} series fall for the pseudo-data"
    return Evidence(Verdict.INCONCLUSIVE, summary, numbers)
