"""Table 2: the distance of the estimated from the true context density, judged on the stored results of its study.

The table's caption says "total variation" and section 3.2 defines it without the factor 1/2; the set of integration and
whether contexts are clipped are not said. The study computes four readings; the table is reproduced if one of them
agrees in all eight cells.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.stats import norm

from experiments.ctx.table2 import COUNTS, RUNS, VARIANTS
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.pairs import Undecided, stored
from theory_checks.readings import reading
from theory_checks.scales import ByScale

PRINTED = {
    "normal": ((0.3222, 0.0327), (0.1315, 0.0088), (0.1156, 0.0079), (0.0962, 0.0083)),
    "complicated": ((0.6216, 0.0190), (0.5380, 0.0333), (0.4853, 0.0233), (0.4724, 0.0258)),
}
"""Mean and what follows the sign +-, at 10, 100, 200 and 300 contexts; the latter is of the size of a standard error of
20 runs (the deviation of one run is 4.5 times as large)."""
CELLS = len(PRINTED) * len(COUNTS)
FEWEST = 20
"""Runs of the table; with fewer nothing is said."""
FAR = 0.3
"""A relative difference beyond this, when significant, is no longer one of rounding, bandwidth or quadrature."""


def compare(distances: dict[str, np.ndarray], variant: int, factor: float) -> dict[str, Any]:
    """z of every cell, (ours - factor printed) over the root of both squared standard errors, and relative
    differences."""
    z, relative = {}, {}
    for name, cells in PRINTED.items():
        for j, (mean, error) in enumerate(cells):
            ours = distances[name][:, j, variant]
            own = float(ours.std(ddof=1) / math.sqrt(len(ours)))
            key = f"{name}, n = {COUNTS[j]}"
            z[key] = float((ours.mean() - factor * mean) / math.hypot(own, factor * error))
            relative[key] = float(ours.mean() / (factor * mean) - 1)
    return {"z": z, "relative": relative, "mean_square_z": float(np.mean(np.square(list(z.values()))))}


@reading(
    id="ctx.table2_values",
    paper="C",
    number="Table 2",
    statement="""The mean total variation between p^ and p after n = 10, 100, 200, 300 contexts is 0.3222, 0.1315,
    0.1156, 0.0962 (normal) and 0.6216, 0.5380, 0.4853, 0.4724 (complicated).""",
    hypotheses=("rule-of-thumb bandwidth", "int |p^ - p|, set of integration and clipping unsaid", "20 runs"),
    rule=f"""Stored results of ctx.table2 ({ByScale(**RUNS)} runs at smoke / quick / paper), four readings: integral
    over the line or [0, 1], contexts as drawn or clipped. Supported if in one reading no cell differs significantly
    (normal approximation with both standard errors, shared level over {CELLS} cells); refuted if in every reading a
    cell does and is off by more than {FAR:.0%}; otherwise inconclusive.""",
    control={"factor": 0.7},
    control_statement="The printed numbers times 0.7.",
    tests=CELLS * len(VARIANTS),
    needs=("ctx.table2",),
    replay=None,
)
def table2_values(scale: str, *, factor: float = 1.0) -> Evidence:
    """Printed against computed means, reading by reading."""
    results = stored("ctx.table2", scale, [(name, "kernel_density") for name in PRINTED])
    distances = {name: np.asarray(one.arrays["distance"]) for (name, _), one in results.items()}
    if (fewest := min(map(len, distances.values()))) < FEWEST:
        raise Undecided(f"only {fewest} runs at scale {scale}, the table has {FEWEST}")
    limit = float(norm.isf(level("C") / 2))
    rows = {variant: compare(distances, k, factor) for k, variant in enumerate(VARIANTS)}
    means = {
        f"{name}, {variant}": distances[name][:, :, k].mean(axis=0)
        for name in PRINTED
        for k, variant in enumerate(VARIANTS)
    }
    numbers = {
        "readings": rows,
        "means": means,
        "limit": limit,
        "runs": {name: len(d) for name, d in distances.items()},
    }
    agreeing = [name for name, row in rows.items() if max(map(abs, row["z"].values())) <= limit]
    order = sorted(rows, key=lambda name: rows[name]["mean_square_z"])
    if agreeing:
        closeness = ", ".join(f"{rows[name]['mean_square_z']:.1f} ({name})" for name in order)
        summary = f"no cell differs for: {'; '.join(agreeing)}. Mean z^2 of the readings: {closeness}"
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    far = all(
        any(abs(z) > limit and abs(row["relative"][cell]) > FAR for cell, z in row["z"].items())
        for row in rows.values()
    )
    summary = f"closest: {order[0]}, largest |z| {max(map(abs, rows[order[0]]['z'].values())):.1f} (limit {limit:.1f})"
    return Evidence(Verdict.REFUTED if far else Verdict.INCONCLUSIVE, summary, numbers)
