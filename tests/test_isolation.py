"""No test depends on earlier runs on this machine, nor does its time depend on the number of processors."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from experiments.engine.registry import STUDIES
from experiments.engine.store import LOCAL, REFERENCE, ROOT, Store
from theory_checks import study_results

PROJECT = Path(__file__).parents[1]
STUDY = "boke.fig6"
BESIDE = "tests/theory_checks/readings/test_every_reading.py::test_true_false_and_reversed_runs_are_told_apart"


def test_local_results_of_tests_are_their_own():
    assert not LOCAL.is_relative_to(ROOT)
    assert not list(LOCAL.rglob("*.npz"))


def planted(folder: Path) -> None:
    """Every cell of a study at scale quick as if it had just been run, with regrets that are no regrets."""
    store, known = Store(folder), {}
    for result in Store(REFERENCE, any_code=True).results(STUDIES[STUDY], "quick"):
        known[result.config["problem"], result.config["policy"]] = result
    for cell in STUDIES[STUDY].cells("quick"):
        result = known[cell.problem, cell.policy]
        wrong = {**result.arrays, "simple_regret": np.zeros_like(result.arrays["simple_regret"])}
        store.write(cell, wrong, result.metadata)


def test_tests_pass_beside_planted_local_results(tmp_path, monkeypatch):
    planted(tmp_path)
    monkeypatch.setattr(study_results, "LOCAL", tmp_path)
    assert not study_results.results(STUDY, "quick")[0].arrays["simple_regret"].any()  # they would be read
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", BESIDE, "-k", "boke.fig6"]
    environment = {**os.environ, "KERNELBO_RESULTS": str(tmp_path)}
    run = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stdout[-3000:]
    assert " passed" in run.stdout


def test_linear_algebra_has_one_thread_without_the_makefile():
    script = """
import pytest, threadpoolctl
pytest.main(["--collect-only", "-q", "tests/test_slow.py"])
print({pool["num_threads"] for pool in threadpoolctl.threadpool_info()})
"""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "{1}", run.stdout
