"""The version of the code that made a result: a hash of the source that the computation uses, symbol by symbol.

Every name is followed from the computing function to the statements that bind it, through the project
(`experiments.engine.source`). Each statement counts in its normal form (`experiments.engine.normal_form`): words, names
and places of functions and modules do not count, so that explaining, renaming and moving cost no recomputation.
Third-party packages are not followed: their versions are recorded in each result.

* A mapping of named things (policies, problems, kernels, ...) that is only asked for keys counts by its entries under
  the names in use. These names are the texts in the code that is followed and in the cell's configuration, the texts
  that the code composes (`f"{a}_{b}"`), and, where the code takes texts apart, their parts. Any other mapping counts
  whole.
* A module that is used as a value (`getattr(module, name)`) counts whole; so does the project where a module is
  imported by a name that is not written there.
* The statements that a module runs on import, beyond binding names, count where the module is loaded.

The hash does not cover files that the code reads (data, records of results), nor a name composed of parts none of which
is written in the code (`f"{a}{b}"`, slices). Tests compare the code that cells run with the code that is followed.
"""

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from experiments.engine.closure import Closure, Code
from experiments.engine.source import PACKAGES, PROJECT, Module, Tree, bound_names
from experiments.engine.study import Cell

__all__ = [
    "closure_of",
    "code_of_cell",
    "code_version",
    "declared",
    "of_cell",
    "of_names",
    "strings_of",
]


def strings_of(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The names that a cell of that configuration uses: problem, method, scale, and the texts in its options."""
    own = {str(config[name]) for name in ("problem", "policy", "scale")}
    return tuple(sorted(own | _texts(config["options"])))


def declared(source: Module, id: str, default: str) -> tuple[str, ...]:
    """The names bound by the statement of a module in which something is declared with `id=...`; else the default, if
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


_codes: dict[tuple[str, ...], Code] = {}
_known: dict[Any, Closure] = {}
"""The closures computed so far. The check whether files have changed takes a fraction of the time of
following names."""


def _asked(ask: Any, module: str, opaque: frozenset[str] = frozenset(), within: tuple[str, ...] = ()) -> Closure:
    """The closure that `ask` (a description of the roots) stands for, from memory where no file of it has changed."""
    key = (ask, module, opaque, within)
    known = _known.get(key)
    if known is None or any(_modified(path) != modified for path, modified in known.files.items()):
        if known is not None:
            _codes.clear()
        top = module.split(".")[0]
        extra = () if top in PACKAGES else (top,)
        code = _codes.setdefault(extra, Code(Tree(PROJECT, extra)))
        known = _known[key] = closure_of(code.restricted(opaque, within), module, *ask)
    return known


def closure_of(code: Code, module: str, kind: str, names: tuple[str, ...], strings: tuple[str, ...]) -> Closure:
    """The symbols of a checkout used by a study's `run` (kind "run"), by symbols of a module, or by a whole module."""
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
    """The symbols that a cell of the study in `module` uses."""
    return _asked(("run", (), strings_of(cell.config())), module)


def of_names(
    module: str,
    names: Iterable[str] = (),
    opaque: Iterable[str] = (),
    within: Iterable[str] = (),
    strings: Iterable[str] = (),
) -> Closure:
    """The symbols that some names of a module use, or the whole module. Symbols in `opaque` are not followed. Where
    `within` has beginnings of modules' names, symbols of other modules are not followed. `strings` are names in use
    beside those in the code.

    Raises ModuleNotFoundError when there is no source file of the module, KeyError when it does not bind a name.
    """
    return _asked(("names", tuple(names), tuple(strings)), module, frozenset(opaque), tuple(within))


def code_of_cell(module: str, cell: Cell) -> str:
    """The version of the code that computes a cell of the study in `module`. Raises ModuleNotFoundError without the
    module."""
    return of_cell(module, cell).code


def code_version(module: str, *names: str, opaque: Iterable[str] = ()) -> str:
    """The version of the code that some names of a module use, or the whole module; raises as :func:`of_names` does."""
    return of_names(module, names, opaque).code
