"""Whether a panel shows the order that the paper states: lines under it, from paired comparisons of the runs drawn.

They speak of one pair at a time, at 95 %. The ledger's claims ask for more, since many pairs are compared: what is
reversed here may be undecided there.
"""

import textwrap
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from experiments.engine.statistics import bootstrap_interval
from paper_figures.footer import COLOUR
from paper_figures.panels import RESAMPLES
from paper_figures.style import BLACK, VERMILLION, method_label

__all__ = ["Advantages", "mark_order", "order_lines"]

Advantages = Mapping[tuple[str, str], np.ndarray]
"""(method that the paper has ahead, method that it has behind) → by how much it is ahead here, one number a seed."""

LINE = 8.6
"""Points from line to line."""
SIZE = 7.0


def order_lines(advantages: Advantages) -> list[tuple[str, str]]:
    """Colour and text of a line for the pairs against the paper, one for those not told apart, or one that none is.

    A pair is against the paper where the 95 % bootstrap interval of its mean advantage lies below zero, and not told
    apart where the interval holds zero.
    """
    against: dict[str, list[str]] = {}
    undecided: dict[str, list[str]] = {}
    for (ours, peer), values in advantages.items():
        found = bootstrap_interval(values, resamples=RESAMPLES)
        kind = against if found.high < 0 else undecided if found.low <= 0 else {}
        kind.setdefault(method_label(ours), []).append(method_label(peer))
    lines = []
    if against:
        said = "; ".join(f"{ours} behind {', '.join(peers)}" for ours, peers in against.items())
        lines.append((VERMILLION, f"Reversed here at 95 %: {said}"))
    if undecided:
        said = "; ".join(f"{ours} and {', '.join(peers)}" for ours, peers in undecided.items())
        lines.append((COLOUR, f"Not told apart here: {said}"))
    return lines or [(BLACK, "So it is here, at 95 %.")]


def mark_order(axes: Axes, says: str, advantages: Advantages, letters: int, below: float = 30.0) -> None:
    """Lines under a panel: what the paper says, and where the runs drawn reverse it or leave it open.

    `letters` go on a line; the first line stands `below` points under the panel.
    """
    if not advantages:
        return
    for colour, text in [(BLACK, f"Paper: {says}"), *order_lines(advantages)]:
        for line in textwrap.wrap(text, letters, break_on_hyphens=False):
            axes.annotate(
                line, (0.0, 0.0), xycoords="axes fraction", xytext=(0.0, -below), textcoords="offset points", va="top",
                fontsize=SIZE, color=colour, annotation_clip=False,
            )  # fmt: skip
            below += LINE
