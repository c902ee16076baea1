"""One call of a practitioner's objective: what it returned, or what was wrong with it."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from core.history import Evaluation

__all__ = ["Outcome", "evaluate", "inconsistent"]


class Outcome(NamedTuple):
    """Value, noise variance and context, or NaN, None and None with a message that says what went wrong."""

    value: float
    noise_variance: float | None = None
    context: np.ndarray | None = None
    message: str | None = None


def evaluate(f: Callable[[np.ndarray], Any], x: np.ndarray, context_dim: int = 0) -> Outcome:
    """Call f; ``context_dim`` is the length of the context it must return, 0 for none."""
    try:
        returned = f(x.copy())
        if context_dim and isinstance(returned, tuple) and not isinstance(returned, Evaluation) and len(returned) == 2:
            returned = Evaluation(returned[0], context=returned[1])
        evaluation = returned if isinstance(returned, Evaluation) else Evaluation(float(returned))
        value = float(evaluation.value)
        noise = None if evaluation.noise_variance is None else float(evaluation.noise_variance)
        context = None
        if context_dim and evaluation.context is not None:
            context = np.atleast_1d(np.asarray(evaluation.context, dtype=float))
    except Exception as error:  # the objective is the user's: whatever it raises is a failed evaluation
        return Outcome(math.nan, message=f"raised {type(error).__name__}: {error}")
    if not math.isfinite(value):
        return Outcome(math.nan, message=f"returned {value}, which is not a finite number")
    if noise is not None and not 0.0 <= noise < math.inf:
        return Outcome(math.nan, message=f"returned the noise_variance {noise}, which is not a finite number >= 0")
    if context_dim:
        if context is None:
            return Outcome(math.nan, message=f"returned no context; expected (value, context of length {context_dim})")
        if context.shape != (context_dim,) or not np.isfinite(context).all():
            wrong = f"returned the context {context.tolist()}, expected {context_dim} finite numbers"
            return Outcome(math.nan, message=wrong)
    return Outcome(value, noise, context)


def inconsistent(noise: float | None, noises: list[float] | None, any_success: bool) -> str | None:
    """What is wrong with this evaluation having, or not having, a noise variance, beside the earlier ones."""
    if noise is None and noises is not None:
        return "returned no noise_variance, but earlier evaluations did"
    if noise is not None and noises is None and any_success:
        return "returned a noise_variance, but earlier evaluations did not"
    return None
