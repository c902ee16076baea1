"""Seconds a proposal of the seven acquisitions of the corrected-EI paper, side by side with BoTorch's own.

Everyone is given the same data and the same hyperparameters and makes one proposal: conditioning on the data, building
the acquisition (samples included), maximising it. The refit, the same for all seven, is not in it. The data are rows of
runs of corrected EI, so that they crowd where data crowd. *Together*: 15 data sets in one program. *Alone*: one.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import equinox as eqx
import jax
import numpy as np

from benchmarks import acquisition_peer, peer
from benchmarks.acquisition_agreement import agreement
from core.designs import seed_keys
from core.models.hyperparameters import Hyperparameters
from core.models.transform import standardize
from core.policies import SearchEffort, make
from core.policies.constants import GP_BETA
from core.policies.refitted import RefittedPolicy
from core.search.batching import batch
from core.simulate import simulate
from core.types import Observations
from experiments.engine.provenance import usable_cores
from experiments.problems import get

__all__ = ["METHODS", "OPPONENTS", "SETTINGS", "TARGET", "AcquisitionSettings", "measure"]

Report = Callable[[str], None]
METHODS = ("gp_ucb_refit", "ei", "pi", "corrected_ei", "corrected_pi", "noisy_ei", "qnei")
OPPONENTS = {name: {"corrected_ei": "ei", "corrected_pi": "pi"}.get(name, name) for name in METHODS}
"""Whose peer each method is held against: the corrected forms have none of their own."""
TARGET = 10.0
"""How many times faster a proposal of each of ours (all data sets in one program) is to be."""


@dataclass(frozen=True)
class AcquisitionSettings:
    """The task, fixed before any run.

    Attributes:
        problem: name in :mod:`experiments.problems`.
        noise: standard deviation of the observation noise, of the problem's range; known to all.
        counts: numbers of observations at which proposals are timed.
        raw_candidates, starts: search effort of every contestant.
        seeds: data sets, and runs in one compiled program (ours).
        peer_sets: data sets that the peer is timed on in each round.
        rounds: how often the contestants take turns.
    """

    problem: str = "hartmann3"
    noise: float = 0.1
    counts: tuple[int, ...] = (25, 50, 100, 150)
    raw_candidates: int = 1024
    starts: int = 8
    seeds: int = 15
    peer_sets: int = 3
    rounds: int = 3

    def config(self) -> dict[str, object]:
        """As JSON values."""
        return asdict(self) | {"counts": list(self.counts)}


SETTINGS = AcquisitionSettings()


class Sets(eqx.Module):
    """Data sets of one size, stacked, and the hyperparameters fitted to each."""

    observations: Observations
    theta: Hyperparameters

    def one(self, index: int) -> "Sets":
        """A single one of them."""
        chosen: Sets = jax.tree.map(lambda leaf: leaf[index], self)
        return chosen


def measure(settings: AcquisitionSettings, report: Report) -> dict[str, Any]:
    """Run all contestants; JSON values: ``settings``, ``rows``, ``threads``, ``agreement``, ``targets``.

    A row is a method: seconds a proposal at every count, together, alone and the peer's; and the ratios of their means.
    """
    problem = get(settings.problem)
    effort = SearchEffort.of(problem.dim, settings.raw_candidates, settings.starts)
    policies: dict[str, Any] = {name: make(name, problem.dim, effort=effort, kernel="matern52") for name in METHODS}
    report("data: runs of corrected EI, and a fit to each of their beginnings")
    data = dict(zip(settings.counts, _data(policies["corrected_ei"], settings), strict=True))
    seconds: dict[tuple[str, str, int], list[float]] = {}
    keys = seed_keys(range(settings.seeds))

    def ours(name: str, count: int, record: bool) -> None:
        for how, arguments in (
            ("together", (keys, data[count])),
            ("alone", (keys[0], data[count].one(0))),
        ):
            spent = _timed(_together if how == "together" else _alone, policies[name], *arguments)
            if record:
                share = settings.seeds if how == "together" else 1
                seconds.setdefault((name, how, count), []).append(spent / share)

    for name in METHODS:
        for count in settings.counts:
            report(f"{name}, t = {count}: first call, which compiles")
            ours(name, count, record=False)
    threads: dict[str, Any] = {}
    if peer.available():
        report("choosing the peer's number of threads")
        threads = _threads(data[settings.counts[-1]], settings)
    for turn in range(settings.rounds):
        for count in settings.counts:
            for name in METHODS:
                report(f"round {turn + 1} of {settings.rounds}, t = {count}: {name}")
                ours(name, count, record=True)
                if threads and name in acquisition_peer.PEERS:
                    peer.set_threads(threads[name]["used"])
                    for index in range(settings.peer_sets):
                        chosen = (turn * settings.peer_sets + index) % settings.seeds
                        spent, _ = _peer(name, _task(data[count].one(chosen)), settings, turn)
                        seconds.setdefault((name, "peer", count), []).append(spent)
    result: dict[str, Any] = {"settings": settings.config(), "rows": _rows(seconds, settings), "threads": threads}
    result["agreement"], result["targets"] = [], []
    if threads:
        for count in settings.counts:
            report(f"agreement of values at t = {count}")
            result["agreement"].append({"count": count, **agreement(_task(data[count].one(0)))})
        result["targets"] = [
            {
                "name": f"{name} over BoTorch {row['peer']}, times faster a proposal",
                "target": TARGET,
                "reached": row["ratio"],
                "met": bool(row["ratio"] >= TARGET),
            }
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


def _timed(function: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    return time.perf_counter() - start


def _task(one: Sets) -> acquisition_peer.Task:
    """The same posterior for the peer."""
    observations, theta = one.observations, one.theta
    z, _, scale = standardize(observations.y, observations.mask)
    noise = observations.noise_variance[:, 0] / scale**2 + theta.noise_variance
    return acquisition_peer.Task(
        x=np.asarray(observations.x),
        z=np.asarray(z),
        noise_variance=np.asarray(noise),
        lengthscale=np.asarray(theta.lengthscale),
        variance=float(theta.variance),
        beta=GP_BETA,
    )


def _peer(name: str, task: acquisition_peer.Task, settings: AcquisitionSettings, seed: int) -> tuple[float, np.ndarray]:
    effort = {"starts": settings.starts, "raw_candidates": settings.raw_candidates}
    return acquisition_peer.propose(name, task, seed=seed, **effort)


def _threads(sets: Sets, settings: AcquisitionSettings) -> dict[str, Any]:
    """The peer's better number of threads for each acquisition, tried on the largest data sets."""
    chosen: dict[str, Any] = {}
    task = _task(sets.one(0))
    for name in acquisition_peer.PEERS:

        def trial(name: str = name) -> np.ndarray:
            spent = [_peer(name, task, settings, seed)[0] for seed in range(3)]
            return np.asarray(spent[1:])  # the first one loads code

        used, medians = peer.threads_to_use(usable_cores(), trial)
        chosen[name] = {"used": used, "trial_seconds": medians}
    return chosen


def _rows(seconds: dict[tuple[str, str, int], list[float]], settings: AcquisitionSettings) -> dict[str, Any]:
    """Medians at every count, and how many times faster ours are on the mean over the counts."""

    def medians(name: str, how: str) -> list[float]:
        return [float(np.median(seconds[name, how, count])) for count in settings.counts]

    rows: dict[str, Any] = {}
    with_peer = any(how == "peer" for _, how, _ in seconds)
    for name in METHODS:
        row: dict[str, Any] = {how: medians(name, how) for how in ("together", "alone")}
        if with_peer:
            opponent = OPPONENTS[name]
            theirs = medians(opponent, "peer")
            row |= {"peer": acquisition_peer.PEERS[opponent], "peer_seconds": theirs}
            row["ratio"] = float(np.mean(theirs) / np.mean(row["together"]))
            row["ratio_alone"] = float(np.mean(theirs) / np.mean(row["alone"]))
        rows[name] = row
    return rows
