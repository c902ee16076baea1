"""Proofs of supported claims of Paper A on regret and consistency; those on limits stand in `boke_limits_proved.py`."""

from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Balls, Identity

_BIAS = (
    "m_t(x) - f(x) = sum w_i (f(x_i) - f(x)) + sum w_i eps_i with w_i = k(x, x_i) / W_t(x), of sum one. The first "
    "part is at most omega_f(h), since w_i > 0 only within R h: that holds for every design."
)
_FIXED = (
    _BIAS,
    "With fixed weights the second is sub-Gaussian with parameter s^2 sum w_i^2 <= s^2 M_Psi / W_t(x): it exceeds l "
    "in size with probability at most 2 exp(-l^2 W_t(x) / (2 s^2 M_Psi)).",
)
_HOEFFDING = Identity(
    "At the printed radius that probability is delta.",
    {"delta": "positive", "v": "positive"},
    let={"squared": "2 * v * log(2 / delta)"},
    holds=(("2 * exp(-squared / (2 * v))", "delta"),),
    broken=("2 / delta", "3 / delta"),
)
_MIXTURE = (
    "Let x and h be fixed, each x_i depend on the past only, k_i = k(x, x_i), S = sum k_i eps_i, V = sum k_i^2 <= M "
    "W, M = M_Psi. For every l, exp(l S - l^2 s^2 V / 2) is a supermartingale from 1, as k_i is known before eps_i. "
    "So is its mixture over l ~ N(0, r / s^2), which is (1 + r V)^(-1/2) exp(r S^2 / (2 s^2 (1 + r V))). By Ville's "
    "inequality it stays below 1 / delta for all t at once with probability at least 1 - delta."
)
_SQUARE = Identity(
    "The completed square, and that the mixture is 1 / delta where S^2 = s^2 (V + 1 / r) log((1 + r V) / delta^2).",
    {"l": "real", "S": "real", "s": "positive", "V": "positive", "r": "positive", "delta": "positive"},
    let={
        "a": "s**2 * (V + 1 / r)",
        "threshold": "a * log((1 + r * V) / delta**2)",
    },
    holds=(
        ("l * S - l**2 * s**2 * V / 2 - l**2 * s**2 / (2 * r)", "-a / 2 * (l - S / a)**2 + S**2 / (2 * a)"),
        ("exp(threshold / (2 * a)) / sqrt(1 + r * V)", "1 / delta"),
    ),
    broken=("/ (2 * r)", "/ r"),
)
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
_PACKING = (
    "Where W_t(x) = 0 somewhere the acquisition is infinite exactly there: an exploration step takes x_{t+1} with "
    "W_t(x_{t+1}) = 0. Psi >= 1/2 on some ball |u| < e, by continuity at 0, so that x_{t+1} is at distance at least e "
    "h_t from all earlier points. X is compact and holds at most P(r) points at pairwise distance r, P(r) <= c r^-d "
    "for small r. All this is sure, whatever the noise."
)
_FIXED_H = (
    "With h fixed at most P(e h) exploration steps are made before W_t > 0 everywhere, and then every x has data "
    "within R h. So the fill distance is at most R h from then on."
)
_SHRINKING_H = (
    "With h_t non-increasing: as long as the fill distance at T exceeds R h_s, some W_t(x) is zero at all steps t "
    "from s to T, so that the exploration steps among them are at pairwise distance at least e h_T, at most P(e h_T) "
    "<= c (e h_T)^-d of them. If t h_t^d tends to infinity that is less than T / 2 for large T: the fill distance "
    "gets below R h_s for every s, and tends to zero."
)
_LIPSCHITZ = (
    "A point of the data is within the fill distance of x*, and f is continuous (L-Lipschitz): the simple regret is "
    "at most the modulus (L times) of that."
)
_SCOTT = Identity(
    "Scott's rule: t h_t^d = t^(1 - d / (d + 4)) = t^(4 / (d + 4)), which tends to infinity.",
    {"d": "positive", "t": "positive"},
    holds=(("t * (t**(-1 / (d + 4)))**d", "t**(4 / (d + 4))"),),
    broken=("4 / (d + 4)", "3 / (d + 4)"),
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
_EMPTY = (
    "All data lie farther from x than R h_t: W_t(x) is an empty sum, so that sigma_hat(x) = W_t(x)^(-1/2) and the "
    "acquisition are infinite, for every outcome of the noise."
)
_CROWDED = (
    "Psi >= 1/2 on |u| < e. x_t and x_i converge to x': from some t_0 on |x_t - x_i| < e h, so that W(x_t; A_{t-1}) "
    ">= (t - 1 - t_0) / 2 whatever else A_{t-1} holds, and sigma_hat = W^(-1/2) tends to zero."
)
_DIAGONAL = (
    "For every j there is t_j with |x_i - x_t| < e / j for all i, t >= t_j; take them so that t_{j+1} >= t_j + 2 j + "
    "1. With h_t = 1 / j for t_j + 2 j <= t < t_{j+1} + 2 (j + 1), W(x_t; A_{t-1}) >= (t - 1 - t_j) / 2 >= (2 j - 1) "
    "/ 2, which tends to infinity, and h_t to zero."
)
_ROOT = Identity(
    "W^(-1/2) and exp(-W) tend to zero as W grows.",
    {"W": "positive"},
    holds=(
        ("limit(W**(-1/2), W, oo())", "0"),
        ("limit(2 * exp(-W), W, oo())", "0"),
    ),
    broken=("W**(-1/2)", "W**(1/2)"),
)
_CONSISTENT = (
    "The mean of m(x_t) is within omega_f(h) + |f(x_t) - f(x')| of f(x'), and P(|m - E m| > lambda / 2) <= 2 "
    "exp(-lambda^2 W / (8 s^2 M_Psi)), both by the pointwise bound of Theorem 2. W(x_t) tends to infinity, f(x_t) to "
    "f(x')."
)
_DEVIATION = Identity(
    "The exponent at lambda / 2.",
    {"lam": "positive", "W": "positive", "s": "positive", "M": "positive"},
    holds=(("(lam / 2)**2 * W / (2 * s**2 * M)", "lam**2 * W / (8 * s**2 * M)"),),
    broken=("lam / 2", "lam / 3"),
)

CERTIFICATES = (
    proof(
        "boke.thm2",
        *_FIXED,
        "Where W_t(x) = 0 the right side is infinite.",
        steps=(_HOEFFDING,),
        assumes="A design that does not depend on the noise, as the claim's hypotheses say.",
    ),
    proof(
        "boke.thm2_repaired",
        _BIAS,
        _MIXTURE,
        "With r = 1 / M: |S| < s sqrt((M + V) log((1 + V / M) / delta^2)), which grows with V <= M W. Divided by W "
        "that is the claim.",
        steps=(
            _SQUARE,
            Identity(
                "The radius squared at V = M W.",
                {"M": "positive", "W": "positive", "s": "positive", "lg": "positive"},
                holds=(("s**2 * (M + M * W) * lg / W**2", "s**2 * M * (1 + 1 / W) * lg / W"),),
                broken=("1 + 1 / W", "1 - 1 / W"),
            ),
        ),
    ),
    proof("boke.thm9_instant_repaired", _BIAS, _MIXTURE, _RADIUS, _OPTIMISM, steps=(_SQUARE, _ALLOWANCES)),
    proof(
        "boke.thm9_cumulative_repaired",
        _BIAS,
        _MIXTURE,
        _RADIUS,
        _OPTIMISM,
        "Every r_{t+1} is at most sup Delta as well; the sum over t < T and r_1 give R_T, for all T at once.",
        steps=(_SQUARE, _ALLOWANCES),
    ),
    proof(
        "boke.boke_plus_regret_repaired",
        _BIAS,
        _MIXTURE,
        _RADIUS,
        _OPTIMISM,
        "Exploration steps are such steps; the data of the others depend on the past as well.",
        steps=(_SQUARE, _ALLOWANCES),
    ),
    proof(
        "boke.lemma7_b6_repaired",
        _BIAS,
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
            Identity(
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
            ),
            Identity(
                "At the lower end of a slice 1 - y = 1 - 1 / (1 + d) is below d.",
                {"d": "positive"},
                holds=(("d - (1 - 1 / (1 + d))", "d**2 / (1 + d)"),),
                broken=("d**2", "d"),
            ),
        ),
        assumes="Each x_i depends on the past only, and on randomness that is independent of the noise, as BOKE's do.",
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
    proof("boke.thm4i", _PACKING, _FIXED_H, _LIPSCHITZ, steps=()),
    proof("boke.thm4ii", _PACKING, _SHRINKING_H, _LIPSCHITZ, "Scott's rule is such an h_t.", steps=(_SCOTT,)),
    proof("boke.thm4ii_explicit", _PACKING, _SHRINKING_H, _LIPSCHITZ, steps=(_SCOTT,)),
    proof(
        "boke.cor5",
        _PACKING,
        _FIXED_H,
        _SHRINKING_H,
        _LIPSCHITZ,
        "Exploitation steps add data, which never lowers W_t. By the law of large numbers the exploration steps up to "
        "T are almost surely more than p T / 2 from some T on: read p T / 4 for T / 2.",
        steps=(_SCOTT,),
    ),
    proof(
        "boke.cor6",
        _PACKING,
        _FIXED_H,
        _SHRINKING_H,
        "Density exploration minimises W_t, and so takes a point with W_t = 0 where there is one.",
        steps=(_SCOTT,),
    ),
    proof("boke.lemma13a", _EMPTY, steps=()),
    proof("boke.lemma13a_shrinking", "R h_t < inf_t d(x, A_t) from some t on.", _EMPTY, steps=()),
    proof("boke.lemma3a", _EMPTY, steps=()),
    proof("boke.lemma3a_shrinking", "R h_t < inf_t d(x, A_t) from some t on.", _EMPTY, steps=()),
    proof(
        "boke.lemma13b",
        _CROWDED,
        steps=(_ROOT,),
        assumes="A point queried twice counts twice in W, as elsewhere in the paper.",
    ),
    proof(
        "boke.lemma13b_shrinking",
        "Psi >= 1/2 on |u| < e.",
        _DIAGONAL,
        steps=(_ROOT,),
        assumes="A point queried twice counts twice in W.",
    ),
    proof(
        "boke.lemma14",
        _CROWDED,
        *_FIXED,
        _CONSISTENT,
        steps=(_ROOT, _DEVIATION, _HOEFFDING),
        assumes="Designs that do not depend on the noise, as the claim's hypotheses say.",
    ),
    proof(
        "boke.lemma14_shrinking",
        "Psi >= 1/2 on |u| < e.",
        _DIAGONAL,
        *_FIXED,
        _CONSISTENT,
        "Here omega_f(h_t) tends to zero as well, f being continuous on a compact set.",
        steps=(_ROOT, _DEVIATION, _HOEFFDING),
    ),
    proof(
        "boke.lemma14_repaired",
        _CROWDED,
        _BIAS,
        _MIXTURE,
        "At the fixed point x_t, with r = 1 / M and any delta: P(|S| / W > s sqrt(M (1 + 1 / W) log((1 + W) / "
        "delta^2) / W) at some time) <= delta. That radius falls to zero as W grows, and W(x_t) is at least (t - 1 - "
        "t_0) / 2: the limit superior of the probability is at most delta, for every delta.",
        steps=(
            _SQUARE,
            _ROOT,
            Identity(
                "The radius squared tends to zero.",
                {"W": "positive"},
                holds=(("limit((1 + 1 / W) * log(100 * (1 + W)) / W, W, oo())", "0"),),
                broken=(") / W, W", "), W"),
            ),
        ),
    ),
    proof(
        "boke.lemma3b",
        _CROWDED,
        *_FIXED,
        _CONSISTENT,
        "So m(x_t) is bounded in probability, beta_t^(-1/2) m tends to zero in probability, and sigma_hat surely.",
        steps=(_ROOT, _DEVIATION, _HOEFFDING),
        assumes="Designs that do not depend on the noise, as the claim's hypotheses say.",
    ),
    proof(
        "boke.lemma3b_shrinking",
        "Psi >= 1/2 on |u| < e.",
        _DIAGONAL,
        *_FIXED,
        _CONSISTENT,
        "So m(x_t) is bounded in probability, beta_t^(-1/2) m tends to zero in probability, and sigma_hat surely.",
        steps=(_ROOT, _DEVIATION, _HOEFFDING),
    ),
)
