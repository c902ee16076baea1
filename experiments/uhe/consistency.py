"""Maximum-likelihood estimates of hyperparameters as i.i.d. data grow, from the data and from pseudo-data.

Assumption 6.3 and Theorem 6.5 of Paper D, the hypothesis and the claim behind its method. A sample path of a GP with
known hyperparameters is observed with noise at n i.i.d. uniform points of the unit cube. Two estimates from these same
data: the maximum of the likelihood of the data, and that of the likelihood of M = 2 n pseudo-data, D (2). Both are
searched in a box far wider than that of the policies, without a prior, from the truth among other starts; outputs are
not standardised. Data all of which are i.i.d. are the best case of Theorem 6.5: half of RA-BO's are.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PRNGKeyArray

from core.designs import seed_keys
from core.models.pseudo_data import pseudo_data
from core.types import Observations
from experiments.engine.study import Cell, Study, blocks
from experiments.uhe.likelihood import PROFILES, maximum_likelihood

KERNELS = ("squared_exponential", "matern52")
LENGTHSCALE, VARIANCE, NOISE_VARIANCE = 0.2, 1.0, 0.01
"""The true hyperparameters, the same in every coordinate; the noise is a tenth of the prior's deviation."""
LENGTHSCALES, VARIANCES, NOISE_VARIANCES = (1e-3, 1e2), (1e-4, 1e4), (1e-8, 1e2)
"""The box, which is so wide that an estimate at one of its ends is far from the truth."""
COUNTS: dict[str, dict[int, tuple[int, ...]]] = {
    "smoke": {1: (10, 20)},
    "quick": {1: (25, 50, 100, 200), 2: (25, 50, 100, 200)},
    "paper": {1: (25, 50, 100, 200, 400), 2: (25, 50, 100, 200, 400)},
}
"""The numbers n by dimension, at each scale. For n = 800 the estimates from 1,600 pseudo-data take over ten
core-minutes a cell of twenty seeds, and n = 400 decides the claims; n = 1,600 takes eight times as long. n = 400 took
four fifths of the time of scale quick, which stops at 200 and judges no claim."""
SEEDS = {"smoke": 3, "quick": 6, "paper": 20}
BLOCK = 20
"""The largest number of seeds of a cell."""
FIRST_SEED = 100
"""The first seed. Smaller seeds served the trial runs that the rules of `theory_checks.uhe.consistency`
are based on."""
SMOOTHNESS = {"matern52": 2.5}
"""nu by kernel; variance / l^(2 nu) is the microergodic parameter."""


def truth(dim: int) -> np.ndarray:
    """(d + 2,): the lengthscales, the variance and the noise variance of the sample paths."""
    return np.array([LENGTHSCALE] * dim + [VARIANCE, NOISE_VARIANCE])


def draw(key: PRNGKeyArray, kernel: str, count: int, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """n i.i.d. uniform points (n, d) and a sample path observed there, ``y ~ N(0, K + noise I)``, (n,)."""
    points_key, values_key = jax.random.split(key)
    x = np.asarray(jax.random.uniform(points_key, (count, dim)))
    squared = ((x[:, None, :] - x) ** 2).sum(axis=2) / LENGTHSCALE**2
    covariance = VARIANCE * PROFILES[kernel](squared)[0] + NOISE_VARIANCE * np.eye(count)
    return x, np.linalg.cholesky(covariance) @ np.asarray(jax.random.normal(values_key, (count,)))


def estimate(kernel: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Maximum likelihood, (d + 2,), from three starts: the truth; half the spacing of the points as lengthscale and
    little noise, which suits data that are constant in pieces; and a long lengthscale with much noise."""
    dim = x.shape[1]
    box: list[tuple[float, float]] = [LENGTHSCALES] * dim
    box += [VARIANCES, NOISE_VARIANCES]
    rough = [0.5 * len(x) ** (-1 / dim)] * dim + [1.0, 1e-3]
    smooth = [0.5] * dim + [1.0, 0.1]
    return maximum_likelihood(
        kernel, x, y, np.log(box), np.log(np.stack([truth(dim), np.array(rough), np.array(smooth)]))
    )[0]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays, for s seeds: `iid`, `pseudo` (s, d + 2), the estimates of the d lengthscales, the variance and the noise
    variance; `truth` (d + 2,).
    """
    kernel, count, dim = str(cell.options["kernel"]), int(cell.options["n"]), int(cell.options["dim"])
    found: dict[str, list[np.ndarray]] = {"iid": [], "pseudo": []}
    for key in seed_keys(cell.seeds):
        data_key, pseudo_key = jax.random.split(key)
        x, y = draw(data_key, kernel, count, dim)
        copies = pseudo_data(pseudo_key, Observations.of(jnp.asarray(x), jnp.asarray(y)))
        found["iid"].append(estimate(kernel, x, y))
        found["pseudo"].append(estimate(kernel, np.asarray(copies.x), np.asarray(copies.y)))
    return {**{name: np.stack(rows) for name, rows in found.items()}, "truth": truth(dim)}


def log_ratios(kernel: str, estimate: np.ndarray) -> dict[str, np.ndarray]:
    """Parameter -> (s,) natural logarithm of estimate over truth, of estimates (s, d + 2).

    "lengthscale" is the geometric mean over the coordinates; "microergodic", where the kernel has it, is
    ``variance / l^(2 nu)`` with that mean, a function of the parameters that nested i.i.d. data do identify.
    """
    lengthscale = np.log(estimate[:, :-2] / LENGTHSCALE).mean(axis=1)
    variance = np.log(estimate[:, -2] / VARIANCE)
    found = {
        "lengthscale": lengthscale,
        "variance": variance,
        "noise": np.log(estimate[:, -1] / NOISE_VARIANCE),
    }
    if kernel in SMOOTHNESS:
        found["microergodic"] = variance - 2 * SMOOTHNESS[kernel] * lengthscale
    return found


def cells(scale: str) -> list[Cell]:
    """Kernel by dimension by n."""
    return [
        Cell(
            f"{kernel}_{dim}d",
            "",
            block,
            {"kernel": kernel, "dim": dim, "n": count},
        )
        for kernel in KERNELS
        for dim, counts in COUNTS[scale].items()
        for count in counts
        for block in blocks(range(FIRST_SEED, FIRST_SEED + SEEDS[scale]), BLOCK)
    ]


STUDY = Study(
    __name__,
    title="Estimates against the number of i.i.d. data",
    caption="Maximum-likelihood estimates of the hyperparameters of a sample path, from i.i.d. data and from the "
    "pseudo-data of D (2) made of them, against the number of data.",
    cells=cells,
    run=run,
)
