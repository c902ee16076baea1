"""Refutations of claims of Paper D on rates: of the regret and of the estimates."""

from theory_checks.certificates.certificate import refutation
from theory_checks.certificates.checker import Balls, Identity

CERTIFICATES = (
    refutation(
        "uhe.eq23",
        "X is the unit disc around (1, 1), f(x) = (x - (1, 1)) . w, w standard normal in the plane: a GP, a = 1, b = "
        "sqrt(2). Noise sigma = 10^7. Write x for x - (1, 1). Given t data w is N(m, S), S >= v I with v = sigma^2 / "
        "(sigma^2 + t), whatever the queries.",
        "Block n = 2^k >= sigma^2: the regret of the n / 2 even steps in (n, 2 n] is (n / 2) G(w), G(w) = |w| - w . "
        "c, c the mean of these queries, known from 2 n data. With w = m + h, G(m + h) + G(m - h) >= |m + h| + |m - "
        "h| - 2 |m| >= 2 ((|m|^2 + u^2)^(1/2) - |m|), u the part of h orthogonal to m, of variance at least v. h is "
        "symmetric. So given |m| <= 10, with probability at least P(|N(0, 1)| >= 1/10) / 2 = Phi(-1/10), G >= (v / "
        "100) / 21, so that the block's regret is at least sigma^2 / 12600 (v >= sigma^2 / (3 n)). P(|m| > 10) <= E "
        "|w|^2 / 100 = 1/50.",
        "On average a share of at least p = 49/50 Phi(-1/10) of the blocks has that regret, and so at least a share "
        "1/20 with probability (p - 1/20) / (1 - 1/20) or more. There are log T / log 2 - O(1) blocks up to T: with "
        "that probability the left side is at least `left` log T - O(1).",
        "beta_T is 12 log T + O(1) for d = 2 and every delta, gamma_{T/2} at most log(1 + T / (4 sigma^2)), C_1 at "
        "most 8 (sigma^2 + 1): the root is at most `root` log T (1 + o(1)). So for all large T D (23) fails with "
        "probability above 2/5, for every constant, be it of sigma and f. The printed probability tends to one as "
        "T_2, L and the C grow, uniformly in T > T_2, and so exceeds 3/5.",
        steps=(
            Balls(
                "The probability, and the order of the left side above that of the root.",
                let={
                    "sigma": "10**7",
                    "p": "49/50 * Phi(-1/10)",
                    "left": "sigma**2 / 12600 / 20 / log(2)",
                    "root": "sqrt(8 * (sigma**2 + 1) * 12)",
                },
                holds=("(p - 1/20) / (1 - 1/20) > 2/5", "1/2 * 1/3 / 100 / 21 == 1/12600", "left > root"),
                broken=("10**7", "10**6"),
            ),
            Identity(
                "The determinant in the plane: det(I + A) <= (1 + tr A / 2)^2; and C_1: log(1 + u) - u / (1 + u) is "
                "zero at 0 and increases.",
                {"u": "positive", "x": "positive", "y": "positive"},
                holds=(
                    ("(1 + (x + y) / 2)**2 - (1 + x) * (1 + y)", "(x - y)**2 / 4"),
                    ("diff(log(1 + u) - u / (1 + u), u)", "u / (1 + u)**2"),
                ),
                broken=("(x - y)**2 / 4", "(x - y)**2 / 2"),
            ),
        ),
        assumes="The kernel is linear. D (23) rests on Theorem 6.6, which names no kernel; Theorem 6.8 names two.",
    ),
    refutation(
        "uhe.thm6_5_information",
        "All is given the points, whose law does not depend on theta, and holds for all points. theta = log l; A and "
        "B are the covariances of n noisy data at lengthscales l and l' = l e^w, w = n^(-1/4), q the noise variance, "
        "s^2 the other one, K = A - q I, B - A = A^(1/2) E A^(1/2). n is so large that w <= 1/2, and that x and y "
        "below are less than one. The spectral densities have a quotient within exp(+-x), x = w (1 + 8 log n), up to "
        "the frequency 2 sqrt(log n) / l. R is the covariance of the parts of both densities above it, each of a mass "
        "of at most s^2 n^-2. So |c' (B - A) c| <= 2 x c' K c + c' R c, tr R <= 2 s^2 / n, and -M <= E <= M with M of "
        "norm at most y = 2 x + 2 s^2 / (n q) and of trace at most 2 x tr(K A^-1) + 2 s^2 / (n q).",
        "tr(K A^-1) <= log det(I + K / q) = O((log n)^2), by a / (1 + a) <= log(1 + a) and uhe.prop6_7. The "
        "eigenvalues of E are at most y and sum, in size, to at most 2 tr M. So the divergences of the two laws, "
        "added up, are 1/2 tr(E (I + E)^-1 E) <= y tr M / (1 - y) = O(w^2 (log n)^4), which tends to 0: the laws have "
        "a distance in variation that tends to 0 (Pinsker), uniformly for theta in an interval of length 1.",
        "Let an estimate be theta + O(n^(-1/2)) in probability at almost every theta of the interval. Then "
        "P_theta(|theta^ - theta| >= w / 2) tends to 0 at these, and its integral over theta, too, by dominated "
        "convergence. But at theta and theta + w the two probabilities add up to 1 - o(1) or more, as theta^ is not "
        "near both: the integral does not tend to 0. So the rate fails on a set of theta* of positive length, for "
        "every estimate. The limsup of the integral is at least 1/2: by Fatou's lemma the rate fails also if asked "
        "for with any fixed probability above 1/2.",
        steps=(
            Identity(
                "The logarithm of the quotient of the densities l exp(-l^2 f^2 / 2), and the two divergences of "
                "normal laws of variances a and a (1 + e) added up.",
                {"l": "positive", "f": "positive", "w": "positive", "a": "positive", "e": "positive"},
                let={
                    "density(z)": "z * exp(-(z**2) * f**2 / 2)",
                    "kl(p, r)": "(p / r - 1 - log(p) + log(r)) / 2",
                },
                holds=(
                    (
                        "density(l * exp(w)) / density(l)",
                        "exp(w - l**2 * f**2 * (exp(2 * w) - 1) / 2)",
                    ),
                    ("kl(a, a * (1 + e)) + kl(a * (1 + e), a)", "e**2 / (1 + e) / 2"),
                ),
                broken=("e**2 / (1 + e)", "e**2 * (1 + e)"),
            ),
            Balls(
                "e^(2 w) - 1 <= 4 w at w = 1/2, and so below, the left side being convex.",
                holds=("exp(2 * (1/2)) - 1 <= 4 * (1/2)",),
                broken=("4 *", "3 *"),
            ),
            Identity(
                "The limit.",
                {"n": "positive"},
                holds=(("limit((n**(-1/4))**2 * log(n)**4, n, oo())", "0"),),
                broken=("n**(-1/4)", "n**0"),
            ),
        ),
        assumes="The noise variance is positive. The rate is meant in probability.",
    ),
)
