"""Sum of three normal densities on the line, to be minimised: the function of Figure 1 of the corrected-EI paper.

Source: the public code of Zhou et al., "A Corrected Expected Improvement Acquisition Function Under Noisy
Observations": densities of variance 0.8 at 1, 5 and 8 on [0, 10]. The paper shows the function and says "the maximum"
with x* = 10; it is the minimum that lies there, at the end of the box.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from experiments.problems.problem import Problem

__all__ = ["three_bumps", "three_bumps_problem"]

CENTRES = (1.0, 5.0, 8.0)
VARIANCE = 0.8


def three_bumps(z: Float[Array, "1"]) -> Float[Array, ""]:
    """``sum_c exp(-(z - c)^2 / (2 v)) / sqrt(2 pi v)``, c in (1, 5, 8), v = 0.8, on [0, 10], to be minimised."""
    squares = (z[0] - jnp.asarray(CENTRES)) ** 2
    return jnp.sum(jnp.exp(-squares / (2.0 * VARIANCE))) / jnp.sqrt(2.0 * jnp.pi * VARIANCE)


def three_bumps_problem() -> Problem:
    """Maximise minus the sum; the best point is the end 10 of the box. The sum is largest, 0.44769..., at 5.01106."""
    return Problem(
        name="three_bumps",
        dim=1,
        formula=three_bumps,
        sign=-1.0,
        bounds=[[0.0, 10.0]],
        optimum=-0.03661252943691686,
        optimizers=[[10.0]],
        range=0.4110801918170765,
    )
