"""The hash of a declaration: of its values, and of the code of the functions that it names.

A function counts by the normal form of its code (`experiments.engine.normal_form`): docstrings, comments, layout and
local names do not count. Neither does a field that a dataclass leaves out of comparisons. Every effect size, constant
and helper that the function uses from the papers' readings and from `experiments.measures` counts, too. A symbol of
any other module counts by its name.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from types import FunctionType
from typing import Any

from experiments.engine.code_version import of_names
from experiments.engine.source import Tree
from experiments.papers import PAPERS

__all__ = ["digest_of"]

WITHIN = (*(f"theory_checks.readings.{paper.key}." for paper in PAPERS), "experiments.measures.")
"""Prefixes of the names of the modules whose code counts."""


def digest_of(*values: Any) -> str:
    """Sixteen hexadecimal digits. Raises TypeError for anything but values, sequences, mappings and functions."""
    return hashlib.sha256(json.dumps(_described(values)).encode()).hexdigest()[:16]


def _described(value: Any) -> Any:
    """A value as JSON."""
    if isinstance(value, partial):
        return [_described(value.func), _described(value.args), _described(value.keywords)]
    if isinstance(value, FunctionType):
        return [_code(value), [_described(cell.cell_contents) for cell in value.__closure__ or ()]]
    if is_dataclass(value) and not isinstance(value, type):
        counted = (each.name for each in fields(value) if each.compare)
        return [type(value).__name__, {name: _described(getattr(value, name)) for name in counted}]
    if isinstance(value, Mapping):
        return [[_described(key), _described(one)] for key, one in value.items()]
    if isinstance(value, (list, tuple)):
        return list(map(_described, value))
    if isinstance(value, float):
        return float(f"{value:.12g}")  # the last digits of a logarithm differ from one processor to another
    if value is None or isinstance(value, (str, int)):
        return value
    raise TypeError(f"a declaration holds values, sequences, mappings and functions, not {type(value).__name__}")


def _code(function: FunctionType) -> str:
    """The code version of the top-level statement that holds the function."""
    line, source = function.__code__.co_firstlineno, Tree().module(function.__module__)
    if source is None:
        raise TypeError(f"the module {function.__module__} has no source here that could be followed")
    spans = {name: [(one.lineno, one.end_lineno or 0) for one in found] for name, found in source.statements.items()}
    names = tuple(name for name, found in spans.items() if any(start <= line <= end for start, end in found))
    return of_names(function.__module__, names, within=WITHIN).code
