"""The exponent of an error in the number of data, with a bootstrap interval."""

import numpy as np
from scipy import stats

RESAMPLES = 400
SEED = 4005


def exponent(times: tuple[int, ...], values: np.ndarray, alpha: float) -> dict[str, float]:
    """Exponent in t of the root mean square of values (runs, len(times)), with the bootstrap's normal interval at level
    1 - alpha; runs of different t are independent."""
    centred = np.log(times) - np.log(times).mean()
    centred /= centred @ centred
    rng = np.random.default_rng(SEED)
    rows = rng.integers(len(values), size=(RESAMPLES, *values.shape))
    squares = np.take_along_axis((values**2)[None], rows, axis=1).mean(axis=1)
    deviation = float((0.5 * np.log(squares) @ centred).std(ddof=1))
    estimate = float(0.5 * np.log((values**2).mean(axis=0)) @ centred)
    half = float(stats.norm.isf(alpha / 2)) * deviation
    return {"exponent": estimate, "low": estimate - half, "high": estimate + half}
