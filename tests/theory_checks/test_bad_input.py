"""Hostile names, files and evidence; `tests/test_bad_input.py` has the cases that need no ledger."""

import json
from pathlib import Path

import pytest

from cli.theory import main
from experiments.engine import evidence
from theory_checks import cache, counterexamples

CALLS = [
    ("show nonsense", "unknown claim 'nonsense'"),
    ("replay boke", "'boke' stands for 2 claims; name one: boke.cube, boke.square"),
    ("replay boke.cube --file circle", "Too many levels of symbolic links"),
    ("replay boke.cube --file empty", "empty: Is a directory"),
]


@pytest.mark.parametrize(("call", "message"), CALLS)
def test_refused_in_words(
    toy_ledger,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    call: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    assert main(call.split()) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert message in said
    assert "[Errno" not in said


@pytest.mark.parametrize("content", ["{", "[]", '{"id": "boke.cube"}', "whole"])
def test_evidence_that_is_not_one_is_computed_again(toy_ledger, tmp_path: Path, content: str) -> None:
    """Evidence whose verdict is no verdict counts as damaged, even where every field is there."""
    fields = {**dict.fromkeys(cache._FIELDS, ""), "id": "boke.cube", "scale": "smoke", "verdict": "perhaps"}
    path = evidence.path_of("boke.cube", "smoke", tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(fields) if content == "whole" else content)
    with pytest.raises(ValueError, match="not a"):
        cache.read("boke.cube", "smoke", tmp_path)


@pytest.mark.parametrize("stored", [{"x": []}, {"x": "a", "power": 3}, {"x": 0, "power": -1}, {"x": 1}])
def test_counterexamples_of_another_kind(toy_ledger, stored: dict) -> None:
    claim = toy_ledger["boke.cube"]
    with pytest.raises(ValueError, match=r"x\.json is not a counterexample of boke\.cube"):
        counterexamples.replay(claim, Path("x.json"), stored)
