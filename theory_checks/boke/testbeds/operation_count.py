"""The number of arithmetic operations of a compiled function, counted in its traced program, without running it.

The count is exact where times are not: caches, threads and fixed overheads play no part, and t can be a million.
"""

import math
from collections.abc import Callable
from typing import Any

import jax

FREE = frozenset({"reshape", "squeeze", "broadcast_in_dim", "stop_gradient", "copy", "transpose"})
"""Primitives that move numbers or rename them."""


def operations(function: Callable[..., Any], *arguments: Any) -> float:
    """Arithmetic operations of one call with arguments of these shapes (`jax.ShapeDtypeStruct` will do).

    A product of matrices counts two an element summed, Cholesky's factorisation of n x n n^3 / 3, a triangular solve
    n^2 a right-hand side, a sort n log2 n, anything else one an element read or written, whichever is more. A loop
    counts its length; of branches, the most expensive.

    Raises:
        NotImplementedError: a loop whose length the program does not say.
    """
    return _of(jax.make_jaxpr(function)(*arguments).jaxpr, {})


def _size(variable: Any) -> int:
    return math.prod(getattr(variable.aval, "shape", ()))


def _of(jaxpr: Any, known: dict[Any, float]) -> float:
    """The count of a program; a program inside it that is called again is not counted anew."""
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
