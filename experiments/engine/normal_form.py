"""A statement as what it computes: its syntax without words.

Left out: comments, layout, docstrings and other bare strings, annotations (of a field, all but what makes it no
field), `__all__`, the messages of assertions and of built-in exceptions, and the words that `prose.py` beside this
module lists. `syntax.py` writes the rest, with references in the place of names.
"""

import ast
import builtins
import hashlib
from collections.abc import Sequence
from typing import Any

from experiments.engine.piece import Piece
from experiments.engine.prose import MESSAGES, PROSE, prose_of
from experiments.engine.source import Module
from experiments.engine.syntax import Syntax, name_of_call

__all__ = ["piece_of"]

_KEPT_ANNOTATIONS = ("ClassVar", "InitVar", "AbstractVar", "AbstractClassVar", "KW_ONLY")
_ERRORS = frozenset(
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, BaseException)
)


def piece_of(nodes: Sequence[ast.AST], module: Module) -> Piece:
    """The normal form of statements, or expressions, at the top level of a module."""
    writer = _WithoutWords(module)
    for node in nodes:
        writer.visit(node)
        writer.put("\n")
    return Piece(
        hashlib.sha256("".join(writer.parts).encode()).digest(),
        tuple(writer.references),
        frozenset(writer.texts.strings),
        writer.texts.patterns,
        writer.texts.cuts,
        frozenset(writer.loads),
        writer.names,
        writer.anything,
    )


class _WithoutWords(Syntax):
    def _list(self, nodes: list[Any]) -> None:
        super()._list([one for one in nodes if not (isinstance(one, ast.Pass) or _is_bare_constant(one))])

    def _Raise(self, node: ast.Raise) -> None:
        self.put("(Raise ")
        error = node.exc
        builtin = isinstance(error, ast.Call) and isinstance(error.func, ast.Name) and error.func.id in _ERRORS
        self.visit([error.func if builtin and isinstance(error, ast.Call) else error, node.cause])
        self.put(")")

    def _Assert(self, node: ast.Assert) -> None:
        self._fields(node, ("msg",))

    def _Call(self, node: ast.Call) -> None:
        called = name_of_call(node)
        prose = prose_of(called)
        keywords = [one for one in node.keywords if one.arg not in prose]
        super()._Call(ast.Call(node.func, node.args[: MESSAGES.get(called)], keywords))

    def _Dict(self, node: ast.Dict) -> None:
        self.put("(Dict ")
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in PROSE:
                continue
            self.visit([key, value])
        self.put(")")

    def _Assign(self, node: ast.Assign) -> None:
        if any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets):
            return
        self._fields(node)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        if not (isinstance(node.target, ast.Name) and node.target.id == "__all__"):
            self._fields(node)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if self.scopes.in_class:  # a field: its name and place count, what it holds does not
            kinds = {one.id for one in ast.walk(node.annotation) if isinstance(one, ast.Name)}
            kinds |= {one.attr for one in ast.walk(node.annotation) if isinstance(one, ast.Attribute)}
            self.put(f"(Field {' '.join(kind for kind in _KEPT_ANNOTATIONS if kind in kinds)} ")
            self.visit([node.target, node.value])
            self.put(")")
        elif node.value is not None:
            self.visit(ast.Assign(targets=[node.target], value=node.value))

    def _arg(self, node: ast.arg) -> None:
        self.put(f"(arg {node.arg})")


def _is_bare_constant(node: Any) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
