"""Proofs of supported claims of Paper D."""

from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Balls, Identity

_UNION = (
    "A part is missed by all points with the probability below, and one of the N parts is missed with at most N times "
    "that (union bound)."
)
_COVERED = (
    "Where all of k^d cubes hold a random point, every x has one in its own cube, within sqrt(d) / k, and the nearest "
    "datum is no farther. So |f(x^_j) - f(x'_j)| <= L sqrt(d) / k, L a bound on the Euclidean norm of the gradient of "
    "f.",
)
_TUNED = Identity(
    "The general bound at this gamma, with K ln K = q and R_max = g.",
    {"q": "positive", "g": "positive", "c": "positive"},
    let={"gamma": "sqrt(q / (c * g))"},
    holds=(("c * gamma * g + q / gamma", "2 * sqrt(c) * sqrt(g * q)"),),
    broken=("2 * sqrt(c)", "3 * sqrt(c)"),
)
_EXP3 = (
    "Let x_i be the estimated rewards, x = r / p for the arm played, W the sum of the weights. gamma x_i / K <= 1, as "
    "p >= gamma / K. By exp(y) <= 1 + y + (e - 2) y^2 on [0, 1] and w_i / W = (p_i - gamma / K) / (1 - gamma), log(W' "
    "/ W) <= (gamma / K) r / (1 - gamma) + (e - 2) (gamma / K)^2 sum x_i / (1 - gamma), since sum p_i x_i = r and sum "
    "p_i x_i^2 = r x <= sum x_i.",
    "Summed over the rounds, and with log(W_T / W_1) >= (gamma / K) sum x_j - log K for every j: G >= (1 - gamma) sum "
    "x_j - K log K / gamma - (e - 2) (gamma / K) sum_i sum x_i. In expectation sum x_j is the reward R_j of arm j, "
    "and the last sum at most K R_max: R_max - E G <= (e - 1) gamma R_max + K log K / gamma.",
)
_CURVED = Identity(
    "(exp(y) - 1 - y) / y^2 increases on y > 0 and is e - 2 at 1: its derivative times y^3 is n1, n1' = n2, n2' > 0, "
    "and n1 and n2 are zero at 0.",
    {"y": "positive"},
    let={
        "ratio": "(exp(y) - 1 - y) / y**2",
        "n1": "(y - 2) * exp(y) + 2 + y",
        "n2": "(y - 1) * exp(y) + 1",
    },
    holds=(
        ("diff(ratio, y) * y**3", "n1"),
        ("diff(n1, y)", "n2"),
        ("diff(n2, y)", "y * exp(y)"),
        ("limit(n1, y, 0)", "0"),
        ("limit(n2, y, 0)", "0"),
        ("limit(ratio, y, 1)", "exp(1) - 2"),
    ),
    broken=("y * exp(y)", "2 * y * exp(y)"),
)

CERTIFICATES = (
    proof(
        "uhe.assumption6_1_repaired",
        "With A = (K + sigma^2 I)^-1 <= I / sigma^2, L(y^) - L(y) = 1/2 (y^ - y)' A (y^ + y), the determinant being "
        "the same. So the left side is at most |y^ - y| |y^ + y| / (2 M sigma^2), |y^ - y| <= sqrt(M) max_j |y^_j - "
        "y_j| and |y^ + y| <= sqrt(M) (rms y^ + rms y).",
        steps=(
            Identity(
                "The difference of two quadratic forms of a symmetric matrix [[p, r], [r, q]].",
                {"p": "real", "q": "real", "r": "real", "a": "real", "b": "real", "c": "real", "d": "real"},
                let={
                    "form(x, y)": "p * x**2 + 2 * r * x * y + q * y**2",
                    "mixed(x, y, v, w)": "x * (p * v + r * w) + y * (r * v + q * w)",
                },
                holds=(("form(a, b) - form(c, d)", "mixed(a - c, b - d, a + c, b + d)"),),
                broken=("a + c", "a - c"),
            ),
        ),
    ),
    proof(
        "uhe.cell_occupancy_repaired",
        _UNION,
        "N = sqrt(t), and each of the floor((t - 1) / 2) points misses a given part with probability 1 - 1 / N. More "
        "points only help.",
        steps=(),
    ),
    proof(
        "uhe.cell_occupancy_uhe_repaired",
        _UNION,
        "In every pair arm 1 has probability (1 - gamma) w + gamma / 2 >= gamma / 2, w its share of the weights, "
        "whatever was earned before, and its point falls into a given part with probability 1 / N: given the past, a "
        "pair misses the part with probability at most 1 - gamma / (2 N). There are floor(t / 2) pairs.",
        steps=(),
    ),
    proof(
        "uhe.exp3_algorithm",
        "EXP3 (Auer et al. 2002, section 3) has p = (1 - gamma) w / sum w + gamma / K, the reward estimate r / p of "
        "the arm played, and w <- w exp(gamma (r / p) / K), with gamma = min(1, sqrt(K ln K / ((e - 1) g))): the "
        "stated lines with K = 2, a round being a pair, and g = T / 2, which is at least R_max for T / 2 rounds of "
        "rewards in [0, 1].",
        steps=(
            Identity(
                "The tuning at K = 2 and g = T / 2.",
                {"T": "positive"},
                holds=(("sqrt(2 * log(2) / ((exp(1) - 1) * (T / 2)))", "sqrt(4 * log(2) / ((exp(1) - 1) * T))"),),
                broken=("4 * log(2)", "2 * log(2)"),
            ),
            Balls(
                "gamma is below one from T = 2 on, so that the cap does nothing.",
                holds=("sqrt(4 * log(2) / ((exp(1) - 1) * 2)) < 1",),
                broken=("* 2)", "* 1)"),
            ),
        ),
    ),
    proof(
        "uhe.exp3_bound_repaired",
        *_EXP3,
        "With R_max <= g and gamma < 1 that is at most the bound. Where gamma = 1, K ln K >= (e - 1) g, and the bound "
        "is at least 2 (e - 1) g > R_max.",
        steps=(
            _TUNED,
            _CURVED,
            Balls("The case gamma = 1.", holds=("2 * (exp(1) - 1) > 1",), broken=("> 1", "> 4")),
        ),
    ),
    proof(
        "uhe.exp3_general_bound",
        *_EXP3,
        "That is for gamma < 1; K stands for M. At gamma = 1 the right side is at least (e - 1) R_max >= R_max.",
        steps=(
            _CURVED,
            Balls("The case gamma = 1.", holds=("exp(1) - 1 > 1",), broken=("> 1", "> 2")),
        ),
        assumes="M is the number of actions. R_EXP3 is the reward of EXP3, and R_max that of the best action.",
    ),
    proof(
        "uhe.prop6_4_1_repaired",
        *_COVERED,
        "With C the Lipschitz constant of l the mean over the pseudo-points is at most C L sqrt(d) / k. k = "
        "floor(t^(1/(2 d))) >= t^(1/(2 d)) / 2.",
        steps=(
            Identity(
                "The diagonal of a cube of side 1 / k in d = 5 dimensions.",
                {"k": "positive"},
                holds=(("sqrt(sum([1 / k**2 for i in range(5)]))", "sqrt(5) / k"),),
                broken=("sqrt(5)", "5"),
            ),
        ),
    ),
    proof(
        "uhe.prop6_4_2_repaired",
        *_COVERED,
        "For fixed k the probability that all k^d cubes are reached by floor(t / 2) random points tends to one, so "
        "that sup |L^ - L| over Theta, at most C L times the mean distance to the nearest datum, tends to zero in "
        "probability, L being finite.",
        "Let m(theta) >= m(theta*) + eta for all theta in Theta at distance at least e. As soon as 2 sup |L^ - L| + 2 "
        "sup |L - m| < eta, m(theta^) - m(theta*) < eta, so that theta^ is nearer than e (van der Vaart, Asymptotic "
        "Statistics, Theorem 5.7).",
        steps=(
            Identity(
                "m(theta^) - m(theta*) as a sum of four errors and of L^(theta^) - L^(theta*) <= 0 (h for the "
                "estimate, s for theta*).",
                {"mh": "real", "ms": "real", "Lh": "real", "Ls": "real", "Ph": "real", "Ps": "real"},
                holds=(("mh - ms", "(mh - Lh) + (Lh - Ph) + (Ph - Ps) + (Ps - Ls) + (Ls - ms)"),),
                broken=("(Ph - Ps)", "(Ps - Ph)"),
            ),
        ),
    ),
    proof(
        "uhe.thm6_6_paths",
        "As printed, for one L_t, the statement is trivial: a_t = exp((L_t / b_t)^2) makes the right-hand side 1. The "
        "rest proves it along a line for every L.",
        "Along a line f' = df/dx is a stationary Gaussian process with continuous paths, of variance lambda_2 = "
        "-k''(0), whose derivative has variance lambda_4 = k''''(0). By Rice's formula it upcrosses L on [0, 1] "
        "(lambda_4 / lambda_2)^(1/2) / (2 pi) exp(-L^2 / (2 lambda_2)) times on average.",
        "f' exceeds L somewhere only if it does so at 0 or upcrosses L. So P(sup f' > L) is at most P(f'(0) > L) <= "
        "1/2 exp(-L^2 / (2 lambda_2)) plus that mean, by Markov's inequality, and the same below: a = 2 (1/2 + "
        "(lambda_4 / lambda_2)^(1/2) / (2 pi)), b = (2 lambda_2)^(1/2), at every estimate.",
        steps=(
            Identity(
                "lambda_2 and lambda_4 are finite: of the squared exponential, and of Matern-5/2 for r > 0.",
                {"r": "positive"},
                let={
                    "se": "exp(-(r**2) / 2)",
                    "matern": "(1 + sqrt(5) * r + 5 * r**2 / 3) * exp(-sqrt(5) * r)",
                    "second(k)": "diff(diff(k, r), r)",
                },
                holds=(
                    ("limit(second(se), r, 0)", "-1"),
                    ("limit(second(second(se)), r, 0)", "3"),
                    ("limit(second(matern), r, 0)", "-5/3"),
                    ("limit(second(second(matern)), r, 0)", "25"),
                ),
                broken=("5 * r**2", "6 * r**2"),
            ),
            Identity(
                "Phi(-u) <= exp(-u^2 / 2) / 2: the difference is zero at 0 and infinity, and its derivative changes "
                "sign once, at u = sqrt(2 / pi).",
                {"u": "positive"},
                holds=(
                    ("diff(exp(-(u**2) / 2) / 2 - Phi(-u), u)", "exp(-(u**2) / 2) * (1 / sqrt(2 * pi()) - u / 2)"),
                    ("limit(exp(-(u**2) / 2) / 2 - Phi(-u), u, 0)", "0"),
                    ("limit(exp(-(u**2) / 2) / 2 - Phi(-u), u, oo())", "0"),
                ),
                broken=("u / 2)", "u / 3)"),
            ),
        ),
    ),
)
