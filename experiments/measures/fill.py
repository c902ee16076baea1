"""Fill distances of stored designs, A (13), and their decrease as points are added."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from experiments.engine.result_file import Result

FIRST_T = 10
"""The least number of points: the corners of the cube dominate the fill distances of fewer points."""


class Fill(NamedTuple):
    """Numbers of points t (k,), and fill distances (s, k) at them."""

    t: np.ndarray
    distance: np.ndarray


def late(result: Result) -> Fill:
    """The stored values from `FIRST_T` points on."""
    kept = result.arrays["t"] >= FIRST_T
    return Fill(np.asarray(result.arrays["t"])[kept], np.asarray(result.arrays["fill_distance"])[:, kept])


def mean_fill(result: Result) -> Float[np.ndarray, " s"]:
    """Geometric mean over t of the fill distance of each run."""
    found: np.ndarray = np.exp(np.log(late(result).distance).mean(axis=1))
    return found


def fill_slope(fill: Fill) -> Float[np.ndarray, " s"]:
    """Least-squares slope of log fill distance in log t of each run."""
    centred = np.log(fill.t) - np.log(fill.t).mean()
    found: np.ndarray = np.log(fill.distance) @ centred / (centred @ centred)
    return found


def jackknifed_slopes(fill: Fill) -> Float[np.ndarray, " s"]:
    """Pseudo-values of the slope of the log mean fill distance in log t: their mean is the jackknife's estimate.

    The mean over runs falls as what a figure shows; the slope of each run need not (Efron and Tibshirani 1993, ch. 11).
    """
    count = len(fill.distance)
    [whole] = fill_slope(Fill(fill.t, fill.distance.mean(axis=0, keepdims=True)))
    less_one = fill_slope(Fill(fill.t, (fill.distance.sum(axis=0) - fill.distance) / (count - 1)))
    found: np.ndarray = count * whole - (count - 1) * less_one
    return found
