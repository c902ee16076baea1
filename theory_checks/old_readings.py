"""The engine of readings: how paired comparisons become a verdict on what a figure or table is said to show.

A *comparison* holds paired differences by problem, the band in which they are claimed to lie and, where that is wider,
the band that is tolerated. It supports where they lie significantly inside the first and refutes where they lie
significantly outside the second. A *rule* says how the comparisons of a claim are put together:

- over problems: all pairs together (`pooled`); together to refute, problem by problem to support (`everywhere`); or
  problem by problem (`each`);
- over comparisons: support needs every one, refutation a single one;
- over sizes: where a claim says "better" and not by how much, the tolerated band may be *narrower* than the claimed
  one; what lies between their ends is a zone of indifference: a comparison refutes where an advantage of that size is
  excluded, unless it supports;
- over circumstances that the paper leaves open (arms, budgets, domains: comparisons of one name): a comparison refutes
  only where it does so under every one. It supports by its main circumstance or, where no main one is named, by any if
  it is reversed under none;
- where a reversal proves nothing since the paper leaves something open that was not varied, the reading is "not
  reproduced" (`Judged.evidence(open=...)`).

"Better than every peer on every problem", "equal" and "competitive" are judged by :func:`problem_by_problem`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from scipy import stats

from theory_checks import inputs, ledger
from theory_checks.ledger import Check, Claim, Evidence, Replay, Verdict
from theory_checks.pairs import Comparison, Undecided
from theory_checks.sides import Test, as_ratio, described, interval, lies
from theory_checks.undecided import Kind, undecided

FEWEST_SEEDS = 6
"""Readings of fewer seeds than this are inconclusive."""

LARGEST = "largest"
"""Controls are read at the largest scale of which results of every needed study are stored, whichever is run; those
that one scale alone has the methods or the seeds for are read there."""

_READ = {LARGEST: "read at the largest scale stored", "quick": "read at scale quick", "paper": "read at scale paper"}

POWER = 0.9
"""With which the repetitions that a rule asks for find its smallest effect."""

SUPPORT = 0.05
"""Probability of supporting a false intersection or equivalence claim, at most."""


EVERYWHERE = """Support asked all pairs at the ledger's level and every median on the claimed side, which ties
    prevent; after results of scale paper: each problem by itself at 0.05, as in the other readings. The verdict is the
    same under both."""
"""Of readings whose rule puts problems together `everywhere`, what was amended."""


@dataclass(frozen=True)
class Rule:
    """How comparisons become a verdict; see the head of this module.

    Args:
        effect: the smallest effect that matters, in units of the differences: how far beyond the claimed band the truth
            must lie for a refutation to be owed. It fixes the repetitions, not the verdict.
        test: of the median (Wilcoxon) or of the mean (Student).
        problems: how the problems of one comparison are put together.
        main: the circumstance that may support; None for any.
        support: the probability of supporting a claim that does not hold, each one-sided test being made at it; None
            for two-sided tests at the ledger's level, as for refutation, and for `SUPPORT` of problems `everywhere`.
        fewest: seeds below which nothing is said.
        unit: what a sample is.
    """

    effect: float
    test: Test = "wilcoxon"
    problems: Literal["pooled", "everywhere", "each"] = "pooled"
    main: str | None = None
    support: float | None = None
    fewest: int = FEWEST_SEEDS
    unit: str = "seeds"

    def repetitions(self, deviation: float, level: float) -> int:
        """Pairs of a comparison, with differences of this standard deviation, that find `effect` with power `POWER`.

        n = ((z(1 - level/2) + z(0.9)) deviation / effect)^2, over 3/pi for Wilcoxon's test (its efficiency on normal
        differences), and at least as many as its p-value needs.
        """
        needed = ((stats.norm.isf(level / 2) + stats.norm.ppf(POWER)) * deviation / self.effect) ** 2
        if self.test == "wilcoxon":
            needed = max(needed * math.pi / 3, 1 - math.log2(level))
        return max(math.ceil(needed), self.fewest)


def problem_by_problem(effect: float, test: Test = "wilcoxon", **options: Any) -> Rule:
    """The rule of intersection and of equivalence claims: each comparison at 0.05 supports, on each problem; one that
    is reversed at the ledger's level refutes.

    With bands `below(0)` it judges "better than every peer on every problem", with `within(margin)` "equal" (two
    one-sided tests), with `below(margin)` "competitive": not inferior by more than the margin.
    """
    return Rule(effect, test, problems="each", support=SUPPORT, **options)


@dataclass(frozen=True)
class Place:
    """Where one comparison was found at the ledger's level.

    `claimed`, `tolerated`: 1 significantly inside that band, -1 significantly outside it, 0 neither.
    """

    comparison: Comparison
    claimed: int
    tolerated: int
    supports: bool

    @property
    def refutes(self) -> bool:
        """Whether it lies outside what is tolerated, and does not support: within a zone of indifference it may do
        both, and a small advantage is one."""
        return self.tolerated < 0 and not self.supports

    @property
    def side(self) -> int:
        """-1 below the margin, 1 above it, 0 neither, where the claimed band has one finite end."""
        return self.claimed if math.isinf(self.comparison.claimed[1]) else -self.claimed


@dataclass(frozen=True)
class Judged:
    """What a rule makes of the comparisons: 1 supported, -1 refuted, 0 neither, and where each of them lies."""

    outcome: int
    places: Sequence[Place]
    level: float
    rule: Rule
    refuted: str = ""
    """Name of the comparison that refutes the most clearly."""
    counterexample: Mapping[str, Any] | None = field(default=None, repr=False)

    def numbers(self, describe: Callable[[np.ndarray], dict[str, Any]] = as_ratio) -> dict[str, Any]:
        """The level; by name (and circumstance) the pairs, their side and each problem described."""
        found: dict[str, Any] = {"level": self.level}
        for place in self.places:
            one = place.comparison
            found[f"{one.name}, {one.under}" if one.under else one.name] = {
                "pairs": len(one.pooled),
                "side": place.side,
                "problems": described(one.samples, describe),
            }
        return found

    def evidence(
        self, summary: str, numbers: Mapping[str, Any], *, undecided: str = "", open: str = "", withheld: str = ""
    ) -> Evidence:
        """The evidence on the claim.

        Args:
            summary: one sentence.
            numbers: those behind it.
            undecided: why, where the claim is neither supported nor refuted.
            open: what the paper leaves open, where a reversal is for that reason no refutation.
            withheld: why no verdict is given whatever was found.
        """
        if withheld:
            why = {"undecided": {"kind": str(Kind.WITHHELD)}}
            return Evidence(Verdict.INCONCLUSIVE, f"{summary}: {withheld}", {**numbers, **why})
        if self.outcome < 0 and open:
            why = {"undecided": {"kind": str(Kind.REVERSED)}}
            return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not reproduced, but {open}", {**numbers, **why})
        if self.outcome < 0:
            return Evidence(Verdict.REFUTED, summary, numbers, self.counterexample)
        if self.outcome > 0:
            return Evidence(Verdict.SUPPORTED, summary, numbers)
        said = f"{summary}: {undecided}" if undecided else summary
        return Evidence(Verdict.INCONCLUSIVE, said, {**numbers, "undecided": self.undecided()})

    def undecided(self) -> dict[str, Any]:
        """Why it is inconclusive, of the comparisons that do not support."""
        open = [(one.comparison.pooled, one.comparison.claimed) for one in self.places if not one.supports]
        return undecided(open, self.rule.repetitions, self.level, self.rule.test)


def _placed(one: Comparison, rule: Rule, level: float) -> Place:
    pooled = one.pooled
    claimed = lies(pooled, one.claimed, level, rule.test)
    tolerated = claimed if one.tolerated is None else lies(pooled, one.tolerated, level, rule.test)
    if rule.problems == "everywhere":
        at = 2 * (rule.support or SUPPORT)
        supports = all(lies(part.pooled, one.claimed, at, rule.test) > 0 for part in one.apart())
    else:
        supports = (claimed if rule.support is None else lies(pooled, one.claimed, 2 * rule.support, rule.test)) > 0
    return Place(one, claimed, tolerated, supports and (one.indifferent or tolerated >= 0))


def judge(comparisons: Sequence[Comparison], rule: Rule, level: float, scale: str) -> Judged:
    """What `rule` makes of the comparisons at the ledger's level.

    Raises Undecided where there are fewer samples than the rule asks for.
    """
    fewest = min((len(values) for one in comparisons for values in one.samples.values()), default=0)
    if fewest < rule.fewest:
        raise Undecided(f"only {fewest} {rule.unit} at scale {scale}")
    if rule.problems == "each":
        comparisons = [part for one in comparisons for part in one.apart()]
    places = [_placed(one, rule, level) for one in comparisons]
    named: dict[str, list[Place]] = {}
    for place in places:
        named.setdefault(place.comparison.name, []).append(place)
    reversed_ = [[place.comparison for place in under] for under in named.values() if all(p.refutes for p in under)]
    if reversed_:
        under = max(reversed_, key=lambda several: min(map(clearness, several)))
        return Judged(-1, places, level, rule, under[0].name, _counterexample(under, rule, level))
    return Judged(int(all(_supported(under, rule.main) for under in named.values())), places, level, rule)


def clearness(one: Comparison, null: float | None = None) -> float:
    """How many standard errors the mean of a comparison lies beyond the band that is tolerated, on its nearer side; of
    a band with one end, with `null`, beyond that instead. Of several reversals the one shown is the clearest."""
    (low, high), samples = one.limit, one.pooled
    mean, error = float(np.mean(samples)), float(np.std(samples, ddof=1)) / math.sqrt(len(samples))
    if null is None:
        distance = max(low - mean, mean - high)
    else:
        distance = mean - null if math.isinf(low) else null - mean
    return distance / error if error > 0 else math.copysign(math.inf, distance)


def _supported(under: Sequence[Place], main: str | None) -> bool:
    if main is not None:
        return any(place.supports for place in under if place.comparison.under == main)
    return any(place.supports for place in under) and not any(place.claimed < 0 for place in under)


def _counterexample(under: Sequence[Comparison], rule: Rule, level: float) -> dict[str, Any]:
    """The samples of a comparison that refutes, under each circumstance, and all that :func:`replay` needs."""
    samples = {one.under: one.pooled for one in under}
    found = {"samples": under[0].pooled} if len(under) == 1 else {"circumstances": samples}
    return {"comparison": under[0].name, "test": rule.test, "band": under[0].limit, "level": level, **found}


def replay(stored: Mapping[str, Any]) -> tuple[Any, list[float], bool]:
    """Left: median, or interval of the mean, of the stored samples, by circumstance if there are several; right: the
    band that is tolerated; violated where they lie significantly outside it under each."""
    level, test = float(stored["level"]), stored.get("test", "student")
    band = (float(stored["band"][0]), float(stored["band"][1]))
    several = stored["circumstances"] if "circumstances" in stored else {"": stored["samples"]}
    samples = {name: np.asarray(values, float) for name, values in several.items()}
    left = {
        name: float(np.median(values)) if test == "wilcoxon" else list(interval(values, level)[1:])
        for name, values in samples.items()
    }
    violated = all(lies(values, band, level, test) < 0 for values in samples.values())
    return left[""] if list(left) == [""] else left, list(band), violated


def reading(
    *,
    control: Mapping[str, Any],
    control_statement: str,
    needs: Sequence[str],
    positive: Mapping[str, Any] | None = None,
    positive_statement: str = "",
    control_scale: str = LARGEST,
    positive_scale: str = "",
    replay: Replay | None = replay,
    **fields: Any,
) -> Callable[[Check], Claim]:
    """Decorator that registers a claim judged on stored results; the other arguments are those of :func:`ledger.claim`.

    Its origin is a reading unless told otherwise. Its controls read the results of `control_scale`, the positive one of
    `positive_scale` if that is given, which their statements then say. Where the check raises Undecided, the claim is
    inconclusive, and the summary says what it would take.
    """
    positive_scale = positive_scale or control_scale

    def said(statement: str, at: str) -> str:
        return f"{statement.removesuffix('.')} ({_READ[at]})." if statement else ""

    def register(check: Check) -> Claim:
        @functools.wraps(check)
        def guarded(scale: str, *, at: str | None = None, **variant: Any) -> Evidence:
            try:
                return check(inputs.largest(needs) if at == LARGEST else at or scale, **variant)
            except Undecided as why:
                return Evidence(Verdict.INCONCLUSIVE, str(why), {"undecided": {"kind": str(Kind.TOO_FEW)}})

        origin = fields.pop("origin", ledger.Origin.REPAIR if fields.get("repairs") else ledger.Origin.READING)
        return ledger.claim(
            control={**control, "at": control_scale},
            control_statement=said(control_statement, control_scale),
            positive=None if positive is None else {**positive, "at": positive_scale},
            positive_statement=said(positive_statement, positive_scale),
            needs=needs,
            replay=replay,
            origin=origin,
            **fields,
        )(guarded)

    return register


def declared(check: Check, about: str, module: str, **fields: Any) -> Claim:
    """Registers a claim whose check was made by a function that several claims share: `about` is the check's docstring,
    `module` the one that declares the claim, on whose code its evidence hangs; the rest as for :func:`reading`."""
    check.__doc__, check.__module__ = about, module
    return reading(**fields)(check)
