"""Claims that order UHE-BO and its peers by their regrets or errors at the end of runs, problem by problem.

A variant of a claim has another `lead` (by how much better), or is `settled`: about the figure's runs that are stored,
whatever their reading.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from theory_checks.ledger import Claim, Evidence, Severity
from theory_checks.readings import declared
from theory_checks.uhe.instruments.comparison import (
    ARMS,
    FIGURE,
    MARGIN,
    OURS,
    Measure,
    Metric,
    circumstances,
    compare,
)

CLEARLY: Mapping[Measure, float] = {"mean": 0.3, "ratio": math.log10(3.0)}
"""Lead of the negative controls."""
CONTROL = {"lead": CLEARLY, "settled": True}


def comparison_claim(
    about: str,
    module: str,
    problems: Sequence[str],
    behind: Sequence[str],
    *,
    ahead: Sequence[str] = (),
    metric: Metric = "simple_regret",
    lead: Mapping[Measure, float] = MARGIN,
    study: str = FIGURE,
    arms: bool = False,
    **fields: Any,
) -> Claim:
    """UHE-BO's value lies below that of every method of `behind`, and above that of every one of `ahead`, by `lead`.

    With `arms` the readings of `experiments.uhe.fig2_arms` are circumstances too, and it takes one of them to refute.
    It counts one test a problem and peer; `fields` are those of a reading.
    """

    def check(scale: str, *, lead: Mapping[Measure, float] = lead, settled: bool = False) -> Evidence:
        others = arms and not settled
        found = circumstances(scale, problems, (OURS, *behind, *ahead), study, others)
        return compare(metric, problems, scale, behind, found, ahead, lead, settled, study, ARMS if others else "")

    shared: dict[str, Any] = {
        "paper": "D",
        "control": CONTROL,
        "severity": Severity.SUBSTANTIVE,
        "tests": len(problems) * len((*behind, *ahead)),
        "needs": (study, ARMS) if arms else (study,),
    }
    return declared(check, about, module, **shared | fields)
