"""All methods take turns, in rotation, and the seconds are those of the call alone."""

import time

import jax.numpy as jnp
import pytest

from benchmarks.targets import at_least, at_most
from benchmarks.timing import quartiles, take_turns, timed


def test_everyone_plays_once_a_round_and_who_begins_moves_on() -> None:
    played: list[tuple[str, int]] = []
    said: list[str] = []
    contestants = {name: lambda turn, name=name: played.append((name, turn)) or turn for name in "abc"}
    outcomes = take_turns(contestants, 4, said.append, str.upper)
    assert "".join(name for name, _ in played) == "abcbcacababc"
    assert [turn for _, turn in played] == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    assert outcomes == dict.fromkeys("abc", [0, 1, 2, 3])
    assert said[:2] == ["round 1 of 4: A", "round 1 of 4: B"]
    assert len(said) == 12


def test_a_call_is_timed_by_both_clocks() -> None:
    spent, result = timed(lambda x: time.sleep(0.05) or jnp.sum(x), jnp.ones(3))
    assert float(result) == 3.0
    assert spent.wall >= 0.05
    assert spent.processor >= 0.0


def test_targets_and_quartiles() -> None:
    assert [at_least("a", 2.0, value)["met"] for value in (1.9, 2.0, 2.1)] == [False, True, True]
    assert [at_most("a", 2.0, value)["met"] for value in (1.9, 2.0, 2.1)] == [True, True, False]
    assert quartiles(range(5)) == pytest.approx([1.0, 2.0, 3.0])
