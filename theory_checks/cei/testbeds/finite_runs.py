"""Corrected EI on a finite set X, in numpy: the argmax is exact, and all runs advance together.

The incumbent is the observed point with the largest posterior mean. The proposal maximises the logarithm of B (7) over
X, which does not underflow; the first of equal points is taken. The kernel is fixed and known, as the theory assumes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from theory_checks.cei.testbeds.normal import log_corrected_ei


@dataclass(frozen=True)
class Runs:
    """The history of the runs, arrays (runs, T) over the proposals; deviations are those before the observation."""

    index: np.ndarray
    incumbent: np.ndarray
    log_acquisition: np.ndarray
    deviation: np.ndarray
    incumbent_deviation: np.ndarray
    optimum_deviation: np.ndarray
    event_ratio: np.ndarray
    """max over X of |mu - f| / sigma before each proposal; the event of Lemma 4.1 needs at most sqrt(beta_t)."""

    def regret(self, value: np.ndarray) -> np.ndarray:
        """R_t (runs, T): cumulative regret of the proposals; f as in `run`."""
        values = np.broadcast_to(value, (len(self.index), np.shape(value)[-1]))
        best = values.max(axis=1, keepdims=True)
        summed: np.ndarray = np.cumsum(best - np.take_along_axis(values, self.index, axis=1), axis=1)
        return summed


def run(
    covariance: np.ndarray,
    value: np.ndarray,
    deviation: float,
    initial: Sequence[int],
    noise: np.ndarray,
    *,
    corrected: bool = True,
    ucb: float | None = None,
) -> Runs:
    """Observes the `initial` points once, then makes proposals; `noise` (runs, len(initial) + T) is in units of y.

    `value` is f on X, (n,), or a function for each run, (runs, n). The method is EI, B (5), where `corrected` is false,
    and GP-UCB, mu + `ucb` sigma, where `ucb` is given.
    """
    runs, n = len(noise), value.shape[-1]
    rows, value = np.arange(runs), np.broadcast_to(value, (runs, n))
    mean = np.zeros((runs, n))
    posterior = np.broadcast_to(covariance, (runs, n, n)).copy()
    seen = np.zeros((runs, n), bool)

    def observe(index: np.ndarray, y: np.ndarray) -> None:
        nonlocal mean
        column = posterior[rows, :, index]
        total = column[rows, index] + deviation**2
        mean = mean + column * ((y - mean[rows, index]) / total)[:, None]
        posterior[...] -= column[:, :, None] * (column / total[:, None])[:, None, :]
        seen[rows, index] = True

    for count, point in enumerate(initial):
        index = np.full(runs, point)
        observe(index, value[rows, index] + noise[:, count])
    star = np.argmax(value, axis=1)
    records: list[tuple[np.ndarray, ...]] = []
    for step in range(noise.shape[1] - len(initial)):
        variance = np.maximum(np.einsum("rii->ri", posterior), 0.0)
        best = np.argmax(np.where(seen, mean, -np.inf), axis=1)
        squared = variance
        if corrected:
            squared = variance + variance[rows, best][:, None] - 2 * posterior[rows, :, best]
            squared[rows, best] = 0.0
        acquisition = log_corrected_ei(mean - mean[rows, best][:, None], np.sqrt(np.maximum(squared, 0.0)))
        sigma = np.sqrt(variance)
        chosen = np.argmax(acquisition if ucb is None else mean + ucb * sigma, axis=1)
        ratio = np.max(np.abs(mean - value) / np.maximum(sigma, 1e-12), axis=1)
        records.append(
            (chosen, best, acquisition[rows, chosen], sigma[rows, chosen], sigma[rows, best], sigma[rows, star], ratio)
        )
        observe(chosen, value[rows, chosen] + noise[:, len(initial) + step])
    return Runs(*(np.stack(column, axis=1) for column in zip(*records, strict=True)))
