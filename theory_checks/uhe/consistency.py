"""The consistency of maximum-likelihood estimates of the hyperparameters as i.i.d. data grow.

The check judges the stored estimates of `uhe.iid_consistency` (data of one seed are nested: n grows along one sample
path). The data do not determine variance and lengthscale of Matérn (`uhe.iid_consistent`), nor visibly the variance of
the squared exponential. They determine s^2 / l^(2 nu) slowly: at the rate n^(-1/(2 + 4 nu / d)) under noise (Tang,
Zhang & Banerjee 2021), n^(-1/12) for Matérn-5/2 on the line.
"""

from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from experiments.engine.statistics import signed_rank_p
from experiments.uhe.consistency import COUNTS, log_ratios
from experiments.uhe.iid_consistency import SEEDS
from theory_checks import study_results
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.paired_seeds import Undecided, stored

STUDY = "uhe.iid_consistency"
IDENTIFIED = {"squared_exponential": ("lengthscale", "noise"), "matern52": ("noise", "microergodic")}
"""Kernel -> the parameters that i.i.d. data visibly determine."""
SERIES = 8
"""Kernels by dimensions by parameters: one test each."""
FEWEST_SEEDS = 6
"""The verdict is undecided with fewer seeds."""
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


def estimates(study: str, scale: str) -> list[Result]:
    """The stored estimates of a study, one result per kernel, dimension and n."""
    found = stored(study, scale, key=lambda one: tuple(one.config["options"][name] for name in ("kernel", "dim", "n")))
    return list(found.values())


def trends(counts: dict[int, np.ndarray], table: Table, power: float = 0.0) -> dict[str, int]:
    """Series that the data determine -> -1, 1, 0: n^power |log estimate / truth| falls, grows, or neither, by
    Wilcoxon's two-sided test of the slopes at the ledger's level."""
    found = {}
    for (kernel, dim, parameter), logs in table.items():
        if parameter in IDENTIFIED[kernel]:
            slopes = trend(counts[dim], logs, power)
            falling = 1 if signed_rank_p(slopes, "less") > 0.5 else -1
            found[f"{kernel}, d = {dim}: {parameter}"] = falling if signed_rank_p(slopes) <= level("D") else 0
    return found


_TREND = f"""Slope of |log estimate / truth| against log n, one a seed, for noise and lengthscale of the squared
    exponential and noise and s^2/l^(2 nu) of Matérn-5/2 in d = 1, 2 (Wilcoxon, the ledger's level each). Stored results
    of {STUDY}, {SEEDS["paper"]} seeds, n up to {COUNTS["paper"][1][-1]}, at scale paper; {SEEDS["quick"]} and
    {COUNTS["quick"][1][-1]} at scale quick, too few to decide."""


@claim(
    id="uhe.iid_consistent_repaired",
    rule=f"""{_TREND} Supported if it falls significantly in all eight series, refuted if it grows significantly in one,
    otherwise undecided.""",
    control={"power": 0.5, "largest": True},
    control_statement="""The errors go to zero faster than n^(-1/2), the rate of the noise variance (that of s^2/l^5 is
    n^(-1/12) for d = 1), read at the largest scale stored.""",
    tests=SERIES,
    needs=(STUDY,),
    repairs="uhe.iid_consistent",
)
def iid_consistent_repaired(scale: str, *, power: float = 0.0, largest: bool = False) -> Evidence:
    """Judges the trends of the errors of the i.i.d. estimate."""
    try:
        results = estimates(STUDY, study_results.largest((STUDY,)) if largest else scale)
    except Undecided as why:
        return Evidence(Verdict.UNDECIDED, str(why))
    seeds = min(len(one.config["seeds"]) for one in results)
    series = {(one.config["options"]["kernel"], one.config["options"]["dim"]) for one in results}
    if seeds < FEWEST_SEEDS or len(series) < 4:
        return Evidence(Verdict.UNDECIDED, f"{seeds} seeds and {len(series)} of 4 series at scale {scale}: too few")
    counts, table = collected(results, "iid")
    sides = trends(counts, table, power)
    numbers = {
        "estimates": {
            f"{kernel}, d = {dim}: {parameter}": described(counts[dim], logs)
            for (kernel, dim, parameter), logs in table.items()
        },
        "trends": sides,
        "level": level("D"),
    }
    growing, open_, falling = ([name for name, side in sides.items() if side == way] for way in (1, 0, -1))
    if growing:
        return Evidence(Verdict.REFUTED, f"The errors grow: {'; '.join(growing)}.", numbers)
    if not open_:
        return Evidence(Verdict.SUPPORTED, f"The errors fall significantly in all {len(falling)} series.", numbers)
    return Evidence(Verdict.UNDECIDED, f"{len(falling)} of {len(sides)} fall; not {'; '.join(open_)}", numbers)
