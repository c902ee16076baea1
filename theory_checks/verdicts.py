"""The answer of a check: a verdict, one sentence, and the numbers behind it.

Theory and experiments have words of their own: :class:`Verdict` and :class:`Outcome`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = ["Evidence", "Kind", "Outcome", "Verdict", "plain"]


class Verdict(StrEnum):
    """The answer of the evidence to a statement of mathematics: printed, implied, or a repair of ours."""

    PROVED = "proved"
    """Supported, and a certificate that the checker verifies proves it (`theory_checks.certificates`); no check returns
    it."""
    SUPPORTED = "supported"
    """The strongest search we could afford found no violation and could have found one; there is no proof."""
    REFUTED = "refuted"
    """A concrete counterexample satisfies the hypotheses as printed; it is stored and can be replayed."""
    VACUOUS = "vacuous"
    """No violation, but the bound is weaker than the trivial one in every regime tried."""
    DEPENDS = "depends"
    """True with and false without a hypothesis that the paper does not state; both are exhibited."""
    UNDECIDED = "undecided"
    """Too little was computed to tell; the summary says what it takes."""


class Outcome(StrEnum):
    """The answer of stored runs to a sentence on an experiment: a figure, a table, a remark on results.

    Constants that a paper does not print are its authors' to choose, so that no run of ours refutes the sentence.
    """

    REPRODUCED = "reproduced"
    """The sentence holds at the declared default and in at least half of the settings, and is opposite in fewer than 5
    %."""
    NOT_REPRODUCED = "not reproduced"
    """The sentence holds in fewer than 5 % of the settings: the methods are level, or differ by less than
    what matters."""
    OPPOSITE = "opposite"
    """The sentence holds in fewer than 5 % of the settings, and the reverse, by more than what matters, in at least
    half."""
    UNDETERMINED = "undetermined"
    """The choices that the paper leaves open decide; the shares of settings say how."""
    UNDECIDED = "undecided"
    """Too few runs; the summary says how many it takes."""
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
