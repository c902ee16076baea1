"""Figure 5 (appendix B): the sample paths, and their kernel matrix with the noise variances on its diagonal."""

import jax
import jax.numpy as jnp
import numpy as np

from core.models.gaussian_process import gram_matrix
from core.models.kernels import squared_exponential
from experiments.cei.fig6 import NOISE_SD, PROBLEM, WIDTHS
from experiments.engine.study import Cell, Study
from experiments.problems.nearest_sample import LENGTHSCALE, sample_values

PATHS = 30
DRAWN = 400
"""The number of values of a path, of 4000, that are stored for drawing."""

MATRIX = 120
"""The number of rows of the kernel matrix that are drawn."""


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `grid` (400,), `paths` (30, 400); `matrix_grid` (120,), `matrix` (120, 120)."""
    width = float(cell.options["width"])
    paths = [sample_values(seed, width) for seed in cell.seeds]
    rows = np.linspace(0, len(paths[0]) - 1, DRAWN).round().astype(int)
    points = jnp.linspace(0.0, width, MATRIX)
    covariance = jax.jit(gram_matrix, static_argnums=0)(
        squared_exponential, points[:, None], points[:, None], jnp.asarray([LENGTHSCALE]), jnp.ones(())
    )
    return {
        "grid": width * rows / (len(paths[0]) - 1),
        "paths": np.stack(paths)[:, rows],
        "matrix_grid": np.asarray(points),
        "matrix": np.asarray(covariance) + NOISE_SD**2 * np.eye(MATRIX),
    }


STUDY = Study(
    __name__,
    title="Sample paths and their kernel matrix",
    caption="Thirty sample paths of the squared-exponential kernel, and their covariance matrix.",
    cells=lambda scale: [Cell(PROBLEM, "sample_paths", tuple(range(PATHS)), {"width": width}) for width in WIDTHS],
    run=run,
)
