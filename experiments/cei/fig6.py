"""Figure 6 (appendix B): EI and corrected EI on sample paths, both stopped by the same kappa.

Paths of the squared-exponential kernel with length scale 3 and amplitude 1 at 4000 points, continued as step functions
(`experiments.problems.nearest_sample`), noise of standard deviation 0.16, the kernel known to the method. kappa is 1 %
of the largest minus the smallest value over five paths, which are not among those compared.

Compared is f(x_t), as printed: the value at the proposal whose acquisition first falls below kappa; beside it f(x+_t),
the value at the incumbent then, which a user would keep. A run that never stops counts with its last step.

The paper gives neither the domain nor the initial design: we take [0, 10] and [0, 30] (3.3 and 10 length scales), and
three scrambled Sobol points (3d, as in its section 5.1). It compares 30 paths; we take more where time allows.
"""

import numpy as np

from core.designs import seed_keys
from core.simulate import simulate
from core.stopping import stopping_time
from experiments import problems
from experiments.cei.known_kernel import ACQUISITIONS, KnownKernel
from experiments.engine.study import Cell, Study
from experiments.problems.nearest_sample import LENGTHSCALE, sample_values
from experiments.problems.noise import GaussianNoise

NOISE_SD = 0.16
INITIAL_SIZE = 3
WIDTHS = (10.0, 30.0)
"""The lengths of the domain; readings use the first."""

KAPPA_FRACTION = 0.01
PILOT_PATHS = tuple(range(1_000_000, 1_000_005))
"""The seeds of the five paths that determine kappa."""

PATHS = {"smoke": 4, "quick": 30, "paper": 500}
STEPS = {"smoke": 8, "quick": 25, "paper": 60}
"""The largest number of proposals."""

PROBLEM = "nearest_sample"


def kappa(width: float) -> float:
    """1 % of the largest minus the smallest value over the pilot paths."""
    return KAPPA_FRACTION * float(np.ptp(np.stack([sample_values(seed, width) for seed in PILOT_PATHS])))


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays, for r paths and K proposals: `steps` (r,), the proposals made when the run stops (K if it never does);
    `stopped` (r,); `value_at_stop`, `incumbent_value_at_stop` (r,), noise-free; `acquisition` (r,K); `optimum`, `range`
    (r,); `kappa` ().
    """
    width, budget = float(cell.options["width"]), int(cell.options["steps"])
    policy = KnownKernel(1, acquisition=cell.policy, lengthscale=LENGTHSCALE / width)
    threshold = kappa(width)
    rows = []
    for seed in cell.seeds:
        problem = problems.get(PROBLEM, noise=GaussianNoise(NOISE_SD), seed=seed, width=width)
        trajectory = simulate(
            policy, problem, seed_keys([seed]), INITIAL_SIZE + budget,
            initial_size=INITIAL_SIZE, design="sobol", known_noise=True,
        )  # fmt: skip
        acquisition, value = np.asarray(trajectory.info["acquisition"])[0], np.asarray(trajectory.value)[0]
        steps = int(stopping_time(trajectory.info["acquisition"][0], threshold))
        last = min(steps, budget - 1)
        rows.append(
            {
                "steps": steps,
                "stopped": steps < budget,
                "value_at_stop": value[INITIAL_SIZE + last],
                "incumbent_value_at_stop": value[int(trajectory.info["incumbent"][0, last])],
                "acquisition": acquisition.astype(np.float32),
                "optimum": float(problem.optimum),
                "range": float(problem.range),
            }
        )
    return {**{name: np.asarray([row[name] for row in rows]) for name in rows[0]}, "kappa": np.asarray(threshold)}


STUDY = Study(
    __name__,
    title="EI and corrected EI on sample paths, stopped by the same threshold",
    caption="f(x_t) when the acquisition first falls below kappa, EI against corrected EI, one point a sample path.",
    cells=lambda scale: [
        Cell(PROBLEM, policy, tuple(range(PATHS[scale])), {"width": width, "steps": STEPS[scale]})
        for width in WIDTHS
        for policy in ACQUISITIONS
    ],
    run=run,
)
