"""Proofs of supported claims of Paper B."""

from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Balls, Boxes, Identity, Step

_Z = {"z": "real"}
_DERIVATIVE = Identity(
    "tau' = Phi, and tau(z) - tau(-z) = z.",
    _Z,
    holds=(("diff(tau(z), z)", "Phi(z)"), ("tau(z) - tau(-z)", "z"), ("tau(z) - phi(z)", "z * Phi(z)")),
    broken=("tau(-z)", "tau(-2 * z)"),
)
_IN_S = Identity(
    "The slopes of s tau(u / s): phi(u / s) in s and Phi(u / s) in u.",
    {"s": "positive", "u": "real"},
    holds=(("diff(s * tau(u / s), s)", "phi(u / s)"), ("diff(s * tau(u / s), u)", "Phi(u / s)")),
    broken=("phi(u / s)", "Phi(u / s)"),
)
_TRIANGLE = (
    "B (26): sigma~(x) is the norm in L2 of the sum of f(x) - mu(x) and mu(x+) - f(x+), whose norms are sigma(x) and "
    "sigma(x+)."
)
_LEMMA_7 = (
    "Lemma 4.7: u >= f(x) - f(x+) - sqrt(beta) (sigma(x) + sigma(x+)) on the event, and s tau(u / s) >= max(u, 0), as "
    "tau(z) >= z and tau > 0.",
)
_LEMMA_8 = (
    *_LEMMA_7,
    "Lemma 4.8: Lemma 4.7 at x*, with alpha^C(x*) <= alpha^C(x_t) = sigma~(x_t) tau(z(x_t)), as x_t maximises.",
)
_LEMMA_5 = (
    "Lemma 4.5 with max(C, 0): for z >= 0 tau(-z) <= tau(0) = phi(0) < 1. Else let w = -z > 0. kappa <= s tau(-w) <= "
    "2 tau(-w), so that C >= -log(4 pi tau(-w)^2). On [0, 13/20] tau(w) < 1, box by box. For w >= 13/20 1 - Phi(w) >= "
    "w phi(w) / (1 + w^2), so tau(-w) = phi(w) - w (1 - Phi(w)) <= phi(w) / (1 + w^2), and C >= w^2 + 2 log(1 + w^2) "
    "- log 2 >= w^2; tau(w) = w + tau(-w) <= sqrt(C) + 1.",
)
_TAIL_BOUND = Identity(
    "The bound of the tail: the difference has a negative derivative and the limit zero.",
    {"w": "positive"},
    let={"difference": "Phi(-w) - w * phi(w) / (1 + w**2)"},
    holds=(
        ("diff(difference, w)", "-2 * phi(w) / (1 + w**2)**2"),
        ("limit(difference, w, oo())", "0"),
        ("-log(4 * pi() * (phi(w) / (1 + w**2))**2)", "w**2 + 2 * log(1 + w**2) - log(2)"),
    ),
    broken=("-2 * phi", "2 * phi"),
)
_AT_65 = Balls(
    "The tail begins at 13/20, and phi(0) < 1.",
    holds=("2 * log(1 + (13/20)**2) > log(2)", "phi(0) < 1"),
    broken=("13/20", "11/20"),
)
_ON_BOXES = Boxes(
    "tau(w) < 1 up to 13/20.",
    {"w": ("0", "13/20")},
    {"w": ("0", "1/4", "1/2", "13/20")},
    holds=("tau(w) < 1",),
    broken=("tau(w)", "tau(2 * w)"),
)
_GAIN = (
    "With q_t = sigma_{t-1}^2(x_t) / v_t^2, I(y; f) = 1/2 sum log(1 + q_t), by the chain rule of Gaussian entropies. "
    "q / log(1 + q) increases and q_t <= v_t^-2, so that q_t <= log(1 + q_t) v_t^-2 / log(1 + v_t^-2), that is "
    "sigma_{t-1}^2(x_t) <= log(1 + q_t) / log(1 + v_t^-2), and v_t <= v_max.",
)
_RATIO: tuple[Step, ...] = (
    Identity(
        "The derivative of s / log(1 + s), the numerator's derivative, and the limit at 0.",
        {"s": "positive"},
        let={"numerator": "log(1 + s) - s / (1 + s)"},
        holds=(
            ("diff(s / log(1 + s), s) * log(1 + s)**2", "numerator"),
            ("diff(numerator, s)", "s / (1 + s)**2"),
            ("limit(numerator, s, 0)", "0"),
            ("limit(s / log(1 + s), s, 0)", "1"),
        ),
        broken=("s / (1 + s)**2", "s / (1 + s)"),
    ),
)
_STEP_27 = (
    *_LEMMA_8,
    "So f(x*) - f(x+) <= sqrt(beta) (sigma(x*) + sigma(x+)) + alpha^C(x_t). On the event f(x+) - f(x_t) <= -u + "
    "sqrt(beta) (sigma(x+) + sigma(x_t)). The sum is r_t, and alpha^C(x_t) - u = s (tau(z) - z) = s tau(-z) <= s (1 + "
    "sqrt(C)).",
    *_LEMMA_5,
    "The printed C = log(2 / (pi kappa^2)) or its positive part, if larger, is above the C of Lemma 4.5.",
    _TRIANGLE,
)

CERTIFICATES = (
    proof(
        "cei.tau_bounds",
        "tau' = Phi > 0, so tau increases, from its limit 0 at minus infinity: tau > 0. tau(z) = z + tau(-z) gives "
        "the third and, with tau(-z) > 0, the last property; with tau(-z) <= tau(0) < 1 for z >= 0 the first. tau - "
        "phi = z Phi <= 0 for z <= 0.",
        steps=(
            _DERIVATIVE,
            Identity("The limit.", _Z, holds=(("limit(tau(z), z, -oo())", "0"),), broken=("-oo()", "oo()")),
            Balls("tau(0) < 1.", holds=("tau(0) < 1",), broken=("tau(0)", "tau(1)")),
        ),
    ),
    proof(
        "cei.closed_form",
        "Under the joint posterior f(x) - f(x+) is normal with mean u and variance s^2, so that the left side is the "
        "integral of max(0, y) against its density. The step gives an antiderivative and both of its ends.",
        steps=(
            Identity(
                "The integral from 0 to infinity.",
                {"s": "positive", "u": "real", "y": "real"},
                let={"primitive": "-s * phi((y - u) / s) - u * Phi((u - y) / s)"},
                holds=(
                    ("diff(primitive, y)", "y * phi((y - u) / s) / s"),
                    ("limit(primitive, y, oo())", "0"),
                    ("limit(primitive, y, 0)", "-s * tau(u / s)"),
                ),
                broken=("y * phi", "2 * y * phi"),
            ),
        ),
    ),
    proof(
        "cei.lemma_G_repaired",
        "The derivative has the sign of log(1 + s) - s / (1 + s), which is zero at 0 and increases. The limit at 0 is "
        "1.",
        steps=_RATIO,
    ),
    proof("cei.lemma4_2_repaired", *_GAIN, "gamma_T is the largest I(y; f).", steps=_RATIO),
    proof(
        "cei.lemma4_3",
        "Let z = (mu(x_t) - mu(x+)) / s <= 0. kappa <= s tau(z) <= s phi(z), by tau - phi = z Phi <= 0. So z^2 <= "
        "log(s^2 / (2 pi kappa^2)) <= log(4 / (2 pi kappa^2)) = C, as s <= 2, and -z s <= sqrt(C) s.",
        steps=(
            _DERIVATIVE,
            Identity(
                "phi(z) = kappa / s solved for z^2, at s = 2.",
                {"k": "positive"},
                holds=(("2 * log(2 / (k * sqrt(2 * pi())))", "log(2 / (pi() * k**2))"),),
                broken=("2 * log(2", "2 * log(4"),
            ),
        ),
    ),
    proof("cei.lemma4_5_repaired", *_LEMMA_5, steps=(_DERIVATIVE, _TAIL_BOUND, _AT_65, _ON_BOXES)),
    proof("cei.lemma4_7", *_LEMMA_7, steps=(_DERIVATIVE,)),
    proof("cei.lemma4_8", *_LEMMA_8, steps=(_DERIVATIVE,)),
    proof(
        "cei.eq24_repaired",
        "s (tau(-z) - tau(z)) = -s z = -u.",
        steps=(_DERIVATIVE,),
    ),
    proof(
        "cei.eq26",
        _TRIANGLE,
        steps=(
            Identity(
                "(a + b)^2 - (a^2 + b^2 - 2 r a b) for the correlation r >= -1.",
                {"a": "positive", "b": "positive", "r": "real"},
                holds=(("(a + b)**2 - (a**2 + b**2 - 2 * r * a * b)", "2 * a * b * (1 + r)"),),
                broken=("(1 + r)", "(1 - r)"),
            ),
        ),
    ),
    proof(
        "cei.eq27_repaired",
        *_STEP_27,
        steps=(_DERIVATIVE, _TAIL_BOUND, _AT_65, _ON_BOXES),
        assumes="x_t maximises alpha^C, as everywhere in section 4.3.",
    ),
    proof(
        "cei.regret_bound_repaired",
        *_STEP_27,
        "Summed over t with beta_t <= beta_T; the sum of sigma_{t-1}(x_t) is at most sqrt(T sum sigma^2) "
        "(Cauchy-Schwarz).",
        *_GAIN,
        steps=(_DERIVATIVE, _TAIL_BOUND, _AT_65, _ON_BOXES, *_RATIO),
        assumes="x_t maximises alpha^C; the event of Lemma 4.1 as a hypothesis; C read as its positive part.",
    ),
    proof(
        "cei.zero_deviation_repaired",
        "Let d = f(x) - f(x+), of prior variance V, c its covariances with the data's f, w = (K + Sigma)^-1 c. The "
        "posterior variance V - c'w is that of d - w'(f + eps), at least that of its part w'eps, sum w_i^2 v_i^2. If "
        "it is zero, w = 0, since all v_i > 0; so c = 0, V = 0 and u = w'y = 0: d = 0 with probability one, and the "
        "convention alpha^C = 0 agrees.",
        steps=(
            Identity(
                "V - c'w = V - 2 w'c + w'(K + Sigma) w for two data.",
                {"V": "real", "a": "real", "b": "real", "p": "positive", "q": "positive", "r": "real"},
                let={
                    "inv": "inverse([[p, r], [r, q]])",
                    "w": "[inv[0][0] * a + inv[0][1] * b, inv[1][0] * a + inv[1][1] * b]",
                    "linear": "w[0] * a + w[1] * b",
                    "quadratic": "w[0]**2 * p + 2 * w[0] * w[1] * r + w[1]**2 * q",
                },
                holds=(("V - linear", "V - 2 * linear + quadratic"),),
                broken=("2 * linear", "3 * linear"),
            ),
        ),
    ),
    proof(
        "cei.noise_free_limit",
        "sigma~ and sigma(x) are norms in L2 of vectors that differ by f(x+) - mu(x+), so |sigma~ - sigma(x)| <= "
        "sigma(x+) <= v+, the deviation of the one observation at x+. With the same u, s tau(u / s) has a slope of at "
        "most phi(0) in s: |alpha^C - alpha| <= phi(0) v+. At zero deviations both are max(u, 0), by continuity.",
        "As the noise tends to zero so does v+, and mu(x+) tends to the observed maximum, the kernel matrix being "
        "invertible: x+ is the observed maximiser from some noise level on, and alpha is EI.",
        steps=(_IN_S,),
    ),
    proof(
        "cei.vanishes_at_incumbent",
        "At x = x+ f(x) - f(x+) is zero, and so is its variance. sigma~^2 is at most the prior variance d^2 = 2 - 2 "
        "k(x, x+), and |u| <= d q, q^2 = y'(K + Sigma)^-1 y, by Cauchy-Schwarz. s tau(u / s) increases in s and in u, "
        "so alpha^C <= d tau(q) <= d (q + phi(0)), which tends to zero as x tends to x+, k being continuous.",
        steps=(
            _IN_S,
            _DERIVATIVE,
            Balls("tau(0) = phi(0) bounds tau(q) - q.", holds=("phi(0) < 2/5",), broken=("2/5", "1/5")),
        ),
    ),
    proof(
        "cei.beta_growth_repaired",
        "d = 1, X = [-1/2, 1/2]. The kernel is the sum of the products of exp(-x^2 / (2 l^2)) (x / l)^j / sqrt(j!), j "
        ">= 0. The first m features give K_m; the rest has a diagonal of at most e_m = P(Poisson(1 / (4 l^2)) >= m), "
        "so that gamma_T <= 1/2 (m log(1 + T / (m v^2)) + T e_m / v^2), by log det(A + R) <= log det A + tr R for A "
        ">= I and the concavity of log det in the eigenvalues.",
        "e_m <= a^m / m! with a = 1 / (4 l^2), which is below 1 / T for m of order log T: gamma_T = O((log T)^2), "
        "beta_T = O((log T)^5), and sqrt(T gamma_T beta_T) = O(sqrt(T (log T)^7)). In d dimensions the monomials of "
        "degree below m are at most m^d: gamma_T = O((log T)^(d + 1)), beta_T = O((log T)^(d + 4)), and the rate of "
        "the claim.",
        steps=(
            Identity(
                "The exponents, and the generating sum of the kernel.",
                {"d": "positive", "j": "integer", "p": "positive", "m": "positive"},
                holds=(
                    ("(d + 1) + 3", "d + 4"),
                    ("(d + 1) + (d + 4)", "2 * d + 5"),
                    ("limit(m**(1/2) * (p / m)**m, m, oo())", "0"),
                ),
                broken=("2 * d + 5", "2 * d + 4"),
            ),
        ),
    ),
)
