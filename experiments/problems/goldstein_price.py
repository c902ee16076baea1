"""Goldstein-Price function, d = 2: values from 3 to a million over the box, several local minima.

Source: Goldstein & Price, "On descent from local minima", Mathematics of Computation 25 (1971) 569-574.
"""

from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["goldstein_price", "goldstein_price_problem"]


def goldstein_price(z: Float[Array, "2"]) -> Float[Array, ""]:
    """The Goldstein-Price function on [-2, 2]^2, to be minimised:

    ``[1 + (a + b + 1)^2 (19 - 14 a + 3 a^2 - 14 b + 6 a b + 3 b^2)]
    * [30 + (2 a - 3 b)^2 (18 - 32 a + 12 a^2 + 48 b - 36 a b + 27 b^2)]``.
    """
    a, b = z
    first = 1.0 + (a + b + 1.0) ** 2 * (19.0 - 14.0 * a + 3.0 * a**2 - 14.0 * b + 6.0 * a * b + 3.0 * b**2)
    second = 30.0 + (2.0 * a - 3.0 * b) ** 2 * (18.0 - 32.0 * a + 12.0 * a**2 + 48.0 * b - 36.0 * a * b + 27.0 * b**2)
    return first * second


def goldstein_price_problem() -> Problem:
    """Maximise minus the Goldstein-Price function.

    The function is largest on an edge of the box, 1015690.271798059 at (-1.7373725, 2), not at the corner (-2, 2),
    where it is 956600.
    """
    return Problem(
        name="goldstein_price",
        dim=2,
        formula=goldstein_price,
        sign=-1.0,
        bounds=[[-2.0, 2.0], [-2.0, 2.0]],
        optimum=-3.0,
        optimizers=[[0.0, -1.0]],
        range=1015687.271798059,
    )
