"""Seconds a proposal on Hartmann3, side by side with BoTorch: contestants take turns in one run on one machine.

Ours are timed as whole programs over all seeds (wall seconds / seeds / proposals: designs and evaluations are in it)
and, separately, as single runs of `core.optimize` on a Python function. The peer's time is that of conditioning,
fitting and maximising alone. Compilation (in the first call) is reported beside, not in, the seconds a proposal.
"""

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import ours, peer
from benchmarks.agreement import agreement
from benchmarks.settings import TARGETS, Settings
from core.policies.constants import GP_BETA, LENGTHSCALE, NOISE_SCALE
from experiments.engine.provenance import usable_cores
from experiments.problems import get

__all__ = ["measure"]

Report = Callable[[str], None]
PEERS = {"botorch_fixed": False, "botorch_refit": True}  # name: refit
AGREEMENT_AT = (10, 50, 100)  # observations
TRIAL_PROPOSALS = 5  # proposals a setting when the peer's number of threads is chosen


def measure(settings: Settings, report: Report) -> dict[str, Any]:
    """Run all contestants; JSON values.

    Keys: ``settings``, ``together``, ``alone``, ``peer``, ``ratios``, ``agreement``, ``targets``; where the peer is not
    installed the last four of them are empty.
    """
    problem = get(settings.problem)
    methods = {name: ours.policy(name, problem, settings) for name in ours.NAMES}
    constants = peer.Constants(LENGTHSCALE, NOISE_SCALE**2, GP_BETA)

    value = jax.jit(problem.value)

    def f(point: np.ndarray) -> float:
        return float(value(jnp.asarray(point)))

    result: dict[str, Any] = {"settings": settings.config(), "together": {}, "alone": {}, "peer": {}}
    firsts: dict[str, tuple[float, float]] = {}
    trajectories = {}
    for name, method in methods.items():
        report(f"{name}: first call, which compiles")
        together, trajectories[name] = ours.run_together(method, problem, settings, first_seed=0)
        firsts[name] = (together, ours.run_alone(method, problem, settings, 0, f)[0])

    with_peer = peer.available()
    threads: dict[str, Any] = {}
    if with_peer:
        for name, refit in PEERS.items():
            report(f"{name}: choosing its number of threads")
            threads[name] = _threads(f, trajectories["boke"], settings, constants, refit)

    seconds: dict[str, list[float]] = {name: [] for name in (*methods, *(f"{n} alone" for n in methods), *PEERS)}
    regrets: dict[str, list[float]] = {name: [] for name in seconds}

    def one_together(name: str, turn: int) -> None:
        spent, trajectory = ours.run_together(methods[name], problem, settings, turn * settings.seeds)
        seconds[name].append(spent / settings.seeds / settings.proposals)
        regrets[name].extend(np.asarray(trajectory.simple_regret(problem.optimum))[:, -1].tolist())

    def one_alone(name: str, turn: int) -> None:
        spent, best = ours.run_alone(methods[name], problem, settings, turn, f)
        seconds[f"{name} alone"].append(spent / settings.proposals)
        regrets[f"{name} alone"].append(float(problem.optimum) - best)

    def one_peer(name: str, turn: int) -> None:
        peer.set_threads(threads[name]["used"])
        design = ours.initial_points(trajectories["boke"], turn % settings.seeds)
        effort = {"starts": settings.starts, "raw_candidates": settings.raw_candidates}
        spent, y = peer.run(f, design, settings.budget, constants, refit=PEERS[name], seed=turn, **effort)
        seconds[name].extend(spent.tolist())
        regrets[name].append(float(problem.optimum) - float(np.max(y)))

    turns = [(one_together, name) for name in methods] + [(one_alone, name) for name in methods]
    turns += [(one_peer, name) for name in PEERS] if with_peer else []
    for turn in range(settings.rounds):
        for play, name in turns[turn % len(turns) :] + turns[: turn % len(turns)]:
            report(f"round {turn + 1} of {settings.rounds}: {name}{' alone' if play is one_alone else ''}")
            play(name, turn)

    for name in methods:
        for group, key, first, calls in (
            ("together", name, firsts[name][0], settings.seeds * settings.proposals),
            ("alone", f"{name} alone", firsts[name][1], settings.proposals),
        ):
            summary = _summary(seconds[key], regrets[key])
            result[group][name] = {**summary, "compile_seconds": max(first - calls * summary["seconds"], 0.0)}
    for name in PEERS if with_peer else ():
        result["peer"][name] = {**_summary(seconds[name], regrets[name]), "threads": threads[name]}

    result["ratios"], result["targets"] = _ratios(result)
    result["agreement"] = []
    if with_peer:
        data = trajectories["gp_ucb"]
        for count in AGREEMENT_AT:
            report(f"agreement of posteriors and acquisition maxima at t = {count}")
            x, y = np.asarray(data.x[0, :count]), np.asarray(data.y[0, :count])
            result["agreement"].append({"count": count, **agreement(x, y, constants, settings)})
    return result


def _threads(
    f: Callable[[np.ndarray], float], trajectory: Any, settings: Settings, constants: peer.Constants, refit: bool
) -> Any:
    """The peer's better number of threads, tried on proposals in the middle of a run."""
    middle = (settings.initial_size + settings.budget) // 2

    def trial() -> np.ndarray:
        spent, _ = peer.run(
            f,
            np.asarray(trajectory.x[0, :middle]),
            middle + TRIAL_PROPOSALS,
            constants,
            refit=refit,
            starts=settings.starts,
            raw_candidates=settings.raw_candidates,
            seed=0,
        )
        return spent[1:]  # the first one loads code

    used, medians = peer.threads_to_use(usable_cores(), trial)
    return {"used": used, "trial_seconds": medians}


def _summary(seconds: list[float], regrets: list[float]) -> dict[str, Any]:
    """Median and spread of the seconds a proposal; median final simple regret and the number of runs behind it."""
    quartiles = np.quantile(seconds, [0.25, 0.5, 0.75])
    return {
        "seconds": float(quartiles[1]),
        "quartiles": [float(quartiles[0]), float(quartiles[2])],
        "timings": len(seconds),
        "regret": float(np.median(regrets)),
        "runs": len(regrets),
    }


def _ratios(result: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """How many times faster each of ours is than its peer, together and alone; the targets."""
    ratios, targets = [], []
    for (name, opponent), target in TARGETS.items() if result["peer"] else ():
        theirs = result["peer"][opponent]["seconds"]
        for group in ("together", "alone"):
            ratio = theirs / result[group][name]["seconds"]
            ratios.append({"ours": name, "how": group, "peer": opponent, "ratio": ratio})
            if group == "together":
                label = f"{name} over {opponent}, times faster a proposal"
                targets.append({"name": label, "target": target, "reached": ratio, "met": bool(ratio >= target)})
    if any(not math.isfinite(entry["ratio"]) for entry in ratios):
        raise ValueError(f"a timing is not finite: {ratios}")
    return ratios, targets
