"""Powell's singular function with a fifth coordinate that does nothing, d = 5.

Source: Powell, "An iterative method for finding stationary values of a function of several variables", The Computer
Journal 5 (1962) 147-151. The function is defined for groups of four coordinates. Zhou et al., "A Corrected Expected
Improvement Acquisition Function Under Noisy Observations", use it at d = 5 without a word on the fifth; BoTorch, which
they use, sums over the ``d // 4`` whole groups and ignores the rest. We do the same: the fifth coordinate is inert, so
that the minimisers are a segment, and distances to the nearest minimiser leave it out.
"""

from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["powell", "powell_problem"]

DIM = 5


def powell(z: Float[Array, "5"]) -> Float[Array, ""]:
    """``(a + 10 b)^2 + 5 (c - e)^2 + (b - 2 c)^4 + 10 (a - e)^4`` of the first four, on [-4, 5]^5, to be minimised."""
    a, b, c, e = z[:4]
    return (a + 10.0 * b) ** 2 + 5.0 * (c - e) ** 2 + (b - 2.0 * c) ** 4 + 10.0 * (a - e) ** 4


def powell_problem() -> Problem:
    """Maximise minus Powell's function; 0 where the first four coordinates vanish, whatever the fifth.

    The function is convex, hence largest at a corner: 105962 at (-4, -4, 5, 5, anything). The Hessian at the minimum
    is singular.
    """
    return Problem(
        name="powell5",
        dim=DIM,
        formula=powell,
        sign=-1.0,
        bounds=[[-4.0, 5.0]] * DIM,
        optimum=0.0,
        optimizers=[[0.0] * DIM],
        range=105962.0,
        inert=(4,),
    )
