"""Pictures, the data frame and the summary of a run show the content of the run."""

import functools
import sys
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest
from matplotlib.figure import Figure

from core import Categorical, Evaluation, History, Integer, Real, Space, optimize
from core.optimizer.posterior import INTERVAL, predict
from core.policies import SearchEffort, make

SPACE = Space({"a": Real(0.01, 1.0, log=True), "n": Integer(1, 5), "k": Categorical(["lin", "rbf"])})
KEY = jax.random.key(11)
KINDS = ("overview", "convergence", "parameters", "slices", "surface")


@functools.lru_cache
def named() -> History:
    method = make("gp_ucb_refit", 4, effort=SearchEffort.of(4, raw_candidates=64, starts=1, max_steps=20), fit_starts=1)
    calls = iter(range(100))

    def cost(p: dict[str, Any]) -> float:
        if next(calls) == 3:
            raise OSError("cold")
        return float(np.log(p["a"] / 0.2) ** 2 + 0.2 * (p["n"] - 4) ** 2 + (p["k"] == "lin"))

    return optimize(cost, SPACE, policy=method, budget=12, key=KEY, initial_size=6, maximize=False, on_failure="skip")


@functools.lru_cache
def noisy() -> History:
    rng = np.random.default_rng(0)
    return optimize(
        lambda x: float(-((x[0] - 0.4) ** 2) + 0.3 * rng.standard_normal()),
        [(0.0, 1.0), (0.0, 2.0)],
        policy="random_search",
        budget=20,
        key=KEY,
    )


@pytest.mark.parametrize("what", KINDS)
def test_every_picture_is_drawn(what: str) -> None:
    for history in (named(), noisy()):
        figure = history.plot(what)
        assert isinstance(figure, Figure)
        figure.canvas.draw()


def test_what_convergence_shows() -> None:
    history = named()
    axes = history.plot("convergence").axes[0]
    lines = {line.get_label(): line for line in axes.lines}
    np.testing.assert_array_equal(lines["observed"].get_ydata(), history.y[history.ok])
    best = lines["best observed so far"].get_ydata()
    np.testing.assert_array_equal(best, np.fmin.accumulate(history.y))
    np.testing.assert_array_equal(lines["failed"].get_xdata(), [4])


def test_what_slices_show() -> None:
    history = named()
    figure = history.plot("slices", parameters=["n", "a"])
    assert [axes.get_xlabel() for axes in figure.axes] == ["n", "a"]
    line = figure.axes[0].lines[0]
    np.testing.assert_allclose(line.get_xdata(), [1, 2, 3, 4, 5])
    points = [{**history.recommended, "n": n} for n in range(1, 6)]
    predicted = predict(history, np.stack([SPACE.encode(point) for point in points]))
    assert predicted is not None
    np.testing.assert_allclose(line.get_ydata(), predicted.mean)
    band = figure.axes[0].collections[0].get_paths()[0].vertices[:, 1]
    half = INTERVAL * predicted.deviation
    np.testing.assert_allclose(
        [band.min(), band.max()],
        [
            (predicted.mean - half).min(),
            (predicted.mean + half).max(),
        ],
    )


def test_the_posterior_is_in_the_units_of_the_objective() -> None:
    history = named()
    predicted = predict(history, history.x[history.ok])
    assert predicted is not None
    assert predicted.whose == "model of GpUcbRefit"
    assert np.all(np.abs(predicted.mean - history.y[history.ok]) < 4 * predicted.deviation + 4 * predicted.noise + 1e-6)
    other = predict(noisy(), noisy().x / [1.0, 2.0])
    assert other is not None
    assert other.whose == "Gaussian process fitted to the evaluations"
    assert 0.15 < other.noise < 0.5  # the truth is 0.3


def test_pictures_that_cannot_be_had() -> None:
    with pytest.raises(ValueError, match="unknown picture 'slice'; did you mean 'slices'"):
        named().plot("slice")
    with pytest.raises(ValueError, match=r"unknown parameters \['b'\]; known: \['a', 'n', 'k'\]"):
        named().plot("slices", parameters=["b"])
    with pytest.raises(ValueError, match="a surface needs two parameters with an order"):
        named().plot("surface", parameters=["a", "k"])
    empty = History(np.zeros((0, 2)), np.zeros(0), np.array([[0.0, 1.0]] * 2))
    with pytest.raises(ValueError, match="nothing to plot"):
        empty.plot()
    failed = empty.append(np.zeros(2), failure="cold")
    failed.plot().canvas.draw()  # without the model
    with pytest.raises(ValueError, match="no model before an evaluation has succeeded"):
        failed.plot("slices")
    assert "none has succeeded" in failed.summary()


def test_the_summary_says_which_point_to_use() -> None:
    text = noisy().summary()
    assert "20 evaluations; larger is better" in text
    assert f"best observed: {noisy().best_y:.6g} at (" in text
    assert "use the recommended point" in text
    text = named().summary()
    assert "12 evaluations, 1 of them failed; smaller is better" in text
    assert f"n = {named().best_x['n']}, k = {named().best_x['k']}" in text


def test_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    frame = named().to_frame()
    assert list(frame) == ["a", "n", "k", "y", "best", "failure"]
    assert frame["k"] == [point["k"] for point in named().points]
    assert frame["failure"][3].startswith("raised OSError: cold")
    assert frame["failure"][4] is None
    np.testing.assert_array_equal(frame["best"], np.fmin.accumulate(named().y))
    told = optimize(
        lambda x: Evaluation(float(x[0]), 0.1, context=[1.0]),
        [(0.0, 1.0)],
        policy="random_search",
        budget=5,
        key=KEY,
        context_bounds=[(0.0, 2.0)],
    )
    assert list(told.to_frame()) == ["x0", "y", "best", "noise_variance", "context0"]
    clash = optimize(lambda p: p["y"], {"y": (0.0, 1.0)}, policy="random_search", budget=5, key=KEY)
    assert list(clash.to_frame()) == ["y", "history.y", "best"]


def test_the_frame_of_the_real_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = named().to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.shape == (12, 6)


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        named().to_frame()
