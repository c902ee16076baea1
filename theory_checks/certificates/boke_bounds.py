"""Bounds of the error of kernel regression that proofs of Paper A share."""

from theory_checks.certificates.checker import Identity

__all__ = ["BIAS", "FIXED", "HOEFFDING", "MIXTURE", "SQUARE"]

BIAS = (
    "m_t(x) - f(x) = sum w_i (f(x_i) - f(x)) + sum w_i eps_i with w_i = k(x, x_i) / W_t(x), of sum one. The first "
    "part is at most omega_f(h), since w_i > 0 only within R h: that holds for every design."
)
FIXED = (
    BIAS,
    "With fixed weights the second is sub-Gaussian with parameter s^2 sum w_i^2 <= s^2 M_Psi / W_t(x): it exceeds l "
    "in size with probability at most 2 exp(-l^2 W_t(x) / (2 s^2 M_Psi)).",
)
HOEFFDING = Identity(
    "At the printed radius that probability is delta.",
    {"delta": "positive", "v": "positive"},
    let={"squared": "2 * v * log(2 / delta)"},
    holds=(("2 * exp(-squared / (2 * v))", "delta"),),
    broken=("2 / delta", "3 / delta"),
)
MIXTURE = (
    "Let x and h be fixed, each x_i depend on the past only, k_i = k(x, x_i), S = sum k_i eps_i, V = sum k_i^2 <= M "
    "W, M = M_Psi. For every l, exp(l S - l^2 s^2 V / 2) is a supermartingale from 1, as k_i is known before eps_i. "
    "So is its mixture over l ~ N(0, r / s^2), which is (1 + r V)^(-1/2) exp(r S^2 / (2 s^2 (1 + r V))). By Ville's "
    "inequality it stays below 1 / delta for all t at once with probability at least 1 - delta."
)
SQUARE = Identity(
    "The completed square, and that the mixture is 1 / delta where S^2 = s^2 (V + 1 / r) log((1 + r V) / delta^2).",
    {"l": "real", "S": "real", "s": "positive", "V": "positive", "r": "positive", "delta": "positive"},
    let={
        "a": "s**2 * (V + 1 / r)",
        "threshold": "a * log((1 + r * V) / delta**2)",
    },
    holds=(
        ("l * S - l**2 * s**2 * V / 2 - l**2 * s**2 / (2 * r)", "-a / 2 * (l - S / a)**2 + S**2 / (2 * a)"),
        ("exp(threshold / (2 * a)) / sqrt(1 + r * V)", "1 / delta"),
    ),
    broken=("/ (2 * r)", "/ r"),
)
