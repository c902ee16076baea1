"""Other constants of GP-UCB on the tasks of Figure 9: the runs, and the arrays kept."""

import numpy as np
import pytest

from core import policies
from experiments.boke import fig9, fig9_constants, regret_constants
from experiments.engine.scale import SCALES
from experiments.engine.study import Cell
from experiments.workloads.tuning import runs


@pytest.mark.parametrize("scale", SCALES)
def test_the_runs_are_those_of_the_figure_but_for_the_constants(scale):
    """Tasks, budget and workload; the first seeds, so that they pair."""
    of_figure = {one.problem: one for one in fig9.STUDY.cells(scale)}
    swept: dict[tuple[str, str], list[int]] = {}
    for one in fig9_constants.STUDY.cells(scale):
        options = dict(one.options)
        setting = options.pop("constants")
        assert options == dict(of_figure[one.problem].options)
        assert setting in fig9_constants.SETTINGS
        swept.setdefault((one.problem, str(setting)), []).extend(one.seeds)
    assert all(seeds == list(range(fig9_constants.SEEDS[scale])) for seeds in swept.values())
    assert {task for task, _ in swept} == set(of_figure)
    assert len(swept) == len(of_figure) * (1 if scale == "smoke" else len(fig9_constants.SETTINGS))


def test_all_tasks_are_run_with_one_setting_after_the_other():
    """A setting is complete before the next begins."""
    cells = fig9_constants.STUDY.cells("paper")
    assert sorted(fig9_constants.ORDER) == sorted(fig9.TASKS)
    assert [one.options["constants"] for one in cells] == [
        setting for setting in fig9_constants.SETTINGS for _ in range(len(cells) // len(fig9_constants.SETTINGS))
    ]


def test_the_settings_are_the_ends_of_those_fixed_before():
    """The shortest lengthscale with the larger beta and the longest with the smaller; ours lies between."""
    known = [one for one in regret_constants.SETTINGS["gp_ucb"] if one.keys() == {"lengthscale", "beta"}]
    assert all(setting in known for setting in fig9_constants.SETTINGS)
    shortest, longest = (pick(one["lengthscale"] for one in known) for pick in (min, max))
    ours = policies.make("gp_ucb", 5)
    assert shortest < float(ours.lengthscale) < longest
    betas = [one["beta"] for one in known]
    assert list(fig9_constants.SETTINGS) == [
        {"lengthscale": shortest, "beta": max(betas)},
        {"lengthscale": longest, "beta": min(betas)},
    ]


def test_the_cells_constants_are_tuned_with(monkeypatch):
    made = {}

    def fake(cell, policy):
        made["policy"] = policy
        return {"best": np.zeros((2, 14)), "failures": np.array([]), "initial_size": np.asarray(11), "x": np.zeros(1)}

    monkeypatch.setattr(runs, "run", fake)
    options = {"constants": {"lengthscale": 0.3, "beta": 2.5}}
    arrays = fig9_constants.run(Cell("rf_diabetes", "gp_ucb", (0, 1), options, scale="smoke"))
    assert (float(made["policy"].lengthscale), float(made["policy"].beta), made["policy"].dim) == (0.3, 2.5, 5)
    assert arrays.keys() == {*fig9_constants.READ, "setting"}
    assert str(arrays["setting"]) == "lengthscale = 0.3, beta = 2.5"
