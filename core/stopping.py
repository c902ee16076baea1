"""The stopping rule of section 4.2 of the corrected-EI paper, after Nguyen et al. (2017), and the profit of a run.

A run stops at the first step whose largest acquisition is below kappa, the cost of one evaluation in the unit of y: it
makes no evaluation whose expected gain is below its cost.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

__all__ = ["profit", "stopping_time"]


def stopping_time(acquisition: Float[Array, " T"], kappa: float | Float[Array, ""]) -> Int[Array, ""]:
    """``t_kappa = min t such that max_x alpha_t(x) < kappa``, counted from zero; T where that never happens.

    A run that stops there has made t_kappa evaluations after the initial design. NaN is not below kappa.

    Args:
        acquisition: largest acquisition of every step, in the unit of y, shape (T,).
        kappa: the threshold, in the unit of y.
    """
    below = acquisition < kappa
    return jnp.where(jnp.any(below), jnp.argmax(below), below.shape[0])


def profit(
    value_of_incumbent: float | Float[Array, "*n"], kappa: float | Float[Array, "*n"], steps: int | Int[Array, "*n"]
) -> Float[Array, "*n"]:
    """B (11): ``f(x+) - kappa t_kappa``, the value of the incumbent at the stop minus the cost of the evaluations.

    Args:
        value_of_incumbent: noise-free objective at the incumbent when the run stops.
        kappa: cost of one evaluation, in the unit of y.
        steps: ``t_kappa``.
    """
    return jnp.asarray(value_of_incumbent - kappa * steps)
