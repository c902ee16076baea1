"""The answer of a check: a verdict, one sentence, and the numbers behind it.

Theory uses the words of :class:`Verdict`, experiments those of :class:`Outcome`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = ["Evidence", "Kind", "Outcome", "Verdict", "plain"]


class Verdict(StrEnum):
    """The verdict on a statement of mathematics, which is printed, implied, or our repair."""

    PROVED = "proved"
    """Supported, and a certificate that the checker verifies proves it (`theory_checks.certificates`); no check returns
    it."""
    SUPPORTED = "supported"
    """The search found no violation, and finds one in the false variant; there is no proof."""
    REFUTED = "refuted"
    """A formal statement, or a sentence with one meaning, is false as printed: a concrete counterexample satisfies the
    printed hypotheses, is stored and can be replayed. A repair states the hypothesis that is missing."""
    VACUOUS = "vacuous"
    """No violation, but the bound is weaker than the trivial one in every regime tried."""
    DEPENDS = "depends"
    """A sentence is true in one sense, or for one choice that the paper leaves open, and false in another; both are
    exhibited."""
    UNDECIDED = "undecided"
    """The computations do not suffice; the summary says what is missing."""


class Outcome(StrEnum):
    """The verdict of stored runs on a sentence about an experiment: a figure, a table, a remark on results.

    No run of ours refutes such a sentence, since the authors chose constants that the paper does not print.
    """

    REPRODUCED = "reproduced"
    """The sentence holds at the declared default and in at least half of the settings, and is opposite in fewer than 5
    %."""
    NOT_REPRODUCED = "not reproduced"
    """The sentence holds in fewer than 5 % of the settings, and the reverse in fewer than half."""
    OPPOSITE = "opposite"
    """The sentence holds in fewer than 5 % of the settings, and the reverse, beyond the margin, in at least half."""
    UNDETERMINED = "undetermined"
    """The verdict depends on choices that the paper leaves open; the shares of settings say how."""
    UNDECIDED = "undecided"
    """There are too few runs; the summary says how many are needed."""
    NOT_RUN = "not run"
    """No results are stored; the summary says which command computes them."""


class Kind(StrEnum):
    """The vocabulary of a claim's verdict."""

    THEORY = "theory"
    EXPERIMENT = "experiment"


def plain(value: Any) -> Any:
    """`value` as JSON can hold it: arrays become lists, non-finite floats the strings "inf", "-inf", "nan"."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return str(value) if isinstance(value, StrEnum) else value
    if hasattr(value, "tolist"):  # numpy and jax arrays and scalars
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return value
    raise TypeError(f"evidence must be made of numbers, text, lists and mappings, not {type(value).__name__}")


@dataclass(frozen=True)
class Evidence:
    """The findings of a check: the verdict, one sentence, the numbers behind it, and the counterexample if there is
    one."""

    verdict: Verdict | Outcome
    summary: str
    numbers: Mapping[str, Any] = field(default_factory=dict)
    counterexample: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.verdict, Verdict | Outcome):
            raise ValueError(f"verdict must be a Verdict or an Outcome, not {self.verdict!r}")
        object.__setattr__(self, "numbers", plain(self.numbers))
        object.__setattr__(self, "counterexample", plain(self.counterexample))
