"""Texts with formulas in HTML: TeX between dollar signs as MathML, by latex2mathml; plain text without it."""

import importlib
import re
from collections.abc import Callable
from functools import cache

from markupsafe import Markup, escape

from theory_checks.statements import FORMULA, in_plain_text

__all__ = ["with_mathematics"]


@cache
def _converter() -> Callable[[str], str] | None:
    try:
        convert: Callable[[str], str] = importlib.import_module("latex2mathml.converter").convert
    except ImportError:
        return None
    return convert


def with_mathematics(text: str) -> Markup:
    """Words as they are, escaped; `$...$` as MathML, whose alternative text is the TeX; `...` as code."""
    convert = _converter()
    if convert is None:
        return _words(in_plain_text(text))
    pieces = FORMULA.split(text)
    return Markup("").join(
        _mathml(convert, piece) if index % 2 else _words(piece) for index, piece in enumerate(pieces)
    )


def _words(text: str) -> Markup:
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _mathml(convert: Callable[[str], str], tex: str) -> Markup:
    return Markup(convert(tex).replace("<math ", f'<math alttext="{escape(tex)}" ', 1))
