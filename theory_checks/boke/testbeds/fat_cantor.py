"""A kernel of Assumption 3 whose nearest-neighbour extension is discontinuous on a set of positive measure.

Psi may vanish inside its support. This Psi vanishes on a Smith-Volterra-Cantor set C, which is closed, has no interior
and has positive length. At a point of C that is nearer to another data point, the extension gives the value of that
data point; arbitrarily close, in the gaps of C, the data point with positive weight gives the value.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

LEVELS = (6, 10)
"""The construction steps of C whose intervals bracket the discontinuities."""
STEP = Fraction(1, 20)
"""A bracket counts where m_t varies by at least this share of the range of y."""
DATA = {"kernel": "fat_cantor", "data_x": ["0", "5/4"], "data_y": ["1", "-1"], "h": 1}
"""The dataset: beyond 5/8 the second point is nearer. From 3/4 to 1 the second point has no weight, and the first point
has weight off C alone."""

Interval = tuple[Fraction, Fraction]


def cantor_distance(r: Fraction, levels: int) -> Fraction:
    """Distance of r in [1/2, 1] from the Smith-Volterra-Cantor set C of [1/2, 1].

    Step n = 1, 2, ... removes from the middle of each of the 2^(n-1) intervals an open gap of length 4^-n / 2; the rest
    has length 1/4. A point that lies in no gap of the first `levels` steps counts as a point of C, which is exact for
    endpoints of gaps and intervals.
    """
    low, high = Fraction(1, 2), Fraction(1)
    for level in range(1, levels + 1):
        left, right = _gap(low, high, level)
        if left < r < right:
            return min(r - left, right - r)
        low, high = (low, left) if r <= left else (right, high)
    return Fraction(0)


def _gap(low: Fraction, high: Fraction, level: int) -> Interval:
    """The open gap that step `level` removes from the interval [low, high] of the set's construction."""
    middle, half = (low + high) / 2, Fraction(1, 4**level * 4)
    return middle - half, middle + half


def fat_cantor(u: Fraction, levels: int = 24) -> Fraction:
    """Psi on the line: 1 - 8|u| up to 1/8, zero up to 1/2, the distance to C up to 1, zero beyond.

    Psi is symmetric, non-negative, Lipschitz, at most Psi(0) = 1, and zero outside radius R = 1: Assumption 3 holds.
    """
    r = abs(u)
    if r < Fraction(1, 8):
        return 1 - 8 * r
    return cantor_distance(r, levels) if Fraction(1, 2) <= r <= 1 else Fraction(0)


def regression(x: Fraction, data_x: Sequence[Fraction], data_y: Sequence[Fraction]) -> Fraction:
    """Kernel regression with the nearest-neighbour extension, on the line, for `fat_cantor` with h = 1."""
    weights = [fat_cantor(x - item) for item in data_x]
    total = sum(weights, Fraction(0))
    if total > 0:
        return sum((w * y for w, y in zip(weights, data_y, strict=True)), Fraction(0)) / total
    distances = [abs(x - item) for item in data_x]
    chosen = [y for y, distance in zip(data_y, distances, strict=True) if distance == min(distances)]
    return sum(chosen, Fraction(0)) / len(chosen)


def discontinuity_lengths(stored: Mapping[str, Any], levels: Sequence[int] = LEVELS) -> list[Fraction]:
    """Total length of the construction intervals of C in [3/4, 1], at each level, on which m_t varies by a step.

    m_t is evaluated at both ends of each interval, which belong to C, and inside the gap that the next step removes.
    The discontinuities have positive length if the totals have a positive limit: on `DATA` the total is 1/8 + 2^-(n+3)
    at level n.
    """
    data_x, data_y = ([Fraction(item) for item in stored[name]] for name in ("data_x", "data_y"))
    least = STEP * (max(data_y) - min(data_y))
    totals = {}
    intervals = [(_gap(Fraction(1, 2), Fraction(1), 1)[1], Fraction(1))]
    for level in range(1, max(levels) + 1):
        gaps = [_gap(low, high, level + 1) for low, high in intervals]
        if level in levels:
            totals[level] = sum(
                (
                    high - low
                    for (low, high), (left, right) in zip(intervals, gaps, strict=True)
                    if _range([regression(x, data_x, data_y) for x in (low, (left + right) / 2, high)]) >= least
                ),
                Fraction(0),
            )
        pairs = zip(intervals, gaps, strict=True)
        intervals = [half for (low, high), (left, right) in pairs for half in ((low, left), (right, high))]
    return [totals[level] for level in levels]


def _range(values: Sequence[Fraction]) -> Fraction:
    return max(values) - min(values)
