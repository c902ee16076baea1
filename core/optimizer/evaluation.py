"""One call of a practitioner's objective: what it returned, or what was wrong with it."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from core.optimizer.history import Evaluation, History

__all__ = ["Outcome", "evaluate", "failed", "inconsistent", "read"]


class Outcome(NamedTuple):
    """Value, noise variance and context, or NaN, None and None with a message that says what went wrong."""

    value: float
    noise_variance: float | None = None
    context: np.ndarray | None = None
    message: str | None = None


def failed(message: str) -> Outcome:
    """The outcome of an evaluation that has no value, and what went wrong."""
    return Outcome(math.nan, message=message)


def evaluate(f: Callable[[Any], Any], x: Any, context_dim: int = 0) -> Outcome:
    """Call f and read what it returned; ``context_dim`` is the length of the context it must return, 0 for none."""
    try:
        returned = f(x.copy())
    except Exception as error:  # the objective is the user's: whatever it raises is a failed evaluation
        return failed(f"raised {type(error).__name__}: {error}")
    return read(returned, context_dim)


def read(returned: Any, context_dim: int = 0) -> Outcome:
    """What an objective returned, checked: a number, an :class:`Evaluation`, or a pair (value, context)."""
    try:
        if context_dim and isinstance(returned, tuple) and not isinstance(returned, Evaluation) and len(returned) == 2:
            returned = Evaluation(returned[0], context=returned[1])
        evaluation = returned if isinstance(returned, Evaluation) else Evaluation(returned)
        if isinstance(evaluation.value, str):
            return failed(f"returned {evaluation.value!r}, which is not a number")
        value = float(np.reshape(evaluation.value, ()) if np.size(evaluation.value) == 1 else evaluation.value)
        noise = None if evaluation.noise_variance is None else float(evaluation.noise_variance)
        context = None
        if context_dim and evaluation.context is not None:
            context = np.atleast_1d(np.asarray(evaluation.context, dtype=float))
    except Exception as error:  # what cannot be read as a number, or raises when it is
        return failed(f"raised {type(error).__name__}: {error}")
    if not math.isfinite(value):
        return failed(f"returned {value}, which is not a finite number")
    if noise is not None and not 0.0 <= noise < math.inf:
        return failed(f"returned the noise_variance {noise}, which is not a finite number >= 0")
    if context_dim:
        if context is None:
            return failed(f"returned no context; expected (value, context of length {context_dim})")
        if context.shape != (context_dim,) or not np.isfinite(context).all():
            wrong = f"returned the context {context.tolist()}, expected {context_dim} finite numbers"
            return failed(wrong)
    return Outcome(value, noise, context)


def inconsistent(noise_variance: float | None, history: History) -> str | None:
    """What is wrong with a successful evaluation having, or not having, a noise variance beside the earlier ones."""
    if noise_variance is None and history.noise_variance is not None:
        return "returned no noise_variance, but earlier evaluations did"
    if noise_variance is not None and history.noise_variance is None and history.ok.any():
        return "returned a noise_variance, but earlier evaluations did not"
    return None
