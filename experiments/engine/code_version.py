"""Which code made a result: a hash of everything of this project that a module imports, directly or not.

Comments, layout and docstrings do not count, so that explaining the code better does not cost a recomputation; every
other change does. Third-party packages are not hashed: their versions are recorded in each result instead.

Adding a policy must not outdate the results of the others. `core.policies` imports all of them only to list them; so
where the policies that a computation uses are known, only their modules are followed and the list is not hashed.
The face of core, which names all of it, the practitioner's door included, is likewise not followed from the modules
below it, nor from a bare `import core`, which is there for the settings: these are. What uses a name of the face says
`from core import ...`, which is followed.
"""

import ast
import hashlib
import importlib
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("core", "experiments", "theory_checks", "paper_figures")
CATALOGUE = "core.policies"
FACE, SETTINGS = "core", "core.settings"


def code_version(*modules: str, policies: Sequence[str] | None = None) -> str:
    """Ten hexadecimal digits for the project code reachable from `modules` (dotted names).

    Args:
        modules: where the search starts.
        policies: names of the registered policies that are used; None, or one that is not registered, stands for all.

    Raises ModuleNotFoundError when one of `modules` has no source file.
    """
    asked = (tuple(_source(name) for name in modules), modules, None if policies is None else tuple(policies))
    seen, version = _known.get(asked, ({}, ""))
    if not seen or any(_modified(path) != modified for path, modified in seen.items()):
        found = sorted(closure(*modules, policies=policies).items())
        seen = {path: _modified(path) for _, path in found}
        parts = (f"{name}={_module_digest(path, seen[path])}\n" for name, path in found)
        version = hashlib.sha256("".join(parts).encode()).hexdigest()[:10]
        _known[asked] = seen, version
    return version


_known: dict[Any, tuple[dict[Path, int], str]] = {}
"""What was asked before: the files it led to, when each was modified, and the answer. Looking at the files takes a
seventh of the time of following the imports, and a report asks hundreds of times."""


def _modified(path: Path) -> int:
    """When a file was modified, in nanoseconds; -1 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1


def closure(*modules: str, policies: Sequence[str] | None = None) -> dict[str, Path]:
    """The project modules reachable from `modules` by imports anywhere in their source, with their files."""
    tops = {*PACKAGES, *(name.split(".")[0] for name in modules)}
    for name in modules:
        if _source(name) is None:
            raise ModuleNotFoundError(f"no source file for the module {name!r}")
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in found or name.split(".")[0] not in tops:
            continue
        if name == CATALOGUE and (chosen := _policy_modules(policies)) is not None:
            waiting += chosen
            continue
        path = _source(name)
        if path is None:
            continue  # a name that a module defines, not a module
        found[name] = path
        waiting += [SETTINGS if parent == FACE else parent for parent in _parents(name) if parent != CATALOGUE]
        waiting += _imports(path, name, path.stat().st_mtime_ns)
    return found


def _policy_modules(policies: Sequence[str] | None) -> list[str] | None:
    """The modules that define the named policies; None when they are not known or not registered."""
    if policies is None:
        return None
    registry = importlib.import_module(CATALOGUE).REGISTRY
    modules = []
    for policy in policies:
        constructor = registry.get(policy)
        while isinstance(constructor, partial):
            constructor = constructor.func
        if constructor is None:
            return None
        modules.append(constructor.__module__)
    return modules


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _source(name: str) -> Path | None:
    """The source file of a module, found without importing it; None when there is none."""
    top, *rest = name.split(".")
    base = _top_folder(top)
    if base is None:
        return None
    stem = base.joinpath(*rest) if rest else base
    for path in (stem / "__init__.py", stem.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _top_folder(top: str) -> Path | None:
    """Where the modules of a top-level package lie (for a lone module: its path without ".py")."""
    if top in PACKAGES:
        return PROJECT / top
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        return None
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin.with_suffix("")


@cache
def _imports(path: Path, name: str, modified: int) -> tuple[str, ...]:
    """Dotted names of the modules that a source file imports (`modified` keys the cache)."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [SETTINGS if alias.name == FACE else alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = _absolute(node, package)
            for alias in node.names:  # `from a import b` imports the module a.b if there is one, else the module a
                submodule = f"{origin}.{alias.name}"
                names.append(submodule if _source(submodule) else origin)
    return tuple(names)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parents = parts[: len(parts) - node.level + 1]
    return ".".join([*parents, node.module] if node.module else parents)


@cache
def _module_digest(path: Path, modified: int) -> str:
    return source_digest(path.read_text())


def source_digest(source: str) -> str:
    """A hash of Python source, blind to comments, layout and docstrings, the same under every Python version."""
    tokens: list[str] = []
    _write(ast.parse(source), tokens.append)
    return hashlib.sha256("".join(tokens).encode()).hexdigest()


def _write(node: object, write: Callable[[str], None]) -> None:
    """The syntax tree as text. Absent fields are left out, so fields that newer Pythons add do not show until used."""
    if isinstance(node, ast.AST):
        write(f"({type(node).__name__}")
        for field in node._fields:
            value: Any = getattr(node, field, None)
            if field == "body" and _has_docstring(node):
                value = value[1:]
            if field in ("ctx", "kind", "type_comment") or value is None or value == []:
                continue
            write(f" {field}=")
            _write(value, write)
        write(")")
    elif isinstance(node, list):
        write("[")
        for one in node:
            _write(one, write)
        write("]")
    else:
        write(f"{type(node).__name__}:{node!r}")


def _has_docstring(node: ast.AST) -> bool:
    if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) or not node.body:
        return False
    first = node.body[0]
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
