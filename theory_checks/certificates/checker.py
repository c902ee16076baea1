"""The trusted checker: it verifies the computational steps of a certificate and knows nothing of how they were found.

A step is data: text in a small expression language, read by `_Reader`, never by Python's `eval`. The same language is
evaluated in two algebras. `Balls` and `Boxes` use exact rationals (`flint.fmpq`) as long as they can, and Arb's balls
(`flint.arb`) otherwise: a comparison of balls is true only if it holds for every pair of their points, and an equality
is admitted between rationals alone. `Identity` uses sympy. Decimals are read as the rationals that they print.

Language: numbers, names, `+ - * / **`, comparisons, `and`, `if else`, lists, indices, comprehensions over lists and
ranges, and the functions of `_BALLS` and `_SYMBOLS`. `let` defines names, and functions as `"tau(z)": "..."`, in order.
"""

import ast
import functools
import itertools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, arb_mat, ctx, fmpq

BITS = 160
"""Precision of the balls, unless a step says another."""


class Unverified(Exception):
    """A step that the checker does not confirm: what it states is false, or is not decided at this precision."""


def _exact(value: Any) -> bool:
    return isinstance(value, fmpq)


def _ball(value: Any) -> arb:
    return value if isinstance(value, arb) else arb(value)


def _integer(value: Any) -> int:
    if not (_exact(value) or isinstance(value, sympy.Rational)) or value.q != 1:
        raise Unverified(f"{value} is no integer")
    return int(value.p)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unverified(f"{value} is no truth value")
    return value


def _power(base: Any, exponent: Any) -> Any:
    if _exact(exponent) and exponent.q == 1:
        return base ** int(exponent.p)
    return _ball(base) ** _ball(exponent)


def _extreme(pick: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(*values: Any) -> Any:
        items = values[0] if len(values) == 1 else values
        if all(map(_exact, items)):
            return pick(items)
        return functools.reduce(lambda a, b: getattr(a, pick.__name__)(b), map(_ball, items))

    return chosen


def _solve(matrix: Any, right: Any) -> list[Any]:
    """The solution of `matrix @ z = right`; fails where a ball of the determinant contains zero."""
    rows = [[_ball(entry) for entry in row] for row in matrix]
    found = arb_mat(rows).solve(arb_mat([[_ball(entry)] for entry in right]))
    return [found[i, 0] for i in range(len(rows))]


def _fold(step: Any, start: Any, times: Any) -> Any:
    """step(... step(step(start, 0), 1) ..., times - 1)."""
    for index in range(_integer(times)):
        start = step(start, fmpq(index))
    return start


def _on_ball(name: str) -> Callable[[Any], arb]:
    return lambda value: getattr(_ball(value), name)()


_BALLS: Mapping[str, Any] = {
    **{name: _on_ball(name) for name in ("exp", "log", "sqrt", "erf", "erfc", "cos", "sin", "cosh")},
    "pi": arb.pi,
    "phi": lambda z: (-(_ball(z) ** 2) / 2).exp() / (2 * arb.pi()).sqrt(),
    "Phi": lambda z: (-_ball(z) / arb(2).sqrt()).erfc() / 2,
    "tau": lambda z: _ball(z) * _BALLS["Phi"](z) + _BALLS["phi"](z),
    "abs": abs,
    "sum": lambda items: sum(items, fmpq(0)),
    "prod": lambda items: math.prod(items, start=fmpq(1)),
    "all": lambda items: all(map(_truth, items)),
    "max": _extreme(max),
    "min": _extreme(min),
    "hull": lambda low, high: _ball(low).union(_ball(high)),
    "floor": lambda value: fmpq(int(value.p) // int(value.q)),
    "range": lambda *ends: [fmpq(i) for i in range(*map(_integer, ends))],
    "det": lambda rows: arb_mat([[_ball(entry) for entry in row] for row in rows]).det(),
    "solve": _solve,
    "fold": _fold,
}


_SYMBOLS: Mapping[str, Any] = {
    **{name: getattr(sympy, name) for name in ("exp", "log", "sqrt", "erf", "erfc", "cos", "sin", "cosh")},
    "pi": lambda: sympy.pi,
    "oo": lambda: sympy.oo,
    "phi": lambda z: sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi),
    "Phi": lambda z: sympy.erfc(-z / sympy.sqrt(2)) / 2,
    "tau": lambda z: z * _SYMBOLS["Phi"](z) + _SYMBOLS["phi"](z),
    "diff": sympy.diff,
    "integral": lambda of, x, low, high: sympy.integrate(of, (x, low, high)),
    "series_sum": lambda of, k, low, high: sympy.summation(of, (k, low, high)),
    "limit": lambda of, x, at: sympy.limit(of, x, at),
    "det": lambda rows: sympy.Matrix(rows).det(),
    "inverse": lambda rows: sympy.Matrix(rows).inv().tolist(),
    "sum": lambda items: sum(items, sympy.Integer(0)),
    "range": lambda *ends: [sympy.Integer(i) for i in range(*map(_integer, ends))],
}
_ARITHMETIC: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ORDER: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}
_OPPOSITE: Mapping[type, type] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}


class _Reader:
    """Evaluates one expression of the language in an algebra: a number type and its functions."""

    def __init__(self, number: Callable[[str], Any], functions: Mapping[str, Any], exact_order: bool) -> None:
        self.number, self.functions, self.exact_order = number, functions, exact_order
        self.power = _power if exact_order else operator.pow

    def names(self, let: Mapping[str, str], known: Mapping[str, Any]) -> dict[str, Any]:
        """`known` and what `let` defines, each entry by those before it."""
        scope = dict(known)
        for head, text in let.items():
            name, _, arguments = head.rstrip(")").partition("(")
            if name in scope or name in self.functions:
                raise Unverified(f"{name} is defined twice")
            if arguments:
                scope[name] = self._function([each.strip() for each in arguments.split(",")], text, dict(scope))
            else:
                scope[name] = self.value(text, scope)
        return scope

    def _function(self, arguments: list[str], text: str, scope: dict[str, Any]) -> Callable[..., Any]:
        body = ast.parse(text, mode="eval").body
        return lambda *values: self._at(body, text, scope | dict(zip(arguments, values, strict=True)))

    def value(self, text: str, scope: Mapping[str, Any]) -> Any:
        """The value of an expression."""
        return self._at(ast.parse(text.strip(), mode="eval").body, text.strip(), scope)

    def _at(self, node: ast.expr, text: str, scope: Mapping[str, Any]) -> Any:
        def at(child: ast.expr) -> Any:
            return self._at(child, text, scope)

        match node:
            case ast.Constant(value=int() | float()):
                return self.number(str(ast.get_source_segment(text, node)))
            case ast.Name(id=name) if name in scope:
                return scope[name]
            case ast.BinOp(op=ast.Pow()):
                return self.power(at(node.left), at(node.right))
            case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
                return _ARITHMETIC[type(op)](at(node.left), at(node.right))
            case ast.UnaryOp(op=ast.USub()):
                return -at(node.operand)
            case ast.Compare():
                sides = [at(side) for side in (node.left, *node.comparators)]
                pairs = zip(node.ops, itertools.pairwise(sides), strict=True)
                return all(self.compare(type(op), *pair) for op, pair in pairs)
            case ast.BoolOp(op=ast.And()):
                return all(_truth(at(each)) for each in node.values)
            case ast.IfExp():
                return at(node.body) if _truth(at(node.test)) else at(node.orelse)
            case ast.List() | ast.Tuple():
                return [at(each) for each in node.elts]
            case ast.Subscript():
                index = _integer(at(node.slice))
                _require(f"{index} is an index", index >= 0)
                return at(node.value)[index]
            case ast.ListComp(generators=[loop]) | ast.GeneratorExp(generators=[loop]) if not loop.is_async:
                inner = [{**scope, ast.unparse(loop.target): item} for item in at(loop.iter)]
                kept = [one for one in inner if all(_truth(self._at(test, text, one)) for test in loop.ifs)]
                return [self._at(node.elt, text, one) for one in kept]
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in scope or name in self.functions:
                return (scope[name] if name in scope else self.functions[name])(*map(at, node.args))
        raise Unverified(f"not in the language: {ast.unparse(node)}")

    def compare(self, op: type, left: Any, right: Any) -> bool:
        """Whether the comparison holds for certain; raises where it neither does nor fails for certain."""
        if op not in _ORDER:
            raise Unverified("no such comparison")
        if not self.exact_order:
            return bool(_ORDER[op](_integer(left), _integer(right)))
        if op is ast.Eq and not (_exact(left) and _exact(right)):
            raise Unverified("an equality of balls is not decided")
        if _ORDER[op](left, right):
            return True
        if op is not ast.Eq and not _ORDER[_OPPOSITE[op]](left, right):
            raise Unverified(f"{left} and {right} are not told apart")
        return False


_IN_BALLS = _Reader(lambda text: fmpq(*Fraction(text).as_integer_ratio()), _BALLS, exact_order=True)
_IN_SYMBOLS = _Reader(lambda text: sympy.Rational(text), _SYMBOLS, exact_order=False)


def _require(label: str, holds: object) -> None:
    if holds is not True:
        raise Unverified(f"not confirmed: {label}")


@dataclass(frozen=True)
class Balls:
    """Inequalities between numbers, each side enclosed: every entry of `holds` must be true for certain."""

    says: str
    holds: tuple[str, ...]
    let: Mapping[str, str] = field(default_factory=dict)
    broken: tuple[str, str] = ("", "")
    bits: int = BITS

    def verify(self) -> None:
        """Raises `Unverified`, naming the first statement that is not confirmed."""
        with ctx.workprec(self.bits):
            scope = _IN_BALLS.names(self.let, {})
            for text in self.holds:
                _require(text, _IN_BALLS.value(text, scope))


@dataclass(frozen=True)
class Boxes:
    """An inequality on a compact set: `cuts` gives for each variable its interval, cut where the boxes meet.

    Every box must satisfy every entry of `holds`, each variable replaced by the ball of its interval. `domain` says
    which intervals the cuts must fill, without gap.
    """

    says: str
    domain: Mapping[str, tuple[str, str]]
    cuts: Mapping[str, tuple[str, ...]]
    holds: tuple[str, ...]
    let: Mapping[str, str] = field(default_factory=dict)
    broken: tuple[str, str] = ("", "")
    bits: int = BITS

    def verify(self) -> None:
        """Raises `Unverified`, naming the first box and statement that are not confirmed."""
        with ctx.workprec(self.bits):
            sides = {}
            for name, ends in self.domain.items():
                at = [_IN_BALLS.value(text, {}) for text in self.cuts[name]]
                low, high = (_IN_BALLS.value(text, {}) for text in ends)
                filled = at[0] == low and at[-1] == high and all(a < b for a, b in itertools.pairwise(at))
                _require(f"the boxes fill {name} from {ends[0]} to {ends[1]}", filled)
                sides[name] = [_BALLS["hull"](a, b) for a, b in itertools.pairwise(at)]
            for box in itertools.product(*sides.values()):
                scope = _IN_BALLS.names(self.let, dict(zip(sides, box, strict=True)))
                for text in self.holds:
                    _require(f"{text} on {box}", _IN_BALLS.value(text, scope))


@dataclass(frozen=True)
class Identity:
    """Equations `left == right` between expressions in `symbols` (name: sympy's assumption), by computer algebra."""

    says: str
    symbols: Mapping[str, str]
    holds: tuple[tuple[str, str], ...]
    let: Mapping[str, str] = field(default_factory=dict)
    broken: tuple[str, str] = ("", "")

    def verify(self) -> None:
        """Raises `Unverified` where sympy does not reduce a difference to zero."""
        known = {name: sympy.Symbol(name, **{kind: True}) for name, kind in self.symbols.items()}
        scope = _IN_SYMBOLS.names(self.let, known)
        for left, right in self.holds:
            difference = _IN_SYMBOLS.value(left, scope) - _IN_SYMBOLS.value(right, scope)
            _require(f"{left} = {right}", bool(sympy.simplify(difference) == 0))


Step = Balls | Boxes | Identity
