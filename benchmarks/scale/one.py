"""One method at one number of data, in a process of its own: `python -m benchmarks.scale.one METHOD COUNT` prints JSON.

The call does what a user waits for at that point of a run: it conditions the model and searches the acquisition.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.streaming.memory import peak_growth_mib

__all__ = ["DIM", "METHODS", "RAW", "STARTS", "data"]

DIM = 3
RAW, STARTS = 256, 4
"""The search of every method: candidates scored, and refined."""
STEPS = 20
LENGTHSCALE, NOISE_VARIANCE, BETA = 0.2, 0.01, 4.0


def data(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of the unit cube, and a wave with noise."""
    draw = np.random.default_rng(count)
    x = draw.random((count, DIM))
    return x, np.sin(6.0 * x[:, 0]) + np.cos(4.0 * x[:, 1]) * x[:, 2] + 0.1 * draw.standard_normal(count)


def _ours(name: str, count: int) -> Callable[[], Any]:
    import core  # noqa: F401 - its settings come before jax is used

    import jax  # isort: skip
    import jax.numpy as jnp  # isort: skip

    from core.policies import SearchEffort, make
    from core.types import Observations

    policy = make(name, DIM, effort=SearchEffort.of(DIM, RAW, starts=STARTS, max_steps=STEPS))
    x, y = (jnp.asarray(part) for part in data(count))
    observations = Observations.of(x, y, capacity=count)

    @jax.jit
    def propose(observed: Observations) -> Any:
        state = policy.update(policy.init(jax.random.key(0)), observed)
        return policy.propose(jax.random.key(1), state, observed)[0]

    return lambda: jax.block_until_ready(propose(observations))


def _peer(count: int) -> Callable[[], Any]:
    from benchmarks.proposal.peer import Constants, best_of_acquisition

    x, y = data(count)
    z = (y - y.mean()) / y.std()
    constants = Constants(LENGTHSCALE, NOISE_VARIANCE, BETA)
    return lambda: best_of_acquisition(x, z, constants, starts=STARTS, raw_candidates=RAW, seed=0)


METHODS: dict[str, Callable[[int], Callable[[], Any]]] = {
    "boke": lambda count: _ours("boke", count),
    "gp_ucb": lambda count: _ours("gp_ucb", count),
    "botorch": _peer,
}


def _measure(method: str, count: int) -> dict[str, Any]:
    """The first call (with compilation, where there is one), the better of the next ones, and memory of a call."""
    call = METHODS[method](count)
    start = time.perf_counter()
    memory = peak_growth_mib(call)
    first = time.perf_counter() - start
    seconds, processor = list[float](), list[float]()
    while not seconds or (len(seconds) < 3 and sum(seconds) < 2.0):
        start, spent = time.perf_counter(), time.process_time()
        call()
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - spent)
    best = {"first_seconds": first, "seconds": min(seconds), "cpu_seconds": min(processor), "memory_mib": memory}
    return {"method": method, "count": count, **best}


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], int(sys.argv[2]))))
