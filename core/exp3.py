"""EXP3, the exponential-weight algorithm for adversarial bandits (Auer et al. 2002), and UHE-BO's paired schedule.

Source: Algorithm 2 of the UHE-BO paper for K arms; Algorithm 1 plays it with K = 2 on pairs of evaluations. Weights are
kept as logarithms, shifted so that the largest is zero: probabilities are the same, and nothing overflows however
long the run.
"""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

__all__ = ["Exp3", "exploration_rate", "paired_exploration_rate", "scaled_reward"]


def exploration_rate(arms: int, reward_bound: int | float) -> float:
    """``gamma = min(1, sqrt(K ln K / ((e - 1) g)))``, the rate of the regret bound D (11).

    Args:
        arms: K, at least 2.
        reward_bound: g, an upper bound on the best arm's total reward, such as the number of rounds.

    Raises:
        ValueError: fewer than two arms (nothing to choose), or a bound that is not positive and finite.
    """
    if arms < 2:
        raise ValueError(f"arms must be at least 2, got {arms}")
    if not 0.0 < reward_bound < math.inf:
        raise ValueError(f"reward_bound must be positive and finite, got {reward_bound}")
    return min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1.0) * reward_bound)))


def paired_exploration_rate(horizon: int) -> float:
    """Algorithm 1, line 5: ``gamma = sqrt(4 log 2 / ((e - 1) T))``, at most 1: EXP3's for 2 arms and T/2 rounds.

    Raises:
        ValueError: a horizon below 2: it holds no pair.
    """
    if horizon < 2:
        raise ValueError(f"horizon must be at least 2, a pair of evaluations, got {horizon}")
    return exploration_rate(2, horizon / 2)


def scaled_reward(
    reward: Float[Array, ""], lower: Float[Array, ""], upper: Float[Array, ""], *, capped: bool = True
) -> Float[Array, ""]:
    """``(r - lower) / (upper - lower)`` clipped to [0, 1]; 1/2 where the range is empty.

    Algorithm 1, line 19: lower and upper are the extreme values of the initial data D_0. The paper treats neither
    rewards outside this range nor equal initial values. Without ``capped`` a reward above the best of D_0 exceeds 1:
    EXP3's bound is lost, and a run beyond that best still distinguishes the arms.
    """
    width = upper - lower
    scaled = (reward - lower) / jnp.where(width > 0.0, width, 1.0)
    return jnp.where(width > 0.0, jnp.clip(scaled, 0.0, 1.0 if capped else jnp.inf), 0.5)


class Exp3(eqx.Module):
    """State of EXP3: logarithms of the weights, the largest of them zero. Build it with :meth:`init`.

    Attributes:
        log_weights: shape (K,).
        gamma: share of uniform exploration, in (0, 1].
    """

    log_weights: Float[Array, " K"]
    gamma: float = eqx.field(static=True)

    @staticmethod
    def init(arms: int, gamma: float) -> "Exp3":
        """Algorithm 2, line 3: all weights one.

        Raises:
            ValueError: fewer than two arms, or gamma outside (0, 1].
        """
        if arms < 2:
            raise ValueError(f"arms must be at least 2, got {arms}")
        if not 0.0 < gamma <= 1.0:
            raise ValueError(f"gamma must lie in (0, 1], got {gamma}")
        return Exp3(jnp.zeros(arms), gamma)

    @property
    def arms(self) -> int:
        """Number of arms K."""
        return int(self.log_weights.shape[0])

    def probabilities(self) -> Float[Array, " K"]:
        """Line 5: ``p^m = (1 - gamma) w^m / sum_j w^j + gamma / K``."""
        return (1.0 - self.gamma) * jax.nn.softmax(self.log_weights) + self.gamma / self.arms

    def draw(self, key: PRNGKeyArray) -> Int[Array, ""]:
        """Line 6: an arm, 0 to K - 1, with these probabilities."""
        return jax.random.categorical(key, jnp.log(self.probabilities()))

    def update(self, arm: int | Int[Array, ""], reward: float | Float[Array, ""], *, bounded: bool = True) -> "Exp3":
        """Line 8: ``w^a <- w^a exp(gamma r / (K p^a))`` for the arm played, the other weights unchanged.

        Args:
            arm: the arm played, 0 to K - 1.
            reward: its reward in [0, 1]; EXP3's bound needs that range, see :func:`scaled_reward`.
            bounded: True refuses rewards above 1; negative rewards are always refused.

        Raises:
            ValueError: a reward outside its range or an arm that does not exist (where the values are known: not under
                ``jit``).
        """
        most = 1.0 if bounded else math.inf
        if not isinstance(reward, jax.core.Tracer) and not 0.0 <= float(reward) <= most:
            raise ValueError(f"reward must lie in [0, {most:g}], got {float(reward)}")
        if not isinstance(arm, jax.core.Tracer) and not 0 <= int(arm) < self.arms:
            raise ValueError(f"arm must be one of 0 to {self.arms - 1}, got {int(arm)}")
        estimate = reward / self.probabilities()[arm]
        raised = self.log_weights.at[arm].add(self.gamma * estimate / self.arms)
        return Exp3(raised - jnp.max(raised), self.gamma)
