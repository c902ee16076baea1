"""`save` and `load` continue a run exactly; `load` refuses files that are damaged, foreign or of another version."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import Categorical, Integer, Optimizer, Space
from core.optimizer.checkpoint import FORMAT
from core.policies import make
from tests.core.optimizer.hills import BOX, KEY, hill, policy


def begun(name: str, **options: Any) -> Optimizer:
    """Seven told out of order, one of them failed, two pending."""
    optimizer = Optimizer(BOX, policy=policy(name), key=KEY, **options)
    points = optimizer.ask(5)
    for number in (3, 0, 4, 1, 2):
        if number == 4:
            optimizer.tell(points[number], failure="the oven was cold: \u2603")
        else:
            optimizer.tell(points[number], hill(points[number]))
    for _ in range(2):
        x = optimizer.ask()[0]
        optimizer.tell(x, hill(x))
    optimizer.ask(1 if name == "uhe_bo" else 2)
    return optimizer


@pytest.mark.parametrize("name", ["gp_ucb_refit", "boke", "uhe_bo"])
def test_it_goes_on_exactly(name: str, tmp_path: Path) -> None:
    optimizer = begun(name, failures="worst", maximize=name != "boke")
    path = tmp_path / "run"
    optimizer.save(path)
    loaded = Optimizer.load(path, policy=policy(name))
    np.testing.assert_array_equal(loaded.pending, optimizer.pending)
    assert loaded.history.failures == optimizer.history.failures
    assert loaded.history.maximize == optimizer.history.maximize
    for _ in range(3):
        for run in (optimizer, loaded):
            x = run.pending[0]
            run.tell(x, hill(x))
            run.ask()
        np.testing.assert_array_equal(loaded.pending, optimizer.pending)
    np.testing.assert_array_equal(loaded.history.x, optimizer.history.x)
    np.testing.assert_array_equal(loaded.history.y, optimizer.history.y)
    np.testing.assert_array_equal(loaded.recommended, optimizer.recommended)
    assert [entry.name for entry in tmp_path.iterdir()] == ["run"]  # nothing else is left beside it


def test_contexts_noise_spaces_and_nothing_at_all(tmp_path: Path) -> None:
    path = tmp_path / "run"
    seen = Optimizer(BOX, policy="random_search", key=KEY, context_bounds=[(0.0, 300.0)])
    seen.save(path)
    assert len(Optimizer.load(path).history) == 0
    x = seen.ask(2)[0]
    seen.tell(x, hill(x), noise_variance=0.1, context=120.0)
    seen.save(path)
    again = Optimizer.load(path)
    np.testing.assert_array_equal(again.history.context, [[120.0]])
    np.testing.assert_array_equal(again.history.noise_variance, [0.1])
    space = Space({"n": Integer(1, 4), "k": Categorical(["a", "b"])})
    named = Optimizer(space, policy="random_search", key=KEY, constraint=lambda p: p["n"] < 3)
    points = named.ask(3)
    named.tell(points[1], 1.0)
    named.save(path)
    with pytest.raises(ValueError, match="it had a constraint: give constraint="):
        Optimizer.load(path)
    again = Optimizer.load(path, constraint=lambda p: p["n"] < 3)
    assert again.settings.domain.space == space
    assert again.pending == named.pending
    assert again.history.points == [points[1]]


def test_points_to_evaluate_first_are_kept(tmp_path: Path) -> None:
    """A saved run asks for the user's own points after it is loaded, and is saved again as the same run."""
    path = tmp_path / "run"
    optimizer = Optimizer(BOX, policy="random_search", key=KEY, first=[[0.25, 101.0], [0.5, 101.3]])
    optimizer.tell(optimizer.ask()[0], 1.0)
    optimizer.save(path)
    again = Optimizer.load(path)
    np.testing.assert_allclose(again.ask()[0], [0.5, 101.3])
    assert again.settings.identity() == optimizer.settings.identity()
    again.save(path)
    assert Optimizer.load(path).settings.own == 2


def test_another_policy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    begun("boke").save(path)
    with pytest.raises(ValueError, match="its policy was an instance, Boke-.*: give policy="):
        Optimizer.load(path)
    with pytest.raises(ValueError, match="policy was Boke-.*, and is GpUcb-"):
        Optimizer.load(path, policy=policy("gp_ucb"))
    with pytest.raises(ValueError, match="policy was Boke-.*, and is Boke-"):
        Optimizer.load(path, policy=make("boke", 2))


def test_a_policy_by_name_transforms_also_where_an_instance_loads_it(tmp_path: Path) -> None:
    path = tmp_path / "run"
    saved = Optimizer(BOX, policy="gp_ucb_refit", key=KEY)
    saved.save(path)
    loaded = Optimizer.load(path, policy=make("gp_ucb_refit", 2))
    assert saved.settings.transforms
    assert loaded.settings.transforms
    assert loaded.settings.identity() == saved.settings.identity()
    Optimizer(BOX, policy=make("gp_ucb_refit", 2), key=KEY).save(path)
    assert not Optimizer.load(path, policy=make("gp_ucb_refit", 2)).settings.transforms


def test_truncated_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    optimizer = Optimizer(BOX, policy="random_search", key=KEY)
    optimizer.tell(optimizer.ask(3)[0], 1.0)
    optimizer.save(path)
    whole = path.read_bytes()
    for length in [*range(0, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="is not a saved run, or only a part of one"):
            Optimizer.load(path)
    wrong = bytearray(whole)
    wrong[whole.index(b"NUMPY") + 200] ^= 0xFF
    for foreign in (bytes(wrong), b"", b"PK\x03\x04", b"hello", json.dumps({"format": FORMAT}).encode()):
        path.write_bytes(foreign)
        with pytest.raises(ValueError, match="is not a saved run, or only a part of one"):
            Optimizer.load(path)
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(ValueError, match="is not a saved run"):
        Optimizer.load(tmp_path / "other.npz")
    np.savez(tmp_path / "pickled.npz", text=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="is not a saved run"):
        Optimizer.load(tmp_path / "pickled.npz")
    np.savez(tmp_path / "later.npz", text=np.asarray(json.dumps({"format": FORMAT, "version": 2})))
    with pytest.raises(
        ValueError, match="is kernelbo.optimizer of version 2; this library reads kernelbo.optimizer of version 1"
    ):
        Optimizer.load(tmp_path / "later.npz")
    np.savez(tmp_path / "less.npz", text=np.asarray(json.dumps({"format": FORMAT, "version": 1})))
    with pytest.raises(ValueError, match="cannot be resumed: 'identity'"):
        Optimizer.load(tmp_path / "less.npz")
    with pytest.raises(FileNotFoundError):
        Optimizer.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        optimizer.save(tmp_path / "nowhere" / "run")
