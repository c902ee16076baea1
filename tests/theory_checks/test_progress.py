"""What a run of the checks says while it goes on."""

import io

from rich.console import Console

from theory_checks.progress import Checking


def said(steps: list[tuple[str, float]], seconds: dict[str, float]) -> list[str]:
    """The lines without a terminal, of claims that end at these seconds after the start."""
    out, now = io.StringIO(), [100.0]
    with Checking(Console(file=out, width=120), [name for name, _ in steps], seconds, lambda: now[0]) as progress:
        for name, at in steps:
            now[0] = 100.0 + at
            progress.finished({"id": name})
    return out.getvalue().splitlines()


def test_a_line_every_ten_seconds_with_the_time_left_in_proportion_to_the_reference_seconds() -> None:
    steps = [("a", 4.0), ("b", 12.0), ("c", 15.0), ("d", 60.0)]
    lines = said(steps, {"a": 1.0, "b": 2.0, "c": 1.0, "d": 6.0})
    assert lines == ["[2/4] checked b, about 28 s left", "[4/4] checked d"]


def test_claims_never_timed_count_as_the_others_do_and_nothing_at_all_is_no_error() -> None:
    assert said([("a", 10.0), ("new", 20.0)], {"a": 3.0}) == ["[1/2] checked a, about 10 s left", "[2/2] checked new"]
    assert said([("a", 10.0), ("b", 20.0)], {}) == ["[1/2] checked a, about 10 s left", "[2/2] checked b"]
    assert said([("a", 10.0), ("b", 20.0)], {"a": 0.0, "b": 0.0})[1] == "[2/2] checked b"
    assert said([], {}) == []


def test_on_a_terminal_there_is_a_bar_and_no_lines() -> None:
    out = io.StringIO()
    with Checking(Console(file=out, width=100, force_terminal=True), ["a"], {"a": 1.0}) as progress:
        progress.finished({"id": "a"})
    assert "[1/1]" not in out.getvalue()
