"""Seconds a proposal on Hartmann3, side by side with BoTorch: contestants take turns in one run on one machine.

Ours are timed as whole programs over all seeds (wall seconds / seeds / proposals: designs and evaluations are in it)
and, separately, as single runs of `core.optimize` on a Python function. The peer's time is that of conditioning,
fitting and maximising alone. Compilation (in the first call) is reported beside, not in, the seconds a proposal.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import peer
from benchmarks.proposal import ours
from benchmarks.proposal.agreement import agreement
from benchmarks.proposal.peer import Constants, run
from benchmarks.proposal.task import SETTINGS, TARGETS, ProposalSettings
from benchmarks.targets import at_least
from benchmarks.timing import Report, quartiles, take_turns
from core.policies.constants import GP_BETA, GP_NOISE_SCALE, LENGTHSCALE
from experiments.problems import get

__all__ = ["SETTINGS", "measure"]

PEERS = {"botorch_fixed": False, "botorch_refit": True}  # name: refit
AGREEMENT_AT = (10, 50, 100)  # observations
TRIAL_PROPOSALS = 5  # proposals a setting when the peer's number of threads is chosen


class Runs(NamedTuple):
    """The seconds a proposal of the runs of a turn, and their final simple regrets."""

    seconds: list[float]
    regrets: list[float]


def measure(settings: ProposalSettings, report: Report) -> dict[str, Any]:
    """Run all contestants; JSON values.

    Keys: ``settings``, ``together``, ``alone``, ``peer``, ``ratios``, ``agreement``, ``targets``; where the peer is not
    installed the last four of them are empty.
    """
    problem = get(settings.problem)
    methods = {name: ours.policy(name, problem, settings) for name in ours.NAMES}
    constants = Constants(LENGTHSCALE, GP_NOISE_SCALE**2, GP_BETA)

    value = jax.jit(problem.value)

    def f(point: np.ndarray) -> float:
        return float(value(jnp.asarray(point)))

    trajectories, firsts = {}, {}
    for name, method in methods.items():
        report(f"{name}: first call, which compiles")
        together, trajectories[name] = ours.run_together(method, problem, settings, first_seed=0)
        firsts[name] = {"together": together, "alone": ours.run_alone(method, problem, settings, 0, f)[0]}
    threads = {}
    for name, refit in PEERS.items() if peer.available() else ():
        report(f"{name}: choosing its number of threads")
        threads[name] = _threads(f, trajectories["boke"], settings, constants, refit)

    def one_together(name: str, turn: int) -> Runs:
        spent, trajectory = ours.run_together(methods[name], problem, settings, turn * settings.seeds)
        regret = np.asarray(trajectory.simple_regret(problem.optimum))[:, -1]
        return Runs([spent / settings.seeds / settings.proposals], regret.tolist())

    def one_alone(name: str, turn: int) -> Runs:
        spent, best = ours.run_alone(methods[name], problem, settings, turn, f)
        return Runs([spent / settings.proposals], [float(problem.optimum) - best])

    def one_peer(name: str, turn: int) -> Runs:
        peer.set_threads(threads[name]["used"])
        design = ours.initial_points(trajectories["boke"], turn % settings.seeds)
        effort = settings.peer_effort()
        spent, y = run(f, design, settings.budget, constants, refit=PEERS[name], seed=turn, **effort)
        return Runs(spent.tolist(), [float(problem.optimum) - float(np.max(y))])

    contestants: dict[tuple[str, str], Callable[[int], Runs]] = {}
    contestants |= {("together", name): partial(one_together, name) for name in methods}
    contestants |= {("alone", name): partial(one_alone, name) for name in methods}
    contestants |= {("peer", name): partial(one_peer, name) for name in threads}
    turns = take_turns(contestants, settings.rounds, report, " ".join)

    result: dict[str, Any] = {"settings": settings.config(), "together": {}, "alone": {}, "peer": {}}
    for (group, name), runs in turns.items():
        summary = _summary(runs)
        if group == "peer":
            summary["threads"] = threads[name]
        else:
            calls = settings.proposals * (settings.seeds if group == "together" else 1)
            summary["compile_seconds"] = max(firsts[name][group] - calls * summary["seconds"], 0.0)
        result[group][name] = summary

    result["ratios"], result["targets"] = _ratios(result)
    result["agreement"] = []
    if threads:
        data = trajectories["gp_ucb"]
        for count in AGREEMENT_AT:
            report(f"agreement of posteriors and acquisition maxima at t = {count}")
            x, y = np.asarray(data.x[0, :count]), np.asarray(data.y[0, :count])
            result["agreement"].append({"count": count, **agreement(x, y, constants, settings)})
    return result


def _threads(
    f: Callable[[np.ndarray], float], trajectory: Any, settings: ProposalSettings, constants: Constants, refit: bool
) -> Any:
    """The peer's better number of threads, tried on proposals in the middle of a run."""
    middle = (settings.initial_size + settings.budget) // 2

    design = np.asarray(trajectory.x[0, :middle])

    def trial() -> np.ndarray:
        budget = middle + TRIAL_PROPOSALS
        return run(f, design, budget, constants, refit=refit, seed=0, **settings.peer_effort())[0][1:]  # loads code

    return peer.choose_threads(trial)


def _summary(runs: Sequence[Runs]) -> dict[str, Any]:
    """Median and spread of the seconds a proposal; median final simple regret and the number of runs behind it."""
    seconds = [value for one in runs for value in one.seconds]
    regrets = [value for one in runs for value in one.regrets]
    low, middle, high = quartiles(seconds)
    return {
        "seconds": middle,
        "quartiles": [low, high],
        "timings": len(seconds),
        "regret": float(np.median(regrets)),
        "runs": len(regrets),
    }


def _ratios(result: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The ratios of the peer's seconds to those of each of ours, together and alone; the targets."""
    ratios, targets = [], []
    for (name, opponent), target in TARGETS.items() if result["peer"] else ():
        theirs = result["peer"][opponent]["seconds"]
        for group in ("together", "alone"):
            ratio = theirs / result[group][name]["seconds"]
            ratios.append({"ours": name, "how": group, "peer": opponent, "ratio": ratio})
            if group == "together":
                targets.append(at_least(f"{name} over {opponent}, times faster a proposal", target, ratio))
    if any(not math.isfinite(entry["ratio"]) for entry in ratios):
        raise ValueError(f"a timing is not finite: {ratios}")
    return ratios, targets
