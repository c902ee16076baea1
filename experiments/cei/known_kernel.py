"""EI and corrected EI under a kernel that is known: nothing fitted, nothing standardised, as in appendix B."""

from dataclasses import KW_ONLY

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.corrected_ei import log_corrected_expected_improvement
from core.acquisition.expected_improvement import incumbent_index, log_expected_improvement
from core.checks import require
from core.models.gaussian_process import GaussianProcess
from core.models.kernels import squared_exponential
from core.policies.base import AcquisitionPolicy, Info, State
from core.policies.fields import number
from core.types import Observations

__all__ = ["ACQUISITIONS", "KnownKernel"]

ACQUISITIONS = {"ei": log_expected_improvement, "corrected_ei": log_corrected_expected_improvement}
"""B (5) and (7), in logarithms."""


class KnownKernel(AcquisitionPolicy):
    """Maximises EI or corrected EI under a zero-mean squared-exponential prior of variance 1.

    Needs the noise variances in the observations. ``info`` holds the maximised acquisition, in the unit of y, and the
    row of the incumbent x+, the observed point with the largest posterior mean (the first of equals).

    Attributes:
        acquisition: a key of :data:`ACQUISITIONS`.
        lengthscale: in units of the cube's side.
    """

    _: KW_ONLY
    acquisition: str = eqx.field(static=True)
    lengthscale: float | Float[Array, ""] = number()

    def __check_init__(self) -> None:
        acquisition, known = self.acquisition, sorted(ACQUISITIONS)
        require(acquisition in known, f"acquisition must be one of {known}, got {acquisition!r}")
        require(float(self.lengthscale) > 0, f"lengthscale must be positive, got {self.lengthscale}")

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
