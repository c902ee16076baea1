"""EI and corrected EI under a kernel that is known: nothing fitted, nothing standardised, as in appendix B."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.corrected_ei import log_corrected_expected_improvement
from core.acquisition.expected_improvement import incumbent_index, log_expected_improvement
from core.checks import require
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import squared_exponential
from core.policies.base import Info, Policy, SearchEffort, State, effort_for
from core.types import Observations

__all__ = ["ACQUISITIONS", "KnownKernel"]

ACQUISITIONS = {"ei": log_expected_improvement, "corrected_ei": log_corrected_expected_improvement}
"""B (5) and (7), in logarithms."""


class KnownKernel(Policy):
    """Maximises EI or corrected EI under a zero-mean squared-exponential prior of variance 1.

    Needs the noise variances in the observations. ``info`` holds the maximised acquisition, in the unit of y, and the
    row of the incumbent x+, the observed point with the largest posterior mean (the first of equals).

    Attributes:
        acquisition: a key of :data:`ACQUISITIONS`.
        lengthscale: in units of the cube's side.
    """

    dim: int = eqx.field(static=True)
    effort: SearchEffort
    acquisition: str = eqx.field(static=True)
    lengthscale: Float[Array, ""]

    def __init__(self, dim: int, *, acquisition: str, lengthscale: float, effort: SearchEffort | None = None) -> None:
        """Raises ValueError for an unknown acquisition or a lengthscale that is not positive."""
        require(acquisition in ACQUISITIONS, f"acquisition must be one of {sorted(ACQUISITIONS)}, got {acquisition!r}")
        require(lengthscale > 0, f"lengthscale must be positive, got {lengthscale}")
        self.dim = dim
        self.effort = effort_for(dim, effort)
        self.acquisition = acquisition
        self.lengthscale = jnp.asarray(lengthscale, float)

    def process(self, observations: Observations) -> GaussianProcess:
        """The posterior, B (2), (3)."""
        if not observations.noise_variance.shape[1]:
            raise ValueError("observations must carry noise variances: simulate(..., known_noise=True)")
        lengthscale = jnp.broadcast_to(self.lengthscale, (self.dim,))
        noise = observations.noise_variance[:, 0]
        return GaussianProcess.fit(
            observations.x, observations.y, squared_exponential, lengthscale, 1.0, noise, observations.mask
        )

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of the acquisition."""
        process = self.process(observations)
        row = incumbent_index(process)
        incumbent = observations.x[row]
        formula = ACQUISITIONS[self.acquisition]
        best = self.effort.maximize(key, lambda x: formula(x, process, incumbent))
        return best.x, state, {"acquisition": jnp.exp(best.value), "incumbent": row.astype(float)}
