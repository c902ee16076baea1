"""The parts of the normal form of statements: references to symbols, and mappings of named things by their keys."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from experiments.engine.source import Module

__all__ = ["Piece", "Reference", "entry_keys"]


class Reference(NamedTuple):
    """A symbol that a statement uses; `lookup` where it only asks a mapping for one of its keys; no name: the whole
    module; `key`: one entry of a mapping."""

    module: str
    name: str = ""
    lookup: bool = False
    key: str | None = None


@dataclass(frozen=True)
class Piece:
    """The normal form of statements.

    Attributes:
        digest: of the text, references numbered within it.
        references: in the order of their first appearance.
        strings: the texts in it, by which entries of mappings are asked for.
        patterns: regular expressions of the texts that it puts together with some of its own: `f"{a}_{b}"` is `.*_.*`.
        cuts: whether it takes texts apart, so that a part of one may be a name.
        loads: modules that imports inside functions load.
        names: whether it reads the names of classes or functions.
        anything: whether it imports a module whose name is not written there.
    """

    digest: bytes
    references: tuple[Reference, ...]
    strings: frozenset[str]
    patterns: frozenset[str]
    cuts: bool
    loads: frozenset[str]
    names: bool
    anything: bool


def entry_keys(statements: Sequence[ast.stmt], module: Module) -> dict[str, ast.expr] | None:
    """Key -> value of a mapping of named things: a display with text as keys and functions, classes or instances as
    values, or `{one.name: one for one in (A, B)}`; None of anything else."""
    value = getattr(statements[0], "value", None) if len(statements) == 1 else None
    if not isinstance(statements[0], (ast.Assign, ast.AnnAssign)):
        return None
    if isinstance(value, ast.DictComp):
        return _keys_of_names(value, module)
    if not isinstance(value, ast.Dict) or not value.keys:
        return None
    found: dict[str, ast.expr] = {}
    for key, one in zip(value.keys, value.values, strict=True):
        named = isinstance(one, (ast.Name, ast.Attribute, ast.Call, ast.Lambda, ast.Tuple))
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str) and named):
            return None
        found[key.value] = one
    return found


def _keys_of_names(node: ast.DictComp, module: Module) -> dict[str, ast.expr] | None:
    """The keys of `{one.name: one for one in (A, B)}`, where A and B are made by calls whose first argument is their
    name."""
    loop = node.generators[0]
    plain = len(node.generators) == 1 and not loop.ifs and isinstance(loop.iter, ast.Tuple)
    if not plain or not isinstance(loop.target, ast.Name) or not isinstance(node.value, ast.Name):
        return None
    if ast.unparse(node.key) != f"{loop.target.id}.name" or node.value.id != loop.target.id:
        return None
    found: dict[str, ast.expr] = {}
    for one in loop.iter.elts if isinstance(loop.iter, ast.Tuple) else ():
        statements = module.statements.get(one.id, []) if isinstance(one, ast.Name) else []
        made = getattr(statements[0], "value", None) if len(statements) == 1 else None
        if not isinstance(made, ast.Call) or not made.args or not isinstance(made.args[0], ast.Constant):
            return None
        found[str(made.args[0].value)] = one
    return found
