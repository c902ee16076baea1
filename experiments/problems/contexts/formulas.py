"""The closed-form functions f(x, c) of Paper C, appendix B.2: decision and context in their unit cubes, maximised."""

import math

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.branin import branin as plain_branin

__all__ = ["ALPHA_PRINTED", "ALPHA_STANDARD", "ackley", "branin", "hartmann6", "newsvendor", "printed_hartmann6"]

ALPHA_STANDARD = (1.0, 1.2, 3.0, 3.2)
"""Weights of the Hartmann function as the literature and the public code of Paper C have them."""
ALPHA_PRINTED = (1.0, 2.0, 3.0, 3.2)
"""Weights that Paper C prints."""

A = (
    (10.0, 3.0, 17.0, 3.5, 1.7, 8.0),
    (0.05, 10.0, 17.0, 0.1, 8.0, 14.0),
    (3.0, 3.5, 1.7, 10.0, 17.0, 8.0),
    (17.0, 8.0, 0.05, 10.0, 0.1, 14.0),
)
P = (
    (0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886),
    (0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991),
    (0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650),
    (0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381),
)


def ackley(x: Float[Array, " d"], c: Float[Array, " c"]) -> Float[Array, ""]:
    """``20 exp(-0.2 |z| / sqrt(D)) + exp(mean cos 2 pi z) - 20 - e``, z = 65.536 (x, c) - 32.768, D = d + c.

    Minus the function that the paper prints, which it minimises.
    """
    z = 65.536 * jnp.concatenate([x, c]) - 32.768
    squared = jnp.mean(z**2)
    positive = squared > 0.0
    norm = jnp.where(positive, jnp.sqrt(jnp.where(positive, squared, 1.0)), 0.0)
    return 20.0 * jnp.exp(-0.2 * norm) + jnp.exp(jnp.mean(jnp.cos(2.0 * math.pi * z))) - 20.0 - math.e


def branin(x: Float[Array, "2"], c: Float[Array, "2"]) -> Float[Array, ""]:
    """``-sqrt(h(15 x_1 - 5, 15 c_1) h(15 c_2 - 5, 15 x_2))`` with h Branin's function, which is never below 0.397."""
    first = plain_branin(jnp.stack([15.0 * x[0] - 5.0, 15.0 * c[0]]))
    second = plain_branin(jnp.stack([15.0 * c[1] - 5.0, 15.0 * x[1]]))
    return -jnp.sqrt(first * second)


def _hartmann6(y: Float[Array, "6"], alpha: tuple[float, ...]) -> Float[Array, ""]:
    exponents = jnp.sum(jnp.asarray(A) * (y[None, :] - jnp.asarray(P)) ** 2, axis=1)
    return jnp.sum(jnp.asarray(alpha) * jnp.exp(-exponents))


def hartmann6(x: Float[Array, "5"], c: Float[Array, "1"]) -> Float[Array, ""]:
    """``sum_i alpha_i exp(-sum_j A_ij (y_j - P_ij)^2)``, y = (x, c), with the standard weights."""
    return _hartmann6(jnp.concatenate([x, c]), ALPHA_STANDARD)


def printed_hartmann6(x: Float[Array, "5"], c: Float[Array, "1"]) -> Float[Array, ""]:
    """The same with the weights that the paper prints."""
    return _hartmann6(jnp.concatenate([x, c]), ALPHA_PRINTED)


def newsvendor(x: Float[Array, "1"], c: Float[Array, "1"]) -> Float[Array, ""]:
    """``9 min(x, c) + max(0, x - c) - 5 x``: price 9, salvage value 1, cost 5."""
    return 9.0 * jnp.minimum(x[0], c[0]) + jnp.maximum(0.0, x[0] - c[0]) - 5.0 * x[0]
