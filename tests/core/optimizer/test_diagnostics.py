"""Leave-one-out diagnostics against the same process fitted without each evaluation, by plain linear algebra."""

import jax
import numpy as np
import pytest

from core import Categorical, Real, optimize
from core.optimizer.history import History


def hills(x: np.ndarray) -> float:
    return float(np.sin(3.0 * x[0]) + 0.2 * (x[1] - 4.0) ** 2 + 0.1 * x[0])


@pytest.fixture(scope="module")
def run() -> History:
    noise = np.random.default_rng(3)
    return optimize(
        lambda x: hills(x) + 0.05 * noise.normal(),
        [(-1.0, 2.0), (2.0, 7.0)],
        budget=16,
        key=jax.random.key(1),
        maximize=False,
        policy="ei",
        transform=False,
    )


def matern52(x: np.ndarray, z: np.ndarray, lengthscale: np.ndarray) -> np.ndarray:
    r = np.sqrt(5.0 * np.sum(((x[:, None] - z[None]) / lengthscale) ** 2, axis=2))
    return (1.0 + r + r**2 / 3.0) * np.exp(-r)


def test_each_is_predicted_from_the_others(run: History) -> None:
    found, theta = run.diagnostics(), run.state
    unit = (run.x - run.bounds[:, 0]) / (run.bounds[:, 1] - run.bounds[:, 0])
    lengthscale, variance, noise = (
        np.asarray(part) for part in (theta.lengthscale, theta.variance, theta.noise_variance)
    )
    offset, scale = run.y.mean(), run.y.std()
    z = (run.y - offset) / scale
    for i in range(len(run)):
        rest = np.arange(len(run)) != i
        gram = variance * matern52(unit[rest], unit[rest], lengthscale) + noise * np.eye(len(run) - 1)
        cross = variance * matern52(unit[i : i + 1], unit[rest], lengthscale)[0]
        mean = cross @ np.linalg.solve(gram, z[rest])
        deviation = np.sqrt(variance + noise - cross @ np.linalg.solve(gram, cross))
        assert found.predicted[i] == pytest.approx(offset + scale * mean, abs=1e-5)
        assert found.high[i] - found.low[i] == pytest.approx(2 * 1.96 * scale * deviation, rel=1e-4)
        assert found.residuals[i] == pytest.approx(-(z[i] - mean) / deviation, rel=1e-3, abs=1e-4)  # larger is better
    assert found.noise == pytest.approx(scale * np.sqrt(noise), rel=1e-6)
    assert found.held == np.sum(np.abs(found.residuals) < 1.96)


def test_words_and_the_order_of_parameters(run: History) -> None:
    found = run.diagnostics()
    assert list(found.lengthscales) == ["x0", "x1"]
    text = str(found)
    assert f"95 % intervals hold {found.held} of 16" in text
    first = min(found.lengthscales, key=lambda name: found.lengthscales[name])
    lines = [line for line in text.splitlines() if "lengthscale" in line]
    assert lines[0].startswith(first)
    assert len(lines) == 2


def test_a_wrong_value_is_named(run: History) -> None:
    """An evaluation that contradicts its neighbours by far more than the noise."""
    y = run.y.copy()
    y[5] += 20.0
    spoiled = History(run.x, y, run.bounds, state=run.state, policy=run.policy, maximize=False)
    found = spoiled.diagnostics()
    assert np.argmax(np.abs(found.residuals)) == 5
    assert "surprising" in str(found)
    assert "5" in str(found).split("surprising: evaluations ")[1].split("\n")[0].split(", ")


def test_an_irrelevant_parameter_hardly_matters() -> None:
    space = {"rate": Real(1e-3, 1.0, log=True), "kind": Categorical(("a", "b")), "idle": Real(0.0, 1.0)}
    history = optimize(
        lambda p: float(np.cos(np.log(p["rate"])) + (p["kind"] == "b")), space, budget=24, key=0, noise="exact"
    )
    found = history.diagnostics()
    assert list(found.lengthscales) == ["rate", "kind", "idle"]
    assert found.lengthscales["idle"] > 3.0 > found.lengthscales["rate"]
    assert "idle: lengthscale" in str(found)
    assert "hardly matters" in str(found).split("idle: lengthscale")[1]


def test_values_drawn_in_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a transformation, predictions are in the unit of the values, and each lies inside its interval."""
    history = optimize(
        lambda x: float(np.sum(x**2) + np.sum(x) ** 4), [(-5.0, 8.0)] * 2, budget=16, key=0, maximize=False
    )
    assert history.scale is not None
    found = history.diagnostics()
    assert found.transformed
    assert "drawn in" in str(found)
    assert np.all((found.low <= found.predicted) & (found.predicted <= found.high))
    inside = (found.low <= found.observed) & (found.observed <= found.high)
    assert np.array_equal(inside, np.abs(found.residuals) <= 1.96)
    assert history.plot("diagnostics").axes[0].get_xscale() == "symlog"


def test_the_picture(run: History) -> None:
    """Every evaluation is a point of the left half, and every parameter one of the right, at its lengthscale."""
    found = run.diagnostics()
    left, right = run.plot("diagnostics").axes
    drawn = [line.get_xydata() for line in left.lines if line.get_linestyle() == "None"]
    points = np.concatenate(drawn)
    expected = np.stack([found.predicted, found.observed], axis=1)
    np.testing.assert_allclose(points[np.lexsort(points.T)], expected[np.lexsort(expected.T)])
    assert sorted(right.lines[0].get_xdata()) == sorted(found.lengthscales.values())
    assert right.get_xscale() == "log"


def test_what_has_no_diagnostics(run: History) -> None:
    with pytest.raises(ValueError, match="three successful"):
        History(run.x[:2], run.y[:2], run.bounds).diagnostics()
