"""Programs are lowered for a GPU without a GPU at hand, and the script ends well with the CPU in the GPU's place."""

import json
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.__main__ import main as benchmarks
from benchmarks.document import OLDER
from benchmarks.gpu import __main__ as command
from benchmarks.gpu import lower, measure, programs
from benchmarks.gpu.agreement import compare
from benchmarks.gpu.lower import Lowered
from benchmarks.gpu.page import section
from core.policies import FINITE_SET, REGISTRY
from tests.benchmarks.runs import as_run


@pytest.fixture(autouse=True)
def _caches_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps compiled programs, because the programs lowered here belong to this module alone."""
    monkeypatch.setattr(lower.jax, "clear_caches", lambda: None)


def test_a_formula_is_lowered_for_cuda() -> None:
    formula = next(programs.formulas())
    found = lower.lower(formula)
    assert found.problem == ""
    assert found.lines > 10


def test_a_factor_is_nvidias() -> None:
    """A factor that only LAPACK computes is reported as a problem."""
    matrix = jnp.eye(3)
    assert lower.lower(programs.Program("factor", "formula", jnp.linalg.cholesky, (matrix,))).calls == (
        "cusolver_potrf_ffi",
    )
    nonsymmetric = lower.lower(programs.Program("spectrum", "formula", jnp.linalg.eigvals, (matrix,)))
    assert nonsymmetric.problem


def test_a_program_that_leaves_the_device_is_noticed() -> None:
    def callback(x: jax.Array) -> jax.Array:
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    assert lower.lower(programs.Program("callback", "formula", callback, (jnp.ones(2),))).problem


def test_proposals_are_those_of_every_policy() -> None:
    for name in (*REGISTRY, *FINITE_SET):
        assert programs.policy_of(name, programs.SearchEffort.of(programs.DIM, 4, starts=1, max_steps=1)).dim


def test_a_difference_beyond_the_tolerance_is_one() -> None:
    cpu = {"formula|a|seconds": np.array([2.0, 1.0]), "formula|a|value|0": np.array([1.0, -np.inf, np.nan])}
    row = compare(cpu, {**cpu, "formula|a|value|0": np.array([1.0 + 1e-12, -np.inf, np.nan])})[0]
    assert row["agrees"]
    for other in (1.0 + 1e-6, np.inf, np.nan):
        assert not compare(cpu, {**cpu, "formula|a|value|0": np.array([other, -np.inf, np.nan])})[0]["agrees"]
    assert compare(cpu, {"device": np.array("x")})[0] == {"name": "formula|a", "missing": "out of time"}
    failed = {"formula|a|failed": np.array("XlaRuntimeError: no memory")}
    assert compare(cpu, failed)[0]["missing"] == "XlaRuntimeError: no memory"


def test_the_page_says_that_nothing_was_run() -> None:
    entry = Lowered("a", "formula", 3, ("cusolver_potrf_ffi",), "", 0.1)._asdict()
    bad = {**entry, "name": "b", "problem": "it calls lapack_x"}
    text = section({**as_run(), "lowered": [entry, bad], "rows": [], "device": ""})
    assert "none; nothing was run" in text
    assert "- formula b: it calls lapack_x" in text
    assert "1 problems" in text


def test_the_page_shows_agreement_speed_and_what_was_left_out() -> None:
    row = {"worst": 2e-6, "agrees": True, "cpu_seconds": [9.0, 8.0], "device_seconds": [90.0, 0.5]}
    formula = {**row, "name": "tau", "kind": "formula", "agrees": False}
    late = [{"name": f"proposal|{number}", "missing": "out of time"} for number in range(9)]
    failed = {"name": "study|s", "missing": "no memory"}
    rows = [{**row, "name": "boke, 30 seeds", "kind": "run"}, formula, *late, failed]
    result = {**as_run(), "lowered": [], "rows": rows, "device": "G", "older": True}
    text = section(result)
    assert "16 times as fast on the device (G)" in text
    assert "| run | boke, 30 seeds | 2.0e-06 | yes | 8.00 s | 500 ms | 16.0 | 90.00 s |" in text
    assert "0 of 1 formulas agree" in text
    assert "- formula tau: differs by 2.0e-06" in text
    assert "9 proposals" in text
    assert "- study s: no memory" in text
    assert OLDER in text
    assert "The versions of jax lie beyond the limits of `pyproject.toml`." in text
    older = {**result["provenance"], "versions": {"jax": "0.9.2", "numpy": "1.9"}}
    assert "beyond the limits" not in section({**result, "provenance": older})


def test_without_a_gpu_the_script_refuses(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "_device", lambda: "")
    for arguments in (["gpu"], ["--only", "gpu"]):
        assert benchmarks(arguments) == 2
        assert "finds no GPU" in capsys.readouterr().err


def test_the_script_ends_with_the_cpu_in_the_place_of_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The test runs both platforms in one process, to be quick."""
    monkeypatch.setattr(command, "LOCAL", tmp_path / "gpu.json")
    monkeypatch.setattr(measure, "set_environment", lambda platform: None)
    here = SimpleNamespace(run=lambda run, **more: measure.main(run[3:]), TimeoutExpired=TimeoutError)
    monkeypatch.setattr(command, "subprocess", here)
    assert command.main(["--dry"]) == 0
    assert "on the device (none: the CPU stood in)" in capsys.readouterr().out
    result = json.loads(command.LOCAL.read_text())
    assert all(row["agrees"] for row in result["rows"])
    assert {row["kind"] for row in result["rows"]} == {"formula", "proposal", "run"}
