"""Bandwidths of kernel regression and kernel density estimation, from the number and the spread of the data.

The paper prints the rates alone, A (28) and (29), "proportional to", with references to Scott (1992) and Silverman. In
Scott's rule the factor of axis j is the data's standard deviation along it, here in units of the unit cube's side,

    h_j = c s_j t^(-1/(d+4)),    s_j^2 = sum_i (x_ij - mean_j)^2 / (t - 1),

with c = 1 there and in `scipy.stats.gaussian_kde` (whose kernel has the data's whole covariance; this is the one with
its diagonal). A kernel that follows the data sees wide while they lie on the faces of the cube, and narrow once they
gather. `scott` and `silverman` read the rule so; `scott_box` and `silverman_box` take one factor for all axes that does
not look at the data, c times the cube's diagonal sqrt(d), and `scott_sides` the sum of its sides, d; `spacing` is the
side of the cube that holds one point of t. (Of a bandwidth that resolves the line, the factor sqrt(d) makes one that is
far below the distance of points in six dimensions.)

A deviation below :data:`SMALLEST_DEVIATION`, that of an axis on which all data agree among them, counts as that: a
bandwidth of zero is none. It follows that ``0.01 c t^(-1/(d+4)) <= h_j <= 0.71 c t^(-1/(d+4))`` for every data set of
two points or more in the cube, so that the rates of the theory hold along each axis.

Sources: Scott, "Multivariate Density Estimation" (1992), section 6.3; Silverman, "Density Estimation for Statistics and
Data Analysis" (1986), section 4.3. The constants c in use are listed in ``docs/constants/boke.md``.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

__all__ = ["RULES", "SMALLEST_DEVIATION", "Bandwidth", "BandwidthRule", "deviations", "overall", "scott_rate"]

Bandwidth = float | Float[Array, ""] | Float[Array, " d"]
"""One bandwidth for all axes, or one for each: the diagonal of H in ``k(x, x') = Psi(H^-1 (x - x'))``."""

SMALLEST_DEVIATION = 0.01
"""Floor of the data's deviation along an axis, in units of the cube's side."""


def _number(data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None) -> Float[Array, ""]:
    """t, the number of rows in use; none counts as one."""
    count = jnp.asarray(data_x.shape[0]) if mask is None else jnp.sum(mask)
    return jnp.maximum(count.astype(float), 1.0)


def scott_rate(count: int | Int[Array, ""] | Float[Array, ""], dim: int) -> Float[Array, ""]:
    """The rate of A (28), ``t^(-1/(d+4))``; t below 1 counts as 1."""
    return jnp.maximum(jnp.asarray(count, float), 1.0) ** (-1.0 / (dim + 4))


def deviations(data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None = None) -> Float[Array, " d"]:
    """``s_j``, the standard deviation of the rows in use along every axis, at least :data:`SMALLEST_DEVIATION`.

    With the divisor t - 1; O(t d). A single row has no deviation, and gets the floor.
    """
    used = jnp.ones(data_x.shape[0], bool) if mask is None else mask
    count = _number(data_x, mask)
    mean = jnp.sum(jnp.where(used[:, None], data_x, 0.0), axis=0) / count
    squares = jnp.sum(jnp.where(used[:, None], (data_x - mean[None, :]) ** 2, 0.0), axis=0)
    variance = squares / jnp.maximum(count - 1.0, 1.0)
    return jnp.sqrt(jnp.maximum(variance, SMALLEST_DEVIATION**2))


def _scott(
    data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None, constant: float | Float[Array, ""]
) -> Float[Array, " d"]:
    """Scott's rule: ``h_j = c s_j t^(-1/(d+4))``."""
    return constant * deviations(data_x, mask) * scott_rate(_number(data_x, mask), data_x.shape[1])


def _silverman(
    data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None, constant: float | Float[Array, ""]
) -> Float[Array, " d"]:
    """Silverman's rule: ``h_j = c s_j (t (d+2) / 4)^(-1/(d+4))``."""
    dim = data_x.shape[1]
    return constant * deviations(data_x, mask) * (_number(data_x, mask) * (dim + 2) / 4.0) ** (-1.0 / (dim + 4))


def _scott_box(
    data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None, constant: float | Float[Array, ""]
) -> Float[Array, ""]:
    """A (28) with the cube's diagonal: ``h = c sqrt(d) t^(-1/(d+4))``."""
    dim = data_x.shape[1]
    return constant * math.sqrt(dim) * scott_rate(_number(data_x, mask), dim)


def _silverman_box(
    data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None, constant: float | Float[Array, ""]
) -> Float[Array, ""]:
    """A (29) with the cube's diagonal: ``h = c sqrt(d) (t (d+2) / 4)^(-1/(d+4))``."""
    dim = data_x.shape[1]
    return constant * math.sqrt(dim) * (_number(data_x, mask) * (dim + 2) / 4.0) ** (-1.0 / (dim + 4))


def _scott_sides(
    data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None, constant: float | Float[Array, ""]
) -> Float[Array, ""]:
    """A (28) with the sum of the cube's sides: ``h = c d t^(-1/(d+4))``."""
    dim = data_x.shape[1]
    return constant * dim * scott_rate(_number(data_x, mask), dim)


def _spacing(
    data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None, constant: float | Float[Array, ""]
) -> Float[Array, ""]:
    """``h = c t^(-1/d)``: in units of the side of the cube that holds one point of t."""
    return constant * _number(data_x, mask) ** (-1.0 / data_x.shape[1])


def _fixed(
    data_x: Float[Array, "n d"], mask: Bool[Array, " n"] | None, constant: float | Float[Array, ""]
) -> Float[Array, ""]:
    """A bandwidth that does not depend on t nor d: ``h = c`` (part (i) of Theorem 4)."""
    del data_x, mask
    return jnp.asarray(constant, float)


@dataclass(frozen=True)
class BandwidthRule:
    """A rule for h_t.

    Attributes:
        name: the key in :data:`RULES`.
        value: function of the data X_t (n, d), of the rows in use (all with None) and of the constant c; h, in units of
            the cube's side, one for all axes or one an axis.
    """

    name: str
    value: Callable[[Float[Array, "n d"], Bool[Array, " n"] | None, float | Float[Array, ""]], Array]

    def __call__(
        self,
        data_x: Float[Array, "n d"],
        constant: float | Float[Array, ""],
        mask: Bool[Array, " n"] | None = None,
    ) -> Float[Array, ""] | Float[Array, " d"]:
        """h_t for these data; no data count as one point."""
        return self.value(data_x, mask, constant)


RULES: Mapping[str, BandwidthRule] = {
    name: BandwidthRule(name, value)
    for name, value in {
        "scott": _scott,
        "silverman": _silverman,
        "scott_box": _scott_box,
        "silverman_box": _silverman_box,
        "scott_sides": _scott_sides,
        "spacing": _spacing,
        "fixed": _fixed,
    }.items()
}
"""Rules by name. The first two follow the data; see the module's docstring."""


def overall(bandwidth: Bandwidth) -> Float[Array, ""]:
    """The bandwidth, or the geometric mean of those of the axes, for which the kernel covers the same volume."""
    values = jnp.asarray(bandwidth, float)
    return jnp.exp(jnp.mean(jnp.log(values))) if values.ndim else values
