"""A run in a few lines of text, and which of its points to use."""

from typing import Any

import numpy as np

from core.optimizer.belief import INTERVAL, Belief, believed
from core.optimizer.exactness import is_exact
from core.optimizer.history import History
from core.policies.improvement import CorrectedEi

__all__ = ["summary"]


def summary(history: History) -> str:
    """Evaluations, the best value observed, the point recommended, and which of the two to use.

    The best of many noisy values is best partly by luck: its noise is on average in its favour, so the value promises
    too much, and the point may be no better than its neighbours. The recommended point has the best value by the
    policy's model, which weighs all evaluations. Where observations are exact (:mod:`core.optimizer.exactness`) there
    is no luck, and the best value observed is what it says.
    """
    failed = f", {len(history.failures)} of them failed" if history.failures else ""
    lines = [f"{len(history)} evaluations{failed}; {'larger' if history.maximize else 'smaller'} is better"]
    if not history.ok.any():
        return "\n".join([*lines, "none has succeeded: nothing to use"])
    lines.append(f"best observed: {history.best_y:.6g} at {_text(history.best_x)}")
    if history.recommended is None:
        return "\n".join(lines)
    at = history.recommended
    inside = at if history.space is None else history.space.encode(at)
    unit = (np.asarray(inside) - history.bounds[:, 0]) / (history.bounds[:, 1] - history.bounds[:, 0])
    belief = None if history.context_dim else believed(history, unit[None])
    lines.append(f"recommended: {_text(at)}{_believed(belief)}")
    if belief is not None:
        exact = is_exact(history)
        if exact:
            how = "as far as the model can tell" if history.noise_variance is None else "as was said"
            lines.append(f"observations are exact, {how}: use the best observed")
        elif exact is None:
            lines.append("whether observations are exact or noisy, the data do not tell: use the recommended point")
        else:
            lines.append(f"observations have noise of about {belief.noise:.3g}: use the recommended point")
            lines.append("the best value observed is the luckiest, and promises too much")
        if not exact and history.noise_variance is None:
            lines.append("if the same point always gives the same value: noise='exact', and the best observed is best")
    if (
        history.noise_variance is not None
        and np.any(history.noise_variance > 0)
        and not isinstance(history.policy, CorrectedEi)
    ):
        lines.append("the noise variances are known: policy='corrected_ei' is made for that")
    return "\n".join(lines)


def _believed(belief: Belief | None) -> str:
    if belief is None:
        return ""
    return f", where the {belief.whose} expects {belief.mean[0]:.6g} +- {INTERVAL * belief.deviation[0]:.2g} (95 %)"


def _text(point: Any) -> str:
    if isinstance(point, dict):
        return ", ".join(f"{name} = {_number(value)}" for name, value in point.items())
    return "(" + ", ".join(_number(value) for value in point) + ")"


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
