"""Figures are found by id, study and paper."""

import pytest

from paper_figures.figure import figures, select

IDS = list(figures())


@pytest.mark.parametrize(
    ("only", "ids"),
    [
        ("fig6", ["boke.fig6", "boke.fig6_median", "cei.fig6"]),
        ("boke.fig6_median", ["boke.fig6_median"]),
        ("table1, fig1", ["boke.fig1", "boke.table1", "cei.fig1", "ctx.table1", "uhe.fig1"]),
        ("boke", [name for name in IDS if name.startswith("boke.")]),
        ("cei", [name for name in IDS if name.startswith("cei.")]),
        ("ctx", ["ctx.fig1a", "ctx.fig1b", "ctx.fig2", "ctx.table1", "ctx.table2"]),
        (None, IDS),
    ],
)
def test_select(only, ids):
    assert [spec.id for spec in select(only)] == ids


def test_select_names_the_near_ones():
    with pytest.raises(KeyError, match=r"unknown figure 'fgi6'.*fig6"):
        select("fgi6")
