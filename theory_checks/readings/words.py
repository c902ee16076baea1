"""Words for readers: the states of comparisons and settings, and the choices of open questions.

Evidence and curves keep the values of the code. Pages, footers and pictures show these words. The state "level" reads
"does not hold", since a method that is far behind is also level if too few runs show the opposite. The choice "rule =
scott, bandwidth = 0.5" reads "Scott's rule by deviations, c = 0.5".
"""

import re
from collections.abc import Mapping

from theory_checks.readings.judgement import State

__all__ = ["HEADS", "in_choice_words", "in_state_words", "said"]

_SAID: Mapping[State, tuple[str, str]] = {
    State.HOLDS: ("holds", "hold"),
    State.LEVEL: ("does not hold", "do not hold"),
    State.OPPOSITE: ("is opposite", "are opposite"),
    State.OPEN: ("is open", "are open"),
}
HEADS: Mapping[State, str] = {state: one.removeprefix("is ") for state, (one, _) in _SAID.items()}
"""State -> head of its column: "holds", "does not hold", "opposite", "open"."""

_RULES: Mapping[str, str] = {
    "scott": "Scott's rule by deviations",
    "scott_box": "Scott's rule by the diagonal",
    "scott_sides": "Scott's rule by the sides",
}
"""Rule of the bandwidth, `core.models.bandwidth` -> words that name its factor."""
_CONSTANTS: Mapping[str, str] = {
    "bandwidth": "c = {}",
    "noise_scale": "noise scale {}",
    "delta": "δ = {}",
    "beta": "β = {}",
    "lengthscale": "lengthscale {}",
    "exploration": "C = {}",
    "threshold": "τ = {}",
    "exploration_probability": "p = {}",
}
"""Constant in the code -> the paper's letter, or a word."""
_PARTS: Mapping[str, str] = {
    "noise_scale = level": "noise scale of the true noise",
    "noise_scale = raw": "noise scale 0.01 in the unit of y",
    "ours": "our default",
    "EF": "E and F",
}
"""A choice of a curve, or a part of a choice -> words."""


def said(state: str, count: int = 1) -> str:
    """The verb for `count` comparisons or settings in a state: "holds", "hold", "does not hold", "do not hold"."""
    return _SAID[State(state)][count != 1]


def in_state_words(text: str) -> str:
    """A summary of evidence in these words: "does not hold" replaces "is level", "default" replaces "declared"."""
    told = text.replace("At the declared setting", "At the default setting")
    return re.sub(r"\b(is|are) level\b", lambda found: said(State.LEVEL, 1 if found[1] == "is" else 2), told)


def in_choice_words(choice: str) -> str:
    """A choice in words; parts that name no constant of the code stay."""
    return ", ".join(map(_part, choice.split(", ")))


def _part(text: str) -> str:
    name, sign, value = text.partition(" = ")
    if text in _PARTS:
        return _PARTS[text]
    if sign and name == "rule":
        return _RULES.get(value, text)
    if sign and name in _CONSTANTS:
        return _CONSTANTS[name].format(value.removesuffix(".0"))
    return text
