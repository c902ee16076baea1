"""The command `kernelbo` as a program in another language calls it: one process for each call."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core import Optimizer, Real, Space
from kernelbo.command_line import main

SPACE = """
[rate]
kind = "real"
low = 1e-4
high = 1.0
log = true

[layers]
kind = "integer"
low = 1
high = 6

[kernel]
kind = "categorical"
choices = ["rbf", "poly"]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path / "jax"))
    monkeypatch.setenv("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
    (tmp_path / "space.toml").write_text(SPACE)
    return ["--state", str(tmp_path / "run.kernelbo"), "--space", str(tmp_path / "space.toml")]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict]:
    assert main(arguments) == 0, capsys.readouterr().err
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def loss(point: dict) -> float:
    return (np.log10(point["rate"]) + 2.0) ** 2 + 0.1 * abs(point["layers"] - 3) + (point["kernel"] == "poly")


def test_a_run_by_calls_is_the_run_in_memory(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    """Point for point, beyond the design; `best` is that run's."""
    space = Space.of([["rate", "real", {"low": 1e-4, "high": 1.0, "log": True}],
                      ["layers", "integer", {"low": 1, "high": 6}],
                      ["kernel", "categorical", {"choices": ["rbf", "poly"]}]])  # fmt: skip
    beside = Optimizer(space, key=7, maximize=False)
    for _ in range(9):
        (point,) = call(capsys, "ask", *files, "--seed", "7", "--minimize")
        assert point == beside.ask()[0]
        beside.tell(point, loss(point))
        assert call(capsys, "tell", *files[:2], json.dumps(point), str(loss(point))) == []
    (best,) = call(capsys, "best", *files[:2])
    assert (best["best"], best["value"]) == (beside.history.best_x, beside.history.best_y)
    assert (best["recommended"], best["evaluations"], best["pending"]) == (beside.recommended, 9, 0)


def test_processes_at_the_same_time_wait_for_each_other(files: list[str]) -> None:
    """Four ask at once: four different points, all of them pending, none lost."""
    command = [sys.executable, "-m", "kernelbo.command_line", "ask", *files, "--seed", "3"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    points = [json.loads(process.communicate(timeout=300)[0]) for process in running]
    assert [process.returncode for process in running] == [0] * 4
    assert len({json.dumps(point) for point in points}) == 4
    told = subprocess.run(
        [sys.executable, "-m", "kernelbo.command_line", "tell", *files[:2], json.dumps(points[2]), "-0.25"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")
    run = Optimizer.load(files[1])
    assert sorted(map(json.dumps, run.pending)) == sorted(json.dumps(p) for p in points if p != points[2])
    assert run.history.y.tolist() == [-0.25]


def test_failures_and_rounded_points(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    first, second = call(capsys, "ask", *files, "-n", "2")
    call(capsys, "tell", *files[:2], json.dumps(first | {"rate": float(f"{first['rate']:.5g}")}), "1.5")
    call(capsys, "tell", *files[:2], json.dumps(second), "--failure", "it burnt")
    (best,) = call(capsys, "best", *files[:2])
    assert (best["evaluations"], best["failures"], best["pending"], best["value"]) == (2, 1, 0, 1.5)


def test_noise_and_policy_are_kept(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    call(capsys, "ask", *files, "--noise", "0.04", "--policy", "ei")
    run = Optimizer.load(files[1])
    assert (run.settings.noise, run.settings.policy_name) == (0.04, "ei")


def test_an_exact_run_is_asked_between_decisions_on_the_transformation(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    """Every call loads the file, here with nine evaluations, of which eight decided."""
    optimizer = Optimizer({"x": Real(0.0, 1.0), "y": Real(0.0, 1.0)}, key=0, noise="exact")
    for number in range(9):
        point = {"x": (3 * number % 10 + 0.5) / 10, "y": (7 * number % 10 + 0.5) / 10}
        optimizer.tell(point, -((point["x"] - 0.3) ** 2) - point["y"])
    optimizer.save(files[1])
    (best,) = call(capsys, "best", *files[:2])
    assert best["recommended"] == best["best"]
    assert len(call(capsys, "ask", *files[:2])) == 1


@pytest.mark.parametrize("value", ["-5.6e-05", "-3E+2", "-.5", "-7", "-0.25"])
def test_negative_values_are_no_options(capsys: pytest.CaptureFixture[str], files: list[str], value: str) -> None:
    (point,) = call(capsys, "ask", *files, "--policy", "random_search")
    call(capsys, "tell", *files[:2], json.dumps(point), value)
    assert Optimizer.load(files[1]).history.y.tolist() == [float(value)]


def test_other_options_than_the_run_began_with_are_refused(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    began = ["--seed", "7", "--noise", "0.04", "--policy", "random_search"]
    call(capsys, "ask", *files, *began)
    for other in (["--seed", "8"], ["--noise", "exact"], ["--policy", "ei"], ["--minimize"]):
        assert main(["ask", *files, *other]) == 2
        assert f"is a run that began with another {other[0]}" in capsys.readouterr().err
    for same in (began, ["--noise", "4e-2"], []):
        call(capsys, "ask", *files, *same)
    assert len(Optimizer.load(files[1]).pending) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tell", "{}", "1"], "a run begins with ask"),
        (["ask", "--noise", "much"], "--noise must be"),
        (["ask", "--policy", "corected_ei"], "unknown policy"),
        (["ask", "-n", "0"], "n must be"),
    ],
)
def test_bad_calls(capsys: pytest.CaptureFixture[str], files: list[str], arguments: list[str], words: str) -> None:
    assert main([arguments[0], *files, *arguments[1:]]) == 2
    assert words in capsys.readouterr().err
    assert not Path(files[1]).exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rate = 3", "rate must be a table with kind"),
        ('[rate]\nkind = "float"', "rate must be a table with kind"),
        ('[rate]\nkind = "real"\nlow = 0.0', "high"),
        ('[rate]\nkind = "real"\nlow = 0.0\nhigh = 1.0\nstep = 2', "step"),
        ("[rate", "is not TOML"),
        ("", "a space needs named parameters"),
    ],
)
def test_bad_spaces(capsys: pytest.CaptureFixture[str], files: list[str], text: str, words: str) -> None:
    Path(files[3]).write_text(text)
    assert main(["ask", *files]) == 2
    assert words in capsys.readouterr().err


def test_a_missing_field_is_said_in_words(files: list[str]) -> None:
    """By a process of its own, as the tests' own process checks every signature and has other words."""
    Path(files[3]).write_text('[rate]\nkind = "real"\nlow = 0.0')
    command = [sys.executable, "-m", "kernelbo.command_line", "ask", *files]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "space.toml: Real missing 1 required positional argument: 'high'" in refused.stderr


def test_refusals_leave_the_run_as_it_is(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    (point,) = call(capsys, "ask", *files)
    before = Path(files[1]).read_bytes()
    for arguments in (
        ["tell", *files[:2], "not json", "1"],
        ["tell", *files[:2], json.dumps(point), "nan"],
        ["tell", *files[:2], json.dumps(point)],
        ["tell", *files[:2], json.dumps(point), "1", "--failure", "both"],
        ["tell", *files[:2], json.dumps(point | {"layers": 9}), "1"],
        ["tell", *files[:2], json.dumps(point | {"layers": 10**400}), "1"],
    ):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith("kernelbo: ")
    Path(files[3]).write_text(SPACE.replace("high = 6", "high = 7"))
    assert main(["ask", *files]) == 2
    assert "another space" in capsys.readouterr().err
    assert Path(files[1]).read_bytes() == before


def test_the_transform_is_kept(tmp_path: Path) -> None:
    """A run that was told not to transform values goes on so."""
    path = tmp_path / "run"
    Optimizer({"x": Real(0.0, 1.0)}, key=0, transform=False).save(path)
    assert Optimizer.load(path).settings.transform is False
