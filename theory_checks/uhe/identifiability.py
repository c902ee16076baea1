"""The information of data in a box on hyperparameters, for any estimator: Assumption 6.3 and the rate of Theorem 6.5.

**"For various kernels ... can be" is true.** For any strictly positive definite kernel s^2 k with k known, and no
noise, the maximum likelihood estimate of s^2 from n distinct points is s^2 times a chi-squared mean of n terms. The
check asks for more: a kernel whose variance and lengthscale no bound of this module excludes.

**Matérn: variance and lengthscale are not consistently estimable** (Zhang 2004, for d <= 3). On [0, 1] a Matérn-5/2
process is the stationary solution of a third-order linear stochastic equation, f''' + 3 b f'' + 3 b^2 f' + b^3 f =
sqrt(q) white noise with b = sqrt(5) / l and q = 16/3 s^2 b^5. Two such processes with the same s^2 / l^5 have the same
q, and Girsanov's theorem gives their divergence, which is finite, in closed form:

    KL = KL(N(0, P_1), N(0, P_2)) + (a_1 - a_2)' P_1 (a_1 - a_2) / (2 q),    a = (b^3, 3 b^2, 3 b),

with P the stationary covariance of (f, f', f''). KL bounds the divergence of the data of any number of points, with any
noise (data processing). By Bretagnolle and Huber's inequality every estimator that tells the two apart errs with
probability at least exp(-KL) / 4 under one of them, for every n. The data identify s^2 / l^(2 nu) and the noise.

**Squared exponential: everything is identified, but not at the rate t^(-1/2).** White noise of deviation sigma /
sqrt(n) on the path is equivalent to n i.i.d. data; the Fisher information on log l is then 1/2 tr((M + sigma^2 /
n)^{-1} dM)^2 with M the covariance operator (here at Gauss-Legendre nodes). Only about log n / log log n eigenvalues
exceed sigma^2 / n, and the information grows as a power of their number. By van Trees's inequality the largest mean
squared error over an interval of log l is at least 1 / (sup I + J), J the information of a cosine-squared prior.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from experiments.uhe.consistency import LENGTHSCALE, NOISE_VARIANCE, VARIANCE
from experiments.uhe.likelihood import PROFILES
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed

RATIOS = (1.05, 1.1, 1.25)
LEAST_ERROR = 0.01
"""An estimator whose error probability stays above this is not consistent."""
HALF_WIDTH = 0.25
"""Half the interval of log l around the truth in van Trees's inequality."""
NODES = 120
MOST = 1e8
"""The number of data at which the bound of the squared exponential is read."""
COUNTS = ByScale((1e3, 1e5), (1e3, 1e4, 1e5, 1e6), (1e3, 1e4, 1e5, 1e6, 1e7, 1e8))
GROWTH = 3.0
"""The largest allowed growth of n times the least mean squared error over the counts."""


def stationary(lengthscale: float, variance: float) -> tuple[np.ndarray, np.ndarray, float]:
    """P (3, 3), a (3,) and q of the Matérn-5/2 process, r = |x - x'| / l and u = sqrt(5) r as in
    `core.models.kernels`."""
    b = math.sqrt(5) / lengthscale
    slope, curve = variance * b**2 / 3, variance * b**4
    covariance = np.array([[variance, 0.0, -slope], [0.0, slope, 0.0], [-slope, 0.0, curve]])
    return covariance, np.array([b**3, 3 * b**2, 3 * b]), 16 / 3 * variance * b**5


def divergence(ratio: float) -> float:
    """KL of the paths on [0, 1] with the true (l, s^2) from the paths with (ratio l, ratio^5 s^2)."""
    first, drift, q = stationary(LENGTHSCALE, VARIANCE)
    second, other, _ = stationary(ratio * LENGTHSCALE, ratio**5 * VARIANCE)
    solved = np.linalg.solve(second, first)
    start = 0.5 * (np.trace(solved) - 3 - np.linalg.slogdet(solved)[1])
    gap = drift - other
    return float(start + gap @ first @ gap / (2 * q))


def finite_divergence(ratio: float, count: int, noise: float) -> float:
    """KL of noisy values at `count` equidistant points under the same two laws; at most `divergence`."""
    x = np.linspace(0, 1, count)[:, None]
    squared = (x - x.T) ** 2 / LENGTHSCALE**2
    first = VARIANCE * PROFILES["matern52"](squared)[0] + noise * np.eye(count)
    second = ratio**5 * VARIANCE * PROFILES["matern52"](squared / ratio**2)[0] + noise * np.eye(count)
    solved = np.linalg.solve(second, first)
    return float(0.5 * (np.trace(solved) - count - np.linalg.slogdet(solved)[1]))


def white_noise_divergence(ratio: float, count: float) -> float:
    """KL of squared exponential paths with l from paths with ratio l and the closest variance, in white noise of
    variance sigma^2 / n; bounded in n only if no data tell the two apart."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    x, root = (nodes[:, None] + 1) / 2, np.sqrt(weights / 2)
    squared = (x - x.T) ** 2 / LENGTHSCALE**2
    noise = NOISE_VARIANCE / count * np.eye(NODES)
    first, other = (
        VARIANCE * root[:, None] * PROFILES["squared_exponential"](squared / scale**2)[0] * root
        for scale in (1.0, ratio)
    )

    def of_variance(log_factor: float) -> float:
        solved = np.linalg.solve(math.exp(log_factor) * other + noise, first + noise)
        return float(0.5 * (np.trace(solved) - NODES - np.linalg.slogdet(solved)[1]))

    return float(minimize_scalar(of_variance, bounds=(-3.0, 6.0), method="bounded").fun)


def replay_error(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: least error probability of telling l from ratio l, for every n; right: the largest for consistency."""
    left = math.exp(-divergence(float(stored["ratio"]))) / 4
    return left, LEAST_ERROR, left > LEAST_ERROR


@claim(
    id="uhe.iid_consistent",
    rule=f"""Paths with l and with {listed(RATIOS)} l and the variance that confuses most. A kernel fails if the least
        probability, over all estimators and all n, of taking one for the other (Bretagnolle-Huber) exceeds
        {LEAST_ERROR} for one of them: Matérn-5/2, the kernel of section 7, with the same s^2 / l^5 (Girsanov, closed
        form; module). It does not if for {RATIOS[-1]} l the bound is below {LEAST_ERROR} at n = {MOST:g}: squared
        exponential (white-noise equivalent, {NODES} nodes). The sentence says that there are kernels: supported if
        one does not fail, refuted if all fail. The divergence of 25 to 400 noisy values is reported beside.""",
    control={"kernels": ("matern52",)},
    control_statement="Matérn-5/2, the kernel of section 7, is one of these kernels, variance and l unknown.",
    replay=replay_error,
)
def iid_consistent(scale: str, *, kernels: tuple[str, ...] = ("squared_exponential", "matern52")) -> Evidence:
    """Divergences of whole paths, and as n grows."""
    rows = {
        ratio: {
            "path": divergence(ratio),
            "noisy_values": {n: finite_divergence(ratio, n, NOISE_VARIANCE) for n in (25, 100, 400)},
            "least_error_probability": math.exp(-divergence(ratio)) / 4,
        }
        for ratio in RATIOS
    }
    growing = {n: white_noise_divergence(RATIOS[-1], n) for n in (1e2, 1e4, 1e6, MOST)}
    stored = {"ratio": max((r for r in RATIOS if replay_error({"ratio": r})[2]), default=RATIOS[-1])}
    left, _, violated = replay_error(stored)
    told_apart = math.exp(-growing[MOST]) / 4 < LEAST_ERROR
    fails = {"matern52": violated, "squared_exponential": not told_apart}
    numbers = {"matern52": rows, "squared_exponential_divergence": growing, "scale": scale}
    summary = (
        f"Under Matérn-5/2 the lengthscales l and {stored['ratio']} l with the same s^2 / l^5 have divergence "
        f"{divergence(stored['ratio']):.3f} "
        f"for any data on [0, 1]: at every n every estimator errs with probability at least {left:.3f} under one of "
        "them. "
        f"Under the squared exponential kernel the divergence is {growing[1e2]:.3g} at n = 100 and "
        f"{growing[MOST]:.3g} at {MOST:g}."
    )
    if all(fails[kernel] for kernel in kernels):
        return Evidence(Verdict.REFUTED, summary, numbers, stored)
    return Evidence(Verdict.SUPPORTED, summary, numbers)


def information(kernel: str, count: float, lengthscale: float, noise: float = NOISE_VARIANCE) -> float:
    """Fisher information on log l of a path in white noise of variance sigma^2 / n, variance and noise known."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    x, root = (nodes[:, None] + 1) / 2, np.sqrt(weights / 2)
    squared = (x - x.T) ** 2 / lengthscale**2
    value, slope = PROFILES[kernel](squared)
    operator = VARIANCE * root[:, None] * value * root
    moved = VARIANCE * root[:, None] * (-2 * squared * slope) * root
    solved = np.linalg.solve(operator + noise / count * np.eye(NODES), moved)
    return float(0.5 * np.trace(solved @ solved))


def least_error(kernel: str, count: float, paths: bool = False) -> float:
    """van Trees's lower bound on the largest mean squared error of an estimate of log l over the interval: from n data
    of one path or, with `paths`, from n independent paths in white noise of variance sigma^2."""
    grid = LENGTHSCALE * np.exp(np.linspace(-HALF_WIDTH, HALF_WIDTH, 9))
    copies, each = (count, 1.0) if paths else (1.0, count)
    most = copies * max(information(kernel, each, float(one)) for one in grid)
    return 1 / (most + (math.pi / HALF_WIDTH) ** 2)


def replay_rate(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: growth of n^power times the least mean squared error between the counts; right: the allowed factor."""
    first, last = (float(one) for one in stored["counts"])
    power, kernel, paths = float(stored["power"]), str(stored["kernel"]), bool(stored.get("paths", False))
    growth = (last / first) ** power * least_error(kernel, last, paths) / least_error(kernel, first, paths)
    return growth, GROWTH, growth > GROWTH


@claim(
    id="uhe.thm6_5_information",
    rule=f"""n times van Trees's lower bound on the largest mean squared error of log l over an interval, as n goes from
        {COUNTS.paper[0]:g} to {ByScale(*(f"{counts[-1]:g}" for counts in COUNTS))} (white-noise equivalent of n i.i.d.
        data, {NODES} Gauss-Legendre nodes): refuted if it grows more than {GROWTH:g} times, otherwise supported.
        Matérn-5/2 beside it.""",
    control={"power": 2.0},
    control_statement="theta^_t = theta* + O(1 / t).",
    replay=replay_rate,
    origin="implied",
    severity="substantive",
    positive={"paths": True},
    positive_statement="The same with t independent paths in the place of t data of one path.",
)
def thm6_5_information(scale: str, *, power: float = 1.0, paths: bool = False) -> Evidence:
    """Computes the least errors of any estimator."""
    counts = COUNTS[scale]
    table = {kernel: {n: math.sqrt(least_error(kernel, n, paths)) for n in counts} for kernel in PROFILES}
    exponents = {
        kernel: math.log(row[counts[-1]] / row[counts[0]]) / math.log(counts[-1] / counts[0])
        for kernel, row in table.items()
    }
    stored = {"kernel": "squared_exponential", "counts": [counts[0], counts[-1]], "power": power}
    stored |= {"paths": True} if paths else {}
    growth, _, violated = replay_rate(stored)
    numbers = {"least_root_mean_square_error": table, "exponents": exponents}
    summary = (
        f"From n = {counts[0]:g} to {counts[-1]:g} van Trees's lower bound on the root mean square error of log l "
        "falls as n^"
        f"{exponents['squared_exponential']:.2f} (squared exponential), n^{exponents['matern52']:.2f} (Matérn-5/2)."
    )
    if violated:
        return Evidence(Verdict.REFUTED, summary, numbers, stored)
    return Evidence(Verdict.SUPPORTED, f"{summary}; growth {growth:.2f}", numbers)
