"""Proofs of supported claims of Paper A on limits: of kernel regression and density, and of Gaussian processes."""

from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Identity

_COPIES = (
    "Given f, the likelihood of the observations at a point of n copies depends on f through n (ybar - f)^2 / sigma^2 "
    "alone, by the step: it is that of one observation ybar of variance sigma^2 / n, but for a factor without f. So "
    "the posterior is the same."
)
_SUFFICIENT = Identity(
    "The sum of squares around f, for three copies.",
    {"a": "real", "b": "real", "c": "real", "f": "real"},
    let={"mean": "(a + b + c) / 3"},
    holds=(
        (
            "(a - f)**2 + (b - f)**2 + (c - f)**2",
            "3 * (mean - f)**2 + (a - mean)**2 + (b - mean)**2 + (c - mean)**2",
        ),
    ),
    broken=("3 * (mean - f)", "2 * (mean - f)"),
)
_LIMIT_GP = (
    _COPIES,
    "As h tends to zero the kernel matrix of the distinct points tends to I and k(x, .) to the indicator of x. I + "
    "diag(sigma^2 / n) is invertible, so that mean and variance tend to those with the limits, by continuity.",
)
_ONE_POINT = Identity(
    "At a point of n copies of sum Y.",
    {"n": "positive", "q": "positive", "Y": "real"},
    holds=(("(Y / n) / (1 + q / n)", "Y / (n + q)"), ("1 - 1 / (1 + q / n)", "1 - n / (n + q)")),
    broken=("Y / (n + q)", "Y / (n + 2 * q)"),
)
_NEAREST = (
    "Divide numerator and denominator by the largest weight: the others, of distances D > d in the kernel's norm, "
    "have the quotients of the step, which tend to zero, and the nearest ones have quotient one."
)

CERTIFICATES = (
    proof(
        "boke.nn_extension_continuity_repaired",
        "Let x avoid, for every datum x_i, the set of points with (x - x_i) / h on the boundary of {Psi > 0} or at a "
        "discontinuity of Psi, and the bisectors of pairs of different data: a finite union of null sets. If W(x) > 0 "
        "numerator and denominator of m are continuous at x. If W(x) = 0, every (x - x_i) / h is outside {Psi > 0} "
        "and not on its boundary, so that W = 0 near x, where the set of nearest data, and with it the value, does "
        "not change.",
        steps=(
            Identity(
                "A bisector is a hyperplane: |x - a|^2 - |x - b|^2 is linear in x, here in the plane.",
                {"x": "real", "y": "real", "a": "real", "b": "real", "c": "real", "d": "real"},
                holds=(
                    (
                        "(x - a)**2 + (y - b)**2 - (x - c)**2 - (y - d)**2",
                        "2 * (c - a) * x + 2 * (d - b) * y + a**2 + b**2 - c**2 - d**2",
                    ),
                ),
                broken=("(c - a)", "(c + a)"),
            ),
        ),
    ),
    proof(
        "boke.prop1",
        _NEAREST,
        "With the Gaussian kernel the norm is the Euclidean one, and the limit is the mean of y over the nearest "
        "points.",
        steps=(
            Identity(
                "exp(-D^2 / (2 h^2)) / exp(-d^2 / (2 h^2)), D^2 = d^2 + g.",
                {"g": "positive", "h": "positive"},
                holds=(("limit(exp(-g / (2 * h**2)), h, 0)", "0"),),
                broken=("-g", "g"),
            ),
        ),
    ),
    proof(
        "boke.prop1_power_exponential_repaired",
        _NEAREST,
        steps=(
            Identity(
                "exp(-D / h) / exp(-d / h), D = d + g.",
                {"g": "positive", "h": "positive"},
                holds=(("limit(exp(-g / h), h, 0)", "0"),),
                broken=("-g", "g"),
            ),
        ),
    ),
    proof(
        "boke.kde_limit",
        "W_t(x) is a finite sum of k(x, x_i; h). A datum at x adds Psi(0) = 1. A datum at distance D > 0 adds nothing "
        "as soon as R h < D, for kernels of bounded support; for the others it adds what the step shows to vanish.",
        steps=(
            Identity(
                "The kernels of unbounded support, at u = D / h, D in the norm of the kernel: Gaussian; exponential, "
                "Laplacian.",
                {"u": "positive"},
                holds=(
                    ("limit(exp(-(u**2) / 2), u, oo())", "0"),
                    ("limit(exp(-u), u, oo())", "0"),
                ),
                broken=("exp(-u)", "exp(u)"),
            ),
        ),
    ),
    proof("boke.lemma10", _COPIES, steps=(_SUFFICIENT,)),
    proof("boke.prop11_repaired", *_LIMIT_GP, steps=(_SUFFICIENT, _ONE_POINT), assumes="sigma^2 > 0."),
    proof("boke.prop12_repaired", *_LIMIT_GP, steps=(_SUFFICIENT, _ONE_POINT), assumes="sigma^2 > 0."),
)
