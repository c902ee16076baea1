"""Ten other functions, on which nothing in this library was chosen: they decide only what `docs/peers.md` says.

Formulas and boxes: Surjanovic and Bingham, Virtual Library of Simulation Experiments (www.sfu.ca/~ssurjano). Griewank,
Schwefel and Powell are shifted as the first ten are (:mod:`benchmarks.peers.functions`). The two models of engineering,
piston and wing weight, have their least values in corners of their boxes.
"""

import numpy as np

from benchmarks.peers.functions import Function, hartmann6, shifted

__all__ = ["OTHERS"]


def _goldstein_price(x: np.ndarray) -> float:
    a, b = x
    first = 1 + (a + b + 1) ** 2 * (19 - 14 * a + 3 * a**2 - 14 * b + 6 * a * b + 3 * b**2)
    second = 30 + (2 * a - 3 * b) ** 2 * (18 - 32 * a + 12 * a**2 + 48 * b - 36 * a * b + 27 * b**2)
    return first * second


def _beale(x: np.ndarray) -> float:
    return sum((value - x[0] + x[0] * x[1] ** power) ** 2 for power, value in ((1, 1.5), (2, 2.25), (3, 2.625)))


def _schwefel(x: np.ndarray) -> float:
    inside = np.clip(x, -500.0, 500.0)  # beyond its own box the formula falls below the minimum
    return 418.9828872724338 * len(x) - np.sum(inside * np.sin(np.sqrt(np.abs(inside)))) + np.sum((x - inside) ** 2)


def _hartmann4(x: np.ndarray) -> float:
    return (1.1 + hartmann6(x)) / 0.839


def _colville(x: np.ndarray) -> float:
    a, b, c, d = x
    valleys = 100 * (a**2 - b) ** 2 + (a - 1) ** 2 + 90 * (c**2 - d) ** 2 + (c - 1) ** 2
    return valleys + 10.1 * ((b - 1) ** 2 + (d - 1) ** 2) + 19.8 * (b - 1) * (d - 1)


def _griewank(x: np.ndarray) -> float:
    return np.sum(x**2) / 4000 - np.prod(np.cos(x / np.sqrt(np.arange(1, len(x) + 1)))) + 1


def _dixon_price(x: np.ndarray) -> float:
    return (x[0] - 1) ** 2 + np.arange(2, len(x) + 1) @ (2 * x[1:] ** 2 - x[:-1]) ** 2


def _piston(x: np.ndarray) -> float:
    """Seconds of a piston's cycle."""
    mass, area, volume, spring, pressure, ambient, filling = x
    force = pressure * area + 19.62 * mass - spring * volume / area
    gas = spring * pressure * volume * ambient / filling
    at = area / (2 * spring) * (np.sqrt(force**2 + 4 * gas) - force)
    return 2 * np.pi * np.sqrt(mass / (spring + area**2 * pressure * volume * ambient / (filling * at**2)))


def _powell(x: np.ndarray) -> float:
    a, b, c, d = x.reshape(-1, 4).T
    return float(np.sum((a + 10 * b) ** 2 + 5 * (c - d) ** 2 + (b - 2 * c) ** 4 + 10 * (a - d) ** 4))


def _wing_weight(x: np.ndarray) -> float:
    """Pounds of the wing of a light aircraft."""
    area, fuel, aspect, sweep, pressure, taper, thickness, load, gross, paint = x
    cosine = np.cos(np.radians(sweep))
    shape = (aspect / cosine**2) ** 0.6 * pressure**0.006 * taper**0.04 * (100 * thickness / cosine) ** -0.3
    return 0.036 * area**0.758 * fuel**0.0035 * shape * (load * gross) ** 0.49 + area * paint


def _all() -> dict[str, Function]:
    piston = ((30, 60), (0.005, 0.020), (0.002, 0.010), (1000, 5000), (90000, 110000), (290, 296), (340, 360))
    wing = (
        (150, 200),
        (220, 300),
        (6, 10),
        (-10, 10),
        (16, 45),
        (0.5, 1),
        (0.08, 0.18),
        (2.5, 6),
        (1700, 2500),
        (0.025, 0.08),
    )
    lightest = (150.0, 220.0, 6.0, 0.0, 16.0, 0.5, 0.18, 2.5, 1700.0, 0.025)
    quickest = (30.0, 0.020, 0.002, 5000.0, 110000.0, 290.0, 360.0)
    best4 = (0.18739460, 0.19415134, 0.55791783, 0.26478058)
    halves = tuple(2.0 ** -((2.0**i - 2.0) / 2.0**i) for i in range(1, 7))
    found = [
        Function("goldstein_price2", _goldstein_price, ((-2, 2),) * 2, (0.0, -1.0), 3.0),
        Function("beale2", _beale, ((-4.5, 4.5),) * 2, (3.0, 0.5), 0.0),
        shifted("schwefel", _schwefel, 3, 500.0, 420.968746, 0.0, width=100.0),
        Function("hartmann4", _hartmann4, ((0.0, 1.0),) * 4, best4, _hartmann4(np.array(best4))),
        Function("colville4", _colville, ((-10, 10),) * 4, (1.0,) * 4, 0.0),
        shifted("griewank", _griewank, 5, 600.0, 0.0, 0.0),
        Function("dixon_price6", _dixon_price, ((-10, 10),) * 6, halves, 0.0),
        Function("piston7", _piston, piston, quickest, _piston(np.array(quickest))),
        shifted("powell", _powell, 8, 5.0, 0.0, 0.0),
        Function("wing_weight10", _wing_weight, wing, lightest, _wing_weight(np.array(lightest))),
    ]
    return {function.name: function for function in found}


OTHERS = _all()
"""Every function by name."""
