"""The contract of every study of every paper."""

import importlib
import json

import pytest

from experiments.data import CATALOGUE
from experiments.engine.registry import discover, select
from experiments.engine.scale import SCALES
from experiments.groups import GROUPS

STUDIES = discover()
"""The studies as they declare themselves; the seeds of the protocol have tests of their own
(`engine/test_protocol.py`)."""

WAITING = {
    "boke.calibration",
    "boke.fig8_constants",
    "boke.fig8_seeds",
    "boke.fig9_boxes",
    "boke.fig9_constants",
    "boke.fig9_seeds",
    "boke.regret_constants",
    "boke.sensitivity",
    "boke.settings",
    "cei.fig4_convolutional",
    "cei.fig4_public",
    "cei.fig7_public",
    "cei.fig7_seeds",
    "cei.fig8_public",
    "cei.fig8_seeds",
    "common.policies",
    "ctx.fig1_seeds",
    "ctx.full_length",
    "ctx.model_arms",
    "ctx.public_arms",
    "uhe.exp3",
    "uhe.fig2_seeds",
    "uhe.fig5_effort",
}
"""Studies that run only by their own names."""


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_where_its_name_says(name):
    study = STUDIES[name]
    assert name == study.id == f"{study.paper}.{study.name}"
    assert study.module == f"experiments.{name}"
    assert importlib.import_module(study.module).STUDY is study
    assert study.paper in {group.key for group in GROUPS}
    assert study.title
    assert study.caption
    assert set(study.data) <= set(CATALOGUE)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", STUDIES)
def test_cells_are_distinct_plain_and_the_same_each_time(name, scale):
    cells = STUDIES[name].cells(scale)
    assert len({cell.digest for cell in cells}) == len(set(cells)) == len(cells) > 0
    for cell in cells:
        assert (cell.study, cell.scale) == (name, scale)
        assert json.loads(json.dumps(cell.config())) == cell.config()
        assert cell.config()["options"] == dict(cell.options)
        assert len(set(cell.seeds)) == len(cell.seeds) >= 2
    assert cells == STUDIES[name].cells(scale)


FRESH = {"boke.settings", "cei.fig1", "cei.fig2"}
"""Judged at scale paper on seeds that nobody had seen when a rule was written, or a default chosen."""


@pytest.mark.parametrize("name", [name for name in STUDIES if name not in FRESH])
def test_a_larger_scale_has_all_seeds_of_a_smaller_one(name):
    """The test compares every problem and method that both scales run."""

    def seeds(scale):
        found = {}
        for cell in STUDIES[name].cells(scale):
            found.setdefault((cell.problem, cell.policy), set()).update(cell.seeds)
        return found

    smoke, quick, paper = map(seeds, SCALES)
    for small, large in ((smoke, quick), (quick, paper)):
        assert all(small[run] <= large[run] for run in small.keys() & large.keys())
    assert quick.keys() <= paper.keys()


def test_calibration_and_sweeps_wait_to_be_asked():
    chosen = {study.id for study in select()}
    assert chosen == set(STUDIES) - WAITING
    assert {study.id for study in select("boke")} == {name for name in chosen if name.startswith("boke.")}
    assert [study.id for study in select("calibration")] == ["boke.calibration"]
