"""UHE-BO (Algorithm 1 of Ha et al.) and its ablations RA-BO and Random + EXP3.

Evaluations come in pairs. In a pair of arm 0 (the paper's 1) the first query is uniform at random and the second
maximises GP-UCB; in a pair of arm 1 both maximise it. EXP3 chooses the arms by the larger value of the pair. Before
every maximisation hyperparameters are estimated from nearest-neighbour pseudo-data, D (2).
"""

from dataclasses import KW_ONLY
from typing import ClassVar, final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.exp3 import Exp3, paired_exploration_rate, scaled_reward
from core.models.hyperparameters import Hyperparameters
from core.models.pseudo_data import pseudo_data
from core.models.standardized import standardized
from core.policies.base import HORIZON, Info, State
from core.policies.map_gp_ucb import MapPolicy
from core.types import Observations

__all__ = ["PairedPolicy", "RaBo", "RandomExp3", "UheBo", "UheState"]


class UheState(eqx.Module):
    """The last estimate, the bandit, and the state of the run.

    Attributes:
        parameters: the last estimate.
        bandit: EXP3's weights.
        arm: arm of the present pair, 0 or 1; -1 before the first.
        lower, upper: smallest and largest value of the initial data D_0, which scale the rewards.
        initial_count: number of observations in D_0; 0 before any.
        rewarded: evaluations after D_0 whose pairs have been rewarded.
    """

    parameters: Hyperparameters
    bandit: Exp3
    arm: Int[Array, ""]
    lower: Float[Array, ""]
    upper: Float[Array, ""]
    initial_count: Int[Array, ""]
    rewarded: Int[Array, ""]


class PairedPolicy(MapPolicy):
    """Abstract: Algorithm 1, and its ablations by the two class attributes.

    The pairs are counted from D_0, the first observations that the policy sees. The recommended point maximises the
    posterior mean under the last estimate.

    Attributes:
        horizon: T, evaluations planned after D_0; it sets gamma.
        capped_rewards: True where a reward above the best of D_0 counts as one; see :func:`core.exp3.scaled_reward`.
    """

    learns: eqx.AbstractClassVar[bool]
    """True where EXP3 chooses the arms; otherwise every pair has arm 0."""

    corrects: eqx.AbstractClassVar[bool]
    """True where hyperparameters are estimated from pseudo-data; otherwise they are estimated from the data."""

    takes_horizon: ClassVar[bool] = True
    batches: ClassVar[bool] = False

    _: KW_ONLY
    horizon: int = eqx.field(static=True, default=HORIZON)
    capped_rewards: bool = eqx.field(static=True, default=True)

    def __check_init__(self) -> None:
        """The exploration rate is that of a horizon of at least 2."""
        paired_exploration_rate(self.horizon)

    def init(self, key: PRNGKeyArray) -> State:
        """The state with equal weights and no pair begun."""
        del key
        bandit = Exp3.init(2, paired_exploration_rate(self.horizon))
        nought = jnp.asarray(0)
        return UheState(self.first_guess(), bandit, jnp.asarray(-1), jnp.zeros(()), jnp.zeros(()), nought, nought)

    def update(self, state: State, observations: Observations) -> State:
        """Lines 18 to 21: D_0 is noted when it is first seen; a pair that is complete is rewarded, once."""
        count, mask, y = observations.count, observations.mask, observations.y
        first = state.initial_count == 0
        initial_count = jnp.where(first, count, state.initial_count)
        lower = jnp.where(first, jnp.min(jnp.where(mask, y, jnp.inf)), state.lower)
        upper = jnp.where(first, jnp.max(jnp.where(mask, y, -jnp.inf)), state.upper)
        elapsed = count - initial_count
        complete = (elapsed % 2 == 0) & (elapsed > state.rewarded)
        reward = scaled_reward(jnp.maximum(y[count - 1], y[count - 2]), lower, upper, capped=self.capped_rewards)
        rewarded = state.bandit.update(jnp.maximum(state.arm, 0), reward, bounded=self.capped_rewards)
        use = complete & (state.arm >= 0) & self.learns
        bandit = jax.tree.map(lambda new, old: jnp.where(use, new, old), rewarded, state.bandit)
        done = jnp.where(complete, elapsed, state.rewarded)
        return UheState(state.parameters, bandit, state.arm, lower, upper, initial_count, done)

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """Lines 6 to 17.

        Diagnostics: ``acquisition``, the bound at the query in the unit of y, minus infinity where the query is random;
        ``random``, one for a random query; ``arm``; ``random_probability``, that of arm 0; the last estimate.
        """
        arm_key, point_key, pseudo_key, search_key = jax.random.split(key, 4)
        begins = (observations.count - state.initial_count) % 2 == 0  # t is odd
        drawn = state.bandit.draw(arm_key) if self.learns else jnp.asarray(0)
        arm = jnp.where(begins | (state.arm < 0), drawn, state.arm)
        at_random = begins & (arm == 0)

        def explore() -> tuple[Float[Array, " d"], Hyperparameters, Float[Array, ""]]:
            return jax.random.uniform(point_key, (self.dim,)), state.parameters, jnp.asarray(-jnp.inf)

        def acquire() -> tuple[Float[Array, " d"], Hyperparameters, Float[Array, ""]]:
            parameters = self.estimate(pseudo_key, state.parameters, observations)
            best = self.maximize(search_key, parameters, observations)
            return best.x, parameters, best.bound

        query, parameters, bound = jax.lax.cond(at_random, explore, acquire)
        carried = eqx.tree_at(lambda s: (s.parameters, s.arm), state, (parameters, arm))
        info = {
            "acquisition": bound,
            "random": at_random.astype(float),
            "arm": arm.astype(float),
            "random_probability": state.bandit.probabilities()[0] if self.learns else jnp.ones(()),
            **parameters.summary(),
        }
        return query, carried, info

    def estimate(self, key: PRNGKeyArray, initial: Hyperparameters, observations: Observations) -> Hyperparameters:
        """Lines 14 and 15: the minimiser of D (2); the last minimiser is among the starting points."""
        data = standardized(observations)
        return self.fit(initial, pseudo_data(key, data) if self.corrects else data)

    def in_force(self, state: State) -> Hyperparameters:
        """The last estimate."""
        theta: Hyperparameters = state.parameters
        return theta


@final
class UheBo(PairedPolicy):
    """UHE-BO, Algorithm 1 of D."""

    learns = True
    corrects = True


@final
class RaBo(PairedPolicy):
    """RA-BO, section 6 of D: a random query and a maximiser of the acquisition in turn; estimates as in UHE-BO."""

    learns = False
    corrects = True


@final
class RandomExp3(PairedPolicy):
    """Random + EXP3, section 7.2 of D: UHE-BO with hyperparameters estimated from the data themselves."""

    learns = True
    corrects = False
