"""Certified refutations of Paper A on limits: of kernel regression and of Gaussian processes."""

from theory_checks.certificates.certificate import refutation
from theory_checks.certificates.checker import Balls, Identity

CERTIFICATES = (
    refutation(
        "boke.nn_extension_continuity",
        "F is the Smith-Volterra-Cantor set in [3/4, 1]: closed, nowhere dense, of length 1/8. Psi(u) depends on |u|: "
        "max(1 - 8 |u|, 0) for |u| <= 1/8, zero up to 3/4, the distance to F on [3/4, 1], zero beyond. It is "
        "symmetric, non-negative, continuous, bounded, zero outside a ball, and Psi(0) = 1.",
        "Data: y = 1 at 0, y = -1 at 5/4, h = 1. For x in [3/4, 1] the second datum has |x - 5/4| in [1/4, 1/2] and "
        "weight zero. Off F m(x) = 1; on F W = 0 and the nearest datum is 5/4, so m(x) = -1. F has no interior: m is "
        "discontinuous at all its points.",
        steps=(
            Identity(
                "The length of F: step k removes 2^(k-1) gaps of length 4^-k / 4.",
                {"k": "integer"},
                holds=(("1/4 - series_sum(2**(k - 1) * 4**(-k) / 4, k, 1, oo())", "1/8"),),
                broken=("4**(-k)", "3**(-k)"),
            ),
            Balls(
                "The second datum is nearer, with weight zero.",
                holds=("5/4 - 3/4 < 3/4", "1/8 <= 5/4 - 1", "5/4 - 3/4 <= 3/4"),
                broken=("5/4", "7/4"),
            ),
        ),
    ),
    refutation(
        "boke.prop11",
        "k(x, x'; h) = 1/2 + 1/2 exp(-|x - x'|^2 / h^2), so that k(x, x; h) = 1; one observation y = 1 at x_1, "
        "sigma^2 = 1, |x - x_1| = 1. mu(x) = k / (1 + 1) tends to 1/4, while A (B3) is 0.",
        steps=(
            Identity(
                "The limit.",
                {"h": "positive"},
                holds=(("limit((1/2 + 1/2 * exp(-1 / h**2)) / 2, h, 0)", "1/4"),),
                broken=("1/4", "0"),
            ),
        ),
    ),
    refutation(
        "boke.prop12",
        "The kernel and the datum of boke.prop11: sigma^2(x) = 1 - k^2 / (1 + 1) tends to 7/8, while A (B4) is 1.",
        steps=(
            Identity(
                "The limit.",
                {"h": "positive"},
                holds=(("limit(1 - (1/2 + 1/2 * exp(-1 / h**2))**2 / 2, h, 0)", "7/8"),),
                broken=("7/8", "1"),
            ),
        ),
    ),
)
