"""A sentence on the regret curves that speaks of some panel, not of all: "may".

Under one circumstance (settings of our methods and of the peer) it is *shown* where on some panel all of our methods
lie significantly inside the band, and *excluded* where on every panel one of them lies significantly outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from theory_checks import inputs
from theory_checks.boke.instruments.regret_sentences import RULE, SWEEP, Circumstance, Sentence, circumstances
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.readings import SUPPORT
from theory_checks.sides import Band, described, lies
from theory_checks.undecided import Kind, undecided

Panels = Mapping[str, Mapping[str, np.ndarray]]
"""Problem → method → (seeds,) log10 ratios."""


def by_panel(one: Circumstance) -> Panels:
    """The ratios of a circumstance by panel."""
    panels: dict[str, dict[str, np.ndarray]] = {}
    for (method, problem), values in one.samples.items():
        panels.setdefault(problem, {})[method] = values
    return panels


def shown_on(panels: Panels, band: Band, error: float) -> list[str]:
    """The panels on which all methods lie inside; `error`, of saying so wrongly of one, is shared by the panels."""
    share = 2 * error / len(panels)
    return [
        name for name, methods in panels.items() if all(lies(values, band, share) > 0 for values in methods.values())
    ]


def excluded(panels: Panels, band: Band, limit: float) -> dict[str, np.ndarray] | None:
    """Panel → ratios of a method that lie outside, at this level; None where a panel has no such method."""
    found = {}
    for name, methods in panels.items():
        outside = next((values for values in methods.values() if lies(values, band, limit) < 0), None)
        if outside is None:
            return None
        found[name] = outside
    return found


def existing(sentence: Sentence, scale: str, alone: bool) -> Evidence:
    """Is there a panel on which all of `ours` lie inside the band? With our constants `alone`, or under every setting.

    Refuted where it is excluded under every circumstance (others than ours among them, unless `alone`); the panels that
    this is used on have one version.
    """
    limit, band = level("A"), sentence.band
    every = list(circumstances(sentence, scale))
    version = every[0].version
    tried = {one.name: by_panel(one) for one in every if one.version == version and (one.chosen or not alone)}
    (ours,) = (name for name in tried if next(one for one in every if one.name == name).chosen)
    shown = {name: shown_on(panels, band, SUPPORT / len(tried)) for name, panels in tried.items()}
    outside = {name: rows for name, panels in tried.items() if (rows := excluded(panels, band, limit)) is not None}
    at_ours = shown_on(tried[ours], band, SUPPORT)
    summary = _said(sentence, tried[ours], scale)
    numbers: dict[str, Any] = {"level": limit, "shown_on": at_ours}
    numbers |= {name: described(methods) for name, methods in tried[ours].items()}
    if not alone:
        held = [name for name, panels in shown.items() if panels]
        numbers |= {"circumstances": len(tried), "shown": held, "excluded": len(outside)}
        summary += f"; of {len(tried)} circumstances it is shown under {len(held)}, excluded under {len(outside)}"
    if len(outside) == len(tried) > int(not alone):
        samples = {f"{name}, {panel}": rows[panel] for name, rows in outside.items() for panel in rows}
        counterexample = {"comparison": sentence.peer, "test": RULE.test, "band": band, "level": limit}
        return Evidence(Verdict.REFUTED, summary, numbers, counterexample | {"circumstances": samples})
    if at_ours and not outside:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    if any(shown.values()) and outside:
        return Evidence(Verdict.DEPENDS, summary, numbers)
    numbers["undecided"] = {"kind": str(Kind.REVERSED)} if outside else _undecided(tried[ours], band, limit)
    if alone:
        return Evidence(Verdict.INCONCLUSIVE, f"{summary}: shown on no panel, not excluded on all", numbers)
    if len(tried) == 1:
        summary += f"; no other constants were tried: {inputs.how_to_get(SWEEP, scale)}"
    return Evidence(Verdict.INCONCLUSIVE, summary, numbers)


def _undecided(panels: Panels, band: Band, limit: float) -> dict[str, Any]:
    """Why it is neither shown nor excluded: of the comparisons that lie neither inside nor outside."""
    every = [values for methods in panels.values() for values in methods.values()]
    return undecided([(one, band) for one in every if lies(one, band, limit) == 0], RULE.repetitions, limit)


def _said(sentence: Sentence, panels: Panels, scale: str) -> str:
    """The peer's median regrets over ours, with our constants."""
    medians = {
        name: ", ".join(f"{10 ** -float(np.median(values)):.2g} ({method})" for method, values in methods.items())
        for name, methods in panels.items()
    }
    text = "; ".join(f"{name} {each}" for name, each in medians.items())
    return f"median regret of {sentence.peer} relative to that of each method: {text} (scale {scale})"
