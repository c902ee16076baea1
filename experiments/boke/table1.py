"""Table 1: measured CPU seconds of preprocessing and inference against the number of observations t.

Preprocessing is the part that depends on the data alone, inference the part for each point (section 3.4):

| method | preprocessing | inference |
|---|---|---|
| BOKE | h_t and beta_t | IKR-UCB A (14) |
| BOKE+ | h_t and beta_t | its exploitation steps, m_t A (16) |
| KR-UCB | A (A4) at every observed point | the density that A (A5) minimises |
| GP-UCB | Cholesky factor, weights | mean and variance: one triangular solve |

The standardisation of the outputs is left out: all methods share it here, and the paper does not have it. Inference is
timed on `CANDIDATES` points together, each method in the way that suits it best: triangular solves with all right-hand
sides at once, kernel sums by `core.models.large_scale` in bounded memory.

A third phase, `proposal`, times whole proposals of the policies (one evaluation of all candidates, eight refinements),
whose number of steps depends on the method. Their data are those of the method's own runs on `RUN_PROBLEM`: how often
KR-UCB widens, which takes far longer than choosing an observed point, is decided by how many distinct points it has.
Its alpha decides it too, and is not printed: `proposal_half` is KR-UCB with alpha = 1/2. A time at t is the mean over
the proposals that were made with t/2 observations or more and fewer than t, in arrays with room for t.

Times are of compiled code after a first run, in CPU seconds of the process, which other processes on the machine
disturb less than the clock on the wall; a repetition uses other data: the same for every method, or another seed.
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
from core.acquisition.boke import beta_continuum
from core.acquisition.gp_ucb import gp_ucb
from core.acquisition.kr_ucb import kr_ucb_scores
from core.designs import default_initial_size, initial_design, seed_keys
from core.models.bandwidth import scott_rate
from core.models.density import bonus_from_log_density
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import squared_exponential
from core.models.large_scale import kernel_regression_and_density
from core.policies.constants import (
    BANDWIDTH,
    DELTA,
    GP_BETA,
    GP_NOISE_SCALE,
    KR_UCB_EXPLORATION,
    LENGTHSCALE,
    NOISE_SCALE,
)
from core.types import Observations
from experiments import problems
from experiments.engine.study import Cell, Study

__all__ = ["CANDIDATES", "STUDY", "run", "timed"]

DIM = 3
CANDIDATES = 256
SHORTEST = 5e-3
"""The least duration of a timing in seconds; short calls are repeated."""

LINEAR = {
    "smoke": (256, 1024, 4096),
    "quick": tuple(4**k for k in range(3, 9)),
    "paper": tuple(4**k for k in range(3, 11)),
}
QUADRATIC = {
    "smoke": (128, 256, 512),
    "quick": tuple(2**k for k in range(6, 12)),
    "paper": tuple(2**k for k in range(6, 13)),
}
CUBIC = {
    "smoke": (128, 256, 512),
    "quick": tuple(2**k for k in range(6, 12)),
    "paper": tuple(2**k for k in range(6, 13)),
}
"""The numbers of observations by the order of the cost; the largest exceed the caches."""

PROPOSAL = {"quick": (16, 32, 64, 128), "paper": (16, 32, 64, 128, 256)}
REPETITIONS = {"smoke": 2, "quick": 4, "paper": 20}
PROPOSAL_REPETITIONS = {"quick": 6, "paper": 60}
POLICIES = ("boke", "boke_plus", "kr_ucb", "gp_ucb")
RUN_PROBLEM = "hartmann3"
WIDENINGS: Mapping[str, Mapping[str, float]] = {"proposal": {}, "proposal_half": {"widening": 0.5}}
"""The phases of whole proposals, and the policy's constants that differ from the defaults."""

Timed = Callable[..., Any]


def _bandwidth(count: Array | int) -> Array:
    """The bandwidth rule in use, which does not depend on the data."""
    return BANDWIDTH * DIM * scott_rate(count, DIM)


def _constants(count: Array) -> tuple[Array, Array]:
    """BOKE's preprocessing: h_t and beta_t."""
    return _bandwidth(count), beta_continuum(count, NOISE_SCALE, DELTA)


def _kernel_sums(formula: Callable[..., Array]) -> Timed:
    """`formula(mean, log_w, beta)` of m_t and log W_t at all candidates."""

    def evaluate(candidates: Array, x: Array, y: Array) -> Array:
        h, beta = _constants(jnp.asarray(x.shape[0]))
        return formula(*kernel_regression_and_density(candidates, x, y, h), beta)

    return evaluate


def _ikr_ucb(mean: Array, log_w: Array, beta: Array) -> Array:
    """A (14) from its two parts."""
    return mean + jnp.sqrt(beta) * jax.vmap(bonus_from_log_density)(log_w)


def _process(x: Array, y: Array) -> GaussianProcess:
    return GaussianProcess.fit(x, y, squared_exponential, jnp.full(DIM, LENGTHSCALE), 1.0, GP_NOISE_SCALE**2)


PREPROCESSING: Mapping[str, Timed] = {
    "boke": lambda count, x, y: _constants(count),
    "boke_plus": lambda count, x, y: _constants(count),
    "kr_ucb": lambda count, x, y: kr_ucb_scores(x, y, _bandwidth(count), KR_UCB_EXPLORATION),
    "gp_ucb": lambda count, x, y: _process(x, y),
}
"""Functions of the number t and the data x (t, d), y (t,)."""

INFERENCE: Mapping[str, Timed] = {
    "boke": _kernel_sums(_ikr_ucb),
    "boke_plus": _kernel_sums(lambda mean, log_w, beta: mean),
    "kr_ucb": _kernel_sums(lambda mean, log_w, beta: -log_w),
    "gp_ucb": lambda candidates, process: jax.vmap(lambda point: gp_ucb(point, process, GP_BETA))(candidates),
}
"""Functions of the candidates (m, d) and of the data, or, for GP-UCB, of the output of preprocessing."""


def timed(function: Timed, *arguments: Any) -> float:
    """CPU seconds of one call, already compiled: the mean over as many calls in a row as take `SHORTEST` together."""
    calls = 0
    start = time.process_time()
    while True:
        jax.block_until_ready(eqx.filter(function(*arguments), eqx.is_array))
        calls += 1
        elapsed = time.process_time() - start
        if elapsed >= SHORTEST:
            return elapsed / calls


def _data(seed: int, count: int) -> tuple[Array, Array, Array]:
    """Candidates (m, d), data x (t, d), y (t,), uniform in the cube and standard normal."""
    rng = np.random.default_rng([seed, count])
    return tuple(
        jnp.asarray(a) for a in (rng.random((CANDIDATES, DIM)), rng.random((count, DIM)), rng.normal(size=count))
    )  # type: ignore[return-value]


def _seconds(cell: Cell, count: int) -> list[float]:
    """One timing a repetition at t = count."""
    function = eqx.filter_jit(PREPROCESSING[cell.policy] if cell.problem == "preprocessing" else INFERENCE[cell.policy])
    found = []
    for seed in cell.seeds:
        candidates, x, y = _data(seed, count)
        arguments: tuple[Any, ...] = (candidates, x, y)
        if cell.problem == "preprocessing":
            arguments = (jnp.asarray(count), x, y)
        elif cell.policy == "gp_ucb":
            arguments = (candidates, eqx.filter_jit(_process)(x, y))
        jax.block_until_ready(eqx.filter(function(*arguments), eqx.is_array))
        found.append(timed(function, *arguments))
    return found


@eqx.filter_jit
def _propose(policy: policies.Policy, key: Array, state: Any, data: Observations) -> tuple[Array, Any]:
    query, state, _ = policy.propose(key, state, data)
    return query, state


def _proposal_seconds(cell: Cell) -> np.ndarray:
    """Seconds of a proposal (repetitions, k) in the method's own runs, one run a repetition: the mean from t/2 to t."""
    policy, sizes = policies.make(cell.policy, DIM, **WIDENINGS[cell.problem]), counts(cell)
    objective, size = problems.get(RUN_PROBLEM), default_initial_size(DIM)
    value = eqx.filter_jit(objective.value)
    warm: set[int] = set()
    found = np.empty((len(cell.seeds), sizes[-1]))
    for repetition, key in enumerate(seed_keys(cell.seeds)):
        design = initial_design(key, size, DIM)
        data = Observations.of(design, jax.vmap(objective.value)(design), capacity=sizes[0])
        state = policy.update(policy.init(key), data)
        for t in range(size, sizes[-1]):
            capacity = next(each for each in sizes if each > t)
            data = data.grow(capacity)
            arguments = (policy, jax.random.fold_in(key, t), state, data)
            if capacity not in warm:
                warm.add(capacity)
                jax.block_until_ready(_propose(*arguments))
            start = time.process_time()
            query, state = jax.block_until_ready(_propose(*arguments))
            found[repetition, t] = time.process_time() - start
            data = data.append(query, value(query))
            state = policy.update(state, data)
    return np.stack([found[:, max(t // 2, size) : t].mean(axis=1) for t in sizes], axis=1)


def counts(cell: Cell) -> tuple[int, ...]:
    """The numbers of observations that a cell is timed at."""
    if cell.problem in WIDENINGS:
        return PROPOSAL[cell.scale]
    if cell.policy == "gp_ucb":
        return CUBIC[cell.scale]
    return (QUADRATIC if (cell.policy, cell.problem) == ("kr_ucb", "preprocessing") else LINEAR)[cell.scale]


def run(cell: Cell) -> dict[str, np.ndarray]:
    """Arrays: `t` (k,) and `seconds` (repetitions, k): of all candidates together for inference, else of one call."""
    t = counts(cell)
    if cell.problem in WIDENINGS:
        return {"t": np.asarray(t), "seconds": _proposal_seconds(cell)}
    return {"t": np.asarray(t), "seconds": np.asarray([_seconds(cell, count) for count in t]).T}


def cells(scale: str) -> list[Cell]:
    """One cell a phase and method; the "problem" is the phase. Whole proposals are not timed at smoke scale."""
    sizes: dict[str, Mapping[str, int]] = {
        "preprocessing": REPETITIONS,
        "inference": REPETITIONS,
        "proposal": PROPOSAL_REPETITIONS,
        "proposal_half": PROPOSAL_REPETITIONS,
    }
    return [
        Cell(phase, policy, tuple(range(size[scale])), {"dim": DIM, "candidates": CANDIDATES})
        for phase, size in sizes.items()
        if scale in size
        for policy in (POLICIES if phase != "proposal_half" else ("kr_ucb",))
    ]


STUDY = Study(
    __name__,
    title="Time of preprocessing, inference and proposals",
    caption=(
        f"CPU seconds of preprocessing, of inference at {CANDIDATES} points, and of whole proposals, against the "
        "number of observations, d = 3; compiled code on one thread."
    ),
    cells=cells,
    run=run,
)
