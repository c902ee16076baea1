"""The benchmark of the default: its task, its rows, its page."""

from benchmarks.default import page
from benchmarks.default.measure import SETTINGS, DefaultSettings, measure
from tests.benchmarks.runs import as_run


def test_the_task_is_the_one_announced() -> None:
    assert SETTINGS.counts == (20, 60, 200, 500, 1000)
    assert SETTINGS.budget > 64


def test_every_count_is_a_row_of_the_page() -> None:
    part = measure(DefaultSettings(counts=(12,), budget=13, rounds=1), lambda words: None)
    (row,) = part["rows"]
    assert row["count"] == 12
    assert row["ratio"] == row["jax"] / row["host"]
    assert row["jax_first"] > row["jax"] > 0.0
    assert 0.0 < part["first"]["largest"] < part["first"]["processor"] <= part["first"]["wall"] * 2
    text = page.section(as_run(default=part))
    assert "| 12 |" in text
    assert "| first proposal of a process, processor seconds | 1.5 |" in text
