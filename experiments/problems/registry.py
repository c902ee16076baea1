"""Problems by name. To add one: a module with its formula and its constructor, and a line in :data:`PROBLEMS`."""

import inspect
import re
from collections.abc import Callable
from typing import Any

from experiments.engine.names import near_names, unknown
from experiments.problems.branin import branin_problem
from experiments.problems.checks import require
from experiments.problems.deceptive import deceptive_problem
from experiments.problems.eq9 import eq9_problem
from experiments.problems.forrester import forrester_problem
from experiments.problems.goldstein_price import goldstein_price_problem
from experiments.problems.gp_sample import gp_sample_problem
from experiments.problems.griewank import griewank_problem
from experiments.problems.h1 import h1_near_problem, h1_printed_problem, h1_problem
from experiments.problems.hartmann3 import hartmann3_problem
from experiments.problems.levy import levy_problem
from experiments.problems.log_goldstein_price import log_goldstein_price_problem
from experiments.problems.nearest_sample import nearest_sample_problem
from experiments.problems.noise import Noise
from experiments.problems.powell import powell_problem
from experiments.problems.problem import Problem
from experiments.problems.rosenbrock import rosenbrock_problem
from experiments.problems.rotated_sphere import rotated_sphere_problem
from experiments.problems.six_hump_camel import six_hump_camel_problem
from experiments.problems.sphere import sphere_problem
from experiments.problems.sprinkler import sprinkler_problem
from experiments.problems.standardised_rosenbrock import standardised_rosenbrock_problem
from experiments.problems.three_bumps import three_bumps_problem

__all__ = ["NAMES", "PROBLEMS", "get"]

PROBLEMS: dict[str, Callable[..., Problem]] = {
    "forrester": forrester_problem,
    "goldstein_price": goldstein_price_problem,
    "six_hump_camel": six_hump_camel_problem,
    "hartmann3": hartmann3_problem,
    "rosenbrock": rosenbrock_problem,
    "sphere": sphere_problem,
    "log_goldstein_price": log_goldstein_price_problem,
    "standardised_rosenbrock": standardised_rosenbrock_problem,
    "rotated_sphere": rotated_sphere_problem,
    "eq9": eq9_problem,
    "gp_sample": gp_sample_problem,
    "griewank6": griewank_problem,
    "levy4": levy_problem,
    "powell5": powell_problem,
    "three_bumps": three_bumps_problem,
    "nearest_sample": nearest_sample_problem,
    "branin": branin_problem,
    "deceptive": deceptive_problem,
    "h1": h1_problem,
    "h1_near": h1_near_problem,
    "h1_printed": h1_printed_problem,
    "sprinkler": sprinkler_problem,
}
"""Constructors by name; one that takes ``dim`` is a problem of any dimension, with the paper's as its default."""

NAMES = tuple(PROBLEMS)


def _options_of(name: str) -> tuple[str, ...]:
    return tuple(inspect.signature(PROBLEMS[name]).parameters)


def _split(name: str) -> tuple[str, int | None]:
    """A registered name, and the dimension written behind it ("rosenbrock4"), if any.

    Raises:
        KeyError: no such problem; the message lists near names.
    """
    if name in PROBLEMS:
        return name, None
    match = re.fullmatch(r"(.*\D)([1-9]\d*)", str(name))
    if match and match[1] in PROBLEMS and "dim" in _options_of(match[1]):
        return match[1], int(match[2])
    raise KeyError(unknown("problem", str(name), NAMES))


def get(name: str, noise: Noise | None = None, **options: Any) -> Problem:
    """The problem of that name, exact unless a noise is given.

    Args:
        name: one of :data:`NAMES`; problems of any dimension also as "rosenbrock4", "sphere6", "gp_sample2".
        noise: what observations add to the value.
        options: of the problem's constructor, ``dim`` among them. A problem of one dimension accepts that one.

    Raises:
        KeyError: no such problem; the message lists near names.
        ValueError: an unknown option, or one outside its range; the message names it.
    """
    base, dim = _split(name)
    known = {*_options_of(base), "dim"}
    for option in options:
        require(option in known, f"{option}: {base} has no such option; {near_names(option, known)}")
    wanted = options.get("dim", dim)
    whole = isinstance(wanted, int) and not isinstance(wanted, bool)
    require(wanted is None or whole, f"dim: expected a whole number, got {wanted!r}")
    require(dim in (None, wanted), f"dim: {name} has dim {dim}, got {wanted}")
    options.pop("dim", None)
    if wanted is not None and "dim" in _options_of(base):
        options["dim"] = wanted
    problem = PROBLEMS[base](**options)
    require(wanted in (None, problem.dim), f"dim: {base} is defined for dim = {problem.dim} only, got {wanted}")
    return problem if noise is None else problem.with_noise(noise)
