"""Figure 2: profit against the cost kappa of an evaluation, EI and corrected EI on the sphere under heavy noise.

profit(kappa) = f(x+_{t_kappa}) - kappa t_kappa, B (11), where t_kappa is the first step whose maximised acquisition
falls below kappa. kappa only decides when to stop, so one run a seed serves all kappas. Steps are counted after the
initial design, which costs all methods and kappas the same; a run that never stops counts with its last step.

The paper prints neither the box nor the grid of kappa nor the length of the runs: we take the sphere of
`experiments.problems.sphere`, whose range is 78.6, and kappa from 0.01 to 10 (0.013 to 13 % of it).
"""

import jax
import jax.numpy as jnp
import numpy as np

from core import policies
from core.designs import seed_keys
from core.simulate import simulate
from core.stopping import profit, stopping_time
from experiments import problems
from experiments.cei.benchmarks import initial_size
from experiments.engine.study import Cell, Study
from experiments.problems.noise import GaussianNoise

PROBLEM = "sphere3"
NOISE_SD = 20.0
KAPPAS = np.geomspace(0.01, 10.0, 31)
METHODS = ("corrected_ei", "ei")
STEPS = {"smoke": 3, "quick": 50, "paper": 150}
SEEDS = {"smoke": range(2), "quick": range(15), "paper": range(150, 300)}
"""The seeds at each scale. The paper has 15; a profit higher by 5 takes about 100 at their spread. Seeds 0 to 149 of
scale paper showed that the reading's rule did not fit its question; new seeds judge the rule that replaced it."""


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays, for s seeds, K proposals, m kappas: `kappa` (m,); `steps` (s,m), the proposals made when the run stops (K
    if it never does); `stopped`, `profit` (s,m); `acquisition`, `incumbent_value` (s,K); `optimum`, `range` ().
    """
    problem = problems.get(cell.problem, noise=GaussianNoise(NOISE_SD))
    size, budget = initial_size(problem.dim), int(cell.options["steps"])
    trajectory = simulate(
        policies.make(cell.policy, problem.dim), problem, seed_keys(cell.seeds), size + budget,
        initial_size=size, design="sobol", known_noise=True,
    )  # fmt: skip
    acquisition = np.asarray(trajectory.info["acquisition"])
    incumbent = np.asarray(trajectory.info["incumbent"]).astype(int)
    value = np.take_along_axis(np.asarray(trajectory.value), incumbent, axis=1)
    over_kappas = jax.vmap(stopping_time, in_axes=(None, 0))
    kappas = jnp.asarray(KAPPAS)
    steps = np.asarray(jax.vmap(over_kappas, in_axes=(0, None))(trajectory.info["acquisition"], kappas))
    kept = np.take_along_axis(value, np.minimum(steps, budget - 1), axis=1)
    return {
        "kappa": KAPPAS,
        "steps": steps,
        "stopped": steps < budget,
        "profit": np.asarray(jax.vmap(profit, in_axes=(0, None, 0))(jnp.asarray(kept), kappas, jnp.asarray(steps))),
        "acquisition": acquisition,
        "incumbent_value": value,
        "optimum": np.asarray(problem.optimum),
        "range": np.asarray(problem.range),
    }


STUDY = Study(
    __name__,
    title="Profit against the cost of an evaluation",
    caption="Profit of EI and corrected EI stopped at kappa, against kappa, on the sphere (3D) with noise of sd 20.",
    cells=lambda scale: [Cell(PROBLEM, method, tuple(SEEDS[scale]), {"steps": STEPS[scale]}) for method in METHODS],
    run=run,
)
