"""The number of arithmetic operations of a function, counted in its traced program without running the program.

Caches, threads and fixed overheads do not count, and t can be a million.
"""

import math
from collections.abc import Callable
from typing import Any

import jax

FREE = frozenset({"reshape", "squeeze", "broadcast_in_dim", "stop_gradient", "copy", "transpose"})
"""Primitives that move or rename numbers and count zero."""


def operations(function: Callable[..., Any], *arguments: Any) -> float:
    """Arithmetic operations of one call with arguments of these shapes (arrays or `jax.ShapeDtypeStruct`).

    A product of matrices counts two a summed element, a Cholesky factorisation of an n x n matrix n^3 / 3, a triangular
    solve n^2 a right-hand side, a sort n log2 n. Any other primitive counts its elements read or written, whichever are
    more. A loop counts its body times its length, a conditional its most expensive branch.

    Raises:
        NotImplementedError: a loop whose length the program does not say.
    """
    return _of(jax.make_jaxpr(function)(*arguments).jaxpr, {})


def _size(variable: Any) -> int:
    return math.prod(getattr(variable.aval, "shape", ()))


def _of(jaxpr: Any, known: dict[Any, float]) -> float:
    """The count of a program; `known` caches the counts of inner programs."""
    if jaxpr not in known:
        known[jaxpr] = float(sum(_equation(one, known) for one in jaxpr.eqns))
    return known[jaxpr]


def _inner(equation: Any) -> list[Any]:
    """The programs inside an equation."""
    found = []
    for value in equation.params.values():
        for one in value if isinstance(value, tuple | list) else (value,):
            if hasattr(one, "jaxpr"):
                found.append(one.jaxpr)
            elif hasattr(one, "eqns"):
                found.append(one)
    return found


def _equation(equation: Any, known: dict[Any, float]) -> float:
    name, inner = equation.primitive.name, _inner(equation)
    if name == "while":
        raise NotImplementedError("the length of a while loop is not part of the program")
    if name == "cond":
        return max(_of(one, known) for one in inner)
    if name == "scan":
        return equation.params["length"] * sum(_of(one, known) for one in inner)
    if inner:
        return sum(_of(one, known) for one in inner)
    sizes = [_size(variable) for variable in equation.invars]
    result = max(_size(variable) for variable in equation.outvars)
    if name in FREE:
        return 0.0
    if name == "dot_general":
        (left, _), _ = equation.params["dimension_numbers"]
        shape = equation.invars[0].aval.shape
        return 2.0 * result * math.prod(shape[axis] for axis in left)
    if name == "cholesky":
        return result * equation.outvars[0].aval.shape[-1] / 3.0
    if name == "triangular_solve":
        return float(result * equation.invars[0].aval.shape[-1])
    if name == "sort":
        return result * math.log2(max(result, 2))
    return float(max([result, *sizes]))
