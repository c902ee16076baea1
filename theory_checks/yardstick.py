"""Vacuous regret bounds: the proof's constants against the trivial bound, by one rule for every paper.

A bound B(T), with the constants of its proof, says nothing at T where it is at least the trivial bound, the loss of a
method that always takes the worst decision. `vacuous` is a bound that says nothing at any T up to REACH, more
evaluations than anybody makes: not one that says nothing at the few T that a check can afford.
"""

import math
from collections.abc import Callable

REACH = 10**6
LARGEST = 80
"""log2 of the largest T tried."""
Bound = Callable[[float], float]


def informative_from(bound: Bound, trivial: Bound) -> float:
    """The power of two, from 4 on, from which the bound stays below the trivial one up to 2^80; infinity for none."""
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
