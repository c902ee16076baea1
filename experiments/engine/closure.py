"""The part of this project's source that a computation uses: names followed from its roots to their binding statements.

`experiments.engine.code_version` states the rules and uses this module.
"""

import ast
import hashlib
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from experiments.engine.normal_form import piece_of
from experiments.engine.piece import Piece, Reference, entry_keys
from experiments.engine.source import PACKAGES, Module, Tree

__all__ = ["Closure", "Code"]

DIGITS = 10
NEVER = frozenset(("experiments.engine.code_version.code_version",))
"""Symbols that are not followed: their value names a file that is made again, and enters no result."""


@dataclass(frozen=True)
class Closure:
    """The symbols that a computation uses.

    Attributes:
        code: ten hexadecimal digits that identify them.
        symbols: "module.name" of each symbol; "module" for a whole one, "module.name[key]" for an entry of a mapping.
        files: the files that were read, and when each was modified, in nanoseconds.
    """

    code: str
    symbols: frozenset[str]
    files: Mapping[Path, int]


@dataclass(frozen=True)
class Used:
    """The texts that a computation uses or composes; they are possible keys of mappings.

    Attributes:
        names: the texts as they are written.
        patterns: regular expressions of the composed texts.
        cuts: True where texts are taken apart, so that any part of a name may be a key.
    """

    names: frozenset[str]
    patterns: frozenset[str] = frozenset()
    cuts: bool = False

    def asks_for(self, key: str) -> bool:
        """True where a key may be asked of a mapping."""
        if key in self.names or re.fullmatch(self._composed, key):
            return True
        return self.cuts and key.lower() in self._lines

    @cached_property
    def _composed(self) -> re.Pattern[str]:
        """One regular expression of all patterns."""
        return re.compile("|".join(f"(?:{pattern})" for pattern in sorted(self.patterns)) or r"(?!)")

    @cached_property
    def _lines(self) -> str:
        """The names without spaces in lower case, a line each."""
        return "\n".join(name.lower() for name in self.names if " " not in name)


@dataclass
class Code:
    """The code of one checkout, followed from its roots.

    Attributes:
        tree: its source.
        opaque: symbols ("module.name") that are not followed, because their values are known otherwise.
        within: beginnings of the names of the modules that are followed; empty for all modules. A symbol of another
            module counts by its name.
    """

    tree: Tree
    opaque: frozenset[str] = frozenset()
    within: tuple[str, ...] = ()
    _pieces: dict[Reference, tuple[Piece, ...]] = field(default_factory=dict)
    _effects: dict[str, tuple[Piece, ...]] = field(default_factory=dict)
    _loaded: dict[str, frozenset[str]] = field(default_factory=dict)

    def restricted(self, opaque: frozenset[str], within: tuple[str, ...]) -> "Code":
        """The same code with other symbols left out; both share the normal forms that are read from the files."""
        return replace(self, opaque=opaque, within=within, _loaded={})

    def closure(self, roots: Sequence[Piece], module: str, strings: Iterable[str] = ()) -> Closure:
        """The symbols that the root pieces of a module use; `strings` are names in use beside those in the code."""
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
        """The code that computes a cell of a study: the argument `run` of the module's STUDY; all of
        STUDY without one."""
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
        waiting = deque(roots)
        loaded = set(self._loading(module))
        done: set[str] = set()
        while waiting or loaded - done:
            while waiting:
                piece = waiting.popleft()
                for name in piece.loads - loaded:
                    loaded |= self._loading(name)
                for reference in piece.references:
                    if reference in walk.found:
                        continue
                    pieces = self._of(reference, used)
                    walk.found[reference] = pieces
                    if reference.module not in loaded:
                        loaded |= self._loading(reference.module)
                    waiting += pieces
            effects = [piece for name in loaded - done for piece in self._effects_of(name)]
            done |= loaded
            walk.effects += sorted(effects, key=lambda piece: piece.digest)
            waiting += effects
        walk.modules = frozenset(loaded)
        return walk

    def follows(self, module: str) -> bool:
        """True for a module that is followed."""
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
        """The modules that the import of one module loads, this module included."""
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
    """The pieces found, by the reference to them, in the order of discovery."""

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
        """The names of the symbols found."""
        return frozenset(map(_name, self.found))

    def digest(self) -> bytes:
        """A hash of the pieces, each with the numbers of its references; where the code reads names, the names count
        too."""
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
