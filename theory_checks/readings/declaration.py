"""A reading as data: a sentence of a paper, its meaning in runs, and the runs that decide it.

A declaration gives the rule in words, the level, the verdict, the controls and the stamp. A reading whose runs are no
orders of methods on problems (values of a table, run times, a scenario) gives its settings: `settings=` in place of
`orders`, `measures` and `source`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from experiments.engine.result_file import Result
from theory_checks import ledger, study_results
from theory_checks.ledger import EXPERIMENT_LEVEL, Claim, Evidence, Origin, Outcome, one_line
from theory_checks.paired_seeds import Undecided, shared
from theory_checks.readings.curve import Curve, Point, Setting, placed
from theory_checks.readings.digest import digest_of
from theory_checks.readings.judgement import Claimed, Comparison, Groups, Kind, Quantifier
from theory_checks.readings.statistics import Test, jackknifed
from theory_checks.readings.summary import evidence
from theory_checks.statements import Words

FEWEST_SEEDS = 6
"""A setting with a problem of fewer seeds is open."""

Key = tuple[str, str]
"""(problem, method)."""


@dataclass(frozen=True)
class Measure:
    """The comparison of two methods on one problem.

    Args:
        name: the name in words, "ratio of mean final regrets".
        value: result -> the quantity that a figure plots, (seeds,).
        compare: "ratio of means" (log10, jackknife), "ratio" (log10 of paired values) or "difference".
        test: "student" or "wilcoxon"; a ratio of means needs Student's.
        effect: the smallest effect that matters, in the unit of the samples (log10 for ratios).
        margin: of "better by", "not worse" and "similar"; by default the effect.
        smaller_is_better: True where the advantage grows as the value falls.
    """

    name: str
    value: Callable[[Result], np.ndarray]
    compare: str
    test: Test
    effect: float
    margin: float = 0.0
    smaller_is_better: bool = True

    def samples(self, first: Result, second: Result) -> np.ndarray:
        """Advantages (seeds,) of the first over the second, on their common seeds."""
        one, other = self.value(first)[shared(first, second)], self.value(second)[shared(second, first)]
        if self.compare == "difference":
            return np.asarray(other - one if self.smaller_is_better else one - other)
        found = jackknifed(one, other) if self.compare == "ratio of means" else np.log10(other) - np.log10(one)
        return np.asarray(found if self.smaller_is_better else -found)

    def claimed(self, kind: Kind) -> Claimed:
        """The claim on the samples."""
        return Claimed(kind, self.effect if kind == "better" else self.margin or self.effect)

    def in_words(self, kind: Kind) -> str:
        """The measure in words: "ratio of mean final regrets (smallest effect that matters: a factor of 1.25; Student's
        test)"."""
        size = self.claimed(kind).size
        shown = f"{size:.3g}" if self.compare == "difference" else f"a factor of {10**size:.3g}"
        what = "smallest effect that matters" if kind == "better" else "margin"
        return f"{self.name} ({what}: {shown}; {'Student' if self.test == 'student' else 'Wilcoxon'}'s test)"


@dataclass(frozen=True)
class Order:
    """The first method is claimed to be ahead of the second (or as `kind` says) on each of the problems.

    Where the runs are cut for the two methods alone, as at a common time, the first method's name stands for the
    problem.
    """

    first: str
    second: str
    problems: tuple[str, ...]
    kind: Kind = "better"


def orders(
    firsts: Iterable[str], seconds: Iterable[str], problems: Iterable[str], kind: Kind = "better"
) -> tuple[Order, ...]:
    """Every first method before every second method."""
    seconds, problems = tuple(seconds), tuple(problems)
    return tuple(Order(first, second, problems, kind) for first in firsts for second in seconds)


@dataclass(frozen=True)
class Circumstance:
    """A choice for every open question but the measure, and the runs made under it.

    Args:
        choices: question -> choice.
        results: (problem, method) -> result, all seeds stacked.
        missing: the command that computes missing runs; "" where none are missing.
        rename: problem of an order -> the problem that stands for it (versions of a function).
    """

    choices: Mapping[str, str]
    results: Mapping[Key, Result]
    missing: str = ""
    rename: Mapping[str, str] = field(default_factory=dict)


Source = Callable[[str], Iterable[Circumstance]]
"""Scale -> circumstances, the declared default first. Raises Undecided, which says how to get results, without any."""


@dataclass(frozen=True)
class Reading:
    """A sentence on an experiment.

    Args:
        id, title, paper, where: as of a claim; `where` names figure or table and section.
        says: the sentence, verbatim.
        means: the meaning: orders, problems, quantifier, measure, margin.
        deviations: each operational choice that goes beyond the sentence's words.
        needs: studies whose results are read.
        orders, measures, source: the comparisons; the first measure is the one that the figure plots.
        over: "each" judges an order on each of its problems, "pooled" on all together.
        quantifier: over groups: "every", "most", "some".
        group: (order, problem) -> name of the group; without it each comparison is a group.
        baseline: no admitted peer is behind this method, by the first measure; "" for none.
        questions: open question -> the paper's words on it, and the choices.
        looks: the number of times that data of this reading have been judged, which divides the level.
        fewest: the fewest seeds of a problem; with fewer a setting is open.
        settings: in place of orders, measures and source.
        variant_of: the claim of which this claim is a variant (a twin, a repair); "" for none.
        origin: of a claim; "reading" unless the sentence is ours.
    """

    id: str
    title: str
    paper: str
    where: str
    says: str
    means: str
    needs: tuple[str, ...]
    deviations: tuple[str, ...] = field(default=(), compare=False)
    orders: tuple[Order, ...] = ()
    measures: tuple[Measure, ...] = ()
    source: Source | None = None
    over: str = "each"
    quantifier: Quantifier = "every"
    group: Callable[[Order, str], str] | None = None
    baseline: str = "random_search"
    questions: Mapping[str, str] = field(default_factory=dict)
    looks: int = 1
    fewest: int = FEWEST_SEEDS
    settings: Callable[[str], Iterable[Setting]] | None = None
    variant_of: str = ""
    origin: Origin = Origin.READING

    def __post_init__(self) -> None:
        if (self.settings is None) == (self.source is None):
            raise ValueError(f"reading {self.id} needs orders, measures and a source, or settings of its own")
        if self.source is not None and not (self.orders and self.measures):
            raise ValueError(f"reading {self.id} has a source, but no orders or no measures")

    # -- consequences of the declaration

    @property
    def share(self) -> float:
        """The level of one experimental claim, divided by the number of looks."""
        return EXPERIMENT_LEVEL / self.looks

    @property
    def rule(self) -> str:
        """The rule in words."""
        parts = [self.means.rstrip(".") + "."]
        if self.measures:
            kind = self.orders[0].kind
            parts.append(f"Measures, the plotted one first: {'; '.join(one.in_words(kind) for one in self.measures)}.")
            where = "each problem by itself" if self.over == "each" else "its problems together, each of equal weight"
            parts.append(f"Orders ({len(self.orders)}), on {where}: {'; '.join(map(_of_order, self.orders))}.")
        if self.questions:
            asked = "; ".join(f"{name}: {text}" for name, text in self.questions.items())
            parts.append(f"Open in the paper, and varied: {asked}.")
        if self.measures and self.baseline:
            parts.append(f"Peers behind {self.baseline} are left out.")
        parts.append(f"A setting asks {_QUANTIFIERS[self.quantifier]} and at least {self.fewest} seeds.")
        parts.append(f"Level of opposite: {self.share:.3g} ({self.looks} look{'s' * (self.looks > 1)}).")
        return one_line(" ".join(parts))

    @property
    def digest(self) -> str:
        """Hash of the declaration: sentence, rule, studies, measures, and the code of its settings. The deviations do
        not count: they tell readers what the rule does, and decide nothing."""
        told = (self.id, one_line(self.says), self.rule, self.needs, self.over, self.orders)
        return digest_of(*told, self.measures, self.source, self.settings, self.group)

    def tried(self, scale: str) -> Iterator[Setting]:
        """Every setting, the declared default first."""
        if self.settings is not None:
            yield from self.settings(scale)
            return
        assert self.source is not None
        for circumstance in self.source(scale):
            left_out = self._left_out(circumstance)
            for measure in self.measures:
                choices = {**circumstance.choices, **({"measure": measure.name} if len(self.measures) > 1 else {})}
                groups, absent = self._groups(circumstance, measure)
                lacking = self._lacking(circumstance, scale) if absent else ""
                yield Setting(choices, groups, left_out, circumstance.missing or lacking, absent)

    def curve(self, scale: str, truth: str = "") -> Curve:
        """The judged settings; `truth` ("true", "false", "reverse") moves the same runs to that truth."""
        every = [one.moved(truth) if truth else one for one in self.tried(scale)]
        admitted = [one for index, one in enumerate(every) if not one.left_out or index == 0]
        points: list[Point] = [placed(one, self.quantifier, self.share, self.fewest) for one in admitted]
        return Curve(points, [one for one in every[1:] if one.left_out])

    def _groups(self, circumstance: Circumstance, measure: Measure) -> tuple[Groups, list[str]]:
        """(comparisons by group, for each comparison without runs on common seeds the name of its group)."""
        groups: dict[str, list[Comparison]] = {}
        absent: list[str] = []
        pooled = self.over == "pooled"
        for order in self.orders:
            names = {problem: circumstance.rename.get(problem, problem) for problem in order.problems}
            label = f"{order.first} against {order.second}"
            for problem, part in [("", tuple(names.values()))] if pooled else [(p, (n,)) for p, n in names.items()]:
                title = label if pooled else f"{label}, {part[0]}"
                group = self.group(order, problem) if self.group else title
                runs = {(name, method) for name in part for method in (order.first, order.second)}
                if not runs <= set(circumstance.results):
                    absent.append(group)
                    continue
                pairs = {
                    name: (circumstance.results[name, order.first], circumstance.results[name, order.second])
                    for name in part
                }
                if any(shared(*pair) == [] for pair in pairs.values()):  # runs on other seeds make no pairs
                    absent.append(group)
                    continue
                samples = {name: measure.samples(*pair) for name, pair in pairs.items()}
                one = Comparison(title, samples, measure.claimed(order.kind), measure.test)
                groups.setdefault(group, []).append(one)
        return groups, absent

    def _lacking(self, circumstance: Circumstance, scale: str) -> str:
        """The reason why a comparison has no pairs of runs."""
        runs = {
            (circumstance.rename.get(problem, problem), method)
            for order in self.orders
            for problem in order.problems
            for method in (order.first, order.second)
        }
        if runs <= set(circumstance.results):
            return "the methods of a comparison have no seeds in common"
        return "; ".join(study_results.how_to_get(study, scale) for study in self.needs)

    def _left_out(self, circumstance: Circumstance) -> str:
        """The peers that are behind the baseline over the problems of their orders, by the first measure, in words."""
        firsts = {order.first for order in self.orders}
        behind = []
        for peer in dict.fromkeys(order.second for order in self.orders):
            if not self.baseline or peer in (*firsts, self.baseline):
                continue
            problems = {
                circumstance.rename.get(p, p) for order in self.orders if order.second == peer for p in order.problems
            }
            rows = [
                self.measures[0].samples(circumstance.results[name, peer], circumstance.results[name, self.baseline])
                for name in sorted(problems)
                if {(name, peer), (name, self.baseline)} <= set(circumstance.results)
            ]
            if rows and len(rows) == len(problems) and float(np.mean([row.mean() for row in rows])) < 0:
                behind.append(f"{peer} behind {self.baseline}")
        return "; ".join(behind)


_QUANTIFIERS = {
    "every": "every comparison",
    "most": "more than half of the comparisons",
    "some": "one of the comparisons",
}
_KINDS = {
    "better": "ahead of",
    "better by": "ahead by the margin of",
    "not worse": "not behind",
    "similar": "similar to",
}


def _of_order(order: Order) -> str:
    return f"{order.first} {_KINDS[order.kind]} {order.second} ({', '.join(order.problems)})"


READINGS: dict[str, Reading] = {}


def declare(reading: Reading, module: str) -> Claim:
    """Registers the reading as a claim of the ledger.

    Args:
        reading: the declaration.
        module: the dotted name of the module that declares the reading.
    """

    def check(scale: str, *, truth: str = "", at: str | None = None) -> Evidence:
        scale = at or (study_results.largest(reading.needs) if truth else scale)
        try:
            return evidence(reading.curve(scale, truth), scale)
        except Undecided as why:
            return Evidence(Outcome.NOT_RUN, str(why), {})

    check.__doc__ = reading.means
    check.__module__ = module
    READINGS[reading.id] = reading
    return ledger.claim(
        id=reading.id,
        rule=reading.rule,
        control={"truth": "false"},
        control_statement="The same runs, moved to where the sentence is just false.",
        positive={"truth": "true"},
        positive_statement="The same runs, moved to where the sentence is true by twice the size that it claims.",
        needs=reading.needs,
        repairs=reading.variant_of or None,
        origin=reading.origin,
        kind=ledger.Kind.EXPERIMENT,
        said=Words(reading.title, reading.where, reading.says, reading.deviations),
    )(check)
