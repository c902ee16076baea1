"""Certified refutations of Paper D."""

from theory_checks.certificates.certificate import refutation
from theory_checks.certificates.checker import Balls, Identity

_STEP_AT_HALF = (
    "d = 1, X = [0, 1], f(x) = w g(x), g(x) = max(x - 1/2, 0)^2, w standard normal, no noise: a GP whose paths have "
    "bounded derivatives. GP-UCB queries x = 1 first, knows f from then on, and queries 1 or, where w < 0, a "
    "maximiser on [0, 1/2], say 0. So near 1/2 all data are the n = floor(t/2) random points. M_t = t^6 uniform "
    "pseudo-points (M_t >= |D_t|).",
    "Let U be the distance from 1/2 to the nearest random point below, V to that above. U in [1/n, 2/n] and V in "
    "[1/(10 n), 1/(2 n)] has a probability that tends to `event`. Then the pseudo-points in ((1 + V - U) / 2, 1/2), a "
    "share of at least 1/(4 n), have their nearest datum above 1/2, with |y| >= |w| / (10 n)^2.",
)
_EVENT = Balls(
    "That probability is not small.",
    let={"event": "(exp(-1/10) - exp(-1/2)) * (exp(-1) - exp(-2))"},
    holds=("event > 6/100", "(1 - 1/2) / 2 >= 1/4"),
    broken=("6/100", "7/100"),
)

CERTIFICATES = (
    refutation(
        "uhe.assumption6_1",
        "A sum of l(y_i, x_i, theta) has no mixed differences L(a, b) - L(a', b) - L(a, b') + L(a', b'). Minus the "
        "log marginal likelihood of two values with k(x, x') = r, 0 < r < 1, and noise variance q has, and a prior of "
        "theta adds nothing in y.",
        steps=(
            Identity(
                "The mixed difference of 1/2 y' (K + q I)^-1 y.",
                {"r": "positive", "q": "positive", "a": "real", "b": "real", "c": "real", "d": "real"},
                let={
                    "A": "inverse([[1 + q, r], [r, 1 + q]])",
                    "L(x, y)": "(A[0][0] * x * x + (A[0][1] + A[1][0]) * x * y + A[1][1] * y * y) / 2",
                },
                holds=(("L(a, b) - L(c, b) - L(a, d) + L(c, d)", "-r / ((1 + q)**2 - r**2) * (a - c) * (b - d)"),),
                broken=("-r /", "r /"),
            ),
        ),
    ),
    refutation(
        "uhe.cell_occupancy_uhe",
        "T = t = 9, all rewards zero: no weight moves, and arm 1 has probability 1/2 in each of the 4 pairs of D_8. "
        "Of n random points all 3 parts hold one with probability 1 - 3 (2/3)^n + 3 (1/3)^n for n >= 1, and n is "
        "binomial.",
        steps=(
            Balls(
                "The probability, exactly 1/12, is below the stated one.",
                let={
                    "all_three(n)": "0 if n == 0 else 1 - 3 * (2/3)**n + 3 * (1/3)**n",
                    "choose": "[1, 4, 6, 4, 1]",
                    "reached": "sum(choose[n] / 16 * all_three(n) for n in range(5))",
                },
                holds=("reached == 1/12", "reached < 1 - 3 * (1 - 1/3)**4"),
                broken=("1/12", "1/11"),
            ),
        ),
    ),
    refutation(
        "uhe.exp3_bound",
        "K = 2, T = 4, arm 1 always earns 1, arm 2 nothing: R_max = 4. g = 1/100 gives gamma = 1, uniform play, mean "
        "reward 2.",
        steps=(
            Balls(
                "gamma is one, and the regret 2 exceeds the bound.",
                let={"g": "1/100"},
                holds=(
                    "sqrt(2 * log(2) / ((exp(1) - 1) * g)) >= 1",
                    "4 - 2 > 2 * sqrt(exp(1) - 1) * sqrt(g * 2 * log(2))",
                ),
                broken=("1/100", "4"),
            ),
        ),
    ),
    refutation(
        "uhe.prop6_4_1",
        *_STEP_AT_HALF,
        "l(y, x, theta) = min(|y|, 1) for x < 1/2 and 0 otherwise: additive, Lipschitz in y, and zero at all true "
        "values. The sum over the pseudo-points is at least of order t^6 t^-1 t^-2 |w|, so that it is not O(t^(-1/2)) "
        "with high probability.",
        steps=(_EVENT,),
        assumes="The acquisition is GP-UCB with the kernel of f, ties resolved as stated.",
    ),
    refutation(
        "uhe.prop6_4_2_additive",
        *_STEP_AT_HALF,
        "The loss B(theta) + u(y, x) A(theta) of the claim. The mean true loss is B, least at theta* = 0. On the "
        "event, for large t, the mean s of u over the pseudo-points is positive and tends to 0. B + s A >= 0 as long "
        "as sqrt(1 + theta^2) <= 1 / s, and it is negative beyond: |theta^| >= (s^-2 - 1)^(1/2) tends to infinity "
        "with a probability that does not tend to 0.",
        steps=(
            _EVENT,
            Identity(
                "B + s A as a product.",
                {"theta": "real", "s": "positive"},
                holds=(
                    (
                        "theta**2 / (1 + theta**2)**2 - s * theta**2 / (1 + theta**2)**(3/2)",
                        "theta**2 / (1 + theta**2)**2 * (1 - s * sqrt(1 + theta**2))",
                    ),
                ),
                broken=("(1 - s", "(2 - s"),
            ),
        ),
        assumes=(
            "On [0, 1]: the claim's own domain is [0, 1]^2. The acquisition is GP-UCB with the kernel of f, ties "
            "resolved as stated."
        ),
    ),
    refutation(
        "uhe.thm6_5",
        "d = 1, f(x) = w sqrt(1 + theta x), theta* = 1, no noise, and the loss y^2 (theta^2 (4 - 6 x) / 2 - theta (12 "
        "x - 6)), whose mean is w^2 (theta^2 / 2 - theta* theta): additive, smooth, consistent, of positive "
        "information.",
        "theta^ = sum y^2 (12 x - 6) / sum y^2 (4 - 6 x) over M_t = 2 t uniform pseudo-points. The nearest random "
        "point is O(1/t) away on average, which changes theta^ by O(1/t). By the central limit theorem sqrt(t) "
        "(theta^ - 1) tends to a normal law of variance 436/15, half of that of the step, and not to 0.",
        steps=(
            Identity(
                "The means of numerator and denominator, and the variance, with y^2 = w^2 (1 + x).",
                {"x": "real"},
                let={"term": "(1 + x) * ((12 * x - 6) - (4 - 6 * x))"},
                holds=(
                    ("integral((1 + x) * (4 - 6 * x), x, 0, 1)", "1"),
                    ("integral(term, x, 0, 1)", "0"),
                    ("integral(term**2, x, 0, 1)", "872/15"),
                ),
                broken=("872/15", "873/15"),
            ),
        ),
    ),
    refutation(
        "uhe.thm6_6_dropped",
        "Squared exponential kernel, d = 2: gamma_{T/2} is at most of order (log T)^3 and beta_T of order log T. The "
        "first term is at most of order T^(-1/2) (log T)^2, the second T^(-1/4), which is not O of the first.",
        steps=(
            Identity(
                "The quotient of the first by the second tends to zero.",
                {"T": "positive"},
                holds=(("limit(log(T)**2 * T**(-1/2) / T**(-1/4), T, oo())", "0"),),
                broken=("T**(-1/4)", "T**(-1/2)"),
            ),
        ),
    ),
    refutation(
        "uhe.cell_occupancy",
        "t = 9: 4 points, 3 parts, 3^4 = 81 equally likely assignments. All parts hold a point exactly where one "
        "holds two: choose these two in 6 ways, and the order of the parts in 6.",
        steps=(
            Balls(
                "The probability, also by inclusion and exclusion, and the printed expression.",
                let={"exact": "6 * 6 / 3**4", "printed": "1 - 3 * (1 - 1/3)**4"},
                holds=("exact == printed + 3 * (1/3)**4", "exact == 4/9", "printed < exact"),
                broken=("6 * 6", "6 * 5"),
            ),
        ),
    ),
    refutation(
        "uhe.exp3_logarithmic",
        "Two arms, one always earns 1, the other nothing: R_max = T. Every round plays the other one with probability "
        "at least gamma / 2, so that the expected regret is at least gamma T / 2, a constant times sqrt(T), which is "
        "not O(log T).",
        steps=(
            Identity(
                "The lower limit, and its order.",
                {"T": "positive"},
                holds=(
                    ("T / 2 * sqrt(2 * log(2) / ((exp(1) - 1) * T))", "sqrt(log(2) / (2 * (exp(1) - 1))) * sqrt(T)"),
                    ("limit(log(T) / sqrt(T), T, oo())", "0"),
                ),
                broken=("/ sqrt(T)", "/ log(T)"),
            ),
            Balls(
                "gamma is below one, so that the cap does nothing.",
                holds=("sqrt(2 * log(2) / (exp(1) - 1)) < 1",),
                broken=("2 * log(2)", "3 * log(2)"),
            ),
        ),
    ),
    refutation(
        "uhe.fisher_positive",
        "The loss B + u A of the claim. u vanishes at true values, so that the information of the true loss is B'' = "
        "(1 + theta^2)^-3, continuous, positive, at most 1; B(0) = B'(0) = 0, so that B is convex, and least at "
        "theta* = 0. At pseudo-values it is B'' + s A'', s the mean of u, and s |A''| <= s, which is at most |w| "
        "times the mean distance of the pseudo-points to their nearest data: the printed bound holds.",
        "As defined, I^_t is a mean over the data, for f with w sqrt(1 + theta^2) in the place of w. Consider the "
        "event that w > 0 and all random points have x_1 > 1/2. Each datum reveals w, and GP-UCB queries a maximiser "
        "of f, x_1 = 1. So every pseudo-point with x_1 < 1/2 has u > 0: at every t s_0, the mean at theta = 0 of s "
        "times the indicator of that event, is positive. At other theta the mean of s is at least s_0, as the queries "
        "are the same and u grows with |y|.",
        "For theta^2 >= 1, where A'' < 0, (1 + theta^2)^3 I^_t <= 1 + s_0 (1 - 2 theta^2) (1 + theta^2)^(1/2) <= 1 - "
        "s_0 |theta|^3, which is negative from |theta| > s_0^(-1/3) on: at no t is I^_t positive for all theta. Read "
        "without the mean it is the same wherever s > 0.",
        steps=(
            Identity(
                "A'' of A = -(1 + theta^2)^(-1/2).",
                {"theta": "real"},
                let={"A": "-(1 + theta**2)**(-1/2)"},
                holds=(("diff(diff(A, theta), theta)", "(1 - 2 * theta**2) * (1 + theta**2)**(-5/2)"),),
                broken=("1 - 2 *", "1 - 3 *"),
            ),
            Identity(
                "The last bound, squared: 1 - 2 theta^2 <= -theta^2 for theta^2 = 1 + r, and (1 + theta^2)^(1/2) >= "
                "|theta|.",
                {"r": "positive"},
                holds=(("-(1 + r) - (1 - 2 * (1 + r))", "r"), ("(1 + (1 + r)) - (1 + r)", "1")),
                broken=("1 - 2 *", "1 - 3 *"),
            ),
        ),
        assumes=(
            "The acquisition is GP-UCB with the kernel of f, no noise, no initial data or random ones, and a rule for "
            "ties that does not depend on theta. The information has the sign of a loss to be minimised."
        ),
    ),
    refutation(
        "uhe.noisy_rewards",
        "f(x) = w x on [0, 1], w standard normal, a GP; sigma = 1. GP-UCB maximises x (m + beta^(1/2) s), m and s "
        "mean and deviation of w, so that x_t is 0 or 1 almost surely. Let |w| >= 1, and i the step of the larger of "
        "f(x_t), f(x_{t-1}), j the other one, g their difference. The right side minus the left one is min(g, max(e_j "
        "- e_i, 0)).",
        "With probability 1/2 x_{t-1} is in [1/4, 3/4], and g >= 1/4. |e_{t-1}| <= 1 has probability 1 - 2 Phi(-1). "
        "e_t is independent of all that and of x_t: e_j - e_i >= 1/4 has then probability at least Phi(-5/4). So "
        "given w with |w| >= 1, which has probability 2 Phi(-1), the sides differ by 1/4 or more at every t with "
        "probability above 3/100: no convergence, in probability or in the mean. Nor in law, as the sides are "
        "ordered, their means differ by more than 1/200, and they are uniformly integrable. The same holds of every "
        "path that is not constant and along which f(x_t) tends to its maximum. The second half of the sentence, a "
        "constant mean, is true.",
        steps=(
            Balls(
                "The probability.",
                let={"chance": "1/2 * (1 - 2 * Phi(-1)) * Phi(-5/4)"},
                holds=("chance > 3/100", "chance / 4 > 1/200"),
                broken=("3/100", "4/100"),
            ),
        ),
        assumes="The acquisition is GP-UCB with the kernel of f.",
    ),
)
