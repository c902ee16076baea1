"""The numbers of the evidence as tables with labelled rows and columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from paper_figures.site.markdown import in_words
from paper_figures.table import Table, interval, number

__all__ = ["evidence_tables"]

LABELS = {
    "advantage": "advantage [95 % interval]",
    "mean": "mean [95 % interval]",
    "mean_log10": "mean log10 ratio [95 % interval]",
    "median_ratio": "median ratio",
    "smaller": "smaller in",
    "wins-losses-ties": "positive–negative–zero",
    "level": "level of each test",
    "pairs": "pairs",
    "side": "side (−1 below the margin, +1 above, 0 neither)",
    "undecided": "why undecided",
    "needs": "runs that it takes",
    "kind": "kind",
    "seeds_needed": "seeds that it takes",
    "rounds": "rounds",
}
"""The meaning of the names that many checks use; other names are words joined by underscores."""

LONGEST = 120
"""The number of characters from which a list is shown by its length and range; the evidence file holds the list."""
FEWEST_ROWS = 2
"""The number of mappings with the same keys that make a table of their own."""


def evidence_tables(numbers: Mapping[str, Any]) -> list[Table]:
    """A table of the single quantities, and a table for each group of things that are described alike."""
    singles: list[tuple[str, str]] = []
    tables: list[Table] = []
    _collect(numbers, (), singles, tables)
    first = [Table("Numbers", ("Quantity", "Value"), tuple(singles))] if singles else []
    return [*first, *tables]


def _collect(
    numbers: Mapping[str, Any], path: tuple[str, ...], singles: list[tuple[str, str]], tables: list[Table]
) -> None:
    if path and (columns := _alike(numbers)):
        rows = tuple(
            (label(name), *(_text(column, row.get(column)) for column in columns)) for name, row in numbers.items()
        )
        tables.append(Table(_path(path), ("", *map(label, columns)), rows))
        return
    for name, value in numbers.items():
        if isinstance(value, Mapping):
            _collect(value, (*path, name), singles, tables)
        else:
            singles.append((_path((*path, name)), _text(name, value)))


def _alike(numbers: Mapping[str, Any]) -> list[str]:
    """The columns of a table whose rows are the entries; empty unless all entries are mappings to plain values."""
    rows = list(numbers.values())
    if len(rows) < FEWEST_ROWS or not all(isinstance(row, Mapping) and row for row in rows):
        return []
    if any(isinstance(value, Mapping) for row in rows for value in row.values()):
        return []
    columns = list(dict.fromkeys(column for row in rows for column in row))
    return columns if len(columns) <= 2 * min(len(row) for row in rows) else []


def label(name: str) -> str:
    """A name in words; methods and problems as papers print them."""
    return LABELS.get(name) or in_words(name).replace("_", " ")


def _path(path: Sequence[str]) -> str:
    return ", ".join(map(label, path))


def _text(name: str, value: Any) -> str:
    of_three = isinstance(value, list) and len(value) == 3 and all(map(_real, value))
    if of_three and name.startswith(("mean", "advantage")):
        return f"{number(value[0])} {interval(value[1], value[2])}"
    text = _plain(value)
    if len(text) <= LONGEST or not isinstance(value, list):
        return text
    found = np.asarray([item for item in _leaves(value) if _real(item)], float)
    ends = f" from {number(found.min(), 4)} to {number(found.max(), 4)}" if found.size else ""
    return f"{len(value):,} {'rows' if isinstance(value[0], list) else 'values'}{ends}"


def _leaves(value: Any) -> Iterator[Any]:
    """The items of nested lists."""
    for item in value:
        yield from _leaves(item) if isinstance(item, list) else (item,)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if isinstance(value, float):
        return number(value, 4)
    if isinstance(value, list):
        return ", ".join(_plain(item) if not isinstance(item, list) else f"[{_plain(item)}]" for item in value)
    if isinstance(value, Mapping):
        return "; ".join(f"{label(name)}: {_plain(item)}" for name, item in value.items())
    return str(value)


def _real(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
