"""Theorem 2 [4.1], the pointwise error bound of kernel regression, as printed and as repaired for adaptive designs."""

import math
from typing import Any

import numpy as np

NEGLIGIBLE = 1e-3
"""The bound is vacuous if its failure probability never exceeds this share of delta."""


def half_width(weight: Any, bound: float, delta: float, form: str = "printed") -> Any:
    """The noise part of the bound in units of the sub-Gaussian parameter, for W_t(x) = `weight` and M_Psi = `bound`.

    "printed": sqrt(2 M log(2/delta) / W). "repaired": sqrt(M (1 + 1/W) log((1 + W)/delta^2) / W).
    """
    if form == "printed":
        return np.sqrt(2 * bound * math.log(2 / delta) / weight)
    return np.sqrt(bound * (1 + 1 / weight) * np.log((1 + weight) / delta**2) / weight)
