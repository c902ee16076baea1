"""Proofs of supported claims of Paper C."""

from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Balls, Identity, Step

BALL = (
    "For probability measures p and q with total |q - p| at most delta and a function g with values in an interval of "
    "length w, the integral of g against q - p is at most delta w / 2: subtract the midpoint of the interval, q - p "
    "having total zero."
)
_WORST = (
    BALL,
    "Let m be the infimum of u. For every theta >= m, E_q u >= E_q min(u, theta) >= E_p min(u, theta) - delta / 2 "
    "(theta - m).",
    "Equality at the (1 - delta/2)-quantile theta of u under p: take mass delta / 2 from the largest values (all "
    "above theta, the rest at theta), and put it where u is m, or as near to m as one likes. For delta >= 2 all mass "
    "goes there, and theta = m.",
)
_DUAL = (
    "With theta = alpha - beta the dual's objective is E_p min(f, theta) - delta alpha, and its constraint alpha >= "
    "(theta - m) / 2. So alpha = (theta - m) / 2 is best for theta >= m, and theta < m gives less than theta = m: the "
    "dual is the maximum over theta >= m of E_p min(f, theta) - delta / 2 (theta - m)."
)
_MOVED = Identity(
    "The value after the move, K what the kept mass contributes: E_p min(u, theta) = K + theta delta / 2, E_q u = K + "
    "m delta / 2. The dual's objective in theta and alpha.",
    {"K": "real", "theta": "real", "m": "real", "delta": "positive", "alpha": "real", "beta": "real", "f": "real"},
    holds=(
        ("(K + theta * delta / 2) - delta / 2 * (theta - m)", "K + m * delta / 2"),
        ("-beta - delta * alpha + (f + beta)", "f - delta * alpha"),
        ("-beta - delta * alpha + alpha", "(alpha - beta) - delta * alpha"),
    ),
    broken=("(theta - m)", "(theta + m)"),
)
POSITIVE_PART = Identity(
    "E X_+ = sigma phi(mu / sigma) + mu Phi(mu / sigma): an antiderivative, and its ends.",
    {"s": "positive", "u": "real", "y": "real"},
    let={"primitive": "-s * phi((y - u) / s) - u * Phi((u - y) / s)"},
    holds=(
        ("diff(primitive, y)", "y * phi((y - u) / s) / s"),
        ("limit(primitive, y, oo())", "0"),
        ("limit(primitive, y, 0)", "-s * phi(u / s) - u * Phi(u / s)"),
    ),
    broken=("y * phi", "2 * y * phi"),
)
AT_BETA = Identity(
    "exp(-beta / 2) / sqrt(2 pi) = 1 / n for beta = 2 log(n / sqrt(2 pi)), n = t^2 tau_t^Dx.",
    {"n": "positive"},
    holds=(("exp(-log(n / sqrt(2 * pi()))) / sqrt(2 * pi())", "1 / n"),),
    broken=("1 / n", "2 / n"),
)
_LEMMA_6 = (
    "Given the data f - ucb is normal with mean -sqrt(beta) sigma and deviation sigma <= 1. E X_+ = sigma phi(mu / "
    "sigma) + mu Phi(mu / sigma) <= sigma phi(mu / sigma) for mu <= 0, here sigma exp(-beta / 2) / sqrt(2 pi).",
    "With n = t^2 tau_t^Dx that is at most 1 / n where beta_t >= 0. Where beta_t < 0, n < sqrt(2 pi), and at beta = 0 "
    "it is at most 1 / sqrt(2 pi) < 1 / n.",
)
SUM_OF_SQUARES = Identity(
    "The sum of 1 / t^2.",
    {"t": "integer"},
    holds=(("series_sum(1 / t**2, t, 1, oo())", "pi()**2 / 6"),),
    broken=("/ 6", "/ 7"),
)
_GRID = (
    *_LEMMA_6,
    "p^_t, q^ucb and ucb are known given the data, with mass at most one on C. At the point x of the grid, whichever "
    "it is, the integral of (f - ucb)_+ is at most the sum over all N = tau_t^Dx points of the grid, of mean at most "
    "N / (t^2 N) = 1 / t^2.",
)
_GAIN = (
    "With q_t = sigma_t^2(x_t, c_t) / sigma^2, I(y; f) = 1/2 sum log(1 + q_t) by the chain rule of Gaussian "
    "entropies, and it is at most gamma_T. q / log(1 + q) increases and q_t <= sigma^-2, so that sigma_t^2 <= log(1 + "
    "q_t) / log(1 + sigma^-2); beta_t <= beta_T.",
    "Given the past, c_t ~ p is independent of x_t and sigma_t: E int p sigma_t^2(x_t, .) = E sigma_t^2(x_t, c_t).",
)
_RATIO = Identity(
    "The derivative of q / log(1 + q), and that its numerator increases from 0.",
    {"q": "positive"},
    let={"numerator": "log(1 + q) - q / (1 + q)"},
    holds=(
        ("diff(q / log(1 + q), q) * log(1 + q)**2", "numerator"),
        ("diff(numerator, q)", "q / (1 + q)**2"),
        ("limit(numerator, q, 0)", "0"),
    ),
    broken=("q / (1 + q)**2", "q / (1 + q)"),
)
TAIL_INTEGRAL = Identity(
    "The integral of a exp(-(l / b)^2).",
    {"a": "positive", "b": "positive", "l": "positive", "D": "positive"},
    holds=(("integral(D * a * exp(-(l / b)**2), l, 0, oo())", "D * a * b * sqrt(pi()) / 2"),),
    broken=("sqrt(pi()) / 2", "sqrt(pi()) / 3"),
)
_HEAT: tuple[Step, ...] = (
    Identity(
        "The Gaussian of variance s h^2 satisfies the heat equation in s, and R(K) = int K^2 = 1 / (2 sqrt(pi)) in "
        "one dimension.",
        {"x": "real", "s": "positive", "h": "positive"},
        let={"g": "phi(x / (h * sqrt(s))) / (h * sqrt(s))"},
        holds=(
            ("diff(g, s)", "h**2 / 2 * diff(diff(g, x), x)"),
            ("2 * integral(phi(s)**2, s, 0, oo())", "1 / (2 * sqrt(pi()))"),
        ),
        broken=("h**2 / 2", "h**2"),
    ),
)
_SEMIGROUP = (
    "The Gaussian K_H is the heat semigroup: p * K_H - p = 1/2 int_0^1 (sum_k h_k^2 d_k^2 p) * K_(sqrt(s) H) ds, by "
    "the heat equation in each coordinate. Convolution with a density contracts L1 and L2."
)

CERTIFICATES = (
    proof(
        "ctx.eq21",
        "Let q and r be the worst densities at x* and at [x*]_t. Both lie in the same ball around p^_t, and q "
        "minimises the mean of f(x*, .) there: E_q f(x*, c) <= E_r f(x*, c). Subtract E_r f([x*]_t, c) for the first "
        "inequality at every t. The second is z <= |z|. Sum over t and take means.",
        steps=(),
        assumes="The minimum over the ball is attained, as the claim's hypotheses say, and the means exist.",
    ),
    proof(
        "ctx.tv_conjugate",
        "s x - |x - 1| is affine on [0, 1] and on [1, oo), by the step. On [0, 1] the larger end is max(-1, s). On [1, "
        "oo) the slope is s - 1: for s <= 1 the largest value is s, at x = 1, and for s > 1 there is none.",
        steps=(
            Identity(
                "The two pieces, and their values at x = 0 and x = 1.",
                {"s": "real", "x": "real"},
                let={"left(x)": "s * x - (1 - x)", "right(x)": "s * x - (x - 1)"},
                holds=(
                    ("left(x)", "(s + 1) * x - 1"),
                    ("right(x)", "(s - 1) * x + 1"),
                    ("left(0)", "-1"),
                    ("left(1)", "s"),
                    ("right(1)", "s"),
                ),
                broken=("(s - 1) * x + 1", "(s - 1) * x - 1"),
            ),
        ),
    ),
    proof(
        "ctx.closed_form",
        *_WORST,
        "The value is a minimum of linear functions of u over a compact convex set, so that where it is "
        "differentiable its derivative is the minimising q, here the one of the move (Danskin).",
        steps=(_MOVED,),
        assumes="Differentiability at u; elsewhere the q of the move is a supergradient.",
    ),
    proof("ctx.prop2_any_measure", *_WORST, _DUAL, steps=(_MOVED,)),
    proof(
        "ctx.prop2_essential_infimum",
        *_WORST,
        _DUAL,
        "Here m is the essential infimum, q << p has E_q min(f, theta) as before, and the set where f <= m + e has "
        "positive p-measure for every e > 0, so that mass can be put there by a density.",
        steps=(_MOVED,),
    ),
    proof(
        "ctx.kernel_normalised_repaired",
        "The density is even and a product over the coordinates. p^ is a mean of shifted and scaled copies, a density.",
        steps=(
            Identity(
                "Mass and second moment in one coordinate, each the double of that of the half line.",
                {"x": "positive"},
                holds=(("2 * integral(phi(x), x, 0, oo())", "1"), ("2 * integral(x**2 * phi(x), x, 0, oo())", "1")),
                broken=("x**2 * phi", "x**4 * phi"),
            ),
        ),
    ),
    proof(
        "ctx.lemma1_repaired",
        _SEMIGROUP,
        "So the L2 norm of the bias is at most 1/2 ||sum_k h_k^2 d_k^2 p||_2. The variance integrates to at most t^-1 "
        "int K_H^2 = R(K) / (t |H|). The error is the sum of squared bias and variance; at h = t^(-1/(4 + D)) both "
        "are of order t^(-4/(4 + D)).",
        steps=(
            *_HEAT,
            Identity(
                "The exponents: t |H| = t^(1 - D/(4 + D)) and h^4.",
                {"D": "positive"},
                holds=(("1 - D / (4 + D)", "4 / (4 + D)"),),
                broken=("1 - D", "2 - D"),
            ),
        ),
    ),
    proof(
        "ctx.lemma5_repaired",
        "The path is independent of the contexts. Cell by cell, the difference is at most max |f| over X and the cell "
        "times int |p - p^| over it: the mean of the supremum is at most F E ||p - p^||_1.",
        _SEMIGROUP,
        "So the L1 norm of the bias is at most 1/2 sum_k h_k^2 ||d_k^2 p||_1. E |p^ - E p^| <= sqrt(Var p^) <= (t^-1 "
        "p * K_H^2)^(1/2), and K_H^2 = R(K) / |H| times the density K~_H. With a moment of order s > Dc, "
        "Cauchy-Schwarz against (1 + |c|)^s bounds int sqrt(p * K~) for all h <= 1. Both parts are of order t^(-2/(4 "
        "+ Dc)).",
        steps=(
            *_HEAT,
            Identity(
                "The exponents.",
                {"D": "positive"},
                holds=(("(1 - D / (4 + D)) / 2", "2 / (4 + D)"),),
                broken=("1 - D", "2 - D"),
            ),
        ),
    ),
    proof(
        "ctx.lemma3_repaired",
        "P(L_max > l) <= min(1, D a exp(-(l / b)^2)) by the union bound, and E L_max is the integral of the former.",
        steps=(TAIL_INTEGRAL,),
    ),
    proof(
        "ctx.lemma4",
        "|f(x, c) - f(x, c_0)| <= r sum of L_i over the Dc context coordinates, L_i the largest slope in the i-th, "
        "and E L_i <= a b sqrt(pi) / 2 by Assumption 1; Dc <= D. f(x, c_0) is normal with variance at most one: E "
        "|f(x, c_0)| <= sqrt(2 / pi).",
        steps=(
            TAIL_INTEGRAL,
            Identity(
                "E |Z|.",
                {"z": "positive"},
                holds=(("2 * integral(z * phi(z), z, 0, oo())", "sqrt(2 / pi())"),),
                broken=("2 / pi()", "1 / pi()"),
            ),
        ),
    ),
    proof(
        "ctx.lemma6_equality_bound",
        "E X_+ = sigma phi(mu / sigma) + mu Phi(mu / sigma), of which the second term is not positive.",
        steps=(POSITIVE_PART,),
    ),
    proof("ctx.lemma6_repaired", *_LEMMA_6, steps=(POSITIVE_PART, AT_BETA)),
    proof(
        "ctx.lemma7_repaired",
        *_GRID,
        steps=(POSITIVE_PART, AT_BETA, SUM_OF_SQUARES),
    ),
    proof(
        "ctx.lemma9_repaired",
        "q^f minimises E_q f: E_(q^f) f - E_(q^ucb) ucb <= int q^ucb (f - ucb).",
        *_GRID,
        steps=(POSITIVE_PART, AT_BETA, SUM_OF_SQUARES),
    ),
    proof("ctx.variance_sum_repaired", *_GAIN, steps=(_RATIO,)),
    proof(
        "ctx.lemma8_repaired",
        "E(f | data) = mu and p^_t is known given the data: the left side is E sum sqrt(beta_t) int p^_t sigma_t(x_t, "
        ".).",
        *_GAIN,
        "So E sum sqrt(beta_t) int p sigma_t = E sum sqrt(beta_t) sigma_t(x_t, c_t) <= E sqrt(T sum beta_t "
        "sigma_t^2), by Cauchy-Schwarz, which is at most the first term, by Jensen. 0 <= sigma_t <= 1 gives the "
        "second.",
        BALL,
        steps=(_RATIO,),
    ),
    proof(
        "ctx.lemma10_step_repaired",
        "int q^f (ucb - f) = int q^f sqrt(beta) sigma + int p^ (mu - f) + int (q^f - p^) (mu - f). The second term "
        "has mean zero given the data. The third is at most delta / 2 times the range of f - mu.",
        BALL,
        steps=(
            Identity(
                "The decomposition, a linear identity in q, p, mu, f and the bonus b.",
                {"q": "real", "p": "real", "mu": "real", "f": "real", "b": "real"},
                holds=(("q * (mu + b - f)", "q * b + p * (mu - f) + (q - p) * (mu - f)"),),
                broken=("(q - p)", "(q + p)"),
            ),
        ),
    ),
    proof(
        "ctx.prop1_repaired",
        "X finite: if the sample's maximiser is farther than delta from all maximisers, some x there has a sample "
        "mean of ucb(x_0, .) - ucb(x, .) below zero, gap_x below its expectation: Hoeffding's inequality and the "
        "union bound give the sum.",
        "X compact: the maximum outside the delta-neighbourhood of argmax falls short by some eta > 0 (alpha is "
        "continuous). On a finite net on which every ucb(., c) varies by less than eta / 8 between neighbours, the "
        "event needs a sample mean that is off by eta / 4 at a point of the net: Hoeffding's inequality on each gives "
        "Q, twice the size of the net, times exp(-eta' M).",
        steps=(
            Balls(
                "The shares of eta add up: two moves along the net and two errors of sample means stay below eta.",
                holds=("2 * (1/8) + 2 * (1/4) < 1",),
                broken=("1/4", "1/2"),
            ),
        ),
    ),
    proof(
        "ctx.sum_rate",
        "t^-s decreases in t for s > 0: each term is at most its integral over [t - 1, t], and the sum at most that "
        "from 0 to T.",
        steps=(
            Identity(
                "The integrals, by their antiderivatives, which are zero at 0 as the exponents are positive.",
                {"t": "positive", "D": "positive"},
                holds=(
                    ("diff((4 + D) / (2 + D) * t**((2 + D) / (4 + D)), t)", "t**(-2 / (4 + D))"),
                    ("diff((4 + D) / D * t**(D / (4 + D)), t)", "t**(-4 / (4 + D))"),
                ),
                broken=("t**(-2", "t**(-3"),
            ),
        ),
    ),
)
