"""CPU time of the proposals of a run, and the number of proposals of two methods in the same time."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from experiments.engine.result_file import Result


def spent(seconds: Float[np.ndarray, "s K"]) -> Float[np.ndarray, " K"]:
    """CPU seconds of all proposals up to each one, the mean over the timed runs."""
    total: np.ndarray = np.cumsum(seconds, axis=1).mean(axis=0)
    return total


def equal_time(first: Float[np.ndarray, "s K"], second: Float[np.ndarray, "s K"]) -> tuple[float, int, int]:
    """The CPU seconds that the quicker of two methods spends on all its proposals, and how many proposals each of them
    has made by then. The arguments are the seconds of each proposal."""
    times = spent(first), spent(second)
    shared = min(float(time[-1]) for time in times)
    one, other = (int(np.sum(time <= shared)) for time in times)
    return shared, one, other


def seconds_a_proposal(result: Result) -> np.ndarray:
    """(runs,) CPU seconds a proposal, the mean of a run."""
    arrays = result.arrays
    if "proposal_seconds" in arrays:
        return np.asarray(arrays["proposal_seconds"][:, int(arrays["initial_size"]) :].mean(axis=1))
    if "t" not in arrays:
        return np.asarray(arrays["seconds"].mean(axis=1))
    spans = np.diff(arrays["t"], prepend=0)  # a column is the mean from t/2 to t, and t doubles
    return np.asarray(arrays["seconds"] @ spans / spans.sum())
