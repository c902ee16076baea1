"""Measures of Paper A's pictures of one-dimensional draws (Figures 1, 2 and 5), one value a draw."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from experiments.engine.result_file import Result

SMALL, CHOSEN = 0, 1
"""The positions of the small bandwidth and of the cross-validated one among the three of Figures 1 and 2."""


def explained(result: Result, bandwidth: int) -> Float[np.ndarray, " s"]:
    """1 - mean (m - f)^2 / Var f over the grid: 1 where m is f, 0 where it is as good as the mean of f."""
    truth = result.arrays["truth"]
    return np.asarray(1.0 - ((result.arrays["mean"][:, bandwidth] - truth) ** 2).mean(axis=1) / truth.var())


def correlation(result: Result, bandwidth: int) -> Float[np.ndarray, " s"]:
    """Squared correlation of m and f over the grid: 1 where m has the shape of f, up to shift and scale."""
    truth = result.arrays["truth"]
    return np.array([np.corrcoef(mean, truth)[0, 1] ** 2 for mean in result.arrays["mean"][:, bandwidth]])


def from_nearest(result: Result) -> Float[np.ndarray, " s"]:
    """Root mean square of m at the small bandwidth less the nearest observation, over the deviation of f."""
    x, y, grid = (result.arrays[name] for name in ("x", "y", "grid"))
    nearest = np.abs(grid[None, :, None] - x[:, None, :]).argmin(axis=2)
    apart = result.arrays["mean"][:, SMALL] - np.take_along_axis(y, nearest, axis=1)
    return np.asarray(np.sqrt((apart**2).mean(axis=1)) / result.arrays["truth"].std())


def peaks(result: Result) -> Float[np.ndarray, " s"]:
    """1 where the density at the chosen bandwidth has a peak on either side of the middle between the two peaks of the
    model, else 0."""
    grid, truth = result.arrays["grid"], result.arrays["truth"]
    modes = grid[_maxima(truth)]
    middle = float(modes.mean())
    found = []
    for density in result.arrays["density"][:, CHOSEN]:
        places = grid[_maxima(density)]
        found.append(float(any(places < middle) and any(places > middle)))
    return np.array(found)


def _maxima(values: np.ndarray) -> np.ndarray:
    return np.flatnonzero((values[1:-1] > values[:-2]) & (values[1:-1] >= values[2:])) + 1


def objective(result: Result) -> Float[np.ndarray, " s"]:
    """Mean noise-free value of the points chosen after the initial design, over the range of the function."""
    arrays = result.arrays
    if "objective" in arrays:
        return np.asarray(arrays["objective"], float)
    chosen = arrays["value"][:, int(arrays["initial_size"]) :].mean(axis=1)
    return np.asarray((chosen - arrays["truth"].min()) / np.ptp(arrays["truth"]))


def spread(result: Result) -> Float[np.ndarray, " s"]:
    """Standard deviation of the points chosen after the initial design, in the unit interval."""
    if "spread" in result.arrays:
        return np.asarray(result.arrays["spread"], float)
    return np.asarray(result.arrays["x"][:, int(result.arrays["initial_size"]) :].std(axis=1))
