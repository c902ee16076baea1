"""Formulas: `$...$` in Markdown becomes MathML when a page is made, so that a reader's browser loads and runs no
script.

The module is a Markdown extension, which `mkdocs.yml` names.
"""

import re
from functools import cache
from typing import Any
from xml.sax.saxutils import quoteattr

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

__all__ = ["FORMULA", "makeExtension", "mathml"]

FORMULA = r"(?<![\\$\w])\$(?![\s$])((?:\\.|[^$\\\n])+?)(?<!\s)\$(?![\d$])"
"""A formula as GitHub reads it: no space after the first dollar sign or before the second."""
PRIORITY = 185
"""The priority below code (190) and above escapes (180): a backslash belongs to the formula."""


@cache
def mathml(tex: str) -> str:
    """A formula in TeX as MathML, with its source as the alternative text. Raises where the library cannot read the
    formula."""
    return convert(tex).replace("<math ", f"<math alttext={quoteattr(tex)} ", 1)


class _Formula(InlineProcessor):
    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # type: ignore[override]  # noqa: N802
        return self.md.htmlStash.store(mathml(m[1])), m.start(0), m.end(0)


class Formulas(Extension):
    """The extension."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Registers the pattern."""
        md.inlinePatterns.register(_Formula(FORMULA, md), "formula", PRIORITY)


def makeExtension(**options: Any) -> Formulas:  # noqa: N802
    """The function that Markdown calls."""
    return Formulas(**options)
