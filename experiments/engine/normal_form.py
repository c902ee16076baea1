"""A statement as what it computes: its text without words, with references in the place of names.

Left out: comments, layout, docstrings and other bare strings, annotations (of a field, all but what makes it no
field), `__all__`, the messages of assertions and of built-in exceptions, and the words that `prose.py` beside this
module lists. Local names are numbered in the order of their appearance (`scopes.py`); a name of the project becomes a
reference to its symbol, wherever that is and whatever it is called; another module's name becomes its dotted path.
Parameters, attributes, methods and keywords keep their names: callers use these.
"""

import ast
import builtins
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from experiments.engine.piece import Piece, Reference, entry_keys
from experiments.engine.prose import MESSAGES, PROSE, prose_of
from experiments.engine.scopes import Scopes
from experiments.engine.source import Module, Target
from experiments.engine.texts import Texts

__all__ = ["piece_of"]

_KEPT_ANNOTATIONS = ("ClassVar", "InitVar", "AbstractVar", "AbstractClassVar", "KW_ONLY")
_ERRORS = frozenset(
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, BaseException)
)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NAMES_MATTER = frozenset(("__name__", "__qualname__"))


def piece_of(nodes: Sequence[ast.AST], module: Module) -> Piece:
    """The normal form of statements, or expressions, at the top level of a module."""
    writer = _Writer(module)
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


class _Writer:
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
            if not isinstance(one, ast.Pass) and not (
                isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
            ):
                self.visit(one)
        self.put("]")

    # Names

    def _target(self, node: ast.AST) -> Target | str | None:
        """What a name, or a chain of attributes of a module, stands for."""
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

    # What is left out

    def _Raise(self, node: ast.Raise) -> None:
        self.put("(Raise ")
        error = node.exc
        builtin = isinstance(error, ast.Call) and isinstance(error.func, ast.Name) and error.func.id in _ERRORS
        self.visit([error.func if builtin and isinstance(error, ast.Call) else error, node.cause])
        self.put(")")

    def _Assert(self, node: ast.Assert) -> None:
        self._fields(node, ("msg",))

    def _Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        prose = prose_of(called)
        self.put("(Call ")
        if isinstance(node.func, ast.Attribute) and not isinstance(self._target(node.func), Target):
            self.texts.method(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get":  # of a mapping: a lookup
            target = self._target(node.func.value) if isinstance(node.func.value, (ast.Name, ast.Attribute)) else None
            mapping = isinstance(target, Target) and bool(target.module and target.name) and self._is_mapping(target)
        else:
            mapping = False
        if mapping and isinstance(node.func, ast.Attribute):
            self.put("(get ")
            self.visit(node.func.value, lookup=True)
            self.put(")")
        else:
            self.visit(node.func)
        self.visit(node.args[: MESSAGES.get(called)])
        self.visit([one for one in node.keywords if one.arg not in prose])
        self.put(")")
        if called in ("import_module", "__import__"):
            self._imported_by_name(node)

    def _imported_by_name(self, node: ast.Call) -> None:
        named = node.args[0] if node.args else None
        if not isinstance(named, ast.Constant):
            self.anything = True
            return
        target = self.module.tree.module_target(str(named.value))
        if target.module:
            self._refer(target)
            self.loads.add(target.module)

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
