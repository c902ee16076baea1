"""`experiments.engine.compare`: equal results compare equal whoever made them; every kind of difference is named."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine.compare import differences
from experiments.engine.result_file import encode


def put(root: Path, arrays: dict[str, Any], code: str = "a", problem: str = "p") -> None:
    folder = root / "toy.study" / "smoke"
    folder.mkdir(parents=True, exist_ok=True)
    content = encode({"problem": problem}, {name: np.asarray(value) for name, value in arrays.items()}, {"code": code})
    (folder / f"{problem}-{code}.npz").write_bytes(content)


def claim(root: Path, **entry: Any) -> None:
    folder = root / "claims" / "smoke"
    folder.mkdir(parents=True, exist_ok=True)
    whole = {"verdict": "supported", "summary": "fine", "numbers": {"n": 1}, "seconds": 2.0, **entry}
    (folder / "toy.claim.json").write_text(json.dumps(whole))


def compare(tmp_path: Path) -> list[str]:
    return list(differences(tmp_path / "before", tmp_path / "after", "smoke"))


def test_equal_results_of_other_code_and_other_times(tmp_path: Path) -> None:
    put(tmp_path / "before", {"x": [1.0, np.nan], "cpu_seconds": 1.0}, "a")
    put(tmp_path / "after", {"x": [1.0, np.nan], "cpu_seconds": 9.0}, "b")
    claim(tmp_path / "before")
    claim(tmp_path / "after", seconds=7.0)
    assert compare(tmp_path) == []


def test_every_difference_is_named(tmp_path: Path) -> None:
    put(tmp_path / "before", {"x": [1.0, 2.0], "gone": 1, "shape": [1], "same": 5}, "a")
    put(tmp_path / "after", {"x": [1.0, np.nextafter(2.0, 3.0)], "new": 1, "shape": [1, 2], "same": 5}, "b")
    put(tmp_path / "before", {"x": 1.0}, "a", "lost")
    claim(tmp_path / "before")
    claim(tmp_path / "after", verdict="refuted")
    text = "\n".join(compare(tmp_path))
    for part in (
        "x differs in 1 of 2",
        "gone is there only before",
        "new is there only afterwards",
        "shape was int64(1,)",
    ):
        assert part in text
    assert "lost-a.npz: not there afterwards" in text
    assert "toy.claim: verdict was supported, is refuted" in text
    assert "same" not in text


def test_evidence_that_is_gone(tmp_path: Path) -> None:
    claim(tmp_path / "before")
    assert compare(tmp_path) == ["toy.claim: no evidence afterwards"]
