"""Certified refutations of Paper B."""

from theory_checks.certificates.certificate import refutation
from theory_checks.certificates.checker import Balls, Identity

_FAR = {
    "v": "1/1000",
    "rho": "exp(-3**2 / 2)",
    "at_far": "sqrt(1 - rho**2 / (1 + v**2))",
    "at_zero": "v / sqrt(1 + v**2)",
}
"""X = {0, 3}, squared exponential kernel of lengthscale one, one observation at 0: posterior deviations at 3 and 0."""

_TWO_POINTS = {
    "v": "1/10",
    "m": "1",
    "rho": "exp(-1/2)",
    "g": "1",
    "c": "45/100",
    "r": "1 + v**2 / (m * (1 + rho))",
    "leaves": "exp(-m * c**2 / (2 * v**2)) + Phi((c * r - g) * sqrt(m) / v)",
    "too_far": "exp(-m * c**2 / (2 * v**2)) + Phi(-c * sqrt(m) / v)",
    "s": "1 / sqrt(1 / (1 - rho**2) + m / v**2)",
}
_ORDER_OF_MEANS = Identity(
    "mu(a) > mu(b) exactly if Y_a (1 + rho + q) > Y_b (1 + rho + p), p = v^2 / m and q = v^2 / n, and the weights of "
    "Y_a and Y_b in mu(a) - mu(b) are those used below.",
    {"rho": "positive", "p": "positive", "q": "positive", "A": "real", "B": "real"},
    let={
        "inv": "inverse([[1 + p, rho], [rho, 1 + q]])",
        "w": "[inv[0][0] * A + inv[0][1] * B, inv[1][0] * A + inv[1][1] * B]",
        "gap": "(w[0] + rho * w[1]) - (rho * w[0] + w[1])",
        "d": "(1 + p) * (1 + q) - rho**2",
    },
    holds=(
        ("gap * d", "(1 - rho) * (A * (1 + rho + q) - B * (1 + rho + p))"),
        ("d - (1 - rho) * (1 + rho + q)", "p + rho * q + p * q"),
    ),
    broken=("(1 + rho + q) - B", "(1 - rho + q) - B"),
)
_STAYS = (
    "X = {a, b}, f(a) = 1 > f(b) = 0, g = 1 their difference, squared exponential kernel with k(a, b) = rho = "
    "exp(-1/2), each observed m = 1 time first, noise v = 1/10. Let c = 9/20, r = 1 + v^2 / (1 + rho), leaves = "
    "exp(-c^2 / (2 v^2)) + Phi((c r - g) / v), too_far = exp(-c^2 / (2 v^2)) + Phi(-c / v), s^-2 = 1 / (1 - rho^2) + "
    "1 / v^2. alpha^C(x+) = 0 and alpha^C > 0 at the other point: while a is x+, every proposal is b.",
    "After n observations of b with mean Y_b, and Y_a of a, the first step says when a is x+. It is so for ever if "
    "Y_a >= c r and Y_b < c for all n >= m. By Ville's inequality for exp(c S_n / v^2 - c^2 n / (2 v^2)), S_n the sum "
    "of n noises, one of the two fails with probability at most `leaves`.",
    "With Y_b > -c and Y_a < g + c, which fail with probability at most `too_far`, mu(a) - mu(b) <= g + 2 c, its "
    "weights being at most one; and sigma~^2 >= s^2, the variance of f(a) given Y_a and f(b). s tau(u / s) increases "
    "in u and s, so that alpha^C(b) >= s tau(-(g + 2 c) / s) > 0 for ever.",
)

CERTIFICATES = (
    refutation(
        "cei.lemma4_2",
        "X = {0, 10}, squared exponential kernel of lengthscale one, v = 1, T = 10, every sample at 0; x = 10.",
        "Both sides are computed from their definitions: gamma_T is the largest gain of all multisets of T points of "
        "X.",
        steps=(
            Balls(
                "The left side is above the right one.",
                let={
                    "T": "10",
                    "rho": "exp(-10**2 / 2)",
                    "gram(n)": "[[2 if i == j else 1 for j in range(n)] for i in range(n)]",
                    "variance(n)": "1 if n == 0 else 1 - sum(rho * w for w in solve(gram(n), [rho for i in range(n)]))",
                    "left": "sum(variance(t) for t in range(T))",
                    "k(i, j, n)": "2 if i == j else (1 if (i - n + 1/2) * (j - n + 1/2) > 0 else rho)",
                    "gain(n)": "log(det([[k(i, j, n) for j in range(T)] for i in range(T)])) / 2",
                    "most": "max([gain(n) for n in range(T + 1)])",
                },
                holds=("left > 2 / log(2) * most",),
                broken=("2 / log(2)", "9 / log(2)"),
            ),
        ),
    ),
    refutation(
        "cei.eq24",
        "X = {0, 3}, squared exponential kernel of lengthscale one, one observation y = 0 at 0: the posterior mean is "
        "zero.",
        "x+ = 0 and alpha^C(3) = sigma~ phi(0) > 0 = alpha^C(0), so that x_t = 3, z = 0, and the right side is zero.",
        "f(0) = 0 and f(3) = -1, of norm ||f||_k^2 = 1 / (1 - rho^2); the left side is 1. beta_t >= 2 ||f||_k^2.",
        steps=(
            Balls(
                "The event of Lemma 4.1 holds at 3 (at 0 f = mu), and the sides differ.",
                let={**_FAR, "norm_squared": "1 / (1 - rho**2)"},
                holds=("1 <= sqrt(2 * norm_squared) * at_far", "at_far * (tau(0) - tau(-0)) < 1"),
                broken=("2 * norm_squared", "1/2 * norm_squared"),
            ),
        ),
    ),
    refutation(
        "cei.eq27",
        "As in B (24), with f(3) = -A, A = 10^5, noise of deviation 1/1000, t = 2, delta = 1/20: r_t = A, x* = x+ = 0.",
        "gamma_2 of two points is at most log(1 + 1 / v^2), by Hadamard's inequality and the concavity of the "
        "logarithm; beta_t is at least 2 ||f||_k^2 and at most `beta`. kappa is alpha^C(x_t) itself, the most "
        "favourable value.",
        steps=(
            Balls(
                "The event holds, and r_t is above the right side.",
                let={
                    **_FAR,
                    "A": "10**5",
                    "norm_squared": "A**2 / (1 - rho**2)",
                    "beta": "2 * norm_squared + 300 * log(1 + 1 / v**2) * log(2 / (1/20))**3",
                    "difference": "sqrt(at_far**2 + at_zero**2 - 2 * rho * v**2 / (1 + v**2))",
                    "kappa": "difference * phi(0)",
                    "C": "max(log(2 / (pi() * kappa**2)), 0)",
                    "right": "(1 + sqrt(C)) * at_far + sqrt(beta) * at_zero + (1 + sqrt(C) + sqrt(beta)) * at_zero",
                },
                holds=("A <= sqrt(2 * norm_squared) * at_far", "A > right"),
                broken=("10**5", "10**0"),
            ),
        ),
    ),
    refutation(
        "cei.lemma4_5",
        "X = {0, 1/2, 1}, squared exponential kernel of lengthscale one, observations 0 at 0 and 4 at 1/2 with noise "
        "variance 1/100. x+ = 1/2. kappa = 3/5: alpha^C(1) is at least that, and it is the largest on X.",
        "C < 0: the right side is not a real number, so that the inequality cannot hold.",
        steps=(
            Balls(
                "x_t = 1 maximises alpha^C, alpha^C(x_t) >= kappa, and C < 0.",
                let={
                    "x": "[0, 1/2, 1]",
                    "k(a, b)": "exp(-(a - b)**2 / 2)",
                    "noisy": "[[k(x[i], x[j]) + (1/100 if i == j else 0) for j in range(2)] for i in range(2)]",
                    "weights": "solve(noisy, [0, 4])",
                    "mean(a)": "sum(k(a, x[i]) * weights[i] for i in range(2))",
                    "part(a, b)": "solve(noisy, [k(b, x[j]) for j in range(2)])",
                    "cov(a, b)": "k(a, b) - sum(k(a, x[i]) * part(a, b)[i] for i in range(2))",
                    "s(a)": "sqrt(cov(a, a) + cov(1/2, 1/2) - 2 * cov(a, 1/2))",
                    "alpha(a)": "s(a) * tau((mean(a) - mean(1/2)) / s(a))",
                    "kappa": "3/5",
                },
                holds=(
                    "mean(0) < mean(1/2)",
                    "alpha(0) < alpha(1)",
                    "alpha(1) >= kappa",
                    "s(1) <= 2",
                    "log(1 / (pi() * kappa**2)) < 0",
                ),
                broken=("3/5", "1/2"),
            ),
        ),
    ),
    refutation(
        "cei.lemma_G",
        "G is not defined at 0, its limit there is 1 and its values are above 1.",
        steps=(
            Identity(
                "The limit of G at 0 is 1, not 0.",
                {"s": "positive"},
                holds=(("limit(s / log(1 + s), s, 0)", "1"),),
                broken=("s / log", "2 * s / log"),
            ),
            Balls("G is above 1 near 0.", holds=("(1/1000) / log(1 + 1/1000) > 1",), broken=("> 1", "< 1")),
        ),
    ),
    refutation(
        "cei.beta_growth",
        "gamma_T is at least the gain of T samples at one point, 1/2 log det(I + J / v^2) = 1/2 log(1 + T / v^2), J "
        "the matrix of ones, of which T is the only eigenvalue that is not zero.",
        "beta_T / (log T)^3 >= 150 log(1 + T / v^2) (log(T / delta) / log T)^3, which tends to infinity.",
        steps=(
            Identity(
                "The determinant for T = 5, and the limit.",
                {"c": "positive", "T": "positive"},
                holds=(
                    ("det([[c + (1 if i == j else 0) for j in range(5)] for i in range(5)])", "1 + 5 * c"),
                    ("limit(1 / log(1 + T), T, oo())", "0"),
                ),
                broken=("1 + 5 * c", "1 + 4 * c"),
            ),
        ),
    ),
    refutation(
        "cei.sublinear",
        *_STAYS,
        "So R_T = T for every T, on an event of the stated probability, for f in the space and kappa = 10^-84 fixed "
        "in advance.",
        steps=(
            _ORDER_OF_MEANS,
            Balls(
                "The probability is above 0.9998, and alpha^C(b) is above kappa.",
                let={**_TWO_POINTS, "kappa": "1 / 10**84"},
                holds=("leaves + too_far < 2 / 10**4", "s * tau(-(g + 2 * c) / s) > kappa"),
                broken=("45/100", "95/100"),
            ),
        ),
    ),
    refutation(
        "cei.profit_rule",
        *_STAYS,
        "All this holds as well for every f with f(a) in [1, 11/10] and f(b) in [-1/10, 0], with g + 2 c + 2/10 in the "
        "place of g + 2 c. Under the prior these f have a positive probability, its density being positive.",
        "Let kappa = 10^-102. With positive probability the rule never stops, while f(x+) stays "
        "bounded: its expected profit, stopped at step t at the latest, tends to minus infinity. Stopping at once has "
        "a finite one.",
        steps=(
            _ORDER_OF_MEANS,
            Balls(
                "Given such an f, the rule goes on for ever with a probability above 0.9998.",
                let={**_TWO_POINTS, "kappa": "1 / 10**102"},
                holds=("leaves + too_far < 2 / 10**4", "s * tau(-(g + 2 * c + 2/10) / s) > kappa"),
                broken=("45/100", "95/100"),
            ),
        ),
    ),
    refutation(
        "cei.regret_bound",
        "X has three points without correlation, k(x, x) = 1, f = 30, 30 and F = 10^6, v = 1/10, the first two "
        "observed once each; T = 400 further rounds; kappa = 10^-30, delta = 1/20. ||f||_k^2 = F^2 + 1800.",
        "Let a and b be the first two points, n_a + n_b <= N = T + 2 their observations. But for an event of "
        "probability `lost`, the mean noises of a and b, as shrunk in the means, differ by at most 7 v sqrt(1/n_a + "
        "1/n_b), for all (n_a, n_b) at once, and every mean noise is at most 1 in size.",
        "The shrinkage 30 v^2 / (n + v^2) of a mean is at most 30 v^2 / n, that is 30 v times v / sqrt(n), and "
        "sigma~^2 is at least v^2 / (1 + v^2) (1/n_a + 1/n_b). So |mu(a) - mu(b)| / sigma~ <= 10 (1 + v^2)^(1/2) (7 v "
        "+ 30 v^2 = 10 v), and sigma~ >= s: alpha^C at the worse of the two is at least s tau(-10.1), above kappa.",
        "x* has mu = 0, sigma = 1, and mu(x+) >= 30 / (1 + v^2) - 1: alpha^C(x*) is below that. It is never sampled, "
        "R_T = (F - 30) T. The event of Lemma 4.1: at x* |f - mu| = F <= sqrt(2) F; at a and b |f - mu| <= 2, while "
        "sigma >= v / sqrt(N + 1).",
        "gamma_N of three points is at most 3/2 log(1 + N / (3 v^2)). So the bound fails with probability above 2 "
        "delta.",
        steps=(
            Balls(
                "Probability, acquisitions, the event, and both sides.",
                let={
                    "F": "10**6",
                    "T": "400",
                    "N": "T + 2",
                    "v": "1/10",
                    "kappa": "1 / 10**30",
                    "delta": "1/20",
                    "lost": "2 * N**2 * Phi(-7) + 4 * N * Phi(-1 / v)",
                    "s": "v / sqrt(1 + v**2) * sqrt(4 / N)",
                    "best": "30 / (1 + v**2) - 1",
                    "wide": "sqrt(1 + v**2)",
                    "gain": "3/2 * log(1 + N / (3 * v**2))",
                    "beta": "2 * (F**2 + 1800) + 300 * gain * log(N / delta)**3",
                    "C": "log(2 / (pi() * kappa**2))",
                    "root": "sqrt(2 * N * gain / log(1 + v**-2))",
                    "right": "root * (sqrt(beta) + sqrt(2 * (1 + C)) + sqrt(3 * (1 + C + beta)))",
                },
                holds=(
                    "1 - lost > 2 * delta",
                    "7 * v + 30 * v**2 <= 10 * v",
                    "10 * sqrt(1 + v**2) < 101/10",
                    "s * tau(-101/10) > kappa",
                    "wide * tau(-best / wide) < kappa",
                    "2 <= sqrt(2) * F * v / sqrt(N + 1)",
                    "(F - 30) * T > right",
                ),
                broken=("tau(-101/10)", "tau(-151/10)"),
            ),
        ),
    ),
)
