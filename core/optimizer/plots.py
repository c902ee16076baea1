"""Pictures of a run: convergence, parameters, slices of the model. Matplotlib is imported at the first picture.

Pictures are made on figures of their own, without pyplot and its global state: they show themselves in a notebook, and
``history.plot().savefig("run.png")`` writes a file.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.checks import near_names, require
from core.optimizer.posterior import INTERVAL, Prediction, diagnostics, predict
from core.optimizer.record import Record
from core.spaces.space import Categorical, Real

__all__ = ["plot"]

POINTS = 129
"""The number of points of a slice along a real parameter."""

GRID = 49
"""The number of points a side of a surface."""

SHOWN = 6
"""The number of parameters shown by default."""

OBSERVED, MODEL, CHOSEN = "#4c566a", "#1f6fb4", "#c8452c"


def plot(history: Record, what: str = "overview", *, parameters: Sequence[str] | None = None) -> Any:
    """A picture of a run, a ``matplotlib.figure.Figure``.

    * "convergence": values against the number of the evaluation, the best so far, failures.
    * "parameters": each parameter against the number of the evaluation, the best values darkest: where the search went.
    * "slices": the model of the objective along each parameter through the recommended point, the others held there:
      mean and 95 % interval, and the evaluations (paler the farther they lie from the slice).
    * "surface": mean and half-width of the interval over two real or integer parameters through the recommended point.
    * "diagnostics": each evaluation against its prediction from the others, with 95 % intervals, and the lengthscales
      (:mod:`core.optimizer.posterior`).
    * "overview": the first three in one.

    Args:
        history: the run.
        what: the name of a picture.
        parameters: names of the parameters shown; the first six, or for a surface the first two that are not
            categorical.

    Raises:
        ValueError: an unknown picture or parameter; no evaluations; a surface of other than two parameters with an
            order; a model's picture where no evaluation has succeeded, or of a run with contexts.
        ImportError: matplotlib is not installed.
    """
    kinds = ("overview", "convergence", "parameters", "slices", "surface", "diagnostics")
    require(what in kinds, f"unknown picture {what!r}; {near_names(what, kinds)}")
    require(len(history) > 0, "there is nothing to plot before the first evaluation")
    names = _chosen(history, what, parameters)
    if what in ("slices", "surface"):
        require(not history.context_dim, "the model of a run with contexts has no slices over decisions alone")
        require(bool(history.ok.any()), "there is no model before an evaluation has succeeded")
    if what == "surface":
        return _surface(history, names)
    if what == "diagnostics":
        return _diagnostics(history)
    with_slices = what == "slices" or (what == "overview" and not history.context_dim and bool(history.ok.any()))
    rows = [row for row in ("convergence", "parameters", "slices") if what in (row, "overview")]
    rows = [row for row in rows if row != "slices" or with_slices]
    figure, axes = _figure(len(rows), max(1, 1 if rows == ["convergence"] else len(names)))
    for row, line in zip(rows, axes, strict=True):
        if row == "convergence":
            _convergence(history, _merged(figure, line))
        elif row == "parameters":
            _parameters(history, names, line)
        else:
            _slices(history, names, line)
    return figure


def _chosen(history: Record, what: str, parameters: Sequence[str] | None) -> list[str]:
    """Names of the parameters to show, checked."""
    known = list(history.names)
    if parameters is None:
        ordered = [name for name in known if not isinstance(_parameter(history, name), Categorical)]
        names = ordered[:2] if what == "surface" else known[:SHOWN]
    else:
        names = list(parameters)
        unknown = [name for name in names if name not in known]
        require(not unknown, f"unknown parameters {unknown}; known: {known}")
    if what == "surface":
        ordinal = [name for name in names if not isinstance(_parameter(history, name), Categorical)]
        two = len(ordinal) == len(set(names)) == len(names) == 2
        require(two, f"a surface needs two parameters with an order, got {names}")
    return names


def _figure(rows: int, columns: int) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("plot needs matplotlib, which is not installed: pip install matplotlib") from error
    figure = Figure(figsize=(max(2.6 * columns, 5.0), 2.5 * rows), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def _merged(figure: Any, line: Any) -> Any:
    """A picture with the width of the row."""
    grid = line[0].get_gridspec()
    row = line[0].get_subplotspec().rowspan.start
    for axes in line:
        axes.remove()
    return figure.add_subplot(grid[row, :])


def _convergence(history: Record, axes: Any) -> None:
    number = np.arange(1, len(history) + 1)
    axes.plot(number[history.ok], history.y[history.ok], "o", ms=3.5, color=OBSERVED, alpha=0.6, label="observed")
    axes.step(number, history.best_so_far, where="post", color=MODEL, label="best observed so far")
    if history.failures:
        failed = np.array(sorted(history.failures)) + 1
        low = np.zeros(len(failed))
        axes.plot(failed, low, "x", color=CHOSEN, transform=axes.get_xaxis_transform(), clip_on=False, label="failed")
    axes.set(xlabel="evaluation", ylabel="value" if history.maximize else "value (smaller is better)")
    axes.legend(frameon=False, fontsize="small")


def _parameters(history: Record, names: Sequence[str], line: Any) -> None:
    number = np.arange(1, len(history) + 1)
    order = np.argsort(np.argsort(np.where(history.ok, history.gains, -np.inf)))
    shade = order / max(len(order) - 1, 1)
    for name, axes in zip(names, line, strict=True):
        values = [_coordinate(history, name, point) for point in history.points]
        ok = history.ok
        shown = np.asarray(values, float)
        axes.scatter(number[ok], shown[ok], c=shade[ok], cmap="Blues", vmin=-0.4, vmax=1.0, s=14)
        if (~ok).any():
            axes.plot(number[~ok], shown[~ok], "x", ms=4, color=CHOSEN)
        axes.set(xlabel="evaluation", ylabel=name)
        _scale(axes, history, name, "y")


def _slices(history: Record, names: Sequence[str], line: Any) -> None:
    centre = _centre(history)
    for name, axes in zip(names, line, strict=True):
        shown, unit = _along(history, name, centre)
        predicted = _predicted(history, unit)
        half = INTERVAL * predicted.deviation
        discrete = isinstance(_parameter(history, name), Categorical)
        if discrete:
            axes.errorbar(shown, predicted.mean, half, fmt="o", color=MODEL, capsize=3)
        else:
            axes.plot(shown, predicted.mean, color=MODEL)
            axes.fill_between(shown, predicted.mean - half, predicted.mean + half, color=MODEL, alpha=0.2, lw=0)
        near = _nearness(history, name, centre)
        points = np.asarray([_coordinate(history, name, point) for point in history.points], float)
        ok = history.ok
        axes.scatter(points[ok], history.y[ok], s=12, color=OBSERVED, alpha=near[ok], lw=0)
        axes.axvline(_coordinate(history, name, history.point(centre)), color=CHOSEN, lw=0.8, ls=":")
        axes.set_xlabel(name)
        _scale(axes, history, name, "x")
    line[0].set_ylabel("objective: mean, 95 %")
    line[0].set_title(predicted.whose, loc="left", fontsize="small")


def _surface(history: Record, names: Sequence[str]) -> Any:
    centre = _centre(history)
    (across, columns), (up, rows) = (_along(history, name, centre, GRID) for name in names)
    second = _columns(history, names[1])
    unit = np.repeat(columns[None], len(rows), axis=0)
    unit[:, :, second] = rows[:, None, second]
    half = "half-width of the 95 % interval"
    predicted = _predicted(history, unit.reshape(-1, unit.shape[2]))
    figure, axes = _figure(1, 2)
    shape = (len(up), len(across))
    pictures = (("mean", predicted.mean, "viridis"), (half, INTERVAL * predicted.deviation, "magma"))
    for picture, (title, values, colours) in zip(axes[0], pictures, strict=True):
        drawn = picture.contourf(across, up, values.reshape(shape), levels=16, cmap=colours)
        figure.colorbar(drawn, ax=picture)
        x, y = (np.asarray([_coordinate(history, name, p) for p in history.points], float) for name in names)
        picture.plot(x[history.ok], y[history.ok], "o", ms=3, color="white", mec="black", mew=0.5)
        at = [_coordinate(history, name, history.point(centre)) for name in names]
        picture.plot(*at, "*", ms=11, color=CHOSEN, mec="white", mew=0.6)
        picture.set(xlabel=names[0], ylabel=names[1])
        picture.set_title(title, loc="left", fontsize="small")
        _scale(picture, history, names[0], "x")
        _scale(picture, history, names[1], "y")
    figure.set_size_inches(8.0, 3.3)
    return figure


def _diagnostics(history: Record) -> Any:
    found = diagnostics(history)
    figure, axes = _figure(1, 2)
    left, right = axes[0]
    less = history.best_y if found.transformed else 0.0  # on the scale of the transformation, whose origin is the best
    inside = (found.low <= found.observed) & (found.observed <= found.high)
    for chosen, colour in ((inside, MODEL), (~inside, CHOSEN)):
        left.hlines(found.observed[chosen] - less, found.low[chosen] - less, found.high[chosen] - less, colour, lw=0.8)
        left.plot(found.predicted[chosen] - less, found.observed[chosen] - less, "o", ms=3.5, color=colour, alpha=0.7)
    ends = [float(end) - less for end in (np.min(found.observed), np.max(found.observed))]
    left.plot(ends, ends, color=OBSERVED, lw=0.8, ls=":")
    if found.transformed:
        sign = -1.0 if history.maximize else 1.0
        left.set_xscale("symlog", linthresh=history.scale)
        left.set_yscale("symlog", linthresh=history.scale)
        left.autoscale_view()
        for axis in (left.xaxis, left.yaxis):  # labels of the other sign stand too close
            low, high = sorted(axis.get_view_interval())
            apart = [tick for tick in axis.get_ticklocs() if tick == 0 or sign * tick > 2.0 * (history.scale or 0.0)]
            axis.set_ticks([tick for tick in apart if low <= tick <= high])
        left.set(xlabel="predicted from the others, 95 %, less the best", ylabel="observed, less the best")
    else:
        left.set(xlabel="predicted from the others, 95 %", ylabel="observed")
    left.set_title(f"{found.held} of {len(found.observed)} intervals hold the value", loc="left", fontsize="small")
    names = sorted(found.lengthscales, key=lambda name: -found.lengthscales[name])[-2 * SHOWN :]
    right.plot([found.lengthscales[name] for name in names], names, "o", color=MODEL)
    right.set(xscale="log", xlim=(0.01, 40.0), xlabel="lengthscale, share of the range")
    right.margins(y=0.3)
    right.grid(axis="y", lw=0.4, color=OBSERVED, alpha=0.4)
    right.set_title("the shorter, the more the parameter matters", loc="left", fontsize="small")
    figure.set_size_inches(8.0, 3.3)
    return figure


def _predicted(history: Record, unit: np.ndarray) -> Prediction:
    predicted = predict(history, unit)
    require(predicted is not None, "there is no model before an evaluation has succeeded")
    assert predicted is not None
    return predicted


def _centre(history: Record) -> np.ndarray:
    """The point of the box that slices go through: the recommended one, or the best observed."""
    point = history.best_x if history.recommended is None else history.recommended
    return np.asarray(point) if history.space is None else history.space.encode(point)


def _along(history: Record, name: str, centre: np.ndarray, count: int = POINTS) -> tuple[np.ndarray, np.ndarray]:
    """The positions of a slice, and its points in the unit cube, as far as these can be evaluated."""
    width = history.bounds[:, 1] - history.bounds[:, 0]
    start = (centre - history.bounds[:, 0]) / width
    parameter, columns = _parameter(history, name), _columns(history, name)
    if isinstance(parameter, Categorical):
        block = np.stack([parameter.encode(choice) for choice in parameter.choices])
    elif parameter is not None and not parameter.width:
        block = np.zeros((1, 0))
    else:
        block = np.linspace(0.0, 1.0, count)[:, None]
        if parameter is not None and parameter.rounds:
            block = np.unique([parameter.encode(parameter.decode(row)) for row in block], axis=0)
    unit = np.repeat(start[None], len(block), axis=0)
    unit[:, columns] = block
    points = [history.point(history.bounds[:, 0] + row * width) for row in unit]
    return np.asarray([_coordinate(history, name, point) for point in points], float), unit


def _nearness(history: Record, name: str, centre: np.ndarray) -> np.ndarray:
    """The weight of each evaluation: one on the slice, and less the farther it lies from the slice in the other
    coordinates."""
    width = history.bounds[:, 1] - history.bounds[:, 0]
    gaps = (history.x - centre) / width
    gaps[:, _columns(history, name)] = 0.0
    return 0.15 + 0.85 * np.exp(-np.sum(gaps**2, axis=1) / 0.1)


def _parameter(history: Record, name: str) -> Any:
    return None if history.space is None else history.space.parameters[name]


def _columns(history: Record, name: str) -> slice:
    """The coordinates of the cube that belong to a parameter."""
    if history.space is None:
        first = history.names.index(name)
        return slice(first, first + 1)
    widths = [parameter.width for parameter in history.space.parameters.values()]
    number = history.names.index(name)
    return slice(sum(widths[:number]), sum(widths[: number + 1]))


def _coordinate(history: Record, name: str, point: Any) -> float:
    """The position of a point on a parameter's axis; the number of its choice on a categorical axis."""
    if history.space is None:
        return float(point[history.names.index(name)])
    parameter, value = history.space.parameters[name], point[name]
    return float(parameter.choices.index(value) if isinstance(parameter, Categorical) else value)


def _scale(axes: Any, history: Record, name: str, which: str) -> None:
    """The axis of a parameter: logarithmic, or the names of the choices."""
    parameter = _parameter(history, name)
    if isinstance(parameter, Categorical):
        labels = [str(choice) for choice in parameter.choices]
        getattr(axes, f"set_{which}ticks")(range(len(labels)), labels)
        getattr(axes, f"set_{which}lim")(-0.5, len(labels) - 0.5)
    elif parameter is not None and parameter.log:
        getattr(axes, f"set_{which}scale")("log")
    elif not isinstance(parameter, Real) and parameter is not None:
        axes.locator_params(axis=which, integer=True)
