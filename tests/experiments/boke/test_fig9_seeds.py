"""Other seeds of KR-UCB and GP-UCB on XGBoost: none is a seed of the figure; the settings are those of two sweeps."""

import numpy as np
import pytest

from core import policies
from experiments.boke import fig9, fig9_boxes, fig9_constants, fig9_seeds
from experiments.engine.scale import SCALES
from experiments.engine.study import Cell
from experiments.workloads.tuning import runs


@pytest.mark.parametrize("scale", SCALES)
def test_the_seeds_are_no_seeds_of_the_figure_and_all_else_is(scale):
    of_figure = {one.problem: dict(one.options) for one in fig9.STUDY.cells("quick" if scale == "smoke" else scale)}
    found: dict[tuple[str, str, str], list[int]] = {}
    for one in fig9_seeds.STUDY.cells(scale):
        options = dict(one.options)
        circumstance = str(options.pop("circumstance"))
        if scale != "smoke":
            assert options == of_figure[one.problem]
        found.setdefault((circumstance, one.problem, one.policy), []).extend(one.seeds)
    assert {method for *_, method in found} == set(fig9_seeds.METHODS)
    for (circumstance, *_), seeds in found.items():
        assert tuple(seeds) == fig9_seeds.SEEDS[scale][circumstance]
        assert not set(seeds) & set(range(fig9.SEEDS[scale]))


@pytest.mark.parametrize("circumstance", [fig9_seeds.SETTING, fig9_seeds.BOX])
@pytest.mark.parametrize("method", fig9_seeds.METHODS)
def test_a_cell_runs_under_its_circumstance(monkeypatch, circumstance, method):
    """Constants of GP-UCB alone, or a box of both."""
    made = {}

    def fake(cell, policy, space):
        made.update(policy=policy, space=space)
        return {"best": np.zeros((2, 14)), "failures": np.array([]), "initial_size": np.asarray(11), "x": np.zeros(1)}

    monkeypatch.setattr(runs, "run", fake)
    cell = Cell("xgb_diabetes", method, (1000, 1001), {"circumstance": circumstance}, scale="smoke")
    assert fig9_seeds.run(cell).keys() == set(fig9_seeds.READ)
    assert made["space"] == (fig9_boxes.BOXES["narrow"] if circumstance == "narrow" else None)
    if method == "gp_ucb":
        usual = policies.make("gp_ucb", 7)
        expected = fig9_constants.SETTINGS[1] if circumstance == fig9_seeds.SETTING else {}
        assert float(made["policy"].lengthscale) == expected.get("lengthscale", float(usual.lengthscale))
        assert float(made["policy"].beta) == expected.get("beta", float(usual.beta))
