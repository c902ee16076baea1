"""The project's source, read and not imported: the statements that bind a name, and the target of a name.

A `Tree` is one checkout, so that the code of another commit can be compared with this one without running it.
"""

import ast
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

__all__ = ["PACKAGES", "PROJECT", "Module", "Target", "Tree", "bound_names"]

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("core", "experiments", "theory_checks", "paper_figures")
_COMPOUND = (ast.If, ast.Try, ast.With, ast.For, ast.While)
_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Target:
    """The target of a name: a symbol (`name` in `module`), a module (no `name`), or an object outside the project.

    Attributes:
        module: dotted name; "" outside the project.
        name: the symbol; outside the project its dotted name ("jax.numpy").
    """

    module: str
    name: str = ""


@dataclass
class Module:
    """One source file: the top-level statements that bind each name, imports apart, and the statements
    that only act."""

    name: str
    path: Path
    modified: int
    tree: "Tree" = field(repr=False)

    @cached_property
    def body(self) -> list[ast.stmt]:
        """The top-level statements that count."""
        return _body(self.path, self.modified)

    @cached_property
    def statements(self) -> dict[str, list[ast.stmt]]:
        """The statements that bind each name. A definition whose decorator is an attribute of a name (`@f.defjvp`)
        belongs to the name too."""
        found: dict[str, list[ast.stmt]] = {}
        for one in self.body:
            if isinstance(one, (ast.Import, ast.ImportFrom)):
                continue
            for name in dict.fromkeys(bound_names(one)):
                if name != "__all__":
                    found.setdefault(name, []).append(one)
        for one in self.body:
            for name in dict.fromkeys(_decorated(one)):
                if name in found and one not in found[name]:
                    found[name].append(one)
        return found

    @cached_property
    def effects(self) -> list[ast.stmt]:
        """The statements that act when the module is imported, beyond binding a name."""
        found: list[ast.stmt] = []
        for one in self.body:
            binds = isinstance(one, (*_DEFINITION, ast.Import, ast.ImportFrom, ast.AnnAssign, ast.AugAssign, ast.Pass))
            plain = isinstance(one, ast.Assign) and all(isinstance(each, (ast.Name, ast.Tuple)) for each in one.targets)
            if not binds and not plain:
                found.append(one)
        return found

    @cached_property
    def imports(self) -> dict[str, Target]:
        """The target of each name that a top-level import binds."""
        found: dict[str, Target] = {}
        for one in _flat(self.body):
            if isinstance(one, (ast.Import, ast.ImportFrom)):
                found.update(self.imported(one))
        return found

    @cached_property
    def loads(self) -> set[str]:
        """The project's modules that the import of this module loads: its parents, and the modules that its top level
        imports."""
        found = set(_parents(self.name))
        for one in _flat(self.body):
            if isinstance(one, (ast.Import, ast.ImportFrom)):
                found |= self.loaded_by(one)
        return found

    def loaded_by(self, node: ast.Import | ast.ImportFrom) -> set[str]:
        """The project's modules that an import statement loads, their parents included."""
        if isinstance(node, ast.Import):
            named = {alias.name for alias in node.names}
        else:
            origin = self._origin(node)
            named = {origin, *(f"{origin}.{alias.name}" for alias in node.names)}
        every = {part for name in named for part in (*_parents(name), name)}
        return {name for name in every if self.tree.has(name)}

    def imported(self, node: ast.Import | ast.ImportFrom) -> dict[str, Target]:
        """The target of each name that an import statement binds."""
        found: dict[str, Target] = {}
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.split(".")[0]
                found[alias.asname or name] = self.tree.module_target(name)
            return found
        origin = self._origin(node)
        for alias in node.names:
            if alias.name == "*":
                raise ValueError(f"{self.path}: an import of * hides what is used; name it")
            found[alias.asname or alias.name] = self.tree.member(origin, alias.name)
        return found

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]
        parts = package.split(".")
        parents = parts[: len(parts) - node.level + 1]
        return ".".join([*parents, node.module] if node.module else parents)

    def resolve(self, name: str) -> Target | None:
        """The target of a name at the module's top level; None for a builtin."""
        if name in self.statements:
            return Target(self.name, name)
        return self.imports.get(name)


class Tree:
    """The source files under one root.

    Args:
        root: a checkout of the project.
        extra: top-level packages elsewhere on the path that are read, too.
    """

    def __init__(self, root: Path = PROJECT, extra: tuple[str, ...] = ()) -> None:
        self.root = root
        self.extra = extra
        self._modules: dict[str, Module | None] = {}
        self._members: dict[tuple[str, str], Target] = {}

    def has(self, name: str) -> bool:
        """True for the dotted name of a module of the project."""
        return self.module(name) is not None

    def module(self, name: str) -> Module | None:
        """The module of that dotted name; None for a module that is not the project's."""
        if name not in self._modules:
            path = self._path(name)
            self._modules[name] = None if path is None else Module(name, path, path.stat().st_mtime_ns, self)
        return self._modules[name]

    def module_target(self, name: str) -> Target:
        """A module as a target, in the project or outside."""
        return Target(name) if self.has(name) else Target("", name)

    def member(self, module: str, name: str) -> Target:
        """The target of `module.name`, followed through re-exports.

        As in Python, a name that a package binds comes before a module in the package; circles end at the module.
        """
        key = (module, name)
        if key not in self._members:
            self._members[key] = Target("", f"{module}.{name}")  # a circle of re-exports ends here
            self._members[key] = self._member(module, name)
        return self._members[key]

    def _member(self, module: str, name: str) -> Target:
        found = self.module(module)
        if found is not None and (target := found.resolve(name)) is not None:
            return target
        return self.module_target(f"{module}.{name}")

    def _path(self, name: str) -> Path | None:
        top, *rest = name.split(".")
        base = self._base(top)
        if base is None:
            return None
        stem = base.joinpath(*rest) if rest else base
        return next((path for path in (stem / "__init__.py", stem.with_suffix(".py")) if path.is_file()), None)

    def _base(self, top: str) -> Path | None:
        if top in PACKAGES:
            return self.root / top
        if top not in self.extra:
            return None
        spec = importlib.util.find_spec(top)
        if spec is None or spec.origin is None:
            return None
        origin = Path(spec.origin)
        return origin.parent if origin.name == "__init__.py" else origin.with_suffix("")


@cache
def _body(path: Path, modified: int) -> list[ast.stmt]:
    """The top-level statements of a file that count (`modified` keys the cache)."""
    statements = ast.parse(path.read_text(encoding="utf-8")).body
    return [one for one in statements if not _is_text(one) and not _is_for_types(one) and not _is_main(one)]


def bound_names(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds in its own scope, imports apart."""
    if isinstance(node, _DEFINITION):
        yield node.name
        return
    for child in _same_scope(node):
        if isinstance(child, _DEFINITION):
            yield child.name
        elif isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
            yield child.id
        elif isinstance(child, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and child.name:
            yield child.name
        elif isinstance(child, ast.MatchMapping) and child.rest:
            yield child.rest


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes below it in the same scope; a node that opens another scope is named, not entered."""
    yield node
    if isinstance(node, (*_DEFINITION, ast.Lambda)):
        return
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        walrus = (child for child in ast.walk(node) if isinstance(child, ast.NamedExpr))
        yield from (child.target for child in walrus)
        return
    for child in ast.iter_child_nodes(node):
        yield from _same_scope(child)


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and of the compound statements in it."""
    for one in body:
        yield one
        if isinstance(one, _COMPOUND):
            yield from (child for child in _same_scope(one) if isinstance(child, ast.stmt) and child is not one)


def _decorated(node: ast.stmt) -> Iterator[str]:
    """The names at the root of a definition's decorators of the form `@name.something`."""
    for decorator in getattr(node, "decorator_list", ()):
        inner = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            yield inner.value.id


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
