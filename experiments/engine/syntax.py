"""A statement as text: its syntax, with references in the place of names.

Local names are numbered in the order of their appearance (`scopes.py`); a name of the project becomes a reference to
its symbol, wherever that is and whatever it is called; another module's name becomes its dotted path. Parameters,
attributes, methods and keywords keep their names: callers use these.
"""

import ast
from collections.abc import Iterable
from typing import Any

from experiments.engine.piece import Reference, entry_keys
from experiments.engine.scopes import Scopes
from experiments.engine.source import Module, Target
from experiments.engine.texts import Texts

__all__ = ["Syntax", "name_of_call"]

_NAMES_MATTER = frozenset(("__name__", "__qualname__"))


def name_of_call(node: ast.Call) -> str:
    """The last name of the function that is called; "" where the call gives a function without one."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


class Syntax:
    """The text of statements of a module; a method `_<Node>` writes the nodes of one kind.

    Attributes:
        parts: the text.
        references: the symbols that the text refers to, numbered as they appear.
        loads: modules that the statements import.
        names: whether names of functions are read.
        anything: whether a module is imported by a name that is not written there.
        texts: the texts, by which mappings are asked.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.parts: list[str] = []
        self.references: dict[Reference, int] = {}
        self.loads: set[str] = set()
        self.names = self.anything = False
        self.texts = Texts()
        self.scopes = Scopes(module)

    def put(self, text: str) -> None:
        self.parts.append(text)

    def visit(self, node: Any, lookup: bool = False) -> None:
        """Writes a node; `lookup` where its value is only asked for a key."""
        if isinstance(node, list):
            self._list(node)
        elif not isinstance(node, ast.AST):
            self.put(f"{type(node).__name__}:{node!r}")
        elif isinstance(node, (ast.Name, ast.Attribute)):
            self._value(node, lookup)
        else:
            method = getattr(self, f"_{type(node).__name__}", None)
            if method is None:
                self._fields(node)
            else:
                method(node)

    def _fields(self, node: ast.AST, leave: Iterable[str] = ()) -> None:
        self.put(f"({type(node).__name__}")
        for field in node._fields:
            value = getattr(node, field, None)
            if field in ("ctx", "kind", "type_comment", "type_params", *leave) or value is None or value == []:
                continue
            self.put(f" {field}=")
            self.visit(value)
        self.put(")")

    def _list(self, nodes: list[Any]) -> None:
        self.put("[")
        for one in nodes:
            self.visit(one)
        self.put("]")

    # Names

    def _target(self, node: ast.AST) -> Target | str | None:
        """The target of a name, or of a chain of attributes of a module."""
        if isinstance(node, ast.Name):
            return self.scopes.found(node.id)
        if isinstance(node, ast.Attribute):
            origin = self._target(node.value) if isinstance(node.value, (ast.Name, ast.Attribute)) else None
            if isinstance(origin, Target):
                if origin.module and not origin.name:
                    return self.module.tree.member(origin.module, node.attr)
                if not origin.module:
                    return Target("", f"{origin.name}.{node.attr}")
        return None

    def _value(self, node: ast.Name | ast.Attribute, lookup: bool) -> None:
        target = self._target(node)
        if isinstance(target, Target):
            self._refer(target, lookup)
        elif isinstance(node, ast.Name):
            self.put(target or node.id)
        else:
            self.names = self.names or node.attr in _NAMES_MATTER
            self.put("(.")
            self.visit(node.value)
            self.put(f" {node.attr})")

    def _refer(self, target: Target, lookup: bool = False) -> None:
        if not target.module:
            self.put(f"<{target.name}>")
            return
        reference = Reference(target.module, target.name, lookup and self._is_mapping(target))
        self.put(f"#{self.references.setdefault(reference, len(self.references))}")

    def _is_mapping(self, target: Target) -> bool:
        module = self.module.tree.module(target.module)
        statements = module.statements.get(target.name, []) if module else []
        return module is not None and bool(statements) and entry_keys(statements, module) is not None

    def _Subscript(self, node: ast.Subscript) -> None:
        self.put("(Subscript ")
        self.visit(node.value, lookup=isinstance(node.ctx, ast.Load))
        self.visit(node.slice)
        self.put(")")

    def _Compare(self, node: ast.Compare) -> None:
        self.put("(Compare ")
        self.visit(node.left)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            self.put(f" {type(operator).__name__} ")
            self.visit(right, lookup=isinstance(operator, (ast.In, ast.NotIn)))
        self.put(")")

    def _Call(self, node: ast.Call) -> None:
        self.put("(Call ")
        if isinstance(node.func, ast.Attribute) and not isinstance(self._target(node.func), Target):
            self.texts.method(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get" and self._is_asked(node.func.value):
            self.put("(get ")
            self.visit(node.func.value, lookup=True)
            self.put(")")
        else:
            self.visit(node.func)
        self.visit(node.args)
        self.visit(node.keywords)
        self.put(")")
        if name_of_call(node) in ("import_module", "__import__"):
            self._imported_by_name(node)

    def _is_asked(self, node: ast.expr) -> bool:
        """True for a mapping of named things of which a method asks for a key."""
        target = self._target(node)
        return isinstance(target, Target) and bool(target.module and target.name) and self._is_mapping(target)

    def _imported_by_name(self, node: ast.Call) -> None:
        named = node.args[0] if node.args else None
        if not isinstance(named, ast.Constant):
            self.anything = True
            return
        target = self.module.tree.module_target(str(named.value))
        if target.module:
            self._refer(target)
            self.loads.add(target.module)

    # Texts, by which mappings are asked

    def _Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.texts.strings.add(node.value)
        self.put(f"{type(node.value).__name__}:{node.value!r}")

    def _JoinedStr(self, node: ast.JoinedStr) -> None:
        self.texts.joined(node)
        self._fields(node)

    def _BinOp(self, node: ast.BinOp) -> None:
        self.texts.operation(node)
        self._fields(node)

    # Scopes

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        body = node.body if isinstance(node.body, list) else [node.body]
        arguments = node.args
        self.put(f"({type(node).__name__} ")
        self.visit([*getattr(node, "decorator_list", ()), *arguments.defaults, *arguments.kw_defaults])
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        self.put(f"{len(arguments.posonlyargs)} {len(arguments.args)} {arguments.vararg is None} ")
        named = [one for one in parameters if one is not None]
        with self.scopes.function(named, body):
            self.visit(named)
            self.visit(body)
        self.put(")")

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """The name of a definition: of a method its own, else a reference or a number."""
        found = self.scopes.found(node.name)
        if isinstance(found, Target):
            self._refer(found)
        else:
            self.put(found or node.name)

    def _definition_of_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._definition(node)
        self._function(node)

    _FunctionDef = _AsyncFunctionDef = _definition_of_function
    _Lambda = _function

    def _ClassDef(self, node: ast.ClassDef) -> None:
        self._definition(node)
        self.put("(ClassDef ")
        self.visit([*node.decorator_list, *node.bases, *node.keywords])
        with self.scopes.body_of_class(node):
            self.visit(node.body)
        self.put(")")

    def _comprehension(self, node: Any) -> None:
        self.put(f"({type(node).__name__} ")
        self.visit(node.generators[0].iter)
        with self.scopes.comprehension(node.generators):
            for index, loop in enumerate(node.generators):
                self.visit([loop.target, *loop.ifs, loop.is_async])
                if index:
                    self.visit(loop.iter)
            self.visit([node.key, node.value] if isinstance(node, ast.DictComp) else node.elt)
        self.put(")")

    _ListComp = _SetComp = _DictComp = _GeneratorExp = _comprehension

    def _named(self, node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar) -> None:
        found = self.scopes.found(node.name) if node.name else None
        self.put(f"{found} " if isinstance(found, str) else f"{node.name} ")
        self._fields(node, ("name",))

    _ExceptHandler = _MatchAs = _MatchStar = _named

    def _Global(self, node: ast.Global) -> None:
        for name in node.names:
            self.visit(ast.Name(name, ast.Load()))

    def _Nonlocal(self, node: ast.Nonlocal) -> None:
        """Its names are written as those of the function around it, which says what it says."""

    def _imported(self, node: ast.Import | ast.ImportFrom) -> None:
        self.loads |= self.module.loaded_by(node)

    _Import = _ImportFrom = _imported
