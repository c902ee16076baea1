"""The last lines of a figure: the sentences of the paper with our findings, the meaning of bands and bars, the seeds
and scale, and the source of the results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import TextPath

from paper_figures.style import SMALLEST

__all__ = ["Sentence", "footer", "name_band", "name_bars", "remark"]

SIZE = SMALLEST
"""The font size of the remarks in points."""
LINE = 0.11
"""The distance between lines, in inches."""
COLOUR = "#5a5a5a"
EDGE = 0.005
"""The margin on the left and on the right, as a share of the width."""

SENTENCE_SIZE = 7.2
SENTENCE_LINE = 0.125
GAP = 0.12
"""The distance between the columns of the sentences, and above them, in inches."""
HINTING = 1.045
"""The ratio of the width of letters on the pixels of a saved picture to the width of their outlines."""
SHARE = 0.46
"""The largest share of the width for the first column."""
HEAD = ("The paper says", "We see", "")
BOLD = (False, True, False)


@dataclass(frozen=True)
class Sentence:
    """A sentence in short, its verdict, and what decides: "at the default: 28 of 32 hold; 8 settings: open 50 %"."""

    says: str
    verdict: str
    found: str


_REMARKS: WeakKeyDictionary[Figure, list[str]] = WeakKeyDictionary()


def remark(figure: Figure, text: str) -> None:
    """Adds a remark to the left of the last line; equal remarks count once."""
    known = _REMARKS.setdefault(figure, [])
    if text not in known:
        known.append(text)


def name_band(axes: Axes, text: str) -> None:
    """States what the bands of a figure show."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        remark(figure, f"Bands: {text}")


def name_bars(axes: Axes, text: str) -> None:
    """States what the bars at the points of a figure show."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        remark(figure, f"Bars: {text}")


def footer(figure: Figure, text: str, sentences: Sequence[Sentence] = ()) -> None:
    """Writes the sentences. Below them stand the remarks on the left, and scale, seeds, commit and place of the results
    on the right.

    Remarks that do not fit beside the last line go on lines of their own above that line. A long last line is broken.
    The figure grows by the height of these lines and of the sentences.
    """
    room = (1.0 - 2.0 * EDGE) * figure.get_figwidth()
    said = " · ".join(_joined(_REMARKS.get(figure, [])))
    beside = _inches(said, SIZE) + _inches(text, SIZE) + 2.0 * GAP <= room
    lines = [said] if beside else _balanced(said, room)
    last = _balanced(text, room)
    rows, lefts = _rows(sentences, room)
    below = (0.0 if beside else LINE * len(lines)) + LINE * (len(last) - 1)
    tall = GAP + SENTENCE_LINE * sum(max(map(len, row)) for row in rows) if rows else 0.0
    _grow(figure, below + tall)
    height = figure.get_figheight()
    place = 0.03 / height
    _write(figure, rows, lefts, place + (below + tall + LINE - GAP / 2) / height)
    for index, line in enumerate(lines):
        above = 0.0 if beside else LINE * (len(last) - 1 + len(lines) - index) / height
        figure.text(EDGE, place + above, line, ha="left", va="bottom", fontsize=SIZE, color=COLOUR)
    for index, line in enumerate(reversed(last)):
        above = LINE * index / height
        figure.text(1.0 - EDGE, place + above, line, ha="right", va="bottom", fontsize=SIZE, color=COLOUR)


def _inches(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text without formulas."""
    words = _words(text)
    space = _drawn("a b", size, bold) - _drawn("ab", size, bold)
    return sum(_drawn(word, size, bold) for word in words) + space * max(len(words) - 1, 0)


@cache
def _drawn(word: str, size: float, bold: bool) -> float:
    """The width of a word in inches."""
    font = FontProperties(family=rcParams["font.family"], weight="bold" if bold else "normal")
    return float(TextPath((0.0, 0.0), word, size=size, prop=font).get_extents().x1) / 72.0 * HINTING


def _words(text: str) -> list[str]:
    """The words between spaces; a no-break space is part of a word."""
    return [word for word in text.split(" ") if word]


def _wrapped(text: str, room: float, size: float, bold: bool = False) -> list[str]:
    """The text on lines of at most so many inches; a longer word has a line of its own."""
    lines: list[str] = []
    for word in _words(text):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _inches(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _balanced(text: str, room: float) -> list[str]:
    """The text on as few lines as the room allows, all of about the same length; no line begins or ends
    with the dot between parts."""
    count = len(_wrapped(text, room, SIZE))
    narrower = (_wrapped(text, room * share, SIZE) for share in np.arange(0.5, 1.0, 0.02))
    found = next((lines for lines in narrower if len(lines) <= count), _wrapped(text, room, SIZE))
    return [line.removesuffix(" ·").removeprefix("· ") for line in found]


Row = tuple[list[str], ...]
"""The three cells of a row, each split into lines."""


def _rows(sentences: Sequence[Sentence], room: float) -> tuple[list[Row], list[float]]:
    """The head and one row a sentence, and the left edges of the columns in inches."""
    if not sentences:
        return [], []
    cells = [HEAD, *((one.says, one.verdict, one.found) for one in sentences)]
    says, verdict = (
        max(_inches(cell[column], SENTENCE_SIZE, BOLD[column] or cell is HEAD) for cell in cells) for column in (0, 1)
    )
    says = min(says, SHARE * room)
    widths = (says, verdict, room - says - verdict - 2.0 * GAP)
    rows = [
        tuple(
            _wrapped(text, width + 0.01, SENTENCE_SIZE, bold)
            for text, width, bold in zip(cell, widths, BOLD, strict=True)
        )
        for cell in cells
    ]
    return rows, [0.0, says + GAP, says + verdict + 2.0 * GAP]


def _write(figure: Figure, rows: Sequence[Row], lefts: Sequence[float], top: float) -> None:
    """Draws the rows downwards from `top`, a share of the figure's height; head and verdicts are bold."""
    width, height = figure.get_figwidth(), figure.get_figheight()
    for number, row in enumerate(rows):
        for left, lines, bold in zip(lefts, row, BOLD, strict=True):
            for index, line in enumerate(lines):
                figure.text(
                    EDGE + left / width, top - index * SENTENCE_LINE / height, line, ha="left", va="top",
                    fontsize=SENTENCE_SIZE, fontweight="bold" if bold or number == 0 else "normal",
                )  # fmt: skip
        top -= SENTENCE_LINE * max(map(len, row)) / height


def _joined(remarks: Iterable[str]) -> list[str]:
    """Remarks that differ only in their end, joined: "Bands: 95 % interval of the mean, of the median"."""
    ends: dict[str, list[str]] = {}
    for text in remarks:
        beginning, word, end = text.partition(" of the ")
        ends.setdefault(beginning, []).append(word + end)
    return [beginning + ",".join(found) for beginning, found in ends.items()]


def _grow(figure: Figure, inches: float) -> None:
    """Adds room at the bottom; the height of the panels does not change."""
    engine = figure.get_layout_engine()
    before = figure.get_figheight()
    after = before + inches
    figure.set_figheight(after)
    if isinstance(engine, ConstrainedLayoutEngine):
        left, low, width, high = engine.get()["rect"]
        engine.set(rect=(left, (low * before + inches) / after, width, high * before / after))
