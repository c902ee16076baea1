"""Independent oracles in exact rational and in 60-digit decimal arithmetic; no JAX, no numpy linear algebra.

Floats are taken at their exact binary value, so equal distances are equal here even where rounding would tell them
apart. Kernel values are transcendental and carry 60 digits; everything rational stays rational.
"""

from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

DIGITS = Context(prec=60, Emax=10**9, Emin=-(10**9))
"""Arithmetic of the transcendental parts; exp(-1e24) underflows to zero in it."""

Number = Any
"""A Fraction (exact) or a Decimal (60 digits); one call takes all its numbers from one of the two."""


def decimal(value: Fraction | int | float) -> Decimal:
    """A rational number to 60 digits."""
    exact = Fraction(value)
    return DIGITS.divide(Decimal(exact.numerator), Decimal(exact.denominator))


def distances(x: Iterable[float], data: Iterable[Iterable[float]], norm: str = "l2") -> list[Fraction]:
    """Exact distances of each data point from x: squared Euclidean for "l2", Manhattan for "l1".

    Each increases with its norm, so that nearest points and ties are decided without rounding.
    """
    ratios = [[float(value).as_integer_ratio() for value in row] for row in (x, *data)]
    unit = max((denominator for row in ratios for _, denominator in row), default=1)
    origin, *rows = [[numerator * (unit // denominator) for numerator, denominator in row] for row in ratios]
    if norm == "l2":
        return [Fraction(sum((a - b) ** 2 for a, b in zip(origin, row, strict=True)), unit**2) for row in rows]
    if norm == "l1":
        return [Fraction(sum(abs(a - b) for a, b in zip(origin, row, strict=True)), unit) for row in rows]
    raise KeyError(f"unknown norm {norm!r}; expected l1 or l2")


def nearest(x: Iterable[float], data: Iterable[Iterable[float]], norm: str = "l2") -> list[int]:
    """Indices of all data points at the smallest distance from x, in the norm "l2" or "l1"."""
    separation = distances(x, data, norm)
    return [index for index, distance in enumerate(separation) if distance == min(separation)]


def exponents(
    kernel: str, x: Iterable[float], data: Iterable[Iterable[float]], bandwidths: Sequence[float]
) -> list[list[Decimal]]:
    """`-log k(x, x_i; h)`, one row a bandwidth, of the Gaussian, exponential (l2) or Laplacian (l1) kernel."""
    with localcontext(DIGITS):
        if kernel == "gaussian":
            numerators, power = [decimal(item) / 2 for item in distances(x, data)], 2
        elif kernel == "exponential":
            numerators, power = [decimal(item).sqrt() for item in distances(x, data)], 1
        elif kernel == "laplacian":
            numerators, power = [decimal(item) for item in distances(x, data, "l1")], 1
        else:
            raise KeyError(f"no exact oracle for kernel {kernel!r}")
        return [[item / decimal(h) ** power for item in numerators] for h in bandwidths]


def density(
    kernel: str, x: Iterable[float], data: Iterable[Iterable[float]], bandwidths: Sequence[float]
) -> list[Decimal]:
    """A (11) at each bandwidth, for any of the five smoothing kernels, from its printed formula."""
    with localcontext(DIGITS):
        if kernel in ("epanechnikov", "uniform"):
            separation = distances(x, data)
            ratios = [[item / Fraction(h) ** 2 for item in separation] for h in bandwidths]
            if kernel == "uniform":
                return [Decimal(sum(1 for item in row if item <= 1)) for row in ratios]
            return [decimal(sum((max(1 - item, Fraction(0)) for item in row), Fraction(0))) for row in ratios]
        return [sum((DIGITS.exp(-item) for item in row), Decimal(0)) for row in exponents(kernel, x, data, bandwidths)]


def kernel_regression(exponents: Sequence[Decimal], values: Sequence[Decimal]) -> Decimal:
    """A (5) from `-log k(x, x_i; h)`, with numerator and denominator divided by the largest weight."""
    least = min(exponents)
    with localcontext(DIGITS):
        weights = [DIGITS.exp(least - item) for item in exponents]
        total = sum((w * y for w, y in zip(weights, values, strict=True)), Decimal(0))
        return total / sum(weights, Decimal(0))


def solve(matrix: Sequence[Sequence[Number]], columns: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """Solutions of `matrix @ z = column` for each column, by Gaussian elimination with row pivoting.

    Exact for Fractions, 60 digits for Decimals. Raises ZeroDivisionError where the matrix is singular.
    """
    with localcontext(DIGITS):
        size = len(matrix)
        rows = [[*matrix[i], *(column[i] for column in columns)] for i in range(size)]
        for i in range(size):
            pivot = max(range(i, size), key=lambda row: abs(rows[row][i]))
            rows[i], rows[pivot] = rows[pivot], rows[i]
            if rows[i][i] == 0:
                raise ZeroDivisionError("singular matrix")
            rows[i] = [entry / rows[i][i] for entry in rows[i]]
            for j in range(size):
                if j != i and rows[j][i] != 0:
                    factor = rows[j][i]
                    rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
        return [[rows[i][size + k] for i in range(size)] for k in range(len(columns))]


def posterior(
    prior: Number,
    cross: Sequence[Number],
    gram: Sequence[Sequence[Number]],
    noise: Sequence[Number],
    values: Sequence[Number],
) -> tuple[Number, Number]:
    """Posterior mean and variance A (A1), (A2) with noise variances on the diagonal."""
    with localcontext(DIGITS):
        size = len(values)
        noisy = [[gram[i][j] + noise[i] if i == j else gram[i][j] for j in range(size)] for i in range(size)]
        weights, whitened = solve(noisy, [list(values), list(cross)])
        mean = sum((c * w for c, w in zip(cross, weights, strict=True)), 0 * prior)
        return mean, prior - sum((c * w for c, w in zip(cross, whitened, strict=True)), 0 * prior)
