"""The texts of a statement, and the texts that the statement may put together: mappings are asked for entries by them.

A text that is put together is known as a regular expression: `f"{a}_{b}"` gives `.*_.*`.
"""

import ast
import re

__all__ = ["Texts"]

ANY = ".*"
_CUTTING = frozenset(("split", "rsplit", "partition", "rpartition", "removesuffix", "removeprefix"))
_CUTTING |= {"strip", "lstrip", "rstrip", "replace", "lower", "upper", "title", "casefold", "swapcase", "group"}


class Texts:
    """The texts of statements; the methods note what one expression adds.

    Attributes:
        strings: the texts that are written out.
        cuts: whether a method takes texts apart, so that a part of one may be a name.
    """

    def __init__(self) -> None:
        self.strings: set[str] = set()
        self.cuts = False
        self._patterns: set[str] = set()

    @property
    def patterns(self) -> frozenset[str]:
        """Regular expressions of the texts that are put together with some text of their own."""
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
        """A method that is called, of a text perhaps: `"_".join`, `"{}".format`, `name.removesuffix`."""
        text = node.value.value if isinstance(node.value, ast.Constant) else None
        if node.attr == "join":
            self._patterns.add(f"{ANY}{re.escape(text)}{ANY}" if isinstance(text, str) else ANY)
        elif node.attr == "format":
            found = re.split(r"\{[^}]*\}", text) if isinstance(text, str) else ["", ""]
            self._patterns.add(ANY.join(map(re.escape, found)))
        self.cuts = self.cuts or node.attr in _CUTTING


def _pattern(node: ast.expr) -> str:
    """The regular expression of the text that an expression gives."""
    text = node.value if isinstance(node, ast.Constant) else None
    return re.escape(text) if isinstance(text, str) else ANY
