"""What part of the rows does to a score: nothing where it is all of them."""

import numpy as np
import pytest

from experiments.boke import fig9_rows
from experiments.workloads.tuning.evaluations import Evaluations
from experiments.workloads.tuning.tasks import Objective, Workload, get

WHOLE = Workload(0, 6)


@pytest.fixture
def points() -> np.ndarray:
    return np.random.default_rng(0).random((4, get("rf_diabetes").dim))


def test_a_whole_workload_gives_up_nothing(tmp_path, points):
    found = fig9_rows.compared("rf_diabetes", WHOLE, WHOLE, points, Evaluations(tmp_path))
    assert (found.offset, found.deviation, found.rank_correlation, found.lost) == (0.0, 0.0, pytest.approx(1.0), 0.0)
    assert found.seconds == found.whole_seconds > 0.0


def test_what_a_smaller_one_gives_up_by_hand(tmp_path, points):
    kept, small = Evaluations(tmp_path), Workload(60, 6)
    reduced, full = (
        np.asarray([Objective("rf_diabetes", workload, kept)(point) for point in points]) for workload in (small, WHOLE)
    )
    found = fig9_rows.compared("rf_diabetes", small, WHOLE, points, kept)
    assert found.offset == pytest.approx(np.mean(reduced) - np.mean(full))
    assert found.offset != 0.0
    ranks = [np.argsort(np.argsort(values)) for values in (reduced, full)]
    assert found.rank_correlation == pytest.approx(np.corrcoef(*ranks)[0, 1])
    assert found.lost == pytest.approx(full.max() - full[int(np.argmax(reduced))])
    assert found.lost >= 0.0


def test_the_command_says_so_of_each_scale(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    monkeypatch.setattr(fig9_rows, "WHOLE", WHOLE)
    monkeypatch.setattr(fig9_rows, "WORKLOADS", {"quick": Workload(60, 6), "paper": Workload(120, 6)})
    assert fig9_rows.main(["rf_diabetes", "--points", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        f"rf_diabetes, {rows} rows and at most {size} trees" for rows, size in ((60, 6), (120, 6))
    ]
