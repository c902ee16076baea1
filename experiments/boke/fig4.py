"""Figure 4: IKR-UCB on function A (9), five noisy points and the choice of the sixth; also the pictures of Figure 5.

The five points are a Latin hypercube with noise N(0, 0.01), as in Figure 1. Bandwidth, β_t and the standardisation of
the outputs are the policy's own (`docs/constants/boke.md`); everything stored is converted back to the unit of y.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core import policies
from core.acquisition.boke import regression_and_bonus
from core.designs import seed_keys
from core.models.transform import standardize
from core.simulate import simulate
from experiments import problems
from experiments.engine.study import Cell, Study
from experiments.problems.noise import GaussianNoise

INITIAL_SIZE = 5
ITERATIONS = 8
NOISE_VARIANCE = 0.01
EVALUATION_GRID = np.linspace(0.0, 1.0, 501)
SEEDS = {"smoke": 2, "quick": 10, "paper": 30}


def snapshot(
    x: Float[Array, "n 1"],
    y: Float[Array, " n"],
    count: Array,
    bandwidth: Float[Array, ""],
    beta: Float[Array, ""],
    explore: Float[Array, ""],
) -> dict[str, Array]:
    """Surrogate mean m_t, bonus √β_t σ̂_t and acquisition on the grid, in the unit of y, given the first `count`
    points.

    A (14) is maximised on standardised outputs z = (y − ȳ)/s. Kernel regression commutes with that map, so in the
    unit of y the mean is m_t(y), the bonus s √β_t σ̂_t, and the acquisition their sum (`explore` = 1) or m_t alone (0).
    The bonus, and with `explore` = 1 the acquisition, is +∞ where W_t underflows to 0.
    """
    mask = jnp.arange(x.shape[0]) < count
    z, centre, scale = standardize(y, mask)

    def at(point: Float[Array, "1"]) -> tuple[Array, Array]:
        return regression_and_bonus(point, x, z, bandwidth, mask=mask)

    mean, bonus = jax.vmap(at)(jnp.asarray(EVALUATION_GRID)[:, None])
    mean, bonus = centre + scale * mean, scale * jnp.sqrt(beta) * bonus
    return {"mean": mean, "bonus": bonus, "acquisition": jnp.where(explore > 0.0, mean + bonus, mean)}


def illustrate(cell: Cell) -> dict[str, np.ndarray]:
    """Run the cell's policy on function A (9) and photograph every iteration.

    Arrays: all points `x`, `y` and the noise-free `value (s,T)`; per iteration `bandwidth`, `beta`, `explore (s,K)` and
    `mean`, `bonus`, `acquisition (s,K,G)`; shared `grid`, `truth (G,)`, `initial_size ()`. T = 5 + K; iteration k sees
    the first 5 + k points and chooses the next.
    """
    objective = problems.get(cell.problem, noise=GaussianNoise(NOISE_VARIANCE**0.5))
    policy = policies.make(cell.policy, 1)
    run = simulate(policy, objective, seed_keys(cell.seeds), INITIAL_SIZE + ITERATIONS, initial_size=INITIAL_SIZE)
    info = {name: run.info[name] for name in ("bandwidth", "beta", "explore")}
    counts = INITIAL_SIZE + jnp.arange(ITERATIONS)
    over_steps = jax.vmap(snapshot, in_axes=(None, None, 0, 0, 0, 0))
    over_seeds = jax.jit(jax.vmap(over_steps, in_axes=(0, 0, None, 0, 0, 0)))
    pictures = over_seeds(run.x, run.y, counts, info["bandwidth"], info["beta"], info["explore"])
    truth = jax.vmap(objective.value)(jnp.asarray(EVALUATION_GRID)[:, None])
    stored = {"x": run.x[:, :, 0], "y": run.y, "value": run.value, "truth": truth, **info, **pictures}
    arrays = {name: np.asarray(array) for name, array in stored.items()}
    return {**arrays, "grid": EVALUATION_GRID, "initial_size": np.asarray(INITIAL_SIZE)}


def run(cell: Cell) -> dict[str, np.ndarray]:
    """The first iteration of `illustrate`: six points, and one picture a seed."""
    arrays = illustrate(cell)
    points = {name: arrays[name][:, : INITIAL_SIZE + 1] for name in ("x", "y", "value")}
    steps = ("bandwidth", "beta", "explore", "mean", "bonus", "acquisition")
    return {**arrays, **points, **{name: arrays[name][:, 0] for name in steps}}


STUDY = Study(
    __name__,
    title="The IKR-UCB acquisition function",
    caption="IKR-UCB on function A (9): five noisy points, the acquisition function, and the sixth point it chooses.",
    cells=lambda scale: [Cell("eq9", "boke", tuple(range(SEEDS[scale])))],
    run=run,
)
