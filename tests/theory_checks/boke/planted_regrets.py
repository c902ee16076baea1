"""Planted results of Figures 6 to 8 and of their sweeps: known factors between methods, noise over seeds."""

import numpy as np

from experiments.boke.regret import PROBLEMS, SEEDS
from experiments.engine.result_file import Result

METHODS = ("boke", "boke_plus", "kr_ucb", "gp_ucb", "random_search", "gp_ucb_refit")
ENOUGH = SEEDS["paper"]
RANGE = 200.0


def result(study, problem, policy, options=(), **arrays):
    """A result with these arrays."""
    config = {"study": study, "problem": problem, "policy": policy, "seeds": [], "scale": "quick"}
    return Result(config | {"options": dict(options)}, {k: np.asarray(v) for k, v in arrays.items()}, {})


def final(problem, index, factor, seeds, spread, size=0.01):
    """(seeds,) regrets as fractions of the range: `size` times the factor, with log-normal noise; `spread` is that of
    the log10 ratio of two methods."""
    rng = np.random.default_rng([index, *map(ord, problem)])
    return size * factor * 10 ** (spread / np.sqrt(2) * rng.standard_normal(seeds))


def curves(study, factors=(), seeds=ENOUGH, spread=0.3, size=0.01, on=PROBLEMS["paper"]):
    """Results of Figure 6 or 7. `factors`: method, or (method, problem), to its factor; 1 otherwise."""
    factors, found = dict(factors), []
    for problem in on:
        for index, method in enumerate(METHODS):
            factor = factors.get((method, problem), factors.get(method, 1.0))
            last = RANGE * final(problem, index, factor, seeds, spread, size)
            curve = last[:, None] * np.array([5.0, 2.0, 1.0])
            found.append(result(study, problem, method, simple_regret=curve, range=RANGE, initial_size=1))
    return found


def sweep(noisy, settings, seeds=ENOUGH, spread=0.3, on=PROBLEMS["paper"]):
    """Results of the sweep. `settings`: method → name of a setting → factor."""
    found = []
    for problem in on:
        for index, (method, named) in enumerate(settings.items()):
            rows = np.array([final(problem, 10 + index, factor, seeds, spread) for factor in named.values()])
            options = {"problem": problem, "noisy": noisy}
            arrays = {"setting": np.array(list(named)), "final_regret": rows, "mean_log10_regret": np.log10(rows)}
            found.append(result("boke.regret_constants", problem, method, options, **arrays))
    return found


def sprinkler(factors=(), costs=(("gp_ucb", 2.0),), seeds=30, study="boke.fig8"):
    """Regrets that fall by half every 10 of 50 evaluations, times the method's factor; proposals of 1 ms, times its
    cost."""
    found = []
    for index, policy in enumerate(METHODS):
        last = 8.0 * final("sprinkler", index, dict(factors).get(policy, 1.0), seeds, 0.1)
        curve = last[:, None] * 2.0 ** ((50 - np.arange(1, 51)) / 10)
        seconds = np.full((4, 40), 1e-3 * dict(costs).get(policy, 1.0))
        arrays = {"simple_regret": curve, "range": 8.0, "seconds": seconds, "initial_size": 10}
        found.append(result(study, "sprinkler", policy, **arrays))
    return found


def sprinkler_sweep(settings, seeds=30):
    """One setting "bandwidth = 0.2" of each method, to its factor."""
    options = {"constant": "bandwidth", "value": 0.2}
    return [
        result("boke.fig8_constants", "sprinkler", one.config["policy"], options, **one.arrays)
        for one in sprinkler(settings, seeds=seeds)
        if one.config["policy"] in settings
    ]
