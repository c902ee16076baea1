"""The cost of a proposal by the number of data: where a method stops, its roofline, its page and its figure."""

import json
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks.scale import figure, measure, one, page
from tests.benchmarks.runs import as_run

RATES = {"kernel_evaluations": 1e8, "flops": 1e10}


def _row(method: str, count: int, seconds: float, memory: float = 10.0) -> dict[str, Any]:
    times = {"first_seconds": 2 * seconds, "seconds": seconds, "cpu_seconds": seconds}
    return {"method": method, "count": count, "memory_mib": memory, **times}


def test_the_task_is_the_one_announced() -> None:
    assert measure.SETTINGS.counts[-1] == 10**6


@pytest.mark.parametrize(
    ("last", "count", "reason"),
    [
        (_row("boke", 10_000, 1.0), 100_000, ""),
        (_row("boke", 10_000, 7.0), 100_000, "up to 70 s expected"),
        (_row("gp_ucb", 1_000, 1.0), 4_000, "up to 64 s expected"),
        (_row("gp_ucb", 1_000, 0.1, memory=1000.0), 4_000, "up to 16 GiB expected"),
    ],
)
def test_a_method_goes_on_while_it_is_expected_to_end(last: dict[str, Any], count: int, reason: str) -> None:
    assert measure.goes_on(last, count, measure.SETTINGS) == reason


def test_the_roofline_counts_kernel_sums_or_a_factor() -> None:
    assert measure.roofline("boke", 10**6, RATES) == pytest.approx(one.RAW * 1e6 / 1e8)
    assert measure.roofline("botorch", 3_000, RATES) == pytest.approx(0.9)


def test_a_run_stops_where_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"boke": 1e-6, "gp_ucb": 1e-6, "botorch": 1.0}
    monkeypatch.setattr(measure, "_in_a_fresh_process", lambda m, t: _row(m, t, seconds[m] * t))
    monkeypatch.setattr(measure, "_rates", lambda: RATES)
    monkeypatch.setattr(measure.peer, "available", lambda: True)
    part = measure.measure(measure.SETTINGS, lambda words: None)
    assert [row["count"] for row in part["rows"] if row["method"] == "boke"] == list(measure.SETTINGS.counts)
    assert [row["count"] for row in part["rows"] if row["method"] == "botorch"] == [100]
    assert "at t = 400" in part["stopped"]["botorch"]
    assert all(target["met"] for target in part["targets"])
    text = page.section(as_run(scale=part))
    assert "| BOKE | 1,000,000 | 1.00 s |" in text
    assert "BoTorch was stopped" in text
    assert figure.svg(part) == figure.svg(part)


@pytest.mark.skipif(not (command.REFERENCE / "scale.json").is_file(), reason="no benchmark run is committed")
def test_the_committed_figure_shows_the_committed_reference() -> None:
    part = json.loads((command.REFERENCE / "scale.json").read_text())["scale"]
    assert command.PICTURE.read_bytes() == figure.svg(part)
