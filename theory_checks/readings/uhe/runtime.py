"""The readings of Figure 5 (right), section 7.2: the running time of UHE-BO against MAP's and MCMC's.

Seconds are those of whole runs of our compiled code. All methods have the same search effort for the acquisition and
the same number of starts of a fit. The paper leaves both open, and `uhe.fig5_effort` times UHE-BO and MAP under two
other efforts. MCMC has no fit, so that restarts do not change its times, and a harder search only lengthens these.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from experiments.uhe.fig5_effort import CANDIDATES, RESTARTS
from theory_checks import study_results
from theory_checks.paired_seeds import Undecided, shared, stored
from theory_checks.readings.declaration import Circumstance, Key, Measure, Reading, declare, orders

STUDY, TUNING, EFFORT = "uhe.fig5_runtime", "uhe.fig2_tuning", "uhe.fig5_effort"
BENCHMARKS, TASK = ("deceptive2", "hartmann3"), "rf_wilt"
PROBLEMS = (*BENCHMARKS, TASK)
OURS, MAP, MCMC = "uhe_bo", "gp_ucb_map", "gp_ucb_mcmc"
EFFORTS = {
    "ordinary": "that of all studies",
    "search": f"{CANDIDATES:,} candidates, ten times as many starts",
    "restarts": f"fits from {RESTARTS} starts",
}
BOUND = "MCMC under the harder search on the benchmarks: no study runs it, and a bound from below does not decide"
SIMILAR = 2.0
"""Similar running times differ by at most this factor; "much faster" is by more."""
Runs = dict[Key, Result]


def seconds(result: Result) -> np.ndarray:
    """CPU seconds of a run, (repetitions,)."""
    return result.arrays["seconds"]


MEASURES = tuple(
    Measure(name, seconds, compare, "student", math.log10(1.5), math.log10(SIMILAR))
    for name, compare in (("ratio of mean CPU seconds", "ratio of means"), ("paired ratios of CPU seconds", "ratio"))
)
"""The smallest effect is a factor of 1.5; the margin is that of "similar" and of "much faster"."""


def split(result: Result) -> Runs:
    """(problem, method) -> CPU seconds. A benchmark's result has all methods; a result on the forest has one method and
    does not count the objective's seconds."""
    problem, method, arrays = result.config["problem"], result.config["policy"], result.arrays
    if problem == TASK:
        own = {method: np.asarray(arrays["proposal_seconds"], float).sum(axis=1)}
    else:
        own = {
            name: np.asarray(arrays[f"cpu_seconds_{name}"], float)
            for name in (OURS, MAP, MCMC)
            if f"cpu_seconds_{name}" in arrays
        }
    return {(problem, name): Result(result.config, {"seconds": row}, result.metadata) for name, row in own.items()}


def ordinary(scale: str) -> Runs:
    """The times under the effort of all studies."""
    found = stored(STUDY, scale, [(problem, "all") for problem in BENCHMARKS])
    found |= stored(TUNING, scale, [(TASK, name) for name in (OURS, MAP, MCMC)])
    return {key: one for result in found.values() for key, one in split(result).items()}


def times(scale: str) -> Iterator[Circumstance]:
    """Every effort; MCMC without new runs has its ordinary times where these decide."""
    main = ordinary(scale)
    yield Circumstance({"effort": "ordinary"}, main)
    try:
        others = stored(EFFORT, scale, key=lambda one: (one.config["options"]["arm"], *map(one.config.get, _PLACE)))
    except Undecided:
        others = {}
    for effort in list(EFFORTS)[1:]:
        found = {
            key: one for (arm, *_), result in others.items() if arm == effort for key, one in split(result).items()
        }
        missing = "" if len(found) >= 2 * len(PROBLEMS) else study_results.how_to_get(EFFORT, scale)
        for problem in PROBLEMS:
            if (problem, MCMC) in found or (problem, OURS) not in found:
                continue
            if effort == "restarts" or faster(found[problem, OURS], main[problem, MCMC]):
                found[problem, MCMC] = main[problem, MCMC]
            else:
                missing = missing or BOUND
        yield Circumstance({"effort": effort}, found, missing)


_PLACE = ("problem", "policy")


def faster(ours: Result, bound: Result) -> bool:
    """True where our mean is below half of the bound's on their common seeds, which longer times of the peer
    strengthen."""
    own, other = seconds(ours)[shared(ours, bound)], seconds(bound)[shared(bound, ours)]
    return bool(own.mean() * SIMILAR < other.mean())


FIELDS: dict[str, Any] = {
    "paper": "D",
    "where": "Figure 5 (right), section 7.2",
    "says": "The running time of our approach is similar to MAP whilst much faster than MCMC.",
    "needs": (STUDY, TUNING, EFFORT),
    "measures": MEASURES,
    "source": times,
    "baseline": "",
    "questions": {"effort": "; ".join(f"{name}, {text}" for name, text in EFFORTS.items())},
    "deviations": (
        f"similar: a factor of at most {SIMILAR:g} either way; much faster: by more than {SIMILAR:g}",
        "times of the implementations here; on the forest without the objective's",
    ),
}

fig5_runtime = declare(
    Reading(
        id="uhe.fig5_runtime",
        title="UHE-BO's run time is similar to MAP's",
        means="On Deceptive, on Hartmann3 and on the forest a run of UHE-BO takes about as long as one of MAP.",
        orders=orders((OURS,), (MAP,), PROBLEMS, "similar"),
        **FIELDS,
    ),
    __name__,
)

fig5_runtime_mcmc = declare(
    Reading(
        id="uhe.fig5_runtime_mcmc",
        title="UHE-BO is much faster than MCMC",
        means="On Deceptive, on Hartmann3 and on the forest a run of UHE-BO is much faster than one of MCMC.",
        orders=orders((OURS,), (MCMC,), PROBLEMS, "better by"),
        **FIELDS,
    ),
    __name__,
)
