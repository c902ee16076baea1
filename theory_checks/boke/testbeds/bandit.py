"""IKR-UCB on a finite decision set, many runs at once, and the bandits that try Lemma 7 and Theorem 8.

The implementation in numpy is independent of `core.policies.FiniteBoke` and `Ucb1` and is their tests' oracle.
Observations are grouped by arm, W = counts K and sum k y = sums K, so that a step costs O(|X|^2) for any number of
observations.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from theory_checks.boke.testbeds import sub_gaussian
from theory_checks.boke.testbeds.compact_kernels import EPANECHNIKOV, PLATEAU, RING, Profile

Bonus = Callable[[int, np.ndarray], np.ndarray]
"""Maps t, the number of observations, and W_t (s, m) > 0 to the bonus added to the regression."""


@dataclass(frozen=True)
class Plays:
    """s runs of T choices: arms (s, T), and W_t(x_{t+1}) before each choice (s, T), zero where no data weigh."""

    arm: np.ndarray
    weight: np.ndarray

    def visits(self, arms: int, upto: int | None = None) -> np.ndarray:
        """n_T(x) for every arm, shape (s, m)."""
        played = self.arm[:, :upto]
        return np.stack([(played == index).sum(1) for index in range(arms)], axis=1)

    def regret(self, gaps: np.ndarray) -> np.ndarray:
        """R_t for t = 1..T, shape (s, T)."""
        return np.cumsum(gaps[self.arm], axis=1)


def theorem8_bonus(noise_scale: float, bound: float) -> Bonus:
    """sqrt(beta_t / W) with beta_t = 4 s^2 M_Psi log t."""
    return lambda t, weight: 2 * noise_scale * np.sqrt(bound * math.log(t) / weight)


def play(
    values: np.ndarray,
    gram: Callable[[int], np.ndarray],
    noise: np.ndarray,
    bonus: Bonus,
    *,
    first: int = 0,
    allowed: np.ndarray | None = None,
) -> Plays:
    """Maximises m_t + bonus(t, W_t) over the arms; y_t = values[arm] + noise[:, t].

    `gram(t)` is the matrix k(x, x'; h_t) of all arms; where `gram` returns the same object again the update is
    incremental. Where W_t = 0 the acquisition is infinite; the first of equal arms is taken. `first` is the arm of the
    first observation; an arm that is not `allowed` has no later visit (a site of the initial design outside X).
    """
    runs, steps = noise.shape
    size, row = len(values), np.arange(runs)
    arm, density = np.full((runs, steps), first, np.int32), np.zeros((runs, steps))
    barred = np.zeros(size) if allowed is None else np.where(allowed, 0.0, -np.inf)
    counts, sums = np.zeros((runs, size)), np.zeros((runs, size))
    weight, total = np.zeros((runs, size)), np.zeros((runs, size))
    matrix = None
    score, added = np.empty_like(weight), np.empty_like(weight)
    for t in range(steps):
        if t:
            everywhere = weight.min() > 0.0
            positive = weight if everywhere else np.where(weight > 0.0, weight, 1.0)
            np.divide(total, positive, out=score)
            score += bonus(t, positive)
            if not everywhere:
                score[weight <= 0.0] = np.inf
            chosen = np.argmax(score if allowed is None else np.where(allowed, score, barred), axis=1)
            arm[:, t], density[:, t] = chosen, weight[row, chosen]
        else:
            chosen = arm[:, 0]
        y = values[chosen] + noise[:, t]
        counts[row, chosen] += 1.0
        sums[row, chosen] += y
        current = gram(t + 1)
        if current is matrix:
            np.take(current, chosen, axis=0, out=added)
            weight += added
            added *= y[:, None]
            total += added
        else:
            matrix = current
            weight, total = counts @ matrix, sums @ matrix
    return Plays(arm, density)


def modulus(knots: ArrayLike, values: ArrayLike, radius: float) -> float:
    """sup |f(x) - f(x')| over |x - x'| <= radius, for the f on [knots[0], knots[-1]] that interpolates linearly.

    At fixed x the worst x' lies at distance `radius` or at a knot, and along x the difference is linear between the
    knots and the knots shifted by the radius. The maximum over these points is therefore exact.
    """
    x, f = np.asarray(knots, float), np.asarray(values, float)
    points = np.concatenate([x, x - radius, x + radius])
    points = np.unique(points[(points >= x[0]) & (points <= x[-1])])
    apart = np.abs(points[:, None] - points[None, :]) <= radius * (1 + 1e-12)
    f = np.interp(points, x, f)
    return float(np.max(np.where(apart, np.abs(f[:, None] - f[None, :]), 0.0)))


@dataclass(frozen=True)
class Instance:
    """A bandit inside the hypotheses of Lemma 7: X = [0, 1] (compact, convex), f piecewise linear through the arms.

    The noise has sub-Gaussian parameter one, the unit of the gaps. The bandwidths alternate, `period` steps each.
    Raises ValueError where A (22) fails.
    """

    name: str
    arms: tuple[float, ...]
    values: tuple[float, ...]
    bandwidths: tuple[float, ...] = (0.125,)
    profile: Profile = EPANECHNIKOV
    noise: str = "gaussian"
    atom: float = 1.0
    period: int = 10

    def __post_init__(self) -> None:
        allowance = np.min(self.gaps[self.gaps > 0]) / 4 if np.sum(self.gaps == 0) == 1 else 0.0
        omega = max(modulus(self.arms, self.values, h) for h in self.bandwidths)
        if omega > allowance * (1 + 1e-9):
            raise ValueError(f"{self.name}: omega_f(h) = {omega} is above inf gap / 4 = {allowance}")

    @property
    def gaps(self) -> np.ndarray:
        """Delta(x) of every arm."""
        return max(self.values) - np.asarray(self.values)

    def plays(self, runs: int, horizon: int, rng: np.random.Generator) -> Plays:
        """Runs of Theorem 8's algorithm; arms with W_t = 0 come in their order."""
        between = np.abs(np.subtract.outer(self.arms, self.arms))
        grams = [self.profile(between / h) for h in self.bandwidths]
        noise = sub_gaussian.draw(rng, self.noise, (runs, horizon), self.atom)
        bonus = theorem8_bonus(1.0, self.profile.bound)
        return play(np.array(self.values), lambda t: grams[t // self.period % len(grams)], noise, bonus)


def _cluster(size: int, last: float, rise: float = 0.0) -> tuple[float, ...]:
    """Values of `size` arms, from 0 to `rise`, and the value `last` of the best arm."""
    return (*np.linspace(0.0, rise, size), last)


_EIGHT = (*np.linspace(0.0, 0.5, 8), 1.0)
_EDGE = (0.0, 0.0624, 0.1248, 1.0)
INSTANCES: tuple[Instance, ...] = (
    *(Instance(f"two arms, gap {gap:g}", (0.0, 1.0), (0.0, gap)) for gap in (0.5, 1.0, 2.0, 4.0, 20.0)),
    Instance("two arms, gap 1, best first", (0.0, 1.0), (1.0, 0.0)),
    Instance("two arms, gap 2, Rademacher", (0.0, 1.0), (0.0, 2.0), noise="rademacher"),
    Instance("two arms, gap 2, rare outliers", (0.0, 1.0), (0.0, 2.0), noise="extremal", atom=3.5),
    Instance("eight equal arms that share data", _EIGHT, _cluster(8, 2.0)),
    Instance("eight sloping arms that share data", _EIGHT, _cluster(8, 4.0, 2.0)),
    Instance("kernel of height M_Psi = 3", _EDGE, _cluster(3, 2.0), profile=RING),
    Instance("two bandwidths in turn", _EIGHT, _cluster(8, 2.0), (0.125, 0.01)),
    Instance("plateau kernel, rare outliers", _EIGHT, _cluster(8, 2.0), profile=PLATEAU, noise="extremal", atom=3.0),
)
"""The bandits; suboptimal arms come first unless the name says otherwise."""


def mean_lower_limit(samples: np.ndarray, largest: float, alpha: float) -> float:
    """Lower confidence limit of the mean of samples (n,) in [0, largest], valid for every distribution.

    Empirical Bernstein (Maurer & Pontil 2009): mean - sqrt(2 V log(2/alpha)/n) - 7 largest log(2/alpha)/(3 (n-1)).
    """
    count, logarithm = len(samples), math.log(2 / alpha)
    spread = math.sqrt(2 * float(samples.var(ddof=1)) * logarithm / count)
    return float(samples.mean()) - spread - 7 * largest * logarithm / (3 * (count - 1))


@dataclass(frozen=True)
class TwoArms:
    """Exact law of two-armed UCB1 with 4 log t under two-point noise of sub-Gaussian parameter one.

    Noise is `low` or `high` with mean zero and P(low) = p. Its smallest squared parameter is (1 - 2p) (high - low)^2 /
    (2 log((1 - p)/p)) (Kearns & Saul 1998). Arm x has gap `gap` and is tried first.
    """

    gap: float
    p: float

    @property
    def noise(self) -> tuple[float, float]:
        """(low, high)."""
        odd = self.p - 0.5
        factor = 0.25 if abs(odd) < 1e-9 else -odd / math.log((1 - self.p) / self.p)
        width = 1 / math.sqrt(factor)
        return -width * (1 - self.p), width * self.p

    def walk(self, horizon: int, threshold: float = 16.0) -> dict[str, np.ndarray | float]:
        """Dynamic programming over (pulls, low outcomes) of both arms: exact up to rounding, without sampling.

        "visits": E n_T(x). For t = 0..T-1: "joint" P(u_t(x) >= u_t(x*), n_t(x) >= threshold beta_t / gap^2) and
        "event" P(n_t(x) >= threshold beta_t / gap^2).
        """
        low, high = self.noise
        size = horizon + 1
        pulls, bad, worse = np.ogrid[:size, :size, :size]  # of x*, low outcomes of x*, low outcomes of x
        mass = np.zeros((size, size, size))
        outcome = np.array([1 - self.p, self.p])
        mass[1, :2, :2] = outcome[:, None] * outcome[None, :]
        joint, event = np.zeros(horizon), np.zeros(horizon)
        visits = 1.0
        for t in range(2, horizon):
            n, rest = np.maximum(pulls, 1), np.maximum(t - pulls, 1)
            best = self.gap + high + (low - high) * bad / n + np.sqrt(4 * math.log(t) / n)
            other = high + (low - high) * worse / rest + np.sqrt(4 * math.log(t) / rest)
            wrong = other >= best
            many = t - pulls >= threshold * 4 * math.log(t) / self.gap**2
            event[t] = float((mass * many).sum())
            joint[t] = float((mass * (wrong & many)).sum())
            lost, kept = mass * wrong, mass * ~wrong
            visits += float(lost.sum())
            mass = np.zeros_like(mass)
            mass[:, :, :] += lost * (1 - self.p)
            mass[:, :, 1:] += lost[:, :, :-1] * self.p
            mass[1:] += kept[:-1] * (1 - self.p)
            mass[1:, 1:] += kept[:-1, :-1] * self.p
        return {"visits": visits, "joint": joint, "event": event}


def two_arm_searches(gaps: Sequence[float], outliers: Sequence[float]) -> list[TwoArms]:
    """For every gap the laws with rare low outcomes, with rare high outcomes and with fair coins."""
    chances = sorted({p for rare in outliers for p in (rare, 1 - rare)} | {0.5})
    return [TwoArms(gap, p) for gap in gaps for p in chances]


def theorem8_bound(
    arms: int, largest_gap: float, horizon: int, delta: float, bound: float = 1.0, s: float = 1.0
) -> float:
    """Right side of A (25)."""
    return (
        math.sqrt(256 / delta**2 * s**2 * bound * arms * horizon * math.log(horizon)) + 8 / delta * arms * largest_gap
    )
