"""The quality of the predictions of a method's Gaussian process, recorded during the run (Figures 3 and 4).

`Predicting` wraps a policy and changes none of its queries. Before every `every`-th query it records the mean squared
error of the posterior mean over given points, and the hyperparameters in force. Pairs of UHE-BO are counted from the
first proposal; `every` is even, so that the query recorded at is the second of a pair, before which hyperparameters
have just been estimated.

Each method predicts with the process that it searches with: UHE-BO and its ablations with the last estimate from
pseudo-data (and the real data), A-GP-UCB and Wang & de Freitas with the lengthscales that they have shrunk, MCMC with
the mean over its draws, the portfolio and MAP with the MAP estimate. Random search has no process: it is lent MAP's.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.models.hyperparameters import Hyperparameters
from core.models.standardized import standardized
from core.policies.base import Info, Policy, State
from core.policies.exploration import RandomSearch
from core.policies.map_gp_ucb import GpUcbMap, MapPolicy
from core.policies.mcmc_gp_ucb import GpUcbMcmc
from core.types import Observations

__all__ = ["CHUNK", "Predicting", "predict"]

CHUNK = 4096
"""The number of points predicted at once."""


def predict(
    model: MapPolicy, parameters: Hyperparameters, observations: Observations, points: Float[Array, "m d"]
) -> Float[Array, " m"]:
    """Posterior mean at the points, in the unit of y, under one set of hyperparameters."""
    posterior = model.posterior(parameters, observations)
    means = jax.lax.map(posterior.process.mean, points, batch_size=min(CHUNK, len(points)))
    return posterior.in_unit_of_y(means)


class Predicting(Policy):
    """The policy `inner` with its predictions recorded; see the module's docstring.

    Attributes:
        inner: the policy.
        model: makes posteriors, and the estimates for a policy without a process.
        points, truth: the points of comparison, and the objective there.
        initial_size: observations before the first proposal.
        every: proposals from one record to the next, even.
    """

    dim: int = eqx.field(static=True)
    inner: Policy
    model: MapPolicy
    points: Float[Array, "m d"]
    truth: Float[Array, " m"]
    initial_size: int = eqx.field(static=True)
    every: int = eqx.field(static=True)

    def __init__(
        self, inner: Policy, points: Float[Array, "m d"], truth: Float[Array, " m"], initial_size: int, every: int
    ) -> None:
        """Raises ValueError on an `every` that is odd or below 2."""
        if every < 2 or every % 2:
            raise ValueError(f"every must be even and at least 2, got {every}")
        self.dim = inner.dim
        self.inner = inner
        self.model = inner if isinstance(inner, MapPolicy) else GpUcbMap(inner.dim)
        self.points, self.truth = points, truth
        self.initial_size, self.every = initial_size, every

    def init(self, key: PRNGKeyArray) -> State:
        """The value of the inner policy."""
        return self.inner.init(key)

    def update(self, state: State, observations: Observations) -> State:
        """The value of the inner policy."""
        return self.inner.update(state, observations)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The inner policy's proposal; the diagnostics `mse`, `fit_lengthscale_<i>`, `fit_variance` and
        `fit_noise_variance` are added, NaN where nothing is recorded."""
        query, carried, info = self.inner.propose(key, state, observations)
        done = observations.count - self.initial_size

        def record() -> Float[Array, " k"]:
            draws = self.in_force(carried, info, observations)
            means = jax.vmap(lambda theta: predict(self.model, theta, observations, self.points))(draws)
            error = jnp.mean((jnp.mean(means, axis=0) - self.truth) ** 2)
            logs = jnp.column_stack(
                [jnp.log(draws.lengthscale), jnp.log(draws.variance), jnp.log(draws.noise_variance)]
            )
            return jnp.concatenate([error[None], jnp.exp(jnp.mean(logs, axis=0))])

        names = ["mse", *(f"fit_lengthscale_{i}" for i in range(self.dim)), "fit_variance", "fit_noise_variance"]
        nothing = jnp.full(len(names), jnp.nan)
        recorded = jax.lax.cond(done % self.every == self.every - 1, record, lambda: nothing)
        return query, carried, {**info, **dict(zip(names, recorded, strict=True))}

    def in_force(self, state: State, info: Info, observations: Observations) -> Hyperparameters:
        """The hyperparameters that the inner policy's search just used, stacked: several for MCMC, otherwise one."""
        if isinstance(self.inner, GpUcbMcmc):
            return _hyperparameters(state)
        if isinstance(self.inner, RandomSearch):
            model = self.model
            theta = model.fit(_hyperparameters(model.init(jax.random.key(0))), standardized(observations))
        else:
            theta = _hyperparameters(getattr(state, "parameters", state))
            shrinking = info.get("factor", jnp.ones(()))
            theta = theta.shrunk(shrinking)
        stacked: Hyperparameters = jax.tree.map(lambda leaf: leaf[None], theta)
        return stacked


def _hyperparameters(state: Any) -> Hyperparameters:
    if not isinstance(state, Hyperparameters):
        raise TypeError(f"no hyperparameters in a state of type {type(state).__name__}")
    return state
