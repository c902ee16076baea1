"""A certificate: the claim that it settles, the argument in words, and the steps that the checker verifies."""

from dataclasses import dataclass
from enum import StrEnum

from theory_checks.certificates.checker import Step


class Settles(StrEnum):
    """The verdict that a verified certificate gives its claim."""

    PROVED = "proved"
    """The statement follows from its hypotheses."""
    REFUTED = "refuted"
    """The statement fails under all of its printed hypotheses."""


@dataclass(frozen=True)
class Certificate:
    """The proof or the refutation of one claim.

    `argument` is the written part, sentence by sentence, which no machine checks. `steps` are all computations that the
    argument uses, which the checker verifies. `assumes` states suppositions beyond the printed hypotheses, or the way
    in which the hypotheses are read; it is empty without any.
    """

    claim: str
    settles: Settles
    argument: tuple[str, ...]
    steps: tuple[Step, ...]
    assumes: str = ""

    @property
    def kind(self) -> str:
        """The classes of the steps, by name, in the order of their first use."""
        return ", ".join(dict.fromkeys(type(step).__name__ for step in self.steps))

    def verify(self) -> None:
        """Raises `Unverified` where a step is not confirmed."""
        for step in self.steps:
            step.verify()


def refutation(claim: str, *argument: str, steps: tuple[Step, ...], assumes: str = "") -> Certificate:
    """A certificate that the claim is false."""
    return Certificate(claim, Settles.REFUTED, argument, steps, assumes)


def proof(claim: str, *argument: str, steps: tuple[Step, ...], assumes: str = "") -> Certificate:
    """A certificate that the claim is true."""
    return Certificate(claim, Settles.PROVED, argument, steps, assumes)
