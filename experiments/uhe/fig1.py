"""Figure 1: the information of data of Bayesian optimisation, and of i.i.d. data, on a hyperparameter in one dimension.

The paper shows "a synthetic 1-dim function" and "a GP hyperparameter" without naming either. Here the functions are
sample paths of a Matern-5/2 process whose lengthscale is known, one path a seed, so that there is a truth to compare
with, and the hyperparameter is that lengthscale. GP-UCB with MAP estimates makes one data set, uniform points make
another of the same size. The posterior density of the logarithm of the lengthscale is exact on a grid: without noise
the variance integrates out in closed form.
"""

from collections import defaultdict
from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from core import policies
from core.designs import seed_keys
from core.models.kernels import STATIONARY
from core.simulate import simulate
from experiments import problems
from experiments.engine.study import Cell, Study

__all__ = ["KINDS", "LENGTHSCALE", "LENGTHSCALES", "STUDY", "log_lengthscale_density", "run"]

LENGTHSCALE = 0.1
"""The lengthscale of the paths, in the unit of the box; their variance is 1."""
KERNEL = "matern52"
INITIAL_SIZE = 3
POINTS = 15
"""The number of observations in either data set."""

KINDS = ("optimisation", "iid")
LENGTHSCALES = np.geomspace(0.01, 3.0, 401)
"""The grid of lengthscales, whose ends are the box of the flat prior of the logarithm."""

NUGGET = 1e-8
"""The share of the prior variance added to the diagonal, because queries of Bayesian optimisation nearly coincide."""

SEEDS: Mapping[str, int] = {"smoke": 2, "quick": 10, "paper": 200}
DRAWN = 4
"""The number of seeds whose functions are stored."""
FUNCTION_GRID = np.linspace(0.0, 1.0, 401)


def log_lengthscale_density(x: Float[np.ndarray, " n"], y: Float[np.ndarray, " n"]) -> Float[np.ndarray, " G"]:
    """Posterior density of log l at `LENGTHSCALES`, flat priors on log l (in the box) and log v; no noise.

    ``p(log l | y) ∝ |R|^(-1/2) (y' R^-1 y)^(-n/2)``, R the correlations at lengthscale l plus the nugget: the integral
    of ``N(y; 0, v R)`` over log v. Normalised by the trapezoidal rule.
    """
    profile = STATIONARY[KERNEL].profile
    squares = (x[:, None] - x[None, :]) ** 2
    scaled = squares[None] / LENGTHSCALES[:, None, None] ** 2
    correlations = np.asarray(jax.vmap(profile)(jnp.asarray(scaled.ravel()))).reshape(scaled.shape)
    factors = np.linalg.cholesky(correlations + NUGGET * np.eye(len(x)))
    whitened = np.linalg.solve(factors, np.broadcast_to(y[:, None], (len(factors), len(y), 1)))[..., 0]
    half_log_determinant = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
    logarithm = -half_log_determinant - 0.5 * len(y) * np.log((whitened**2).sum(axis=1))
    density = np.exp(logarithm - logarithm.max())
    normalised: np.ndarray = density / np.trapezoid(density, np.log(LENGTHSCALES))
    return normalised


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays, for both kinds of data: `x_<kind>`, `y_<kind>` (s,n), the queries in their order; `density_<kind>` (s,G)
    of log l in single precision; `map_<kind>` (s,), the lengthscale of largest density. Shared: `lengthscale` (G,),
    `grid` (F,), `function` (4,F) of the first seeds, `true_lengthscale`, `initial_size` ().
    """
    policy = policies.make(cell.policy, 1)
    found: defaultdict[str, list[np.ndarray]] = defaultdict(list)
    functions: list[np.ndarray] = []
    for seed in cell.seeds:
        problem = problems.get(cell.problem, seed=seed, kernel=KERNEL, lengthscale=LENGTHSCALE)
        value = jax.jit(jax.vmap(problem.value))
        keys = seed_keys((seed,))
        path = simulate(policy, problem, keys, POINTS, initial_size=INITIAL_SIZE, design="uniform")
        uniform = jax.random.uniform(jax.random.fold_in(keys[0], 1), (POINTS, 1))
        for kind, x, y in zip(KINDS, (path.x[0], uniform), (path.value[0], value(uniform)), strict=True):
            found[f"x_{kind}"].append(np.asarray(x)[:, 0])
            found[f"y_{kind}"].append(np.asarray(y))
            found[f"density_{kind}"].append(log_lengthscale_density(np.asarray(x)[:, 0], np.asarray(y)))
        if len(functions) < DRAWN:
            functions.append(np.asarray(value(jnp.asarray(FUNCTION_GRID)[:, None])))
    arrays = {name: np.stack(values) for name, values in found.items()}
    for kind in KINDS:
        arrays[f"map_{kind}"] = LENGTHSCALES[arrays[f"density_{kind}"].argmax(axis=1)]
        arrays[f"density_{kind}"] = arrays[f"density_{kind}"].astype(np.float32)
    return {
        **arrays,
        "lengthscale": LENGTHSCALES,
        "grid": FUNCTION_GRID,
        "function": np.stack(functions),
        "true_lengthscale": np.asarray(LENGTHSCALE),
        "initial_size": np.asarray(INITIAL_SIZE),
    }


STUDY = Study(
    __name__,
    title="A lengthscale's posterior from data of Bayesian optimisation and from i.i.d. data",
    caption="Data of one run of GP-UCB, and the posterior of the lengthscale from them and from as many i.i.d. points.",
    cells=lambda scale: [Cell("gp_sample1", "gp_ucb_map", tuple(range(SEEDS[scale])))],
    run=run,
)
