"""Pieces of Markdown that several pages of the site share."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from paper_figures.style import METHODS, PROBLEM_LABELS, method_label, problem_label
from paper_figures.table import Table
from theory_checks.readings.uhe.runs import BETWEEN

__all__ = ["NAMES", "cell", "fold", "grid", "in_words", "name_in_words", "prose", "quoted", "table"]


def cell(text: str) -> str:
    """Text for a cell of a table: one line, vertical bars escaped, in formulas as TeX's commands."""
    flat = re.sub(r"\s+", " ", text).strip()
    pieces = re.split(r"(\$[^$]+\$)", flat)
    pieces[1::2] = [one.replace("\\|", "\\Vert ").replace("|", "\\vert ") for one in pieces[1::2]]
    return "".join(pieces).replace("|", "\\|")


def prose(text: str) -> str:
    """Words of the ledger or of evidence as Markdown: formulas stay in TeX, code is unchanged, signs of Markdown are
    escaped."""
    pieces = re.split(r"(`[^`]+`|\$[^$]+\$)", text)
    pieces[::2] = [re.sub(r"([*_]|\](?=\())", r"\\\1", one).replace("<", "&lt;") for one in pieces[::2]]
    return "".join(pieces)


def grid(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table as lines of Markdown."""
    header = [name or "of" for name in header]  # a screen reader has no name for an empty head
    first, *others = (f"| {' | '.join(map(cell, line))} |" for line in [header, *rows])
    return [first, "|---" * len(header) + "|", *others]


def table(data: Table) -> list[str]:
    """A table of numbers with its note."""
    return [*grid(data.header, data.rows), *(["", data.note] if data.note else [])]


def fold(title: str, lines: Iterable[str]) -> list[str]:
    """A block that is closed until the reader opens it, in the repository and on the site."""
    return ['<details markdown="1">', f"<summary>{escape(title)}</summary>", "", *lines, "", "</details>", ""]


def quoted(text: str) -> list[str]:
    """A block quotation."""
    return [f"> {line}".rstrip() for line in text.splitlines()]


NAMES = {name: method_label(name) for name in METHODS if "$" not in method_label(name)}
NAMES |= {
    name: problem_label(name).split(" (")[0]
    for name in PROBLEM_LABELS
    if name not in ("h1", "sphere", "d", "newsvendor")
}
NAMES |= {
    f"{stem}{dim}": f"{PROBLEM_LABELS.get(stem, stem.capitalize())} ({dim}D)"
    for stem, dims in (
        ("sphere", (2, 3, 6)),
        ("rosenbrock", (4,)),
        ("griewank", (6,)),
        ("levy", (4,)),
        ("powell", (4, 5)),
        ("deceptive", (2,)),
    )
    for dim in dims
} | {"powell": "Powell", "hartmann6": "Hartmann6", "initial_data": f"{BETWEEN:.3f} of the initial regret"}
"""Method or problem -> its name as papers print it; names with formulas are left out."""
_WORDLY = {"fit", "pi", "uniform", "portfolio", "newsvendor"}
"""Names of methods that are ordinary words too."""
_KNOWN = re.compile(
    r"(?<![\w.`/])("
    + "|".join(sorted(map(re.escape, set(NAMES) - _WORDLY), key=len, reverse=True))
    + r")(?![\w.(`/]*[\w(`/])"
)


def name_in_words(name: str) -> str:
    """A method or problem as papers print it: pi becomes PI; any other word as it is."""
    return NAMES.get(name, name)


def in_words(text: str) -> str:
    """The text with methods and problems named as papers print them: gp_ucb becomes GP-UCB."""
    return _KNOWN.sub(lambda found: NAMES[found[1]], text)
