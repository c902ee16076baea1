"""The lists of functions with their purposes, and the rule by which a contestant is first, tied or behind.

Three lists, fixed before any run: the first *ten*, which earlier versions of the default were measured on; ten
*others*, on which nothing was chosen; *development*, on which settings of the default are compared, and which decides
nothing else. The first two are run with exact observations and with normal noise, whose standard deviation is
``NOISE`` times the median regret of a uniform point (:attr:`benchmarks.peers.functions.Function.scale`); two tunings of
models on real data (:mod:`benchmarks.peers.tunings`), whose spaces are mixed, stand beside them.

The rule, on each of the four sets by itself: a contestant's aggregate is the mean over functions and seeds of log10 of
the share of regret left (:mod:`benchmarks.peers.summary`). Regret is that of the best point evaluated where
observations are exact. Under noise it is that of the point which the library names at the end: the one it recommends,
where it recommends one, else the one of the best value observed. *First* is the least aggregate. *Tied* is whoever's
difference from the least has a 95 % interval that holds zero, by the bootstrap over seeds within functions. All else is
*behind*. On a tuning the same rule holds for the mean over seeds of the final error.
"""

from collections.abc import Mapping

from benchmarks.peers.development import DEVELOPMENT
from benchmarks.peers.functions import TEN, Function
from benchmarks.peers.others import OTHERS

__all__ = ["FUNCTIONS", "LISTS", "NOISE"]

LISTS: Mapping[str, Mapping[str, Function]] = {"ten": TEN, "others": OTHERS, "development": DEVELOPMENT}
"""Functions by name, by list."""

FUNCTIONS: Mapping[str, Function] = {**TEN, **OTHERS, **DEVELOPMENT}
"""All of them by name."""

NOISE = 0.05
"""Standard deviation of the noise in the noisy runs, as a share of a function's scale."""
