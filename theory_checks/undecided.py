"""Why a comparison is inconclusive: one of three kinds, which the pages show beside the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any

import numpy as np

from theory_checks.sides import Band, Test, lies


class Kind(StrEnum):
    """What an inconclusive reading found."""

    REVERSED = "reversed here"
    """Significantly the reverse somewhere, but that does not refute: the paper leaves open what it hangs on."""
    NO_DIFFERENCE = "no difference of the size that matters"
    """As many runs as find the smallest effect that matters with power 0.9, and none was found."""
    TOO_FEW = "too few runs"
    """Fewer runs than that; `needs` says how many it takes, where that is known."""
    WITHHELD = "withheld"
    """No verdict whatever was found, for the reason that the summary gives."""


def undecided(
    samples: Iterable[tuple[np.ndarray, Band]],
    repetitions: Callable[[float, float], int],
    level: float,
    test: Test = "wilcoxon",
) -> dict[str, Any]:
    """The kind, and for too few runs how many it takes, as the numbers of the evidence hold them.

    Args:
        samples: the differences (n,) of each comparison, and the band in which they are claimed to lie.
        repetitions: of a standard deviation and a level, the pairs that find the smallest effect that matters
            (`theory_checks.readings.Rule.repetitions`).
        level: of the tests.
        test: by which they are judged.
    """
    needs, fewer, reverse = 0, False, False
    for values, band in samples:
        reverse |= lies(values, band, level, test) < 0
        wanted = repetitions(float(np.std(values, ddof=1)), level) if len(values) > 1 else 0
        fewer |= len(values) < max(wanted, 2)
        needs = max(needs, wanted)
    if reverse:
        return {"kind": str(Kind.REVERSED)}
    if fewer:
        return {"kind": str(Kind.TOO_FEW)} | ({"needs": needs} if needs else {})
    return {"kind": str(Kind.NO_DIFFERENCE)}
