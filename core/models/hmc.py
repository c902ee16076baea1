"""Hyperparameters drawn from their posterior by Hamiltonian Monte Carlo (blackjax).

Target: the density of the logarithms of the hyperparameters, ``p(y | x, theta) p(log theta)``, restricted to a box. The
chain moves in ``u``, ``log theta = lower + (upper - lower) sigmoid(u)``, where the target has the extra factor
``prod sigmoid(u) (1 - sigmoid(u))``. Step size (acceptance 0.8) and a diagonal mass matrix are adapted in the burn-in,
by Stan's windows.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.models.hyperparameters import DEFAULT_BOUNDS, Bounds, Hyperparameters, LogPrior, log_posterior
from core.models.kernels import StationaryKernel
from core.types import Observations

__all__ = ["BURN_IN", "DRAWS", "LEAPFROG_STEPS", "Sample", "sample_hyperparameters"]

BURN_IN = 200
DRAWS = 10
LEAPFROG_STEPS = 10
"""Chosen on a smooth function of 50 points: of ten draws, five steps left about two effective ones, ten steps six."""

_MARGIN = 1e-3  # the chain starts at least this fraction of the box away from its faces


class Sample(eqx.Module):
    """Draws of the hyperparameters, and how the chain went after the burn-in.

    Attributes:
        parameters: draws, stacked along a leading axis of length s.
        acceptance: mean acceptance probability; the burn-in aims at 0.8.
        divergences: share of the transitions that diverged; biased draws where it is not zero.
        split_r_hat: largest potential scale reduction over the hyperparameters, the halves of the chain taken as two
            chains (Gelman & Rubin). A handful of draws makes it a coarse warning, no proof.
    """

    parameters: Hyperparameters
    acceptance: Float[Array, ""]
    divergences: Float[Array, ""]
    split_r_hat: Float[Array, ""]


def sample_hyperparameters(
    key: PRNGKeyArray,
    observations: Observations,
    kernel: StationaryKernel,
    initial: Hyperparameters,
    *,
    prior: LogPrior | None = None,
    bounds: Bounds = DEFAULT_BOUNDS,
    burn_in: int = BURN_IN,
    draws: int = DRAWS,
    leapfrog_steps: int = LEAPFROG_STEPS,
    step_size: float | None = None,
) -> Sample:
    """``draws`` consecutive states of one chain, after ``burn_in`` discarded ones, adaptive unless a step is given.

    Args:
        key: for momenta and acceptances.
        observations: data; y is best standardised, for the default bounds are meant for unit variance.
        kernel: one of :data:`core.models.kernels.STATIONARY`.
        initial: where the chain starts.
        prior: log prior density of the *logarithms* of the hyperparameters; none for a uniform one on the box.
        bounds: box for the hyperparameters.
        burn_in: transitions discarded; at least 20, or there is nothing to adapt by.
        draws: transitions kept; at least 4, two for each half.
        leapfrog_steps: gradient evaluations a transition.
        step_size: a step that stays as it is, in ``u``, with unit masses; none for an adapted one.

    Raises:
        ValueError: a burn-in below 20, fewer than four draws, no leapfrog step, or a step size that is none.
    """
    for name, value, least in (("burn_in", burn_in, 20), ("draws", draws, 4), ("leapfrog_steps", leapfrog_steps, 1)):
        if value < least:
            raise ValueError(f"{name} must be at least {least}, got {value}")
    if step_size is not None and not 0.0 < step_size < float("inf"):
        raise ValueError(f"step_size must be positive and finite, got {step_size}")
    import blackjax  # imported at first use, by one policy of many

    lower, upper = (jnp.asarray(corner) for corner in bounds.log_box(observations.dim))
    target = log_posterior(observations, kernel, prior)
    density, to_log, from_log = _on_the_line(target, lower, upper)
    warmup_key, chain_key = jax.random.split(key)
    start = from_log(jnp.log(initial.to_vector()))
    if step_size is None:
        warmup = blackjax.window_adaptation(blackjax.hmc, density, num_integration_steps=leapfrog_steps)
        (state, tuned), _ = warmup.run(warmup_key, start, num_steps=burn_in)
        chain = blackjax.hmc(density, **tuned)
    else:
        chain = blackjax.hmc(density, step_size, jnp.ones(len(start)), leapfrog_steps)
        state = chain.init(start)

    def transition(state: blackjax.mcmc.hmc.HMCState, key: PRNGKeyArray) -> tuple[blackjax.mcmc.hmc.HMCState, tuple]:
        state, info = chain.step(key, state)
        return state, (state.position, info.acceptance_rate, info.is_divergent)

    if step_size is not None:
        state = jax.lax.scan(transition, state, jax.random.split(warmup_key, burn_in))[0]
    _, (positions, acceptance, divergent) = jax.lax.scan(transition, state, jax.random.split(chain_key, draws))
    values = jnp.exp(jax.vmap(to_log)(positions))
    parameters = jax.vmap(Hyperparameters.from_vector)(values)
    return Sample(parameters, jnp.mean(acceptance), jnp.mean(divergent.astype(float)), split_r_hat(jnp.log(values)))


def split_r_hat(chain: Float[Array, "s p"]) -> Float[Array, ""]:
    """Largest over p of ``sqrt(((n - 1) / n W + B / n) / W)``, for the two halves of the chain, n draws each.

    W is the mean of the variances within the halves, B / n the variance of their means. One where nothing moved.
    """
    half = chain.shape[0] // 2
    halves = jnp.stack([chain[:half], chain[-half:]])
    within = jnp.mean(jnp.var(halves, axis=1, ddof=1), axis=0)
    between = jnp.var(jnp.mean(halves, axis=1), axis=0, ddof=1)
    ratio = (half - 1) / half + between / jnp.where(within > 0.0, within, 1.0)
    return jnp.max(jnp.where(within > 0.0, jnp.sqrt(ratio), 1.0))


Map = Callable[[Float[Array, " p"]], Float[Array, " p"]]


def _on_the_line(
    target: Callable[[Float[Array, " p"]], Float[Array, ""]], lower: Float[Array, " p"], upper: Float[Array, " p"]
) -> tuple[Callable[[Float[Array, " p"]], Float[Array, ""]], Map, Map]:
    """The target as a density of u, the way from u to the box, and back."""

    def to_box(u: Float[Array, " p"]) -> Float[Array, " p"]:
        return lower + (upper - lower) * jax.nn.sigmoid(u)

    def from_box(theta: Float[Array, " p"]) -> Float[Array, " p"]:
        share = jnp.clip((theta - lower) / (upper - lower), _MARGIN, 1.0 - _MARGIN)
        return jnp.log(share) - jnp.log1p(-share)

    def density(u: Float[Array, " p"]) -> Float[Array, ""]:
        return target(to_box(u)) + jnp.sum(jax.nn.log_sigmoid(u) + jax.nn.log_sigmoid(-u))

    return density, to_box, from_box
