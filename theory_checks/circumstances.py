"""Verdicts over circumstances: what a paper leaves open, every choice of it run and judged.

A circumstance is a reading of the text, a budget, an implementation. Under each the claim has its outcome: supported
(1), refuted (-1) or neither (:class:`theory_checks.readings.Judged`); :func:`verdict` combines them. One that lacks
results supports nothing. Refutation needs every circumstance, so that the probability of refuting a true claim is at
most that of its first; where those that were run are not all that there are (other implementations), it is not called
so at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from theory_checks.ledger import Evidence, Verdict
from theory_checks.readings import Judged, clearness
from theory_checks.sides import interval
from theory_checks.undecided import Kind

LARGEST = "paper"
"""The scale that runs everything under every circumstance."""

Part = tuple[str, Judged | None, bool]
"""Name of a circumstance and measure, what was judged there, and whether nothing was missing."""

_WORDS = {1: "as claimed", 0: "undecided", -1: "otherwise"}


def verdict(outcomes: Sequence[int]) -> Verdict:
    """Supported by the first circumstance and reversed under none; refuted under all; depends where some say so and
    some otherwise; else inconclusive."""
    if outcomes[0] > 0 and min(outcomes) >= 0:
        return Verdict.SUPPORTED
    if max(outcomes) < 0:
        return Verdict.REFUTED
    return Verdict.DEPENDS if max(outcomes) > 0 > min(outcomes) else Verdict.INCONCLUSIVE


def combined(
    parts: Sequence[Part],
    shown: str,
    numbers: Mapping[str, Any],
    scale: str,
    level: float,
    *,
    study: str,
    settled: bool = False,
    others: str = "",
    unexcluded: str = "",
    null: float | None = None,
    by: str = "reading and measure",
) -> Evidence:
    """The evidence of all circumstances.

    Args:
        parts: the circumstances; the first is the main one, and undecided where nothing of it is stored.
        shown: what is said of them, before their outcomes.
        numbers: those behind it; outcomes and the mean of every comparison are added.
        scale, level: of the results, and of the tests.
        study: whose runs are missing, where some are.
        settled: whether the statement is about the runs that are stored, whatever their reading.
        others: the study of other circumstances; one reading alone then does not refute.
        unexcluded: what else there is, where the circumstances that were run are not all; they then never refute.
        null: of :func:`clearest`, which chooses the counterexample.
        by: what the parts are called.
    """
    main = parts[0][0].split(",")[0]
    sides: dict[str, int] = {}
    places: dict[str, Any] = {}
    for name, one, whole in parts:
        if one is None:
            if name == parts[0][0] and not settled:
                sides[name] = 0
            continue
        sides[name] = one.outcome if whole else min(one.outcome, 0)
        places[name] = {
            place.comparison.name: {"side": place.claimed, "mean": list(interval(place.comparison.pooled, 0.05))}
            for place in one.places
        }
    outcome = verdict(list(sides.values()))
    if outcome is Verdict.REFUTED and not settled:
        if others and len({name.split(",")[0] for name in sides}) == 1:
            outcome, shown = Verdict.INCONCLUSIVE, f"{shown}. No other reading was tried: {how_to_run(others, scale)}"
        elif unexcluded:
            outcome, shown = Verdict.INCONCLUSIVE, f"{shown}. Not reproduced, but {unexcluded}"
    said = "; ".join(f"{name}: {_WORDS[side]}" for name, side in sides.items())
    missing = dict.fromkeys(name.split(",")[0] for name, one, whole in parts if one is None or not whole)
    lacks = f". Runs are missing of {main}: {how_to_run(study, scale)}" if missing.pop(main, True) is None else ""
    if missing:
        lacks += f". Not every peer was run under {', '.join(missing)}: {how_to_run(others or study, LARGEST)} runs all"
    decided = outcome in (Verdict.REFUTED, Verdict.DEPENDS)
    open_ = {"undecided": why(*parts[0][1:], list(sides.values()))} if outcome is Verdict.INCONCLUSIVE else {}
    return Evidence(
        outcome,
        f"{shown}. By {by}: {said}{lacks} (scale {scale})",
        {"level": level, "scale": scale, "outcomes": sides, **numbers, **places, **open_},
        clearest([one for _, one, _ in parts if one is not None], null) if decided else None,
    )


def clearest(several: Sequence[Judged], null: float | None = None) -> dict[str, Any] | None:
    """Of all comparisons that refute, under every circumstance and measure, the one of the largest
    `theory_checks.readings.clearness`, with all that `theory_checks.readings.replay` needs; None where none refutes.
    For differences `null` is zero: beyond a margin lies also what cannot be better by so much."""
    refuting = [(place.comparison, one) for one in several for place in one.places if place.refutes]
    if not refuting:
        return None
    comparison, one = max(refuting, key=lambda found: clearness(found[0], null))
    rule = {"test": one.rule.test, "band": comparison.limit, "level": one.level}
    return {"comparison": comparison.name, **rule, "samples": comparison.pooled}


def why(main: Judged | None, whole: bool, outcomes: Sequence[int]) -> dict[str, Any]:
    """Why they do not decide: runs of the main circumstance missing, reversed under some, or what is said of it."""
    if main is None or not whole:
        return {"kind": str(Kind.TOO_FEW)}
    return {"kind": str(Kind.REVERSED)} if min(outcomes) < 0 else main.undecided()


def how_to_run(study: str, scale: str) -> str:
    """The command that computes what is missing."""
    return f"python -m experiments run --only {study} --scale {scale}"
