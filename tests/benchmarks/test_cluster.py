"""The overhead of a cell on a cluster: the study whose cells do nothing, and the page."""

import importlib.util

import pytest

from benchmarks.cluster import nothing, page
from benchmarks.cluster.measure import SETTINGS, measure
from tests.benchmarks.runs import as_run


def test_there_are_cells_enough_and_they_compute_nothing() -> None:
    cells = nothing.STUDY.cells("smoke")
    assert len(cells) == len(set(cells)) == SETTINGS.many
    assert nothing.STUDY.run(cells[3])["zeros"].nbytes == 8192


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="dask is installed")
def test_it_needs_the_extra() -> None:
    with pytest.raises(OSError, match="cluster"):
        measure(SETTINGS, lambda words: None)


def test_the_page_has_both_ways() -> None:
    milliseconds = {"local": [1.0, 2.0, 3.0], "dask": [10.0, 11.0, 30.0]}
    text = page.section(as_run(cluster={"few": 20, "many": 220, "milliseconds": milliseconds}))
    assert "| local pool | 2.0 | 1.5 to 2.5 |" in text
    assert "| dask, loopback | 11.0 | 10.5 to 20.5 |" in text
