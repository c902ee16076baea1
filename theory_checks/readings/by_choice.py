"""The number of sentences that hold at each choice of one open question, by the measure that each figure plots."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from theory_checks.readings.charitable import Numbers, most_charitable
from theory_checks.readings.judgement import State

__all__ = ["Choice", "best", "by_choice"]


@dataclass(frozen=True)
class Choice:
    """One choice of the question.

    Attributes:
        name: the choice.
        states: state -> readings, all other questions at their declared defaults.
        left_out: the number of readings that are not admitted, since a method is behind random search.
        at_once: the largest number of readings that hold together under one choice of the other questions.
    """

    name: str
    states: Mapping[State, int]
    left_out: int
    at_once: int

    @property
    def holds(self) -> int:
        """The number of readings that hold, all other questions at their defaults."""
        return self.states[State.HOLDS]


def by_choice(evidence: Mapping[str, Numbers], question: str) -> list[Choice]:
    """The choices of a question that all of these readings ask, the declared default first.

    Args:
        evidence: reading -> numbers of its evidence, `Curve.numbers`.
        question: a question that each of the readings asks.
    """
    names = {choice: None for numbers in evidence.values() for choice in _choices(numbers, question)}
    return [_judged(evidence, question, name) for name in names]


def best(found: list[Choice]) -> Choice:
    """The choice under which most readings hold at the other defaults; among equals the choice with fewer opposites,
    then the first."""
    return min(found, key=lambda one: (-one.holds, one.states[State.OPPOSITE]))


def _choices(numbers: Numbers, question: str) -> list[str]:
    place = list(numbers["questions"]).index(question)
    return list(dict.fromkeys([numbers["default"]["choices"][question], *(row[place] for row in numbers["curve"])]))


def _judged(evidence: Mapping[str, Numbers], question: str, name: str) -> Choice:
    states: Counter[State] = Counter()
    narrowed: dict[str, Numbers] = {}
    for reading, numbers in evidence.items():
        questions, default = list(numbers["questions"]), numbers["default"]
        place, wanted = questions.index(question), {**default["choices"], question: name}
        rows = [row for row in numbers["curve"] if row[place] == name]
        states.update(State(row[len(questions)]) for row in rows if dict(zip(questions, row, strict=False)) == wanted)
        narrowed[reading] = {**numbers, "curve": rows}
    together = most_charitable(narrowed) if any(one["curve"] for one in narrowed.values()) else None
    return Choice(name, states, len(evidence) - states.total(), len(together.holds) if together else 0)
