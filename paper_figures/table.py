"""A small table of text that the report prints under a figure, and the formats of its numbers."""

import math
from dataclasses import dataclass
from typing import SupportsFloat

MINUS = "−"


@dataclass(frozen=True)
class Table:
    """`header` names the columns; `rows` hold text, one cell a column; `note` explains how the numbers were made."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        wrong = [row for row in self.rows if len(row) != len(self.header)]
        if wrong:
            raise ValueError(f"table {self.title!r}: a row has {len(wrong[0])} cells for {len(self.header)} columns")


def number(value: float, digits: int = 3) -> str:
    """A number in as many significant digits, with a typographic minus: 0.0123, −4.56e−07, ∞."""
    value = float(value)
    if math.isnan(value):
        return "n/a"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    if value == 0.0:
        return "0"
    size = abs(value)
    text = f"{value:.{digits - 1}e}" if size < 1e-3 or size >= 1e5 else f"{value:.{digits}g}"
    return text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e").replace("-", MINUS)


def interval(low: float, high: float, digits: int = 3) -> str:
    """An interval "[a, b]"."""
    return f"[{number(low, digits)}, {number(high, digits)}]"


def p_value(value: float) -> str:
    """A p-value: three decimals, or "< 0.001"."""
    if math.isnan(value):
        return "n/a"
    return "< 0.001" if value < 1e-3 else f"{value:.3f}"


def percent(share: SupportsFloat) -> str:
    """A share in per cent: "35 %"."""
    return f"{float(share):.0%}".replace("%", " %")


def seconds(value: float) -> str:
    """A duration: "0.42 s", "3 min 05 s", "2 h 10 min"."""
    if value < 10:
        return f"{value:.2g} s"
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
