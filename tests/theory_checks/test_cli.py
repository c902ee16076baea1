"""`python -m theory_checks list | run | show | replay | pin | keep`."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from cli.theory import main
from experiments.engine import cluster, evidence, provenance
from theory_checks import cache, counterexamples, ledger, runner
from theory_checks.ledger import claim
from theory_checks.statements import Words


def run(tmp_path, *arguments):
    return main([arguments[0], *arguments[1:], "--results", str(tmp_path / "results")])


def test_list(toy_ledger, capsys):
    assert main(["list", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [entry["id"] for entry in entries] == ["boke.cube", "boke.square"]
    assert entries[1]["statement"] == r"$x^2 \ge 0$"
    assert main(["list", "square"]) == 0
    assert "boke.cube" not in capsys.readouterr().out


def test_list_shows_the_verdict_of_the_highest_scale(toy_ledger, tmp_path, capsys):
    """Local or committed; "not run" without evidence."""
    results = ["--results", str(tmp_path / "results")]
    run(tmp_path, "run", "square", "--scale", "quick", "--workers", "1")
    run(tmp_path, "keep", "square", "--scale", "quick")
    (tmp_path / "results" / "claims" / "quick" / "boke.square.json").unlink()
    capsys.readouterr()
    assert main(["list", *results]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [("supported" in line, "quick" in line) for line in lines if "boke.square" in line] == [(True, True)]
    assert any("boke.cube" in line and "not run" in line for line in lines)
    assert main(["list", "--json", *results]) == 0
    assert [entry["verdict"] for entry in json.loads(capsys.readouterr().out)] == [None, "supported"]
    assert run(tmp_path, "show", "square") == 0
    assert "Evidence at scale quick: supported" in capsys.readouterr().out


def test_force_checks_again(toy_ledger, tmp_path, capsys):
    run(tmp_path, "run", "--scale", "smoke", "--workers", "1")
    capsys.readouterr()
    assert run(tmp_path, "run", "--scale", "smoke", "--workers", "1", "--force") == 0
    assert "2 to compute in this process; 0 stored" in capsys.readouterr().out


def test_replay_says_what_its_sides_are_and_what_the_report_says(toy_ledger, tmp_path, capsys):
    run(tmp_path, "run", "cube", "--scale", "quick", "--workers", "1")
    capsys.readouterr()
    assert run(tmp_path, "replay", "cube", "--scale", "quick") == 0
    printed = capsys.readouterr().out
    assert "the sides   Left: x to the power; right: zero." in printed
    assert "in the report, scale quick: refuted. negative at -1" in printed
    assert "power: 3" in printed


def test_every_replay_says_what_its_sides_are():
    """The docstring of the replay, which the command line prints, names its two sides."""
    silent = [
        claim.id
        for claim in ledger.load().values()
        if claim.replay is not None and not re.search(r"[Ll]eft|sides", counterexamples.sides(claim))
    ]
    assert silent == []


def test_run_writes_json_and_computes_once(toy_ledger, tmp_path, capsys):
    out = tmp_path / "verdicts.json"
    assert run(tmp_path, "run", "--scale", "smoke", "--json", str(out), "--workers", "1") == 0
    entries = json.loads(out.read_text())
    assert [set(entry) for entry in entries] == [
        {"id", "paper", "number", "verdict", "summary", "numbers", "seconds"} for _ in range(2)
    ]
    assert [entry["verdict"] for entry in entries] == ["refuted", "supported"]
    assert "2 to compute" in capsys.readouterr().out
    assert run(tmp_path, "run", "--scale", "smoke", "--workers", "1") == 0
    printed = capsys.readouterr().out
    assert "nothing to compute, all 2 results" in printed
    assert "no pinned verdict" in printed


@contextmanager
def _one_thread(scheduler):
    with ThreadPoolExecutor(1) as executor:
        yield executor


DASK = ("--executor", "dask", "--scheduler", "tcp://host:1")


def test_checks_on_a_cluster_give_the_same_evidence(toy_ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "connected", _one_thread)
    assert main(["run", "--scale", "smoke", "--results", str(tmp_path / "cluster"), *DASK]) == 0
    run(tmp_path, "run", "--scale", "smoke", "--workers", "1")
    for claim_id in toy_ledger:
        there, here = (cache.read(claim_id, "smoke", tmp_path / root) for root in ("cluster", "results"))
        for name in ("key", "verdict", "summary", "numbers", "counterexample"):
            assert there[name] == here[name]


def test_claims_that_read_results_are_checked_here(toy_ledger, tmp_path, monkeypatch):
    """A claim that reads this machine's results is checked in this process, because no other machine has them."""
    sent = []

    class Recorded(ThreadPoolExecutor):
        def submit(self, function, job):
            sent.append(job.cell.study)
            return super().submit(function, job)

    @contextmanager
    def connected(scheduler):
        with Recorded(1) as executor:
            yield executor

    monkeypatch.setattr(cluster, "connected", connected)
    monkeypatch.setitem(ledger._CLAIMS, "boke.cube", replace(toy_ledger["boke.cube"], needs=("boke.fig1",)))
    assert run(tmp_path, "run", "--scale", "smoke", *DASK) == 0
    assert sent == ["boke.square"]


def test_evidence_by_a_worker_with_other_code_is_not_stored(toy_ledger, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "connected", _one_thread)
    monkeypatch.setattr(runner.Evidence, "code", lambda store, cell: "another")
    assert run(tmp_path, "run", "square", "--scale", "smoke", *DASK) == 1
    printed = capsys.readouterr()
    assert "differs on this worker" in printed.out
    assert "boke.square: the check failed" in printed.err
    assert not evidence.path_of("boke.square", "smoke", tmp_path / "results").exists()


def test_a_check_whose_workers_die_has_failed(toy_ledger, tmp_path, monkeypatch, capsys):
    def dies(job):
        raise OSError("killed")

    monkeypatch.setattr(cluster, "connected", _one_thread)
    monkeypatch.setattr(cluster, "compute", dies)
    assert run(tmp_path, "run", "square", "--scale", "smoke", *DASK) == 1
    assert "FAILED: OSError: killed" in capsys.readouterr().out


def test_exit_status_tells_a_changed_verdict(toy_ledger, tmp_path, capsys):
    run(tmp_path, "run", "--scale", "smoke", "--workers", "1")
    assert run(tmp_path, "pin", "--scale", "smoke") == 0
    assert run(tmp_path, "run", "--scale", "smoke") == 0
    (tmp_path / "expected.json").write_text(json.dumps({"boke.square": {"smoke": "vacuous"}}))
    capsys.readouterr()
    assert run(tmp_path, "run", "--scale", "smoke") == 1
    assert "boke.square: supported, but expected.json says vacuous" in capsys.readouterr().err


def test_pin_needs_finished_checks(toy_ledger, tmp_path, capsys):
    assert run(tmp_path, "pin", "--scale", "smoke") == 2
    assert "boke.square" in capsys.readouterr().err


def test_keep_makes_reference_evidence(toy_ledger, tmp_path, capsys, monkeypatch):
    assert run(tmp_path, "keep", "--scale", "quick") == 2
    assert "not complete at scale quick: boke.cube, boke.square" in capsys.readouterr().err
    run(tmp_path, "run", "--scale", "quick", "--workers", "1")
    assert run(tmp_path, "keep", "square", "--scale", "quick") == 0
    assert evidence.claims(tmp_path / "reference", "quick") == ["boke.square"]
    assert run(tmp_path, "keep", "--scale", "quick") == 0
    for claim_id in ("boke.cube", "boke.square"):  # counterexamples are kept beside the code
        local = cache.read(claim_id, "quick", tmp_path / "results")
        assert cache.read(claim_id, "quick", tmp_path / "reference") == {
            **local,
            "counterexample": None,
            "kept at": "0123456789ab",
        }
    assert cache.latest("boke.cube", "quick", tmp_path / "nowhere")["verdict"] == "refuted"


def test_keep_refuses_a_tree_that_differs_from_its_commit(toy_ledger, tmp_path, capsys, monkeypatch):
    run(tmp_path, "run", "--scale", "quick", "--workers", "1")
    monkeypatch.setattr(provenance, "git_commit", lambda: "0123456789ab-dirty")
    assert run(tmp_path, "keep", "--scale", "quick") == 2
    assert "commit it first" in capsys.readouterr().err
    assert not (tmp_path / "reference").exists()


def test_keep_refuses_evidence_of_other_code(toy_ledger, tmp_path, capsys, monkeypatch):
    run(tmp_path, "run", "--scale", "quick", "--workers", "1")
    monkeypatch.setattr(cache, "code_version", lambda claim: "another")
    assert run(tmp_path, "keep", "--scale", "quick") == 2
    assert not (tmp_path / "reference").exists()


def test_keep_leaves_out_counterexamples_that_are_committed_or_large(toy_ledger, tmp_path, monkeypatch):
    for scale, inline in (("smoke", {"x": -1, "power": 3}), ("quick", None)):
        run(tmp_path, "run", "--scale", scale, "--workers", "1")
        run(tmp_path, "keep", "--scale", scale)
        assert cache.read("boke.cube", scale, tmp_path / "reference")["counterexample"] == inline
    monkeypatch.setattr(counterexamples, "SMALL", 3)
    run(tmp_path, "keep", "--scale", "quick")
    assert cache.read("boke.cube", "quick", tmp_path / "reference")["counterexample"] is None
    assert not counterexamples.committed_path("boke.cube").exists()


def test_keep_replaces_the_counterexamples_of_earlier_evidence(toy_ledger, tmp_path):
    """`replay` evaluates the counterexamples of the kept evidence; a claim that is no longer refuted has none."""
    for claim_id in ("boke.cube", "boke.square"):
        counterexamples.commit(toy_ledger[claim_id], {"x": -7, "power": 3, "offset": -99})
    run(tmp_path, "run", "--scale", "quick", "--workers", "1")
    run(tmp_path, "keep", "--scale", "quick")
    assert counterexamples.load(counterexamples.committed_path("boke.cube")) == {"x": -1, "power": 3}
    assert not counterexamples.committed_path("boke.square").exists()


def test_show(toy_ledger, tmp_path, capsys):
    assert run(tmp_path, "show", "boke.cube", "--scale", "smoke") == 0
    printed = capsys.readouterr().out
    assert "x is an integer" in printed
    assert "run boke.cube --scale smoke" in printed
    run(tmp_path, "run", "--scale", "smoke", "--workers", "1")
    capsys.readouterr()
    run(tmp_path, "show", "cube", "--scale", "smoke")
    printed = capsys.readouterr().out
    assert "refuted" in printed
    assert "replay boke.cube --scale smoke" in printed


def test_show_says_when_the_code_has_changed(toy_ledger, tmp_path, capsys, monkeypatch):
    run(tmp_path, "run", "--scale", "smoke", "--workers", "1")
    monkeypatch.setattr(cache, "code_version", lambda claim: "another")
    capsys.readouterr()
    run(tmp_path, "show", "cube", "--scale", "smoke")
    assert "another version of the code" in capsys.readouterr().out


def test_replay(toy_ledger, tmp_path, capsys):
    assert run(tmp_path, "replay", "cube") == 2
    assert "no stored counterexample" in capsys.readouterr().err
    run(tmp_path, "run", "--scale", "quick", "--workers", "1")
    assert run(tmp_path, "replay", "cube", "--scale", "quick") == 0
    run(tmp_path, "pin", "--scale", "quick")
    assert counterexamples.committed_path("boke.cube").is_file()
    assert not counterexamples.committed_path("boke.square").exists()
    assert main(["replay", "cube", "--results", str(tmp_path / "empty")]) == 0
    assert "violated: the claim fails on it" in capsys.readouterr().out


def test_replay_names_the_committed_evidence_where_nothing_is_stored_here(toy_ledger, tmp_path, capsys):
    run(tmp_path, "run", "--scale", "quick", "--workers", "1")
    local = tmp_path / "results"
    evidence.keep([evidence.raw("boke.cube", "quick", local)], "quick", cache.REFERENCE)
    capsys.readouterr()
    for results, root in ((tmp_path / "empty", cache.REFERENCE), (local, local)):
        assert main(["replay", "cube", "--scale", "quick", "--results", str(results)]) == 0
        assert f"counterexample {evidence.source('boke.cube', 'quick', root)}" in capsys.readouterr().out


def test_replay_of_a_file_that_violates_nothing(toy_ledger, tmp_path, capsys):
    path = tmp_path / "stored.json"
    path.write_text('{"x": 2, "power": 3}')
    assert run(tmp_path, "replay", "cube", "--file", str(path)) == 1
    assert "NOT violated" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["{", "[1]", '{"y": 1}', '{"x": null, "power": 3}'])
def test_replay_of_a_foreign_file(toy_ledger, tmp_path, capsys, content):
    path = tmp_path / "stored.json"
    path.write_text(content)
    assert run(tmp_path, "replay", "cube", "--file", str(path)) == 2
    assert "stored.json" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "show", "replay", "list"])
def test_unknown_claims_list_near_names(toy_ledger, capsys, command):
    assert main([command, "boke.sqare"]) == 2
    assert "boke.square" in capsys.readouterr().err


def test_misspelt_scale(toy_ledger, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["run", "--scale", "quik"])
    assert stopped.value.code == 2
    assert "quick" in capsys.readouterr().err


def test_unwritable_results_folder(toy_ledger, tmp_path, capsys):
    (tmp_path / "results").write_text("a file where the folder should be")
    assert run(tmp_path, "run", "--scale", "smoke") == 2
    assert "cannot write results" in capsys.readouterr().err


@pytest.mark.slow
def test_workers_are_spawned_and_the_second_run_computes_nothing(tmp_path, capsys):
    command = [sys.executable, "-m", "theory_checks", "run", "boke.lemma10", "nn_extension_continuity_repaired"]
    command += ["--scale", "smoke", "--results", str(tmp_path)]
    first = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert first.returncode == 0, first.stderr
    assert "2 to compute" in first.stdout
    assert main(command[3:]) == 0
    assert "nothing to compute" in capsys.readouterr().out


def test_interrupted_runs_keep_what_is_finished(toy_ledger, tmp_path, capsys):
    def interrupted(scale, *, a=0):
        raise KeyboardInterrupt

    fields = {"said": Words("Long"), "rule": "", "control": {"a": 1}, "control_statement": ""}
    claim(id="boke.long", **fields)(interrupted)
    assert run(tmp_path, "run", "--scale", "smoke", "--workers", "1") == 130
    assert "Interrupted: 1 new results are stored, 2 are missing" in capsys.readouterr().out
    assert evidence.path_of("boke.cube", "smoke", tmp_path / "results").is_file()
