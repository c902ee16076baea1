"""A reading's specification curve as a small SVG picture and as a table: every setting, and the choices that decide.

Settings stand from left to right by their mean advantage. A bar spans the least and the greatest of a setting's
comparisons. Each row below the curve marks the settings that made one choice. A setting with a comparison that has no
pairs of runs stands in the table alone.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from theory_checks.readings.judgement import State
from theory_checks.readings.words import HEADS, in_choice_words

__all__ = ["by_choice", "picture"]

Numbers = Mapping[str, Any]
"""The numbers of the evidence on a reading, `theory_checks.readings.curve.Curve.numbers`."""

COLOURS = {State.HOLDS: "#1b7837", State.LEVEL: "#8c8c8c", State.OPPOSITE: "#b2182b", State.OPEN: "#c9a227"}
WIDTH, CURVE, ROW, HEAD, CHARACTER = 640, 150, 13, 26, 6
"""Sizes in pixels: width and height of the curve, a row of choices, the legend, and a character of a choice's name."""
FONT = 'font-family="sans-serif" font-size="11" fill="#222"'


def by_choice(numbers: Numbers) -> list[tuple[str, str, dict[str, int]]]:
    """The number of settings by (question, choice, state), in the order of the curve's questions."""
    questions = numbers["questions"]
    found: dict[tuple[str, str], Counter[str]] = {}
    for column, question in enumerate(questions):
        for row in numbers["curve"]:
            found.setdefault((question, row[column]), Counter())[row[len(questions)]] += 1
    return [(question, choice, dict(counts)) for (question, choice), counts in found.items()]


def picture(numbers: Numbers) -> str:
    """The curve as SVG; "" where fewer than two settings have pairs of runs in every comparison."""
    questions: list[str] = numbers["questions"]
    state, spread = len(questions), len(questions) + 1
    drawn = [row for row in numbers["curve"] if row[spread] and all(math.isfinite(float(a)) for a in row[spread])]
    rows = sorted(drawn, key=lambda row: row[spread][1])
    if len(rows) < 2:
        return ""
    low, high = min(0.0, *(row[spread][0] for row in rows)), max(0.0, *(row[spread][2] for row in rows))
    span = (high - low) or 1.0
    step = WIDTH / len(rows)
    choices = [(column, choice) for column in range(state) for choice in dict.fromkeys(row[column] for row in rows)]
    left = 20 + CHARACTER * max(len("as the paper says ↑"), *(len(in_choice_words(choice)) for _, choice in choices))

    def x(index: int) -> float:
        return left + (index + 0.5) * step

    def y(value: float) -> float:
        return HEAD + CURVE * (1 - (value - low) / span)

    height = HEAD + CURVE + 20 + ROW * (len(choices) + len(questions)) + 6
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + WIDTH + 10} {height}" role="img" '
        f'aria-label="Specification curve of {len(rows)} settings" style="background:#fff">',
        *_legend(Counter(row[state] for row in rows), left),
        f'<line x1="{left}" x2="{left + WIDTH}" y1="{y(0):.1f}" y2="{y(0):.1f}" stroke="#222" stroke-dasharray="3 2"/>',
        f'<text x="{left - 6}" y="{max(y(0) + 4, HEAD + 12):.1f}" text-anchor="end" {FONT}>no difference</text>',
        f'<text x="{left - 6}" y="{HEAD - 4}" text-anchor="end" {FONT}>as the paper says ↑</text>',
    ]
    for kind, colour in COLOURS.items():
        mine = [(index, row[spread]) for index, row in enumerate(rows) if row[state] == kind]
        bars = "".join(f"M{x(i):.1f} {y(s[0]):.1f}V{y(s[2]):.1f}" for i, s in mine)
        dots = "".join(f"M{x(i):.1f} {y(s[1]):.1f}h.01" for i, s in mine)
        if mine:
            lines.append(
                f'<path d="{bars}" stroke="{colour}" stroke-opacity=".25" stroke-width="{max(step * 0.7, 0.6):.2f}"/>'
            )
            lines.append(f'<path d="{dots}" stroke="{colour}" stroke-width="3.4" stroke-linecap="round"/>')
    top = HEAD + CURVE + 14
    for column, question in enumerate(questions):
        lines.append(f'<text x="4" y="{top + 9}" {FONT} font-weight="bold">{escape(question)}</text>')
        top += ROW
        for choice in (choice for at, choice in choices if at == column):
            lines.append(
                f'<text x="{left - 6}" y="{top + 9}" text-anchor="end" {FONT}>{escape(in_choice_words(choice))}</text>'
            )
            for kind, colour in COLOURS.items():
                marks = [i for i, row in enumerate(rows) if row[column] == choice and row[state] == kind]
                if marks:
                    ticks = "".join(f"M{x(i):.1f} {top + 2}v8" for i in marks)
                    lines.append(
                        f'<path d="{ticks}" stroke="{colour}" stroke-width="{min(max(step * 0.8, 0.6), 4):.2f}"/>'
                    )
            top += ROW
    return "\n".join([*lines, "</svg>"]) + "\n"


def _legend(counts: Mapping[str, int], left: int) -> list[str]:
    lines, at = [], left
    for kind, colour in COLOURS.items():
        if counts.get(kind):
            text = f"{HEADS[kind]} {counts[kind]}"
            lines.append(
                f'<circle cx="{at + 5}" cy="9" r="4" fill="{colour}"/><text x="{at + 13}" y="13" {FONT}>{text}</text>'
            )
            at += 30 + 7 * len(text)
    return lines


def table(numbers: Numbers) -> Sequence[Sequence[str]]:
    """Rows of :func:`by_choice` as text, with a head: question, where it is another one, choice, then the states that
    occur."""
    found = by_choice(numbers)
    states = [state for state in State if any(counts.get(state) for _, _, counts in found)]
    head = ["open question", "choice", *(HEADS[state] for state in states)]
    rows, before = [], ""
    for question, choice, counts in found:
        rows.append(
            [
                question if question != before else "",
                in_choice_words(choice),
                *(str(counts.get(one, 0)) for one in states),
            ]
        )
        before = question
    return [head, *rows]
