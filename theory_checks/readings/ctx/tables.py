"""The readings of Tables 1 and 2: run times, and the distance of the estimated from the true context density."""

from collections.abc import Iterator, Mapping

import numpy as np

from experiments.ctx.table2 import COUNTS, VARIANTS
from experiments.engine.result_file import Result
from theory_checks.ledger import Origin
from theory_checks.paired_seeds import stored
from theory_checks.readings.curve import Setting
from theory_checks.readings.declaration import Circumstance, Measure, Order, Reading, declare
from theory_checks.readings.judgement import Claimed, Comparison, Kind
from theory_checks.readings.statistics import jackknifed

ORDER = (
    ("context_free_ucb", "sbo_kde"),
    ("context_free_ucb", "stable_opt"),
    ("sbo_kde", "drbo_mmd_minimax"),
    ("stable_opt", "drbo_mmd_minimax"),
    ("drbo_mmd_minimax", "drbo_kde"),
    ("drbo_kde", "drbo_mmd"),
)
"""Pairs (faster, slower) of the printed order; the printed times of SBO-KDE and StableOpt, "similar", differ by 7 %."""


def timed(scale: str) -> Iterator[Circumstance]:
    """The CPU seconds of every method."""
    methods = dict.fromkeys(name for pair in ORDER for name in pair)
    yield Circumstance({}, stored("ctx.table1", scale, [("context_ackley", name) for name in methods]))


def cpu_seconds(one: Result) -> np.ndarray:
    """CPU seconds (repetitions,)."""
    return np.asarray(one.arrays["cpu_seconds"], float)


_TENTH = float(np.log10(1.1))
table1_order_here = declare(
    Reading(
        id="ctx.table1_order_here",
        title="Run times here are in the printed order",
        paper="C",
        where="Table 1, measured here",
        says="In this implementation, too, the CPU seconds for 100 evaluations on Ackley are in the printed order: "
        "GP-UCB, SBO-KDE and StableOpt, DRBO-MMD-MinimaxApprox, DRBO-KDE, DRBO-MMD.",
        means="Of each two neighbours in the table the one that is faster there is faster here, by a tenth at least.",
        deviations=(
            "the sentence is ours",
            "compiled code, inner problems in closed form or batched; no CVXPY",
            "the staged search: the same candidates for every method, then 4 refinements, 2 for MinimaxApprox",
        ),
        needs=("ctx.table1",),
        orders=tuple(Order(faster, slower, ("context_ackley",)) for faster, slower in ORDER),
        measures=(
            Measure("mean seconds", cpu_seconds, "ratio of means", "student", _TENTH),
            Measure("mean of log10 of seconds", cpu_seconds, "ratio", "student", _TENTH),
        ),
        source=timed,
        baseline="",
        fewest=5,
        variant_of="ctx.table1_order",
        origin=Origin.HERE,
    ),
    __name__,
)

PRINTED: Mapping[str, tuple[tuple[float, float], ...]] = {
    "normal": ((0.3222, 0.0327), (0.1315, 0.0088), (0.1156, 0.0079), (0.0962, 0.0083)),
    "complicated": ((0.6216, 0.0190), (0.5380, 0.0333), (0.4853, 0.0233), (0.4724, 0.0258)),
}
"""Mean and the printed +- at 10, 100, 200 and 300 contexts; the latter is about a standard error of 20 runs (the
deviation of one run is 4.5 times as large)."""
FAR = 0.3
"""Rounding, bandwidth and quadrature do not explain a larger relative difference."""
RUNS = 20
"""The number of runs of the table; with fewer the reading is open."""


def distances(scale: str) -> Iterator[tuple[dict[str, str], dict[str, np.ndarray]]]:
    """(choices, density -> distances (runs, counts)) for each meaning of the table's distance."""
    found = stored("ctx.table2", scale, [(name, "kernel_density") for name in PRINTED])
    for k, variant in enumerate(VARIANTS):
        domain, contexts = variant.split(", ")
        yield (
            {"integral": domain, "contexts": contexts},
            {name: np.asarray(one.arrays["distance"])[:, :, k] for (name, _), one in found.items()},
        )


def values(scale: str) -> Iterator[Setting]:
    """For each cell, our distances over the printed mean, minus one."""
    for choices, rows in distances(scale):
        means = {name: np.array(cells)[:, 0] for name, cells in PRINTED.items()}
        yield Setting(choices, _cells({name: rows[name] / means[name] - 1 for name in means}, "similar", FAR))


def greater(scale: str) -> Iterator[Setting]:
    """For each number of contexts, log10 of the ratio of mean distances, complicated over normal."""
    for choices, rows in distances(scale):
        ratios = [jackknifed(one, other) for one, other in zip(rows["normal"].T, rows["complicated"].T, strict=True)]
        rows = {"complicated over normal": np.stack(ratios, axis=1)}
        yield Setting(choices, _cells(rows, "better", float(np.log10(1.25))))


def _cells(rows: Mapping[str, np.ndarray], kind: Kind, size: float) -> dict[str, list[Comparison]]:
    """A comparison for each row and number of contexts, from advantages (runs, counts)."""
    every = [
        Comparison(f"{name}, n = {count}", {name: column}, Claimed(kind, size), "student")
        for name, columns in rows.items()
        for count, column in zip(COUNTS, columns.T, strict=True)
    ]
    return {one.name: [one] for one in every}


_OPEN = {
    "integral": "of |p^ - p| over the line or over [0, 1]; the text defines it without the factor 1/2",
    "contexts": "as drawn, or clipped to [0, 1] as the methods are given them",
}
table2_values = declare(
    Reading(
        id="ctx.table2_values",
        title="Total variation between estimate and true density",
        paper="C",
        where="Table 2",
        says="Average total variation of 20 independent runs under different number of samples between PDF estimated "
        "by KDE and the true context distribution in the experiments on Hartmann function.",
        means="The means of the table, 0.3222, 0.1315, 0.1156, 0.0962 (normal) and 0.6216, 0.5380, 0.4853, 0.4724 "
        f"(complicated) at 10, 100, 200, 300 samples, are ours up to {FAR:.0%}.",
        deviations=(f"the tolerance of {FAR:.0%} covers the table's standard errors", "rule-of-thumb bandwidth"),
        needs=("ctx.table2",),
        settings=values,
        questions=_OPEN,
        fewest=RUNS,
    ),
    __name__,
)
table2_greater = declare(
    Reading(
        id="ctx.table2_greater",
        title="The discrepancy is greater for complicated contexts",
        paper="C",
        where="Table 2, appendix E",
        says="We can observe a greater discrepancy under the complicated distribution.",
        means="At each number of samples the mean total variation is greater under the complicated distribution, by a "
        "factor of 1.25 at least.",
        deviations=("rule-of-thumb bandwidth",),
        needs=("ctx.table2",),
        settings=greater,
        questions=_OPEN,
        fewest=RUNS,
    ),
    __name__,
)
