"""The likelihood of a Matérn-5/2 process on the line in O(n): its state (f, f', f'') is Markov.

In the scaled state (f, f'/b, f''/b^2), b = sqrt(5) / l, the transition over a gap dt is exp(-u) times a polynomial
matrix in u = b dt, and the stationary covariance is s^2 [[1, 0, -1/3], [0, 1/3, 0], [-1/3, 0, 1]] (Hartikainen & Särkkä
2010). A Kalman filter over the sorted points then gives the Gaussian likelihood D (8) exactly; the tests compare the
filter with the Cholesky factorisation. Equal points are gaps of zero.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.optimize import minimize

STATIONARY = np.array([[1.0, 0.0, -1 / 3], [0.0, 1 / 3, 0.0], [-1 / 3, 0.0, 1.0]])
"""Covariance of the scaled state, variance one."""


def transition(u: Float[Array, ""]) -> Float[Array, "3 3"]:
    """Matrix that maps the expected scaled state over a gap dt, u = b dt."""
    rows = [
        [u * u / 2 + u + 1, u * (u + 1), u * u / 2],
        [-u * u / 2, -u * u + u + 1, -u * (u - 2) / 2],
        [u * (u - 2) / 2, u * (u - 3), (u * u - 4 * u + 2) / 2],
    ]
    return jnp.exp(-u) * jnp.stack([jnp.stack(row) for row in rows])


def log_likelihood(theta: Float[Array, "3"], gaps: Float[Array, " n"], y: Float[Array, " n"]) -> Float[Array, ""]:
    """``log N(y; 0, K + noise I)`` of values at sorted points. `gaps` are the distances to the preceding point, the
    first arbitrary; `theta` has the logarithms of lengthscale, variance and noise variance."""
    lengthscale, variance, noise = jnp.exp(theta)
    prior = variance * jnp.asarray(STATIONARY)

    def step(
        carry: tuple[Float[Array, "3"], Float[Array, "3 3"]], item: tuple[Float[Array, ""], Float[Array, ""]]
    ) -> tuple[tuple[Float[Array, "3"], Float[Array, "3 3"]], Float[Array, ""]]:
        mean, covariance = carry
        gap, value = item
        moved = transition(math.sqrt(5.0) * gap / lengthscale)
        mean = moved @ mean
        covariance = prior + moved @ (covariance - prior) @ moved.T
        spread, residual = covariance[0, 0] + noise, value - mean[0]
        gain = covariance[:, 0] / spread
        carried = mean + gain * residual, covariance - jnp.outer(gain, covariance[0])
        return carried, -0.5 * (residual**2 / spread + jnp.log(2 * jnp.pi * spread))

    _, terms = jax.lax.scan(step, (jnp.zeros(3), prior), (gaps, y))
    return jnp.sum(terms)


_value_and_gradient = jax.jit(jax.value_and_grad(log_likelihood))


def maximum_likelihood(x: np.ndarray, y: np.ndarray, bounds: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Lengthscale, variance and noise variance (3,): the best of L-BFGS-B's maxima from `starts` (k, 3) within `bounds`
    (3, 2), both of logarithms; x (n,), y (n,) in any order."""
    order = np.argsort(x)
    gaps, values = jnp.asarray(np.diff(x[order], prepend=x[order[0]])), jnp.asarray(y[order])

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = _value_and_gradient(jnp.asarray(theta), gaps, values)
        return -float(value), -np.asarray(gradient)

    found = [minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B") for start in starts]
    return np.exp(min(found, key=lambda one: one.fun).x)
