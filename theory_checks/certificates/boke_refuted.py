"""Certified refutations of Paper A on regret and confidence; those on limits stand in `boke_limits_refuted.py`."""

from theory_checks.certificates.certificate import refutation
from theory_checks.certificates.checker import Balls

_APART = (
    "Psi(u) = max(1 - |u|, 0), f Lipschitz on its domain, and h so small that arms share no data and omega_f(h) <= "
    "Delta / 4, which is A (22): W_t counts visits, M_Psi = 1, s = 1."
)
_LUCKY = (
    "A mean of n maxima max(Z, Z') of independent standard normal pairs has mean 1 / sqrt(pi) and is Lipschitz with "
    "constant 1 / sqrt(n): by Gaussian concentration it is below 1 / sqrt(pi) - a with probability at most exp(-n a^2 "
    "/ 2)."
)

CERTIFICATES = (
    refutation(
        "boke.boke_plus_regret",
        "X = [0, 400], compact and convex, f(x) = g x / 400, g = 1/50, Psi(u) = max(1 - |u|, 0), h = 2: omega_f(h) = g "
        "/ 200, M_Psi = 1. Gaussian noise (s = 1), p = 10^-10, delta = 1/100, N = 10^6. The initial design is x_1 = 0, "
        "x_2 = 1.",
        "Consider: no exploration up to step N + 3, the noise at 1 below -2 - g, every mean of the first k noises at 0 "
        "above -2. While all data but y_2 are at 0, their mean is above y_2. Their weight at x over that of y_2 falls "
        "with x: like (2 - x) / (1 + x) up to 1, like (2 - x) / (3 - x) up to 2. Beyond 2 m_t(x) = y_2, from 3 on as "
        "the nearest neighbour. So m_t has its maximum at 0 alone, and x_{t+1} = 0. At t = N + 1 W_t(0) >= N, and "
        "r_{t+1} = g is above the bound. P(mean of k noises <= -2) <= exp(-2 k) / 2.",
        steps=(
            Balls(
                "The probability is above delta, and g above the bound.",
                let={
                    "p": "1 / 10**10",
                    "delta": "1/100",
                    "N": "10**6",
                    "g": "1/50",
                    "beta": "2 * log(2 * pi()**2 * (N + 3)**2 / (3 * delta))",
                    "stays": "1 - exp(-2) / (1 - exp(-2)) / 2",
                },
                holds=("(1 - p)**(N + 3) * Phi(-2 - g) * stays > delta", "g > 2 * sqrt(beta / N) + 2 * g / 200"),
                broken=("10**6", "10**5"),
            ),
        ),
    ),
    refutation(
        "boke.lemma14_adaptive",
        "x_t = x' for all t, f = 0, Rademacher noise (s = 1). A_t holds the first t observations at x' and t more, "
        "the first that are +1 among further ones there. Then m = (S_t + t) / (2 t), S_t the sum of t signs, and "
        "omega_f = 0.",
        "|m| <= 1/4 needs S_t <= -t / 2, of probability at most exp(-t / 8) (Hoeffding): P(|f - m| > 1/4) tends to "
        "one, not 0.",
        steps=(
            Balls(
                "From t = 32 on the probability is above 98/100.",
                holds=("1 - exp(-32/8) > 98/100",),
                broken=("32/8", "8/8"),
            ),
        ),
    ),
    refutation(
        "boke.lemma7_b6",
        _APART,
        "X = {x, x*}, Delta = 7/2, t = 17. The noise is -a with probability p = 10^-8 and a p / (1 - p) otherwise, of "
        "range r with r^2 = 2 log((1 - p) / p) / (1 - 2 p): sub-Gaussian with parameter one (Kearns and Saul 1998). "
        "Each arm comes once first.",
        "Without outliers x is visited once. With one at the first visit of x* alone x* is not visited again up to t. "
        "So the condition has probability at most 34 p, and with u_t(x) >= u_t(x*) at least p (1 - p)^33.",
        steps=(
            Balls(
                "Both paths, and the conditional probability.",
                let={
                    "p": "1 / 10**8",
                    "r": "sqrt(2 * log((1 - p) / p) / (1 - 2 * p))",
                    "bonus(t, n)": "sqrt(4 * log(t) / n)",
                    "up": "r * p",
                    "down": "-r * (1 - p)",
                    "gap": "7/2",
                },
                holds=(
                    "all([up + bonus(t, t - 1) > up - gap + bonus(t, 1) for t in range(2, 17)])",
                    "all([up - gap + bonus(t, t - 1) > down + bonus(t, 1) for t in range(2, 18)])",
                    "16 >= 16 * 4 * log(17) / gap**2",
                    "1 < 16 * 4 * log(17) / gap**2",
                    "p * (1 - p)**33 / (34 * p) > 4 / 17**2",
                ),
                broken=("7/2", "9/2"),
            ),
        ),
    ),
    refutation(
        "boke.lemma7_b6_joint",
        _APART,
        "X = {x, x*}, f(x*) = 0, gap g, Gaussian noise, sums S_n at x* and S'_m at x; t_2 = 10^40, t_1 = 9/10 t_2, L "
        "= 10^32, g = 10^-18. A: S_n <= -c sqrt(n) - g n for some n <= L, c = 2 sqrt(log t_2). B: S'_m >= -2 sqrt(m "
        "log(m + 1)) for all m.",
        "On A and B x* is not visited again after n visits, as u_s(x) >= f(x) while u_s(x*) <= f(x) for s <= t_2. So "
        "for s in [t_1, t_2) x has at least s - L visits, which is the condition, and u_s(x) < u_s(x*) for at most L "
        "of these s. Hence for one of them the joint probability is at least P(A) P(B) (1 - L / (t_2 - t_1)); 4 / s^2 "
        "<= 4 / t_1^2.",
        "P(A) >= K P(one) - sum of P(two), by Bonferroni over n_1 = 10^4, n_{k+1} = ceil(n_k 51/50), k <= K. Two "
        "normalised sums of n_k and n_{k+j} have correlation at most (50/51)^(j/2), and both are below -c with "
        "probability at most Phi(-c sqrt(2 / (1 + correlation))), since their sum is below -2 c. P(B^c) is at most "
        "the sum of Phi(-2 sqrt(log(m + 1))) <= 1/2 (m + 1)^-2.",
        steps=(
            Balls(
                "K numbers n_k up to L, and the probability.",
                let={
                    "L": "10**32",
                    "t2": "10**40",
                    "t1": "9 * 10**39",
                    "g": "1 / 10**18",
                    "K": "3200",
                    "next(n, k)": "floor((n * 51 + 49) / 50)",
                    "last": "fold(next, 10**4, K - 1)",
                    "c": "2 * sqrt(log(t2))",
                    "one": "Phi(-(c + g * sqrt(L)))",
                    "two": "sum(Phi(-c * sqrt(2 / (1 + sqrt(50/51)**j))) for j in range(1, K))",
                    "A": "K * (one - two)",
                    "B": "1 - sum(Phi(-2 * sqrt(log(m + 1))) for m in range(1, 100)) - 1 / 200",
                },
                holds=(
                    "last <= L",
                    "t1 - L >= 16 * 4 * log(t2) / g**2",
                    "A * B * (1 - L / (t2 - t1)) > 4 / t1**2",
                ),
                broken=("3200", "320"),
            ),
        ),
    ),
    refutation(
        "boke.thm2_adaptive",
        "X = [0, 2], f = 0, Psi(u) = max(1 - |u|, 0), h = 1, Rademacher noise (s = M_Psi = 1), x = 0, delta = 1/10, "
        "52 observations. The design stays at 0 until |S_n| > sqrt(2 n log(2 / delta)) for the sum S_n of its noise, "
        "and then goes to 2, of weight 0.",
        "omega_f = 0 and W = n: the bound fails at the end exactly if the sum has ever left. The probability is "
        "computed exactly, by counting the paths of signs that stay.",
        steps=(
            Balls(
                "It leaves with a probability above delta.",
                let={
                    "N": "52",
                    "stays(n, s)": "s**2 < 2 * n * log(20)",
                    "at(paths, s)": "paths[s + N] if s**2 <= N**2 else 0",
                    "step(paths, n)": (
                        "[at(paths, s - 1) + at(paths, s + 1) if stays(n + 1, s) else 0 for s in range(-N, N + 1)]"
                    ),
                    "start": "[1 if s == 0 else 0 for s in range(-N, N + 1)]",
                },
                holds=("1 - sum(fold(step, start, N)) / 2**N > 1/10",),
                broken=("52", "30"),
            ),
        ),
    ),
    refutation(
        "boke.thm9_instant",
        "The needle of theory_checks.boke.testbeds.selection: X = {(x, u): |x| <= 1, 0 <= u <= L} in R^(n + 1), n "
        "= 2000, f = height u / L, height 52/100, g = n^(-1/4), L = 200 g, h^2 = 2 + 2 g^2, s = M_Psi = 1, delta = "
        "1/20. Data, made while all weights are one: the points (+-e_i, 2 g j), j = 0..100, once at level 0 and 400 "
        "times at the others. The module proves what holds for every noise.",
        _LUCKY,
        "A mean over at least n of the N = 20 n cells of a window, of noise deviation 1/20, is at most the mean of "
        "their n largest, whose expectation is at most (u + N / n tau(-u)) / 20 for every u, and which exceeds it by "
        "b with probability at most exp(-200 n b^2).",
        "So but for the stated probability the best point at level 0 beats all points above h, r_{t+1} >= height (1 - "
        "h / L), and the right side of A (26) is at most 2 sqrt(beta_t / n) + 2 height h / L.",
        steps=(
            Balls(
                "The lucky point wins with a probability above delta, and the regret is above the bound.",
                let={
                    "n": "2000",
                    "g": "1 / sqrt(sqrt(n))",
                    "h": "sqrt(2 + 2 * g**2)",
                    "height": "52/100",
                    "omega": "height * h / (200 * g)",
                    "delta": "1/20",
                    "t": "2 * n * (1 + 400 * 100)",
                    "beta": "2 * log(2 * pi()**2 * t**2 / (3 * delta))",
                    "lucky": "1 / sqrt(pi()) - 1/10 + sqrt(beta / n)",
                    "others": "height + (33/20 + 20 * tau(-33/20)) / 20 + 1/100 + sqrt(beta / (400 * n))",
                    "lost": "exp(-n * (1/10)**2 / 2) + 100 * exp(-200 * n * (1/100)**2)",
                },
                holds=(
                    "floor(10) >= h / g",
                    "lucky > others",
                    "1 - lost > delta",
                    "height - omega > 2 * sqrt(beta / n) + 2 * omega",
                ),
                broken=("52/100", "32/100"),
            ),
        ),
    ),
    refutation(
        "boke.thm9_cumulative",
        "The cube of theory_checks.boke.testbeds.selection: a finite X in R^(n + 1), n = 4000, leaves +-4 e_i, 2^n "
        "centres, and x* 100 away with f(x*) = 1/2, f = 0 elsewhere; s = M_Psi = 1, delta = 1/20, T = 10^7. While all "
        "weights are one each leaf is visited once and x* 20000 times, N = 28000 in all; after that the arms share "
        "data as stated there. The module proves what holds for every noise.",
        _LUCKY,
        "At least 25 of the n pairs differ by less than 1/10, as their number is binomial with p = 1 - 2 Phi(-1/10 / "
        "sqrt(2)): by Hoeffding all but with probability exp(-2 n (p - 25 / n)^2). So an unvisited centre loses at "
        "most 25/10 / n. |noise| <= 7 at every leaf, their sum is at most 6 sqrt(2 n), x* has a mean noise of at most "
        "4 / sqrt(20000), and what leaves see of the noise of k centres is at most 9 sqrt(k).",
        "So but for the stated probability the centres beat x* and the leaves at N, and afterwards, the bonuses "
        "growing by the same factor: r = 1/2 in 2 n + T - N rounds, while W >= n at the centres.",
        steps=(
            Balls(
                "The centres win with a probability above delta, and R_T exceeds the bound.",
                let={
                    "n": "4000",
                    "visits": "20000",
                    "N": "2 * n + visits",
                    "T": "10**7",
                    "height": "1/2",
                    "delta": "1/20",
                    "beta": "2 * log(2 * pi()**2 * N**2 / (3 * delta))",
                    "p": "1 - 2 * Phi(-1/10 / sqrt(2))",
                    "lost": (
                        "exp(-n * (6/100)**2 / 2) + exp(-2 * n * (p - 25 / n)**2) + 4 * n * Phi(-7) + Phi(-6) + "
                        "Phi(-4) + 4 * n * T * exp(-81 / 2)"
                    ),
                    "centre": "1 / sqrt(pi()) - 6/100 - 25/10 / n + sqrt(beta / n)",
                    "leaf": (
                        "(6 * sqrt(2 * n) + 7) / (2 * n - 1) + 9 / (2 * sqrt(2 * n - 1)) + sqrt(beta / (2 * n - 1))"
                    ),
                    "best": "height + 4 / sqrt(visits) + sqrt(beta / visits)",
                    "eta": "1 + log(N) + (T - N + 1) / n",
                    "first": "sqrt(16 * eta * T * log(T))",
                    "second": "sqrt(8 * log(2 * pi()**2 / (3 * delta)) * T * eta)",
                },
                holds=(
                    "2**24 >= T",
                    "1 - lost > delta",
                    "centre > best",
                    "centre > leaf",
                    "height * (2 * n + T - N) > first + second + 2 * height * (N - 1)",
                ),
                broken=("1/2", "2/3"),
            ),
        ),
    ),
)
