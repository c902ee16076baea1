"""A sentence on the regret curves that speaks of some panel, not of all: "may"."""

from __future__ import annotations

import numpy as np

from theory_checks.boke.instruments.regret_sentences import RULE, Sentence, circumstances
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.readings import SUPPORT
from theory_checks.sides import described, lies


def existing(sentence: Sentence, scale: str) -> Evidence:
    """Is there a panel on which all of `ours` lie inside the band, with our constants?

    Supported if one is found, at 0.05 shared by the panels; refuted if on every panel one method lies significantly
    outside, at the ledger's level. The panels that it is used on have one version.
    """
    limit = level("A")
    chosen = next(one for one in circumstances(sentence, scale) if one.chosen)
    panels: dict[str, dict[str, np.ndarray]] = {}
    for (method, problem), values in chosen.samples.items():
        panels.setdefault(problem, {})[method] = values
    error = SUPPORT / len(panels)
    shown = [
        name
        for name, methods in panels.items()
        if all(lies(values, sentence.band, 2 * error) > 0 for values in methods.values())
    ]
    outside = {
        name: next((values for values in methods.values() if lies(values, sentence.band, limit) < 0), None)
        for name, methods in panels.items()
    }
    medians = {
        name: ", ".join(f"{10 ** -float(np.median(values)):.2g} ({method})" for method, values in methods.items())
        for name, methods in panels.items()
    }
    summary = f"median regret of {sentence.peer} relative to that of each method: "
    summary += "; ".join(f"{name} {text}" for name, text in medians.items()) + f" (scale {scale})"
    numbers = {"level": limit, "shown_on": shown} | {name: described(methods) for name, methods in panels.items()}
    if shown:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    if all(values is not None for values in outside.values()):
        counterexample = {"comparison": sentence.peer, "test": RULE.test, "band": sentence.band, "level": limit}
        return Evidence(Verdict.REFUTED, summary, numbers, counterexample | {"circumstances": outside})
    return Evidence(Verdict.INCONCLUSIVE, f"{summary}: shown on no panel, not excluded on all", numbers)
