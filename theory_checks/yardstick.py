"""Vacuous regret bounds: one rule for every paper compares a bound with the trivial one.

A bound B(T), with the constants of its proof, says nothing at T where it is at least the trivial bound, the loss of a
method that always takes the worst decision. A bound is vacuous where it says nothing at any T up to REACH, which is
more evaluations than anybody makes.
"""

import math
from collections.abc import Callable

REACH = 10**6
LARGEST = 80
"""log2 of the largest T tried."""
Bound = Callable[[float], float]


def informative_from(bound: Bound, trivial: Bound) -> float:
    """The smallest power of two, at least 4, from which the bound is below the trivial one up to 2^80; infinity for
    none."""
    last = math.inf
    for exponent in range(LARGEST, 1, -1):
        if bound(2.0**exponent) >= trivial(2.0**exponent):
            break
        last = 2.0**exponent
    return last


def says_nothing(bound: Bound, trivial: Bound) -> bool:
    """True where the bound is at least the trivial one at every power of two up to REACH."""
    return all(bound(2.0**k) >= trivial(2.0**k) for k in range(2, int(math.log2(REACH)) + 1))


RULE = f"""vacuous if with the constants of the proof the bound is at least the trivial one at every T up to
    {REACH:,}"""
"""The common part of the rules that use this module."""
