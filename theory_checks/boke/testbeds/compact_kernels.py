"""Kernels inside Assumption 3, as profiles of the scaled distance ||x - x'|| / h: the paper's and hostile ones.

Assumption 3 asks for a continuous non-negative Psi with Psi(0) = 1 that vanishes outside radius R and is bounded by
M_Psi. Psi need not decrease, be positive inside the radius, or be at most one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gamma


@dataclass(frozen=True)
class Profile:
    """A radial kernel Psi(u) = value(||u||), with R = 1.

    `bound` is M_Psi. Psi is at least `floor` > 0 for ||u|| <= `core` (continuity at the origin), and positive for ||u||
    < `positive`.
    """

    name: str
    value: Callable[[np.ndarray], np.ndarray]
    bound: float
    core: float
    floor: float
    positive: float

    def __call__(self, ratio: ArrayLike) -> np.ndarray:
        """Psi at the scaled distance."""
        return self.value(np.asarray(ratio, float))


RADIUS = 1.0
"""R of every profile, and of core's Epanechnikov kernel."""

EPANECHNIKOV = Profile("epanechnikov", lambda r: 1 - np.minimum(r, 1.0) ** 2, 1.0, 0.5, 0.75, 1.0)
PLATEAU = Profile("plateau", lambda r: np.clip(10 * (1 - r), 0.0, 1.0), 1.0, 0.9, 1.0, 1.0)
"""A kernel that is 1 up to 0.9 and falls linearly to 0: the weight is 1 even near the edge of the support."""
RING = Profile("ring", lambda r: np.clip(np.where(r < 0.5, 1 + 4 * r, 6 * (1 - r)), 0.0, 3.0), 3.0, 0.5, 1.0, 1.0)
"""A kernel that grows from 1 at the origin to M_Psi = 3 at half the radius: distant points can weigh more."""
NEEDLE = Profile(
    "needle",
    lambda r: np.where(r < 1, np.maximum(1 - 5 * r, 0.0) + np.maximum(1 - 10 * np.abs(r - 0.9), 0.0), 0.0),
    1.0,
    0.1,
    0.5,
    0.2,
)
"""A kernel with a tent of radius 0.2 and a shell around 0.9, zero between them: W_t(x) can be 0 close to data."""

PROFILES = {profile.name: profile for profile in (EPANECHNIKOV, PLATEAU, RING, NEEDLE)}


def packing_bound(separation: float, dim: int) -> int:
    """An upper bound of the number of points of [0, 1]^d at pairwise Euclidean distance >= `separation`.

    The balls of radius `separation` / 2 are disjoint and lie in a cube of side 1 + separation, which has the larger
    volume.
    """
    ball = np.pi ** (dim / 2) / gamma(dim / 2 + 1) * (separation / 2) ** dim
    return int(np.floor((1 + separation) ** dim / ball + 1e-9))
