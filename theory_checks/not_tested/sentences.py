"""The sentences that are not tested, read from each paper's TOML file and checked.

A file is a list, in the order of the paper:

    [[sentence]]
    place = "section 1"
    sentence = "re-estimating the optimal parameters at each step can be unreliable"
    reason = "about earlier work [8]; the method does not re-estimate them"

A formula or a passage that is not quoted has `paraphrase = true`, and stands on the page without quotation marks. Line
ends within a text are spaces. A claim, a study or a record of the errata that a reason names in backquotes,
`boke.prop1`, must exist.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from experiments.engine.names import unknown
from experiments.engine.registry import STUDIES
from experiments.papers import BY_KEY, PAPERS, Paper
from theory_checks import ledger
from theory_checks.errata.records import records
from theory_checks.ledger import one_line

LONGEST = 240
"""Characters of a quotation: enough to find the sentence."""

_NAME = re.compile(r"`([a-z]+\.\w+(?:\.\w+)?)`")


@dataclass(frozen=True)
class Sentence:
    """One sentence: `place` is the place in the paper, `sentence` is a short quotation (... for omitted words) or, with
    `paraphrase`, our words; `reason` says why the sentence is not tested, or what is tested instead."""

    place: str
    sentence: str
    reason: str
    paraphrase: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The claims, studies and records that the reason names."""
        return tuple(name for name in _NAME.findall(self.reason) if name.split(".")[0] in BY_KEY)


@cache
def sentences(paper: Paper) -> tuple[Sentence, ...]:
    """The sentences of a paper in the order of its file; none without a file. Raises ValueError on a malformed one."""
    path = Path(__file__).with_name(f"{paper.key}.toml")
    return read(paper.key, path.read_text(encoding="utf-8")) if path.exists() else ()


def read(prefix: str, text: str) -> tuple[Sentence, ...]:
    """The sentences of a TOML text. Raises ValueError, naming "prefix.toml", where the text is malformed."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{prefix}.toml: {error}") from error
    for key in tables:
        if key != "sentence":
            raise ValueError(f"{prefix}.toml: {unknown('table', key, ['sentence'])}")
    entries = tables.get("sentence")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"{prefix}.toml has no array of tables [[sentence]]")
    found = tuple(_sentence(f"sentence {count} of {prefix}.toml", entry) for count, entry in enumerate(entries, 1))
    quoted: dict[str, int] = {}
    for count, one in enumerate(found, 1):
        if one.sentence in quoted:
            raise ValueError(f"sentence {count} of {prefix}.toml is sentence {quoted[one.sentence]} again")
        quoted[one.sentence] = count
    return found


def _sentence(name: str, entry: Mapping[str, Any]) -> Sentence:
    known = [item.name for item in fields(Sentence)]
    for key, value in entry.items():
        if key not in known:
            raise ValueError(f"{name}: {unknown('field', key, known)}")
        if key == "paraphrase":
            if value is not True:
                raise ValueError(f"{name}: {key} must be true, or left out, not {value!r}")
        elif not isinstance(value, str):
            raise ValueError(f"{name}: {key} must be a text, not {value!r}")
    values = {key: one_line(entry.get(key, "")) for key in known if key != "paraphrase"}
    if missing := [key for key, value in values.items() if not value]:
        raise ValueError(f"{name} lacks {', '.join(missing)}")
    if len(values["sentence"]) > LONGEST:
        raise ValueError(f"{name}: a quotation of {len(values['sentence'])} characters; at most {LONGEST}")
    one = Sentence(**values, paraphrase="paraphrase" in entry)
    for cited in one.names:
        if cited not in (everything := _everything()):
            raise ValueError(f"{name}: {unknown('claim, study or record', cited, everything)}")
    return one


@cache
def _everything() -> frozenset[str]:
    """The ids that a reason may name."""
    return frozenset({*ledger.load(), *STUDIES, *(record.id for paper in PAPERS for record in records(paper))})
