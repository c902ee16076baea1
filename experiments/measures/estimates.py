"""Errors of estimated hyperparameters."""

from __future__ import annotations

import numpy as np

from experiments.engine.result_file import Result


def lengthscale_error(result: Result, data: str) -> np.ndarray:
    """(paths,) |log(l^ / l)| of the lengthscale of largest density, from "optimisation" or "iid" data of a path."""
    truth = float(result.arrays["true_lengthscale"])
    return np.abs(np.log(np.asarray(result.arrays[f"map_{data}"]) / truth))
