"""The results that a figure shows: local ones when complete, the reference otherwise."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.engine.protocol import SCALE, read
from experiments.engine.store import Store
from experiments.engine.study import Cell, Study
from paper_figures.load import MissingResults, StudyResults, load, short_commit

POLICIES = ("boke", "gp_ucb")
BLOCKS = ((2, 3), (0, 1))


def cells(scale: str) -> list[Cell]:
    return [Cell("sphere6", policy, seeds) for policy in POLICIES for seeds in BLOCKS]


MODULE = "experiments.engine.study"  # any module with a source file
TOY = Study(MODULE, "Toy", "A toy.", cells, lambda cell: {})
TOYS = {TOY.id: TOY}


def fill(root, source: str, scale: str, chosen=slice(None), value: float = 0.0, commit: str = "0123456789ab") -> None:
    store = Store(root / source, studies=TOYS)
    for cell in TOY.cells(scale)[chosen]:
        arrays = {"regret": np.add.outer(np.array(cell.seeds) * 10.0, [value, value]), "grid": np.arange(3.0)}
        store.write(cell, arrays, {"commit": commit, "wall_seconds": 1.5, "cpu_seconds": 1.0})


def shown(root, scale: str = "quick") -> StudyResults:
    return load(TOY.id, scale, root, TOYS)


def test_nothing_there(tmp_path):
    with pytest.raises(MissingResults, match=r"no results of engine.study.*SCALE=quick ONLY=engine.study"):
        shown(tmp_path)


def test_complete_local_results_come_first(tmp_path):
    fill(tmp_path, "reference", "quick")
    fill(tmp_path, "local", "quick", value=1.0)
    data = shown(tmp_path)
    assert (data.source, data.scale, len(data.results)) == ("local", "quick", 4)
    assert data.provenance() == "scale quick · 4 seeds · commit 0123456 · local · this program"


def test_incomplete_local_results_do_not_count(tmp_path):
    fill(tmp_path, "reference", "quick")
    fill(tmp_path, "local", "quick", slice(0, 3))
    assert shown(tmp_path).source == "reference"


def test_truncated_local_file_does_not_count(tmp_path):
    fill(tmp_path, "reference", "quick")
    fill(tmp_path, "local", "quick")
    victim = sorted((tmp_path / "local").rglob("*.npz"))[0]
    victim.write_bytes(victim.read_bytes()[:100])
    assert shown(tmp_path).source == "reference"


@pytest.mark.parametrize(
    ("there", "asked", "expected"),
    [
        (("smoke", "quick", "paper"), "quick", "paper"),
        (("smoke", "quick"), "quick", "quick"),
        (("smoke", "paper"), "quick", "paper"),
        (("smoke", "quick"), "paper", "quick"),
        (("smoke",), "paper", "smoke"),
    ],
)
def test_reference_of_the_largest_scale_above_else_the_asked_one_else_the_largest(tmp_path, there, asked, expected):
    for scale in there:
        fill(tmp_path, "reference", scale)
    data = shown(tmp_path, asked)
    assert (data.scale, data.requested, data.source) == (expected, asked, "reference")
    assert f"scale {expected} " in data.provenance()


@pytest.mark.parametrize(
    ("chosen", "expected", "said"), [(slice(0, 2), "quick", "4 seeds"), (slice(0, 3), "paper", "2–4 seeds")]
)
def test_a_larger_scale_counts_that_lacks_no_method(tmp_path, chosen, expected, said):
    """A larger scale may lack blocks of seeds."""
    fill(tmp_path, "reference", "paper", chosen)
    fill(tmp_path, "reference", "quick")
    data = shown(tmp_path)
    assert (data.scale, data.seeds()) == (expected, said)
    assert ("1 cell missing" in data.provenance()) == (expected == "paper")


def test_local_results_of_another_scale_are_not_shown(tmp_path):
    fill(tmp_path, "local", "paper")
    with pytest.raises(MissingResults):
        shown(tmp_path, "quick")


def test_reference_made_by_older_code_is_shown(tmp_path):
    fill(tmp_path, "reference", "quick")
    for path in (tmp_path / "reference").rglob("*.npz"):
        path.rename(path.with_name(path.name.rsplit("-", 1)[0] + "-0000000000.npz"))
    assert len(shown(tmp_path).results) == 4


def test_a_configuration_stored_twice_counts_once(tmp_path):
    fill(tmp_path, "reference", "quick")
    for path in list((tmp_path / "reference").rglob("*.npz")):
        path.with_name(path.name.rsplit("-", 1)[0] + "-0000000000.npz").write_bytes(path.read_bytes())
    assert len(shown(tmp_path).results) == 4


def test_missing_cells_are_said(tmp_path):
    fill(tmp_path, "reference", "quick", slice(0, 3))
    data = shown(tmp_path)
    assert data.missing == 1
    assert data.provenance().endswith("reference · this program · 1 cell missing")


def test_reference_results_on_data_that_are_not_here_are_shown(tmp_path, monkeypatch):
    """A machine without the data of one problem lists the cells of the other alone."""
    here = Study(MODULE, "Toy", "A toy.", cells, TOY.run, ("wilt.csv",))
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path))
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    fill(tmp_path, "reference", "quick")
    store = Store(tmp_path / "reference", studies=TOYS)
    store.write(Cell("wilt", "boke", (0,), study=TOY.id, scale="quick"), {}, {"commit": "0", "wall_seconds": 1.0})
    assert load(here.id, "quick", tmp_path, {here.id: here}).problems() == ["sphere6", "wilt"]
    (tmp_path / "wilt.csv").touch()
    assert load(here.id, "quick", tmp_path, {here.id: here}).problems() == ["sphere6"]


def test_seed_blocks_are_stacked_in_the_order_of_their_seeds(tmp_path):
    fill(tmp_path, "local", "quick")
    data = shown(tmp_path)
    np.testing.assert_array_equal(data.array("regret", policy="boke")[:, 0], [0.0, 10.0, 20.0, 30.0])
    assert data.common("grid").shape == (3,)
    with pytest.raises(ValueError, match="regret differs"):
        data.common("regret")
    with pytest.raises(KeyError, match="no results for"):
        data.array("regret", policy="kr_ucb")
    assert data.problems() == ["sphere6"]
    assert data.policies("sphere6") == list(POLICIES)


def test_several_commits(tmp_path):
    fill(tmp_path, "local", "quick", slice(0, 2), commit="aaaaaaaaaaaa")
    fill(tmp_path, "local", "quick", slice(2, 4), commit="bbbbbbbbbbbb-dirty")
    assert "commit aaaaaaa and 1 more" in shown(tmp_path).provenance()


def test_the_seeds_that_a_picture_shows(tmp_path):
    """Four seeds in two blocks a policy; all, the first, and fewer of one policy."""
    fill(tmp_path, "local", "quick")
    data = shown(tmp_path)
    assert data.seeds() == data.seeds(policy="boke") == "4 seeds"
    assert data.seeds(first=True) == "first of 4 seeds"
    fewer = replace(data, results=data.results[1:])
    assert fewer.seeds() == "2–4 seeds"
    assert fewer.seeds(policy="boke") != fewer.seeds(policy="gp_ucb")
    assert data.unequal_seeds() == ""
    assert sorted(fewer.unequal_seeds().removeprefix("Seeds: ").split(", ")) == ["2 (BOKE)", "4 (GP-UCB)"]


def test_results_of_earlier_seeds_stand_for_those_of_the_protocol(tmp_path):
    """All cells are missing then, which says nothing: the fresh seeds await runs. A lower scale has no fresh seeds."""
    fill(tmp_path, "reference", "quick")
    first = read().first_of(read().piece("uhe.fig2"))
    earlier = replace(shown(tmp_path), study="uhe.fig2", scale=SCALE, missing=4)
    fresh = replace(
        earlier, results=tuple(replace(one, config=one.config | {"seeds": [first]}) for one in earlier.results)
    )
    assert earlier.lacking == "fresh seeds await runs"
    assert fresh.lacking == "4 cells missing"
    assert replace(fresh, missing=0).lacking == ""
    assert replace(earlier, scale="quick").lacking == "4 cells missing"


def test_short_commit():
    assert [short_commit(text) for text in ("0123456789ab", "0123456789ab-dirty", "unknown", None)] == [
        "0123456", "0123456 with changes", "unknown", "unknown",
    ]  # fmt: skip


def test_without_data_the_reference_has_nothing_missing(tmp_path, monkeypatch):
    """The study lists stand-ins here; the stored results are of the problem that it has where the data are."""
    monkeypatch.setenv("KERNELBO_DATA", str(tmp_path))
    monkeypatch.setenv("KERNELBO_CACHE", str(tmp_path))
    fill(tmp_path, "reference", "quick")

    def stand_ins(scale: str) -> list[Cell]:
        return [Cell("stand_in", policy, (0, 1)) for policy in POLICIES]

    study = Study(MODULE, "Toy", "A toy.", stand_ins, lambda cell: {}, ("wilt.csv",))
    data = load(study.id, "quick", tmp_path, {study.id: study})
    assert (data.problems(), len(data.results), data.missing) == (["sphere6"], 4, 0)


def test_cells_that_a_figure_does_not_draw_need_not_be_there(tmp_path):
    """A larger scale is shown once all cells of the policy that is drawn are there, and not where there are none."""
    fill(tmp_path, "reference", "quick")
    fill(tmp_path, "reference", "paper", slice(0, 2))  # both blocks of the first policy
    found = {policy: load(TOY.id, "quick", tmp_path, TOYS, shows={"policy": policy}) for policy in POLICIES}
    assert [(data.scale, data.missing) for data in found.values()] == [("paper", 0), ("quick", 0)]
    assert load(TOY.id, "quick", tmp_path, TOYS).scale == "quick"
    assert load(TOY.id, "paper", tmp_path, TOYS, shows={"policy": POLICIES[1]}).scale == "quick"
    assert load(TOY.id, "quick", tmp_path, TOYS, shows={"policy": "no such"}).results
    fill(tmp_path, "reference", "paper", slice(2, 3))
    assert load(TOY.id, "paper", tmp_path, TOYS, shows={"policy": POLICIES[1]}).missing == 1
