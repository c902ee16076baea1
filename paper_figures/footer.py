"""The last lines of a figure: what its bands and bars show, what was run, and where the results come from."""

import textwrap
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

__all__ = ["footer", "name_band", "name_bars", "remark"]

SIZE = 6.0
"""Points."""
LINE = 0.1
"""Inches from line to line."""
LETTERS_PER_INCH = 29.0
"""Letters of this size, on average."""
COLOUR = "#5a5a5a"

_REMARKS: WeakKeyDictionary[Figure, list[str]] = WeakKeyDictionary()


def remark(figure: Figure, text: str) -> None:
    """Remember a remark for the left of the last line, once."""
    known = _REMARKS.setdefault(figure, [])
    if text not in known:
        known.append(text)


def name_band(axes: Axes, text: str) -> None:
    """Say what the bands of a figure show."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        remark(figure, f"Bands: {text}")


def name_bars(axes: Axes, text: str) -> None:
    """Say what the bars at the points of a figure show."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        remark(figure, f"Bars: {text}")


def footer(figure: Figure, text: str) -> None:
    """On the left the remarks, on the right scale, seeds, commit, place of the results.

    Remarks that do not fit beside it go on lines of their own above it, and the figure grows by their height.
    """
    room = int(LETTERS_PER_INCH * figure.get_figwidth())
    said = " · ".join(_joined(_REMARKS.get(figure, [])))
    beside = len(said) + len(text) + 4 <= room
    lines = [said] if beside else textwrap.wrap(said, room)
    if not beside:
        _grow(figure, LINE * len(lines))
    height = figure.get_figheight()
    place = 0.03 / height
    for index, line in enumerate(lines):
        above = 0.0 if beside else LINE * (len(lines) - index) / height
        figure.text(0.005, place + above, line, ha="left", va="bottom", fontsize=SIZE, color=COLOUR)
    figure.text(0.995, place, text, ha="right", va="bottom", fontsize=SIZE, color=COLOUR)


def _joined(remarks: Iterable[str]) -> list[str]:
    """Remarks that differ in their end alone become one: "Bands: 95 % interval of the mean, of the median"."""
    ends: dict[str, list[str]] = {}
    for text in remarks:
        beginning, word, end = text.partition(" of the ")
        ends.setdefault(beginning, []).append(word + end)
    return [beginning + ",".join(found) for beginning, found in ends.items()]


def _grow(figure: Figure, inches: float) -> None:
    """More room at the bottom; what is above stays as tall as it was."""
    engine = figure.get_layout_engine()
    before = figure.get_figheight()
    after = before + inches
    figure.set_figheight(after)
    if isinstance(engine, ConstrainedLayoutEngine):
        left, low, width, high = engine.get()["rect"]
        engine.set(rect=(left, (low * before + inches) / after, width, high * before / after))
