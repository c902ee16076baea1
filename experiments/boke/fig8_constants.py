"""Constants of all methods on the sprinkler: does any value change the order of Figure 8?

Figure 8's reading fails with the constants of all other figures, and the paper prints no constants. No value is chosen
from this sweep; it shows whether the failure depends on our values. Runs are Figure 8's: same starts, seeds and budget.
It runs by its own name only.

Constants are varied one at a time around `CALIBRATED`, the values that random functions chose; then, since the smallest
noise scale of that sweep was BOKE's best, the noise scale once more, and further down, at half and at twice that
bandwidth. GP-UCB's bandwidth, no more printed than theirs, was added then, and the constants of KR-UCB last.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.policies import constants as chosen
from experiments.boke import sensitivity
from experiments.boke.fig8 import BUDGETS, PROBLEM, SEEDS
from experiments.boke.regret_constants import CALIBRATED, complete
from experiments.engine.study import Cell, Study

__all__ = ["STUDY", "VALUES", "run", "setting"]

BANDWIDTH, NOISE_SCALE = float(CALIBRATED["bandwidth"]), float(CALIBRATED["noise_scale"])
BANDWIDTHS = tuple(BANDWIDTH * factor for factor in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0))
NOISE_SCALES = tuple(NOISE_SCALE * factor for factor in (0.01, 0.1, 0.3, 1.0, 3.0))

VALUES = {
    "boke": {"bandwidth": BANDWIDTHS, "noise_scale": NOISE_SCALES},
    "boke_plus": {
        "bandwidth": BANDWIDTHS,
        "noise_scale": NOISE_SCALES,
        "exploration_probability": tuple(sorted({0.1, 0.25, 0.5, 0.75, chosen.EXPLORATION_PROBABILITY})),
    },
    "kr_ucb": {
        "bandwidth": BANDWIDTHS,
        "exploration": tuple(chosen.KR_UCB_EXPLORATION * factor for factor in (0.1, 0.3, 3.0)),
    },
    "gp_ucb": {"lengthscale": tuple(chosen.LENGTHSCALE * factor for factor in (0.25, 0.5, 1.0, 2.0, 4.0))},
}
"""Values fixed before the first run: the bandwidth to both sides, the noise scale (of the bonus) mostly downwards."""

TOGETHER = {
    f"noise_scale at bandwidth {bandwidth:g}": (bandwidth, tuple(NOISE_SCALE * f for f in (0.001, 0.01, 0.1)))
    for bandwidth in (0.5 * BANDWIDTH, 2.0 * BANDWIDTH)
}
"""Values fixed after the first sweep and before the second: a name, the bandwidth, and the noise scales
tried with it."""


def setting(policy: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The whole setting of a cell, calibrated values included; for GP-UCB the differences from its own values."""
    name, value = str(options["constant"]).partition(" at bandwidth ")[0], float(options["value"])
    bandwidth = {"bandwidth": float(options["bandwidth"])} if "bandwidth" in options else {}
    return dict(complete(policy, {**bandwidth, name: value}))


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `simple_regret` (s,T), `initial_size` (), `range` ()."""
    return sensitivity.run_with(cell, setting(cell.policy, cell.options))


def _cell(scale: str, policy: str, constant: str, value: float, **more: float) -> Cell:
    swept = {"problem": PROBLEM, "noise_fraction": 0.0, "constant": constant, "value": value}
    options = {**swept, "budget": BUDGETS[scale], **more}
    return Cell(PROBLEM, policy, tuple(range(SEEDS[scale])), options)


def cells(scale: str) -> list[Cell]:
    """One cell a value, or a pair of values; at smoke scale two values of one constant."""
    if scale == "smoke":
        return [_cell(scale, "boke", "bandwidth", value) for value in BANDWIDTHS[2:4]]
    alone = [
        _cell(scale, policy, constant, value)
        for policy, by_constant in VALUES.items()
        for constant, values in by_constant.items()
        for value in values
    ]
    together = [
        _cell(scale, policy, name, value, bandwidth=bandwidth)
        for policy in ("boke", "boke_plus")
        for name, (bandwidth, values) in TOGETHER.items()
        for value in values
    ]
    return [*alone, *together]


STUDY = Study(
    __name__,
    title="Constants of all methods on the garden sprinkler",
    caption="Final simple regret on the garden sprinkler against constants of BOKE, BOKE+, KR-UCB and GP-UCB.",
    cells=cells,
    run=run,
    default=False,
)
