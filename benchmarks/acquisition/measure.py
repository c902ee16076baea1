"""Seconds a proposal of the seven acquisitions of the corrected-EI paper, side by side with BoTorch's own.

All contestants get the same data and hyperparameters and make one proposal: conditioning on the data, building the
acquisition (samples included), maximising it. The refit, the same for all seven, is not in it. The data are rows of
runs of corrected EI, so that they cluster as in a run. *Together*: 15 data sets in one program. *Alone*: one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import equinox as eqx
import jax
import numpy as np

from benchmarks import peer
from benchmarks.acquisition.agreement import agreement
from benchmarks.acquisition.peer import PEERS, Task, propose
from benchmarks.settings import SearchSettings
from benchmarks.targets import at_least
from benchmarks.timing import Report, take_turns, timed
from core.designs import seed_keys
from core.models.hyperparameters import Hyperparameters
from core.models.transform import standardize
from core.policies import make
from core.policies.constants import GP_BETA
from core.policies.refitted import RefittedPolicy
from core.search.batching import batch
from core.simulate import simulate
from core.types import Observations
from experiments.problems import get

__all__ = ["METHODS", "OPPONENTS", "SETTINGS", "TARGET", "AcquisitionSettings", "measure"]

Contestant = tuple[str, str, int]
"""A method, its timing ("together", "alone", or its "peer"), and the number of observations."""
METHODS = ("gp_ucb_refit", "ei", "pi", "corrected_ei", "corrected_pi", "noisy_ei", "qnei")
OPPONENTS = {name: {"corrected_ei": "ei", "corrected_pi": "pi"}.get(name, name) for name in METHODS}
"""The method whose peer each method is compared with: the corrected forms have no peer of their own."""
TARGET = 10.0
"""The target for each of our methods: a proposal (all data sets in one program) is so many times faster."""


@dataclass(frozen=True, kw_only=True)
class AcquisitionSettings(SearchSettings):
    """The task, fixed before any run.

    Attributes:
        noise: standard deviation of the observation noise, of the problem's range; known to all.
        counts: numbers of observations at which proposals are timed.
        seeds: data sets, and runs in one compiled program (ours).
        peer_sets: data sets that the peer is timed on in each round.
    """

    noise: float = 0.1
    counts: tuple[int, ...] = (25, 50, 100, 150)
    seeds: int = 15
    peer_sets: int = 3


SETTINGS = AcquisitionSettings()


class Sets(eqx.Module):
    """Data sets of one size, stacked, and the hyperparameters fitted to each."""

    observations: Observations
    theta: Hyperparameters

    def one(self, index: int) -> "Sets":
        """One of the data sets."""
        chosen: Sets = jax.tree.map(lambda leaf: leaf[index], self)
        return chosen


def measure(settings: AcquisitionSettings, report: Report) -> dict[str, Any]:
    """Run all contestants; JSON values: ``settings``, ``rows``, ``threads``, ``agreement``, ``targets``.

    A row is a method: seconds a proposal at every count, together, alone and the peer's; and the ratios of their means.
    """
    problem = get(settings.problem)
    effort = settings.effort(problem.dim)
    policies: dict[str, Any] = {name: make(name, problem.dim, effort=effort, kernel="matern52") for name in METHODS}
    report("data: runs of corrected EI, and a fit to each of their beginnings")
    data = dict(zip(settings.counts, _data(policies["corrected_ei"], settings), strict=True))
    keys = seed_keys(range(settings.seeds))

    def together(name: str, count: int, turn: int) -> list[float]:
        spent, _ = timed(_together, policies[name], keys, data[count])
        return [spent.wall / settings.seeds]

    def alone(name: str, count: int, turn: int) -> list[float]:
        spent, _ = timed(_alone, policies[name], keys[0], data[count].one(0))
        return [spent.wall]

    threads: dict[str, Any] = {}
    if peer.available():
        report("choosing the peer's number of threads")
        threads = _threads(data[settings.counts[-1]], settings)

    def theirs(name: str, count: int, turn: int) -> list[float]:
        peer.set_threads(threads[name]["used"])
        sets = (data[count].one((turn * settings.peer_sets + i) % settings.seeds) for i in range(settings.peer_sets))
        return [_propose(name, _task(one), settings, turn) for one in sets]

    contestants: dict[Contestant, Callable[[int], list[float]]] = {}
    for count in settings.counts:
        for name in METHODS:
            report(f"{name}, t = {count}: first call, which compiles")
            together(name, count, 0)
            alone(name, count, 0)
            contestants[name, "together", count] = partial(together, name, count)
            contestants[name, "alone", count] = partial(alone, name, count)
            if name in threads:
                contestants[name, "peer", count] = partial(theirs, name, count)
    turns = take_turns(contestants, settings.rounds, report, lambda one: f"{one[0]} {one[1]}, t = {one[2]}")
    seconds = {contestant: [value for spent in outcomes for value in spent] for contestant, outcomes in turns.items()}
    result: dict[str, Any] = {"settings": settings.config(), "rows": _rows(seconds, settings), "threads": threads}
    result["agreement"], result["targets"] = [], []
    if threads:
        for count in settings.counts:
            report(f"agreement of values at t = {count}")
            result["agreement"].append({"count": count, **agreement(_task(data[count].one(0)))})
        result["targets"] = [
            at_least(f"{name} over BoTorch {row['peer']}, times faster a proposal", TARGET, row["ratio"])
            for name, row in result["rows"].items()
        ]
    return result


def _data(policy: RefittedPolicy, settings: AcquisitionSettings) -> list[Sets]:
    """The first rows of runs of the policy, for every count, with fitted hyperparameters."""
    problem = get(settings.problem).with_relative_noise(settings.noise)
    keys = seed_keys(range(settings.seeds))
    size = min(3 * problem.dim, settings.counts[0])
    run = simulate(policy, problem, keys, settings.counts[-1], initial_size=size, known_noise=True)
    variance = jax.vmap(jax.vmap(problem.noise.variance))(run.x)

    @eqx.filter_jit
    def fitted(x: jax.Array, y: jax.Array, noise: jax.Array) -> Sets:
        def fit(x: jax.Array, y: jax.Array, noise: jax.Array) -> Sets:
            observations = Observations.of(x, y, noise_variance=noise)
            return Sets(observations, policy.update(policy.init(keys[0]), observations))

        sets: Sets = batch(fit, x, y, noise)
        return sets

    return [fitted(run.x[:, :count], run.y[:, :count], variance[:, :count]) for count in settings.counts]


@eqx.filter_jit
def _together(policy: RefittedPolicy, keys: jax.Array, sets: Sets) -> jax.Array:
    """One proposal for every data set, in one program."""
    queries: jax.Array = batch(lambda key, one: policy.propose(key, one.theta, one.observations)[0], keys, sets)
    return queries


@eqx.filter_jit
def _alone(policy: RefittedPolicy, key: jax.Array, one: Sets) -> jax.Array:
    """One proposal."""
    return policy.propose(key, one.theta, one.observations)[0]


def _task(one: Sets) -> Task:
    """The same posterior for the peer."""
    observations, theta = one.observations, one.theta
    z, _, scale = standardize(observations.y, observations.mask)
    noise = observations.noise_variance[:, 0] / scale**2 + theta.noise_variance
    return Task(
        x=np.asarray(observations.x),
        z=np.asarray(z),
        noise_variance=np.asarray(noise),
        lengthscale=np.asarray(theta.lengthscale),
        variance=float(theta.variance),
        beta=GP_BETA,
    )


def _propose(name: str, task: Task, settings: AcquisitionSettings, seed: int) -> float:
    """Wall seconds of a proposal of the peer."""
    return propose(name, task, seed=seed, **settings.peer_effort())[0]


def _threads(sets: Sets, settings: AcquisitionSettings) -> dict[str, Any]:
    """The peer's better number of threads for each acquisition, tried on the largest data sets."""
    task = _task(sets.one(0))

    def trial(name: str) -> np.ndarray:
        return np.array([_propose(name, task, settings, seed) for seed in range(3)][1:])  # the first call loads code

    return {name: peer.choose_threads(partial(trial, name)) for name in PEERS}


def _rows(seconds: dict[Contestant, list[float]], settings: AcquisitionSettings) -> dict[str, Any]:
    """Medians at every count, and the ratio of the peer's mean seconds over the counts to ours."""

    def medians(name: str, how: str) -> list[float]:
        return [float(np.median(seconds[name, how, count])) for count in settings.counts]

    rows: dict[str, Any] = {}
    with_peer = any(how == "peer" for _, how, _ in seconds)
    for name in METHODS:
        row: dict[str, Any] = {how: medians(name, how) for how in ("together", "alone")}
        if with_peer:
            opponent = OPPONENTS[name]
            theirs = medians(opponent, "peer")
            row |= {"peer": PEERS[opponent], "peer_seconds": theirs}
            row["ratio"] = float(np.mean(theirs) / np.mean(row["together"]))
            row["ratio_alone"] = float(np.mean(theirs) / np.mean(row["alone"]))
        rows[name] = row
    return rows
