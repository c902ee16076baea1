"""Test problems and noise models. ``get("hartmann3", noise=GaussianNoise(0.1))`` is the way in.

Every problem is a pure JAX function on the unit cube, to be maximised; see :class:`Problem` for the conventions.
"""

import core  # noqa: F401  (double precision must be on before the first array is made)
from experiments.problems.noise import (
    BoundedNoise,
    GaussianNoise,
    HeteroscedasticNoise,
    Noise,
    NoNoise,
    relative_noise,
)
from experiments.problems.problem import Problem
from experiments.problems.registry import NAMES, get
from experiments.problems.reported_noise import ReportedNoise
from experiments.problems.sample_path import SamplePath, sample_path

__all__ = [
    "NAMES",
    "BoundedNoise",
    "GaussianNoise",
    "HeteroscedasticNoise",
    "NoNoise",
    "Noise",
    "Problem",
    "ReportedNoise",
    "SamplePath",
    "get",
    "relative_noise",
    "sample_path",
]
