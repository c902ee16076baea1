"""GP-UCB with lengthscales shrunk until it explores (Wang & de Freitas 2014), a peer of Paper D."""

from dataclasses import KW_ONLY
from typing import final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.acquisition.gp_ucb import posterior_deviation
from core.checks import require
from core.policies.base import Info, State
from core.policies.map_gp_ucb import MapPolicy
from core.types import Observations

__all__ = ["WangDeFreitas"]

DEVIATION = 0.1  # kappa of Wang & de Freitas
FACTORS = tuple(2.0 ** (step / 2) for step in range(11))  # the grid of their scaling factors, 1 to 32


@final
class WangDeFreitas(MapPolicy):
    """GP-UCB with lengthscales divided by the smallest factor that makes the query uncertain enough.

    ``l = l_MAP / s``, s the smallest factor of a grid for which the maximiser ``x_{t+1}`` of GP-UCB has
    ``sigma_t(x_{t+1}) >= kappa``; the last factor where none does. Source: Wang & de Freitas (2014) in the variant that
    Berkenkamp et al. (2019) compare with and Ha et al. run with ``kappa = 0.1``. The deviation is that of f on
    standardised outputs.

    Attributes:
        deviation: kappa.
        factors: the grid, increasing.
    """

    _: KW_ONLY
    deviation: float = eqx.field(static=True, default=DEVIATION)
    factors: tuple[float, ...] = eqx.field(static=True, default=FACTORS, converter=tuple)

    def __check_init__(self) -> None:
        require(self.deviation >= 0.0, f"deviation must not be negative, got {self.deviation}")
        increasing = all(low < high for low, high in zip(self.factors, self.factors[1:], strict=False))
        starts_above_one = len(self.factors) > 0 and self.factors[0] >= 1.0
        require(starts_above_one and increasing, f"factors must increase from 1, got {self.factors}")

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The maximiser of A (A3) under the first sufficient factor.

        Diagnostics: ``acquisition``, the bound there in the unit of y; ``factor``, the factor used; ``deviation``, in
        standard units; the hyperparameters before shrinking.
        """
        factors = jnp.asarray(self.factors)

        Carry = tuple[Int[Array, ""], Float[Array, " d"], Float[Array, ""], Float[Array, ""]]

        def unfinished(carry: Carry) -> Array:
            return (carry[3] < self.deviation) & (carry[0] < len(self.factors) - 1)

        def advance(carry: Carry) -> Carry:
            index = carry[0] + 1
            best = self.maximize(key, state.shrunk(factors[index]), observations)
            return index, best.x, best.bound, posterior_deviation(best.x, best.posterior.process)

        start = (jnp.asarray(-1), jnp.zeros(self.dim), jnp.zeros(()), jnp.asarray(-1.0))
        index, query, bound, deviation = jax.lax.while_loop(unfinished, advance, start)
        info = {"acquisition": bound, "factor": factors[index], "deviation": deviation, **state.summary()}
        return query, state, info
