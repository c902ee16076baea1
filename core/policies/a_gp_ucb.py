"""A-GP-UCB (Berkenkamp, Schoellig & Krause 2019): GP-UCB whose lengthscales shrink as a reference regret allows.

``theta_t = theta_MAP / g(t)`` with ``g(t) >= 1`` never decreasing. In the original, GP-UCB's regret is with high
probability at most ``sqrt(C t beta_t I_theta(y_t; f))``, where I is the information gain. Shorter lengthscales raise I,
and g makes this bound follow a sub-linear reference, ``p(t) = t^0.9``. Ha et al. (appendix C) take ``g(t) = h(t)``,
with h from "the one-step prediction technique with Eq. (16)" and a grid search, and print neither the formula nor the
grid.

We take the smallest h of a grid, no smaller than the last, for which the bound after the next query reaches the
reference,

    (t + 1) I_{theta_MAP / h}(y_{t+1}; f) / (t_0 I_{theta_MAP}(y_{t_0}; f)) >= (p(t + 1) / p(t_0))^2,

where t counts observations, t_0 those of the initial data D_0, and the predicted information adds the gain of the query
that GP-UCB makes under h, ``1/2 log(1 + sigma_t^2(x_{t+1}) / sigma^2)``. The constants C and beta cancel: only growth
from D_0, where nothing is shrunk, counts. (Without the division one observation at sigma^2 = 10^-6, 6.9 nats, would
meet ``p(t)^2 / (t beta)`` until t = 25, and ten such observations until t = 461, so that lengthscales hardly shrink
without noise.)
"""

from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.checks import require
from core.models.gaussian_process import JITTER
from core.models.hyperparameters import Hyperparameters
from core.models.standardized import Posterior, standardized
from core.policies.base import Info, State
from core.policies.map_gp_ucb import MapPolicy
from core.types import Observations

__all__ = ["AGpUcb", "AGpUcbState"]

EXPONENT = 0.9  # exponent of the reference regret p(t)
GRID = tuple(2.0 ** (step / 4) for step in range(21))  # values of h, 1 to 32


class AGpUcbState(eqx.Module):
    """The last estimate, and the shrinkage of the lengthscales.

    Attributes:
        parameters: the MAP estimate, before shrinking.
        index: position of h(t) in the grid.
        factor: h(t), by which the lengthscales are divided.
        initial_count: number of observations in D_0; 0 before any.
    """

    parameters: Hyperparameters
    index: Int[Array, ""]
    factor: Float[Array, ""]
    initial_count: Int[Array, ""]

    def in_force(self) -> Hyperparameters:
        """The hyperparameters of the model: MAP with its lengthscales divided by h(t)."""
        return self.parameters.shrunk(self.factor)


@final
class AGpUcb(MapPolicy):
    """A-GP-UCB (Berkenkamp et al. 2019), as D, appendix C, runs it; the module's docstring has the formulas.

    The recommended point maximises the posterior mean of the shrunk model.

    Attributes:
        exponent: a of the reference ``p(t) = t^a``.
        grid: the values of h, increasing from 1.
    """

    _: KW_ONLY
    exponent: float = eqx.field(static=True, default=EXPONENT)
    grid: tuple[float, ...] = eqx.field(static=True, default=GRID, converter=tuple)

    def __check_init__(self) -> None:
        """The reference must be sub-linear and ``p(t)^2 / t = t^(2 a - 1)`` must grow: a lies in (1/2, 1)."""
        require(0.5 < self.exponent < 1.0, f"exponent must lie in (1/2, 1), got {self.exponent}")
        increasing = all(low < high for low, high in zip(self.grid, self.grid[1:], strict=False))
        starts_at_one = len(self.grid) > 0 and self.grid[0] == 1.0
        require(starts_at_one and increasing, f"grid must increase from 1, got {self.grid}")

    def init(self, key: PRNGKeyArray) -> State:
        """The state in which no lengthscale has shrunk."""
        del key
        nought = jnp.asarray(0)
        return AGpUcbState(self.first_guess(), nought, jnp.ones(()), nought)

    def update(self, state: State, observations: Observations) -> State:
        """A new MAP estimate; D_0 is counted when it is first seen."""
        parameters = self.fit(state.parameters, standardized(observations))
        first = jnp.where(state.initial_count == 0, observations.count, state.initial_count)
        return AGpUcbState(parameters, state.index, state.factor, first)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The maximiser of A (A3) under the smallest sufficient h; under the largest one where none is.

        Diagnostics: ``acquisition``, the bound there in the unit of y; ``factor``, h(t); ``information``, predicted for
        the data and the query, in nats; ``required``, what the reference asks for; the MAP estimate, not shrunk.
        """
        grid, count = jnp.asarray(self.grid), observations.count
        start = jnp.where(state.initial_count == 0, count, state.initial_count)
        unshrunk = row_gains(self.posterior(state.parameters, observations))
        initial = jnp.sum(jnp.where(jnp.arange(observations.capacity) < start, unshrunk, 0.0))
        required = initial * ((count + 1.0) / start) ** (2.0 * self.exponent - 1.0)

        Carry = tuple[Int[Array, ""], Float[Array, " d"], Float[Array, ""], Float[Array, ""]]

        def unfinished(carry: Carry) -> Array:
            return (carry[3] < required) & (carry[0] < len(self.grid) - 1)

        def advance(carry: Carry) -> Carry:
            index = carry[0] + 1
            best = self.maximize(key, state.parameters.shrunk(grid[index]), observations)
            posterior = best.posterior
            noise = jnp.sum(jnp.where(observations.mask, posterior.noise_variance, 0.0)) / count
            predicted = 0.5 * jnp.log1p(posterior.process.variance_at(best.x) / noise)
            information = jnp.sum(row_gains(posterior)) + predicted
            return index, best.x, best.bound, information

        before = (state.index - 1, jnp.zeros(self.dim), jnp.zeros(()), jnp.asarray(-jnp.inf))
        index, query, bound, information = jax.lax.while_loop(unfinished, advance, before)
        carried = AGpUcbState(state.parameters, index, grid[index], state.initial_count)
        info = {
            "acquisition": bound,
            "factor": grid[index],
            "information": information,
            "required": required,
            **state.parameters.summary(),
        }
        return query, carried, info

    def in_force(self, state: State) -> Hyperparameters:
        """The MAP estimate, shrunk."""
        theta: Hyperparameters = state.in_force()
        return theta


def row_gains(posterior: Posterior) -> Float[Array, " n"]:
    """Information that each row adds to the rows before it, in nats; zero on unused rows.

    The terms ``log L_ii - 1/2 log Sigma_ii`` of ``1/2 log det(I + Sigma^{-1} K)``, where ``L L^T = K + Sigma``: the sum
    of the first k is the information in the first k rows.
    """
    process = posterior.process
    noise = posterior.noise_variance + JITTER * process.variance
    gains = jnp.log(jnp.diagonal(process.factor)) - 0.5 * jnp.log(noise)
    return jnp.where(process.mask, gains, 0.0)
