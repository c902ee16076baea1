"""Proofs of the repaired Theorems 1 and 2 of Paper C: the Bayesian cumulative regret for smooth densities."""

from theory_checks.certificates.certificate import proof
from theory_checks.certificates.checker import Balls, Identity
from theory_checks.certificates.ctx_proved import AT_BETA, BALL, POSITIVE_PART, SUM_OF_SQUARES, TAIL_INTEGRAL

_PARTS = Identity(
    "tau_1 and 1 / t^2 from the slopes; (tau_t + 1) / tau_t decreases in tau_t, so that it is at most its value at "
    "tau_1.",
    {"t": "positive", "D": "positive", "a": "positive", "b": "positive", "r": "positive", "y": "positive"},
    let={"parts(t)": "t**2 * D * a * b * r * sqrt(pi()) / 2", "slopes": "D * a * b * sqrt(pi()) / 2"},
    holds=(
        ("r * slopes", "parts(1)"),
        ("r / parts(t) * slopes", "1 / t**2"),
        ("diff((y + 1) / y, y)", "-1 / y**2"),
    ),
    broken=("1 / t**2", "2 / t**2"),
)
_SIX_PARTS = Identity(
    "The regret of a round in six parts: p the mean of f under p, e and u those of f and of ucb under p^; s, g, t at "
    "x*, [x*], x_t.",
    {"ps": "real", "pt": "real", "es": "real", "eg": "real", "et": "real", "ug": "real", "ut": "real"},
    holds=(("ps - pt", "(ps - es) + (et - pt) + (es - eg) + (eg - ug) + (ug - ut) + (ut - et)"),),
    broken=("(eg - ug)", "(ug - eg)"),
)
_IN_WIDTH = Identity(
    "The kernel's derivative in h, and the integral of its square, which takes the place of R(K).",
    {"c": "real", "h": "positive", "v": "positive"},
    holds=(
        ("h * diff(phi(c / h) / h, h)", "((c / h)**2 - 1) * phi(c / h) / h"),
        ("2 * integral((v**2 - 1)**2 * phi(v)**2, v, 0, oo())", "3 / (8 * sqrt(pi()))"),
    ),
    broken=("(c / h)**2 - 1", "(c / h)**2 + 1"),
)
_ORDERS = Identity(
    "h^2 and 1 / sqrt(t |H|), and the exponent of T less that of sqrt(T).",
    {"t": "positive", "D": "positive"},
    let={"h": "t**(-1 / (4 + D))"},
    holds=(
        ("h**2", "t**(-2 / (4 + D))"),
        ("1 / sqrt(t * h**D)", "t**(-2 / (4 + D))"),
        ("(2 + D) / (4 + D) - 1/2", "D / (2 * (4 + D))"),
    ),
    broken=("t**(-2", "t**(-3"),
)
_SETTING = (
    "The decisions are X or a closed part of it, and x* is best among them. p^_t uses the t - 1 past contexts. The "
    "decisions of the initial rounds (at least one) and of those with beta_t < 0 may be any that depend on the past "
    "and on randomness independent of f, the contexts and the noise; so may ties."
)

CERTIFICATES = (
    proof(
        "ctx.thm1_rate_repaired",
        "Let tau_t = t^2 Dx a b r sqrt(pi) / 2, and L_i the largest slope of f in x_i over X and a unit cell: E L_i <= "
        "a b sqrt(pi) / 2. For every c, E sup |f(x, c) - f(x', c)| over X is at most r sum E L_i <= tau_1: so is a "
        "round's mean regret, whatever x_t is. F of ctx.lemma5_repaired is finite likewise.",
        "The initial rounds and those with beta_t <= 0 are finitely many. In another round cut [0, r]^Dx into "
        "ceil(tau_t)^Dx cubes and fix a decision in each that holds one, [x*] in that of x*. The regret has the six "
        "parts of the step, p^ being p^_t. With d_t = E ||p^ - p||_1 each of the first two has a mean of at most F "
        "d_t (the cells of ctx.lemma5_repaired, for any p^ of contexts alone); the third, (r / tau_t) sum E L_i <= 1 "
        "/ t^2, f being independent of p^; the fourth, (1 + 1 / tau_1)^Dx / t^2, as given the data E (f - ucb)_+ <= "
        "exp(-beta_t / 2) / sqrt(2 pi) = 1 / (t^2 tau_t^Dx) at each of at most (tau_t + 1)^Dx points. The fifth is <= "
        "0. The sixth sums to at most sqrt(2 T beta_T gamma_T / log(1 + sigma^-2)) + sum sqrt(beta_t) d_t / 2 "
        "(ctx.lemma8_repaired).",
        "d_t = O(t^(-2/(4 + Dc))) for h fixed in advance, by ctx.lemma5_repaired. Else let h lie in a box t^(-1/(4 + "
        "Dc)) [l, u]^Dc; on the exception ||p^ - p||_1 <= 2. Let E p^ stand for p * K_h at that h: the bias is at "
        "most u^2 t^(-2/(4 + Dc)) / 2 sum ||d_k^2 p||_1. |p^ - E p^| is at most its value at the lowest corner plus, "
        "for every nonempty set of coordinates, the integral over these h_k of the size of its mixed derivative, the "
        "others at their lower ends. h_k d/dh_k replaces K(v) by (v^2 - 1) K(v), v = c_k / h_k: the bound is that at "
        "a fixed h times constants.",
        "Where beta_T > 0, it is at least the least positive beta_t, so that constants are O(sqrt(beta_T)): the bound "
        "follows by ctx.sum_rate with C_2 = 2 / log(1 + sigma^-2). Else T^2 tau_T^Dx <= sqrt(2 pi) gives BCR(T) <= T "
        "tau_1 = tau_T / T <= sqrt(2 pi) < pi^2 / 3. beta_T is of order log T, gamma_T of a power of it, and the "
        "exponent is above 1/2.",
        steps=(
            TAIL_INTEGRAL,
            _SIX_PARTS,
            _PARTS,
            POSITIVE_PART,
            AT_BETA,
            SUM_OF_SQUARES,
            _IN_WIDTH,
            _ORDERS,
            Balls("The rounds with beta_T <= 0.", holds=("sqrt(2 * pi()) < pi()**2 / 3",), broken=("/ 3", "/ 4")),
        ),
        assumes=_SETTING
        + " sqrt(beta_T) is zero where beta_T < 0. C_1 and C_2 do not depend on T; C_1 is larger than the constants of "
        "the check, which leave out the initial rounds and a random h.",
    ),
    proof(
        "ctx.thm2_rate_repaired",
        "The regret has the parts of ctx.thm1_rate_repaired. The bounds there hold for any decisions of the past and "
        "of independent randomness, but for that of the fifth part, E_p^ ucb([x*]) - E_p^ ucb(x_t).",
        BALL,
        "Let V(x) be the infimum of E_q ucb(x, .) over the ball of p^_t, and w the largest range of ucb(x, .) over all "
        "x. So E_p^ ucb(x) - delta_t w / 2 <= V(x) <= E_p^ ucb(x), as p^_t is in the ball. x_t maximises V: the fifth "
        "part is at most V([x*]) + delta_t w / 2 - V(x_t) <= delta_t w / 2.",
        "The range of mu(x, .), mu = E(f | data), is at most E(range of f | data), and 0 <= sigma <= 1: E w <= E range "
        "of f + sqrt(beta_t). By ctx.sum_rate for d_t and for delta_t BCR(T) is of order sqrt(T beta_T gamma_T) + (1 + "
        "sqrt(beta_T)) T^((2 + Dc)/(4 + Dc)). beta_T is of order log T, and the exponent is above 1/2.",
        steps=(
            _SIX_PARTS,
            Identity(
                "The fifth part from V([x*]) = ug - delta w / 2 + S, V(x_t) = V([x*]) + M and ut = V(x_t) + R, none of "
                "S, M, R below zero.",
                {"V": "real", "M": "real", "S": "real", "R": "real", "delta": "real", "w": "real"},
                let={"ug": "V + delta * w / 2 - S", "ut": "V + M + R"},
                holds=(("ug - ut", "delta * w / 2 - S - M - R"),),
                broken=("V + M + R", "V - M + R"),
            ),
            _ORDERS,
        ),
        assumes=_SETTING,
    ),
)
