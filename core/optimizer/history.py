"""The record of a run with the usual questions answered: a summary in words, a table, pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.optimizer.plots import plot
from core.optimizer.posterior import INTERVAL, Diagnostics, Prediction, diagnostics, is_exact, predict
from core.optimizer.record import Record

__all__ = ["History"]


@dataclass(frozen=True, eq=False)
class History(Record):
    """The record of a run (:class:`core.optimizer.record.Record`); hand it back to continue."""

    def plot(self, what: str = "overview", *, parameters: Sequence[str] | None = None) -> Any:
        """A matplotlib figure of the run; :func:`core.optimizer.plots.plot` lists the pictures."""
        return plot(self, what, parameters=parameters)

    def to_frame(self) -> Any:
        """The evaluations as a pandas data frame, one row an evaluation, in the order told.

        Columns: the parameters by their names (x0, x1, ... for a plain box), ``y``, ``best`` (the best value so far),
        and, where the run has them, ``noise_variance``, ``context0``, ``context1``, ... and ``failure``, the message. A
        column whose name is also that of a parameter gets the prefix ``history.``, as in ``history.y``.

        Raises:
            ImportError: pandas is not installed; it is not a requirement of this package.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_frame needs pandas, which is not installed: pip install pandas") from error
        points = [point.values() if isinstance(point, dict) else point for point in self.points]
        columns: dict[str, Any] = dict(
            zip(self.names, zip(*points, strict=True) if points else (), strict=bool(points))
        )
        columns |= {name: () for name in self.names if not points}
        others: dict[str, Any] = {"y": self.y, "best": self.best_so_far}
        if self.noise_variance is not None:
            others["noise_variance"] = self.noise_variance
        if self.context is not None:
            others |= {f"context{j}": column for j, column in enumerate(self.context.T)}
        if self.failures:
            others["failure"] = [self.failures.get(number) for number in range(len(self))]
        others = {f"history.{name}" if name in columns else name: column for name, column in others.items()}
        return pandas.DataFrame({name: list(column) for name, column in (columns | others).items()})

    def diagnostics(self) -> Diagnostics:
        """The model's prediction of each evaluation from the others; its text form has the hyperparameters too.

        ``plot("diagnostics")`` draws it. Raises ValueError below three successful evaluations, and with contexts.
        """
        return diagnostics(self)

    def summary(self) -> str:
        """A summary in words: evaluations, the best observed value, the recommended point, and which of the two to use.

        Only the history that ``optimize`` returns has a recommended point.
        The best of many noisy values is best partly by luck: its noise is in its favour on average. The value promises
        too much, and its point may be no better than its neighbours. The recommended point has the best value by the
        policy's model, which weighs all evaluations. Exact observations (:func:`core.optimizer.posterior.is_exact`)
        involve no luck, and the best observed value is exact.
        """
        failed = f", {len(self.failures)} of them failed" if self.failures else ""
        lines = [f"{len(self)} evaluations{failed}; {'larger' if self.maximize else 'smaller'} is better"]
        if not self.ok.any():
            first = f"; the first failure: {next(iter(self.failures.values()))}" if self.failures else ""
            return "\n".join([*lines, f"none has succeeded: nothing to use{first}"])
        lines.append(f"best observed: {self.best_y:.6g} at {_text(self.best_x)}")
        if self.recommended is None:
            return "\n".join(lines)
        at = self.recommended
        inside = at if self.space is None else self.space.encode(at)
        unit = (np.asarray(inside) - self.bounds[:, 0]) / (self.bounds[:, 1] - self.bounds[:, 0])
        predicted = None if self.context_dim else predict(self, unit[None])
        lines.append(f"recommended: {_text(at)}{_expected(predicted)}")
        if predicted is not None:
            exact = is_exact(self)
            if exact:
                how = "as far as the model can tell" if self.noise_variance is None else "as was said"
                lines.append(f"observations are exact, {how}: use the best observed")
            elif exact is None:
                lines.append("whether observations are exact or noisy, the data do not tell: use the recommended point")
            else:
                lines.append(f"observations have noise of about {predicted.noise:.3g}: use the recommended point")
                lines.append("the best value observed is the luckiest, and promises too much")
            if not exact and self.noise_variance is None:
                lines.append(
                    "if the same point always gives the same value: noise='exact', and the best observed is best"
                )
        return "\n".join(lines)


def _expected(predicted: Prediction | None) -> str:
    if predicted is None:
        return ""
    half = INTERVAL * predicted.deviation[0]
    return f", where the {predicted.whose} expects {predicted.mean[0]:.6g} +- {half:.2g} (95 %)"


def _text(point: Any) -> str:
    if isinstance(point, dict):
        return ", ".join(f"{name} = {_number(value)}" for name, value in point.items())
    return "(" + ", ".join(_number(value) for value in point) + ")"


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
