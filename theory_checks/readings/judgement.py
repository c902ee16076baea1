"""Claims on two methods, and their judgement by paired samples: one comparison, then several.

A comparison has one of four states. Where the estimate lies beyond the smallest effect that matters, the comparison
*holds*, at `SUPPORT`, or is *opposite*, at the claim's own level. It is *level* where that effect is excluded, and
*open* otherwise. A smaller effect makes no comparison hold or be opposite, whatever the p-value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Literal

from theory_checks.readings.statistics import Middle, Samples, Test, middle, moved, p_above, p_below, seeds_needed

SUPPORT = 0.05
"""Level of each one-sided test in favour of a claim; the comparisons of a claim share this level to exclude its
effect."""


class State(StrEnum):
    """The answer of the samples to a comparison, or to all comparisons of a setting."""

    HOLDS = "holds"
    LEVEL = "level"
    """One comparison excludes the effect; several do not hold together, and fewer than half are opposite."""
    OPPOSITE = "opposite"
    OPEN = "open"
    """Too few runs to tell."""


@dataclass(frozen=True)
class Bounds:
    """Limits of an advantage a: the claim holds where a > `holds` and the estimate is at least `holds_from`; it is
    opposite where a < `opposite` and the estimate is at most `opposite_from`; it is level where a < `level`, unless
    `level` is None.
    """

    holds: float
    holds_from: float
    level: float | None
    opposite: float
    opposite_from: float


Kind = Literal["better", "better by", "not worse", "similar"]


@dataclass(frozen=True)
class Claimed:
    """The claim on an advantage, in the unit of its measure.

    Args:
        kind: "better", by at least the smallest effect; "better by" the margin; "not worse" by more than the margin
        (competitive, comparable); "similar", within the margin on both sides.
        size: the smallest effect that matters, or the margin; positive.
    """

    kind: Kind
    size: float

    @property
    def bounds(self) -> Bounds:
        """The bounds of the one-sided kinds; "similar" has those of "not worse" on either side."""
        size = self.size
        if self.kind == "better":
            return Bounds(0.0, size, size, 0.0, -size)
        if self.kind == "better by":
            return Bounds(size, size, size, 0.0, -size)
        return Bounds(-size, -size, None, -size, -size)

    @property
    def true(self) -> float:
        """The advantage of positive controls, under which the claim clearly holds."""
        return {"better": 2.0, "better by": 3.0, "not worse": 1.0, "similar": 0.0}[self.kind] * self.size

    @property
    def false(self) -> float:
        """The advantage of controls, under which the claim is just false: none, or just beyond the margin."""
        return {"better": 0.0, "better by": 0.9, "not worse": -1.1, "similar": -1.1}[self.kind] * self.size

    @property
    def reverse(self) -> float:
        """An advantage under which the opposite is true, by two or three sizes."""
        return {"better": -2.0, "better by": -2.0, "not worse": -3.0, "similar": -3.0}[self.kind] * self.size


@dataclass(frozen=True)
class Comparison:
    """Paired advantages of one method over another by problem, and the claim on their middle."""

    name: str
    samples: Samples
    claimed: Claimed
    test: Test

    @cached_property
    def middle(self) -> Middle:
        """The estimate and its 95 % interval."""
        return middle(self.samples, self.test)

    @property
    def seeds(self) -> int:
        """The fewest seeds of a problem."""
        return min(len(values) for values in self.samples.values())

    def state(self, opposite: float, excluded: float, support: float = SUPPORT) -> State:
        """The state by one-sided tests at these levels."""
        if self.claimed.kind == "similar":
            states = [one.state(opposite, excluded, support) for one in self._sides]
            beyond = State.OPPOSITE in states
            return State.OPPOSITE if beyond else State.HOLDS if set(states) == {State.HOLDS} else State.OPEN
        bounds, estimate = self.claimed.bounds, self.middle.estimate
        if estimate >= bounds.holds_from and p_above(self.samples, bounds.holds, self.test) <= support:
            return State.HOLDS
        if estimate <= bounds.opposite_from and p_below(self.samples, bounds.opposite, self.test) <= opposite:
            return State.OPPOSITE
        if bounds.level is not None and p_below(self.samples, bounds.level, self.test) <= excluded:
            return State.LEVEL
        return State.OPEN

    @property
    def _sides(self) -> list[Comparison]:
        """The two comparisons that "similar" consists of: neither method is worse than the other."""
        claimed = Claimed("not worse", self.claimed.size)
        back = {name: -values for name, values in self.samples.items()}
        return [replace(self, claimed=claimed, samples=one) for one in (self.samples, back)]

    def wanted(self, level: float) -> int:
        """Seeds a problem that find the claimed size, at this level, with power 0.9, for a plan without estimates."""
        return seeds_needed(self.samples, self.claimed.size, level, self.test)

    def prospect(self, opposite: float, excluded: float, support: float = SUPPORT) -> tuple[int, State]:
        """If the estimate of an open comparison is the truth: the seeds a problem that decide with power 0.9, at least
        one more than there are, and the state that they give; (0, open) without an estimate, and for one on its
        bound."""
        if self.claimed.kind == "similar":
            worse = min(self._sides, key=lambda one: one.middle.estimate)
            return worse.prospect(opposite, excluded, support)
        bounds, estimate = self.claimed.bounds, self.middle.estimate
        if estimate >= bounds.holds_from:
            state, tests = State.HOLDS, [(bounds.holds, support), (bounds.holds_from, 0.5)]
        elif bounds.level is not None:
            state, tests = State.LEVEL, [(bounds.level, excluded)]
        else:
            state, tests = State.OPPOSITE, [(bounds.opposite, opposite)]
        if math.isnan(estimate) or any(estimate == bound for bound, _ in tests):
            return 0, State.OPEN
        needed = [seeds_needed(self.samples, abs(estimate - bound), level, self.test) for bound, level in tests]
        return max(*needed, self.seeds + 1), state

    def moved(self, truth: str) -> Comparison:
        """The comparison with the same spread about another truth: `Claimed.true`, `false` or `reverse`."""
        return replace(self, samples=moved(self.samples, getattr(self.claimed, truth), self.test))


Quantifier = Literal["every", "most", "some"]
Groups = Mapping[str, Sequence[Comparison]]
"""Comparisons by group: a group holds where all of its comparisons hold; the quantifier is over groups."""


@dataclass(frozen=True)
class Levels:
    """The levels of one claim with this share of the ledger's error and this number of comparisons."""

    share: float
    comparisons: int

    @property
    def opposite(self) -> float:
        """The level of a test that calls one comparison opposite."""
        return self.share / self.comparisons

    @property
    def excluded(self) -> float:
        """The level of a test that excludes the smallest effect of one comparison."""
        return SUPPORT / self.comparisons


def together(states: Sequence[State], quantifier: Quantifier) -> State:
    """The state of several comparisons, or of several groups, together.

    "every": holds where all hold; opposite where at least half are; level where one is level or opposite. "most": holds
    where more than half hold, fails where at least half fail. "some": holds where one does, fails where all fail.
    A group that fails is opposite where at least half are opposite ("some": all), and level otherwise.
    """
    count = len(states)
    held, reverse = states.count(State.HOLDS), states.count(State.OPPOSITE)
    failed = states.count(State.LEVEL) + reverse
    enough = {"every": count, "most": count // 2 + 1, "some": 1}[quantifier]
    if held >= enough:
        return State.HOLDS
    if held + (count - held - failed) >= enough:
        return State.OPEN
    return State.OPPOSITE if reverse >= (count if quantifier == "some" else math.ceil(count / 2)) else State.LEVEL


def support_level(groups: Groups, quantifier: Quantifier, absent: Sequence[str] = ()) -> float:
    """The level of a test in favour of one comparison. Where one group is enough ("some"), the groups share it."""
    return SUPPORT / len({*groups, *absent}) if quantifier == "some" else SUPPORT


def whole(groups: Groups, states: Mapping[str, State], quantifier: Quantifier, absent: Sequence[str] = ()) -> State:
    """The state of all groups together from those of their comparisons. Comparisons without runs, of which `absent`
    names the groups, are open."""
    grouped = [
        together([*(states[one.name] for one in groups.get(name, ())), *(State.OPEN,) * absent.count(name)], "every")
        for name in dict.fromkeys((*groups, *absent))
    ]
    return together(grouped, quantifier)


def judge(
    groups: Groups, quantifier: Quantifier, levels: Levels, absent: Sequence[str] = ()
) -> tuple[State, dict[str, State]]:
    """The state of all groups together (:func:`whole`), and of each comparison by name."""
    level = support_level(groups, quantifier, absent)
    states = {
        one.name: one.state(levels.opposite, levels.excluded, level) for group in groups.values() for one in group
    }
    return whole(groups, states, quantifier, absent), states
