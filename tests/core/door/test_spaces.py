"""Spaces: points to the cube and back, the map T in JAX and without, bad input."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Categorical, Integer, Real, Space

SPACE = Space(
    {
        "rate": Real(1e-4, 1.0, log=True),
        "layers": Integer(-2, 3),
        "kernel": Categorical(["rbf", "poly", None, 3]),
        "width": Integer(1, 1000, log=True),
        "shift": (-5.0, 10.0),
    }
)
CUBE = st.lists(st.floats(0.0, 1.0), min_size=SPACE.dim, max_size=SPACE.dim).map(np.array)


@given(CUBE)
@settings(max_examples=60)
def test_every_point_of_the_cube_is_one_that_can_be_evaluated(unit: np.ndarray) -> None:
    point = SPACE.decode(unit)
    assert 1e-4 <= point["rate"] <= 1.0
    assert point["layers"] in range(-2, 4)
    assert type(point["layers"]) is int
    assert point["kernel"] in ("rbf", "poly", None, 3)
    assert 1 <= point["width"] <= 1000
    assert -5.0 <= point["shift"] <= 10.0
    snapped = SPACE.snapped(unit)
    assert SPACE.decode(snapped) == point  # it stays the same point
    np.testing.assert_array_equal(SPACE.snapped(snapped), snapped)
    np.testing.assert_allclose(SPACE.encode(point), snapped, atol=1e-12)
    back = SPACE.decode(SPACE.encode(point))
    assert {name: back[name] for name in ("layers", "kernel", "width")} == {
        name: point[name] for name in ("layers", "kernel", "width")
    }


def test_the_map_of_the_model_is_the_map_of_the_evaluations() -> None:
    rng = np.random.default_rng(3)
    for unit in rng.uniform(size=(40, SPACE.dim)):
        np.testing.assert_allclose(SPACE.snap(jnp.asarray(unit)), SPACE.snapped(unit), atol=1e-12)


def test_values_of_integers_have_cells_of_equal_width() -> None:
    third = Space({"n": Integer(7, 9)})
    grid = [third.decode(np.array([u]))["n"] for u in np.linspace(0.01, 0.99, 99)]
    assert [grid.count(n) for n in (7, 8, 9)] == [33, 33, 33]
    np.testing.assert_allclose(third.encode({"n": 8}), 0.5)


def test_it_can_be_described_in_json_and_compared() -> None:
    again = Space.of(SPACE.described())
    assert again == SPACE
    assert hash(again) == hash(SPACE)
    assert Space({"shift": (-5.0, 10.0), "rate": Real(1e-4, 1.0, log=True)}) != Space(
        {"rate": Real(1e-4, 1.0, log=True), "shift": (-5.0, 10.0)}
    )
    assert SPACE.names == ("rate", "layers", "kernel", "width", "shift")
    assert SPACE.dim == 8


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Real(1.0, 1.0), "must have low < high"),
        (lambda: Real(0.0, 1.0, log=True), "must have low > 0"),
        (lambda: Real(0.0, np.inf), "two finite numbers"),
        (lambda: Real(-1.7e308, 1.7e308), "wider than a double"),
        (lambda: Integer(1.5, 3), "must be integers"),
        (lambda: Integer(3, 3), "must have low < high"),
        (lambda: Integer(0, 3, log=True), "must have low > 0"),
        (lambda: Categorical(["one"]), "at least two choices"),
        (lambda: Categorical("ab"), "a sequence of values"),
        (lambda: Categorical([1, 1.0]), "must differ"),
        (lambda: Categorical([(1,), (2,)]), "strings, numbers"),
        (lambda: Space({}), "needs named parameters"),
        (lambda: Space({3: Real(0, 1)}), "named by strings"),
        (lambda: Space({"a": 3}), "a: expected Real, Integer, Categorical or a pair"),
        (lambda: Space({"a": (1.0, 0.0)}), "must have low < high"),
        (lambda: SPACE.encode({"rate": 0.1}), "a point names"),
        (lambda: SPACE.encode([0.1]), "a point of this space is a dictionary"),
        (lambda: SPACE.encode(_point(rate=2.0)), "rate: 2.0 does not lie in"),
        (lambda: SPACE.encode(_point(layers=1.5)), "layers: 1.5 is no integer of"),
        (lambda: SPACE.encode(_point(kernel="sigmoid")), "kernel: 'sigmoid' is not among"),
    ],
)
def test_mistakes(made: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made()


def _point(**changed: Any) -> dict[str, Any]:
    return {"rate": 0.1, "layers": 0, "kernel": None, "width": 10, "shift": 0.0} | changed
