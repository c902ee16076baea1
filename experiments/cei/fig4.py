"""Figure 4: compression of networks, minus (error rate + relative size) observed on 20 to 50 images (B (33)).

Two stand-ins for FC3, smaller than the network of the public code (`experiments.cei.fig4_public`): one on
scikit-learn's digits, always, and one on MNIST where `experiments.data` finds it. VGG-16 and ResNet50 are a study of
their own (`experiments.cei.fig4_convolutional`).

Runs start from uniformly random points, as the paper's do. Every method is told the variance of each observation, which
depends on the number of images and on the point; the rest is as in Figure 3.

Two measures are stored: the noise-free value of x+, the observed point of largest posterior mean, before each proposal;
and the best observation so far, which the paper plots: it is the larger for every lucky draw.
"""

from collections.abc import Mapping

import numpy as np

from core import policies
from core.designs import seed_keys
from core.simulate import simulate
from experiments.cei.benchmarks import COMPARED, METHODS, OPTIONS
from experiments.data import available
from experiments.engine.slim import Kept, best_observed
from experiments.engine.study import Cell, Study
from experiments.workloads.compression import dense
from experiments.workloads.compression.problem import Compression

__all__ = ["INITIAL", "KEPT", "SEEDS", "STEPS", "STUDY", "arrays", "objective", "run"]

INITIAL = {"smoke": 8, "quick": 15, "paper": 30}
"""The number of random initial points; the paper has 30."""
STEPS = {"smoke": 3, "quick": 45, "paper": 270}
"""The number of proposals after the initial points; the paper has 300 iterations in all."""
SEEDS = {"smoke": 2, "quick": 6, "paper": 20}
"""The seeds at each scale; the paper has 10 runs."""
COMPARED_SEEDS = {"smoke": 2, "quick": 6, "paper": 250}
"""The seeds of EI and corrected EI on FC3: 500 pairs on two networks, where a sum lower by 0.02 takes
about 230 pairs."""
KEPT = Kept(unread=("value", "y"), design_only=("x",), derived={"best_observed": best_observed})
"""The parts of the results that are kept; see `experiments.engine.slim`."""
SCALE_METHODS: Mapping[str, tuple[str, ...]] = {"smoke": ("corrected_ei", "ei"), "quick": METHODS, "paper": METHODS}


def problems(scale: str) -> tuple[str, ...]:
    """The networks whose images are on this machine."""
    with_mnist = scale != "smoke" and available("mnist_test.npz")
    return ("fc3_digits", *(["fc3_mnist"] if with_mnist else []))


def objective(problem: str) -> tuple[Compression, float]:
    """The objective of a network, and its largest value."""
    found = dense.compression(problem)
    return found, dense.optimum(found)


def cells(scale: str) -> list[Cell]:
    """One cell a network and method, with all its seeds. Networks vary fastest, because they share a
    compiled program."""
    options = {"initial": INITIAL[scale], "steps": STEPS[scale]}
    return [
        Cell(
            problem,
            method,
            tuple(range((COMPARED_SEEDS if method in COMPARED else SEEDS)[scale])),
            {**options, **OPTIONS.get(method, {})},
        )
        for method in SCALE_METHODS[scale]
        for problem in problems(scale)
    ]


def arrays(objective: Compression, optimum: float, cell: Cell) -> dict[str, np.ndarray]:
    """Arrays of s seeds, T observations and K proposals: `incumbent_value` (s,K), noise-free value of x+ before each
    proposal; `t` (K,), how many observations x+ was chosen from; `y`, `value` (s,T), as observed and noise-free; `x`
    (s,T,d) in single precision; `optimum` (), NaN where not known; `initial_size` ()."""
    policy = policies.make(cell.policy, objective.dim, **OPTIONS.get(cell.policy, {}))
    size = int(cell.options["initial"])
    trajectory = simulate(
        policy,
        objective,
        seed_keys(cell.seeds),
        size + int(cell.options["steps"]),
        initial_size=size,
        design="uniform",
        known_noise=True,
    )
    incumbent = np.asarray(trajectory.info["incumbent"]).astype(int)
    value = np.asarray(trajectory.value)
    return {
        "incumbent_value": np.take_along_axis(value, incumbent, axis=1),
        "t": size + np.arange(incumbent.shape[1]),
        "y": np.asarray(trajectory.y),
        "value": value,
        "x": np.asarray(trajectory.x, np.float32),
        "optimum": np.asarray(optimum),
        "initial_size": np.asarray(size),
    }


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's method on its network; see `arrays`."""
    return arrays(*objective(cell.problem), cell)


STUDY = Study(
    __name__,
    title="Compression of stand-ins for FC3",
    caption="Error rate plus relative size of networks whose layers are replaced by low-rank factors.",
    cells=cells,
    run=run,
    keep=KEPT,
    data=("mnist_test.npz",),
    program=lambda cell: cell.policy,
)
