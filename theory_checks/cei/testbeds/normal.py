"""The normal density and distribution, and tau(z) = z Phi(z) + phi(z), in 60 digits and in double precision.

The 60-digit forms use no library of special functions: a series near zero, and the continued fraction of the Mills
ratio in the tails. They are the oracle where rounding could decide a claim.
"""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from theory_checks import exact

_WORKING = Context(prec=90, Emax=10**9, Emin=-(10**9))
_TAIL = Decimal(3)
_TERMS = 700
"""Terms of the continued fraction: more than 60 digits at z = 3."""

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")

Real = float | int | Fraction | Decimal


def to_decimal(value: Real) -> Decimal:
    """A float at its exact binary value, a rational to 60 digits, a Decimal unchanged."""
    return value if isinstance(value, Decimal) else exact.decimal(Fraction(value))


def density(z: Real) -> Decimal:
    """phi(z)."""
    with localcontext(_WORKING):
        x = to_decimal(z)
        return (-x * x / 2).exp() / (2 * PI).sqrt()


def mills_ratio(w: Decimal) -> Decimal:
    """(1 - Phi(w)) / phi(w) for w >= 3, by its continued fraction 1 / (w + 1 / (w + 2 / (w + 3 / ...)))."""
    with localcontext(_WORKING):
        value = w
        for k in range(_TERMS, 0, -1):
            value = w + k / value
        return 1 / value


def distribution(z: Real) -> Decimal:
    """Phi(z), with full relative precision in the lower tail."""
    with localcontext(_WORKING):
        x = to_decimal(z)
        if x <= -_TAIL:
            return density(x) * mills_ratio(-x)
        if x >= _TAIL:
            return 1 - density(x) * mills_ratio(x)
        term, total, k = x, x, 1
        while abs(term) > Decimal(10) ** -88:
            k += 2
            term = term * x * x / k
            total += term
        return Decimal("0.5") + density(x) * total


def tau(z: Real) -> Decimal:
    """z Phi(z) + phi(z); in the lower tail phi(z) (1 - |z| M(|z|)), which loses only about 2 log10 |z| digits."""
    with localcontext(_WORKING):
        x = to_decimal(z)
        if x <= -_TAIL:
            return density(x) * (1 + x * mills_ratio(-x))
        return x * distribution(x) + density(x)


def tau_float(z: ArrayLike) -> np.ndarray:
    """tau in double precision: z Phi(z) + phi(z) for z >= -1, the scaled complementary error function below."""
    z = np.asarray(z, float)
    low = np.minimum(z, 0.0)
    phi = np.exp(-0.5 * np.minimum(np.abs(z), 1e100) ** 2) / np.sqrt(2 * np.pi)
    mills = np.sqrt(np.pi / 2) * special.erfcx(-low / np.sqrt(2))
    direct = z * special.ndtr(z) + phi
    return np.where(z < -1.0, phi * np.maximum(1 + low * mills, 0.0), direct)


def log_tau_float(z: ArrayLike) -> np.ndarray:
    """log tau in double precision, also where tau underflows: an asymptotic series below z = -30."""
    z = np.asarray(z, float)
    found = np.empty(z.shape)
    far, near = z < -30.0, ~(z < -1.0)
    middle = ~(far | near)
    low = z[far]
    square = low**2
    found[far] = -0.5 * square - 0.5 * np.log(2 * np.pi)
    found[far] += np.log(1 / square - 3 / low**4 + 15 / low**6 - 105 / low**8 + 945 / low**10)
    low = z[middle]
    mills = np.sqrt(np.pi / 2) * special.erfcx(-low / np.sqrt(2))
    found[middle] = -0.5 * low**2 - 0.5 * np.log(2 * np.pi) + np.log(np.maximum(1 + low * mills, 1e-300))
    found[near] = np.log(np.maximum(tau_float(z[near]), 1e-300))
    return found


def corrected_ei(mean_difference: ArrayLike, deviation: ArrayLike) -> np.ndarray:
    """B (7), (8): s tau(u / s) with u = mu(x) - mu(x+) and s = sigma tilde; 0 where s = 0, as in the paper."""
    u, s = np.broadcast_arrays(np.asarray(mean_difference, float), np.asarray(deviation, float))
    positive = s > 0
    safe = np.where(positive, s, 1.0)
    return np.where(positive, safe * tau_float(np.where(positive, u / safe, 0.0)), 0.0)


def log_corrected_ei(mean_difference: ArrayLike, deviation: ArrayLike) -> np.ndarray:
    """The logarithm of `corrected_ei`, minus infinity where s = 0."""
    u, s = np.broadcast_arrays(np.asarray(mean_difference, float), np.asarray(deviation, float))
    positive = s > 0
    safe = np.where(positive, s, 1.0)
    return np.where(positive, np.log(safe) + log_tau_float(np.where(positive, u / safe, 0.0)), -np.inf)
