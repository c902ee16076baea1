"""Constants of BOKE and BOKE+ on the sprinkler, one at a time: does any value change the order of Figure 8?

Figure 8's reading fails with the constants of all other figures, and the paper gives none. Nothing is chosen from this
sweep; it says whether the failure hangs on our values. Runs are Figure 8's: same starts, seeds and budget. It runs by
its own name only.
"""

import numpy as np

from core.policies import constants as chosen
from experiments.boke import sensitivity
from experiments.boke.fig8 import BUDGETS, PROBLEM, SEEDS
from experiments.study import Cell, Study

__all__ = ["STUDY", "VALUES", "run"]

BANDWIDTHS = tuple(chosen.BANDWIDTH * factor for factor in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0))
NOISE_SCALES = tuple(chosen.NOISE_SCALE * factor for factor in (0.01, 0.1, 0.3, 1.0, 3.0))

VALUES = {
    "boke": {"bandwidth": BANDWIDTHS, "noise_scale": NOISE_SCALES},
    "boke_plus": {
        "bandwidth": BANDWIDTHS,
        "noise_scale": NOISE_SCALES,
        "exploration_probability": (0.1, 0.25, chosen.EXPLORATION_PROBABILITY, 0.75),
    },
}
"""Fixed before the first run: the bandwidth to both sides, the noise scale (that of the bonus) mostly downwards."""


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `simple_regret` (s,T), `initial_size` (), `range` ()."""
    return sensitivity.run(cell)


def cells(scale: str) -> list[Cell]:
    """One cell a value of a constant; at smoke scale two values of one."""
    swept = {"boke": {"bandwidth": BANDWIDTHS[2:4]}} if scale == "smoke" else VALUES
    return [
        Cell(
            "boke.fig8_constants",
            PROBLEM,
            policy,
            tuple(range(SEEDS[scale])),
            scale,
            {
                "problem": PROBLEM,
                "noise_fraction": 0.0,
                "constant": constant,
                "value": value,
                "budget": BUDGETS[scale],
            },
        )
        for policy, by_constant in swept.items()
        for constant, values in by_constant.items()
        for value in values
    ]


STUDY = Study(
    id="boke.fig8_constants",
    title="Constants of BOKE and BOKE+ on the garden sprinkler",
    paper="boke",
    caption="Final simple regret on the garden sprinkler against constants of BOKE and BOKE+, one at a time.",
    cells=cells,
    run=run,
    default=False,
)
