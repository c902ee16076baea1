"""Convergent sequences on which the lemmas of sections 4.1 and B.2 are tried."""

import math
from collections.abc import Callable

import numpy as np

SEQUENCES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "constant": lambda i: np.zeros(len(i)),
    "1/i": lambda i: 1.0 / i,
    "(-1)^i / sqrt(i)": lambda i: (-1.0) ** i / np.sqrt(i),
    "1/log(i)": lambda i: 1.0 / np.log(i + math.e),
    "far away until 20": lambda i: np.where(i < 20, 5.0, 2.0**-i),
}
"""x_i - x' along a line, i = 1, 2, ...; x' is the origin."""
