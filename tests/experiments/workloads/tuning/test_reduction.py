"""The effect of a smaller workload on a score: none where the workload is the whole one."""

import numpy as np
import pytest

from experiments.boke import fig9_rows
from experiments.uhe import fig2_tuning_size
from experiments.workloads.tuning import reduction
from experiments.workloads.tuning.evaluations import Evaluations
from experiments.workloads.tuning.tasks import Objective, Workload, get

WHOLE = Workload(0, 6)


@pytest.fixture
def points() -> np.ndarray:
    return np.random.default_rng(0).random((4, get("rf_diabetes").dim))


def test_a_whole_workload_gives_up_nothing(tmp_path, points):
    found = reduction.compared("rf_diabetes", WHOLE, WHOLE, points, Evaluations(tmp_path))
    assert (found.offset, found.deviation, found.rank_correlation, found.lost) == (0.0, 0.0, pytest.approx(1.0), 0.0)
    assert found.seconds == found.whole_seconds > 0.0


def test_what_a_smaller_one_gives_up_by_hand(tmp_path, points):
    kept, small = Evaluations(tmp_path), Workload(60, 6)
    reduced, full = (
        np.asarray([Objective("rf_diabetes", workload, kept)(point) for point in points]) for workload in (small, WHOLE)
    )
    found = reduction.compared("rf_diabetes", small, WHOLE, points, kept)
    assert found.offset == pytest.approx(np.mean(reduced) - np.mean(full))
    assert found.offset != 0.0
    ranks = [np.argsort(np.argsort(values)) for values in (reduced, full)]
    assert found.rank_correlation == pytest.approx(np.corrcoef(*ranks)[0, 1])
    assert found.lost == pytest.approx(full.max() - full[int(np.argmax(reduced))])
    assert found.lost >= 0.0


@pytest.mark.parametrize(
    ("command", "workloads", "used"),
    [
        (
            fig9_rows,
            {"quick": Workload(60, 6), "paper": Workload(120, 6)},
            ["60 rows and size 6", "120 rows and size 6"],
        ),
        (
            fig2_tuning_size,
            {"quick": {"rf": Workload(60, 3)}, "paper": {"rf": Workload(0, 3)}},
            ["60 rows and size 3", "all rows and size 3"],
        ),
    ],
)
def test_the_commands_say_so_of_each_scale(tmp_path, monkeypatch, capsys, command, workloads, used):
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    monkeypatch.setattr(command, "WHOLE", WHOLE if command is fig9_rows else {"rf": 6})
    monkeypatch.setattr(command, "WORKLOADS", workloads)
    task = "rf_diabetes" if command is fig9_rows else "rf_digits"
    assert command.main([task, "--points", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"{task}, {one}" for one in used]
    assert all("less that of all rows and size 6" in line for line in lines)
