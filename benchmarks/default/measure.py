"""Processor seconds of the default: on the host (:mod:`core.host`), beside the same policy compiled by JAX and Optuna.

A step at t observations is a refit, from the fit of the data without the last observation, and a proposal. The
contestants take turns on the same data; compiling is reported beside the steps, not in them. Optuna's GPSampler, where
it is installed, proposes for a study of the same trials, and starts its fit from the one before. The first proposal is
that of a fresh process, imports included, on an objective that takes no time.
"""

import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.peers.contestants import CONTESTANTS
from benchmarks.settings import Settings
from benchmarks.targets import at_least, at_most
from benchmarks.timing import Report, take_turns, timed
from core.host import policy as host
from core.optimizer.encoding import capacity_for
from core.optimizer.options import DEFAULT_POLICY
from core.policies import make
from core.policies.near import looking_near
from core.types import Observations
from experiments.problems import get

__all__ = ["SETTINGS", "DefaultSettings", "measure"]

ROOT = Path(__file__).resolve().parent.parent.parent

FIRST = """
import json, time
start = time.perf_counter(), time.process_time()
from core import optimize
marks = []
def f(x):
    marks.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return float(-((x - 0.3) ** 2).sum())
optimize(f, [(0.0, 1.0)] * 3, budget=BUDGET, initial_size=SIZE, key=ROUND)
print(json.dumps([marks[SIZE], max(b[1] - a[1] for a, b in zip(marks[SIZE:], marks[SIZE + 1:]))]))
"""
"""The program of a fresh process: it prints the wall and processor seconds until the first proposal, and the processor
seconds of the longest later one."""


@dataclass(frozen=True, kw_only=True)
class DefaultSettings(Settings):
    """The task, fixed before any run.

    Attributes:
        policy: the default.
        problem: name in :mod:`experiments.problems`.
        counts: observations t.
        first: points of the initial design before the first proposal.
        budget: evaluations of the fresh process: beyond two capacities of compiled programs, 32 and 64.
        ahead: times by which a step is meant to be faster than Optuna's, from ``many`` observations on.
    """

    policy: str = DEFAULT_POLICY
    problem: str = "hartmann3"
    counts: tuple[int, ...] = (20, 60, 200, 500, 1000)
    first: int = 10
    budget: int = 70
    ahead: float = 10.0
    many: int = 200


SETTINGS = DefaultSettings()


def measure(settings: DefaultSettings, report: Report) -> dict[str, Any]:
    """JSON values: ``settings``, ``rows`` (a count each), ``first`` (fresh processes), ``targets``."""
    rows = [_row(count, settings, report) for count in settings.counts]
    first = []
    for turn in range(settings.rounds):
        report(f"fresh process {turn + 1} of {settings.rounds}")
        (wall, processor), largest = _fresh(turn, settings)
        first.append({"wall": wall, "processor": processor, "largest": largest})
    middle = {name: float(np.median([one[name] for one in first])) for name in ("wall", "processor", "largest")}
    compared = [row["optuna"] / row["host"] for row in rows if "optuna" in row and row["count"] >= settings.many]
    words = f"times faster a step than Optuna GP, worst t from {settings.many} on"
    targets = [
        *([at_least(words, settings.ahead, min(compared))] if compared else []),
        at_most("first proposal of a process, processor seconds", 1.5, middle["processor"]),
        at_most(f"longest later proposal up to t = {settings.budget}, processor seconds", 0.5, middle["largest"]),
    ]
    return {"settings": settings.config(), "rows": rows, "first": middle, "targets": targets}


def _row(count: int, settings: DefaultSettings, report: Report) -> dict[str, float]:
    problem = get(settings.problem)
    policy: Any = looking_near(make(settings.policy, problem.dim))
    x = jnp.asarray(np.random.default_rng(count).random((count, problem.dim)))
    y = jax.vmap(problem.value)(x)
    before = host.updated(policy, policy.first_guess(), Observations.of(x[:-1], y[:-1]))
    known = Observations.of(x, y, capacity=capacity_for(count))
    key = jax.random.key(count)
    compiled = eqx.filter_jit(lambda theta, seen: policy.propose(key, policy.update(theta, seen), seen)[0])
    contestants: dict[str, Callable[[int], float]] = {
        "host": lambda turn: timed(_step, policy, key, before, known)[0].processor,
        "jax": lambda turn: timed(compiled, before, known)[0].processor,
    }
    if not CONTESTANTS["optuna_gp"].missing:
        contestants["optuna"] = lambda turn: _of_optuna(np.asarray(x), np.asarray(y), count + turn)
    report(f"t = {count}: first calls, one of which compiles")
    firsts = {name: one(0) for name, one in contestants.items()}
    turns = take_turns(contestants, settings.rounds, partial(_at, report, count))
    spent = {name: float(np.median(seconds)) for name, seconds in turns.items()}
    return {"count": count, **spent, "jax_first": firsts["jax"], "ratio": spent["jax"] / spent["host"]}


def _at(report: Report, count: int, words: str) -> None:
    report(f"t = {count}, {words}")


def _of_optuna(x: np.ndarray, y: np.ndarray, seed: int) -> float:
    """Seconds of a proposal of Optuna, whose sampler has fitted the trials but the last one before."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the sampler is experimental
        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.GPSampler(seed=seed))
    box = {f"x{i}": optuna.distributions.FloatDistribution(0.0, 1.0) for i in range(x.shape[1])}
    trials = [
        optuna.trial.create_trial(params=dict(zip(box, point, strict=True)), distributions=box, value=value)
        for point, value in zip(x.tolist(), y.tolist(), strict=True)
    ]
    study.add_trials(trials[:-1])
    study.tell(study.ask(box), state=optuna.trial.TrialState.FAIL)
    study.add_trial(trials[-1])
    return timed(study.ask, box)[0].processor


def _step(policy: Any, key: jax.Array, before: Any, known: Observations) -> np.ndarray:
    point: np.ndarray = host.proposed(policy, key, 0, host.updated(policy, before, known), known)[0]
    return point


def _fresh(turn: int, settings: DefaultSettings) -> Any:
    program = FIRST.replace("BUDGET", str(settings.budget)).replace("SIZE", str(settings.first))
    command = [sys.executable, "-c", program.replace("ROUND", str(turn))]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
