"""A GP of rank two on [0, 1] x [0, 1] on which the regret of SBO-KDE and DRBO-KDE exceeds the order T^(3/5).

With u = 2 x - 1, f(x, c) = s (w_1 (1 - u^q) + w_2 u g(c)), s^2 = 1/2, w standard normal, g(c) = cos 2 pi c minus its
mean under p. **Hypotheses.** The path is a GP sample path with mean zero and k(z, z') <= s^2 max((1 - u^q)^2 + u^2
g^2), below one (q = 10, |g| <= 1: .75). Both partial derivatives are at most s |w| max(2 sqrt(q^2 + 1), 2 pi), and
P(|w| > v) = exp(-v^2 / 2): Assumption 1 with a = 1, b = sqrt(2) s 2 sqrt(q^2 + 1). The domain is convex and compact;
the uniform density is twice differentiable over C = [0, 1]; h_t = 0.3 t^(-1/5). gamma_T <= log(1 + T / sigma^2).

**The loss.** E_p f = s w_1 (1 - u^q), largest at u = 0 where w_1 > 0. The errors of both weights fall like sqrt(log t /
t), faster than h_t. The integral over C of p^ g is b(h) = -2 h / sqrt(2 pi) + o(h): p^ loses mass beyond both ends of
C, where g = 1. So SBO-KDE maximises m w_1 (1 - u^q) + w_2 b u, m -> 1, at u* = (w_2 b / (q m w_1))^(1/(q-1)), and loses
s w_1 u*^q = O(h^(q/(q-1))) a round: R_T ~ T^(1 - q / (5 (q-1))), T^(7/9) for q = 10. A worst case within delta_t =
t^(-2/5) moves the objective by at most delta_t |w_2 u|, of smaller order than b. For DRBO-KDE p^ is divided by m, its
mass over C: no density over C is within delta_t of p^ itself once 1 - m > delta_t. The tilt b / m - delta_t is then at
least (b - delta_t) / m, which the code takes.

With contexts from Beta(4, 4), whose density is twice continuously differentiable on R, b(h) is O(h^2), and the regret
is O(T^(3/5)).
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

DECISIONS = 101
NODES, CELLS = 48, 800
"""Gauss-Legendre nodes of the integrals over C, and cells that count contexts."""
NOISE = 0.003
SCALE = math.sqrt(0.5)
DELTA_RATE, WIDTH_RATE, WIDTH = 2 / 5, 1 / 5, 0.3
SHAPES = {"uniform": 1.0, "smooth": 4.0}
"""Name -> shape of contexts from Beta(shape, shape)."""


def bandwidth(t: float) -> float:
    """h_t = 0.3 t^(-1/5)."""
    return float(WIDTH * t**-WIDTH_RATE)


def mean_wave(shape: float) -> float:
    """E cos 2 pi c under Beta(shape, shape), by quadrature."""
    x, weights = np.polynomial.legendre.leggauss(400)
    c = (x + 1) / 2
    return float(0.5 * weights @ (stats.beta.pdf(c, shape, shape) * np.cos(2 * np.pi * c)))


def estimated_moments(shape: float, h: float) -> tuple[float, float]:
    """m(h) and b(h): the integrals over C of E p^ and of E p^ g, with E p^ the density convolved with N(0, h^2).

    Gauss-Legendre quadrature over C has panels of width h near both ends.
    """
    x, weights = np.polynomial.legendre.leggauss(24)
    edges = np.unique(np.clip(np.concatenate([h * np.arange(41), 1 - h * np.arange(41), np.linspace(0, 1, 41)]), 0, 1))
    half = np.diff(edges) / 2
    c = (edges[:-1] + half)[:, None] + half[:, None] * x
    weight = half[:, None] * weights
    centre = mean_wave(shape)
    if shape == 1.0:
        density = stats.norm.cdf(c / h) - stats.norm.sf((1 - c) / h)
    else:
        z, wz = np.polynomial.hermite_e.hermegauss(61)
        density = stats.beta.pdf(c[..., None] - h * z, shape, shape) @ wz / math.sqrt(2 * math.pi)
    return float((weight * density).sum()), float((weight * density * (np.cos(2 * np.pi * c) - centre)).sum())


def limit_loss(power: int, contexts: str, method: str, t: float) -> float:
    """E over w of the loss a round at round t for known w and p^ = E p^; a lower bound for DRBO-KDE.

    For w_1 > 0 the loss is s w_1 u*^q, u* = min(1, (|w_2| b / (q m w_1))^(1/(q-1))). For w_1 < 0 the best u is one of
    the ends, and the loss counts as zero, which is a lower bound.
    """
    m, b = estimated_moments(SHAPES[contexts], bandwidth(t))
    tilt = max(abs(b) - (t**-DELTA_RATE if method == "drbo" else 0.0), 0.0)
    x, weights = np.polynomial.legendre.leggauss(400)
    # In polar coordinates |w| and the angle are independent, u* depends on the angle alone, E|w| = sqrt(pi / 2).
    angle = (x + 1) * np.pi / 4  # w_1 = |w| cos, |w_2| = |w| sin; half of all angles have w_1 > 0
    best = np.minimum(1.0, (np.tan(angle) * tilt / (power * m)) ** (1 / (power - 1)))
    mean = float(0.5 * weights @ (np.cos(angle) * best**power)) / 2
    return SCALE * math.sqrt(math.pi / 2) * mean


def limit_exponent(power: int, contexts: str, method: str, first: float, last: float) -> float:
    """Exponent of R_T between the horizons: 1 + the exponent of `limit_loss`; -inf where `limit_loss` is 0."""
    early, late = (limit_loss(power, contexts, method, t) for t in (first, last))
    if min(early, late) <= 0:
        return -math.inf
    return 1 + math.log(late / early) / math.log(last / first)


@dataclass(frozen=True)
class RankTwo:
    """Runs of SBO-KDE with the exponent q, contexts of a shape, and p known or estimated."""

    power: int
    contexts: str
    known: bool = False

    def beta(self, t: int) -> float:
        """beta_t of Theorem 1 with Dx = r = 1, a = 1, b as in the module; at least zero."""
        b = 2 * math.sqrt(2 * (self.power**2 + 1)) * SCALE
        both = 2 * math.log(t * t) + math.log(b * math.sqrt(math.pi) / 2) - 0.5 * math.log(2 * math.pi)
        return max(2 * both, 0.0)

    def losses(self, horizon: int, runs: int, seed: int) -> np.ndarray:
        """Losses (runs, T) on the expectation under p; paths, contexts and noise depend on the seed alone."""
        rng = np.random.default_rng(seed)
        shape = SHAPES[self.contexts]
        w = rng.standard_normal((runs, 2))
        contexts = rng.beta(shape, shape, (horizon, runs))
        noise = NOISE * rng.standard_normal((horizon, runs))
        x, weights = np.polynomial.legendre.leggauss(NODES)
        c, weights = (x + 1) / 2, weights / 2
        centre = mean_wave(shape)
        u = np.linspace(-1, 1, DECISIONS)
        first, wave = SCALE * (1 - np.abs(u) ** self.power), np.cos(2 * np.pi * c) - centre
        value = w[:, :1] * first
        cells = (np.arange(CELLS) + 0.5) / CELLS
        counts, rows = np.zeros((runs, CELLS)), np.arange(runs)
        true = np.broadcast_to(weights * stats.beta.pdf(c, shape, shape), (runs, NODES))
        precision, moment = np.tile(np.eye(2), (runs, 1, 1)), np.zeros((runs, 2))
        out = np.empty((runs, horizon))
        for t in range(1, horizon + 1):
            if t == 1:
                chosen = np.full(runs, DECISIONS // 2 + DECISIONS // 8)
            else:
                covariance = np.linalg.inv(precision)
                mean = np.einsum("rij,rj->ri", covariance, moment)
                if self.known:
                    density = true
                else:
                    h = bandwidth(t - 1)
                    shaped = np.exp(-0.5 * ((c - cells[:, None]) / h) ** 2) / (math.sqrt(2 * math.pi) * h * (t - 1))
                    density = counts @ shaped * weights
                second = SCALE * u[:, None] * wave  # (decisions, nodes)
                variance = (
                    covariance[:, 0, 0, None, None] * first[:, None] ** 2
                    + 2 * covariance[:, 0, 1, None, None] * (first[:, None] * second)
                    + covariance[:, 1, 1, None, None] * second**2
                )
                ucb = mean[:, 0, None, None] * first[:, None] + mean[:, 1, None, None] * second
                ucb = ucb + math.sqrt(self.beta(t)) * np.sqrt(variance)
                chosen = np.argmax(np.einsum("ruc,rc->ru", ucb, density), axis=1)
            out[:, t - 1] = value.max(axis=1) - value[rows, chosen]
            now = contexts[t - 1]
            counts[rows, np.minimum((now * CELLS).astype(int), CELLS - 1)] += 1
            feature = np.stack([first[chosen], SCALE * u[chosen] * (np.cos(2 * np.pi * now) - centre)], axis=1)
            y = np.einsum("ri,ri->r", feature, w) + noise[t - 1]
            precision += feature[:, :, None] * feature[:, None, :] / NOISE**2
            moment += feature * y[:, None] / NOISE**2
        return out
