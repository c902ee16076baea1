"""The evaluations of a run as a pandas data frame."""

from typing import Any

import numpy as np

from core.optimizer.history import History

__all__ = ["to_frame"]


def to_frame(history: History) -> Any:
    """One row an evaluation, in the order told.

    Columns: the parameters by their names (x0, x1, ... for a plain box), ``y``, ``best`` (the best value so far), and,
    where the run has them, ``noise_variance``, ``context0``, ``context1``, ... and ``failure``, the message. A
    column with the name of a parameter is called ``history.y``, or as it may be.

    Raises:
        ImportError: pandas is not installed; it is not a requirement of this package.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame needs pandas, which is not installed: pip install pandas") from error
    points = [point.values() if isinstance(point, dict) else point for point in history.points]
    columns: dict[str, Any] = dict(zip(history.names, zip(*points, strict=True) if points else (), strict=bool(points)))
    columns |= {name: () for name in history.names if not points}
    others: dict[str, Any] = {"y": history.y, "best": best_so_far(history)}
    if history.noise_variance is not None:
        others["noise_variance"] = history.noise_variance
    if history.context is not None:
        others |= {f"context{j}": column for j, column in enumerate(history.context.T)}
    if history.failures:
        others["failure"] = [history.failures.get(number) for number in range(len(history))]
    others = {f"history.{name}" if name in columns else name: column for name, column in others.items()}
    return pandas.DataFrame({name: list(column) for name, column in (columns | others).items()})


def best_so_far(history: History) -> np.ndarray:
    """The best value observed up to every evaluation, shape (t,); NaN before the first success."""
    best = np.fmax.accumulate(history.gains) if len(history) else history.gains
    return best if history.maximize else -best
