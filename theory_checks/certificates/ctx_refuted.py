"""Certified refutations of Paper C."""

from theory_checks.certificates.certificate import refutation
from theory_checks.certificates.checker import Balls, Identity

_LOST = Balls(
    "Phi(-1) is not small.",
    holds=("Phi(-1)**2 > 1/40", "Phi(-1) > 3/20"),
    broken=("> 1/40", "> 1/30"),
)
_NEGATIVE = Balls(
    "beta_1 is negative.",
    let={"tau1": "2"},
    holds=("2 * log(tau1 / sqrt(2 * pi())) < 0",),
    broken=("/ sqrt(2 * pi())", "* sqrt(2 * pi())"),
)
_UNSEEN = (
    "X = [0, 2 pi], C = [0, 1]^Dc, f(x, c) = (w_1 cos x + w_2 sin x) psi_1(c_1) + (v_1 cos x + v_2 sin x) psi_2(c_1), "
    "w and v standard normal, psi_1(u) = (4 (3/4 - u) / 3)_+^2, psi_2(u) = (4 (u - 3/4))_+^2. One of the two is zero "
    "and both are at most one: k <= 1. |df/dx| <= max(|w|, |v|) and |df/dc_1| <= 8 max(|w|, |v|): Assumption 1, a = "
    "2, b = 8 sqrt(2).",
    "The coordinates of the contexts are independent, of density 35/8 (1 - s^2)^3 at u, s = 4 u - 2, on [1/4, 3/4]: p "
    "is twice continuously differentiable on R^Dc. psi_2 = 0 at every context, so that v stays standard normal given "
    "the data. Four features of total square at most one: gamma_T <= 2 log(1 + T / (4 sigma^2)).",
)
_DENSITY = Identity(
    "p integrates to one, and (1 - s^2)^3 35/8 >= 280 y^3 at distance y = (1 - s) / 4 below 3/4, by 1 + s >= 1.",
    {"u": "real", "s": "real", "y": "positive", "h": "positive"},
    holds=(
        ("integral(35/8 * (1 - (4 * u - 2)**2)**3, u, 1/4, 3/4)", "1"),
        ("35/8 * (4 * y)**3", "280 * y**3"),
        ("integral(280 * y**3, y, 0, h)", "70 * h**4"),
    ),
    broken=("280", "281"),
)

CERTIFICATES = (
    refutation(
        "ctx.kernel_normalised",
        "The integral over R^Dc is the product of Dc equal ones, 2^(-Dc/2).",
        steps=(
            Identity(
                "The integral in one dimension, which is not one.",
                {"x": "real"},
                holds=(("integral(exp(-(x**2)) / sqrt(2 * pi()), x, -oo(), oo())", "1 / sqrt(2)"),),
                broken=("-(x**2)", "-(x**2) / 2"),
            ),
        ),
    ),
    refutation(
        "ctx.lemma1",
        "Dc = 1, C = [0, 1], p = 1, h <= 1 of order t^(-1/5). E p^(c) = P(0 <= c + h Z <= 1) <= 1 - Phi(-c / "
        "h), Z standard normal. So the squared bias integrates to at least h times the integral of Phi(-u)^2 from 0 "
        "to 1, more than h / 40.",
        "MISE >= h / 40, which is of order t^(-1/5), not O(t^(-4/5)).",
        steps=(_LOST,),
    ),
    refutation(
        "ctx.lemma5_used",
        "Dc = 1, C = [0, 1], p = 1, X = [0, 2 pi], f(x, c) = w_1 cos x + w_2 sin x, k = cos(x - x') <= 1; |df/dx| <= "
        "|w|, P(|w| > L) = exp(-L^2 / 2): Assumption 1 with a = 1, b = sqrt(2).",
        "At x* both integrands are |w|, so that the left side is E|w| times the mean mass that p^ has outside C, at "
        "least h Phi(-1): of order t^(-1/5), not O(t^(-2/5)).",
        steps=(
            _LOST,
            Identity(
                "E|w|.",
                {"r": "positive"},
                holds=(("integral(r**2 * exp(-(r**2) / 2), r, 0, oo())", "sqrt(pi() / 2)"),),
                broken=("pi() / 2", "pi()"),
            ),
        ),
    ),
    refutation(
        "ctx.lemma6",
        "Dx = 1, a = r = 1, b = 4 / sqrt(pi), t = 1: tau_1 = 2. f is constant in z (k = 1): its derivatives vanish, "
        "Assumption 1 holds. beta_1 < 0: ucb_1 is not a real number.",
        steps=(_NEGATIVE,),
    ),
    *(
        refutation(
            claim,
            "Dx = 1, a = r = 1, b = 4 / sqrt(pi), t = 1: tau_1 = 2. f is constant in z (k = 1): its derivatives "
            "vanish, Assumption 1 holds. beta_1 < 0: ucb_1 is not a real number, nor is the summand of t = 1.",
            steps=(_NEGATIVE,),
        )
        for claim in ("ctx.lemma7", "ctx.lemma9")
    ),
    refutation(
        "ctx.lemma6_equality",
        "mu = -1, sigma = 1: E X_+ = tau(-1).",
        steps=(
            Identity(
                "E X_+ for a normal variable.",
                {"x": "real"},
                holds=(
                    ("diff(-phi(x + 1) - Phi(x + 1), x)", "x * phi(x + 1)"),
                    ("limit(-phi(x + 1) - Phi(x + 1), x, oo()) + phi(1) + Phi(1)", "tau(-1)"),
                ),
                broken=("x * phi(x + 1)", "x * phi(x - 1)"),
            ),
            Balls("The sides differ.", holds=("tau(-1) < exp(-1/2) / sqrt(2 * pi())",), broken=("tau(-1)", "tau(1)")),
        ),
    ),
    refutation(
        "ctx.lemma3",
        "D = 2, f(z) = s sum_i (w_i1 g_1(z_i) + w_i2 g_2(z_i)), w standard normal, g_1' and g_2' smooth bumps of "
        "height one with disjoint supports, s so small that k <= 1.",
        "The i-th slope is s max(|w_i1|, |w_i2|). P(max <= y sqrt(2)) >= 1 - exp(-y^2), as the square contains the "
        "disc: Assumption 1 holds with a = 1, b = s sqrt(2), whose bound is E L_max <= s sqrt(pi / 2).",
        "L_max / s is the largest of four half-normals; its mean is the integral of the decreasing 1 - erf(x / "
        "sqrt(2))^4.",
        steps=(
            Balls(
                "A lower sum of that integral exceeds sqrt(pi / 2).",
                let={"lower": "sum(1/20 * (1 - erf((i + 1) / 20 / sqrt(2))**4) for i in range(80))"},
                holds=("lower > sqrt(pi() / 2)",),
                broken=("**4", "**2"),
            ),
        ),
    ),
    refutation(
        "ctx.variance_sum",
        "k = cos(pi (c - c') / 2) on C = [0, 1], whatever x; contexts from any density on [0, 1/20], sigma^2 = 1, T = "
        "100, beta_t = 1. f = w_1 cos(pi c / 2) + w_2 sin(pi c / 2), and f(x, 1) = w_2. The precision of w_2 after t "
        "observations is at most 1 + s t, s = sin(pi / 40)^2 <= (pi / 40)^2, so that sigma_t^2(x_t, 1) >= 1 / (1 + s "
        "t), and the variance at c*_t is as large. The left side is at least log(1 + s T) / s, on every path.",
        "Two features of total square one: det(I + M / sigma^2) <= (1 + T / (2 sigma^2))^2, gamma_T <= log(1 + T / 2).",
        steps=(
            Balls(
                "The left side exceeds the right one.",
                let={"T": "100", "s": "(pi() / 40)**2"},
                holds=("log(1 + s * T) / s > 8 / log(2) * log(1 + T / 2)",),
                broken=("100", "10"),
            ),
        ),
    ),
    refutation(
        "ctx.variance_sum_constant",
        "T = 1, sigma^2 = 3, k(z, z) = 1: the left side is beta_1, and gamma_1 = 1/2 log(1 + 1/3).",
        steps=(
            Balls(
                "1 exceeds C gamma_1.",
                holds=("1 > 8 / log(1 + 3) * log(1 + 1/3) / 2",),
                broken=("8 /", "10 /"),
            ),
        ),
    ),
    refutation(
        "ctx.prop2",
        "C = [0, 1], p uniform on [0, 1/2], f = 1 there and 0 elsewhere, delta = 1. Every q << p has E_q f = 1.",
        "The dual is -beta - alpha + min{1 + beta, alpha} <= -beta - alpha + (1 + beta) / 2 + alpha / 2 = 1/2 - "
        "(alpha + beta) / 2 <= 1/2, since alpha + beta >= -inf f = 0: multipliers 1/2, 1/2 and 1/2.",
        steps=(
            Identity(
                "The multipliers.",
                {"alpha": "real", "beta": "real"},
                holds=(("-beta - alpha + 1/2 * (1 + beta) + 1/2 * alpha + 1/2 * (alpha + beta)", "1/2"),),
                broken=("1/2 * (alpha", "-1/2 * (alpha"),
            ),
        ),
    ),
    refutation(
        "ctx.lemma10_step",
        "No data for f, f(x, c) = w g(c), g with values in [0, 1], w standard normal, k <= 1; p^ any density under "
        "which g is not constant, delta <= 1. With m = E_p^ g and V the variance of g under p^, q = p^ (1 + delta (g "
        "- m)) and p^ (1 - delta (g - m)) are densities in the ball, and E_q g = m + delta V, m - delta V.",
        "So E_(q^f) f <= w m - |w| delta V, and the left side exceeds the right one by E int q^f (mu - f) >= delta V "
        "E|w| > 0.",
        steps=(
            Identity(
                "The mean of g under the tilted density (m2 = E g^2), and E|w|.",
                {"d": "real", "m": "real", "m2": "real", "z": "positive"},
                holds=(
                    ("m + d * (m2 - m * m)", "m * (1 - d * m) + d * m2"),
                    ("2 * integral(z * phi(z), z, 0, oo())", "sqrt(2 / pi())"),
                ),
                broken=("2 / pi()", "1 / pi()"),
            ),
        ),
    ),
    refutation(
        "ctx.lemma8",
        *_UNSEEN,
        "Dc = 9. The left side is E sum sqrt(beta_t) int p^ sigma_t, as E(f | data) = mu, and sigma_t = psi_2(c_1) "
        "beyond 3/4. A context at distance y <= h below 3/4, moved by h Z with Z in [2, 3], lands in [3/4 + h, 3/4 + "
        "3 h], where psi_2 >= 16 h^2. So for small h E int p^ sigma_t >= 16 h^2 (Phi(3) - Phi(2)) 70 h^4 2^-8, the "
        "last factor for the other coordinates.",
        "The left side is at least of order sqrt(beta_T) T^(1 - 6/13) = T^(7/13), the right one at most of order "
        "sqrt(beta_T T log T).",
        steps=(
            _DENSITY,
            Balls(
                "The constant, the exponents.",
                holds=("Phi(-2) - Phi(-3) > 1/50", "1 - 6/13 > 1/2"),
                broken=("6/13", "7/13"),
            ),
        ),
    ),
    refutation(
        "ctx.lemma10",
        *_UNSEEN,
        "Dc = 1, delta_t = t^(-2/5). Given the data, ucb is 0 where c_1 = 3/4 and positive beyond: q^ucb moves a mass "
        "delta_t / 2 to a minimiser with c_1 <= 3/4, where f >= -|w|. It is known given the data, so that E int q^ucb "
        "(ucb - f) = E int q^ucb sqrt(beta_t) sigma_t >= 0. Moved to c_1 = 1 instead, the mass meets f = -Z, Z "
        "standard normal and independent of w.",
        "So round t adds at least delta_t / 2 E(Z - |w|)_+ >= delta_t / 2 P(|w| <= 1) tau(-1). The left side is at "
        "least of order T^(3/5), the right one at most of order sqrt(beta_T T log T).",
        steps=(
            _DENSITY,
            Balls(
                "The constant is positive, the exponents.",
                holds=("(1 - exp(-1/2)) * tau(-1) > 3/100", "1 - 2/5 > 1/2"),
                broken=("2/5", "3/5"),
            ),
        ),
        assumes=(
            "Assumption 1 and k <= 1 as for Lemma 8; q ranges over densities, so that c_1 = 1 stands for points as "
            "near to it as one likes."
        ),
    ),
    refutation(
        "ctx.no_dual_gap",
        "C = [0, 1], p = 2 on [0, 1/2] and 0 elsewhere, f = 1 on [0, 1/2] and 0 elsewhere, delta = 1. q = p has "
        "distance 0 < delta: Slater's condition. Every q << p has E_q f = 1: C (14) is 1.",
        "C (17) asks for alpha + beta >= 0, as inf f = 0. -beta - alpha + min{1 + beta, alpha} is at most -beta - "
        "alpha + (1 + beta) / 2 + alpha / 2 = 1/2 - (alpha + beta) / 2 <= 1/2, its value at alpha = 1/2, beta = -1/2: "
        "C (17) is 1/2.",
        "C (16), an integral against p, sees f = 1 alone. There it is -beta - alpha + min{1 + beta, alpha} too, but "
        "with alpha + beta >= -1: at most -beta - alpha + (1 + beta) = 1 - alpha <= 1, its value at alpha = 0, beta = "
        "-1. So C (14) = C (16) = 1 and C (17) = 1/2.",
        steps=(
            Identity(
                "The multipliers for C (17) and for C (16).",
                {"alpha": "real", "beta": "real"},
                holds=(
                    ("-beta - alpha + 1/2 * (1 + beta) + 1/2 * alpha + 1/2 * (alpha + beta)", "1/2"),
                    ("-beta - alpha + (1 + beta) + alpha", "1"),
                ),
                broken=("1/2 * (alpha", "-1/2 * (alpha"),
            ),
            Balls(
                "The values at the two maximisers, which are admitted.",
                let={"dual(alpha, beta)": "-beta - alpha + min(1 + beta, alpha)"},
                holds=(
                    "dual(1/2, -1/2) == 1/2 and 1/2 + -1/2 >= 0",
                    "dual(0, -1) == 1 and 0 + -1 >= -1",
                    "2 * 1/2 == 1",
                ),
                broken=("dual(1/2, -1/2)", "dual(1, -1/2)"),
            ),
        ),
        assumes=(
            "In C (16) p alpha phi* counts as 0 where p = 0, even where phi* is infinite, as in an integral against p, "
            "and alpha = 0 is admitted where f + beta >= 0. If phi* = oo counted where p = 0, C (16) would be C (17) "
            "and the gap lie between C (14) and C (16): C (14) and C (17) differ either way."
        ),
    ),
)
