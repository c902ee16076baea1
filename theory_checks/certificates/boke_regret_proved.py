"""Proofs of supported claims of Paper A on regret."""

from theory_checks.certificates.boke_bounds import BIAS, MIXTURE, SQUARE
from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Balls, Identity

_RADIUS = (
    "With r = 1, at a fixed t with the bandwidth h_t, and 6 delta / (pi^2 t^2 |X|) in the place of delta: |S| <= W "
    "U_t(x) for all x of X and all t with probability at least 1 - delta, the allowances adding up to delta, and V <= "
    "M W. Where W_t(x) = 0 the bonus is infinite."
)
_ALLOWANCES = Identity(
    "The allowances, and the logarithm.",
    {"t": "positive", "n": "integer", "delta": "positive", "X": "positive", "V": "positive"},
    let={"share": "6 * delta / (pi()**2 * t**2 * X)"},
    holds=(
        ("series_sum(6 / (pi()**2 * n**2), n, 1, oo())", "1"),
        ("log((1 + V) / share**2)", "log(1 + V) + 2 * log(pi()**2 * t**2 * X / (6 * delta))"),
    ),
    broken=("6 * delta /", "5 * delta /"),
)
_OPTIMISM = (
    "At a step that maximises m + U, f(x*) <= m(x*) + U(x*) + omega <= m(x_{t+1}) + U(x_{t+1}) + omega <= f(x_{t+1}) "
    "+ 2 U(x_{t+1}) + 2 omega. Where W_t = 0 anywhere x_{t+1} is such a point, and the right side is infinite."
)
_JOINT = (
    "Where the infimum in A (22) is zero, so is omega_f(h_t), f is constant on the convex domain, and no x has "
    "Delta(x) > 0. Let the infimum be positive. A point of X that shares data with x* lies within R h_t of x*, so "
    "that its Delta is at most omega_f(h_t), a quarter of the infimum: the point is x* itself. So x* has its own n "
    "visits alone: W_t(x*) = V = n, and no bias. Where n = 0 u_t(x*) is infinite. S > -sqrt(beta_t n) at x* makes "
    "u_t(x*) > f(x*).",
    "At x let w = 16 beta_t / Delta^2 and W_t(x) = z w, z >= 1. u_t(x) <= f(x*) - 3 Delta / 4 + S / W + sqrt(beta_t / "
    "W), so that S < (2 sqrt(z) - 1) sqrt(beta_t W) makes u_t(x) < f(x*) - Delta / 4. The joint event needs the "
    "reverse at x, or S <= -sqrt(beta_t n) at x*.",
    "Fix t, and h_t in every weight. For every l E exp(l S - l^2 s^2 V / 2) <= 1, V <= M W, as in "
    "boke.thm2_repaired. At x take l = sqrt(beta_t / w) / (s^2 M): the exponent is at least beta_t (z - 1/2) / (s^2 "
    "M) >= 2 log t, which has probability at most 1 / t^2.",
    "At x* cut [1, t], which holds n, into N(t) slices of ratio (1 + d)^4, d = 1 / (2 sqrt(log t)), with geometric "
    "middle w, and take l = -2 sqrt(log t / (s^2 w)). On a slice y = sqrt(n / w) is within d of 1, and S <= "
    "-sqrt(beta_t n), where beta_t >= 4 s^2 log t as M >= Psi(0) = 1, makes the exponent at least (4 y - 2 y^2) log "
    "t >= 2 log t - 1/2. So a slice has probability at most sqrt(e) / t^2.",
)
_AT_BEST = Identity(
    "At x*: the exponent, its square, and its value at |y - 1| = d (g = log t, p = s^2).",
    {"y": "positive", "g": "positive", "p": "positive", "w": "positive", "t": "positive"},
    let={"W": "w * y**2", "l": "2 * sqrt(g / (p * w))", "S": "sqrt(4 * p * g * W)"},
    holds=(
        ("l * S - l**2 * p * W / 2", "(4 * y - 2 * y**2) * g"),
        ("4 * y - 2 * y**2", "2 - 2 * (y - 1)**2"),
        ("2 * g * (1 / (2 * sqrt(g)))**2", "1/2"),
        ("exp(-2 * log(t) + 1/2)", "sqrt(exp(1)) / t**2"),
    ),
    broken=("4 * p", "3 * p"),
)
_SLICE = Identity(
    "At the lower end of a slice 1 - y = 1 - 1 / (1 + d) is below d.",
    {"d": "positive"},
    holds=(("d - (1 - 1 / (1 + d))", "d**2 / (1 + d)"),),
    broken=("d**2", "d"),
)
_COUNTED = (
    "Let L = ceil(16 beta_T / Delta^2(x)). At most L visits to x are made with fewer than L visits before. At another "
    "visit, at t + 1, u_t(x) >= u_t(x*) and W_t(x) >= n_t(x) >= 16 beta_t / Delta^2, as Psi(0) = 1. So E n_T(x) is at "
    "most 64 s^2 M log T / Delta^2 + 1 plus the sum of the probabilities of these events. (For T = 1, n_1(x) <= 1.)"
)
_SUMMED = (
    "The first of these probabilities is at most 1, and the others at most (1 + sqrt(e) N(t)) / t^2. With d = 1 / (2 "
    "sqrt(log t)), log(1 + d) >= d / (1 + d) gives N(t) <= 1 + (2 log^(3/2) t + log t) / 4. log^a(t) / t^2 rises to "
    "its largest value at log t = a / 2 and falls from there on, so that its sum over t is at most this value plus its "
    "integral. The sum is below 2 pi^2 / 3."
)
_SUM = Balls(
    "The sum, with the values of its series and integrals.",
    let={
        "squares": "pi()**2 / 6 - 1",
        "first": "1 + exp(-1) / 2",
        "second": "3 * sqrt(pi()) / 4 + sqrt(27/64) * exp(-3/2)",
    },
    holds=("1 + (1 + sqrt(exp(1))) * squares + sqrt(exp(1)) * (second / 2 + first / 4) < 2 * pi()**2 / 3",),
    broken=("2 * pi()**2 / 3", "pi()**2 / 3"),
)
_MARKOV = (
    "Let D = sqrt(64 s^2 M |X| log T / T). Points with Delta >= D cost at most 64 s^2 M |X| log T / D + (1 + 2 pi^2 / "
    "3) |X| sup Delta in the mean, the others at most D T. R_T is nonnegative: by Markov's inequality it exceeds its "
    "mean over delta with probability at most delta. (For T = 1, R_T <= sup Delta.)"
)
_CONSTANTS = Balls(
    "The constants of Theorem 8.",
    holds=("2 * sqrt(64) <= sqrt(256)", "1 + 2 * pi()**2 / 3 < 8"),
    broken=("< 8", "< 7"),
)
_LATE = (
    "Let h_t = c t^(-1 / (d + 4)) in every weight of step t, s the parameter of the noise, D = sup Delta, S = sum k_i "
    "eps_i with k_i = k(x, x_i) <= 1, and V = sum k_i^2 <= W = W_t(x) <= t. 'Late' means at all t from some time on, "
    "almost surely: the exceptions have summable probabilities (Borel-Cantelli). Late, |eps_i| <= e_t = s sqrt(8 log "
    "t) for all i <= t.",
    "Let q_t = h_t for the Epanechnikov kernel and q_t = h_t sqrt(6 log t) for the Gaussian one. The k_i with |x - "
    "x_i| > q_t sum to at most 1 / t^2. So the bias of m_t(x) is at most omega(q_t) + D / (t^2 W), omega the modulus "
    "of continuity of f. q_t tends to zero, and so does omega(q_t), as f is uniformly continuous.",
)
_OPTIMIST = (
    "At x*, late, S >= -sqrt(beta_t W). Where W <= 1/2, |S| <= W e_t <= s sqrt(4 W log t), and beta_t >= 4 s^2 log t, "
    "as M_Psi >= 1 and delta < 1. Else cut (1/2, t] into N(t) slices of ratio (1 + b)^4, b = 1 / (2 sqrt(log t)), "
    "with geometric middle w; b is the d of boke.lemma7_b6_repaired. With l = -2 sqrt(log t / (s^2 w)), E exp(l S - "
    "l^2 s^2 V / 2) <= 1 and V <= W, a slice has the exception with probability at most sqrt(e) / t^2, as there, and "
    "all of them with at most sqrt(e) N(t) / t^2, N(t) <= 1 + log(2 t) (1 + 2 sqrt(log t)) / 4.",
    "Hence u_t(x*) >= f(x*) - omega(q_t) - D / t, late. Where W >= 1 / t this is the bias. Where 0 < W < 1 / t, "
    "m_t(x*) >= f(x*) - D - e_t, and the bonus is at least s sqrt(4 t log t) > D + e_t. Where W = 0 it is infinite.",
)
_EVERYWHERE = (
    "At a fixed x, by the mixture of boke.thm2_repaired with r = 1, P(S^2 >= s^2 (1 + V) log((1 + V) / p^2)) <= p. "
    "Take p = t^(-3 d - 2) at each of at most C t^(3 d) points of a net that is within t^-3 of all of X: late, S^2 <= "
    "s^2 (1 + W) (6 d + 6) log t on the net. Psi has slopes of at most 2, so that S changes by at most 2 e_t / (t^2 "
    "h_t) and W by at most 2 / (t^2 h_t) from a point to the net; both tend to zero. Late, |S| <= C' sqrt(W log t) at "
    "every x with W >= 1.",
)
_CELLS = (
    "x_{t+1} maximises u_t, and beta_t = O(log t). At x_{t+1}, late, where W >= 1: f(x*) - omega(q_t) - D / t <= "
    "u_t(x*) <= u_t(x_{t+1}) <= f(x_{t+1}) + omega(q_t) + D / t + S / W + sqrt(beta_t / W). So its regret is at most "
    "2 omega(q_t) + 2 D / t + C'' sqrt(log t / W).",
    "Psi >= 1/2 on |u| <= 7/10. Cut X into P <= C T^(d / (d + 4)) disjoint cells of diameter at most 7 h_T / 10. If "
    "x_{t+1} is the k-th point of its cell, W_t(x_{t+1}) >= (k - 1) / 2, as h_t >= h_T. The first two points of the "
    "cells cost at most 2 D P. For the others, sum sqrt(2 / (k - 1)) <= 2 sqrt(2 n) in a cell of n points, and the "
    "sum of sqrt(n) over the cells is at most sqrt(P T).",
    "So R_T <= B + 2 D P + sum (2 omega(q_t) + 2 D / t) + 2 sqrt(2) C'' sqrt(P T log T), B the regret of the initial "
    "points and of the steps before 'late', random and finite. Each term is o(T). As R_T / T <= D, its mean tends to "
    "zero as well. Where omega(q) = O(q^a), 0 < a <= 1, R_T is at most of order T^(1 - a / (d + 4)), for the Gaussian "
    "kernel times (log T)^(a / 2).",
)

CERTIFICATES = (
    proof("boke.thm9_instant_repaired", BIAS, MIXTURE, _RADIUS, _OPTIMISM, steps=(SQUARE, _ALLOWANCES)),
    proof(
        "boke.thm9_cumulative_repaired",
        BIAS,
        MIXTURE,
        _RADIUS,
        _OPTIMISM,
        "Every r_{t+1} is at most sup Delta as well; the sum over t < T and r_1 give R_T, for all T at once.",
        steps=(SQUARE, _ALLOWANCES),
    ),
    proof(
        "boke.boke_plus_regret_repaired",
        BIAS,
        MIXTURE,
        _RADIUS,
        _OPTIMISM,
        "Exploration steps are such steps; the data of the others depend on the past as well.",
        steps=(SQUARE, _ALLOWANCES),
    ),
    proof(
        "boke.lemma7_b6_repaired",
        BIAS,
        *_JOINT,
        steps=(
            Identity(
                "At x: the margin, and the exponent less its lower limit (b = beta_t, q = sqrt(z), p = s^2 M).",
                {"b": "positive", "q": "positive", "p": "positive", "Delta": "positive"},
                let={
                    "w": "16 * b / Delta**2",
                    "W": "q**2 * w",
                    "S": "(2 * q - 1) * sqrt(b * W)",
                    "l": "sqrt(b / w) / p",
                },
                holds=(
                    ("S / W + sqrt(b / W)", "Delta / 2"),
                    ("l * S - l**2 * p * W / 2 - b / p * (q**2 - 1/2)", "b / p * (q - 1)**2 / 2"),
                ),
                broken=("16 * b", "9 * b"),
            ),
            _AT_BEST,
            _SLICE,
        ),
        assumes="Each x_i depends on the past only, and on randomness that is independent of the noise, as BOKE's do. "
        "The domain is convex, as in the earlier version; the condition matters only where X has two best points.",
    ),
    proof(
        "boke.lemma7",
        _COUNTED,
        _SUMMED,
        steps=(_SUM,),
        assumes="The bound of boke.lemma7_b6_repaired.",
    ),
    proof(
        "boke.thm8",
        _COUNTED,
        _SUMMED,
        _MARKOV,
        steps=(_SUM, _CONSTANTS),
        assumes="The bound of boke.lemma7_b6_repaired.",
    ),
    proof(
        "boke.thm8_remark1_repaired",
        "Let n(x) count the visits to x in the rounds K + 1 to T, and R' their regret. The rounds up to K cost at "
        "most K sup Delta, for every outcome of the noise, so that R_T <= K sup Delta + R'. At most L of the n(x) "
        "visits are made with fewer than L visits before. At another visit, at t + 1 > K, u_t(x) >= u_t(x*) and "
        "W_t(x) >= 16 beta_t / Delta^2, as in boke.lemma7. So E n(x) has the bound of boke.lemma7, and R' that of "
        "boke.thm8, by the argument there with n for n_T and R' for R_T.",
        _SUMMED,
        _MARKOV,
        steps=(_SUM, _CONSTANTS),
        assumes="The bound of boke.lemma7_b6_repaired at each t >= K: it asks for A (24) at this t alone.",
    ),
    proof(
        "boke.eq21",
        "f(x*) - f(x_t) is the sum over x of Delta(x) 1{x_t = x}. Sum over t <= T, exchange the two finite sums, and "
        "take the mean.",
        steps=(),
        assumes="Every x_t lies in X.",
    ),
    proof(
        "boke.thm8_constants",
        "By A (21) E R_T is the sum of Delta(x) E n_T(x).",
        _MARKOV,
        "Together that is at most 2 sqrt(64 s^2 M |X| T log T) + (1 + 2 pi^2 / 3) |X| sup Delta, over delta.",
        steps=(_CONSTANTS,),
        assumes="Every x_t lies in X, and x* is best there.",
    ),
    proof(
        "boke.thm9_constants",
        "4 beta_T = C_3 log T + C_4 by the step. Multiply by T eta_T; both terms are nonnegative, as T >= 1 and delta "
        "< 1, and sqrt(a + b) <= sqrt(a) + sqrt(b). Where eta_T is infinite so are both sides, as C_4 > 0.",
        steps=(
            Identity(
                "The two constants, and delta_t (v = s^2 M_Psi, L = log T, q = log(2 pi^2 / (3 delta))).",
                {"v": "positive", "L": "positive", "q": "positive", "t": "positive", "delta": "positive"},
                holds=(
                    (
                        "log(2 * pi()**2 * t**2 / (3 * delta))",
                        "log(2 * pi()**2 / (3 * delta)) + 2 * log(t)",
                    ),
                    ("4 * (2 * v * (q + 2 * L))", "16 * v * L + 8 * v * q"),
                    ("4 * exp(-log(2 * pi()**2 * t**2 / (3 * delta)))", "6 * delta / (pi()**2 * t**2)"),
                ),
                broken=("16 * v", "15 * v"),
            ),
        ),
    ),
    proof(
        "boke.ucb1_limit",
        "Let R h_t be below the smallest distance of two points of X at every t. Then k(x, x') is one where x' = x and "
        "zero elsewhere, as Psi(0) = 1 and Psi vanishes outside the ball of radius R. So W_t(x) = n_t(x), m_t(x) is "
        "the mean of the observations at x, and BOKE maximises mean + sqrt(4 s^2 M_Psi log t / n), with every point "
        "tried first, where n = 0. That is UCB1 with the parameter s sqrt(M_Psi) of the noise, s itself where M_Psi = "
        "1; at s^2 M_Psi = 1/2 it is the rule of Auer et al.",
        steps=(
            Identity(
                "The bonus at s^2 M_Psi = 1/2.",
                {"t": "positive", "n": "positive"},
                holds=(("sqrt(4 * (1/2) * log(t) / n)", "sqrt(2 * log(t) / n)"),),
                broken=("2 * log(t)", "3 * log(t)"),
            ),
        ),
        assumes="A kernel of Assumption 3, all data in X, the same rule for ties, and an infinite bonus where n = 0, "
        "at t = 1 as well, where beta_1 = 0.",
    ),
    proof(
        "boke.sublinear_regret",
        *_LATE,
        *_OPTIMIST,
        *_EVERYWHERE,
        *_CELLS,
        steps=(
            Identity(
                "The probability that some noise exceeds e_t; e_t at W = 1/2; the Gaussian weights beyond q_t.",
                {"t": "positive", "g": "positive"},
                holds=(
                    ("t * 2 * exp(-8 * log(t) / 2)", "2 / t**3"),
                    ("sqrt(1/2) * sqrt(8 * g)", "sqrt(4 * g)"),
                    ("t * exp(-(6 * log(t)) / 2)", "1 / t**2"),
                ),
                broken=("8 * g", "9 * g"),
            ),
            _AT_BEST,
            _SLICE,
            SQUARE,
            Identity(
                "The logarithm on the net: (1 + V) / p^2 <= t^2 t^(6 d + 4).",
                {"t": "positive", "d": "positive"},
                holds=(("2 * log(t) + log(t**(6 * d + 4))", "(6 * d + 6) * log(t)"),),
                broken=("6 * d + 6", "6 * d + 5"),
            ),
            Balls(
                "Psi at 7/10, for both kernels.",
                holds=("1 - (7/10)**2 >= 1/2", "exp(-(7/10)**2 / 2) >= 1/2"),
                broken=("1 - (7/10)**2", "1 - (8/10)**2"),
            ),
            Identity(
                "Scott's rule: q_t tends to zero, and the exponents of P and of sqrt(P T) (p = 1 / (d + 4)).",
                {"t": "positive", "p": "positive", "d": "positive"},
                holds=(
                    ("limit(t**(-p) * sqrt(6 * log(t)), t, oo())", "0"),
                    ("d / (d + 4)", "1 - 4 / (d + 4)"),
                    ("(d / (d + 4) + 1) / 2", "1 - 2 / (d + 4)"),
                ),
                broken=("1 - 2 / (d + 4)", "1 - 3 / (d + 4)"),
            ),
        ),
        assumes="Each x_i depends on the past and on randomness independent of the noise. The limit is almost sure.",
    ),
)
