"""The texts of a statement, and the texts that the statement may compose; both are possible keys of mappings.

A regular expression stands for a composed text: `f"{a}_{b}"` gives `.*_.*`.
"""

import ast
import re

__all__ = ["Texts"]

ANY = ".*"
_CUTTING = frozenset(("split", "rsplit", "partition", "rpartition", "removesuffix", "removeprefix"))
_CUTTING |= {"strip", "lstrip", "rstrip", "replace", "lower", "upper", "title", "casefold", "swapcase", "group"}


class Texts:
    """The texts of statements; each method adds the texts of one expression.

    Attributes:
        strings: the texts that are written out.
        cuts: True where a method takes texts apart, so that a part of a text may be a name.
    """

    def __init__(self) -> None:
        self.strings: set[str] = set()
        self.cuts = False
        self._patterns: set[str] = set()

    @property
    def patterns(self) -> frozenset[str]:
        """Regular expressions of the composed texts that have some text of their own."""
        return frozenset(pattern for pattern in self._patterns if pattern.replace(ANY, ""))

    def joined(self, node: ast.JoinedStr) -> None:
        """`f"{a}_{b}"`."""
        self._patterns.add("".join(map(_pattern, node.values)))

    def operation(self, node: ast.BinOp) -> None:
        """`"a" + b`, `"a%s" % b`."""
        left, right = _pattern(node.left), _pattern(node.right)
        if isinstance(node.op, ast.Add) and (left, right) != (ANY, ANY):
            self._patterns.add(left + right)
        elif isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and left != ANY:
            self._patterns.add(ANY.join(map(re.escape, re.split(r"%[^a-zA-Z]*[a-zA-Z]", str(node.left.value)))))

    def method(self, node: ast.Attribute) -> None:
        """A method that is called, possibly of a text: `"_".join`, `"{}".format`, `name.removesuffix`."""
        text = node.value.value if isinstance(node.value, ast.Constant) else None
        if node.attr == "join":
            self._patterns.add(f"{ANY}{re.escape(text)}{ANY}" if isinstance(text, str) else ANY)
        elif node.attr == "format":
            found = re.split(r"\{[^}]*\}", text) if isinstance(text, str) else ["", ""]
            self._patterns.add(ANY.join(map(re.escape, found)))
        self.cuts = self.cuts or node.attr in _CUTTING


def _pattern(node: ast.expr) -> str:
    """The regular expression of an expression's text."""
    text = node.value if isinstance(node, ast.Constant) else None
    return re.escape(text) if isinstance(text, str) else ANY
