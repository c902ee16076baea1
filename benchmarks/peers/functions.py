"""Ten functions to be minimised, in 2 to 10 dimensions, none of them of the four papers' making.

Formulas, boxes and minima: Surjanovic and Bingham, Virtual Library of Simulation Experiments (www.sfu.ca/~ssurjano).
Levy, Ackley and Styblinski-Tang are shifted off the centre of their boxes and off any grid, by the golden ratio's
multiples: a method that tries centres and corners first gains nothing by it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy.stats import qmc

__all__ = ["TEN", "Function", "hartmann6", "shifted"]

GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
SAMPLES = 4096


@dataclass(frozen=True)
class Function:
    """A function on a box with a known minimum.

    Attributes:
        name: with its dimension, "levy4".
        formula: maps a point, shape (d,), to a number.
        bounds: d pairs (lower, upper).
        minimiser: where the least value is, shape (d,) (one of several).
        minimum: the least value.
    """

    name: str
    formula: Callable[[np.ndarray], float]
    bounds: tuple[tuple[float, float], ...]
    minimiser: tuple[float, ...]
    minimum: float

    def __call__(self, x: np.ndarray) -> float:
        """The value at a point, shape (d,)."""
        return float(self.formula(np.asarray(x, dtype=float)))

    @property
    def dim(self) -> int:
        """Dimension d."""
        return len(self.bounds)

    @cached_property
    def scale(self) -> float:
        """The median regret of a uniform point (of 4,096 Sobol points): regrets are shown as a share of it."""
        low, high = np.array(self.bounds).T
        points = qmc.scale(qmc.Sobol(self.dim, rng=np.random.default_rng(0)).random(SAMPLES), low, high)
        return float(np.median([self(point) for point in points]) - self.minimum)


def _shift(dim: int, width: float) -> np.ndarray:
    """Shares of the width in (-1/4, 1/4), all different."""
    return width * (np.modf(GOLDEN * np.arange(1, dim + 1))[0] - 0.5) / 2.0


def shifted(
    name: str,
    formula: Callable[[np.ndarray], float],
    dim: int,
    half: float,
    at: float,
    least: float,
    width: float | None = None,
) -> Function:
    """A formula whose minimiser (at, ..., at) is moved by a fixed shift; its box [-half, half]^d stays.

    The shift is less than a quarter of ``width``, the half side of the box unless it is given.
    """
    shift = _shift(dim, half if width is None else width)
    place = tuple((at + shift).tolist())
    return Function(f"{name}{dim}", lambda x: formula(x - shift), ((-half, half),) * dim, place, least)


def _branin(x: np.ndarray) -> float:
    quadratic = x[1] - 5.1 / (4 * np.pi**2) * x[0] ** 2 + 5 / np.pi * x[0] - 6
    return quadratic**2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x[0]) + 10


def _six_hump_camel(x: np.ndarray) -> float:
    return (4 - 2.1 * x[0] ** 2 + x[0] ** 4 / 3) * x[0] ** 2 + x[0] * x[1] + (4 * x[1] ** 2 - 4) * x[1] ** 2


def _hartmann(a: list[list[float]], p: list[list[float]]) -> Callable[[np.ndarray], float]:
    weights, rates, centres = np.array([1.0, 1.2, 3.0, 3.2]), np.array(a), np.array(p) * 1e-4
    return lambda x: -weights @ np.exp(-np.sum(rates[:, : len(x)] * (x - centres[:, : len(x)]) ** 2, axis=1))


_hartmann3 = _hartmann(
    [[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]],
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]],
)
hartmann6 = _hartmann(
    [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]],
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ],
)


def _levy(x: np.ndarray) -> float:
    w = 1 + (x - 1) / 4
    middle = np.sum((w[:-1] - 1) ** 2 * (1 + 10 * np.sin(np.pi * w[:-1] + 1) ** 2))
    return np.sin(np.pi * w[0]) ** 2 + middle + (w[-1] - 1) ** 2 * (1 + np.sin(2 * np.pi * w[-1]) ** 2)


def _ackley(x: np.ndarray) -> float:
    return 20 + np.e - 20 * np.exp(-0.2 * np.sqrt(np.mean(x**2))) - np.exp(np.mean(np.cos(2 * np.pi * x)))


def _michalewicz(x: np.ndarray) -> float:
    return -np.sum(np.sin(x) * np.sin(np.arange(1, len(x) + 1) * x**2 / np.pi) ** 20)


def _styblinski_tang(x: np.ndarray) -> float:
    return np.mean(x**4 - 16 * x**2 + 5 * x) / 2


def _rosenbrock(x: np.ndarray) -> float:
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


@cache
def _all() -> dict[str, Function]:
    unit = ((0.0, 1.0),)
    tang = -2.903534027771177
    found = [
        Function("branin2", _branin, ((-5, 10), (0, 15)), (np.pi, 2.275), 0.39788735772973816),
        Function(
            "six_hump_camel2", _six_hump_camel, ((-3, 3), (-2, 2)), (0.08984201, -0.71265640), -1.0316284534898774
        ),
        Function("hartmann3", _hartmann3, unit * 3, (0.11458887, 0.55564889, 0.85254695), -3.8627797869493365),
        shifted("levy", _levy, 4, 10.0, 1.0, 0.0),
        shifted("ackley", _ackley, 5, 32.768, 0.0, 0.0),
        Function(
            "michalewicz5",
            _michalewicz,
            ((0.0, float(np.pi)),) * 5,
            (2.20290552, 1.57079633, 1.28499157, 1.92305847, 1.72046977),
            -4.687658179088,
        ),
        Function(
            "hartmann6",
            hartmann6,
            unit * 6,
            (0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730053),
            -3.322368011415514,
        ),
        shifted("styblinski_tang", _styblinski_tang, 6, 5.0, tang, -39.16616570377141),
        Function("rosenbrock8", _rosenbrock, ((-5.0, 10.0),) * 8, (1.0,) * 8, 0.0),
        shifted("levy", _levy, 10, 10.0, 1.0, 0.0),
    ]
    return {function.name: function for function in found}


TEN = _all()
"""The first ten by name."""
