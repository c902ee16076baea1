"""References in prose, which stand for numbers that are read when a page is written.

    ${core.models.gaussian_process.JITTER:g}          a value of the code, with a format after a colon
    ${claim:cei.fig4_beats_ei.numbers[margin]|.2f}    a value of the committed evidence on a claim, at the highest scale
                                                      that is stored, with a format after a bar
    ${measured:portfolio[whole].mean|.2f}             what a function of `theory_checks.errata.measured`
                                                      computes from the committed results

Steps into a value are .name and [key]; a key of evidence may hold spaces and commas. The format after a bar is one of
Python's, after `power` (10 to the value, for a mean of decimal logarithms), `size` (its absolute value), `count` (of a
list or a table), `down` or `up` (a limit, rounded outward to the decimals of the format, as in `down .3f`), if one of
these words stands in front.
"""

import importlib
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from experiments.engine.scale import SCALES
from experiments.engine.store import REFERENCE
from theory_checks import cache

__all__ = ["REFERENCE_PATTERN", "evidence", "filled_in", "resolve"]

_STEPS = r"(?:\[[^\]{}]+\]|\.\w+)*"
_CODE = re.compile(r"\$\{(?P<name>[\w.]+)(?P<path>(?:\[[-\w]+\]|\.\w+)*)(?::(?P<format>[^}]*))?\}")
_CLAIM = re.compile(
    r"\$\{(?:claim:(?P<name>[a-z]+\.\w+)|measured:(?P<function>\w+))(?P<path>" + _STEPS + r")(?:\|(?P<format>[^}]*))?\}"
)
_STEP = re.compile(r"\[(?P<key>[^\]]+)\]|\.(?P<attribute>\w+)")
REFERENCE_PATTERN = re.compile(rf"{_CODE.pattern.replace('?P<', '?P<code_')}|{_CLAIM.pattern}")
"""Either kind of reference."""

_FORMS: Mapping[str, Callable[[Any], Any]] = {"power": lambda value: 10**value, "size": abs, "count": len}
_OUTWARD: Mapping[str, str] = {"down": ROUND_FLOOR, "up": ROUND_CEILING}


def filled_in(text: str, where: str) -> str:
    """`text` with the values of its references.

    Raises:
        ValueError: a reference names nothing in the code or the evidence, or is malformed; the message starts with
            `where`.
    """
    filled = _CLAIM.sub(lambda match: _value(match, where, "evidence", _of_claim), text)
    filled = _CODE.sub(lambda match: _value(match, where, "code", _of_code), filled)
    if "${" in filled:
        raise ValueError(f"{where}: {filled[filled.index('${') :][:40]!r} is no reference to the code or to a claim")
    return filled


def _value(match: re.Match[str], where: str, place: str, written: Callable[[re.Match[str]], str]) -> str:
    try:
        return written(match)
    except (AttributeError, ImportError, InvalidOperation, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: {match[0]} is not in the {place}: {error}") from error


def _of_code(match: re.Match[str]) -> str:
    written = format(_walk(resolve(match["name"]), match["path"]), match["format"] or "")
    return _as_written(written)


def _as_written(written: str) -> str:
    return re.sub(r"e([+-])0(\d)", r"e\1\2", written).replace("%", " %")


def _of_claim(match: re.Match[str]) -> str:
    function = match["function"]
    found = resolve(f"theory_checks.errata.measured.{function}")() if function else evidence(match["name"])
    value = _walk(found, match["path"])
    first, _, rest = (match["format"] or "").partition(" ")
    if first in _FORMS:
        return format(_FORMS[first](value), rest)
    if first in _OUTWARD:
        return format(Decimal(value).quantize(Decimal(1).scaleb(-int(rest[1:-1])), _OUTWARD[first]), rest)
    if isinstance(value, dict | list):
        raise TypeError("a table or a list, not a number")
    return _as_written(format(value, match["format"] or ""))


def _walk(found: Any, path: str) -> Any:
    for step in _STEP.finditer(path):
        key = step["key"]
        if key is not None:
            found = found[key] if isinstance(found, Mapping) and key in found else found[_index(key)]
        else:
            name = step["attribute"]
            found = found[name] if isinstance(found, Mapping) and name in found else getattr(found, name)
    return found


def _index(key: str) -> int:
    try:
        return int(key)
    except ValueError:
        raise KeyError(key) from None


def evidence(claim_id: str, root: Path = REFERENCE) -> dict[str, Any]:
    """The committed evidence on a claim at the highest scale that is stored. Raises LookupError where there is none."""
    for scale in reversed(SCALES):
        entry = cache.read(claim_id, scale, root)
        if entry is not None:
            return entry
    raise LookupError(f"no committed evidence on {claim_id}")


def resolve(name: str) -> Any:
    """The object of a dotted name, "core.models.gaussian_process.JITTER". Raises ImportError or AttributeError."""
    words = name.split(".")
    for count in range(len(words), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(words[:count]))
        except ModuleNotFoundError:
            continue
        for word in words[count:]:
            found = getattr(found, word)
        return found
    raise ModuleNotFoundError(f"no module {words[0]!r}")
