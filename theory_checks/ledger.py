"""Claims, and the registry that holds every claim of the ledger; verdicts and evidence stand in `verdicts.py`.

A claim is one function `check(scale, **variant) -> Evidence`. Called without a variant it examines the claim as the
paper prints it; called with the keywords of the claim's `control` it examines a deliberately false variant, which the
same code must refute. The rule, the sample sizes and the tolerances stand in the code before anything is run.
"""

import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from experiments.engine.names import unknown
from experiments.papers import BY_KEY, BY_LETTER, PAPERS
from theory_checks.statements import Words, words
from theory_checks.verdicts import Evidence as Evidence
from theory_checks.verdicts import Kind as Kind
from theory_checks.verdicts import Outcome as Outcome
from theory_checks.verdicts import Verdict as Verdict

FAMILY_WISE_ERROR = 0.05
"""Upper bound on the probability that sampling error makes the ledger call any true claim refuted or opposite."""

EXPERIMENT_LEVEL = FAMILY_WISE_ERROR / 200
"""Error of one claim on an experiment. The number is fixed, so that a new claim outdates no other."""

_DIVISORS = {"A": 308, "B": 55, "C": 185, "D": 132}
"""Paper -> the number of tests that share a quarter of `FAMILY_WISE_ERROR`. The number is fixed."""

_ID = re.compile(r"^[a-z][a-z0-9_]*\.[A-Za-z0-9_]+$")


class Origin(StrEnum):
    """The origin of a claim's words. Pages say "as printed" only for words that the paper prints."""

    PRINTED = "printed"
    """The paper asserts it, in its words or shortened, with its formulas."""
    IMPLIED = "implied"
    """Not printed, but needed by the text; the claim says where."""
    READING = "reading"
    """A sentence of the paper on what a figure or a table shows."""
    REPAIR = "repair"
    """Ours: a true statement in place of a false one."""
    HERE = "here"
    """A statement on this implementation, its constants, its boxes or its runs."""


class Severity(StrEnum):
    """The cost of a refutation for the paper."""

    SUBSTANTIVE = "substantive"
    """The result, or what the method's user relies on, is false."""
    STEP = "step"
    """A step of a proof is false; the result survives as far as we know."""
    TECHNICAL = "technical"
    """A regularity hypothesis is missing, harmless where the claim is used."""
    MISPRINT = "misprint"
    """The formula as printed is not the formula that the paper means."""


def one_line(text: str) -> str:
    """The words of a wrapped, indented text block on one line."""
    return " ".join(text.split())


Check = Callable[..., Evidence]
Replay = Callable[[Mapping[str, Any]], tuple[Any, Any, bool]]


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    `title` is a line for lists, `statement` and `hypotheses` are as printed, with formulas in TeX between dollar signs
    (`theory_checks.statements`); `rule` is the verdict rule in words, with sample sizes; `control` holds the keywords
    that make `check` examine the false variant described by `control_statement`; `tests` counts the statistical tests
    the check makes (each at `level(paper)`); `needs` names the studies whose results it reads; `replay(counterexample)
    -> (left side, right side, violated)` re-evaluates a stored counterexample; `repairs` names the claim that this one
    repairs; `origin` says whose words the claim has; `severity` says what a refutation costs; `positive` holds the
    keywords that make `check` examine the true variant described by `positive_statement`, which it must not refute;
    `kind` is the vocabulary of the verdict.
    """

    id: str
    paper: str
    title: str
    number: str
    statement: str
    hypotheses: tuple[str, ...]
    rule: str
    check: Check
    control: Mapping[str, Any]
    control_statement: str
    tests: int = 0
    needs: tuple[str, ...] = ()
    replay: Replay | None = None
    repairs: str | None = None
    origin: Origin = Origin.PRINTED
    severity: Severity | None = None
    positive: Mapping[str, Any] | None = None
    positive_statement: str = ""
    kind: Kind = Kind.THEORY

    def __call__(self, scale: str) -> Evidence:
        """The evidence on the claim as printed."""
        return self.check(scale)

    def negative_control(self, scale: str) -> Evidence:
        """The evidence on the false variant, which must be refuted."""
        return self.check(scale, **self.control)

    def positive_control(self, scale: str) -> Evidence | None:
        """The evidence on the true variant of a refuted claim, which must not be refuted; None without one."""
        return None if self.positive is None else self.check(scale, **self.positive)


_CLAIMS: dict[str, Claim] = {}


def claim(
    *,
    id: str,
    rule: str,
    control: Mapping[str, Any],
    control_statement: str,
    tests: int = 0,
    needs: Iterable[str] = (),
    replay: Replay | None = None,
    repairs: str | None = None,
    origin: Origin | str | None = None,
    severity: Severity | str | None = None,
    positive: Mapping[str, Any] | None = None,
    positive_statement: str = "",
    kind: Kind = Kind.THEORY,
    said: Words | None = None,
) -> Callable[[Check], Claim]:
    """Decorator that registers `check(scale, **variant) -> Evidence`; the arguments are the fields of `Claim`.

    The id begins with the key of the paper. Title, number, statement and hypotheses stand in
    `theory_checks/<paper>/statements.toml`, unless `said` has them.

    Unless `origin` is given, a claim that `repairs` another is a repair, and any other one is printed.
    """
    if not _ID.match(id) or id.split(".")[0] not in BY_KEY:
        raise ValueError(f"claim id {id!r} must look like 'boke.prop1', with one of {', '.join(BY_KEY)} in front")
    if not control:
        raise ValueError(f"claim {id} has no negative control")
    if tests < 0:
        raise ValueError(f"claim {id}: tests must be a count, not {tests}")
    if (positive is None) != (not positive_statement):
        raise ValueError(f"claim {id}: a positive control has keywords and a statement, or neither")
    whose = Origin(origin or (Origin.REPAIR if repairs else Origin.PRINTED))

    told = words(id) if said is None else said

    def register(check: Check) -> Claim:
        entry = Claim(
            id=id,
            paper=BY_KEY[id.split(".")[0]].letter,
            title=told.title,
            number=told.number,
            statement=one_line(told.statement),
            hypotheses=tuple(map(one_line, told.hypotheses)),
            rule=one_line(rule),
            check=check,
            control=dict(control),
            control_statement=one_line(control_statement),
            tests=tests,
            needs=tuple(needs),
            replay=replay,
            repairs=repairs,
            origin=whose,
            severity=None if severity is None else Severity(severity),
            positive=None if positive is None else dict(positive),
            positive_statement=one_line(positive_statement),
            kind=kind,
        )
        known = _CLAIMS.get(id)
        if known is not None and known.check.__module__ != check.__module__:
            raise ValueError(f"claim {id} is registered by both {known.check.__module__} and {check.__module__}")
        _CLAIMS[id] = entry
        return entry

    return register


def variant_claim(
    of: Claim,
    *,
    id: str,
    variant: Mapping[str, Any],
    rule: str,
    control: Mapping[str, Any],
    control_statement: str,
    tests: int | None = None,
    replay: Replay | None = None,
) -> Claim:
    """Registers a repair with its own words, which the check of the claim examines when called with `variant`.

    Tests and replay are those of the claim unless given. The control's keywords are added to `variant`.
    """

    @functools.wraps(of.check)
    def check(scale: str, **keywords: Any) -> Evidence:
        return of.check(scale, **{**variant, **keywords})

    return claim(
        id=id,
        rule=rule,
        control=control,
        control_statement=control_statement,
        tests=of.tests if tests is None else tests,
        replay=of.replay if replay is None else replay,
        repairs=of.id,
    )(check)


def load() -> dict[str, Claim]:
    """Every claim by id, sorted; imports the modules of each paper's packages on first use."""
    for room in ("theory_checks", "theory_checks.readings"):
        for found in pkgutil.iter_modules(importlib.import_module(room).__path__):
            if found.ispkg and found.name in BY_KEY:
                paper = importlib.import_module(f"{room}.{found.name}")
                for module in pkgutil.iter_modules(paper.__path__):
                    importlib.import_module(f"{room}.{found.name}.{module.name}")
    return dict(sorted(_CLAIMS.items(), key=lambda item: (item[1].paper, item[0])))


def level(paper: str) -> float:
    """The fixed significance level of one statistical test of a claim of theory of `paper`.

    The tests that claims of theory declare, each at this level, and the claims on experiments, each at
    `EXPERIMENT_LEVEL`, spend at most `FAMILY_WISE_ERROR` together (Bonferroni).
    """
    if paper not in BY_LETTER:
        raise KeyError(unknown("paper", paper, BY_LETTER))
    return FAMILY_WISE_ERROR / len(PAPERS) / _DIVISORS[paper]


def spent() -> float:
    """The sum of the levels of all tests of the ledger (Bonferroni)."""
    claims = load().values()
    return sum(EXPERIMENT_LEVEL if one.kind is Kind.EXPERIMENT else one.tests * level(one.paper) for one in claims)


def select(names: Iterable[str] = ()) -> list[Claim]:
    """Claims by id ("boke.prop1"), by paper ("boke"), or by the part after the dot ("prop1"); all when none is named.

    Raises KeyError, listing near names, where a name matches nothing.
    """
    claims = load()
    names = list(names)
    if not names:
        return list(claims.values())
    chosen: dict[str, Claim] = {}
    for name in names:
        matching = [entry for entry in claims.values() if name in (entry.id, *entry.id.split("."))]
        if not matching:
            raise KeyError(unknown("claim", name, claims))
        chosen.update((entry.id, entry) for entry in matching)
    return list(chosen.values())
