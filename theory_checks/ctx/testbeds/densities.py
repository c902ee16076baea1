"""Mean integrated squared error of the Gaussian density estimate C (2), exact: normal mixtures, and densities on a box.

With K normal and bandwidths h fixed in advance, E p^ = p * K_h and Var p^ = ((p * K_h^2) - (p * K_h)^2) / t. Every
integral is therefore Gaussian (mixtures, over R^D) or one-dimensional (products of equal densities on [0, 1], over the
box alone, as in Lemma 1).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import ndtr

SQRT_PI = math.sqrt(math.pi)


def rule_of_thumb(contexts: np.ndarray) -> np.ndarray:
    """h^(k) = (4 / (D + 2))^(1 / (4 + D)) sd^(k) t^(-1 / (4 + D)) of contexts (..., t, D)."""
    count, dim = contexts.shape[-2:]
    return np.asarray((4 / (dim + 2) / count) ** (1 / (4 + dim)) * contexts.std(axis=-2))


def _normal(difference: np.ndarray, variance: np.ndarray, derivative: int = 0) -> np.ndarray:
    """The normal density of a variance, or its second or fourth derivative, elementwise."""
    u2 = difference**2 / variance
    density = np.exp(-0.5 * u2) / np.sqrt(2 * math.pi * variance)
    hermite = {0: 1.0, 2: (u2 - 1) / variance, 4: (u2**2 - 6 * u2 + 3) / variance**2}[derivative]
    return np.asarray(density * hermite)


@dataclass(frozen=True)
class NormalMixture:
    """sum_i w_i prod_k N(c_k; m_ik, s_ik^2): weights (n,), means and deviations (n, D)."""

    weights: np.ndarray
    means: np.ndarray
    deviations: np.ndarray

    @property
    def dim(self) -> int:
        """Number of coordinates."""
        return int(self.means.shape[1])

    def sample(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Independent draws (count, D)."""
        rows = rng.choice(len(self.weights), size=count, p=self.weights)
        return self.means[rows] + self.deviations[rows] * rng.standard_normal((count, self.dim))

    def overlap(self, extra: np.ndarray, derivatives: tuple[int, ...] | None = None) -> float:
        """sum_ij w_i w_j prod_k D^(d_k) N(m_ik - m_jk; 0, s_ik^2 + s_jk^2 + extra_k)."""
        total = np.outer(self.weights, self.weights)
        for k in range(self.dim):
            difference = self.means[:, None, k] - self.means[None, :, k]
            variance = self.deviations[:, None, k] ** 2 + self.deviations[None, :, k] ** 2 + extra[k]
            total = total * _normal(difference, variance, derivatives[k] if derivatives else 0)
        return float(total.sum())

    def mise(self, count: int | float, h: np.ndarray) -> float:
        """E int (p^ - p)^2 over R^D for bandwidths h (D,)."""
        smooth = self.overlap(2 * h**2)
        roughness = float(np.prod(1 / (2 * SQRT_PI * h)))
        bias = smooth - 2 * self.overlap(h**2) + self.overlap(0 * h)
        return (roughness - smooth) / count + bias

    def lemma1(self, count: int | float, h: np.ndarray) -> float:
        """Lemma 1's expression with the constant one: R(K) / (t |H|) + 1/4 int (sum_k h_k^2 d_k^2 p)^2."""
        curvature = 0.0
        for k, m in product(range(self.dim), repeat=2):
            derivatives = [0] * self.dim
            derivatives[k] += 2
            derivatives[m] += 2
            curvature += h[k] ** 2 * h[m] ** 2 * self.overlap(0 * h, tuple(derivatives))
        return float(np.prod(1 / (2 * SQRT_PI * h))) / count + curvature / 4

    def integrated_squared_error(self, contexts: np.ndarray, h: np.ndarray) -> float:
        """int (p^ - p)^2 over R^D for one sample of contexts (t, D), in closed form."""
        own = np.ones((len(contexts), len(contexts)))
        cross = np.tile(self.weights, (len(contexts), 1))
        for k in range(self.dim):
            column = contexts[:, k]
            own *= _normal(column[:, None] - column[None, :], np.asarray(2 * h[k] ** 2))
            cross = cross * _normal(
                column[:, None] - self.means[None, :, k], self.deviations[None, :, k] ** 2 + h[k] ** 2
            )
        return float(own.mean() - 2 * cross.sum() / len(contexts) + self.overlap(0 * h))


@dataclass(frozen=True)
class BoxDensity:
    """A density p on [0, 1], equal in each of D coordinates; the integrals run over [0, 1]^D as in Lemma 1."""

    name: str
    value: Callable[[np.ndarray], np.ndarray]

    def _integrals(self, h: float) -> tuple[float, float, float, float, float]:
        """int g, int g^2, int E K_h^2, int g p, int p^2 over [0, 1], with g = E p^ the smoothed density."""
        nodes, weights = np.polynomial.legendre.leggauss(60)
        edge = min(12 * h, 0.5)
        breaks = np.unique(
            np.concatenate([np.linspace(0, edge, 9), np.linspace(edge, 1 - edge, 9), np.linspace(1 - edge, 1, 9)])
        )
        low, high = breaks[:-1, None], breaks[1:, None]
        c = ((low + high) / 2 + (high - low) / 2 * nodes).ravel()
        w = ((high - low) / 2 * weights).ravel()
        smooth, square = self.smoothed(c, h), self.smoothed(c, h / math.sqrt(2)) / (2 * SQRT_PI * h)
        p = self.value(c)
        return float(w @ smooth), float(w @ smooth**2), float(w @ square), float(w @ (smooth * p)), float(w @ p**2)

    def smoothed(self, c: np.ndarray, h: float) -> np.ndarray:
        """(p * N(0, h^2))(c) = int over [0, 1] of p(u) N(c - u; 0, h^2), by Gauss quadrature within 10 h of c."""
        nodes, weights = np.polynomial.legendre.leggauss(80)
        low, high = np.clip(c - 10 * h, 0, 1), np.clip(c + 10 * h, 0, 1)
        u = (low + high)[:, None] / 2 + (high - low)[:, None] / 2 * nodes
        kernel = np.exp(-0.5 * ((c[:, None] - u) / h) ** 2) / (h * math.sqrt(2 * math.pi))
        return np.asarray((self.value(u) * kernel) @ weights * (high - low) / 2)

    def mise(self, count: float, h: float, dim: int = 1) -> float:
        """E int over [0, 1]^D of (p^ - p)^2 with one bandwidth for all coordinates."""
        _, g2, k2, gp, p2 = self._integrals(h)
        return (k2**dim - g2**dim) / count + g2**dim - 2 * gp**dim + p2**dim

    def lost_mass(self, h: float) -> float:
        """E int over [0, 1] of (p - p^): the mass of the estimate outside [0, 1]."""
        return 1.0 - self._integrals(h)[0]


UNIFORM = BoxDensity("uniform", np.ones_like)
"""The density of uniform contexts, as in one of the two portfolio problems."""
BURR = BoxDensity("Burr XII", lambda c: 40 * c / (1 + c**2) ** 21 / (1 - 2.0**-20))
"""The demand of the newsvendor problem, alpha = 2 and beta = 20, conditioned on [0, 1] (all but 1e-6 of its mass)."""


def uniform_lost_mass(h: float) -> float:
    """`UNIFORM.lost_mass(h)` in closed form: 2 int_0^1 Phi(-c / h) dc, which tends to h sqrt(2 / pi)."""
    z = 1 / h
    return float(2 * h * (z * ndtr(-z) - math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi) + 1 / math.sqrt(2 * math.pi)))


STANDARD = {dim: NormalMixture(np.ones(1), np.zeros((1, dim)), np.ones((1, dim))) for dim in (1, 2)}
"""The standard normal density."""
BIMODAL = {
    dim: NormalMixture(np.full(2, 0.5), np.array([[-1.0] * dim, [1.0] * dim]), np.full((2, dim), 2 / 3))
    for dim in (1, 2)
}
"""The mixture 1/2 N(-1, (2/3)^2) + 1/2 N(1, (2/3)^2), along the diagonal for D = 2."""


def bandwidth(count: float, dim: int) -> float:
    """h = 0.3 t^(-1 / (4 + D)), of the stated order; 0.3 is about the deviation of a uniform density on [0, 1]."""
    return float(0.3 * count ** (-1 / (4 + dim)))
