"""Figure 8: the garden sprinkler, range against evaluations and against CPU time, 30 seeds.

The runs are those of Figures 6 and 7, without noise: `core.simulate` from a shared Latin hypercube of 2d + 1 = 17
points. They are one compiled program, inside which no clock can be read. So the proposals of the first seeds are made
again one by one, from the data and the keys of the run, and timed: CPU seconds of a compiled call, dispatch included,
after a first call that is not counted. The model itself takes some 20 microseconds an evaluation and is left out.
"""

import time
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core import policies
from core.designs import default_initial_size, seed_keys
from core.policies import Policy
from core.simulate import Trajectory, simulate
from core.types import Observations
from experiments import problems
from experiments.boke.regret import KEPT, regret_arrays
from experiments.engine.study import Cell, Study

__all__ = ["BUDGETS", "POLICIES", "SEEDS", "STUDY", "TIMED_SEEDS", "proposal_seconds", "run"]

PROBLEM = "sprinkler"
BUDGETS = {"smoke": 20, "quick": 100, "paper": 200}
"""Observations in all, the initial design included; the paper gives none."""

SEEDS = {"smoke": 2, "quick": 30, "paper": 30}
TIMED_SEEDS = {"smoke": 2, "quick": 6, "paper": 30}
"""The number of seeds that are timed; the figure shows their average."""

POLICIES = {
    "smoke": ("boke", "gp_ucb"),
    "quick": ("boke", "boke_plus", "kr_ucb", "gp_ucb", "random_search"),
    "paper": ("boke", "boke_plus", "kr_ucb", "gp_ucb", "gp_ucb_refit", "random_search"),
}
"""The paper's four methods; GP-UCB with refitted hyperparameters, at scale paper, and random search are ours."""

SMALLEST_CAPACITY = 64
"""The numbers of rows of a run's arrays: this number, then powers of two, then the budget."""


@eqx.filter_jit
def _first(x: Float[Array, "T d"], y: Float[Array, " T"], count: Int[Array, ""], capacity: int) -> Observations:
    """The first `count` observations at a fixed capacity, as they are inside the run."""
    used = jnp.arange(capacity) < count
    return Observations(
        x=jnp.where(used[:, None], x[:capacity], 0.0),
        context=jnp.zeros((capacity, 0)),
        y=jnp.where(used, y[:capacity], 0.0),
        noise_variance=jnp.zeros((capacity, 0)),
        count=count,
    )


@eqx.filter_jit
def _step(policy: Policy, key: PRNGKeyArray, state: Any, observations: Observations) -> tuple[Array, Any]:
    """The work of a run between two observations: add the last observation, propose the next point."""
    query, state, _ = policy.propose(key, policy.update(state, observations), observations)
    return query, state


def proposal_seconds(
    policy: Policy, key: PRNGKeyArray, x: Float[Array, "T d"], y: Float[Array, " T"], initial_size: int
) -> tuple[Float[np.ndarray, " K"], Float[np.ndarray, "K d"]]:
    """The CPU seconds of the K = T - initial_size proposals of a run of `simulate` with that key, and the queries."""
    init_key, step_key = jax.random.split(jax.random.split(key, 3)[1])
    budget, state = len(y), policy.init(init_key)
    seconds, queries = [], []
    for count in range(initial_size, budget):
        capacity = min(budget, max(SMALLEST_CAPACITY, 2 ** count.bit_length()))
        observations = _first(x, y, jnp.asarray(count), capacity)
        arguments = jax.block_until_ready((jax.random.fold_in(step_key, count), observations))
        start = time.process_time()
        query, state = jax.block_until_ready(_step(policy, arguments[0], state, arguments[1]))
        seconds.append(time.process_time() - start)
        queries.append(np.asarray(query))
    return np.array(seconds), np.array(queries)


def run(cell: Cell) -> dict[str, np.ndarray]:
    """The arrays of `experiments.boke.regret.regret_arrays`, and `seconds` (timed seeds, K), the CPU time of each
    proposal."""
    problem = problems.get(cell.problem)
    policy = policies.make(cell.policy, problem.dim)
    keys, size, budget = seed_keys(cell.seeds), default_initial_size(problem.dim), int(cell.options["budget"])
    trajectory: Trajectory = simulate(policy, problem, keys, budget, initial_size=size)
    arrays = {name: np.asarray(values) for name, values in regret_arrays(problem, trajectory).items()}
    runs = list(zip(keys, trajectory.x, trajectory.y, strict=True))[: int(cell.options["timed_seeds"])]
    proposal_seconds(policy, *runs[0], size)  # this call compiles
    arrays["seconds"] = np.stack([proposal_seconds(policy, *one, size)[0] for one in runs])
    return arrays


def cells(scale: str) -> list[Cell]:
    """One cell a method, all seeds in it."""
    options = {"budget": BUDGETS[scale], "timed_seeds": TIMED_SEEDS[scale]}
    return [Cell(PROBLEM, policy, tuple(range(SEEDS[scale])), options) for policy in POLICIES[scale]]


STUDY = Study(
    __name__,
    title="Garden sprinkler: regret against evaluations and CPU time",
    caption=(
        "Simple regret of the sprinkler's range (8 inputs) against the number of evaluations and against the mean CPU "
        "time of the proposals."
    ),
    cells=cells,
    run=run,
    keep=KEPT,
)
