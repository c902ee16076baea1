"""Which code made a result: a hash of what the computation uses of this project's source, symbol by symbol.

From the function that computes it, every name that it uses is followed to the statements that bind it, through the
project (`experiments.engine.source`), and each statement counts in its normal form (`experiments.engine.normal_form`):
words, names and places of functions and modules do not count, so that explaining, renaming and moving cost no
recomputation. Third-party packages are not followed: their versions are recorded in each result.

* A mapping of named things (policies, problems, kernels, ...) that is only asked for keys counts by its entries under
  the names in use: the texts in the code that is followed, and in the cell's configuration; those that the code puts
  together (`f"{a}_{b}"`), and, where it takes texts apart, parts of them. Otherwise it counts whole.
* A module that is used as a value (`getattr(module, name)`) counts whole; so does the project where a module is
  imported by a name that is not written there.
* What a module does on import, beyond binding names, counts where the module is loaded.

Not seen: files that the code reads (data, records of results), and a name that is put together of parts none of which
is written in the code (`f"{a}{b}"`, slices); tests compare what cells run with what is followed.
"""

import ast
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from experiments.engine.normal_form import Piece, Reference, entry_keys, piece_of
from experiments.engine.source import PACKAGES, PROJECT, Module, Tree, bound_names
from experiments.engine.study import Cell

__all__ = [
    "Closure",
    "Code",
    "closure_of",
    "code_of_cell",
    "code_version",
    "declared",
    "of_cell",
    "of_names",
    "strings_of",
]

DIGITS = 10
NEVER = frozenset(("experiments.engine.code_version.code_version",))
"""Not followed: what it gives names a file that is made again, and enters no result."""


@dataclass(frozen=True)
class Closure:
    """What a computation uses.

    Attributes:
        code: ten hexadecimal digits that stand for it.
        symbols: "module.name" of each symbol; "module" for a whole one, "module.name[key]" for an entry of a mapping.
        files: the files that were read, and when each was modified, in nanoseconds.
    """

    code: str
    symbols: frozenset[str]
    files: Mapping[Path, int]


@dataclass(frozen=True)
class Used:
    """The texts that a computation uses, or puts together, by which mappings may be asked.

    Attributes:
        names: as they are written.
        patterns: regular expressions of those that are put together.
        cuts: whether texts are taken apart, so that any part of a name may be one.
    """

    names: frozenset[str]
    patterns: frozenset[str] = frozenset()
    cuts: bool = False

    def asks_for(self, key: str) -> bool:
        """Whether a mapping may be asked for that key."""
        if key in self.names or any(re.fullmatch(pattern, key) for pattern in self.patterns):
            return True
        return self.cuts and any(key.lower() in name.lower() for name in self.names if " " not in name)


@dataclass
class Code:
    """The code of one checkout, by what is used of it.

    Attributes:
        tree: its source.
        opaque: symbols ("module.name") that are not followed: what they give is known otherwise.
        within: beginnings of the names of the modules that are followed, all where there are none; a symbol of another
            module counts by its name.
    """

    tree: Tree
    opaque: frozenset[str] = frozenset()
    within: tuple[str, ...] = ()
    _pieces: dict[Reference, tuple[Piece, ...]] = field(default_factory=dict)
    _effects: dict[str, tuple[Piece, ...]] = field(default_factory=dict)
    _loaded: dict[str, frozenset[str]] = field(default_factory=dict)

    def closure(self, roots: Sequence[Piece], module: str, strings: Iterable[str] = ()) -> Closure:
        """What the root pieces, of a module, use; `strings` are names in use beside those in the code."""
        used = Used(_words(frozenset(strings)))
        while True:
            found = self._walk(roots, module, used)
            every = list(found.every())
            more = Used(
                used.names.union(*(_words(piece.strings) for piece in every)),
                used.patterns.union(*(piece.patterns for piece in every)),
                any(piece.cuts for piece in every),
            )
            if more == used:
                break
            used = more
        files = {path: modified for name in found.modules for path, modified in self._file(name)}
        if any(piece.anything for piece in found.every()):
            return Closure(_hash([found.digest(), *self._project()]), found.symbols() | {"*"}, files)
        return Closure(_hash([found.digest()]), found.symbols(), files)

    def symbol(self, module: str, name: str) -> Piece:
        """The normal form of the statements that bind a name."""
        return piece_of(self.module(module).statements[name], self.module(module))

    def run_of(self, module: str) -> Piece:
        """What computes a cell of a study: the argument `run` of the module's STUDY; all of STUDY where it has none."""
        source = self.module(module)
        statements = source.statements.get("STUDY", [])
        value = getattr(statements[0], "value", None) if len(statements) == 1 else None
        runs = [one.value for one in value.keywords if one.arg == "run"] if isinstance(value, ast.Call) else []
        return piece_of(runs or statements or source.body, source)

    def whole(self, module: str) -> Piece:
        """A reference to everything that a module binds."""
        return Piece(b"", (Reference(module),), frozenset(), frozenset(), False, frozenset(), False, False)

    def module(self, name: str) -> Module:
        """The module of that name. Raises ModuleNotFoundError where there is none."""
        found = self.tree.module(name)
        if found is None:
            raise ModuleNotFoundError(f"no source file for the module {name!r}")
        return found

    def _file(self, name: str) -> list[tuple[Path, int]]:
        found = self.tree.module(name)
        return [] if found is None else [(found.path, found.modified)]

    def _project(self) -> list[bytes]:
        paths = sorted(path for package in PACKAGES for path in (self.tree.root / package).rglob("*.py"))
        return [path.read_bytes() for path in paths]

    def _walk(self, roots: Sequence[Piece], module: str, used: Used) -> "_Walk":
        walk = _Walk(list(roots), self.follows)
        waiting = list(roots)
        loaded = self._loading(module)
        done: set[str] = set()
        while waiting or loaded - done:
            while waiting:
                piece = waiting.pop(0)
                for name in sorted(piece.loads):
                    loaded |= self._loading(name)
                for reference in piece.references:
                    if reference in walk.found:
                        continue
                    pieces = self._of(reference, used)
                    walk.found[reference] = pieces
                    loaded |= self._loading(reference.module)
                    waiting += pieces
            effects = [piece for name in loaded - done for piece in self._effects_of(name)]
            done |= loaded
            walk.effects += sorted(effects, key=lambda piece: piece.digest)
            waiting += effects
        walk.modules = loaded
        return walk

    def follows(self, module: str) -> bool:
        """Whether a module is followed."""
        return not self.within or module.startswith(self.within)

    def _of(self, reference: Reference, used: Used) -> tuple[Piece, ...]:
        """The normal forms that a reference stands for."""
        if not self.follows(reference.module) or f"{reference.module}.{reference.name}" in self.opaque | NEVER:
            return ()
        if reference.lookup:
            return self._asked(reference, used)
        if reference not in self._pieces:
            self._pieces[reference] = self._read(reference)
        return self._pieces[reference]

    def _read(self, reference: Reference) -> tuple[Piece, ...]:
        source = self.module(reference.module)
        if not reference.name:
            names = tuple(Reference(reference.module, name) for name in source.statements)
            names += tuple(Reference(target.module, target.name) for target in source.imports.values() if target.module)
            return (Piece(b"module", names, frozenset(), frozenset(), False, frozenset(), False, False),)
        statements = source.statements[reference.name]
        if reference.key is not None:
            return (piece_of([(entry_keys(statements, source) or {})[reference.key]], source),)
        return (piece_of(statements, source),)

    def _asked(self, reference: Reference, used: Used) -> tuple[Piece, ...]:
        """The entries of a mapping under the names in use."""
        source = self.module(reference.module)
        keys = entry_keys(source.statements[reference.name], source) or {}
        chosen = sorted(key for key in keys if used.asks_for(key))
        entries = tuple(Reference(reference.module, reference.name, key=key) for key in chosen)
        digest = repr(chosen).encode()
        return (Piece(digest, entries, frozenset(), frozenset(), False, frozenset(), False, False),)

    def _effects_of(self, module: str) -> tuple[Piece, ...]:
        if module not in self._effects:
            source = self.module(module)
            self._effects[module] = tuple(piece_of([one], source) for one in source.effects)
        return self._effects[module]

    def _loading(self, module: str) -> frozenset[str]:
        """The modules that importing one loads, itself included."""
        if module not in self._loaded:
            found, waiting = set[str](), [module]
            while waiting:
                name = waiting.pop()
                if name not in found and self.follows(name):
                    found.add(name)
                    waiting += self.module(name).loads
            self._loaded[module] = frozenset(found)
        return self._loaded[module]


@dataclass
class _Walk:
    """The pieces that were found, by what refers to them, in the order in which they were met."""

    roots: list[Piece]
    follows: Callable[[str], bool]
    found: dict[Reference, tuple[Piece, ...]] = field(default_factory=dict)
    effects: list[Piece] = field(default_factory=list)
    modules: frozenset[str] = frozenset()

    def every(self) -> Iterable[Piece]:
        yield from self.roots
        yield from self.effects
        for pieces in self.found.values():
            yield from pieces

    def symbols(self) -> frozenset[str]:
        """The names of what was found."""
        return frozenset(map(_name, self.found))

    def digest(self) -> bytes:
        """A hash of the pieces, each with the numbers of those it refers to; where names are read, with these."""
        names = any(piece.names for piece in self.every())
        numbers = {reference: number for number, reference in enumerate(self.found)}
        parts = [*self.roots, *self.effects, *(piece for pieces in self.found.values() for piece in pieces)]
        told = hashlib.sha256()
        for piece in parts:
            told.update(piece.digest)
            told.update(repr([numbers[reference] for reference in piece.references]).encode())
        told.update("".join(_name(one) for one in self.found if not self.follows(one.module)).encode())
        if names:
            told.update(repr([_name(reference).rpartition(".")[2] for reference in self.found]).encode())
        return told.digest()


def _name(reference: Reference) -> str:
    key = "" if reference.key is None else f"[{reference.key}]"
    return f"{reference.module}.{reference.name}".rstrip(".") + key


def _hash(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:DIGITS]


@cache
def _words(strings: frozenset[str]) -> frozenset[str]:
    """The names in texts: each text, its parts between signs where it has no spaces, and both without a number behind
    ("rosenbrock4" asks for "rosenbrock")."""
    found: set[str] = set()
    for text in strings:
        parts = [text, *(re.split(r"\W+", text) if " " not in text else ())]
        for part in parts:
            found |= {part, re.sub(r"\d+$", "", part)}
    return frozenset(found - {""})


def strings_of(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The names that a cell of that configuration uses: problem, method, scale, and the texts in its options."""
    own = {str(config[name]) for name in ("problem", "policy", "scale")}
    return tuple(sorted(own | _texts(config["options"])))


def declared(source: Module, id: str, default: str) -> tuple[str, ...]:
    """The names that the statement of a module binds in which something is declared with `id=...`; else the default, if
    the module binds it; else none."""
    for statement in source.body:
        calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
        keywords = (each for call in calls for each in call.keywords if each.arg == "id")
        if any(isinstance(each.value, ast.Constant) and each.value.value == id for each in keywords):
            return tuple(bound_names(statement))
    return (default,) if default in source.statements else ()


def _texts(value: Any) -> set[str]:
    """The texts in a JSON value, keys included."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return {str(key) for key in value}.union(*map(_texts, value.values()))
    if isinstance(value, (list, tuple)):
        return set[str]().union(*map(_texts, value))
    return set()


_codes: dict[tuple[frozenset[str], tuple[str, ...], tuple[str, ...]], Code] = {}
_known: dict[Any, Closure] = {}
"""What was asked before. Looking whether its files have changed takes a fraction of the time of following names."""


def _asked(ask: Any, module: str, opaque: frozenset[str] = frozenset(), within: tuple[str, ...] = ()) -> Closure:
    """The closure that `ask` (a description of the roots) stands for, from memory where no file of it has changed."""
    tops = (module.split(".")[0],)
    key = (ask, module, opaque, within)
    known = _known.get(key)
    if known is None or any(_modified(path) != modified for path, modified in known.files.items()):
        if known is not None:
            _codes.clear()
        extra = tuple(top for top in tops if top not in PACKAGES)
        code = _codes.setdefault((opaque, extra, within), Code(Tree(PROJECT, extra), opaque, within))
        known = _known[key] = closure_of(code, module, *ask)
    return known


def closure_of(code: Code, module: str, kind: str, names: tuple[str, ...], strings: tuple[str, ...]) -> Closure:
    """What is used in a checkout by a study's `run` (kind "run"), by symbols of a module, or by a whole one."""
    if kind == "run":
        roots = [code.run_of(module)]
    elif names:
        roots = [code.symbol(module, name) for name in names]
    else:
        code.module(module)
        roots = [code.whole(module)]
    return code.closure(roots, module, strings)


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1


def of_cell(module: str, cell: Cell) -> Closure:
    """What computing a cell of the study in `module` uses."""
    return _asked(("run", (), strings_of(cell.config())), module)


def of_names(module: str, names: Iterable[str] = (), opaque: Iterable[str] = (), within: Iterable[str] = ()) -> Closure:
    """What some names of a module use, or all of it; symbols in `opaque` are not followed, and, where `within` has
    beginnings of modules' names, those of no other module.

    Raises ModuleNotFoundError when there is no source file of the module, KeyError when it does not bind a name.
    """
    return _asked(("names", tuple(names), ()), module, frozenset(opaque), tuple(within))


def code_of_cell(module: str, cell: Cell) -> str:
    """The version of the code that computes a cell of the study in `module`. Raises ModuleNotFoundError without one."""
    return of_cell(module, cell).code


def code_version(module: str, *names: str, opaque: Iterable[str] = ()) -> str:
    """The version of what some names of a module use, or all of it; raises as :func:`of_names` does."""
    return of_names(module, names, opaque).code
