"""Counterexamples to Theorem 9: decision sets with so many points that some x sees only lucky noise.

The proof applies Theorem 2, a bound at a fixed point, at x_{t+1}, which maximises over X given the noise. Both sets
have n pairs of points +e_i, -e_i ("leaves") and 2^n points that see exactly one leaf of each pair. One of these sees
the luckier leaf of every pair: its regression is too high by E max(Z, Z') = 1/sqrt(pi) = 0.56 standard deviations of
the noise for every W_t. All noise is Gaussian with parameter one.
"""

import math
from dataclasses import dataclass

import numpy as np


def beta9(t: float, delta: float, bound: float = 1.0) -> float:
    """beta_t of Theorem 9 for noise of parameter one."""
    return 2 * bound * (math.log(2 * math.pi**2 / (3 * delta)) + 2 * math.log(t))


@dataclass(frozen=True)
class Needle:
    """A counterexample to A (26) on a compact convex X, with a Lipschitz f and a radial decreasing kernel.

    X = {(x, s): x in R^n, |x| <= 1, 0 <= s <= L}, f(x, s) = height s / L. With g = n^(-1/4): leaves (+-e_i, s_j) at
    levels s_j = 2 g j, j = 0..levels, L = 2 g levels; h^2 = 2 + 2 g^2; Psi(u) is one for |u| h <= sqrt(2 + g^2) and
    falls linearly to zero at |u| = 1 (continuous, R = M_Psi = 1). Data: level 0 once a leaf, the others `repeats`
    times. BOKE makes these data itself: while h_t is so large that Psi = 1 on all of X, every point maximises A (14).

    Three statements hold for every outcome of the noise:

    * every point has, at the level nearest to it, one leaf of each pair in weight one: W >= n, and W >= n repeats where
      s > h, for |x - sign(x_i) e_i|^2 + (s - s_j)^2 <= 2 + g^2;
    * the point (v / sqrt(n), 0), v in {-1, 1}^n, sees the n leaves v_i e_i of level 0, at squared distance 2 - 2 g^2,
      and no others (2 + 2 g^2 = h^2): its m_t is the mean of their noise, W = n;
    * where s > h, m_t is a mean over levels j >= 1 within h, with weights in [0, 1] that sum to at least n cells: at
      most `height` plus the mean of the n largest of the cells' mean noises; the bonus is at most
      sqrt(beta / (n repeats)).

    If A (14) at the best (v / sqrt(n), 0) is larger, x_{t+1} has s <= h, so r_{t+1} >= height (1 - h / L), while the
    right side of A (26) is at most 2 sqrt(beta / n) + 2 height h / L.
    """

    pairs: int
    levels: int
    repeats: int
    height: float
    delta: float

    @property
    def g(self) -> float:
        """Half the distance of two levels."""
        return self.pairs**-0.25

    @property
    def h(self) -> float:
        """The bandwidth of the step that fails."""
        return math.sqrt(2 + 2 * self.g**2)

    @property
    def length(self) -> float:
        """L."""
        return 2 * self.g * self.levels

    @property
    def count(self) -> int:
        """t, the number of observations."""
        return 2 * self.pairs * (1 + self.repeats * self.levels)

    def profile(self, ratio: np.ndarray) -> np.ndarray:
        """Psi at |u| = ratio."""
        flat = math.sqrt(2 + self.g**2) / self.h
        return np.clip((1 - np.asarray(ratio)) / (1 - flat), 0.0, 1.0)

    def noise(self, rng: np.random.Generator) -> np.ndarray:
        """Mean noise of every cell, shape (1 + levels, 2, pairs); [:, 0] are the leaves +e_i."""
        cells = rng.standard_normal((1 + self.levels, 2, self.pairs))
        cells[1:] /= math.sqrt(self.repeats)
        return cells

    def acquisitions(self, cells: np.ndarray) -> tuple[float, float]:
        """A (14) at the best (v / sqrt(n), 0), and an upper bound of it over all points with s > h."""
        beta = beta9(self.count, self.delta)
        lucky = float(cells[0].max(axis=0).mean()) + math.sqrt(beta / self.pairs)
        width = min(int(self.h / self.g) + 1, self.levels)
        windows = [cells[j : j + width].ravel() for j in range(1, self.levels - width + 2)]
        largest = max(float(np.partition(window, -self.pairs)[-self.pairs :].mean()) for window in windows)
        return lucky, self.height + largest + math.sqrt(beta / (self.pairs * self.repeats))

    def sides(self, factor: float = 1.0) -> tuple[float, float]:
        """Lower bound of r_{t+1} where s <= h, and upper bound of the right side of A (26) (times `factor`)."""
        omega = self.height * self.h / self.length
        return self.height - omega, factor * (2 * math.sqrt(beta9(self.count, self.delta) / self.pairs) + 2 * omega)

    def fails(self, rng: np.random.Generator, factor: float = 1.0) -> bool:
        """True where A (26) is proved to fail on one draw of the noise."""
        lucky, others = self.acquisitions(self.noise(rng))
        regret, bound = self.sides(factor)
        return lucky > others and regret > bound


@dataclass(frozen=True)
class Cube:
    """A counterexample to A (27) on a finite X in R^(n+1): no step has W_t = 0, and the regret stays linear.

    X holds the leaves +-4 e_i, the centres v / sqrt(n) for v in {-1, 1}^n, where f = 0, and x*, 100 away, where f =
    `height`. Psi is radial and continuous, R = 6, M_Psi = 1: one near 0, zero at all distances of two centres, one
    at the distance of a centre and its n leaves 4 v_i e_i, zero at that of the other n, one at that of two leaves
    (not opposite).

    For t < N = 2 n + visits, h_t is so large that every weight is one; every point maximises A (14), and BOKE visits
    each leaf once, x* `visits` times. From then on h_t = 1 and omega_f(h_t) = 0. A centre without visits sees its n
    leaves only; among the centres that differ from the luckiest centre in the log2(2 T) closest pairs alone there is
    always a centre without visits. As long as A (14) is larger there than at x*, no step goes to x*, whose data do not
    change, and r_{t+1} = height, W_t(x_{t+1}) >= n. A (14) must also be larger there than at the leaves: a leaf sees a
    sum of k independent noises of centres, below 9 sqrt(k) for all k and all leaves with probability >= 1 - 4 n T
    exp(-40.5).
    """

    pairs: int
    visits: int
    horizon: int
    height: float
    delta: float

    SLACK = 9.0

    @property
    def start(self) -> int:
        """N, the number of observations with the large bandwidth."""
        return 2 * self.pairs + self.visits

    @property
    def size(self) -> float:
        """log |X|."""
        return self.pairs * math.log(2) + math.log1p((2 * self.pairs + 1) / 2.0 ** min(self.pairs, 1000))

    @property
    def excluded(self) -> float:
        """Bound of the probability that a leaf's sum of centres' noise exceeds SLACK sqrt(k)."""
        return 4 * self.pairs * self.horizon * math.exp(-(self.SLACK**2) / 2)

    def profile(self, distance: np.ndarray) -> np.ndarray:
        """Psi at |u| = distance."""
        root = 1 / math.sqrt(self.pairs)
        near, far = math.sqrt(17 - 8 * root), math.sqrt(17 + 8 * root)
        knots = [0.0, 0.5 * root, root, (near + 2) / 2, near, far, 5.0, 5.4, 5.8, 6.0]
        return np.interp(distance, knots, [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0], right=0.0)

    def fails(self, rng: np.random.Generator, factor: float = 1.0) -> bool:
        """True where A (27) is proved to fail on one draw of the noise."""
        leaves = rng.standard_normal((2, self.pairs))
        best = rng.standard_normal() / math.sqrt(self.visits)
        beta = beta9(self.start, self.delta)
        flips = np.sort(np.abs(leaves[0] - leaves[1]))[: max(20, math.ceil(math.log2(self.horizon)) + 1)]
        lucky = float(leaves.max(axis=0).mean() - flips.sum() / self.pairs) + math.sqrt(beta / self.pairs)
        seen = 2 * self.pairs - 1
        # A leaf sees all leaves but the opposite one; centres add SLACK sqrt(k) / (seen + k) <= SLACK / (2 sqrt(seen)).
        leaf = max(0.0, float(leaves.sum() - leaves.min())) / seen + self.SLACK / (2 * math.sqrt(seen))
        leaf += math.sqrt(beta / seen)
        # The differences of the bonuses grow with beta_t, so that the inequality at t = N holds for later t.
        if not lucky > max(leaf, self.height + best + math.sqrt(beta / self.visits)) or self.visits < self.pairs:
            return False
        regret, bound = self.sides(factor)
        return regret > bound

    def sides(self, factor: float = 1.0) -> tuple[float, float]:
        """R_T, and an upper bound of the right side of A (27) (times `factor`)."""
        later = self.horizon - self.start
        eta = 1 + math.log(self.start) + (later + 1) / self.pairs
        noise = math.sqrt(16 * eta * self.horizon * math.log(self.horizon))
        noise += math.sqrt(8 * math.log(2 * math.pi**2 / (3 * self.delta)) * self.horizon * eta)
        bound = noise + 2 * self.height * (self.start - 1)
        return self.height * (2 * self.pairs + later), factor * bound

    def coordinates(self) -> np.ndarray:
        """All points of X, leaves +, leaves -, centres, x*; for small n only, shape (2 n + 2^n + 1, n + 1)."""
        n = self.pairs
        leaves = np.concatenate([4 * np.eye(n), -4 * np.eye(n)])
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        points = np.concatenate([leaves, signs / math.sqrt(n), np.zeros((1, n))])
        return np.concatenate([points, np.append(np.zeros(len(points) - 1), 100.0)[:, None]], axis=1)
