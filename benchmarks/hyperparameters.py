"""Seconds a step of the methods for unknown hyperparameters, side by side with BoTorch.

A step is all that a method does between two evaluations: estimating hyperparameters (by optimisation or by a chain),
conditioning, maximising the acquisition. Ours is one compiled program on one data set. The peer is BoTorch's step of
the same kind on the same data from the same last estimate: for UHE-BO it fits the same pseudo-data.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import hyperparameters_peer, peer
from benchmarks.hyperparameters_agreement import agreement
from benchmarks.hyperparameters_peer import Task
from core.designs import seed_keys
from core.models.hyperparameters import Hyperparameters
from core.models.pseudo_data import pseudo_data
from core.models.standardized import standardized
from core.policies import SearchEffort, make
from core.simulate import simulate
from core.types import Observations
from experiments.engine.provenance import usable_cores
from experiments.problems import get

__all__ = ["METHODS", "OPPONENTS", "SETTINGS", "TARGETS", "HyperparameterSettings", "measure"]

Report = Callable[[str], None]
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
"""What the peer's step fits beside each method; none where the method does what the peer has no counterpart of."""
METHODS = tuple(OPPONENTS)
TARGETS = {"gp_ucb_map": 5.0, "uhe_bo": 2.0}
"""How many times faster than its peer a step is to be."""
MCMC_SECONDS = 1.0
"""Wall seconds that a step of MCMC, 200 + 10 transitions, may take."""


@dataclass(frozen=True)
class HyperparameterSettings:
    """The task, fixed before any run.

    Attributes:
        problem: name in :mod:`experiments.problems`, without noise.
        count: number of observations n.
        raw_candidates, starts: search effort of every contestant.
        seeds: data sets, each the first n rows of a run of MAP.
        sets: data sets that everyone is timed on in each round.
        rounds: how often the contestants take turns.
    """

    problem: str = "hartmann3"
    count: int = 100
    raw_candidates: int = 1024
    starts: int = 8
    seeds: int = 9
    sets: int = 3
    rounds: int = 3

    def config(self) -> dict[str, object]:
        """As JSON values."""
        return asdict(self)


SETTINGS = HyperparameterSettings()


class Step(eqx.Module):
    """What a step starts from: n observations, and the MAP estimate of all but the last."""

    observations: Observations
    last: Hyperparameters


def measure(settings: HyperparameterSettings, report: Report) -> dict[str, Any]:
    """Run all contestants; JSON values: ``settings``, ``rows``, ``threads``, ``agreement``, ``targets``.

    A row is a method: wall and processor seconds a step (medians, quartiles of the former), the peer's, and the ratio.
    """
    problem = get(settings.problem)
    effort = SearchEffort.of(problem.dim, settings.raw_candidates, settings.starts)
    policies = {name: make(name, problem.dim, effort=effort) for name in METHODS}
    report("data: runs of MAP")
    steps = _data(settings, effort)
    keys = {}
    for name, policy in policies.items():
        report(f"{name}: first call, which compiles")
        keys[name] = _acquiring(policy, steps[0])
    threads: dict[str, Any] = {}
    if peer.available():
        report("choosing the peer's number of threads")
        threads = _threads(steps[0], settings)
    seconds: dict[tuple[str, str], list[float]] = {}
    for turn in range(settings.rounds):
        for index in range(settings.sets):
            one = steps[(turn * settings.sets + index) % settings.seeds]
            for name, policy in policies.items():
                report(f"round {turn + 1} of {settings.rounds}: {name}")
                wall, processor = _timed(policy, keys[name], one)
                seconds.setdefault((name, "wall"), []).append(wall)
                seconds.setdefault((name, "processor"), []).append(processor)
            for fitted, used in threads.items():
                report(f"round {turn + 1} of {settings.rounds}: BoTorch on {fitted}")
                peer.set_threads(used["used"])
                fit, search, _ = _peer(task_of(one, fitted), settings, turn)
                seconds.setdefault((fitted, "fit"), []).append(fit)
                seconds.setdefault((fitted, "wall"), []).append(fit + search)
    result: dict[str, Any] = {"settings": settings.config(), "rows": _rows(seconds), "threads": threads}
    result["agreement"] = []
    if threads:
        for index, one in enumerate(steps):
            report(f"agreement of the estimates, data set {index + 1}")
            for fitted in threads:
                task = task_of(one, fitted)
                theirs = _peer(task, settings, 0)[2]
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
    """The policy's state before the step, one with which it is about to maximise its acquisition.

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
    """The query, and whether it maximises the acquisition (that of a random query is minus infinity)."""
    query, _, info = policy.propose(key, policy.update(state, observations), observations)
    return query, info["acquisition"] > -jnp.inf


def _acquiring(policy: Any, one: Step) -> jax.Array:
    """A key under which the step is no random query."""
    state = state_of(policy, one)
    return next(
        key for key in jax.random.split(jax.random.key(1), 64) if bool(_step(policy, key, state, one.observations)[1])
    )


def _timed(policy: Any, key: jax.Array, one: Step) -> tuple[float, float]:
    """Wall and processor seconds of a step."""
    state = jax.block_until_ready(state_of(policy, one))
    wall, processor = time.perf_counter(), time.process_time()
    jax.block_until_ready(_step(policy, key, state, one.observations))
    return time.perf_counter() - wall, time.process_time() - processor


def task_of(one: Step, fitted: str) -> Task:
    """The same step for the peer; the pseudo-data are those of a fixed key."""
    data = standardized(one.observations)
    x, z = np.asarray(data.x), np.asarray(data.y)
    start = np.array([*one.last.lengthscale, one.last.variance, one.last.noise_variance])
    if fitted == "data":
        return Task(x, z, x, z, start)
    pseudo = pseudo_data(jax.random.key(2), data)
    return Task(x, z, np.asarray(pseudo.x), np.asarray(pseudo.y), start)


def _peer(task: Task, settings: HyperparameterSettings, seed: int) -> tuple[float, float, np.ndarray]:
    return hyperparameters_peer.step(task, starts=settings.starts, raw_candidates=settings.raw_candidates, seed=seed)


def _threads(one: Step, settings: HyperparameterSettings) -> dict[str, Any]:
    """The peer's better number of threads for a fit to the data, and to pseudo-data."""
    chosen: dict[str, Any] = {}
    for fitted in ("data", "pseudo-data"):
        task = task_of(one, fitted)

        def trial(task: Task = task) -> np.ndarray:
            return np.array([sum(_peer(task, settings, seed)[:2]) for seed in range(3)][1:])  # the first loads code

        used, medians = peer.threads_to_use(usable_cores(), trial)
        chosen[fitted] = {"used": used, "trial_seconds": medians}
    return chosen


def _rows(seconds: dict[tuple[str, str], list[float]]) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for name, fitted in OPPONENTS.items():
        if (name, "wall") not in seconds:
            continue
        low, middle, high = np.percentile(seconds[name, "wall"], [25, 50, 75])
        row = {"wall": float(middle), "quartiles": [float(low), float(high)]}
        row["processor"] = float(np.median(seconds[name, "processor"]))
        if fitted is not None and (fitted, "wall") in seconds:
            row["peer"] = float(np.median(seconds[fitted, "wall"]))
            row["peer_fit"] = float(np.median(seconds[fitted, "fit"]))
            row["ratio"] = float(np.median(np.divide(seconds[fitted, "wall"], seconds[name, "wall"])))
        rows[name] = row
    return rows


def _targets(rows: dict[str, Any]) -> list[dict[str, Any]]:
    targets = [
        {
            "name": f"{name} over BoTorch's fit to {OPPONENTS[name]} and UCB, times faster a step",
            "target": wanted,
            "reached": rows[name]["ratio"],
            "met": bool(rows[name]["ratio"] >= wanted),
        }
        for name, wanted in TARGETS.items()
        if "ratio" in rows.get(name, {})
    ]
    if "gp_ucb_mcmc" in rows:
        spent = rows["gp_ucb_mcmc"]["wall"]
        name = "gp_ucb_mcmc, wall seconds a step of 200 + 10 transitions"
        targets.append({"name": name, "target": MCMC_SECONDS, "reached": spent, "met": bool(spent <= MCMC_SECONDS)})
    return targets
