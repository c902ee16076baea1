"""Other boxes of XGBoost on the tasks of Figure 9: the runs, their boxes, and the arrays kept."""

import numpy as np
import pytest

from experiments.boke import fig9, fig9_boxes
from experiments.engine.scale import SCALES
from experiments.engine.study import Cell
from experiments.workloads.tuning import runs, tasks
from experiments.workloads.tuning.tasks import Objective, Workload


@pytest.mark.parametrize("scale", SCALES)
def test_the_runs_are_those_of_the_figure_but_for_the_box(scale):
    """Tasks, budget and workload; the first seeds, so that they start from the same points."""
    of_figure = {one.problem: dict(one.options) for one in fig9.STUDY.cells("quick" if scale == "smoke" else scale)}
    swept: dict[tuple[str, ...], list[int]] = {}
    for one in fig9_boxes.STUDY.cells(scale):
        options = dict(one.options)
        box = str(options.pop("box"))
        if scale != "smoke":
            assert options == of_figure[one.problem]
        swept.setdefault((box, one.problem, one.policy), []).extend(one.seeds)
    assert all(seeds == list(range(fig9_boxes.SEEDS[scale])) for seeds in swept.values())
    if scale != "smoke":
        assert {(box, method) for box, _, method in swept} == {
            (box, method) for box in fig9_boxes.BOXES for method in fig9_boxes.METHODS
        }
        assert all(task.startswith("xgb_") for _, task, _ in swept)


@pytest.mark.parametrize("box", fig9_boxes.BOXES)
def test_a_box_has_the_tasks_hyperparameters_in_their_order(box):
    own, other = tasks.get("xgb_wine").space, fig9_boxes.BOXES[box]
    assert [(one.name, one.integer) for one in other] == [(one.name, one.integer) for one in own]
    assert sum(one != theirs for one, theirs in zip(other, own, strict=True)) >= 5
    objective = Objective("xgb_diabetes", Workload(60, 8), space=other)
    assert [one.high for one in objective.space if one.name == "n_estimators"] == [8]
    assert np.isfinite(objective(np.full(7, 0.5)))
    assert objective(np.full(7, 0.5)) != Objective("xgb_diabetes", Workload(60, 8))(np.full(7, 0.5))


def test_hyperparameters_of_another_model_are_refused():
    with pytest.raises(ValueError, match="xgb_diabetes tunes n_estimators"):
        Objective("xgb_diabetes", Workload(60, 8), space=tasks.get("rf_diabetes").space)


def test_the_cells_box_is_tuned_in(monkeypatch):
    made = {}

    def fake(cell, policy, space):
        made["space"] = space
        return {"best": np.zeros((2, 14)), "failures": np.array([]), "initial_size": np.asarray(11), "x": np.zeros(1)}

    monkeypatch.setattr(runs, "run", fake)
    arrays = fig9_boxes.run(Cell("xgb_diabetes", "boke", (0, 1), {"box": "narrow"}, scale="smoke"))
    assert made["space"] == fig9_boxes.BOXES["narrow"]
    assert arrays.keys() == set(fig9_boxes.READ)
