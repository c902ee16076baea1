"""When to stop: the first step whose largest acquisition falls below kappa, and the profit made until then.

Section 4.2 of the corrected-EI paper, after Nguyen et al. (2017). kappa is the cost of one evaluation in the unit of y:
an evaluation that is expected to gain less than it costs is not made.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

__all__ = ["profit", "stopping_time"]


def stopping_time(acquisition: Float[Array, " T"], kappa: float | Float[Array, ""]) -> Int[Array, ""]:
    """``t_kappa = min t such that max_x alpha_t(x) < kappa``, counted from zero; T where that never happens.

    That is the number of evaluations made, after the initial design, by a run that stops there. NaN is not below kappa.

    Args:
        acquisition: largest acquisition of every step, in the unit of y, shape (T,).
        kappa: the threshold, in the unit of y.
    """
    below = acquisition < kappa
    return jnp.where(jnp.any(below), jnp.argmax(below), below.shape[0])


def profit(
    value_of_incumbent: float | Float[Array, "*n"], kappa: float | Float[Array, "*n"], steps: int | Int[Array, "*n"]
) -> Float[Array, "*n"]:
    """B (11): ``f(x+) - kappa t_kappa``, the value of the incumbent at the stop less the cost of getting there.

    Args:
        value_of_incumbent: noise-free objective at the incumbent when the run stops.
        kappa: cost of one evaluation, in the unit of y.
        steps: ``t_kappa``.
    """
    return jnp.asarray(value_of_incumbent - kappa * steps)
