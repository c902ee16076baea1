"""The command line and the committed page."""

import copy
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks import __main__ as command
from benchmarks.document import OLDER
from experiments.engine.code_version import of_names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "propsal"], "did you mean 'proposal' or"),
        (["--rounds", "0"], "--rounds must be at least 1, got 0"),
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


def test_a_run_holds_what_it_measured_and_on_which_code(monkeypatch: pytest.MonkeyPatch, without_peer: None) -> None:
    asked: list[tuple[str, int]] = []

    def measured(name: str) -> Any:
        return lambda settings, report: asked.append((name, settings.rounds)) or {"name": name}

    for name, benchmark in command.BENCHMARKS.items():
        patched = dataclasses.replace(benchmark, measure=measured(name))
        monkeypatch.setitem(command.BENCHMARKS, name, patched)
    monkeypatch.setattr(command.Benchmark, "code", "c0de")
    settings = dataclasses.replace(command.BENCHMARKS["proposal"].settings, rounds=2)
    result = command._run("proposal", settings, print)
    assert (result["proposal"], result["code"]) == ({"name": "proposal"}, "c0de")
    assert asked == [("proposal", 2)]
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
    assert command.DOCUMENT.read_text() == command.page(), "out of date: run make publish"


@needs_a_reference
def test_a_missed_target_is_shown_as_missed() -> None:
    result: dict[str, Any] = json.loads((command.REFERENCE / "proposal.json").read_text())
    page = command.BENCHMARKS["proposal"].page
    worse = copy.deepcopy(result)
    worse["proposal"]["targets"][0]["met"] = False
    assert page(worse).count("**no**") == page(result).count("**no**") + result["proposal"]["targets"][0]["met"]


@pytest.mark.parametrize("name", command.BENCHMARKS)
def test_no_target_is_shown_as_met_by_a_run_that_is_older_than_the_code(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A committed run says yes or no to its targets if it names the code of today, and neither otherwise."""
    committed = command.REFERENCE / f"{name}.json"
    if not committed.is_file():
        pytest.skip("no run is committed")
    result = json.loads(committed.read_text())
    targets = result[name].get("targets", [])
    monkeypatch.setattr(command, "REFERENCE", tmp_path)
    texts = []
    for code in (command.BENCHMARKS[name].code, "0000000000"):
        (tmp_path / f"{name}.json").write_text(json.dumps({**result, "code": code}))
        texts.append(command.page())
    present, old = texts
    shown = [line for line in old.splitlines() if line.startswith(tuple(f"| {one['name']} |" for one in targets))]
    assert len(shown) == len(targets)
    assert all(line.endswith("| older than the code |") for line in shown)
    assert OLDER in old
    assert "older than the code" not in present.lower()
    judged = [line for line in present.splitlines() if line.endswith(("| yes |", "| **no** |")) and line not in old]
    assert len(judged) == len(targets)


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("proposal", ["core.policies.boke.Boke", "core.search.maximize.maximize", "core.optimizer.optimize.optimize"]),
        ("acquisition", ["core.acquisition.qnei.MonteCarloNoisyExpectedImprovement"]),
        ("default", ["core.host.search.maximize", "core.host.likelihood.fit", "core.models.output_transform.scale_of"]),
        ("context", ["core.search.staged_search.maximize_in_stages"]),
        ("hyperparameters", ["core.models.hyperparameters.fit_hyperparameters"]),
        ("scale", ["core.policies.boke.Boke", "core.models.chunks.fold_chunks"]),
        ("streaming", ["core.models.large_scale.kernel_regression_and_density", "core.models.chunks.fold_chunks"]),
        ("cluster", ["experiments.engine.cluster.run_dask", "experiments.engine.code_version.code_of_cell"]),
        ("whole", ["*"]),
        ("paper", ["*"]),
    ],
)
def test_the_code_of_a_benchmark_is_what_it_measures(name: str, symbols: list[str]) -> None:
    """Each of these has a part in the version, with the star for everything."""
    followed = frozenset[str]().union(
        *(of_names(module, *rest).symbols for module, *rest in command.BENCHMARKS[name].roots)
    )
    assert set(symbols) <= followed
    assert ("*" in followed) == ("*" in symbols)


def test_every_benchmark_has_a_version_of_its_own() -> None:
    codes = [benchmark.code for benchmark in command.BENCHMARKS.values()]
    assert len(set(codes)) == len(command.BENCHMARKS)


@pytest.mark.parametrize("arguments", [["gpu"], ["--only", "gpu"]])
def test_a_command_has_options_of_its_own(arguments, capsys):
    """The options come after the command's name, in both ways of naming the command."""
    assert command.main([*arguments, "--lower-only", "--dry"]) == 2
    assert "give one of them" in capsys.readouterr().err
