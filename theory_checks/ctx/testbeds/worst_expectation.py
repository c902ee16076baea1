"""The two sides of Proposition 2, C (5), on finitely many contexts, in exact rational arithmetic."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linprog

SIZE = 6
"""The number of contexts of a case; a weight of zero removes a context."""
Case = Mapping[str, Any]


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    """Values with ties, weights with zeros, and a radius from 0 to 2.5; integers stand for all rationals."""
    some = draw(st.sampled_from((1, 2, 5, 20)))  # small numbers give many ties and constant values
    weights = draw(st.lists(st.integers(0, 6), min_size=SIZE, max_size=SIZE).filter(any))
    return {
        "values": draw(st.lists(st.integers(-some, some), min_size=SIZE, max_size=SIZE)),
        "weights": weights,
        "radius": [draw(st.integers(0, 30)), 12],
    }


def exact(case: Case) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """Values, probabilities and radius of a case."""
    total = sum(case["weights"])
    radius = Fraction(case["radius"][0], case["radius"][1])
    return [Fraction(u) for u in case["values"]], [Fraction(w, total) for w in case["weights"]], radius


def primal(
    u: Sequence[Fraction], p: Sequence[Fraction], radius: Fraction, anywhere: bool
) -> tuple[Fraction, list[Fraction]]:
    """(E_q u, feasible q): q moves the mass radius / 2 (at most one) from the largest values to the smallest.

    The smallest is over all values where `anywhere`, otherwise over values of positive probability (q << p).
    """
    mass = min(radius / 2, Fraction(1))
    q, left = list(p), mass
    for j in sorted(range(len(u)), key=lambda i: -u[i]):
        taken = min(q[j], left)
        q[j], left = q[j] - taken, left - taken
    open_to = [j for j in range(len(u)) if anywhere or p[j] > 0]
    q[min(open_to, key=lambda i: u[i])] += mass
    return sum((a * b for a, b in zip(q, u, strict=True)), Fraction(0)), q


def objective(
    alpha: Fraction, beta: Fraction, u: Sequence[Fraction], p: Sequence[Fraction], radius: Fraction
) -> Fraction:
    """-beta - radius alpha + E_p min(u + beta, alpha)."""
    return -beta - radius * alpha + sum((w * min(v + beta, alpha) for w, v in zip(p, u, strict=True)), Fraction(0))


def dual(u: Sequence[Fraction], p: Sequence[Fraction], radius: Fraction, lowest: Fraction) -> Fraction:
    """The exact maximum in C (5) with inf = `lowest`, over the vertices of {alpha >= 0, alpha + beta >= -lowest}.

    The objective is concave and linear between the lines u_j + beta = alpha, and the polyhedron contains no line. The
    maximum, which is finite by weak duality, is therefore where two of these lines and edges meet.
    """
    vertices = [(Fraction(0), -lowest)]
    for value in u:
        vertices.append(((value - lowest) / 2, -(value + lowest) / 2))  # kink and alpha + beta = -lowest
        vertices.append((Fraction(0), -value))  # kink and alpha = 0
    feasible = [(a, b) for a, b in vertices if a >= 0 and a + b >= -lowest]
    return max(objective(a, b, u, p, radius) for a, b in feasible)


def programme(u: Sequence[Fraction], p: Sequence[Fraction], radius: Fraction, anywhere: bool) -> float:
    """min E_q u by HiGHS, as a linear programme in q and the positive and negative parts of q - p."""
    n = len(u)
    probability = np.array(p, float)
    identity = np.eye(n)
    upper = [(0.0, None if anywhere or w > 0 else 0.0) for w in p]
    solved = linprog(
        np.concatenate([np.array(u, float), np.zeros(2 * n)]),
        A_ub=np.concatenate([np.zeros(n), np.ones(2 * n)])[None],
        b_ub=[float(radius)],
        A_eq=np.block([[identity, -identity, identity], [np.ones((1, n)), np.zeros((1, 2 * n))]]),
        b_eq=np.append(probability, 1.0),
        bounds=[*upper, *[(0.0, None)] * (2 * n)],
    )
    return float(solved.fun)
