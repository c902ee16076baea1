"""The first points of the Sobol sequence, without loading scipy.stats.

A search needs some hundreds of points in a few dimensions before its first proposal. ``scipy.stats.qmc`` has them, and
these are the same numbers (a test compares every dimension); but importing it takes as long as importing JAX, a third
of the time from ``import core`` to a first proposal. Scrambled sequences, and more dimensions than the table below has,
are taken from scipy, which is then imported.
"""

import numpy as np
from jaxtyping import Float

__all__ = ["sobol_points"]

_DIRECTIONS = (
    (3, 1),
    (7, 1, 3),
    (11, 1, 3, 1),
    (13, 1, 1, 1),
    (19, 1, 1, 3, 3),
    (25, 1, 3, 5, 13),
    (37, 1, 1, 5, 5, 17),
    (41, 1, 1, 5, 5, 5),
    (47, 1, 1, 7, 11, 19),
    (55, 1, 1, 5, 1, 1),
    (59, 1, 1, 1, 3, 11),
    (61, 1, 3, 5, 5, 31),
    (67, 1, 3, 3, 9, 7, 49),
    (91, 1, 1, 1, 15, 21, 21),
    (97, 1, 3, 1, 13, 27, 49),
    (103, 1, 1, 1, 15, 7, 5),
    (109, 1, 3, 1, 15, 13, 25),
    (115, 1, 1, 5, 5, 19, 61),
    (131, 1, 3, 7, 11, 23, 15, 103),
    (137, 1, 3, 7, 13, 13, 15, 69),
    (143, 1, 1, 3, 13, 7, 35, 63),
    (145, 1, 3, 5, 9, 1, 25, 53),
    (157, 1, 3, 1, 13, 9, 35, 107),
    (167, 1, 3, 1, 5, 27, 61, 31),
    (171, 1, 1, 5, 11, 19, 41, 61),
    (185, 1, 3, 5, 3, 3, 13, 69),
    (191, 1, 1, 7, 13, 1, 19, 1),
    (193, 1, 3, 7, 5, 13, 19, 59),
    (203, 1, 1, 3, 9, 25, 29, 41),
    (211, 1, 3, 5, 13, 23, 1, 55),
    (213, 1, 3, 7, 3, 13, 59, 17),
    (229, 1, 3, 1, 3, 5, 53, 69),
    (239, 1, 1, 5, 5, 23, 33, 13),
    (241, 1, 1, 7, 7, 1, 61, 123),
    (247, 1, 1, 7, 9, 13, 61, 49),
    (253, 1, 3, 3, 5, 3, 55, 33),
)
"""The parameters of every dimension except the first: its primitive polynomial over GF(2), bits from the leading
coefficient to the last, and its initial numbers m_1, m_2, ... (table new-joe-kuo-6 of Joe & Kuo 2008, up to degree 7).
"""


def sobol_points(exponent: int, dim: int) -> Float[np.ndarray, "n d"]:
    """The first ``2**exponent`` points, unscrambled, in the order of Gray codes (Antonov & Saleev 1979).

    Point n is ``XOR_j g_j v_j`` over the bits g_j of ``n XOR (n >> 1)``, with direction numbers ``v_j = m_j / 2^j`` in
    every dimension. With a polynomial of degree s and coefficients 1, a_1, ..., a_s::

        m_j = 2 a_1 m_{j-1} XOR 2^2 a_2 m_{j-2} XOR ... XOR 2^s m_{j-s} XOR m_{j-s}

    Args:
        exponent: at least 0.
        dim: at least 1.
    """
    if dim > 1 + len(_DIRECTIONS):
        from scipy.stats import qmc

        points: np.ndarray = qmc.Sobol(dim, scramble=False).random_base2(exponent)
        return points
    index = np.arange(2**exponent)
    codes = index ^ (index >> 1)
    columns = [_column(codes, exponent, [1] * exponent)]
    columns += [_column(codes, exponent, _numbers(row[0], row[1:], exponent)) for row in _DIRECTIONS[: dim - 1]]
    return np.stack(columns, axis=1) / 2.0**exponent


def _numbers(polynomial: int, initial: tuple[int, ...], count: int) -> list[int]:
    """m_1, ..., m_count by the recurrence."""
    degree = polynomial.bit_length() - 1
    numbers = list(initial[:count])
    for j in range(len(numbers), count):
        number = numbers[j - degree]
        for back in range(1, degree + 1):
            if polynomial >> (degree - back) & 1:
                number ^= numbers[j - back] << back
        numbers.append(number)
    return numbers


def _column(codes: np.ndarray, exponent: int, numbers: list[int]) -> np.ndarray:
    """One coordinate of all points, in units of ``2**-exponent``."""
    column = np.zeros_like(codes)
    for j, number in enumerate(numbers):
        column ^= (codes >> j & 1) * (number << (exponent - 1 - j))
    return column
