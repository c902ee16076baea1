"""The open settings of the four methods, on the problems of Figures 5 to 8: each run once, crossed when they are read.

The paper prints a form of the bandwidth, A (28), and of beta_t, Theorem 9, but no constant, no probability p of BOKE+,
no size of the initial design, no budget, and of its search that it starts L-BFGS-B several times. Every cell is a
method on a problem with all settings of the method. Budgets are crossed too: regrets are stored at half of the budget
and at its end.

* Scale quick has the contenders for BOKE's default (`CONTENDERS`) on the functions in common use; KR-UCB shares their
  bandwidth, since the paper gives the three methods one. `theory_checks.readings.boke.default_setting` counts the
  paper's sentences under each. The seeds are those of no other study.
* Scale paper has the whole cross (`CROSSED`).

The study runs by its own name only. Figure 9, where a method's runs train forests, is too dear for it, and the
constants of density-based exploration, Figure 3, are settings of `boke.fig3`.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import jax.numpy as jnp
import numpy as np

from core import policies
from core.designs import default_initial_size, seed_keys
from core.policies import SearchEffort
from core.policies.constants import EXPLORATION_PROBABILITY
from core.simulate import Trajectory, simulate
from experiments import problems
from experiments.boke import fig4, fig8, regret
from experiments.boke.regret_constants import CALIBRATED, REGRET_FLOOR, Setting, in_words
from experiments.engine.study import Cell, Study
from experiments.problems import Problem
from experiments.problems.noise import GaussianNoise

__all__ = ["CONTENDERS", "CROSSED", "ILLUSTRATION", "METHODS", "SEEDS", "STUDY", "run", "settings"]

SEEDS: Mapping[str, Sequence[int]] = {
    "smoke": range(6_000, 6_002),
    "quick": range(6_000, 6_024),
    "paper": range(6_100, 6_130),
}
"""The seeds of this study, which no other study has; those of scale paper are not those that choose the default."""

CONTENDERS: Sequence[Setting] = (
    CALIBRATED,
    {"rule": "scott", "bandwidth": 0.5, "noise_scale": 0.01},
    {"rule": "scott", "bandwidth": 0.25, "noise_scale": 0.01},
    {"rule": "scott_sides", "bandwidth": 0.05, "noise_scale": 0.001},
    {"rule": "scott_sides", "bandwidth": 0.04, "noise_scale": 0.0003},
)
"""Contenders for BOKE's default, the calibrated setting first; p of BOKE+ is ours. All have the form A (28), Scott's
rule, which is the paper's: section 5 rejects a rule that is fitted anew at each step. The last two were found
on other seeds of the same functions without noise, eight a function, so that they are charitable; the seeds above judge
them."""

_SMOOTHING: Sequence[Setting] = tuple(
    {"rule": rule, "bandwidth": constant}
    for rule, constants in {
        "scott": (0.25, 0.5, 1.0),
        "scott_box": (0.05, 0.1, 0.2),
        "scott_sides": (0.025, 0.05, 0.1),
    }.items()
    for constant in constants
)
_NOISE_SCALES = (0.0001, 0.001, 0.01, 0.1)
_STARTS: Sequence[Setting] = ({}, {"initial_size": "d + 1"}, {"initial_size": "5 d"})
_SEARCH: Sequence[Setting] = ({}, {"candidates": 8})


def _cross(*parts: Sequence[Setting]) -> tuple[Setting, ...]:
    return tuple({key: value for part in chosen for key, value in part.items()} for chosen in product(*parts))


_KERNEL = _cross(_SMOOTHING, [{"noise_scale": scale} for scale in _NOISE_SCALES], _STARTS, _SEARCH)

CROSSED: Mapping[str, Sequence[Setting]] = {
    "boke": _KERNEL,
    "boke_plus": _cross(_KERNEL, [{"exploration_probability": p} for p in (0.25, EXPLORATION_PROBABILITY, 0.75)]),
    "kr_ucb": _cross(_SMOOTHING, [{"exploration": constant} for constant in (0.1, 0.3, 1.0)], _STARTS, _SEARCH),
    "gp_ucb": _cross(
        [{"lengthscale": length} for length in (0.1, 0.2, 0.4)], [{"beta": 1.0}, {"beta": 4.0}], _STARTS, _SEARCH
    ),
    "random_search": _STARTS,
}
"""All settings of each method; a start or a search that is not named is ours (`candidates` is their number, of which
eight are refined: with eight, all are, as a local search from several starts has it)."""

METHODS = tuple(CROSSED)
ILLUSTRATION = "eq9"
"""The function of Figure 5, which has its own noise, initial size and budget."""


def settings(scale: str, policy: str) -> Sequence[Setting]:
    """The settings of a method at a scale."""
    if scale == "paper":
        return CROSSED[policy]
    if policy in ("boke", "boke_plus"):
        chosen = CONTENDERS
    elif policy == "kr_ucb":
        chosen = [{key: one[key] for key in ("rule", "bandwidth")} for one in CONTENDERS]
        chosen = list({in_words(one): one for one in chosen}.values())
    else:
        chosen = [{}]
    return chosen[:2] if scale == "smoke" else chosen


def _policy(name: str, dim: int, setting: Setting) -> policies.Policy:
    constants: dict[str, Any] = {key: value for key, value in setting.items() if key != "initial_size"}
    if "candidates" in constants:
        constants["effort"] = SearchEffort.of(dim, int(constants.pop("candidates")))
    if name == "random_search":
        constants.pop("effort", None)
    return policies.make(name, dim, **constants)


def _measured(problem: Problem, trajectory: Trajectory) -> dict[str, np.ndarray]:
    """The stored arrays of one setting, (s,) each: see `run`."""
    value = np.asarray(trajectory.value, float)
    simple = np.asarray(trajectory.simple_regret(problem.optimum)) / float(problem.range)
    size, budget = trajectory.initial_size, simple.shape[1]
    return {
        "final_regret": simple[:, -1],
        "half_regret": simple[:, size + (budget - size + 1) // 2 - 1],
        "mean_log10_regret": np.log10(np.maximum(simple[:, size:], REGRET_FLOOR)).mean(axis=1),
        "objective": 1.0 - (float(problem.optimum) - value[:, size:].mean(axis=1)) / float(problem.range),
        "spread": np.asarray(trajectory.x)[:, size:].std(axis=1).mean(axis=1),
    }


def run(cell: Cell) -> dict[str, np.ndarray]:
    """All settings of a method on a problem.

    Arrays: `setting` (k,), the names, and by setting and seed, (k, s): `final_regret`, the simple regret at the end,
    `half_regret`, after half of the evaluations that follow the design, `mean_log10_regret`, log10 of the simple
    regrets after the design, all over the range and at least `REGRET_FLOOR`; of the points chosen, `objective`, their
    mean value (0 the smallest, 1 the largest), and `spread`, their standard deviation, averaged over the axes.
    """
    options = cell.options
    name = str(options["problem"])
    if name == ILLUSTRATION:
        problem = problems.get(name, noise=GaussianNoise(fig4.NOISE_VARIANCE**0.5))
    else:
        problem = problems.get(name).with_relative_noise(jnp.asarray(options["noise_fraction"], float))
    found: dict[str, list[np.ndarray]] = {}
    sizes = {"d + 1": problem.dim + 1, "5 d": 5 * problem.dim}
    for setting in options["settings"]:
        size = fig4.INITIAL_SIZE if name == ILLUSTRATION else default_initial_size(problem.dim)
        size = sizes.get(str(setting.get("initial_size")), size)
        policy = _policy(cell.policy, problem.dim, setting)
        budget = size + fig4.ITERATIONS if name == ILLUSTRATION else int(options["budget"])
        trajectory = simulate(policy, problem, seed_keys(cell.seeds), budget, initial_size=size)
        for key, values in _measured(problem, trajectory).items():
            found.setdefault(key, []).append(np.asarray(values, float))
    names = np.array([in_words(setting) or "ours" for setting in options["settings"]])
    return {"setting": names, **{key: np.array(rows) for key, rows in found.items()}}


def _budget(scale: str, problem: str) -> int:
    if problem == fig8.PROBLEM:
        return fig8.BUDGETS[scale]
    return regret.BUDGETS[scale].get(problems.get(problem).dim, 0)


def cells(scale: str) -> list[Cell]:
    """One cell a problem, noise level and method, with all its settings."""
    versions = [names[: 1 if scale == "quick" else None] for names in regret.PANELS.values()]
    names = [name for several in versions for name in several] if scale != "smoke" else list(regret.PROBLEMS[scale])
    shown = [(ILLUSTRATION, 0.0), *((one, fraction) for fraction in (0.0, regret.NOISE_FRACTION) for one in names)]
    shown.append((fig8.PROBLEM, 0.0))
    return [
        Cell(
            f"{problem}, noisy" if fraction else problem,
            policy,
            tuple(SEEDS[scale]),
            {
                "problem": problem,
                "noisy": bool(fraction),
                "noise_fraction": fraction,
                "budget": _budget(scale, problem),
                "settings": [dict(one) for one in settings(scale, policy)],
            },
        )
        for problem, fraction in shown
        for policy in METHODS
        if problem != ILLUSTRATION or policy in ("boke", "boke_plus")
    ]


STUDY = Study(
    __name__,
    title="Settings of the four methods on the problems of Figures 5 to 8",
    caption="Final simple regret under the settings that the paper leaves open, of all four methods.",
    cells=cells,
    run=run,
    default=False,
)
