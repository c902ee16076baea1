"""The command line and the committed page."""

import copy
import dataclasses
import io
import json
from typing import Any

import pytest
from rich.console import Console

from benchmarks import __main__ as command


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "propsal"], "did you mean 'proposal' or"),
        (["--rounds", "0"], "--rounds must be at least 1, got 0"),
        (
            ["--only", "streaming", "--keep"],
            "--keep needs --only proposal or acquisition or default or context or hyperparameters or scale or cluster",
        ),
    ],
)
def test_bad_requests_are_refused_before_anything_runs(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_run_without_the_peer_cannot_become_the_reference(
    without_peer: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--keep"]) == 2
    message = capsys.readouterr().err
    assert "peer is skipped" in message
    assert "pip install" in message


def test_a_run_holds_its_own_part_and_those_measured_along(monkeypatch: pytest.MonkeyPatch, without_peer: None) -> None:
    asked: list[tuple[str, int]] = []

    def measured(name: str) -> Any:
        return lambda settings, report: asked.append((name, settings.rounds)) or {"name": name}

    for name, benchmark in command.BENCHMARKS.items():
        patched = dataclasses.replace(benchmark, measure=measured(name))
        monkeypatch.setitem(command.BENCHMARKS, name, patched)
    settings = dataclasses.replace(command.BENCHMARKS["proposal"].settings, rounds=2)
    result = command._run("proposal", settings, print)
    assert (result["proposal"], result["streaming"]) == ({"name": "proposal"}, {"name": "streaming"})
    assert asked == [("proposal", 2), ("streaming", 7)]
    assert "acquisition" not in result


def test_without_a_terminal_it_says_every_few_seconds_where_it_is() -> None:
    out = io.StringIO()
    report = command._lines(Console(file=out), every=3600.0)
    report("round 1 of 7")
    report("round 2 of 7")
    assert out.getvalue() == "round 1 of 7\n"
    always = command._lines(Console(file=out), every=0.0)
    always("round 3 of 7")
    always("round 4 of 7")
    assert out.getvalue().splitlines()[1:] == ["round 3 of 7", "round 4 of 7"]


needs_a_reference = pytest.mark.skipif(
    not (command.REFERENCE / "proposal.json").is_file(), reason="no benchmark run is committed"
)


@needs_a_reference
def test_the_committed_page_shows_the_committed_reference() -> None:
    assert command.DOCUMENT.read_text() == command.page()


@needs_a_reference
def test_a_missed_target_is_shown_as_missed() -> None:
    result: dict[str, Any] = json.loads((command.REFERENCE / "proposal.json").read_text())
    page = command.BENCHMARKS["proposal"].page
    worse = copy.deepcopy(result)
    worse["streaming"]["targets"][0]["met"] = False
    assert page(worse).count("**no**") == page(result).count("**no**") + result["streaming"]["targets"][0]["met"]


@pytest.mark.parametrize("arguments", [["gpu"], ["--only", "gpu"]])
def test_a_command_has_options_of_its_own(arguments, capsys):
    """They come after its name, in either way of naming it."""
    assert command.main([*arguments, "--lower-only", "--dry"]) == 2
    assert "give one of them" in capsys.readouterr().err
