"""Seconds a step of the methods for unknown hyperparameters, side by side with BoTorch.

A step is all that a method does between two evaluations: estimating hyperparameters (by optimisation or by a chain),
conditioning, maximising the acquisition. Ours is one compiled program on one data set. The peer is BoTorch's step of
the same kind on the same data from the same last estimate: for UHE-BO it fits the same pseudo-data.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import peer
from benchmarks.hyperparameters.agreement import agreement
from benchmarks.hyperparameters.peer import Task, step
from benchmarks.settings import SearchSettings
from benchmarks.targets import at_least, at_most
from benchmarks.timing import Report, quartiles, take_turns, timed
from core.designs import seed_keys
from core.models.hyperparameters import Hyperparameters
from core.models.pseudo_data import pseudo_data
from core.models.standardized import standardized
from core.policies import SearchEffort, make
from core.simulate import simulate
from core.types import Observations
from experiments.problems import get

__all__ = ["METHODS", "OPPONENTS", "SETTINGS", "TARGETS", "HyperparameterSettings", "measure"]

OPPONENTS: dict[str, str | None] = {
    "gp_ucb_map": "data",
    "uhe_bo": "pseudo-data",
    "ra_bo": "pseudo-data",
    "random_exp3": "data",
    "portfolio_exp3": "data",
    "wang_de_freitas": None,
    "a_gp_ucb": None,
    "gp_ucb_mcmc": None,
}
"""The fit in the peer's step beside each method; None where the peer has no counterpart of the method."""
METHODS = tuple(OPPONENTS)
TARGETS = {"gp_ucb_map": 5.0, "uhe_bo": 2.0}
"""The targets: a step is so many times faster than the peer's."""
MCMC_SECONDS = 1.0
"""Wall seconds that a step of MCMC, 200 + 10 transitions, may take."""


@dataclass(frozen=True, kw_only=True)
class HyperparameterSettings(SearchSettings):
    """The task, fixed before any run; the problem is without noise.

    Attributes:
        count: number of observations n.
        seeds: data sets, each the first n rows of a run of MAP.
        sets: data sets that everyone is timed on in each round.
    """

    count: int = 100
    seeds: int = 9
    sets: int = 3


SETTINGS = HyperparameterSettings()


class Step(eqx.Module):
    """The start of a step: n observations, and the MAP estimate from all except the last."""

    observations: Observations
    last: Hyperparameters


def measure(settings: HyperparameterSettings, report: Report) -> dict[str, Any]:
    """Run all contestants; JSON values: ``settings``, ``rows``, ``threads``, ``agreement``, ``targets``.

    A row is a method: wall and processor seconds a step (medians, quartiles of the former), the peer's, and the ratio.
    """
    problem = get(settings.problem)
    effort = settings.effort(problem.dim)
    policies = {name: make(name, problem.dim, effort=effort) for name in METHODS}
    report("data: runs of MAP")
    steps = _data(settings, effort)
    contestants: dict[str, Callable[[int], dict[str, float]]] = {}
    for name, policy in policies.items():
        report(f"{name}: first call, which compiles")
        contestants[name] = partial(_ours, policy, _acquiring(policy, steps[0]), steps)
    threads: dict[str, Any] = {}
    if peer.available():
        report("choosing the peer's number of threads")
        threads = _threads(steps[0], settings)
    for fitted, chosen in threads.items():
        contestants[fitted] = partial(_theirs, fitted, chosen["used"], steps, settings)
    turns = take_turns(contestants, settings.rounds * settings.sets, report)
    seconds = {(name, kind): [one[kind] for one in spent] for name, spent in turns.items() for kind in spent[0]}
    result: dict[str, Any] = {"settings": settings.config(), "rows": _rows(seconds), "threads": threads}
    result["agreement"] = []
    if threads:
        for index, one in enumerate(steps):
            report(f"agreement of the estimates, data set {index + 1}")
            for fitted in threads:
                task = task_of(one, fitted)
                theirs = step(task, seed=0, **settings.peer_effort())[2]
                result["agreement"].append({"fitted": fitted, **agreement(task, theirs)})
    result["targets"] = _targets(result["rows"])
    return result


def _data(settings: HyperparameterSettings, effort: SearchEffort) -> list[Step]:
    problem = get(settings.problem)
    policy: Any = make("gp_ucb_map", problem.dim, effort=effort)
    keys = seed_keys(range(settings.seeds))
    run = simulate(policy, problem, keys, settings.count, initial_size=min(3 * problem.dim, settings.count))
    fit = eqx.filter_jit(lambda observations: policy.update(policy.init(keys[0]), observations))
    return [
        Step(Observations.of(x, y), fit(Observations.of(x[:-1], y[:-1], capacity=settings.count)))
        for x, y in zip(run.x, run.y, strict=True)
    ]


def state_of(policy: Any, one: Step) -> Any:
    """The policy's state right before a step that maximises the acquisition.

    UHE-BO and its ablations are at the second query of a pair; for A-GP-UCB the present data are D_0, so that the first
    factor is nearly always enough.
    """
    state = policy.init(jax.random.key(0))
    count = one.observations.count
    if hasattr(state, "bandit") and hasattr(state, "rewarded"):
        return eqx.tree_at(
            lambda s: (s.parameters, s.arm, s.initial_count), state, (one.last, jnp.asarray(1), count - 1)
        )
    if hasattr(state, "bandit"):
        return eqx.tree_at(lambda s: (s.parameters, s.count), state, (one.last, count - 1))
    if hasattr(state, "parameters"):
        return eqx.tree_at(lambda s: (s.parameters, s.initial_count), state, (one.last, count))
    return jax.tree.map(lambda leaf, like: jnp.broadcast_to(leaf, like.shape), one.last, state)


@eqx.filter_jit
def _step(policy: Any, key: jax.Array, state: Any, observations: Observations) -> tuple[jax.Array, jax.Array]:
    """The query, and True where it maximises the acquisition (a random query has the acquisition minus infinity)."""
    query, _, info = policy.propose(key, policy.update(state, observations), observations)
    return query, info["acquisition"] > -jnp.inf


def _acquiring(policy: Any, one: Step) -> jax.Array:
    """A key under which the step is no random query."""
    state = state_of(policy, one)
    return next(
        key for key in jax.random.split(jax.random.key(1), 64) if bool(_step(policy, key, state, one.observations)[1])
    )


def _ours(policy: Any, key: jax.Array, steps: list[Step], turn: int) -> dict[str, float]:
    """Seconds of a step on this turn's data."""
    one = steps[turn % len(steps)]
    state = jax.block_until_ready(state_of(policy, one))
    spent, _ = timed(_step, policy, key, state, one.observations)
    return spent._asdict()


def _theirs(
    fitted: str, threads: int, steps: list[Step], settings: HyperparameterSettings, turn: int
) -> dict[str, float]:
    """Wall seconds of the peer's step on the same data, and of its fit."""
    peer.set_threads(threads)
    task = task_of(steps[turn % len(steps)], fitted)
    fit, search, _ = step(task, seed=turn // settings.sets, **settings.peer_effort())
    return {"fit": fit, "wall": fit + search}


def task_of(one: Step, fitted: str) -> Task:
    """The same step for the peer; the pseudo-data are those of a fixed key."""
    data = standardized(one.observations)
    x, z = np.asarray(data.x), np.asarray(data.y)
    start = np.array([*one.last.lengthscale, one.last.variance, one.last.noise_variance])
    if fitted == "data":
        return Task(x, z, x, z, start)
    pseudo = pseudo_data(jax.random.key(2), data)
    return Task(x, z, np.asarray(pseudo.x), np.asarray(pseudo.y), start)


def _threads(one: Step, settings: HyperparameterSettings) -> dict[str, Any]:
    """The peer's better number of threads for a fit to the data, and to pseudo-data."""

    def trial(fitted: str) -> np.ndarray:
        task = task_of(one, fitted)
        spent = [sum(step(task, seed=seed, **settings.peer_effort())[:2]) for seed in range(3)]
        return np.array(spent[1:])  # the first call loads code

    return {fitted: peer.choose_threads(partial(trial, fitted)) for fitted in ("data", "pseudo-data")}


def _rows(seconds: dict[tuple[str, str], list[float]]) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for name, fitted in OPPONENTS.items():
        if (name, "wall") not in seconds:
            continue
        low, middle, high = quartiles(seconds[name, "wall"])
        row: dict[str, Any] = {"wall": middle, "quartiles": [low, high]}
        row["processor"] = float(np.median(seconds[name, "processor"]))
        if fitted is not None and (fitted, "wall") in seconds:
            row["peer"] = float(np.median(seconds[fitted, "wall"]))
            row["peer_fit"] = float(np.median(seconds[fitted, "fit"]))
            row["ratio"] = float(np.median(np.divide(seconds[fitted, "wall"], seconds[name, "wall"])))
        rows[name] = row
    return rows


def _targets(rows: dict[str, Any]) -> list[dict[str, Any]]:
    targets = [
        at_least(f"{name} over BoTorch's fit to {OPPONENTS[name]} and UCB, times faster a step", wanted, row["ratio"])
        for name, wanted in TARGETS.items()
        if "ratio" in (row := rows.get(name, {}))
    ]
    if "gp_ucb_mcmc" in rows:
        name = "gp_ucb_mcmc, wall seconds a step of 200 + 10 transitions"
        targets.append(at_most(name, MCMC_SECONDS, rows["gp_ucb_mcmc"]["wall"]))
    return targets
