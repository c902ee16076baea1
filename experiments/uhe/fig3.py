"""Figure 3: the queries and the posterior mean on the way, UHE-BO above, MAP below, in two dimensions.

The paper's text names neither the function nor the moments shown: here Deceptive, the first of its problems in which
UHE-BO is to be ahead, at three moments of a run. Problem, budget and initial data are those of Figure 2. The picture
shows the first seed, whatever it looks like; the error of the mean is stored for all.
"""

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.models.hyperparameters import Hyperparameters
from core.types import Observations
from experiments import problems
from experiments.engine.study import Cell, Study
from experiments.uhe.benchmarks import POINTS, STEPS, arrays, watched_run
from experiments.uhe.prediction import predict

__all__ = ["METHODS", "SIDE", "STUDY", "run"]

PROBLEM = "deceptive2"
METHODS = ("uhe_bo", "gp_ucb_map")
EVERY: Mapping[str, int] = {"smoke": 2, "quick": 12, "paper": 32}
"""The number of evaluations from one moment to the next."""
SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 8, "paper": 20}
SIDE = 61
"""The number of points a side of the grid that is drawn."""


def _grid() -> np.ndarray:
    """(SIDE, SIDE, 2): the first coordinate along the second axis, as pictures are drawn."""
    line = np.linspace(0.0, 1.0, SIDE)
    return np.stack(np.meshgrid(line, line), axis=-1)


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: those of `experiments.uhe.benchmarks.arrays`, and of the first seed `mean` (C,G,G), the posterior mean at
    the moments `t` (C,), in single precision; `truth` (G,G); `line` (G,), the coordinates of the grid.
    """
    problem = problems.get(cell.problem)
    policy, trajectory = watched_run(cell, problem)
    stored = {name: np.asarray(values) for name, values in arrays(problem, trajectory).items()}
    info = {name: np.asarray(values)[0] for name, values in trajectory.info.items()}
    grid = jnp.asarray(_grid().reshape(-1, 2))
    size = trajectory.initial_size

    @jax.jit
    def mean(theta: Hyperparameters, x: Float[Array, "n d"], y: Float[Array, " n"]) -> Float[Array, " m"]:
        return predict(policy.model, theta, Observations.of(x, y), grid)

    means = []
    for count in stored["t"]:
        row = int(count) - size
        theta = Hyperparameters(
            jnp.asarray([info[f"fit_lengthscale_{i}"][row] for i in range(problem.dim)]),
            jnp.asarray(info["fit_variance"][row]),
            jnp.asarray(info["fit_noise_variance"][row]),
        )
        means.append(np.asarray(mean(theta, trajectory.x[0, :count], trajectory.y[0, :count])).reshape(SIDE, SIDE))
    truth = np.asarray(jax.jit(jax.vmap(problem.value))(grid)).reshape(SIDE, SIDE)
    return {
        **stored,
        "mean": np.stack(means).astype(np.float32),
        "truth": truth.astype(np.float32),
        "line": np.linspace(0.0, 1.0, SIDE),
    }


def study_cells(scale: str) -> list[Cell]:
    """The cells at a scale."""
    options = {"steps": STEPS[scale], "every": EVERY[scale], "points": POINTS[scale], "arm": "rate"}
    return [Cell(PROBLEM, method, tuple(range(SEEDS[scale])), options) for method in METHODS]


STUDY = Study(
    __name__,
    title="Queries and posterior mean on Deceptive, UHE-BO and MAP",
    caption="Queries and posterior mean of UHE-BO and of MAP at three moments of a run on Deceptive.",
    cells=study_cells,
    run=run,
)
