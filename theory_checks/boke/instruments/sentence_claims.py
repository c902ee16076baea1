"""Claims on regret curves: a sentence as printed, and its twin (`..._here`), which speaks of our constants alone.

A variant of a claim compares otherwise: `ours`, `peer` and `study` are those of the sentence, `factor` is the one below
which the ratio of regrets is claimed to lie, `alone` asks of our constants only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from theory_checks.boke.instruments.regret_sentences import Sentence, here, printed
from theory_checks.ledger import Claim, Evidence, Origin
from theory_checks.readings import declared
from theory_checks.sides import below

Judge = Callable[[Sentence, str, bool], Evidence]
"""Of a sentence, the scale, and whether our constants alone are asked of."""

BOTH = ("boke", "boke_plus")
OPEN = """Circumstances: both versions, our constants and those of the sweep on these very functions, of either side.
    Supported if it holds with our constants on both versions and is reversed under no circumstance; depends if it holds
    under one (0.05 shared by all) and is reversed under another; refuted if reversed under every one, others than ours
    among them; otherwise inconclusive."""
SETTLED = "Our constants: supported if it holds on both versions, refuted if reversed on one, otherwise inconclusive."


def judged(sentence: Sentence, scale: str, alone: bool) -> Evidence:
    """Under every circumstance that was tried, or with our constants alone."""
    return here(sentence, scale) if alone else printed(sentence, scale)


def varied(sentence: Sentence, *, factor: float | None = None, **changed: Any) -> Sentence:
    """The sentence with other methods or another figure, or claimed below another factor."""
    band = sentence.band if factor is None else below(math.log10(factor))
    return replace(sentence, band=band, **changed)


def sentence_claim(
    sentence: Sentence, about: str, module: str, *, judge: Judge = judged, alone: bool = False, **fields: Any
) -> Claim:
    """One claim on a sentence, of our constants `alone` or not; `fields` are those of a reading."""

    def check(scale: str, *, alone: bool = alone, **variant: Any) -> Evidence:
        return judge(varied(sentence, **variant), scale, alone)

    return declared(check, about, module, paper="A", **fields)


def with_twin(
    sentence: Sentence,
    about: str,
    module: str,
    *,
    id: str,
    number: str,
    says: str,
    hypotheses: Sequence[str],
    rule: str,
    control: Mapping[str, Any],
    control_statement: str,
    tests: tuple[int, int],
    needs: Sequence[str],
    positive: Mapping[str, Any],
    positive_statement: str,
    positive_scale: str = "",
    more: Sequence[str] = (),
    amended: str = "",
    amended_twin: str = "",
    severity: str | None = None,
    judge: Judge = judged,
    verdicts: tuple[str, str] = (OPEN, SETTLED),
) -> tuple[Claim, Claim]:
    """The claim as printed, and its twin.

    Args:
        sentence: what is judged.
        about: in a few words, the check's docstring.
        module: of the two claims.
        id: of the first.
        number: of the first: figure, section.
        says: the sentence's words, without the full stop.
        hypotheses: of both.
        rule: how what is measured is judged under one circumstance.
        control: the variant that both must refute; it is asked of our constants alone.
        control_statement: what that says.
        tests: of the two.
        needs: the figure's study, then the sweep's, which the twin does not read.
        positive: the variant that the twin must not refute.
        positive_statement: what that says.
        positive_scale: where the first reads it, if not where its other control is read.
        more: studies that the twin alone reads, besides the figure's.
        amended: of the first.
        amended_twin: of the twin.
        severity: what the refutation of the first costs, where it is refuted; the twin's costs the paper nothing.
        judge: how the sentence is judged.
        verdicts: how the circumstances make a verdict, of the two.
    """
    shared: dict[str, Any] = {"judge": judge, "hypotheses": hypotheses}
    first = sentence_claim(
        sentence,
        about,
        module,
        id=id,
        number=number,
        statement=f"{says}.",
        rule=f"{rule} {verdicts[0]}",
        control={**control, "alone": True},
        control_statement=f"With our constants {control_statement[0].lower()}{control_statement[1:]}",
        tests=tests[0],
        needs=needs,
        amended=amended,
        severity=severity,
        positive={**positive, "alone": True},
        positive_statement=f"With our constants {positive_statement}",
        positive_scale=positive_scale,
        **shared,
    )
    twin = sentence_claim(
        sentence,
        about,
        module,
        alone=True,
        id=f"{id}_here",
        number=f"{number.split(',')[0]}, as run here",
        statement=f"With our constants (docs/constants.md): {says}.",
        rule=f"{rule} {verdicts[1]}",
        control=control,
        control_statement=control_statement,
        tests=tests[1],
        needs=(*needs[:1], *more),
        amended=amended_twin,
        origin=Origin.HERE,
        positive=positive,
        positive_statement=positive_statement,
        **shared,
    )
    return first, twin
