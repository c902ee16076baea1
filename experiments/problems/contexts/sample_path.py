"""Sample paths of a Gaussian process over (x, c) as problems with a random context.

The mean over contexts of a sum of cosines is a sum of cosines again,

    E sum_m a_m cos(w_m . x + v_m . c - p_m) = sum_m a_m |g_m| cos(w_m . x - p_m + arg g_m),  g_m = E exp(i v_m . c),

so that the expected path is itself a path in x, whose maximum :func:`experiments.problems.gp_sample.extremes` finds.
"""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.problems.checks import require
from experiments.problems.contexts.distributions import ContextDistribution, Normal
from experiments.problems.contexts.problem import ContextProblem, quadrature
from experiments.problems.gp_sample import extremes
from experiments.problems.sample_path import SamplePath, sample_path

__all__ = ["context_path_problem", "expected_path"]

NODES = 512
FEATURES = 1024


class JointPath(eqx.Module):
    """f(x, c) of a path over the joint space."""

    path: SamplePath

    def __call__(self, x: Float[Array, " d"], c: Float[Array, " c"]) -> Float[Array, ""]:
        """Value of the path at (x, c)."""
        return self.path(jnp.concatenate([x, c]))


def expected_path(path: SamplePath, dim: int, nodes: Float[np.ndarray, "m c"]) -> SamplePath:
    """The mean of a path over (x, c) over contexts of equal weight, a path over x."""
    frequency = np.asarray(path.frequency)
    mean = np.mean(np.exp(1j * nodes @ frequency[:, dim:].T), axis=0)
    return SamplePath(
        frequency=jnp.asarray(frequency[:, :dim]),
        phase=path.phase - jnp.asarray(np.angle(mean)),
        amplitude=path.amplitude * jnp.asarray(np.abs(mean)),
    )


def context_path_problem(
    dim: int = 1,
    context_dim: int = 1,
    seed: int = 0,
    kernel: str = "squared_exponential",
    lengthscale: float = 0.2,
    distribution: ContextDistribution | None = None,
) -> ContextProblem:
    """Maximise the expectation of a sample path, contexts from ``distribution`` (default: N(0.5, 0.15^2), clipped).

    Raises:
        ValueError: an argument outside its range; the message names it.
    """
    require(dim >= 1, f"dim: expected at least 1, got {dim}")
    require(context_dim >= 1, f"context_dim: expected at least 1, got {context_dim}")
    law = Normal(0.5, 0.15) if distribution is None else distribution
    path = sample_path(seed, dim + context_dim, kernel, lengthscale, 1.0, FEATURES)
    highest, where, _ = extremes(expected_path(path, dim, quadrature(law, context_dim, NODES)))
    return ContextProblem(
        name=f"context_path{dim}+{context_dim}",
        dim=dim,
        context_dim=context_dim,
        formula=JointPath(path),
        distribution=law,
        nodes=NODES,
        optimum=highest,
        optimizer=where,
    )
