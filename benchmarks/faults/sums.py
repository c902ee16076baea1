"""The campaign's study: kernel regression of seeded noise, A (5), by numpy alone, so that a run takes seconds.

Its results do not compress, so that a small disk is soon full of them.
"""

import numpy as np

from experiments.engine.study import Cell, Study

CELLS = 6
POINTS, QUERIES, REPEATS = 2_000, 2_500, 2


def cells(scale: str) -> list[Cell]:
    """The same at every scale."""
    del scale
    return [Cell("noise", f"width{i}", (2 * i, 2 * i + 1), {"width": 0.05 * (i + 1)}) for i in range(CELLS)]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """``sum_i k(x, x_i) y_i / sum_i k(x, x_i)`` at random x in the unit interval, Gaussian kernel; one row a seed."""
    rows = []
    for seed in cell.seeds:
        draw = np.random.default_rng(seed)
        x, y, queries = draw.random(POINTS), draw.normal(size=POINTS), draw.random(QUERIES)
        mean = np.zeros(QUERIES)
        for _ in range(REPEATS):  # a pause, as in a longer run, so that a kill finds the run at work
            weights = np.exp(-0.5 * ((queries[:, None] - x[None, :]) / cell.options["width"]) ** 2)
            mean = (weights @ y) / weights.sum(axis=1)
        rows.append(mean)
    return {"mean": np.stack(rows), "first": np.array([row[0] for row in rows])}


STUDY = Study(__name__, title="Kernel regression of noise", caption="", cells=cells, run=run)
