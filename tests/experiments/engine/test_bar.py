"""The progress lines of a run."""

import io

from rich.console import Console

from experiments.engine.bar import Bar
from experiments.engine.study import Cell


def cell(name: str) -> Cell:
    return Cell("", "", (), study=name, scale="smoke")


def said(steps: list[tuple[str, float]], seconds: dict[str, float], failed: str = "") -> list[str]:
    """The lines without a terminal, of cells that end at these seconds after the start."""
    out, now = io.StringIO(), [100.0]
    expected = {cell(name): seconds.get(name) for name, _ in steps}
    with Bar(Console(file=out, width=120), expected, lambda: now[0]) as bar:
        for name, at in steps:
            now[0] = 100.0 + at
            bar.finished(cell(name), "Traceback\nValueError: no\n" if name == failed else None)
    return out.getvalue().splitlines()


def test_a_line_every_ten_seconds_with_the_time_left_in_proportion_to_the_reference_seconds() -> None:
    steps = [("a", 4.0), ("b", 12.0), ("c", 15.0), ("d", 60.0)]
    lines = said(steps, {"a": 1.0, "b": 2.0, "c": 1.0, "d": 6.0})
    assert lines == ["[2/4] done: b, about 28 s left", "[4/4] done: d"]


def test_cells_never_timed_count_as_the_others_do_and_nothing_at_all_is_no_error() -> None:
    assert said([("a", 10.0), ("new", 20.0)], {"a": 3.0}) == ["[1/2] done: a, about 10 s left", "[2/2] done: new"]
    assert said([("a", 10.0), ("b", 20.0)], {}) == ["[1/2] done: a, about 10 s left", "[2/2] done: b"]
    assert said([("a", 10.0), ("b", 20.0)], {"a": 0.0, "b": 0.0})[1] == "[2/2] done: b"
    assert said([], {}) == []


def test_a_failed_cell_has_a_line_at_once() -> None:
    assert said([("a", 1.0), ("b", 2.0)], {}, failed="b") == ["[2/2] b: FAILED: ValueError: no"]


def test_on_a_terminal_there_is_a_bar_and_no_lines() -> None:
    out = io.StringIO()
    with Bar(Console(file=out, width=100, force_terminal=True), {cell("a"): 1.0}) as bar:
        bar.finished(cell("a"))
    assert "[1/1]" not in out.getvalue()
