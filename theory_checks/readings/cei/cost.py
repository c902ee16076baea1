"""The reading of the paper's remarks on cost: seconds of Monte-Carlo acquisitions against analytic ones."""

from collections.abc import Iterator, Mapping

import numpy as np

from experiments.cei.cost import SEPARATE
from experiments.engine.result_file import Result
from theory_checks.paired_seeds import stored
from theory_checks.readings.declaration import Circumstance, Measure, Reading, declare, orders

ANALYTIC = ("corrected_ei", "ei", "corrected_pi", "pi", "gp_ucb_refit")
MONTE_CARLO = ("noisy_ei", "qnei")
IMPLEMENTATIONS: Mapping[str, Mapping[str, str]] = {
    "shared": {name: name for name in MONTE_CARLO},
    "separate": dict(zip(MONTE_CARLO, SEPARATE, strict=True)),
}
"""Sharing of work between models and samples -> method -> name in the study."""
SECONDS = "seconds"


def timed(scale: str) -> Iterator[Circumstance]:
    """(dimension, method) -> `seconds` (data sets,), with and without the fit's seconds, by implementation."""
    found = {dimension: one for (dimension, _), one in stored("cei.cost", scale).items()}
    for counted in ("fit and proposal", "proposal"):
        for name, stands_for in IMPLEMENTATIONS.items():
            results = {}
            for dimension, one in found.items():
                fit = np.asarray(one.arrays["seconds_fit"]) if counted == "fit and proposal" else 0.0
                for method in (*ANALYTIC, *MONTE_CARLO):
                    seconds = np.asarray(one.arrays[f"seconds_{stands_for.get(method, method)}"]) + fit
                    results[dimension, method] = Result(one.config, {SECONDS: np.ravel(seconds)}, {})
            yield Circumstance({"counted": counted, "implementation": name}, results)


def seconds(one: Result) -> np.ndarray:
    """(data sets,) CPU seconds."""
    return np.asarray(one.arrays[SECONDS])


cost_analytic = declare(
    Reading(
        id="cei.cost_analytic",
        title="Sampling acquisitions cost more than analytic ones",
        paper="B",
        where="section 5.1, remarks on computational cost",
        says="resulting in significantly higher computational costs for these two methods compared to analytic "
        "acquisition functions.",
        means="Noisy EI with 20 noiseless models and parallel noisy EI with 256 quasi-random samples cost at least "
        "twice the CPU seconds of each analytic acquisition function.",
        deviations=(
            "significantly: at least twice",
            "q = 1, the same model and search effort, one core",
            "48 data sets are 16 seeds at each of three sizes, which count as 48 seeds",
        ),
        needs=("cei.cost",),
        orders=orders(ANALYTIC, MONTE_CARLO, ("d3", "d6"), "better by"),
        measures=(
            Measure("mean seconds", seconds, "ratio of means", "student", float(np.log10(2.0))),
            Measure("paired ratios of seconds", seconds, "ratio", "wilcoxon", float(np.log10(2.0))),
        ),
        source=timed,
        over="pooled",
        baseline="",
        questions={
            "counted": "the paper counts inferring the hyperparameters and maximising the acquisition; or the latter "
            "alone",
            "implementation": "shared, one factor for all models and samples; or separate, as the formulas say",
        },
    ),
    __name__,
)
