"""Two toy claims in a ledger of their own, and planted results in place of the stored results."""

import pytest

from theory_checks import cache, counterexamples, ledger, runner, study_results
from theory_checks.ledger import Evidence, Verdict
from theory_checks.statements import Words


def _square(scale: str, *, offset: float = 0.0) -> Evidence:
    """x^2 + offset >= 0 on a few integers."""
    worst = min((x * x + offset, x) for x in range(-3, 4))
    if worst[0] < 0:
        return Evidence(
            Verdict.REFUTED, f"negative at {worst[1]}", {"least": worst[0]}, {"x": worst[1], "offset": offset}
        )
    return Evidence(Verdict.SUPPORTED, "never negative", {"least": worst[0], "scale": scale})


def _cube(scale: str, *, power: int = 3) -> Evidence:
    """x^power >= 0 on a few integers: false for the printed power 3."""
    return Evidence(Verdict.REFUTED, "negative at -1", {"power": power}, {"x": -1, "power": power})


def _replay_cube(stored):
    """Left: x to the power; right: zero."""
    value = stored["x"] ** stored["power"]
    return value, 0, value < 0


@pytest.fixture
def toy_ledger(monkeypatch, tmp_path):
    """The claims boke.square (true) and boke.cube (false); nothing of theirs touches the project's folders."""
    ledger.load()
    monkeypatch.setattr(ledger, "_CLAIMS", {})
    common = {"rule": "refuted if negative anywhere"}
    ledger.claim(
        id="boke.square",
        said=Words("Squares", "Toy 1", r"$x^2 \ge 0$", ("x is an integer",)),
        control={"offset": -1.0},
        control_statement="x^2 - 1 >= 0",
        replay=lambda stored: (stored["x"] ** 2 + stored["offset"], 0, stored["x"] ** 2 + stored["offset"] < 0),
        **common,
    )(_square)
    ledger.claim(
        id="boke.cube",
        said=Words("Cubes", "Toy 2", r"$x^3 \ge 0$", ("x is an integer",)),
        control={"power": 5},
        control_statement="x^5 >= 0",
        replay=_replay_cube,
        tests=2,
        **common,
    )(_cube)
    monkeypatch.setattr(cache, "code_version", lambda claim: "0123456789")
    monkeypatch.setattr(cache, "REFERENCE", tmp_path / "reference")
    monkeypatch.setattr(study_results, "REFERENCE", tmp_path / "reference")
    monkeypatch.setattr(counterexamples, "COMMITTED", tmp_path / "committed")
    monkeypatch.setattr(runner, "EXPECTED", tmp_path / "expected.json")
    return ledger.load()


@pytest.fixture
def plant(monkeypatch):
    """A function that makes its argument, a list of results, all that is stored."""

    def planted(results):
        monkeypatch.setattr(
            study_results, "results", lambda study, scale: [r for r in results if r.config["study"] == study]
        )

    return planted
