"""Density of an uncontrollable random context, estimated from the contexts observed.

C (2), a Gaussian kernel a coordinate:
``p^(c) = 1/t sum_i prod_k N(c_k; c_ik, h_k^2)``, with the rule-of-thumb bandwidth

    h_k = (4 / (D_c + 2))^(1 / (D_c + 4)) sigma^_k t^(-1 / (D_c + 4)),

``sigma^_k`` the (population) standard deviation of the k-th coordinate of the observed contexts. The kernel is the
normalised one, ``(2 pi)^(-1/2) exp(-u^2 / 2)``; as printed, ``exp(-||u||^2)``, it does not integrate to one.

Source: Huang, Song, Xue & Qian (2023), "Stochastic Bayesian Optimization with Unknown Continuous Context Distribution
via Kernel Density Estimation"; Silverman (1986), eq. (4.14).
"""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from core.numerics import root

__all__ = ["BANDWIDTH_FLOOR", "ContextDensity", "context_moments", "rule_of_thumb"]

BANDWIDTH_FLOOR = 1e-6
"""Smallest bandwidth, in the unit of the contexts (policies scale them to the unit cube): where all contexts seen are
equal, sigma^ and the rule are zero and p^ would have no density; with the floor it is finite, and samples are that
context to six digits."""


def context_moments(
    contexts: Float[Array, "n c"], mask: Bool[Array, " n"] | None = None
) -> tuple[Float[Array, " c"], Float[Array, " c"]]:
    """Mean and population standard deviation of each coordinate over the rows in use (zeros without any)."""
    used = jnp.ones(contexts.shape[0], bool) if mask is None else mask
    weights = jnp.where(used, 1.0, 0.0) / jnp.maximum(jnp.sum(used), 1)
    mean = weights @ jnp.where(used[:, None], contexts, 0.0)
    deviation = jnp.where(used[:, None], contexts - mean[None], 0.0)
    variance = weights @ deviation**2
    return mean, root(variance)


def rule_of_thumb(contexts: Float[Array, "n c"], mask: Bool[Array, " n"] | None = None) -> Float[Array, " c"]:
    """``h`` of the module's docstring, one a coordinate; zero where the contexts seen are all equal."""
    used = jnp.ones(contexts.shape[0], bool) if mask is None else mask
    count = jnp.maximum(jnp.sum(used), 1).astype(float)
    dim = contexts.shape[1]
    _, deviation = context_moments(contexts, used)
    return (4.0 / (dim + 2) / count) ** (1.0 / (dim + 4)) * deviation


class ContextDensity(eqx.Module):
    """``p^`` of C (2), on all of R^c: its tails reach outside any box that the contexts live in.

    Attributes:
        contexts: observed contexts, shape (n, c).
        mask: rows in use, shape (n,); at least one.
        bandwidth: h, at least :data:`BANDWIDTH_FLOOR`, shape (c,).
    """

    contexts: Float[Array, "n c"]
    mask: Bool[Array, " n"]
    bandwidth: Float[Array, " c"]

    @staticmethod
    def fit(
        contexts: Float[Array, "n c"],
        mask: Bool[Array, " n"] | None = None,
        bandwidth: Float[Array, " c"] | None = None,
    ) -> "ContextDensity":
        """The estimate from the rows in use, with the rule-of-thumb bandwidth unless one is given.

        The standard deviation in the rule is not robust: a context far out widens the bandwidth for all. Policies
        therefore clip contexts to their box first.

        Raises:
            ValueError: contexts without a row or a column.
        """
        if contexts.shape[0] < 1 or contexts.shape[1] < 1:
            raise ValueError(f"contexts must have shape (n, c) with n, c >= 1, got {contexts.shape}")
        used = jnp.ones(contexts.shape[0], bool) if mask is None else mask
        chosen = rule_of_thumb(contexts, used) if bandwidth is None else bandwidth
        return ContextDensity(contexts, used, jnp.maximum(chosen, BANDWIDTH_FLOOR))

    def log_density(self, context: Float[Array, " c"]) -> Float[Array, ""]:
        """``log p^(c)``, by log-sum-exp; finite for every context that is."""
        scaled = (context[None] - self.contexts) / self.bandwidth[None]
        normalisation = jnp.sum(jnp.log(self.bandwidth)) + 0.5 * self.bandwidth.shape[0] * math.log(2.0 * math.pi)
        exponents = jnp.where(self.mask, -0.5 * jnp.sum(scaled**2, axis=1), -jnp.inf)
        return logsumexp(exponents) - normalisation - jnp.log(jnp.sum(self.mask))

    def density(self, context: Float[Array, " c"]) -> Float[Array, ""]:
        """``p^(c)``, C (2)."""
        return jnp.exp(self.log_density(context))

    def sample(self, key: PRNGKeyArray, count: int) -> Float[Array, "m c"]:
        """``count`` independent draws from p^, exact: a row in use, each as likely, plus h times a standard normal.

        They are not clipped to any box. The same key gives the same draws whatever the order of the observations:
        rows are numbered in lexicographic order of their contexts.
        """
        row_key, noise_key = jax.random.split(key)
        used = jnp.maximum(jnp.sum(self.mask), 1)
        order = jnp.lexsort((*self.contexts.T[::-1], ~self.mask))  # rows in use first
        rows = order[jax.random.randint(row_key, (count,), 0, used)]
        noise = jax.random.normal(noise_key, (count, self.contexts.shape[1]))
        return self.contexts[rows] + self.bandwidth[None] * noise
