"""The compression study: its sizes, and the stored arrays of a run against the objective itself."""

import jax.numpy as jnp
import numpy as np
import pytest

from experiments.cei import fig4, fig4_public
from experiments.cei.benchmarks import METHODS
from experiments.data import present, skipped
from experiments.engine.study import Cell


def test_paper_scale_is_the_papers():
    """300 evaluations, the first 30 random, at least 10 runs, seven methods; MNIST where it is."""
    cells = fig4.STUDY.cells("paper")
    assert {cell.options["initial"] for cell in cells} == {30}
    assert {cell.options["initial"] + cell.options["steps"] for cell in cells} == {300}
    assert min(len(cell.seeds) for cell in cells) >= 10
    assert len({cell.policy for cell in cells}) == 7
    assert ("fc3_mnist" in {cell.problem for cell in cells}) == (present("mnist_test.npz") is not None)


def test_the_public_network_has_the_papers_ten_seeds_of_every_method_and_more_of_two():
    cells = fig4_public.STUDY.cells("paper")
    assert [(cell.policy, cell.seeds) for cell in cells[:7]] == [(name, tuple(range(10))) for name in METHODS]
    assert {cell.policy for cell in cells[7:]} == {"corrected_ei", "ei"}
    assert {cell.problem for cell in cells} == {"fc3_public"}
    figure = {cell.policy: cell.options for cell in fig4.STUDY.cells("paper")}
    assert all(cell.options == figure[cell.policy] for cell in cells)


def test_without_mnist_the_study_runs_on_digits_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path))
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    assert {cell.problem for cell in fig4.STUDY.cells("quick")} == {"fc3_digits"}
    assert any("skipped: data: mnist_test.npz" in line for line in skipped(fig4.STUDY, "quick"))
    assert skipped(fig4.STUDY, "smoke") == []


def test_what_is_stored():
    """The incumbent's value is one of the values so far; observations scatter by the noise of 20 to 50 images."""
    options = {"initial": 8, "steps": 3}
    found = fig4.run(Cell("fc3_digits", "corrected_ei", (0, 1), options, scale="smoke"))
    objective, optimum = fig4.objective("fc3_digits")
    assert found["x"].shape == (2, 11, 3)
    assert found["incumbent_value"].shape == (2, 3)
    assert found["t"].tolist() == [8, 9, 10]
    assert float(found["optimum"]) == optimum
    assert np.all(found["value"] <= optimum + 1e-12)
    for seed in range(2):
        for step, t in enumerate(found["t"]):
            assert found["incumbent_value"][seed, step] in found["value"][seed, :t]
        for row in range(11):
            value = float(objective.value(jnp.asarray(found["x"][seed, row], float)))
            assert value == pytest.approx(found["value"][seed, row])
    assert np.all(np.abs(found["y"] - found["value"]) < 6 * 0.5 / np.sqrt(20))
    assert np.std(found["y"] - found["value"]) > 0.01
