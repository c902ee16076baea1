"""Made-up results of Paper D's studies on synthetic functions, with the arrays that the studies promise."""

import numpy as np

from experiments.engine.store import Result
from experiments.uhe import fig1, fig3
from experiments.uhe.benchmarks import ABLATIONS, METHODS, PROBLEMS
from experiments.uhe.consistency import cells, truth
from paper_figures.load import StudyResults
from tests.paper_figures.made_up import Studies, made_up, results_of

SEEDS = tuple(range(8))
INITIAL, STEPS = 5, 36


def runs(study: str, methods: tuple[str, ...]) -> list[Result]:
    """Every problem and method: falling regret from a common start, falling errors."""
    rng, results = np.random.default_rng(11), []
    for problem in PROBLEMS["quick"]:
        start = np.minimum.accumulate(rng.uniform(0.5, 2.0, (len(SEEDS), INITIAL)), axis=1)
        for rank, method in enumerate(methods):
            falls = np.exp(-rng.exponential(0.15 / (1 + rank), (len(SEEDS), STEPS)).cumsum(axis=1))
            errors = 0.4 * falls[:, 3::4] ** 0.5
            regret = np.hstack([start, start[:, -1:] * falls])
            results.append(made_up(
                study, problem, method, SEEDS, {"steps": STEPS}, simple_regret=regret, initial_size=INITIAL,
                t=INITIAL + np.arange(3, STEPS, 4), mse=errors.astype(np.float32),
                truth_variance=0.5, range=3.0,
            ))  # fmt: skip
    return results


def posteriors() -> list[Result]:
    """Figure 1: normal densities in the logarithm."""
    rng, arrays = np.random.default_rng(12), {}
    logs = np.log(fig1.LENGTHSCALES)
    for kind, spread in (("optimisation", 0.5), ("iid", 0.2)):
        places = np.log(fig1.LENGTHSCALE) + spread * rng.normal(size=(len(SEEDS), 1))
        density = np.exp(-((logs - places) ** 2) / (2 * spread**2)) / (spread * np.sqrt(2 * np.pi))
        arrays |= {
            f"x_{kind}": rng.random((len(SEEDS), fig1.POINTS)), f"y_{kind}": rng.normal(size=(len(SEEDS), fig1.POINTS)),
            f"density_{kind}": density.astype(np.float32),
            f"map_{kind}": fig1.LENGTHSCALES[density.argmax(axis=1)],
        }  # fmt: skip
    grid = fig1.FUNCTION_GRID
    return [made_up(
        "uhe.fig1", "gp_sample1", "gp_ucb_map", SEEDS, {}, lengthscale=fig1.LENGTHSCALES, grid=grid,
        function=np.sin(9 * grid)[None] * np.arange(1.0, 5.0)[:, None], true_lengthscale=fig1.LENGTHSCALE,
        initial_size=3, **arrays,
    )]  # fmt: skip


def pictures() -> list[Result]:
    """Figure 3: a bump, known the better the later; half of UHE-BO's queries are random."""
    rng, line = np.random.default_rng(13), np.linspace(0.0, 1.0, fig3.SIDE)
    truth = np.exp(-20 * ((line[None, :] - 0.3) ** 2 + (line[:, None] - 0.7) ** 2))
    times, results = np.array([16, 28, 40]), []
    for method in fig3.METHODS:
        extra = {"info_random": rng.integers(0, 2, (len(SEEDS), STEPS))} if method == "uhe_bo" else {}
        results.append(made_up(
            "uhe.fig3", "deceptive2", method, SEEDS, {}, line=line, truth=truth, t=times,
            mean=np.stack([share * truth for share in (0.3, 0.6, 0.9)]), initial_size=INITIAL,
            x=rng.random((len(SEEDS), INITIAL + STEPS, 2)), mse=rng.uniform(0.01, 0.1, (len(SEEDS), 3)), **extra,
        ))  # fmt: skip
    return results


def timings() -> list[Result]:
    """The running times of Figure 5."""
    rng, factors = np.random.default_rng(14), {"uhe_bo": 0.5, "gp_ucb_map": 0.3, "gp_ucb_mcmc": 5.0}
    return [
        made_up(
            "uhe.fig5_runtime", problem, "all", SEEDS, {"steps": STEPS}, steps=STEPS,
            **{
                f"{unit}seconds_{name}": factor * rng.uniform(0.9, 1.2, len(SEEDS))
                for name, factor in factors.items() for unit in ("", "cpu_")
            },
        )
        for problem in ("deceptive2", "hartmann3")
    ]  # fmt: skip


def estimates() -> StudyResults:
    """`uhe.consistency`: one estimate closes on the truth with n, the other leaves it."""
    rng, found = np.random.default_rng(12), list[Result]()
    for cell in cells("quick"):
        count, dim = cell.options["n"], cell.options["dim"]
        noise = rng.standard_normal((len(cell.seeds), dim + 2))
        found.append(
            made_up(
                cell.study, cell.problem, "", cell.seeds, dict(cell.options), truth=truth(dim),
                iid=truth(dim) * np.exp(noise * 3 / np.sqrt(count)),
                pseudo=truth(dim) * np.exp(0.3 * noise) * (count / 25) ** -0.5,
            )
        )  # fmt: skip
    return results_of("uhe.consistency", found)


def bandits() -> list[Result]:
    """`uhe.exp3`: probabilities that wander about a half."""
    rng, times = np.random.default_rng(15), np.arange(6, STEPS + 1, 10)
    return [
        made_up(
            "uhe.exp3", problem, "uhe_bo", SEEDS, {"steps": STEPS}, t=times,
            random_probability=(0.5 + 0.05 * rng.normal(size=(len(SEEDS), len(times))).cumsum(axis=1)),
        )
        for problem in PROBLEMS["quick"]
    ]  # fmt: skip


STUDIES: Studies = {
    "uhe.fig1": lambda: results_of("uhe.fig1", posteriors()),
    "uhe.fig2": lambda: results_of("uhe.fig2", runs("uhe.fig2", METHODS)),
    "uhe.fig3": lambda: results_of("uhe.fig3", pictures()),
    "uhe.fig5": lambda: results_of("uhe.fig5", runs("uhe.fig5", ABLATIONS)),
    "uhe.exp3": lambda: results_of("uhe.exp3", bandits()),
    "uhe.fig5_runtime": lambda: results_of("uhe.fig5_runtime", timings()),
    "uhe.consistency": estimates,
}
