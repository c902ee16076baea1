"""Constants of all methods on the problems of Figures 6 and 7, both sides alike: does any turn an order?

The paper prints no constants. No value is chosen from this sweep; it shows what depends on our values. Runs are those
of Figures 6 and 7: same starts, noise, seeds and budgets. It runs by its own name only.

Settings were fixed before the first run, about as many for each method: two readings of Scott's rule and their
constants for BOKE, BOKE+ and KR-UCB, lengthscale and beta for GP-UCB; the noise scale of BOKE, BOKE+ and GP-UCB under
noise also at its true level (`LEVEL`), which Theorem 9 asks it to bound: the standard deviation of the noise on
standardised outputs. For BOKE and BOKE+ also what else is open in the theorem's beta_t: delta, and the unit of y
(`RAW`), the outputs' own in place of their deviation. (M_Psi is one for every kernel here.)

A setting of BOKE, BOKE+ or KR-UCB differs from `CALIBRATED`, the values that random functions chose, in a constant or
two; one of GP-UCB differs from its own values, which are calibrated too. `ADDED` has the calibrated values themselves,
and settings near the default of the three methods, which the paper's sentences chose (`experiments.boke.settings`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.stats import qmc

from core import policies
from core.designs import default_initial_size, seed_keys
from core.simulate import simulate
from experiments import problems
from experiments.boke.regret import BUDGETS, NOISE_FRACTION, PROBLEMS, SEEDS
from experiments.engine.slim import Kept
from experiments.engine.study import Cell, Study
from experiments.problems import Problem

__all__ = [
    "ADDED",
    "CALIBRATED",
    "LEVEL",
    "RAW",
    "REGRET_FLOOR",
    "SETTINGS",
    "STUDY",
    "complete",
    "in_words",
    "noise_scales",
    "run",
]

REGRET_FLOOR = 1e-9
"""A share of the range: smaller regrets are rounding errors and count as equal."""

LEVEL = "level"
"""The noise scale equal to the noise's standard deviation on outputs standardised over the cube."""

RAW = "raw"
"""The calibrated noise scale in the unit of y: divided by the deviation of the outputs over the cube."""

Setting = Mapping[str, float | str]

CALIBRATED: Setting = {"rule": "scott", "bandwidth": 1.0, "noise_scale": 0.01}
"""BOKE's setting by the rule of `experiments.boke.chosen_constants`; KR-UCB has the same bandwidth."""

_SMOOTHING: Setting = {key: value for key, value in CALIBRATED.items() if key != "noise_scale"}
_BASE: Mapping[str, Setting] = {"boke": CALIBRATED, "boke_plus": CALIBRATED, "kr_ucb": _SMOOTHING, "gp_ucb": {}}

_BANDWIDTHS: Sequence[Setting] = tuple(
    {"rule": rule, "bandwidth": constant}
    for rule, constants in {"scott": (0.25, 0.5, 2.0), "scott_box": (0.05, 0.1, 0.2)}.items()
    for constant in constants
)
_NOISE_SCALES: Sequence[Setting] = (
    {"noise_scale": 0.003},
    {"noise_scale": 0.03},
    {"noise_scale": 0.3},
    {"noise_scale": LEVEL},
)

_BETA: Sequence[Setting] = ({"delta": 0.1}, {"noise_scale": RAW})

SETTINGS: Mapping[str, Sequence[Setting]] = {
    "boke": (*_BANDWIDTHS, *_NOISE_SCALES, *_BETA),
    "boke_plus": (*_BANDWIDTHS, *_NOISE_SCALES, *_BETA),
    "kr_ucb": (*_BANDWIDTHS, {"exploration": 0.1}, {"exploration": 1.0}, {"threshold": 0.5}),
    "gp_ucb": (
        *({"lengthscale": lengthscale, "beta": beta} for lengthscale in (0.1, 0.4, 0.8) for beta in (1.0, 4.0)),
        {"beta": 4.0},
        {"noise_scale": LEVEL},
    ),
}
"""The constants that differ from the calibrated ones, by method."""

_NEAR: Sequence[Setting] = (
    CALIBRATED,
    {"rule": "scott_sides", "bandwidth": 0.05, "noise_scale": 0.001},
    {"rule": "scott_sides", "bandwidth": 0.04, "noise_scale": LEVEL},
)
ADDED: Mapping[str, Sequence[Setting]] = {
    "boke": _NEAR,
    "boke_plus": _NEAR,
    "kr_ucb": (_SMOOTHING, {"rule": "scott_sides", "bandwidth": 0.05}),
    "gp_ucb": (),
}
"""Whole settings, run in cells of their own."""

SMOKE_POLICIES = ("boke", "gp_ucb")
POINTS = 4096
"""The number of points at which the deviation of a function over the cube is computed."""


def noise_scales(problem: Problem, fraction: float) -> dict[str, float]:
    """Noise scales by name, on outputs that are standardised over the cube, under noise of that fraction of the range.

    With ``s^2 = Var f(U) + sigma^2``, U uniform: `LEVEL` is ``sigma / s``, `RAW` the calibrated noise scale over ``s``.
    """
    points = qmc.Sobol(problem.dim, rng=np.random.default_rng(0)).random(POINTS)
    deviation, sigma = float(jnp.std(jax.vmap(problem.value)(jnp.asarray(points)))), fraction * float(problem.range)
    whole = float(np.hypot(deviation, sigma))
    return {LEVEL: sigma / whole, RAW: float(CALIBRATED["noise_scale"]) / whole}


def in_words(setting: Setting) -> str:
    """The setting as a name, "rule = scott, bandwidth = 0.5"."""
    return ", ".join(f"{key} = {value}" for key, value in setting.items())


def complete(method: str, setting: Setting) -> Setting:
    """The setting with the calibrated values that it does not name."""
    return {**_BASE[method], **setting}


def run(cell: Cell) -> dict[str, np.ndarray]:
    """All settings of a method on a problem.

    Arrays: `setting` (k,), the names; `final_regret` (k, s), the last simple regret as a fraction of the range;
    `mean_log10_regret` (k, s), log10 of such fractions, at least `REGRET_FLOOR`, averaged over the evaluations after
    the initial design; `noise_scale` (k,), what was used for it, NaN where the setting does not name it.
    """
    options = cell.options
    exact = problems.get(str(options["problem"]))
    fraction, size = float(options["noise_fraction"]), default_initial_size(exact.dim)
    problem = exact.with_relative_noise(jnp.asarray(fraction, float))
    named = noise_scales(exact, fraction)
    final, whole, used = [], [], []
    for setting in options["settings"]:
        constants: dict[str, Any] = dict(complete(cell.policy, setting))
        if "noise_scale" in constants:
            constants["noise_scale"] = named.get(constants["noise_scale"], constants["noise_scale"])
        policy = policies.make(cell.policy, problem.dim, **constants)
        trajectory = simulate(policy, problem, seed_keys(cell.seeds), int(options["budget"]), initial_size=size)
        regret = np.asarray(trajectory.simple_regret(problem.optimum) / problem.range)
        final.append(regret[:, -1])
        whole.append(np.log10(np.maximum(regret[:, size:], REGRET_FLOOR)).mean(axis=1))
        used.append(constants["noise_scale"] if "noise_scale" in setting else np.nan)
    return {
        "setting": np.array([in_words(setting) for setting in options["settings"]]),
        "final_regret": np.array(final),
        "mean_log10_regret": np.array(whole),
        "noise_scale": np.array(used, float),
    }


def cells(scale: str) -> list[Cell]:
    """Two cells a problem, noise level and method, with its settings and those added; at smoke scale two methods and
    settings."""
    smoke = scale == "smoke"
    return [
        Cell(
            f"{problem}, noisy" if fraction else problem,
            policy,
            tuple(range(SEEDS[scale])),
            {
                "problem": problem,
                "noisy": bool(fraction),
                "noise_fraction": fraction,
                "budget": BUDGETS[scale][problems.get(problem).dim],
                "settings": [one for one in settings if fraction or LEVEL not in one.values()][: 2 if smoke else None],
            },
        )
        for problem in PROBLEMS[scale]
        for of_methods in (SETTINGS, ADDED)
        for policy, settings in of_methods.items()
        if settings and (not smoke or (policy in SMOKE_POLICIES and of_methods is SETTINGS))
        for fraction in (0.0, NOISE_FRACTION)
    ]


STUDY = Study(
    __name__,
    title="Constants of all methods on the functions of Figures 6 and 7",
    caption="Final simple regret on the functions of Figures 6 and 7 with other constants than ours, of every method.",
    cells=cells,
    run=run,
    keep=Kept(single=("final_regret", "mean_log10_regret")),
    default=False,
)
