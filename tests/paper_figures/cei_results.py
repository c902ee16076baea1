"""Made-up results of Paper B's studies, with the arrays that the studies promise."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.cei import cost, fig5, fig6, fig8
from experiments.cei.benchmarks import COMPARED, METHODS
from experiments.engine.store import Result
from tests.paper_figures.made_up import Studies, made_up, results_of

DIMS = {"hartmann3": 3, "griewank6": 6, "levy4": 4, "powell5": 5}


def benchmark_cells(study: str, problems: list[str], levels: tuple[float, ...], arms: tuple[str, ...]):
    """Every problem, method, level and arm, the second by the two compared: falling gaps and distances."""
    rng = np.random.default_rng(3)
    results = []
    for problem in problems:
        size = 3 * DIMS[problem]
        for rank, method in enumerate(METHODS):
            for level in levels:
                for arm in arms if method in COMPARED else arms[:1]:
                    decay = np.exp(-0.05 * np.arange(20) / (1 + rank)) * rng.uniform(0.5, 2.0, (6, 1))
                    noisy = decay * rng.uniform(0.8, 1.2, (6, 20)) * (1 + 5 * level)
                    results.append(made_up(
                        study, problem, method, tuple(range(6)), {"noise_fraction": level, "arm": arm, "steps": 20},
                        gap=noisy, distance=3 * noisy, t=size + np.arange(20), initial_size=size,
                        x=rng.random((6, size + 20, DIMS[problem])), incumbent=rng.integers(0, size, (6, 20)),
                        value=-rng.uniform(0.1, 2.0, (6, size + 20)), optimum=0.0,
                    ))  # fmt: skip
    return results


def scenario() -> list[Result]:
    """Figure 1."""
    rng = np.random.default_rng(1)
    grid = np.linspace(0.0, 10.0, 101)
    x = rng.uniform(0, 10, (9, 4))
    curves: dict[str, Any] = {name: rng.uniform(size=(4, 101)) for name in ("mean", "deviation", "ei", "corrected_ei")}
    for name in ("ei", "corrected_ei"):
        curves[f"next_{name}"] = grid[rng.integers(0, 101, 9)]
        curves[f"next_{name}"][:4] = grid[curves[name].argmax(axis=1)]
        curves[f"distance_{name}"] = 10.0 - curves[f"next_{name}"]
    arrays = {"x": x, "y": np.sin(x), "incumbent": rng.integers(0, 4, 9), "grid": grid, "truth": np.sin(grid)}
    return [made_up("cei.fig1", "three_bumps", "corrected_ei", tuple(range(9)), {}, optimizer=10.0, **arrays, **curves)]


def profits() -> list[Result]:
    """Figure 2."""
    rng = np.random.default_rng(2)
    kappa = np.geomspace(0.01, 10, 31)
    results = []
    for rank, method in enumerate(("corrected_ei", "ei")):
        steps = np.clip((20 / (kappa + 0.4) + rng.normal(0, 2, (5, 31))).astype(int), 0, 40)
        profit = -3.0 - rank - kappa * steps + rng.normal(0, 1, (5, 31))
        arrays = {"kappa": kappa, "steps": steps, "stopped": steps < 40, "profit": profit}
        results.append(made_up("cei.fig2", "sphere3", method, tuple(range(5)), {}, **arrays))
    return results


def paths() -> list[Result]:
    """Figure 5."""
    rng = np.random.default_rng(5)
    return [
        made_up(
            "cei.fig5", "nearest_sample", "sample_paths", tuple(range(30)), {"width": width},
            grid=np.linspace(0, width, 50), paths=rng.normal(size=(30, 50)), matrix_grid=np.linspace(0, width, 12),
            matrix=np.eye(12),
        )
        for width in fig5.WIDTHS
    ]  # fmt: skip


def stopped_runs() -> list[Result]:
    """Figure 6."""
    rng = np.random.default_rng(6)
    results = []
    for width in fig6.WIDTHS:
        for method in ("ei", "corrected_ei"):
            steps = rng.integers(3, 41, 40)
            results.append(made_up(
                "cei.fig6", "nearest_sample", method, tuple(range(40)), {"width": width}, steps=steps,
                stopped=steps < 40, value_at_stop=rng.normal(size=40), incumbent_value_at_stop=rng.normal(1.0, size=40),
                kappa=0.04,
            ))  # fmt: skip
    return results


def timings() -> list[Result]:
    """The cost table."""
    rng = np.random.default_rng(7)
    t = np.array([32, 128])
    return [
        made_up(
            "cei.cost", f"d{dim}", "all", tuple(range(5)), {"dim": dim}, t=t,
            **{
                f"seconds_{name}": 1e-3 * (1 + rank) * (t / 32.0) * rng.uniform(0.9, 1.1, (5, 2))
                for rank, name in enumerate((*METHODS, *cost.SEPARATE, cost.FIT))
            },
        )
        for dim in (3, 6)
    ]  # fmt: skip


def compressions(study: str, best_of: dict[str, float], methods: Sequence[str] = METHODS) -> list[Result]:
    """Figure 4: networks and their largest values (NaN where not known), 12 random points and 20 proposals."""
    rng = np.random.default_rng(8)
    results = []
    for network, best in best_of.items():
        top = np.nan_to_num(best, nan=-0.6)
        for rank, method in enumerate(methods):
            gap = 0.4 * np.exp(-0.1 * np.arange(32) / (1 + rank)) * rng.uniform(0.5, 1.0, (5, 32))
            results.append(made_up(
                study, network, method, tuple(range(5)), {"initial": 12, "steps": 20},
                incumbent_value=top - gap[:, 12:], t=12 + np.arange(20), optimum=best, initial_size=12,
                y=top - gap + rng.normal(0, 0.05, (5, 32)), value=top - gap, x=rng.random((5, 32, 3)),
            ))  # fmt: skip
    return results


BOTH, KNOWN = ("known", "leaked"), ("known",)

STUDIES: Studies = {
    "cei.fig1": lambda: results_of("cei.fig1", scenario()),
    "cei.fig2": lambda: results_of("cei.fig2", profits()),
    "cei.fig3": lambda: results_of("cei.fig3", benchmark_cells("cei.fig3", list(DIMS), (0.1,), BOTH)),
    "cei.fig3_public": lambda: results_of(
        "cei.fig3_public", benchmark_cells("cei.fig3_public", list(DIMS), (0.1,), ("public",))
    ),
    "cei.fig4": lambda: results_of("cei.fig4", compressions("cei.fig4", {"fc3_digits": -0.5, "fc3_mnist": -0.2})),
    "cei.fig4_convolutional": lambda: results_of(
        "cei.fig4_convolutional",
        compressions("cei.fig4_convolutional", {"vgg16_mnist": np.nan, "resnet50_mnist": np.nan}, COMPARED),
    ),
    "cei.fig4_public": lambda: results_of("cei.fig4_public", compressions("cei.fig4_public", {"fc3_public": -0.3})),
    "cei.fig5": lambda: results_of("cei.fig5", paths()),
    "cei.fig6": lambda: results_of("cei.fig6", stopped_runs()),
    "cei.fig7": lambda: results_of("cei.fig7", benchmark_cells("cei.fig7", list(DIMS), (0.15,), KNOWN)),
    "cei.fig8": lambda: results_of("cei.fig8", benchmark_cells("cei.fig8", ["griewank6"], fig8.LEVELS["paper"], KNOWN)),
    "cei.cost": lambda: results_of("cei.cost", timings()),
}
