"""The records of each paper, read from its TOML file and checked.

A file is a list of parts, each with its records, in the order in which the pages show them:

    [statements]                                # a part
    page = "errata"                             # the page it stands on: errata or constants
    title = "Statements that are false as printed"

    [statements.boke_plus_regret]               # a record; its id is boke.statements.boke_plus_regret
    place = "section 4.3"
    kind = "false"
    printed = "..."
    why = "..."
    ours = "..."
    claims = ["boke.boke_plus_regret"]

`Part` and `Record` say what the fields mean. Line ends within a text are spaces. A name in the code,
`${experiments.boke.fig8.SEEDS[paper]}`, or in the evidence on a claim, stands for its value, so that no number is typed
twice (`theory_checks.references`).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from experiments.engine.names import unknown
from experiments.engine.registry import STUDIES
from experiments.papers import Paper
from theory_checks import ledger
from theory_checks.ledger import one_line
from theory_checks.references import filled_in

PAGES = ("errata", "constants")


class Kind(StrEnum):
    """The subject of a record."""

    FALSE = "false"
    MISPRINT = "misprint"
    CONTRADICTION = "contradiction"
    GAP = "gap"
    CHOICE = "open choice"
    CODE = "public code"
    DEVIATION = "deviation"
    RUNS = "our runs differ"
    CONSTANT = "constant"


MEANINGS: Mapping[Kind, str] = {
    Kind.FALSE: "a statement, or a step of a proof, that does not hold as printed",
    Kind.MISPRINT: "the print is wrong, and the meaning is clear",
    Kind.CONTRADICTION: "two places of the paper, of its versions or of its sources say different things",
    Kind.GAP: "a hypothesis or an argument is missing, or a property that matters is not mentioned",
    Kind.CHOICE: "the paper leaves open what an implementation has to choose",
    Kind.CODE: "the paper's public code differs from the paper",
    Kind.DEVIATION: "the paper is clear, and our code differs",
    Kind.RUNS: "our runs do not show a sentence on results, which is not called false; its claim has the verdict",
}
"""The meaning of the kind of an entry of the errata."""


@dataclass(frozen=True)
class Record:
    """One misprint, contradiction, gap, open choice, deviation or constant.

    `place` is the place in the paper; `printed` is the text there; `why` says what is wrong or open (for a constant,
    the source of its value); `ours` is our choice (for a constant, its value). `claims` and `studies` are the ids that
    the record concerns. Records with `report` stand in the report's table of deviations under `subject`, which also
    names a constant.
    """

    id: str
    kind: Kind
    place: str = ""
    subject: str = ""
    printed: str = ""
    why: str = ""
    ours: str = ""
    claims: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()
    report: bool = False

    def __post_init__(self) -> None:
        needed = ["subject", "ours"] if self.kind == Kind.CONSTANT else ["place"]
        missing = [name for name in [*needed, *(["subject"] if self.report else [])] if not getattr(self, name)]
        if self.kind != Kind.CONSTANT and not (self.printed or self.why):
            missing.append("printed or why")
        if missing:
            raise ValueError(f"record {self.id} ({self.kind}) lacks {', '.join(missing)}")
        for kind, names, known in (("claim", self.claims, ledger.load()), ("study", self.studies, STUDIES)):
            for name in names:
                if name not in known:
                    raise ValueError(f"record {self.id}: {unknown(kind, name, known)}")


@dataclass(frozen=True)
class Part:
    """A table of a page with its heading and the words before it.

    `module` names a module of constants whose names, values and docstrings are the table's rows; `appendix` a function
    without arguments that returns Markdown to stand at the end.
    """

    paper: str
    page: str
    title: str
    text: str = ""
    module: str = ""
    appendix: str = ""
    records: tuple[Record, ...] = ()

    def __post_init__(self) -> None:
        if self.page not in PAGES:
            raise ValueError(f"part {self.title!r} of {self.paper}: {unknown('page', self.page, PAGES)}")


@cache
def parts(paper: Paper) -> tuple[Part, ...]:
    """The parts of a paper in the order of its file. Raises ValueError where one is malformed."""
    return read(paper.key, Path(__file__).with_name(f"{paper.key}.toml").read_text(encoding="utf-8"))


def records(paper: Paper) -> tuple[Record, ...]:
    """All records of a paper, in the order of its file."""
    return tuple(record for part in parts(paper) for record in part.records)


def read(prefix: str, text: str) -> tuple[Part, ...]:
    """The parts of a TOML text whose records get ids "prefix.part.name". Raises ValueError where one is malformed."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:  # also where an id occurs twice
        raise ValueError(f"{prefix}.toml: {error}") from error
    found = []
    for name, table in tables.items():
        own = {key: value for key, value in table.items() if not isinstance(value, dict)}
        entries = {key: value for key, value in table.items() if isinstance(value, dict)}
        _check_fields(f"part {prefix}.{name}", own, Part, {"page", "title"})
        made = tuple(_record(f"{prefix}.{name}.{key}", entry) for key, entry in entries.items())
        found.append(Part(paper=prefix, **own, records=made))
    return tuple(found)


def _record(name: str, entry: Mapping[str, Any]) -> Record:
    _check_fields(f"record {name}", entry, Record, {"kind"})
    try:
        kind = Kind(entry["kind"])
    except ValueError as error:
        raise ValueError(f"record {name}: {unknown('kind', entry['kind'], map(str, Kind))}") from error
    values: dict[str, Any] = {key: value for key, value in entry.items() if key != "kind"}
    for key, value in values.items():
        if isinstance(value, str):
            values[key] = filled_in(one_line(value), f"record {name}")
        elif isinstance(value, list):
            values[key] = tuple(value)
    return Record(id=name, kind=kind, **values)


def _check_fields(name: str, entry: Mapping[str, Any], of: type[Record] | type[Part], needed: set[str]) -> None:
    known = {item.name for item in fields(of)} - {"id", "paper", "records"}
    for key in entry:
        if key not in known:
            raise ValueError(f"{name}: {unknown('field', key, known)}")
    if missing := needed - set(entry):
        raise ValueError(f"{name} lacks {', '.join(sorted(missing))}")
