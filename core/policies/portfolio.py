"""Portfolio of random search and GP-UCB under EXP3 (Hoffman et al. 2011, as Ha et al. run it)."""

from dataclasses import KW_ONLY
from typing import ClassVar, final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.checks import require
from core.exp3 import Exp3, exploration_rate, scaled_reward
from core.models.hyperparameters import Hyperparameters
from core.models.standardized import standardized
from core.policies.base import HORIZON, Info, State
from core.policies.map_gp_ucb import MapPolicy
from core.types import Observations

__all__ = ["PortfolioExp3", "PortfolioState"]


class PortfolioState(eqx.Module):
    """The last estimate, the bandit, and the state of the run.

    Attributes:
        parameters: the MAP estimate.
        bandit: EXP3's weights.
        arm: arm of the last query, 0 (random) or 1 (GP-UCB); -1 before the first.
        lower, upper: smallest and largest value of the initial data D_0, which scale the rewards.
        count: number of observations seen; 0 before any.
    """

    parameters: Hyperparameters
    bandit: Exp3
    arm: Int[Array, ""]
    lower: Float[Array, ""]
    upper: Float[Array, ""]
    count: Int[Array, ""]


@final
class PortfolioExp3(MapPolicy):
    """EXP3 chooses between a uniform query and a maximiser of GP-UCB before every evaluation (Hoffman et al. 2011).

    The reward is Hoffman et al.'s: the posterior mean at the query after its observation, here in units of the range of
    D_0. Hyperparameters are MAP estimates. Ha et al. name neither reward nor scaling.

    Attributes:
        horizon: T, evaluations planned after D_0; it sets gamma.
        capped_rewards: True where a reward above the best of D_0 counts as one; see :func:`core.exp3.scaled_reward`.
    """

    takes_horizon: ClassVar[bool] = True
    batches: ClassVar[bool] = False

    _: KW_ONLY
    horizon: int = eqx.field(static=True, default=HORIZON)
    capped_rewards: bool = eqx.field(static=True, default=True)

    def __check_init__(self) -> None:
        require(self.horizon >= 1, f"horizon must be at least 1, got {self.horizon}")

    def init(self, key: PRNGKeyArray) -> State:
        """The state with equal weights and no query."""
        del key
        bandit = Exp3.init(2, exploration_rate(2, self.horizon))
        return PortfolioState(self.first_guess(), bandit, jnp.asarray(-1), jnp.zeros(()), jnp.zeros(()), jnp.asarray(0))

    def update(self, state: State, observations: Observations) -> State:
        """A new MAP estimate; then the reward of the last query, once."""
        parameters = self.fit(state.parameters, standardized(observations))
        count, mask, y = observations.count, observations.mask, observations.y
        first = state.count == 0
        lower = jnp.where(first, jnp.min(jnp.where(mask, y, jnp.inf)), state.lower)
        upper = jnp.where(first, jnp.max(jnp.where(mask, y, -jnp.inf)), state.upper)
        posterior = self.posterior(parameters, observations)
        mean = posterior.in_unit_of_y(posterior.process.mean(observations.x[count - 1]))
        reward = scaled_reward(mean, lower, upper, capped=self.capped_rewards)
        rewarded = state.bandit.update(jnp.maximum(state.arm, 0), reward, bounded=self.capped_rewards)
        use = (count > state.count) & (state.arm >= 0)
        bandit = jax.tree.map(lambda new, old: jnp.where(use, new, old), rewarded, state.bandit)
        return PortfolioState(parameters, bandit, state.arm, lower, upper, count)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The query of the drawn arm.

        Diagnostics: ``acquisition``, the bound at the query in the unit of y, minus infinity where the query is random;
        ``arm``; ``random_probability``; the MAP estimate.
        """
        arm_key, point_key, search_key = jax.random.split(key, 3)
        arm = state.bandit.draw(arm_key)

        def explore() -> tuple[Float[Array, " d"], Float[Array, ""]]:
            return jax.random.uniform(point_key, (self.dim,)), jnp.asarray(-jnp.inf)

        def acquire() -> tuple[Float[Array, " d"], Float[Array, ""]]:
            best = self.maximize(search_key, state.parameters, observations)
            return best.x, best.bound

        query, bound = jax.lax.cond(arm == 0, explore, acquire)
        info = {
            "acquisition": bound,
            "arm": arm.astype(float),
            "random_probability": state.bandit.probabilities()[0],
            **state.parameters.summary(),
        }
        return query, eqx.tree_at(lambda s: s.arm, state, arm), info

    def in_force(self, state: State) -> Hyperparameters:
        """The MAP estimate."""
        theta: Hyperparameters = state.parameters
        return theta
