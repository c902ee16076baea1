"""Six-hump camel function, d = 2: six minima, two of them global.

Source: Dixon & Szego, "The global optimization problem: an introduction", Towards Global Optimisation 2
(North-Holland, 1978) 1-15. The box [-3, 3] x [-2, 2] is the usual one; [-2, 2] x [-1, 1] is seen too, with the same
optimum and a range of 6.76 instead of 163.93.
"""

from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["six_hump_camel", "six_hump_camel_problem"]


def six_hump_camel(z: Float[Array, "2"]) -> Float[Array, ""]:
    """``(4 - 2.1 a^2 + a^4 / 3) a^2 + a b + (-4 + 4 b^2) b^2`` on [-3, 3] x [-2, 2], to be minimised."""
    a, b = z
    return (4.0 - 2.1 * a**2 + a**4 / 3.0) * a**2 + a * b + (4.0 * b**2 - 4.0) * b**2


def six_hump_camel_problem() -> Problem:
    """Maximise minus the six-hump camel function; its largest value, 162.9, is at (3, 2) and (-3, -2)."""
    return Problem(
        name="six_hump_camel",
        dim=2,
        formula=six_hump_camel,
        sign=-1.0,
        bounds=[[-3.0, 3.0], [-2.0, 2.0]],
        optimum=1.0316284534898774,
        optimizers=[[0.08984201310031806, -0.7126564030207396], [-0.08984201310031806, 0.7126564030207396]],
        range=163.93162845348988,
    )
