"""Seconds a proposal of the methods for random contexts, on Ackley 2+1: contestants take turns in one run.

A proposal is everything between two evaluations: the refit after the new observation, warm-started from the fit before
it, and the search. One at a time, in one thread, as `core.optimize` makes them. The data are beginnings of runs of
SBO-KDE, so that they cluster as in a run. Wall seconds are the time that a user waits; processor seconds, which other
work on the machine disturbs less, stand beside them. The ratio of two methods is the median over rounds of the ratio in
the round.

The peer is not timed: its code is not a package (`benchmarks.context.public_code` holds a clone of it against ours).
`PUBLISHED` has what its authors' implementation (BoTorch, CVXPY) took when it was measured, once, on another machine of
two cores.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from benchmarks.context.brute_force import shortfalls, summary
from benchmarks.settings import Settings
from benchmarks.targets import at_most
from benchmarks.timing import Report, Seconds, quartiles, take_turns, timed
from core.designs import seed_keys
from core.optimizer.encoding import capacity_for
from core.policies import make
from core.policies.joint import JointPolicy
from core.simulate import simulate
from core.types import Observations

__all__ = ["METHODS", "PUBLISHED", "SETTINGS", "TARGETS", "Ackley", "ContextSettings", "measure"]

METHODS = ("sbo_kde", "drbo_kde", "drbo_mmd", "drbo_mmd_minimax", "stable_opt", "context_free_ucb")
LATE = METHODS[:-1]  # also timed with as many observations as the paper's runs end with
LATE_TARGETS = {"sbo_kde": 0.25, "drbo_kde": 0.25}
"""The target for the processor seconds of a proposal there."""
TARGETS = {"sbo_kde": 0.35, "drbo_kde": 0.35, "drbo_mmd": 2.0, "drbo_mmd_minimax": 0.35, "stable_opt": 0.35}
"""The target for the wall seconds of a proposal at the last count."""
RATIO_TARGETS = {"drbo_kde": 1.2, "drbo_mmd": 3.0, "drbo_mmd_minimax": 3.0, "stable_opt": 3.0}
"""The target for the ratio of processor seconds to those of SBO-KDE."""
SHORTFALL_ALLOWED = 1e-6
"""The allowed shortfall of the search against brute force in any state, as a share of the objective's range over a
lattice."""
PUBLISHED: dict[str, dict[str, Any]] = {
    "sbo_kde": {"seconds": {20: 2.6, 60: 6.7}, "raw_candidates": 1024, "starts": 50},
    "drbo_kde": {"seconds": {60: 23.8}, "raw_candidates": 32, "starts": 5},
}
"""Seconds a proposal of the authors' implementation, near those counts, with that search effort; M = 1,024."""


@dataclass(frozen=True, kw_only=True)
class ContextSettings(Settings):
    """The task, fixed before any run; everything else is each method's default, the paper's.

    Attributes:
        counts: the numbers of observations at which proposals are timed.
        initial_size: Sobol points that each run begins with.
        rounds: how often the contestants take turns, each time on another run's data.
        proposals: proposals timed a turn.
        late: number of observations at the end of the paper's runs, where those of `LATE` are timed as well.
        late_rounds: how often these take turns there.
        states: numbers of observations at which the search is compared with brute force, on every problem.
    """

    counts: tuple[int, ...] = (20, 60)
    initial_size: int = 10
    proposals: int = 3
    late: int = 360
    late_rounds: int = 2
    states: tuple[int, ...] = (20, 35, 60, 100, 160, 240, 340)


SETTINGS = ContextSettings()


class Ackley(eqx.Module):
    """Minus Ackley's function of (x, c) on [-32.768, 32.768]^3, c ~ N(0.5, 0.15^2) clipped to [0, 1], no noise."""

    dim: int = eqx.field(static=True, default=2)
    context_dim: int = eqx.field(static=True, default=1)

    def draw_context(self, key: PRNGKeyArray) -> Float[Array, " c"]:
        """A context."""
        return jnp.clip(0.5 + 0.15 * jax.random.normal(key, (self.context_dim,)), 0.0, 1.0)

    def observe(
        self, key: PRNGKeyArray, x: Float[Array, " d"], context: Float[Array, " c"]
    ) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """f(x, c), exactly."""
        del key
        z = 65.536 * jnp.concatenate([x, context]) - 32.768
        cosines = jnp.exp(jnp.mean(jnp.cos(2.0 * math.pi * z)))
        return 20.0 * jnp.exp(-0.2 * jnp.sqrt(jnp.mean(z**2))) + cosines - 20.0 - math.e, jnp.zeros(())

    def value(self, x: Float[Array, " d"]) -> Float[Array, ""]:
        """f at the middle context: no regret is reported here."""
        return self.observe(jax.random.key(0), x, jnp.full(self.context_dim, 0.5))[0]


@eqx.filter_jit
def _update(policy: JointPolicy, state: Any, observations: Observations) -> Any:
    return policy.update(state, observations)


@eqx.filter_jit
def _propose(policy: JointPolicy, key: PRNGKeyArray, state: Any, observations: Observations) -> Any:
    return policy.propose(key, state, observations)


def _refit_and_propose(policy: JointPolicy, key: PRNGKeyArray, state: Any, observations: Observations) -> Any:
    """The work between two evaluations, in two compiled programs as in `core.optimize`."""
    return _propose(policy, key, _update(policy, state, observations), observations)


@dataclass(frozen=True)
class _Bench:
    """Policies on the beginnings of the same runs, one a turn: x (s,T,d), y (s,T), context (s,T,c)."""

    policies: dict[str, Any]
    runs: Any
    keys: PRNGKeyArray
    settings: ContextSettings

    def data(self, turn: int, count: int) -> Observations:
        """The first `count` observations of a run."""
        x, y, context = (part[turn, :count] for part in (self.runs.x, self.runs.y, self.runs.context))
        return Observations.of(x, y, context, capacity=capacity_for(count))

    def state(self, name: str, turn: int, count: int) -> Any:
        """The policy's state after the fit to the first `count` observations."""
        policy = self.policies[name]
        return _update(policy, policy.init(self.keys[0]), self.data(turn, count))

    def play(self, name: str, count: int, turn: int) -> list[Seconds]:
        """Seconds of each proposal of a turn."""
        policy = self.policies[name]
        before = _update(
            policy, policy.init(self.keys[0]), self.data(turn, count - 1).grow(self.data(turn, count).capacity)
        )
        spent = []
        for key in jax.random.split(jax.random.fold_in(self.keys[turn], count), self.settings.proposals):
            observations = jax.block_until_ready(self.data(turn, count))
            spent.append(timed(_refit_and_propose, policy, key, before, observations)[0])
        return spent

    def take_turns(
        self, names: Sequence[str], counts: Sequence[int], rounds: int, report: Report
    ) -> dict[tuple[str, int], list[list[Seconds]]]:
        """The seconds by round, for each (method, count)."""
        contestants = {(name, count): partial(self.play, name, count) for count in counts for name in names}
        for name, count in contestants:
            report(f"{name}, t = {count}: first call, which compiles")
            self.play(name, count, 0)
        return take_turns(contestants, rounds, report, lambda one: f"{one[0]}, t = {one[1]}")


def measure(settings: ContextSettings, report: Report) -> dict[str, Any]:
    """Run all contestants; JSON values: ``settings``, ``rows``, ``ratios``, ``states``, ``targets``.

    A row is a method and a count: quartiles of its wall and processor seconds a proposal. ``ratios``: method → count →
    processor seconds over those of SBO-KDE. ``states``: :func:`benchmarks.context.brute_force.summary`.
    """
    policies: dict[str, Any] = {
        name: make(name, 2) if name == "context_free_ucb" else make(name, 2, context_dim=1) for name in METHODS
    }
    options: dict[str, Any] = {"initial_size": settings.initial_size, "design": "sobol"}

    def bench(rounds: int, count: int) -> _Bench:
        report(f"data: {rounds} runs of SBO-KDE, {count} observations")
        keys = seed_keys(range(rounds))
        return _Bench(policies, simulate(policies["sbo_kde"], Ackley(), keys, count, **options), keys, settings)

    last, late = settings.counts[-1], settings.late
    turns = bench(settings.rounds, last).take_turns(METHODS, settings.counts, settings.rounds, report)
    turns |= bench(settings.late_rounds, late).take_turns(LATE, (late,), settings.late_rounds, report)
    states = summary(shortfalls(settings.states, report), SHORTFALL_ALLOWED)

    rows = [_row(*one, turns[one]) for one in sorted(turns, key=lambda one: (METHODS.index(one[0]), one[1]))]
    ratios = {
        name: {str(count): _ratio(turns[name, count], turns["sbo_kde", count]) for count in (*settings.counts, late)}
        for name in RATIO_TARGETS
    }
    targets = [
        at_most(f"{row['method']}, wall seconds a proposal at t = {last}", TARGETS[row["method"]], row["wall"][1])
        for row in rows
        if row["method"] in TARGETS and row["count"] == last
    ]
    targets += [
        at_most(
            f"{row['method']}, processor seconds a proposal at t = {late}",
            LATE_TARGETS[row["method"]],
            row["processor"][1],
        )
        for row in rows
        if row["count"] == late and row["method"] in LATE_TARGETS
    ]
    targets += [
        at_most(f"{name} over SBO-KDE, processor seconds at t = {count}", target, ratios[name][str(count)])
        for name, target in RATIO_TARGETS.items()
        for count in (last, late)
    ]
    targets += [
        at_most(
            f"{row['method']} on {row['problem']}, of {row['states']} states those where the search lacks more than "
            f"{SHORTFALL_ALLOWED:g} of the range",
            0,
            row["beyond"],
        )
        for row in states
    ]
    return {"settings": settings.config(), "rows": rows, "ratios": ratios, "states": states, "targets": targets}


def _row(name: str, count: int, turns: list[list[Seconds]]) -> dict[str, Any]:
    """Quartiles over all proposals of all turns."""
    spent = [one for turn in turns for one in turn]
    wall, processor = (quartiles(values) for values in zip(*spent, strict=True))
    return {"method": name, "count": count, "wall": wall, "processor": processor}


def _ratio(ours: list[list[Seconds]], theirs: list[list[Seconds]]) -> float:
    """Median over rounds of the ratio, in the round, of median processor seconds."""

    def medians(turns: list[list[Seconds]]) -> list[float]:
        return [float(np.median([one.processor for one in turn])) for turn in turns]

    return float(np.median(np.divide(medians(ours), medians(theirs))))
