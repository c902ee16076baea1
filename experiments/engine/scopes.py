"""The scopes of a statement: its local names, and their form in the normal form.

A local name is numbered when it first appears; a parameter and a name of a class keep their names. A name that no scope
binds belongs to the module.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from experiments.engine.source import Module, Target, bound_names

__all__ = ["Scopes"]

Names = dict[str, str | Target | None]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass
class _Scope:
    """The names of a function, comprehension or class, each with its written form or its import; None until the name
    appears."""

    names: Names
    of_class: bool = False


class Scopes:
    """The scopes around a place in a statement of a module, the innermost last."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._scopes: list[_Scope] = []
        self._numbered = 0

    @property
    def in_class(self) -> bool:
        """True in the body of a class."""
        return bool(self._scopes) and self._scopes[-1].of_class

    def found(self, name: str) -> str | Target | None:
        """The written form of a name, or its target; None for a builtin."""
        for depth, scope in enumerate(reversed(self._scopes)):
            if name not in scope.names or (scope.of_class and depth):
                continue
            known = scope.names[name]
            if known is None:
                self._numbered += 1
                known = scope.names[name] = f"~{self._numbered}"
            return known
        return self._module.resolve(name)

    @contextmanager
    def function(self, parameters: Iterable[ast.arg], body: Sequence[ast.AST]) -> Iterator[None]:
        """The scope inside a function."""
        shared = {name for one in body for name in _shared(one)}
        names: Names = {name: None for one in body for name in bound_names(one) if name not in shared}
        for one in body:
            for child in ast.walk(one):
                if isinstance(child, (ast.Import, ast.ImportFrom)):
                    names.update(self._module.imported(child))
        names.update({one.arg: f"@{one.arg}" for one in parameters})
        yield from self._inside(_Scope(names))

    @contextmanager
    def body_of_class(self, node: ast.ClassDef) -> Iterator[None]:
        """The scope inside a class."""
        names: Names = {name: name for one in node.body for name in bound_names(one)}
        yield from self._inside(_Scope(names, of_class=True))

    @contextmanager
    def comprehension(self, loops: Iterable[ast.comprehension]) -> Iterator[None]:
        """The scope inside a comprehension."""
        targets = (name for loop in loops for name in bound_names(loop.target))
        yield from self._inside(_Scope(dict.fromkeys(targets)))

    def _inside(self, scope: _Scope) -> Iterator[None]:
        self._scopes.append(scope)
        yield
        self._scopes.pop()


def _shared(node: ast.AST) -> Iterable[str]:
    """The names that a function declares to belong to an outer scope."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    for child in ast.iter_child_nodes(node):
        yield from _shared(child)
