"""Whole runs of a policy on a JAX objective, for many seeds in the same compiled programs.

The seeds run one after the other on a CPU and all at once on an accelerator; :mod:`core.runs` has the programs. This
module serves experiments; for a Python function there is :func:`core.optimizer.optimize.optimize`.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from core.checks import check_budget, is_key
from core.designs import default_initial_size, initial_designs
from core.policies import Policy
from core.runs import Start, step_by_step, whole
from core.types import ContextObjective, Objective

__all__ = ["LONG", "Trajectory", "simulate"]

LONG = 64
"""The number of proposals of a run beyond which they are one program on a CPU too: the cost of a step's calls, about a
millisecond or a twentieth of BOKE's step for thirty seeds, then outweighs the time saved by compiling in parts."""


class Trajectory(eqx.Module):
    """The runs that :func:`simulate` returns; s seeds, T observations each, the first ``initial_size`` of them the
    design.

    Attributes:
        x: queries in the unit cube, shape (s, T, d).
        y: observed values, shape (s, T).
        value: noise-free objective at the queries, shape (s, T).
        info: diagnostics of the proposals, each of shape (s, T - initial_size).
        context: contexts observed, shape (s, T, c); c = 0 where the objective has none.
        initial_size: size of the initial design.
    """

    x: Float[Array, "s T d"]
    y: Float[Array, "s T"]
    value: Float[Array, "s T"]
    info: dict[str, Float[Array, "s p"]]
    context: Float[Array, "s T c"]
    initial_size: int = eqx.field(static=True)

    def simple_regret(self, optimum: float | Float[Array, ""]) -> Float[Array, "s T"]:
        """A (4): ``f(x*) - max_{i <= t} f(x_i)``, noise-free, for every t."""
        return optimum - jax.lax.cummax(self.value, axis=1)

    def cumulative_regret(self, optimum: float | Float[Array, ""]) -> Float[Array, "s T"]:
        """A (3): ``sum_{i <= t} (f(x*) - f(x_i))``, for every t."""
        return jnp.cumsum(optimum - self.value, axis=1)


def simulate(
    policy: Policy,
    objective: Objective | ContextObjective,
    keys: Key[Array, " s"],
    budget: int,
    *,
    initial_size: int | None = None,
    design: str = "lhs",
    known_noise: bool = False,
    one_program: bool | None = None,
) -> Trajectory:
    """Run a policy on an objective once a key, all keys in the same compiled programs.

    Each key is split by purpose: initial design, policy, and one noise key an observation. The design, the noise and
    the contexts depend on the key alone, so policies given the same keys can be compared in pairs.

    Where the objective has a random context, it is drawn after each query is chosen, and observed with the value.

    Args:
        policy: an instance from :data:`core.policies.REGISTRY`.
        objective: pure JAX functions of a point of the unit cube, see :class:`core.types.Objective` and
            :class:`core.types.ContextObjective`.
        keys: shape (s,), for instance :func:`core.designs.seed_keys`.
        budget: T, number of observations, the initial design included.
        initial_size: points of the initial design; :func:`core.designs.default_initial_size` by default.
        design: one of :data:`core.designs.DESIGNS`.
        known_noise: True gives the policy the variance of each observation's noise.
        one_program: True makes all steps one program, as timings need; by default on accelerators, for more than
            :data:`LONG` proposals, and inside a ``vmap`` over constants, where a loop in Python cannot be.

    Raises:
        ValueError: dimensions that differ, contexts of another dimension than the policy reads, keys that are not a
            vector, or a budget below the initial design.
    """
    if policy.dim != objective.dim:
        raise ValueError(f"policy works in dimension {policy.dim}, objective in {objective.dim}")
    context_dim = getattr(objective, "context_dim", 0)
    if policy.context_dim not in (0, context_dim):
        raise ValueError(f"policy reads contexts of dimension {policy.context_dim}, objective has {context_dim}")
    if not is_key(keys) or keys.ndim != 1 or keys.shape[0] == 0:
        raise ValueError(f"keys must be a non-empty vector of JAX keys, such as seed_keys(range(30)), got {keys!r}")
    size = default_initial_size(policy.dim) if initial_size is None else initial_size
    check_budget(budget, size)
    streams = jax.vmap(lambda key: jax.random.split(key, 3))(keys)
    start = Start(streams[:, 1], streams[:, 2], initial_designs(streams[:, 0], size, policy.dim, design))
    if one_program is None:
        traced = any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((policy, objective)))
        one_program = traced or jax.default_backend() != "cpu" or budget - size > LONG
    programs = whole if one_program or budget == size else step_by_step
    return Trajectory(*programs(policy, objective, start, budget, known_noise), size)
