"""Proofs of supported claims of Paper A on errors of kernel regression and on consistency."""

from theory_checks.certificates.boke_bounds import BIAS, FIXED, HOEFFDING, MIXTURE, SQUARE
from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Identity

_PACKING = (
    "Where W_t(x) = 0 somewhere the acquisition is infinite exactly there: an exploration step takes x_{t+1} with "
    "W_t(x_{t+1}) = 0. Psi >= 1/2 on some ball |u| < e, by continuity at 0, so that x_{t+1} is at distance at least e "
    "h_t from all earlier points. X is compact and holds at most P(r) points at pairwise distance r, P(r) <= c r^-d "
    "for small r. All this is sure, whatever the noise."
)
_FIXED_H = (
    "With h fixed at most P(e h) exploration steps are made before W_t > 0 everywhere, and then every x has data "
    "within R h. So the fill distance is at most R h from then on."
)
_SHRINKING_H = (
    "With h_t non-increasing: as long as the fill distance at T exceeds R h_s, some W_t(x) is zero at all steps t "
    "from s to T, so that the exploration steps among them are at pairwise distance at least e h_T, at most P(e h_T) "
    "<= c (e h_T)^-d of them. If t h_t^d tends to infinity that is less than T / 2 for large T: the fill distance "
    "gets below R h_s for every s, and tends to zero."
)
_LIPSCHITZ = (
    "A point of the data is within the fill distance of x*, and f is continuous (L-Lipschitz): the simple regret is "
    "at most the modulus (L times) of that."
)
_SCOTT = Identity(
    "Scott's rule: t h_t^d = t^(1 - d / (d + 4)) = t^(4 / (d + 4)), which tends to infinity.",
    {"d": "positive", "t": "positive"},
    holds=(("t * (t**(-1 / (d + 4)))**d", "t**(4 / (d + 4))"),),
    broken=("4 / (d + 4)", "3 / (d + 4)"),
)
_EMPTY = (
    "All data lie farther from x than R h_t: W_t(x) is an empty sum, so that sigma_hat(x) = W_t(x)^(-1/2) and the "
    "acquisition are infinite, for every outcome of the noise."
)
_CROWDED = (
    "Psi >= 1/2 on |u| < e. x_t and x_i converge to x': from some t_0 on |x_t - x_i| < e h, so that W(x_t; A_{t-1}) "
    ">= (t - 1 - t_0) / 2 whatever else A_{t-1} holds, and sigma_hat = W^(-1/2) tends to zero."
)
_DIAGONAL = (
    "For every j there is t_j with |x_i - x_t| < e / j for all i, t >= t_j; take them so that t_{j+1} >= t_j + 2 j + "
    "1. With h_t = 1 / j for t_j + 2 j <= t < t_{j+1} + 2 (j + 1), W(x_t; A_{t-1}) >= (t - 1 - t_j) / 2 >= (2 j - 1) "
    "/ 2, which tends to infinity, and h_t to zero."
)
_ROOT = Identity(
    "W^(-1/2) and exp(-W) tend to zero as W grows.",
    {"W": "positive"},
    holds=(
        ("limit(W**(-1/2), W, oo())", "0"),
        ("limit(2 * exp(-W), W, oo())", "0"),
    ),
    broken=("W**(-1/2)", "W**(1/2)"),
)
_CONSISTENT = (
    "The mean of m(x_t) is within omega_f(h) + |f(x_t) - f(x')| of f(x'), and P(|m - E m| > lambda / 2) <= 2 "
    "exp(-lambda^2 W / (8 s^2 M_Psi)), both by the pointwise bound of Theorem 2. W(x_t) tends to infinity, f(x_t) to "
    "f(x')."
)
_DEVIATION = Identity(
    "The exponent at lambda / 2.",
    {"lam": "positive", "W": "positive", "s": "positive", "M": "positive"},
    holds=(("(lam / 2)**2 * W / (2 * s**2 * M)", "lam**2 * W / (8 * s**2 * M)"),),
    broken=("lam / 2", "lam / 3"),
)

CERTIFICATES = (
    proof(
        "boke.thm2",
        *FIXED,
        "Where W_t(x) = 0 the right side is infinite.",
        steps=(HOEFFDING,),
        assumes="A design that does not depend on the noise, as the claim's hypotheses say.",
    ),
    proof(
        "boke.thm2_repaired",
        BIAS,
        MIXTURE,
        "With r = 1 / M: |S| < s sqrt((M + V) log((1 + V / M) / delta^2)), which grows with V <= M W. Divided by W "
        "that is the claim.",
        steps=(
            SQUARE,
            Identity(
                "The radius squared at V = M W.",
                {"M": "positive", "W": "positive", "s": "positive", "lg": "positive"},
                holds=(("s**2 * (M + M * W) * lg / W**2", "s**2 * M * (1 + 1 / W) * lg / W"),),
                broken=("1 + 1 / W", "1 - 1 / W"),
            ),
        ),
    ),
    proof("boke.thm4i", _PACKING, _FIXED_H, _LIPSCHITZ, steps=()),
    proof("boke.thm4ii", _PACKING, _SHRINKING_H, _LIPSCHITZ, "Scott's rule is such an h_t.", steps=(_SCOTT,)),
    proof("boke.thm4ii_explicit", _PACKING, _SHRINKING_H, _LIPSCHITZ, steps=(_SCOTT,)),
    proof(
        "boke.cor5",
        _PACKING,
        _FIXED_H,
        _SHRINKING_H,
        _LIPSCHITZ,
        "Exploitation steps add data, which never lowers W_t. By the law of large numbers the exploration steps up to "
        "T are almost surely more than p T / 2 from some T on: read p T / 4 for T / 2.",
        steps=(_SCOTT,),
    ),
    proof(
        "boke.cor5_exploration",
        "The steps with q = 1 maximise a_t. By independence none of m steps has q = 1 with probability (1 - p)^m <= "
        "exp(-p m), which tends to zero. So P(q = 0 from step n on) = 0 for every n, and the union of these events "
        "over n has probability zero.",
        steps=(
            Identity(
                "The limit.",
                {"p": "positive", "m": "positive"},
                holds=(("limit(exp(-p * m), m, oo())", "0"),),
                broken=("-p * m", "p / m"),
            ),
        ),
    ),
    proof(
        "boke.cor6",
        _PACKING,
        _FIXED_H,
        _SHRINKING_H,
        "Density exploration minimises W_t, and so takes a point with W_t = 0 where there is one.",
        steps=(_SCOTT,),
    ),
    proof("boke.lemma13a", _EMPTY, steps=()),
    proof("boke.lemma13a_shrinking", "R h_t < inf_t d(x, A_t) from some t on.", _EMPTY, steps=()),
    proof("boke.lemma3a", _EMPTY, steps=()),
    proof("boke.lemma3a_shrinking", "R h_t < inf_t d(x, A_t) from some t on.", _EMPTY, steps=()),
    proof(
        "boke.lemma13b",
        _CROWDED,
        steps=(_ROOT,),
        assumes="A point queried twice counts twice in W, as elsewhere in the paper.",
    ),
    proof(
        "boke.lemma13b_shrinking",
        "Psi >= 1/2 on |u| < e.",
        _DIAGONAL,
        steps=(_ROOT,),
        assumes="A point queried twice counts twice in W.",
    ),
    proof(
        "boke.lemma14",
        _CROWDED,
        *FIXED,
        _CONSISTENT,
        steps=(_ROOT, _DEVIATION, HOEFFDING),
        assumes="Designs that do not depend on the noise, as the claim's hypotheses say.",
    ),
    proof(
        "boke.lemma14_shrinking",
        "Psi >= 1/2 on |u| < e.",
        _DIAGONAL,
        *FIXED,
        _CONSISTENT,
        "Here omega_f(h_t) tends to zero as well, f being continuous on a compact set.",
        steps=(_ROOT, _DEVIATION, HOEFFDING),
    ),
    proof(
        "boke.lemma14_repaired",
        _CROWDED,
        BIAS,
        MIXTURE,
        "At the fixed point x_t, with r = 1 / M and any delta: P(|S| / W > s sqrt(M (1 + 1 / W) log((1 + W) / "
        "delta^2) / W) at some time) <= delta. That radius falls to zero as W grows, and W(x_t) is at least (t - 1 - "
        "t_0) / 2: the limit superior of the probability is at most delta, for every delta.",
        steps=(
            SQUARE,
            _ROOT,
            Identity(
                "The radius squared tends to zero.",
                {"W": "positive"},
                holds=(("limit((1 + 1 / W) * log(100 * (1 + W)) / W, W, oo())", "0"),),
                broken=(") / W, W", "), W"),
            ),
        ),
    ),
    proof(
        "boke.lemma3b",
        _CROWDED,
        *FIXED,
        _CONSISTENT,
        "So m(x_t) is bounded in probability, beta_t^(-1/2) m tends to zero in probability, and sigma_hat surely.",
        steps=(_ROOT, _DEVIATION, HOEFFDING),
        assumes="Designs that do not depend on the noise, as the claim's hypotheses say.",
    ),
    proof(
        "boke.lemma3b_shrinking",
        "Psi >= 1/2 on |u| < e.",
        _DIAGONAL,
        *FIXED,
        _CONSISTENT,
        "So m(x_t) is bounded in probability, beta_t^(-1/2) m tends to zero in probability, and sigma_hat surely.",
        steps=(_ROOT, _DEVIATION, HOEFFDING),
    ),
)
