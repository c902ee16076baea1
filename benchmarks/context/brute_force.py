"""The shortfall of the staged search of SBO-KDE and DRBO-KDE against brute force, on all problems of Paper C.

A state is a set of observations, with the fit to the set. Brute force starts from other places than the search: from a
lattice of its own, all observed decisions, all corners of the cube, and the proposal itself. Its starts are ranked and
refined on bounds interpolated from other contexts than the search's model; the best of them that lie apart, and the
proposal, are refined by BFGS on the objective itself. Brute force is a search as well: a shortfall is a lower bound.

The decisions crowd as those of a run do: after a design, half of them lie around the best one so far, from a thousandth
to a third of the cube's side away, and on its faces where they would lie outside; the other half are uniform.
"""

import itertools
from dataclasses import dataclass
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from benchmarks.timing import Report
from core.acquisition.context_ucb import ContextUcb, InterpolatedUcb
from core.optimizer.encoding import capacity_for
from core.policies import make
from core.policies.context_kde import DrboKde, KdePolicy
from core.search.batching import batch
from core.search.maximize import ScalarFunction, bounded_bfgs, candidate_lattice
from core.search.staged_search import best_apart
from core.types import Observations
from experiments.ctx import fig1a, fig1b, fig2
from experiments.problems.contexts.problem import ContextProblem
from experiments.problems.contexts.registry import get_context

__all__ = ["METHODS", "PROBLEMS", "crowded", "shortfalls", "summary"]

METHODS = ("sbo_kde", "drbo_kde")
PROBLEMS = (*fig1a.PROBLEMS, *fig1b.PROBLEMS, *fig2.PROBLEMS)
SEED = 7  # seed of the observations
DESIGN = 10
NODES = 64  # first contexts of the sample and of the Sobol sequence, the nodes of the interpolated bounds
LATTICE, SHIFT = 1024, 0.37
# numbers of points refined: lattice points and observed decisions on the interpolant; on the objective
STARTS, OBSERVED, FINE = 24, 8, 3
APART = 0.005
STEPS, TOLERANCE = 60, 1e-9


class Run(NamedTuple):
    """x (t,d), y (t,) and context (t,c)."""

    x: Float[Array, "t d"]
    y: Float[Array, " t"]
    context: Float[Array, "t c"]


@dataclass(frozen=True)
class State:
    """A state, and the shortfall of the search against brute force there, as a share of the objective's range."""

    problem: str
    method: str
    count: int
    shortfall: float


@eqx.filter_jit
def _fit(policy: KdePolicy, before: Any, observations: Observations) -> Any:
    return policy.update(before, observations)


@eqx.filter_jit
def _propose(policy: KdePolicy, key: PRNGKeyArray, state: Any, observations: Observations) -> Array:
    return policy.propose(key, state, observations)[0]


@eqx.filter_jit
def _lacking(
    policy: KdePolicy,
    key: PRNGKeyArray,
    state: Any,
    observations: Observations,
    proposal: Float[Array, " d"],
    lattice: Float[Array, "m d"],
) -> Float[Array, ""]:
    """Brute force less the objective at the proposal, as a share of the objective's range over the lattice."""
    context_key, _ = jax.random.split(key)
    process = policy.posterior(state, observations).process
    fine = policy.objectives(context_key, process, observations).fine
    model = _interpolant(policy, process, policy.sample(context_key, observations), observations)
    observed = jnp.where(observations.mask[:, None], observations.x, observations.x[:1])
    raw, at_observed = batch(model, lattice), batch(model, observed)
    middle, spread = jnp.median(raw), jnp.max(raw) - jnp.min(raw)

    def refine(objective: ScalarFunction, start: Float[Array, " d"]) -> tuple[Array, Array]:
        lower, upper = jnp.zeros(policy.dim), jnp.ones(policy.dim)
        found = bounded_bfgs(objective, start[None], lower, upper, STEPS, middle, spread, TOLERANCE)
        return found[0][0], found[1][0]

    best_observed = observed[best_apart(observed, at_observed, OBSERVED, APART)]
    starts = jnp.concatenate([lattice[best_apart(lattice, raw, STARTS, APART)], best_observed])
    reached, heights = batch(lambda x: refine(model, x), starts)
    few = jnp.concatenate([reached[best_apart(reached, heights, FINE, APART)], proposal[None]])
    unrefined = batch(fine, jnp.concatenate([few, best_observed]))
    best = jnp.maximum(jnp.max(unrefined), jnp.max(batch(lambda x: refine(fine, x), few)[1]))
    return (best - unrefined[FINE]) / spread


def _interpolant(policy: KdePolicy, process: Any, sample: Float[Array, "m c"], observations: Observations) -> Any:
    """The objective of bounds interpolated from the first contexts of the sample and of the Sobol sequence."""
    nodes = jnp.concatenate([sample[:NODES], candidate_lattice(NODES, policy.context_dim)])
    contexts = jnp.concatenate([sample, policy.lattice]) if isinstance(policy, DrboKde) else sample
    bounds = ContextUcb.of(process, contexts, policy.root_beta)
    interpolated = InterpolatedUcb.of(process, nodes, bounds.contexts, policy.root_beta)
    functional = policy.functional(observations)
    return lambda x: functional(interpolated(x))


def _lattice(dim: int) -> Array:
    """Shifted Sobol points and all corners of the cube."""
    corners = np.asarray(list(itertools.product((0.0, 1.0), repeat=dim)))
    return jnp.concatenate([jnp.mod(candidate_lattice(LATTICE, dim) + SHIFT, 1.0), jnp.asarray(corners)])


def crowded(problem: ContextProblem, count: int) -> Run:
    """Decisions as the module's docstring says, contexts of the problem, observed values."""
    rng, key = np.random.default_rng(SEED), jax.random.key(SEED)
    draw, observe = jax.jit(problem.draw_context), jax.jit(problem.observe)
    x = np.asarray(candidate_lattice(DESIGN, problem.dim))
    contexts: list[Array] = []
    values: list[float] = []
    for index in range(count):
        if index >= DESIGN:
            point = rng.random(problem.dim)
            if rng.random() < 0.5:
                width = 10.0 ** rng.uniform(-3.0, -0.5)
                point = np.clip(x[int(np.argmax(values))] + width * rng.standard_normal(problem.dim), 0.0, 1.0)
            x = np.append(x, point[None], axis=0)
        context_key, value_key = jax.random.split(jax.random.fold_in(key, index))
        contexts.append(draw(context_key))
        values.append(float(observe(value_key, jnp.asarray(x[index]), contexts[-1])[0]))
    return Run(jnp.asarray(x[:count]), jnp.asarray(values), jnp.stack(contexts))


def shortfalls(counts: tuple[int, ...], report: Report, problems: tuple[str, ...] = PROBLEMS) -> list[State]:
    """Every problem and method after every count of observations, ascending; one sequence of observations a problem."""
    found = []
    for name in problems:
        problem = get_context(name)
        run = crowded(problem, counts[-1])
        size = {"context_dim": problem.context_dim}
        policies: dict[str, Any] = {method: make(method, problem.dim, **size) for method in METHODS}
        state = policies["sbo_kde"].init(jax.random.key(0))
        for count in counts:
            x, y, context = (part[:count] for part in run)
            # One capacity for all counts: one program each to compile.
            observations = Observations.of(x, y, context, capacity=capacity_for(counts[-1]))
            state, key = _fit(policies["sbo_kde"], state, observations), jax.random.key(count)
            for method, policy in policies.items():
                report(f"{name}, {method}, t = {count}: brute force")
                proposal = _propose(policy, key, state, observations)
                lacking = _lacking(policy, key, state, observations, proposal, _lattice(problem.dim))
                found.append(State(name, method, count, float(lacking)))
    return found


def summary(states: list[State], allowed: float) -> list[dict[str, Any]]:
    """One row a problem and method, as JSON values: the number of states, the number beyond the allowed shortfall, the
    largest."""
    rows = []
    for (problem, method), group in itertools.groupby(
        sorted(states, key=lambda s: (PROBLEMS.index(s.problem), METHODS.index(s.method))),
        key=lambda s: (s.problem, s.method),
    ):
        lacking = [state.shortfall for state in group]
        beyond = sum(one > allowed for one in lacking)
        rows.append(
            {"problem": problem, "method": method, "states": len(lacking), "beyond": beyond, "worst": max(lacking)}
        )
    return rows
