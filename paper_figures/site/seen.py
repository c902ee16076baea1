"""The finding of our runs on a sentence: one plain sentence with the plotted measure and its interval."""

import re
from collections.abc import Mapping
from typing import Any

from paper_figures.claims import ClaimEntry
from paper_figures.site.markdown import NAMES, in_words
from paper_figures.style import method_label, problem_label
from paper_figures.table import MINUS, interval, number
from theory_checks.readings.declaration import READINGS, Measure, Reading
from theory_checks.readings.judgement import State
from theory_checks.readings.summary import compared
from theory_checks.readings.words import HEADS, in_state_words, said

__all__ = ["seen"]

_PLACE = re.compile(r" \((?:\d+D|\d\+\d)\)$")
"""The dimension after a problem's name."""
_MORE = re.compile(r"; it takes about|; missing:| \(scale \w+\)$| Scale \w+\.$|\. Of [\d,]+ settings ")
"""The words that stand elsewhere on a page: seeds to run, scale, shares of settings."""
_COUNTED = re.compile(r" \(\d comparisons: [^)]*\)\.$")
"""The end of a summary, with the number of comparisons."""
_SHORT = ("At the default setting the sentence", "It")
FEW = 2
"""The number of comparisons that are told one by one; of a longer list the least favourable comparison is told."""


def seen(entry: ClaimEntry) -> str:
    """The comparisons at the default setting where the evidence has them, else the evidence's own sentence."""
    reading = READINGS.get(entry.claim.id)
    default: Mapping[str, Any] = entry.numbers.get("default") or {}
    found = {name: one for name, one in default.items() if isinstance(one, Mapping) and "advantage" in one}
    if reading is None or not reading.measures or not found:
        head, *more = _MORE.split(entry.summary, maxsplit=1)
        text = in_state_words(in_words(f"{head.rstrip('.')}." if more else head)).replace(*_SHORT)
        differ = len(found) == FEW and len({one["state"] for one in found.values()}) > 1
        return _COUNTED.sub(f" ({_each(found)}).", text) if differ else text
    measure = _measure(reading, default)
    problems = {compared(name)[2] for name in found}
    short = {one: _PLACE.sub("", problem_label(one)) for one in problems if one}
    where = short if len(set(short.values())) == len(short) else {one: problem_label(one) for one in short}
    told = [(name, where.get(compared(name)[2], "") if len(problems) > 1 else "", of) for name, of in found.items()]
    if len(told) > FEW:
        worst = min(told, key=lambda item: item[2]["advantage"][0])
        states = [one["state"] for one in found.values()]
        count = ", ".join(f"{states.count(one)} {said(one, states.count(one))}" for one in dict.fromkeys(states))
        text = f"Of {len(found)} comparisons: {count}. {_size(measure)}, least favourable: {_one(measure, *worst)}"
    else:
        text = f"{_size(measure)}: {'; '.join(_one(measure, *item) for item in told)}"
    seeds = sorted({one["seeds"] for one in found.values() if "seeds" in one})
    runs = f" ({seeds[0] if len(seeds) == 1 else f'{seeds[0]} to {seeds[-1]}'} seeds)" if seeds else ""
    return f"{text}{runs}."


def _each(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Comparisons by name, with their states: "A above B: holds; B above A: opposite"."""
    return "; ".join(f"{name}: {HEADS[State(one['state'])]}" for name, one in found.items())


def _measure(reading: Reading, default: Mapping[str, Any]) -> Measure:
    name = default.get("choices", {}).get("measure")
    return next((one for one in reading.measures if one.name == name), reading.measures[0])


def _size(measure: Measure) -> str:
    return f"{measure.name[0].upper()}{measure.name[1:]}"


def _one(measure: Measure, name: str, problem: str, found: Mapping[str, Any]) -> str:
    """ "BOKE / GP-UCB = 5.7 [4.9, 6.9]": the first method's value over, or minus, the second's, 95 % interval.

    The words name the problem where the comparisons are on several problems.
    """
    first, second, _ = compared(name)
    sign = -1.0 if measure.smaller_is_better else 1.0
    mean, *ends = (sign * float(value) for value in found["advantage"])
    if measure.compare != "difference":
        mean, *ends = (10.0**value for value in (mean, *ends))
    low, high = sorted(ends)
    sign_of = MINUS if measure.compare == "difference" else "/"
    where = f" on {problem}" if problem else ""
    named = [NAMES.get(name, method_label(name)) for name in (first, second)]
    pair = f" {sign_of} ".join(named).replace("_", " ")
    return f"{pair}{where} = {number(mean, 2)} {interval(low, high, 2)}"
