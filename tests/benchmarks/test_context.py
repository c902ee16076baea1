"""The benchmark on random contexts: its task, its problem, its page."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.context import measure as context
from benchmarks.context import page, public_code
from benchmarks.timing import Seconds
from paper_figures.style import method_label
from tests.benchmarks.runs import as_run


def test_the_task_is_the_one_announced() -> None:
    assert context.SETTINGS.counts == (20, 60)
    assert context.TARGETS == {
        "sbo_kde": 0.35,
        "drbo_kde": 0.35,
        "drbo_mmd": 2.0,
        "drbo_mmd_minimax": 0.35,
        "stable_opt": 0.35,
    }
    assert (context.RATIO_TARGET, context.SHORTFALL_TARGET, context.LATE_TARGET) == (1.2, 1e-6, 0.25)
    assert (context.SETTINGS.late, context.LATE) == (360, ("sbo_kde", "drbo_kde"))


def test_the_public_code_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert public_code.main([]) == 2
    assert "CLONE" in capsys.readouterr().err


def test_methods_are_called_as_in_the_figures() -> None:
    assert {name: method_label(name) for name in context.METHODS} == page.LABELS


def test_ratios_are_medians_of_those_in_a_round() -> None:
    ours = [[Seconds(9.0, value) for value in turn] for turn in ([3.0, 1.0, 2.0], [8.0], [30.0])]
    theirs = [[Seconds(1.0, value)] for value in (1.0, 2.0, 3.0)]
    assert context._ratio(ours, theirs) == pytest.approx(4.0)
    row = context._row("a", 20, ours)
    assert (row["wall"], row["processor"][1]) == ([9.0] * 3, 3.0)


def test_its_ackley_is_ackleys() -> None:
    x, c = np.array([0.1, 0.83]), np.array([0.41])
    z = 65.536 * np.append(x, c) - 32.768
    expected = -20 * np.exp(-0.2 * np.sqrt((z**2).mean())) - np.exp(np.cos(2 * np.pi * z).mean()) + 20 + np.e
    found, variance = context.Ackley().observe(jax.random.key(0), jnp.asarray(x), jnp.asarray(c))
    assert float(found) == pytest.approx(-expected, rel=1e-12)
    assert float(variance) == 0.0
    best, _ = context.Ackley().observe(jax.random.key(0), jnp.full(2, 0.5), jnp.full(1, 0.5))
    assert float(best) == pytest.approx(0.0, abs=1e-12)


def test_the_section_shows_every_number_of_its_result_and_missed_targets() -> None:
    part = {
        "settings": context.SETTINGS.config(),
        "rows": [
            {"method": "sbo_kde", "count": 60, "wall": [0.11, 0.67, 0.93], "processor": [0.1, 0.2, 0.3]},
            {"method": "stable_opt", "count": 60, "wall": [0.1, 0.2, 0.3], "processor": [0.1, 0.2, 0.3]},
        ],
        "ratios": {"60": 1.37},
        "brute_force": {"60": {"sbo_kde": -3e-9}, "360": {"sbo_kde": 2e-8}},
        "targets": [{"name": "a", "target": 1.2, "reached": 1.37, "met": False}],
    }
    text = page.section(as_run(context=part))
    for expected in (
        "0.670 (0.110, 0.930)",
        "6.7 s, 10 times ours",
        "1.37 at t = 60",
        "-3.0e-09 at t = 60",
        "2.0e-08 at t = 360",
        "**no**",
    ):
        assert expected in text
