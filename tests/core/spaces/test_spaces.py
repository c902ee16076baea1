"""Spaces: points to the cube and back, the map T in JAX and in numpy, bad input."""

import json
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
        "batch": Categorical((16, 32, 64), ordered=True),
        "size": Integer(-4, 20, step=8),
        "layout": Categorical([(100,), (50, 50)]),
        "fixed": Real(0.25, 0.25),
        "seed": Integer(7, 7),
        "mode": Categorical(["only"]),
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
    assert point["batch"] in (16, 32, 64)
    assert point["size"] in (-4, 4, 12, 20)
    assert point["layout"] in ((100,), (50, 50))
    assert (point["fixed"], point["seed"], point["mode"]) == (0.25, 7, "only")
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
    assert SPACE.names[:5] == ("rate", "layers", "kernel", "width", "shift")
    assert (SPACE.dim, SPACE.varying) == (12, 8)
    assert Space.of(json.loads(json.dumps(SPACE.described()))) == SPACE
    plain = Space({"n": Integer(1, 4), "k": Categorical(["a", "b"])})  # as in files of earlier versions
    assert plain.described()[0] == ["n", "integer", {"low": 1, "high": 4, "log": False}]
    assert plain.described()[1] == ["k", "categorical", {"choices": ["a", "b"]}]


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Real(1.0, 0.9), "must have low <= high"),
        (lambda: Real(0.0, 1.0, log=True), "must have low > 0"),
        (lambda: Real(0.0, np.inf), "two finite numbers"),
        (lambda: Real(-1.7e308, 1.7e308), "wider than a double"),
        (lambda: Integer(1.5, 3), "must be integers"),
        (lambda: Integer(3, 2), "must have low <= high"),
        (lambda: Integer(0, 2**52), r"must be below 2\^52"),
        (lambda: Integer(1, 2**44, log=True), r"must be below 2\^44"),
        (lambda: Integer(0, 3, log=True), "must have low > 0"),
        (lambda: Categorical([]), "needs a choice"),
        (lambda: Categorical("ab"), "a sequence of values"),
        (lambda: Categorical([1, 1.0]), "must differ"),
        (lambda: Categorical([{1}, {2}]), "strings, numbers"),
        (lambda: Categorical([float("nan"), 1.0]), "strings, numbers"),
        (lambda: Categorical([1, 2], ordered=1), "ordered must be True or False"),
        (lambda: Integer(0, 10, step=3), "must lead from low to high"),
        (lambda: Integer(0, 10, step=0), "a step of at least 1"),
        (lambda: Integer(1, 9, log=True, step=2), "cannot have steps"),
        (lambda: Real(1e300, float(np.nextafter(1e300, np.inf)), log=True), "have one logarithm"),
        (lambda: Space({"a": Real(1.0, 1.0)}), "nothing to choose"),
        (lambda: Space({"a": Categorical([1, 2])}).encode({"a": True}), "a: True is not among"),
        (lambda: Space({}), "needs named parameters"),
        (lambda: Space({3: Real(0, 1)}), "named by strings"),
        (lambda: Space({"a": 3}), "a: expected Real, Integer, Categorical or a pair"),
        (lambda: Space({"a": (1.0, 0.0)}), "must have low <= high"),
        (lambda: SPACE.encode({"rate": 0.1}), "a point names"),
        (lambda: SPACE.encode([0.1]), "a point of this space is a dictionary"),
        (lambda: SPACE.encode(_point(rate=2.0)), "rate: 2.0 does not lie in"),
        (lambda: SPACE.encode(_point(layers=1.5)), "layers: 1.5 is no integer of"),
        (lambda: SPACE.encode(_point(layers=10**400)), "layers: 10{400} is no integer of"),
        (lambda: SPACE.encode(_point(shift=10**400)), "shift: 10{400} does not lie in"),
        (lambda: SPACE.encode(_point(kernel="sigmoid")), "kernel: 'sigmoid' is not among"),
    ],
)
def test_mistakes(made: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made()


def _point(**changed: Any) -> dict[str, Any]:
    point = {"rate": 0.1, "layers": 0, "kernel": None, "width": 10, "shift": 0.0, "batch": 32, "size": 4}
    return point | {"layout": (100,), "fixed": 0.25, "seed": 7, "mode": "only"} | changed


@pytest.mark.usefixtures("unchecked")
def test_numpys_numbers_are_pythons() -> None:
    space = Space(
        {"n": Categorical(np.arange(3)), "k": Categorical(list(np.array(["a", "b"]))), "m": Integer(np.int64(2), 5)}
    )
    point = space.decode(np.full(space.dim, 0.9))
    assert [type(value) for value in point.values()] == [int, str, int]
    np.testing.assert_array_equal(space.encode({"n": np.int64(1), "k": np.str_("b"), "m": np.int32(3)})[:3], [0, 1, 0])
    assert space.size == 3 * 2 * 4


def test_steps_and_ordered_choices_have_cells_of_equal_width() -> None:
    space = Space({"n": Integer(0, 20, step=10), "k": Categorical((16, 32, 64), ordered=True)})
    points = [space.decode(np.array([u, u])) for u in np.linspace(0.01, 0.99, 99)]
    assert [[p["n"] for p in points].count(n) for n in (0, 10, 20)] == [33, 33, 33]
    assert [[p["k"] for p in points].count(k) for k in (16, 32, 64)] == [33, 33, 33]
    np.testing.assert_allclose(space.encode({"n": 10, "k": 64}), [0.5, 5 / 6])


@pytest.mark.parametrize("largest", [Integer(1, 2**44 - 1, log=True), Integer(2**30, 2**44 - 2, log=True)])
def test_large_integers_come_back_from_their_coordinates(largest: Integer) -> None:
    rng = np.random.default_rng(0)
    for value in [largest.high, *rng.integers(largest.high // 2, largest.high, 500).tolist()]:
        assert largest.decode(largest.encode(value)) == value
