"""GP-UCB averaged over hyperparameters drawn from their posterior (Snoek et al. 2012), the peer "MCMC via HMC"."""

from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.gp_ucb import gp_ucb
from core.checks import require
from core.models.hmc import BURN_IN, DRAWS, LEAPFROG_STEPS, sample_hyperparameters
from core.models.hyperparameters import Hyperparameters
from core.models.standardized import standardized
from core.policies.base import Info, State
from core.policies.map_gp_ucb import MapPolicy
from core.types import Observations

__all__ = ["GpUcbMcmc"]


@final
class GpUcbMcmc(MapPolicy):
    """GP-UCB with hyperparameters integrated out (Snoek et al. 2012): the mean of A (A3) over the draws of a chain.

    The chain runs before every query, from its last draw; priors and box are those of
    :class:`core.policies.map_gp_ucb.MapPolicy`. The state is the draws, stacked. Nothing is fitted: ``fit_starts`` and
    ``fit_candidates`` are not used.

    Attributes:
        burn_in: transitions discarded; 200 in the paper.
        draws: transitions kept; 10 in the paper.
        leapfrog_steps: gradient evaluations a transition; the paper gives none.
        step_size: a fixed step with unit masses, or none for adapted ones. GPy, in which the paper implements, has
            the fixed step 0.1 and 20 leapfrog steps by default.
    """

    _: KW_ONLY
    burn_in: int = eqx.field(static=True, default=BURN_IN)
    draws: int = eqx.field(static=True, default=DRAWS)
    leapfrog_steps: int = eqx.field(static=True, default=LEAPFROG_STEPS)
    step_size: float | None = eqx.field(static=True, default=None)

    def __check_init__(self) -> None:
        """The chain is long enough for :func:`core.models.hmc.sample_hyperparameters`."""
        require(self.burn_in >= 20, f"burn_in must be at least 20, got {self.burn_in}")
        require(self.draws >= 4, f"draws must be at least 4, got {self.draws}")
        require(self.leapfrog_steps >= 1, f"leapfrog_steps must be at least 1, got {self.leapfrog_steps}")
        step_size = self.step_size
        require(step_size is None or 0.0 < step_size < float("inf"), f"step_size must be positive, got {step_size}")

    def init(self, key: PRNGKeyArray) -> State:
        """The first state of the first chain, as if it had been drawn throughout."""
        del key
        return jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (self.draws, *leaf.shape)), self.first_guess())

    def update(self, state: State, observations: Observations) -> State:
        """Learns nothing: the chain runs in :meth:`propose`, which has a key."""
        del observations
        return state

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of the averaged acquisition.

        Diagnostics: ``acquisition``, the averaged bound there in the unit of y; ``acceptance``, ``divergences`` and
        ``split_r_hat`` of the chain (:class:`core.models.hmc.Sample`); means of the draws.
        """
        chain_key, search_key = jax.random.split(key)
        sample = sample_hyperparameters(
            chain_key,
            standardized(observations),
            self.kernel,
            jax.tree.map(lambda leaf: leaf[-1], state),
            prior=self.log_prior,
            bounds=self.bounds(observations),
            burn_in=self.burn_in,
            draws=self.draws,
            leapfrog_steps=self.leapfrog_steps,
            step_size=self.step_size,
        )
        posteriors = jax.vmap(lambda theta: self.posterior(theta, observations))(sample.parameters)

        def acquisition(x: Float[Array, " d"]) -> Float[Array, ""]:
            return jnp.mean(jax.vmap(lambda process: gp_ucb(x, process, self.beta))(posteriors.process))

        best = self.effort.maximize(search_key, acquisition)
        summary = jax.vmap(lambda theta: theta.summary())(sample.parameters)
        info = {
            "acquisition": jax.tree.map(lambda leaf: leaf[0], posteriors).in_unit_of_y(best.value),
            "acceptance": sample.acceptance,
            "divergences": sample.divergences,
            "split_r_hat": sample.split_r_hat,
            **{name: jnp.mean(values) for name, values in summary.items()},
        }
        return best.x, sample.parameters, info

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """Posterior mean at the observed points, averaged over the draws, in the unit of y."""
        return jnp.mean(jax.vmap(lambda theta: self.posterior(theta, observations).means())(state), axis=0)

    def predict(self, state: State, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Posterior mean, averaged over the draws, in the unit of y."""

        def mean(theta: Hyperparameters) -> Float[Array, ""]:
            posterior = self.posterior(theta, observations)
            return posterior.in_unit_of_y(posterior.process.mean(x))

        return jnp.mean(jax.vmap(mean)(state))
