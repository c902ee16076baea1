import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from experiments.engine.result_file import UNREADABLE, encode, load, load_metadata
from experiments.engine.store import LOCAL, ROOT, Store, StoreError, local_of
from experiments.engine.study import Cell
from tests.experiments.engine.toy import Toy

ARRAYS = {"regret": np.linspace(1.0, 0.0, 50).reshape(5, 10), "count": np.arange(3), "empty": np.zeros((0, 2))}
METADATA = {"wall_seconds": 1.5, "machine": {"processor": "abacus", "cores": 2}}


@pytest.fixture
def cell(toy: Toy) -> Cell:
    return toy.studies["toy.count"].cells("quick")[1]


def test_what_is_written_is_read(toy: Toy, cell: Cell):
    assert toy.store.read(cell) is None
    path = toy.store.write(cell, ARRAYS, METADATA)
    result = toy.store.read(cell)
    assert result is not None
    assert result.config == cell.config()
    assert result.metadata["wall_seconds"] == 1.5
    assert result.metadata["code"] == toy.store.code(cell)
    assert set(result.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(result.arrays[name], array)
        assert result.arrays[name].dtype == array.dtype
    assert path.parent == toy.store.root / "toy.count" / "quick"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]  # nothing temporary is left
    with np.load(path) as readable_by_numpy:
        np.testing.assert_array_equal(readable_by_numpy["regret"], ARRAYS["regret"])


def test_equal_results_are_equal_bytes(cell: Cell):
    backwards = {name: np.asfortranarray(ARRAYS[name]) for name in reversed(ARRAYS)}
    assert encode(cell.config(), ARRAYS, METADATA) == encode(cell.config(), backwards, dict(reversed(METADATA.items())))


def test_configurations_have_names_of_their_own(toy: Toy):
    base = Cell("line", "p", (0, 1, 2), {"b": 1, "a": [1, 2]}, study="toy.count", scale="quick")
    others = [
        Cell("line", "p", (0, 1, 2), base.options, study="toy.slow", scale="quick"),
        Cell("lines", "p", (0, 1, 2), base.options, study="toy.count", scale="quick"),
        Cell("line", "q", (0, 1, 2), base.options, study="toy.count", scale="quick"),
        Cell("line", "p", (0, 2), base.options, study="toy.count", scale="quick"),
        Cell("line", "p", (0, 1, 2), base.options, study="toy.count", scale="paper"),
        Cell("line", "p", (0, 1, 2), {"b": 2, "a": [1, 2]}, study="toy.count", scale="quick"),
    ]
    paths = {toy.store.path(cell) for cell in (base, *others)}
    assert len(paths) == 7
    reordered = Cell("line", "p", (0, 1, 2), {"a": (1, 2), "b": 1}, study="toy.count", scale="quick")
    assert toy.store.path(reordered) == toy.store.path(base)
    assert hash(reordered) == hash(base)


def test_a_strange_name_stays_inside_the_folder(toy: Toy):
    cell = Cell("../x y", "p/q", (), study="toy.count", scale="quick")
    assert toy.store.path(cell).parent == toy.store.root / "toy.count" / "quick"


def test_another_code_version_is_another_file(toy: Toy, cell: Cell):
    toy.store.write(cell, ARRAYS, METADATA)
    source = toy.source / "count.py"
    source.write_text(source.read_text().replace("seed**2.0", "seed**3.0"))
    assert toy.store.read(cell) is None  # but the old one is still there:
    assert toy.store.seconds(cell) == 1.5
    assert len(list(toy.store.folder("toy.count", "quick").iterdir())) == 1


def _truncated(path: Path) -> bytes:
    return path.read_bytes()[:-40]


def _beginning(path: Path) -> bytes:
    return path.read_bytes()[:100]


def _empty(path: Path) -> bytes:
    return b""


def _flipped(path: Path) -> bytes:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    return bytes(content)


def _text(path: Path) -> bytes:
    return b"not a zip file\n" * 100


def _foreign(path: Path) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, regret=np.zeros(3))
    return buffer.getvalue()


def _zip_with_other_json(path: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("metadata.json", "[1, 2]")
    return buffer.getvalue()


def _of_another_cell(path: Path) -> bytes:
    other = Cell("another", "p", (9,), study="toy.count", scale="quick")
    return encode(other.config(), ARRAYS, METADATA)


def _of_other_code(path: Path) -> bytes:
    result = load(path)
    return encode(result.config, result.arrays, {**result.metadata, "code": "0123456789"})


DAMAGES = [
    _truncated,
    _beginning,
    _empty,
    _flipped,
    _text,
    _foreign,
    _zip_with_other_json,
    _of_another_cell,
    _of_other_code,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_cannot_be_trusted_is_reported_and_kept_aside(toy: Toy, cell: Cell, damage):
    messages: list[str] = []
    store = Store(toy.store.root, studies=toy.studies, report=messages.append)
    path = store.write(cell, ARRAYS, METADATA)
    for number in (1, 2):
        content = damage(path)
        path.write_bytes(content)
        assert store.read(cell) is None
        assert len(messages) == number
        assert f"{path.name}.corrupt-{number}" in messages[-1]
        assert path.with_name(f"{path.name}.corrupt-{number}").read_bytes() == content  # nothing is lost
        assert not path.exists()
        store.write(cell, ARRAYS, METADATA)
    assert store.read(cell) is not None
    assert len(messages) == 2


def test_what_another_run_moves_aside_at_the_same_moment(toy: Toy, cell: Cell, monkeypatch: pytest.MonkeyPatch):
    messages: list[str] = []
    store = Store(toy.store.root, studies=toy.studies, report=messages.append)
    path = store.write(cell, ARRAYS, METADATA)

    def unreadable(path: Path) -> None:
        path.unlink()
        raise ValueError("it is damaged")

    monkeypatch.setattr("experiments.engine.store.load", unreadable)
    assert store.read(cell) is None
    assert messages == [f"{path}: not a usable result (it is damaged); now gone"]


def test_a_link_that_leads_nowhere_is_no_result(toy: Toy, cell: Cell):
    path = toy.store.path(cell)
    path.parent.mkdir(parents=True)
    path.symlink_to(path.name)
    assert toy.store.read(cell) is None
    assert toy.store.seconds(cell) is None
    toy.store.write(cell, ARRAYS, METADATA)
    assert toy.store.read(cell) is not None


def test_results_for_the_figures(toy: Toy, cell: Cell):
    messages: list[str] = []
    store = Store(toy.store.root, studies=toy.studies, report=messages.append)
    cells = toy.studies["toy.count"].cells("quick")
    assert store.results("toy.count", "quick") == []
    for each in reversed(cells[:3]):
        store.write(each, ARRAYS, METADATA)
    assert [result.config for result in store.results(toy.studies["toy.count"], "quick")] == [
        each.config() for each in cells[:3]
    ]
    assert store.missing("toy.count", "quick") == cells[3:]
    store.path(cell).write_bytes(b"")
    assert len(store.results("toy.count", "quick")) == 2
    assert len(messages) == 1
    assert "passed over" in messages[0]
    assert store.path(cell).exists()  # drawing moves nothing


def test_the_reference_accepts_other_code_versions(toy: Toy, cell: Cell):
    toy.store.write(cell, ARRAYS, METADATA)
    source = toy.source / "count.py"
    source.write_text(source.read_text().replace("seed**2.0", "seed**3.0"))
    assert toy.store.results("toy.count", "quick") == []
    reference = Store(toy.store.root, studies=toy.studies, any_code=True)
    assert [result.config for result in reference.results("toy.count", "quick")] == [cell.config()]


def test_a_folder_that_cannot_be_written(toy: Toy, cell: Cell):
    (toy.folder / "file").write_text("in the way")
    store = Store(toy.folder / "file" / "results", studies=toy.studies)
    with pytest.raises(StoreError, match="cannot write results into .*file/results"):
        store.check_writable()
    with pytest.raises(StoreError, match="cannot write results into"):
        store.write(cell, ARRAYS, METADATA)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(toy: Toy):
    toy.store.root.mkdir()
    toy.store.root.chmod(0o500)
    with pytest.raises(StoreError, match="Permission denied"):
        toy.store.check_writable()


def test_a_full_disk(toy: Toy, cell: Cell, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        toy.store.write(cell, ARRAYS, METADATA)
    assert list(toy.store.folder("toy.count", "quick").iterdir()) == []


def test_what_json_cannot_hold_is_refused(cell: Cell):
    with pytest.raises(ValueError, match="JSON"):
        encode(cell.config(), {}, {"value": float("nan")})
    with pytest.raises(ValueError, match=r"[Oo]bject"):
        encode(cell.config(), {"array": np.array([None])}, {})
    with pytest.raises(ValueError, match="JSON"):
        Cell("", "", (), {"value": float("inf")}, study="toy.count", scale="quick").config()


def test_metadata_alone(toy: Toy, cell: Cell):
    path = toy.store.write(cell, ARRAYS, METADATA)
    assert load_metadata(path)["config"] == cell.config()
    assert load(path).metadata["machine"] == METADATA["machine"]
    path.write_bytes(b"PK")
    with pytest.raises(UNREADABLE):
        load_metadata(path)
    assert toy.store.seconds(cell) is None


def test_seconds_are_those_of_an_idle_machine(toy: Toy, cell: Cell):
    """Other work stretches the wall time on a CPU, not the processor's; on a GPU the processor mostly waits."""
    assert toy.store.seconds(cell) is None
    for metadata, expected in (
        ({"wall_seconds": 5.0}, 5.0),
        ({"wall_seconds": 5.0, "cpu_seconds": 2.0, "platform": "cpu"}, 2.0),
        ({"wall_seconds": 5.0, "cpu_seconds": 7.0, "platform": "cpu"}, 5.0),
        ({"wall_seconds": 5.0, "cpu_seconds": 2.0, "platform": "gpu"}, 5.0),
    ):
        toy.store.write(cell, {}, metadata)
        assert toy.store.seconds(cell) == expected


def test_local_results_of_this_checkout_are_where_the_variable_says(tmp_path: Path):
    assert str(LOCAL) == os.environ["KERNELBO_RESULTS"]
    assert (local_of(ROOT), local_of(tmp_path)) == (LOCAL, tmp_path / "local")
