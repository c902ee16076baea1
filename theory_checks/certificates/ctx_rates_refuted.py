"""Certified refutations of the printed Theorems 1 and 2 of Paper C: an estimate that loses mass at the ends of C."""

from theory_checks.certificates.certificate import refutation
from theory_checks.certificates.checker import Balls, Identity
from theory_checks.certificates.ctx_proved import AT_BETA, BALL, POSITIVE_PART

_STEPS = (
    Identity(
        "g: its integral, its largest value 1/2, and -g >= 1 - 6 c. The mean of phi.",
        {"c": "real", "x": "real"},
        let={"g(c)": "6 * c * (1 - c) - 1"},
        holds=(
            ("integral(g(c), c, 0, 1)", "0"),
            ("1/2 - g(c)", "6 * (c - 1/2)**2"),
            ("-g(c) - (1 - 6 * c)", "6 * c**2"),
            ("g(1 - c)", "g(c)"),
            ("integral(1/2 + (x * g(c) - x**10) / 4, c, 0, 1)", "1/2 - x**10 / 4"),
        ),
        broken=("6 * c * (1 - c) - 1", "6 * c * (1 - c) - 2"),
    ),
    Identity(
        "The slope in x of M / 2 + (B x - M x^10) / 4 for B = 10 M y^9: positive below y, negative above.",
        {"M": "positive", "x": "positive", "y": "positive"},
        holds=(("diff(M / 2 + (10 * M * y**9 * x - M * x**10) / 4, x)", "5/2 * M * (y**9 - x**9)"),),
        broken=("y**9 - x**9", "y**9 - 2 * x**9"),
    ),
    Identity(
        "The integral in E B, and E w_+.",
        {"c": "positive", "h": "positive"},
        holds=(
            ("2 * integral(Phi(-c / h) - 6 * c * Phi(-c / h), c, 0, oo())", "sqrt(2 / pi()) * h - 3 * h**2"),
            ("integral(c * phi(c), c, 0, oo())", "1 / sqrt(2 * pi())"),
        ),
        broken=("3 * h**2", "2 * h**2"),
    ),
    POSITIVE_PART,
    AT_BETA,
    Identity(
        "beta_1, with tau_1 = b sqrt(pi) / 2.",
        {},
        let={"b": "11 * sqrt(2) / 4"},
        holds=(("2 * log(1 / sqrt(2 * pi())) + 2 * log(b * sqrt(pi()) / 2)", "2 * log(11/8)"),),
        broken=("sqrt(2) / 4", "sqrt(2) / 5"),
    ),
    Balls(
        "beta_1 > 0, tau_1 >= 1, the range of phi, E B >= h / 2 at h = 1/12 (and below), the exponents.",
        holds=(
            "2 * log(11/8) > 0",
            "11 * sqrt(2) / 4 * sqrt(pi()) / 2 >= 1",
            "1/2 - 1/4 - 1/4 >= 0 and 1/2 + 1/8 <= 5/8",
            "sqrt(2 / pi()) - 3 / 12 > 1/2",
            "1/5 * 10 / 9 == 2/9 and 1 - 2/9 > 3/5",
        ),
        broken=("3 / 12", "4 / 12"),
    ),
)
_RULES = (
    "p^_t is made of past contexts with a Gaussian K of deviation h_t, and integrated over C (the printed K changes h "
    "and p^ by a factor 2^(-1/2)). The acquisition is maximised exactly. The decisions of finitely many initial rounds "
    "are any; if their contexts are not from p, E B changes by O(1/t). sigma^2 > 0."
)

CERTIFICATES = (
    refutation(
        "ctx.thm1_rate",
        "X = C = [0, 1], p = 1, h_t = t^(-1/5), f = w phi, phi(x, c) = 1/2 + (x g(c) - x^10) / 4, g(c) = 6 c (1 - c) "
        "- 1, w standard normal. g lies in [-1, 1/2] and has integral 0: E_p phi = 1/2 - x^10 / 4, and 0 <= phi <= "
        "5/8, k <= 1. |dphi/dx| <= 11/4, |dphi/dc| <= 3/2, P(|w| > z) <= exp(-z^2 / 2): Assumption 1, a = 1, b = 11 "
        "sqrt(2) / 4. beta_t >= beta_1 > 0.",
        "Given the data w is N(m, s^2), s <= 1, and ucb_t = L phi, L = m + sqrt(beta_t) s, as phi >= 0. So if L > 0, "
        "x_t maximises E_p^ phi = M / 2 + (B x - M x^10) / 4, M and B the integrals over C of p^ and p^ g. M <= 1, B "
        "<= M / 2: x_t = (B_+ / (10 M))^(1/9) <= 1. If also w > 0, r_t = w x_t^10 / 4 >= w l / 4, l = (B_+ / "
        "10)^(10/9) <= 1.",
        "r_t >= 0, and l, of contexts alone, is independent of w. So 4 E r_t >= E w_+ E l - E(w_+; L <= 0), E w_+ = 1 "
        "/ sqrt(2 pi). If L <= 0, given the data w <= s (Z - sqrt(beta_t)), Z standard normal: the last mean is at "
        "most E(Z - sqrt(beta_t))_+ <= exp(-beta_t / 2) / sqrt(2 pi) = 1 / (t^2 tau_t) <= 1 / t^2.",
        "E p^(c) = 1 - Phi(-c / h) - Phi(-(1 - c) / h) on C. g is symmetric, and -g >= 1 - 6 c, negative beyond C: E "
        "B = -2 int_0^1 g(c) Phi(-c / h) dc >= 2 int_0^oo (1 - 6 c) Phi(-c / h) dc = sqrt(2 / pi) h - 3 h^2 >= h / 2 "
        "once h <= 1/12. l is convex in B: E l >= (h / 20)^(10/9) (Jensen).",
        "So E r_t is at least of order t^(-2/9), BCR(T) of order T^(7/9). gamma_T = O(log T) for one weight: the right "
        "side is O(sqrt(T) log T + T^(3/5)), whatever C_1 and C_2 are.",
        steps=_STEPS,
        assumes=_RULES,
    ),
    refutation(
        "ctx.thm2_rate",
        "The example of ctx.thm1_rate, with its L, M, B and Z, and delta_t = t^(-2/5) = h_t^2; p^ is divided by M. So "
        "if L > 0, the worst mean of ucb_t(x, .) over the ball is L (1/2 + (x G - x^10) / 4), as x >= 0, with G the "
        "infimum of E_q g over the ball, the same for every x. G <= 1/2: x_t = (G_+ / 10)^(1/9) <= 1.",
        BALL,
        "So G >= B / M - 3 delta_t / 4, and G_+ >= (B - 3 delta_t / 4)_+, as M <= 1. If w > 0 and L > 0, r_t = w "
        "x_t^10 / 4 >= w l / 4, l = ((B - 3 delta_t / 4)_+ / 10)^(10/9) <= 1.",
        "As there, 4 E r_t >= E l / sqrt(2 pi) - 1 / t^2 and E B >= h / 2 once h <= 1/12. l is convex in B: E l >= ((h "
        "/ 2 - 3 h^2 / 4) / 10)^(10/9) (Jensen).",
        "So E r_t is at least of order t^(-2/9), BCR(T) of order T^(7/9). gamma_T = O(log T) for one weight, sum "
        "delta_t = O(T^(3/5)), sum delta_t^2 = O(T^(1/5)): the right side is O(sqrt(T) log T + T^(3/5)), whatever the "
        "constants are.",
        steps=(
            *_STEPS,
            Identity(
                "delta_t = h_t^2.",
                {"t": "positive"},
                holds=(("(t**(-1/5))**2", "t**(-2/5)"),),
                broken=("(-1/5)", "(-1/4)"),
            ),
            Balls(
                "delta_t times half the range of g; h / 2 - 3 h^2 / 4 > 0 at h = 1/12 (and below).",
                holds=("(1/2 + 1) / 2 == 3/4", "1/2 - 3/4 / 12 > 0"),
                broken=("(1/2 + 1)", "(1/2 + 2)"),
            ),
        ),
        assumes=_RULES + " The minimum over the ball stands for the infimum.",
    ),
)
