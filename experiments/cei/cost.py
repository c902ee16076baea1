"""The cost comparison of section 5.1: seconds per proposal of every acquisition, side by side.

The paper says that analytic acquisitions are considerably less expensive than Monte-Carlo ones and gives no numbers. A
proposal is the work after the model is fitted: conditioning, the preparation of the acquisition (fantasies, joint
samples) and its maximisation, with the same search effort for all methods. The fit of the hyperparameters, which is the
same for all, is timed apart. CPU seconds of compiled code after a first run; in each repetition all methods are timed
one after the other on the same data, in an order that changes, so that what slows the machine down slows all of them.

The two Monte-Carlo methods are timed in two implementations, since the paper says nothing of its own: that of `core`,
in which models and samples share one factor, and the plain one of `experiments.cei.separate_models`.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from core import policies
from core.types import Observations
from experiments.cei.benchmarks import METHODS, OPTIONS
from experiments.cei.separate_models import JointQNei, SeparateNoisyEi
from experiments.engine.study import Cell, Study

__all__ = ["FIT", "SEPARATE", "STUDY", "run"]

FIT = "fit"
"""Label of the refit of the hyperparameters, in the place of a method."""

SEPARATE: Mapping[str, Callable[..., policies.Policy]] = {
    "noisy_ei_separate": SeparateNoisyEi,
    "qnei_separate": JointQNei,
}
"""The methods whose models and samples share no factor. Without their ending the names are those of the same methods in
`core`."""

COUNTS: Mapping[str, Mapping[int, tuple[int, ...]]] = {
    "smoke": {3: (16,)},
    "quick": {3: (32,), 6: (64,)},
    "paper": dict.fromkeys((3, 6), (32, 128, 256)),
}
"""Numbers of observations by dimension."""

REPETITIONS = {"smoke": 2, "quick": 8, "paper": 16}
NOISE_SD = 0.3


@eqx.filter_jit
def _propose(policy: policies.Policy, key: Array, state: Any, observations: Observations) -> Array:
    return policy.propose(key, state, observations)[0]


@eqx.filter_jit
def _fit(policy: policies.Policy, state: Any, observations: Observations) -> Any:
    return policy.update(state, observations)


def data(seed: int, count: int, dim: int) -> Observations:
    """A smooth function of uniform points with heteroscedastic noise of known variance."""
    rng = np.random.default_rng([seed, count, dim])
    x, sd = rng.random((count, dim)), NOISE_SD * rng.uniform(0.5, 1.5, count)
    y = np.sin(3.0 * x @ np.linspace(1.0, 2.0, dim)) + sd * rng.normal(size=count)
    return Observations.of(jnp.asarray(x), jnp.asarray(y), noise_variance=jnp.asarray(sd**2))


def _seconds(function: Any, *arguments: Any) -> float:
    start = time.process_time()
    jax.block_until_ready(eqx.filter(function(*arguments), eqx.is_array))
    return time.process_time() - start


def timings(cell: Cell, count: int) -> dict[str, list[float]]:
    """CPU seconds of every method, and of the refit, one number a repetition, at t = count."""
    dim = int(cell.options["dim"])
    made = {name: policies.make(name, dim, **OPTIONS.get(name, {})) for name in METHODS}
    made |= {name: policy(dim) for name, policy in SEPARATE.items()}
    fitter = made["ei"]
    found: dict[str, list[float]] = {name: [] for name in (*made, FIT)}
    for repetition, seed in enumerate((cell.seeds[0], *cell.seeds)):  # the first run compiles and is thrown away
        observations, key = data(seed, count, dim), jax.random.key(seed)
        start = fitter.init(key)
        state = _fit(fitter, start, observations)
        order = list(found)
        for name in order[repetition % len(order) :] + order[: repetition % len(order)]:
            if name == FIT:
                seconds = _seconds(_fit, fitter, start, observations)
            else:
                seconds = _seconds(_propose, made[name], key, state, observations)
            if repetition:
                found[name].append(seconds)
    return found


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `t` (k,) and, for every method and "fit", `seconds_<name>` (repetitions, k)."""
    counts = COUNTS[cell.scale][int(cell.options["dim"])]
    found = [timings(cell, count) for count in counts]
    return {
        "t": np.asarray(counts),
        **{f"seconds_{name}": np.asarray([each[name] for each in found]).T for name in found[0]},
    }


STUDY = Study(
    __name__,
    title="Seconds per proposal of every acquisition",
    caption=(
        "CPU seconds per proposal of the seven acquisitions, of two of them without a shared factor, and of the refit, "
        "timed side by side in one process."
    ),
    cells=lambda scale: [
        Cell(f"d{dim}", "all", tuple(range(REPETITIONS[scale])), {"dim": dim}) for dim in COUNTS[scale]
    ],
    run=run,
)
