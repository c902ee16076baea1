"""The specification curve of a reading: its state under every admitted setting of the questions that its paper leaves
open.

A setting is one choice for each open question: a constant of either side, a version of a problem, a measure. The shares
of the states make the verdict. References: Steegen, Tuerlinckx, Gelman and Vanpaemel (2016), Perspectives on
Psychological Science 11; Simonsohn, Simmons and Nelson (2020), Nature Human Behaviour 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from theory_checks.ledger import Outcome
from theory_checks.readings.judgement import Groups, Levels, Quantifier, State, judge, support_level, whole

FEW = 0.05
"""A smaller share of settings counts as exceptions."""
HALF = 0.5


@dataclass(frozen=True)
class Setting:
    """One setting with its comparisons.

    Args:
        choices: open question -> choice.
        groups: comparisons, by group; empty where runs are missing.
        left_out: the reason why the setting is not admitted; "" where it is admitted.
        missing: the command that computes missing runs; "" where none are missing.
        absent: for each comparison without runs the name of its group; such comparisons are open, and the others may
        decide without them.
    """

    choices: Mapping[str, str]
    groups: Groups = field(default_factory=dict)
    left_out: str = ""
    missing: str = ""
    absent: Sequence[str] = ()

    def moved(self, truth: str) -> Setting:
        """The setting with every comparison moved to another truth: "true", "false" or "reverse"."""
        groups = {name: [one.moved(truth) for one in group] for name, group in self.groups.items()}
        return replace(self, groups=groups)


@dataclass(frozen=True)
class Point:
    """A setting on the curve.

    Attributes:
        setting: the setting.
        state: the state of all comparisons together.
        states: comparison -> state.
        prospects: (seeds a problem, the setting's state at so many if the estimates are the truth), by seeds.
    """

    setting: Setting
    state: State
    states: Mapping[str, State]
    prospects: Sequence[tuple[int, State]] = ()

    def at(self, seeds: int) -> State:
        """The state at so many seeds a problem, if the estimates are the truth."""
        return next((state for least, state in reversed(self.prospects) if least <= seeds), self.state)

    @property
    def advantages(self) -> list[float]:
        """The estimates of all comparisons, in the unit of the measure."""
        return [one.middle.estimate for group in self.setting.groups.values() for one in group]


def placed(setting: Setting, quantifier: Quantifier, share: float, fewest: int) -> Point:
    """The judged setting, which is open without runs, or where a problem has fewer than `fewest` seeds."""
    every = [one for group in setting.groups.values() for one in group]
    levels = Levels(share, max(len(every) + len(setting.absent), 1))
    if not every or min(one.seeds for one in every) < fewest:
        state, states = State.OPEN, dict.fromkeys((one.name for one in every), State.OPEN)
    else:
        state, states = judge(setting.groups, quantifier, levels, setting.absent)
    level = support_level(setting.groups, quantifier, setting.absent)
    found = [
        (max(seeds, fewest), one.name, end)
        for one in every
        if states[one.name] is State.OPEN
        for seeds, end in [one.prospect(levels.opposite, levels.excluded, level)]
        if end is not State.OPEN
    ]
    reached, prospects = dict(states), []
    for seeds, name, end in sorted(found):
        reached[name] = end
        prospects.append((seeds, whole(setting.groups, reached, quantifier, setting.absent)))
    return Point(setting, state, states, prospects)


def outcome(states: Sequence[State]) -> Outcome:
    """The verdict from the states of the admitted settings, the declared default first.

    Reproduced: the default holds, at least half of the settings hold, fewer than 5 % are opposite. Opposite: fewer than
    5 % hold, at least half are opposite. Not reproduced: fewer than 5 % hold, fewer than half are opposite.
    Undetermined: anything else. Undecided: open settings could change the verdict, or all settings are open.
    """
    if all(state is State.OPEN for state in states):
        return Outcome.UNDECIDED
    filled = {tuple(end if state is State.OPEN else state for state in states) for end in _ENDS}
    found = {_decided(each) for each in filled}
    return found.pop() if len(found) == 1 else Outcome.UNDECIDED


_ENDS = (State.HOLDS, State.LEVEL, State.OPPOSITE)
"""The possible ends of the open settings. If the verdict is the same when all open settings come to each end, no
mixture of ends changes the verdict: each verdict is a convex set of shares, or the rest when no end reaches another
verdict.
"""


def _decided(states: Sequence[State]) -> Outcome:
    holds, opposite = (sum(one is state for one in states) / len(states) for state in (State.HOLDS, State.OPPOSITE))
    if states[0] is State.HOLDS and holds >= HALF and opposite < FEW:
        return Outcome.REPRODUCED
    if holds < FEW:
        return Outcome.OPPOSITE if opposite >= HALF else Outcome.NOT_REPRODUCED
    return Outcome.UNDETERMINED


@dataclass(frozen=True)
class Curve:
    """All judged settings of a reading, the declared default first, and the settings that are left out."""

    points: Sequence[Point]
    left_out: Sequence[Setting]

    @property
    def default(self) -> Point:
        """The declared setting."""
        return self.points[0]

    @property
    def verdict(self) -> Outcome:
        """See :func:`outcome`."""
        return outcome([point.state for point in self.points])

    @property
    def shares(self) -> dict[str, float]:
        """State -> share of the admitted settings."""
        counts = Counter(point.state for point in self.points)
        return {str(state): counts[state] / len(self.points) for state in State}

    @property
    def needs(self) -> int:
        """The fewest seeds a problem that decide the verdict if the estimates are the truth; 0 where none do."""
        counts = sorted({seeds for point in self.points for seeds, _ in point.prospects})
        verdicts = (outcome([point.at(seeds) for point in self.points]) for seeds in counts)
        return next((n for n, one in zip(counts, verdicts, strict=True) if one is not Outcome.UNDECIDED), 0)

    def numbers(self) -> dict[str, Any]:
        """The numbers for pages and pictures, as JSON: shares, the default's comparisons, every setting."""
        questions = list(dict.fromkeys(name for point in self.points for name in point.setting.choices))
        default = {
            one.name: {
                "advantage": list(one.middle),
                "state": str(self.default.states[one.name]),
                "seeds": one.seeds,
                "problems": {name: float(np.mean(values)) for name, values in one.samples.items()},
            }
            for group in self.default.setting.groups.values()
            for one in group
        }
        rows = [
            [*(point.setting.choices.get(name, "") for name in questions), str(point.state), _spread(point.advantages)]
            for point in self.points
        ]
        return {
            "settings": len(self.points),
            "shares": self.shares,
            "default": {"state": str(self.default.state), "choices": dict(self.default.setting.choices), **default},
            "left_out": dict(Counter(one.left_out for one in self.left_out)),
            "questions": questions,
            "curve": rows,
            **({"needs": needs} if self.verdict is Outcome.UNDECIDED and (needs := self.needs) else {}),
        }


def _spread(advantages: Sequence[float]) -> list[float]:
    """Least, mean and greatest advantage of a setting's comparisons, in three digits; empty without any."""
    if not advantages:
        return []
    return [float(f"{value:.3g}") for value in (min(advantages), float(np.mean(advantages)), max(advantages))]
