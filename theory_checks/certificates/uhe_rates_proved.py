"""Proofs of claims of Paper D on information gains, on the rate of estimates and on the simple regret."""

from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Identity

_SE_GAIN = (
    "T stands for the statement's T / 2, and is large. The variance is one; another one, s^2, turns q into q / s^2. "
    "Squared exponential, T points, z = d / l^2: k(x, x') = exp(-|x|^2 / (2 l^2)) exp(-|x'|^2 / (2 l^2)) sum_m (x . "
    "x' / l^2)^m / m!, each term a kernel on the monomials of degree m. Let K_D be the terms m < D: its rank is at "
    "most D^d (d <= 2), its diagonal at most 1, and the rest E has a diagonal of at most z^D / D! <= (e z / D)^D "
    "(Taylor's remainder). With D = ceil(e^2 z + log T) that is at most e^-D <= 1 / T.",
    "log det(I + K / q) <= log det(I + K_D / q) + tr E / q, q = sigma^2, since log det(A + B) - log det A <= tr(A^-1 "
    "B) <= tr B for A >= I. So 2 gamma_T <= D^d log(1 + T / q) + 1 / q = O((log T)^(d + 1)).",
)
_KNOWN = (
    "t even, s = t / 2, F the past, L the largest partial derivative of f: E L^2 is finite. Cut [0, r]^d into "
    "floor(tau)^d cubes, tau = s^2 d b r log(4 d a / delta)^(1/2), and take a point of X in each that meets X. Given "
    "F, |f - mu| <= beta_t^(1/2) sigma at these points and at x_t but for a probability of at most 2 tau^d "
    "exp(-beta_t / 2) = 3 delta / (pi^2 s^2).",
    "On that event, x' the net's point in the cube of x*: f(x*) <= f(x') + c L / s^2 <= mu(x') + beta_t^(1/2) "
    "sigma(x') + c L / s^2 <= f(x_t) + 2 beta_t^(1/2) sigma(x_t) + c L / s^2, as x_t maximises.",
    "S_T is at most the mean of f(x*) - f(x_t) over the N >= T / 4 - 1 even t in (T/2, T]. sigma^2(x_t) is at most "
    "that given the earlier x_t of this window alone, and at most k log(1 + sigma^2 / q), k = v / log(1 + v / q), v = "
    "max k(x, x), q the noise variance: sum sigma^2(x_t) <= 2 k gamma_{T/2}. So by Cauchy and Schwarz the mean is at "
    "most 2 (beta_T 2 k gamma_{T/2} / N)^(1/2) + O(L / T^2).",
    "Some event of the window fails with a probability O(1 / T); the regret is at most r d L, so that this adds at "
    "most (E (r d L)^2 O(1 / T))^(1/2) = O(T^(-1/2)) to the expectation. gamma_{T/2} >= 1/2 log(1 + v / q), so that "
    "all is O((beta_T gamma_{T/2} / T)^(1/2)).",
)
_NET = Identity(
    "tau^d exp(-beta_t / 2), twice, with beta_t of Theorem 6.6.",
    {"s": "positive", "d": "positive", "tau": "positive", "delta": "positive"},
    let={"beta": "2 * log(s**2 * 2 * pi()**2 / (3 * delta)) + 2 * d * log(tau)"},
    holds=(("2 * tau**d * exp(-beta / 2)", "3 * delta / (pi()**2 * s**2)"),),
    broken=("3 * delta / (pi", "2 * delta / (pi"),
)

CERTIFICATES = (
    proof(
        "uhe.prop6_7",
        *_SE_GAIN,
        "Matern: p = ceil(nu) - 1, m^d cells of radius h = sqrt(d) / (2 m). Pf is in each cell the Taylor polynomial "
        "of degree p of f at its centre, by mean-square derivatives; N = O(m^d) coefficients. K <= 2 (K_P + E), K_P "
        "and E the covariances of Pf and f - Pf. Along a line the spectral density is c (a^2 + w^2)^(-nu - 1/2), so "
        "that the diagonal of E is at most the integral of min(|h w|^(2 p + 2), 4 |h w|^(2 p)) times it, O(h^(2 nu)), "
        "times log(1 / h) for whole nu.",
        "So 2 gamma_T <= N log(1 + c T) + 2 tr E / q, where c exists, as the diagonal of K_P is at most 2 (K + E), "
        "which is bounded. With m = ceil(T^(1 / (2 nu + d))) both terms are O(T^(d / (2 nu + d)) log T), and the "
        "stated exponent is larger.",
        steps=(
            Identity(
                "The stated exponent minus d / (2 nu + d).",
                {"d": "positive", "nu": "positive"},
                holds=(
                    (
                        "d * (d + 1) / (2 * nu + d * (d + 1)) - d / (2 * nu + d)",
                        "2 * nu * d**2 / ((2 * nu + d) * (2 * nu + d * (d + 1)))",
                    ),
                ),
                broken=("2 * nu * d**2", "nu * d**2"),
            ),
            Identity(
                "The exponents meet at m = T^(1 / (2 nu + d)): m^d = T m^(-2 nu).",
                {"d": "positive", "nu": "positive", "T": "positive"},
                let={"m": "T**(1 / (2 * nu + d))"},
                holds=(("m**d", "T * m**(-2 * nu)"),),
                broken=("-2 * nu", "-3 * nu"),
            ),
            Identity(
                "Matern-5/2, scaled: the variance of f(h) - f(0) - h f'(0) - h^2 f''(0) / 2 is of order h^5.",
                {"h": "positive"},
                let={
                    "k": "(1 + h + h**2 / 3) * exp(-h)",
                    "k1": "diff(k, h)",
                    "k2": "diff(k1, h)",
                    "k4": "diff(diff(k2, h), h)",
                    "rest": "2 - 2 * k + 2 * h * k1 - h**2 * k2 + h**4 / 4",
                },
                holds=(("limit(k4, h, 0)", "1"), ("limit(rest / h**5, h, 0)", "4/15")),
                broken=("h**4 / 4", "h**4 / 3"),
            ),
        ),
    ),
    proof(
        "uhe.thm6_5_repaired",
        "Given f, of which the random points are independent: |grad f| <= G (Assumption 6.2), C bounds l, l', l'' and "
        "their Lipschitz constants, n = floor((t - 1) / 2), D is the diameter of X. X is convex, so that x + (s / D) "
        "(X - x) is a part of X within s of x: no random point is that near with probability at most (1 - (s / "
        "D)^d)^n <= exp(-n (s / D)^d). So the mean distance R of the pseudo-points to their nearest data has an "
        "expectation of at most the integral below, and R = O(t^(-1/2)) in probability for d <= 2.",
        "On Theta the mean losses L^ of pseudo-values and L of true values, and their first two derivatives, differ "
        "by at most C G R. L and L'' tend to m and m'' uniformly, in probability (bounded and continuous in theta, "
        "Theta compact: Jennrich 1969). So theta^ tends to theta*, as in uhe.prop6_4_2_repaired, and with a "
        "probability that tends to one theta^ is in a ball around theta* in Theta on which L^'' >= kappa > 0, as "
        "matrices.",
        "There 0 = L^'(theta^) = L^'(theta*) + H (theta^ - theta*), H >= kappa the mean of L^'' on the segment: "
        "|theta^ - theta*| <= (|L'(theta*)| + C G R) / kappa. L'(theta*) is a mean of M_t >= t - 1 independent terms, "
        "bounded by C, of expectation m'(theta*) = 0: E |L'(theta*)|^2 <= C^2 / M_t.",
        "Both are O(t^(-1/2)) in probability for almost every f; C, G and kappa may depend on f. So they are without "
        "f given, by Fatou's lemma for the limsup in t, then by dominated convergence as the bound grows.",
        steps=(
            Identity(
                "The integral over s of exp(-n (s / D)^d) for d = 1 and 2.",
                {"n": "positive", "D": "positive", "s": "positive"},
                holds=(
                    ("integral(exp(-n * (s / D)), s, 0, oo())", "D / n"),
                    ("integral(exp(-n * (s / D)**2), s, 0, oo())", "D * sqrt(pi()) / (2 * sqrt(n))"),
                ),
                broken=("D / n", "D / n**2"),
            ),
        ),
        assumes=(
            "X has inner points and the random points are uniform on it. The M_t >= |D_{t-1}| pseudo-points are drawn "
            "anew, independently of each other and of the data, from the one law in which m is the mean. l is "
            "measurable, and its bounds hold for all x, too, as in Assumption 6.1."
        ),
    ),
    proof(
        "uhe.thm6_6_repaired",
        *_KNOWN,
        "By Markov's inequality, with probability at least 1 - eps the regret is at most 1 / eps times that.",
        steps=(_NET,),
        assumes="X is convex, and Assumption 6.2 holds for every L, as in Srinivas et al.",
    ),
    proof(
        "uhe.thm6_8_repaired",
        "The proof of uhe.thm6_6_repaired uses of RA-BO that every even query is GP-UCB's, given all data, and of the "
        "odd queries that they depend on the past and on what is independent of f and of the noise to come. In "
        "Algorithm 1 both hold, whichever arm is played and for any rewards: E S_T is of the same order, E over f, "
        "too. gamma_{T/2} is that of Proposition 6.7 (uhe.prop6_7), and the term of EXP3 is not needed. By Markov's "
        "inequality E[S_T | f] is at most 1 / eps times the bound with probability at least 1 - eps.",
        steps=(_NET,),
        assumes="X is convex, and Assumption 6.2 holds for every L, as in Srinivas et al.",
    ),
)
