"""Made-up results of Paper A's studies, with the arrays that the studies promise."""

import numpy as np

from experiments.boke.fig3 import POLICIES
from experiments.boke.regret import PROBLEMS
from paper_figures.load import StudyResults
from tests.paper_figures.made_up import Studies, made_up, regret_curves, results_of

BENCHMARKS = PROBLEMS["paper"]
METHODS = ("boke", "boke_plus", "kr_ucb", "gp_ucb", "random_search")


def regret_study(study: str) -> StudyResults:
    """Figures 6 and 7: every benchmark and policy, in two blocks of seeds."""
    rng = np.random.default_rng(6)
    results = []
    for dim, problem in enumerate(BENCHMARKS, start=1):
        for rank, policy in enumerate(METHODS):
            for seeds in ((0, 1, 2, 3), (4, 5, 6, 7)):
                regret = regret_curves(rng, len(seeds), 10 * dim + 20, 0.12 / (rank + 1))
                arrays = {"value": -regret, "y": -regret, "simple_regret": regret, "initial_size": 2 * dim + 1}
                results.append(made_up(study, problem, policy, seeds, {}, **arrays))
    return results_of(study, results)


def fill_study() -> StudyResults:
    """Figure 3: designs in one to four dimensions."""
    rng = np.random.default_rng(3)
    counts = np.unique(np.geomspace(2, 200, 25).astype(int))
    designs = POLICIES
    results = [
        made_up(
            "boke.fig3", f"d{dim}", design, tuple(range(6)), {}, t=counts,
            fill_distance=(1 + 0.2 * rank) * counts ** (-1.0 / dim) * rng.uniform(0.8, 1.2, size=(6, len(counts))),
        )
        for dim in (1, 2, 3, 4)
        for rank, design in enumerate(designs)
    ]  # fmt: skip
    return results_of("boke.fig3", results)


def timing_study() -> StudyResults:
    """Table 1: seconds of both phases."""
    rng = np.random.default_rng(1)
    powers = {"boke": (0, 1, 1), "boke_plus": (0, 1, 1), "kr_ucb": (2, 1, 2), "gp_ucb": (3, 2, 3)}
    phases = ("preprocessing", "inference", "proposal")
    results = []
    for policy, orders in powers.items():
        for phase, power in zip(phases, orders, strict=True):
            counts = np.array([10, 20, 50, 100]) if phase == "proposal" else 2 ** np.arange(5, 11 + (power == 1))
            seconds = (1e-5 + 1e-8 * counts.astype(float) ** power) * rng.uniform(0.9, 1.1, size=(5, len(counts)))
            results.append(made_up("boke.table1", phase, policy, tuple(range(5)), {}, t=counts, seconds=seconds))
    return results_of("boke.table1", results)


def sensitivity_study() -> StudyResults:
    """Figure A-S: one constant at a time."""
    rng = np.random.default_rng(2)
    around = (0.25, 0.5, 1.0, 2.0, 4.0)
    shares = (0.1, 0.25, 0.5, 0.75, 0.9)
    constants = {
        ("boke", "bandwidth"): around,
        ("boke", "noise_scale"): around,
        ("boke", "delta"): (0.0001, 0.001, 0.01, 0.1, 0.5),
        ("boke_plus", "exploration_probability"): shares,
        ("kr_ucb", "bandwidth"): around,
        ("kr_ucb", "exploration"): around,
        ("kr_ucb", "widening"): shares,
        ("kr_ucb", "threshold"): shares,
        ("gp_ucb", "lengthscale"): around,
        ("gp_ucb", "noise_scale"): around,
        ("gp_ucb", "beta"): around,
    }
    results = [
        made_up(
            "boke.sensitivity", f"{problem}, noisy" if noise else problem, policy, tuple(range(5)),
            {"problem": problem, "noise_fraction": noise, "constant": constant, "value": value},
            simple_regret=regret_curves(rng, 5, 20, 0.1 / (1 + abs(np.log10(value)) + noise)),
        )
        for problem in ("goldstein_price", "hartmann3")
        for noise in (0.0, 0.05)
        for (policy, constant), values in constants.items()
        for value in values
    ]  # fmt: skip
    return results_of("boke.sensitivity", results)


def curve_study(study: str) -> StudyResults:
    """Figures 1 and 2: three bandwidths."""
    rng = np.random.default_rng(9)
    grid = np.linspace(0.0, 1.0, 101)
    draws, bandwidth = rng.uniform(size=(4, 10)), np.tile([0.01, 0.06, 0.3], (4, 1))
    curves = rng.uniform(size=(4, 3, 101))
    arrays = {"grid": grid, "truth": np.sin(6 * grid), "x": draws, "y": np.sin(6 * draws), "bandwidth": bandwidth}
    return results_of(study, [made_up(study, "", "", (0, 1, 2, 3), {}, **arrays, mean=curves, density=curves)])


def picture_study(study: str, policies: tuple[str, ...], steps: int, unexplored: bool = False) -> StudyResults:
    """Figures 4 and 5; `unexplored` puts infinite bonuses and acquisitions on part of the line."""
    rng = np.random.default_rng(4)
    grid = np.linspace(0.0, 1.0, 101)
    shape = (3, 101) if steps == 1 else (3, steps, 101)
    results = []
    for policy in policies:
        x = rng.uniform(size=(3, 5 + steps))
        mean, bonus = rng.normal(0, 0.3, size=shape), rng.uniform(0.1, 0.4, size=shape)
        if unexplored:
            bonus = np.where(grid > 0.7, np.inf, bonus)
        arrays = {
            "x": x, "y": np.sin(6 * x), "value": np.sin(6 * x), "grid": grid, "truth": np.sin(6 * grid), "mean": mean,
            "bonus": bonus, "acquisition": mean + bonus, "explore": rng.integers(0, 2, size=shape[:-1]),
            "initial_size": 5,
        }  # fmt: skip
        results.append(made_up(study, "eq9", policy, (0, 1, 2), {}, **arrays))
    return results_of(study, results)


def sprinkler_study() -> StudyResults:
    """Figure 8: 40 evaluations, four of six seeds timed."""
    rng = np.random.default_rng(11)
    start = regret_curves(rng, 6, 17, 0.5)
    results = []
    for policy, cost in {"boke": 1.0, "boke_plus": 0.8, "kr_ucb": 0.9, "gp_ucb": 3.0, "random_search": 0.01}.items():
        tail = np.minimum(regret_curves(rng, 6, 23, 0.1), start[:, -1:])
        arrays = {
            "simple_regret": np.concatenate([start, tail], axis=1), "initial_size": 17, "range": 8.3,
            "seconds": 1e-3 * cost * rng.uniform(0.8, 1.2, size=(4, 23)),
        }  # fmt: skip
        results.append(made_up("boke.fig8", "sprinkler", policy, tuple(range(6)), {}, **arrays))
    return results_of("boke.fig8", results)


def sprinkler_constants() -> StudyResults:
    """Figure 8's sweep: two methods, two constants."""
    rng = np.random.default_rng(12)
    results = [
        made_up(
            "boke.fig8_constants", "sprinkler", policy, tuple(range(5)),
            {"problem": "sprinkler", "noise_fraction": 0.0, "constant": constant, "value": value},
            simple_regret=regret_curves(rng, 5, 20, 0.1),
        )
        for policy in ("boke", "boke_plus")
        for constant in ("bandwidth", "noise_scale")
        for value in (0.05, 0.1, 0.2)
    ]  # fmt: skip
    return results_of("boke.fig8_constants", results)


def constants_sweep() -> StudyResults:
    """The sweep of constants: the second setting of every method is its best, by a factor of ten."""
    rng = np.random.default_rng(8)
    results = []
    for problem in BENCHMARKS:
        for policy in METHODS[:-1]:
            for noisy in (False, True):
                names = np.array(["bandwidth = 0.5", "bandwidth = 2", *(["noise_scale = level"] if noisy else [])])
                heights = np.array([1.0, 0.1, 1.0])[: len(names), None]
                arrays = {"setting": names, "final_regret": heights * rng.uniform(0.01, 0.02, (len(names), 12))}
                options = {"problem": problem, "noisy": noisy}
                label = f"{problem}, noisy" if noisy else problem
                results.append(made_up("boke.regret_constants", label, policy, tuple(range(12)), options, **arrays))
    return results_of("boke.regret_constants", results)


STUDIES: Studies = {
    "boke.fig1": lambda: curve_study("boke.fig1"),
    "boke.fig2": lambda: curve_study("boke.fig2"),
    "boke.fig3": fill_study,
    "boke.fig4": lambda: picture_study("boke.fig4", ("boke",), 1),
    "boke.fig5": lambda: picture_study("boke.fig5", ("boke", "boke_plus"), 8),
    "boke.fig6": lambda: regret_study("boke.fig6"),
    "boke.fig7": lambda: regret_study("boke.fig7"),
    "boke.fig8": sprinkler_study,
    "boke.regret_constants": constants_sweep,
    "boke.fig8_constants": sprinkler_constants,
    "boke.table1": timing_study,
    "boke.sensitivity": sensitivity_study,
}
