"""A Gaussian process on outputs standardised on the data seen so far, and the way back to the unit of y.

With the mean ``m`` and the standard deviation ``s`` of the outputs (:func:`core.models.transform.standardize`), the
process is conditioned on ``(y_i - m) / s`` with noise variances ``v_i / s^2 + sigma^2``: v_i the known variance of an
observation, where there is one, and sigma^2 that of the hyperparameters. Its prior mean, in standard units, is zero or
the constant of largest likelihood.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from core.models.gaussian_process import GaussianProcess, constant_mean
from core.models.hyperparameters import Hyperparameters
from core.models.kernels import StationaryKernel
from core.models.transform import standardize
from core.types import Observations

__all__ = ["Posterior", "standardized"]


def standardized(observations: Observations) -> Observations:
    """The observations with outputs, and the variances of their noise, in standard units."""
    z, _, scale = standardize(observations.y, observations.mask)
    return eqx.tree_at(lambda o: (o.y, o.noise_variance), observations, (z, observations.noise_variance / scale**2))


class Posterior(eqx.Module):
    """The process on standardised outputs; build it with :meth:`fit`.

    Attributes:
        process: the process conditioned on the standardised outputs.
        noise_variance: noise variances that it was conditioned with, in standard units, shape (n,).
        offset, scale: prior mean of the process and standard deviation of the outputs, in the unit of y.
    """

    process: GaussianProcess
    noise_variance: Float[Array, " n"]
    offset: Float[Array, ""]
    scale: Float[Array, ""]

    @staticmethod
    def fit(
        observations: Observations,
        kernel: StationaryKernel,
        theta: Hyperparameters,
        noise_variance: Float[Array, ""] | None = None,
        *,
        fit_mean: bool = False,
    ) -> "Posterior":
        """Condition on the observations, under hyperparameters in standard units.

        Args:
            observations: data, y in its own unit.
            kernel: covariance kernel.
            theta: hyperparameters, in standard units.
            noise_variance: one for all observations, in standard units, in place of theirs and that of ``theta``.
            fit_mean: whether the prior mean is the constant of largest likelihood, in place of the outputs' mean.
        """
        z, offset, scale = standardize(observations.y, observations.mask)
        noise = noise_variance
        if noise is None:
            noise = jnp.sum(observations.noise_variance, axis=1) / scale**2 + theta.noise_variance

        def conditioned(residuals: Float[Array, " n"]) -> GaussianProcess:
            return GaussianProcess.fit(
                observations.x, residuals, kernel, theta.lengthscale, theta.variance, noise, observations.mask
            )

        process = conditioned(z)
        if fit_mean:
            best = constant_mean(process.factor, z, observations.mask)
            process, offset = conditioned(z - best), offset + scale * best
        return Posterior(process, jnp.broadcast_to(noise, z.shape), offset, scale)

    def in_unit_of_y(self, value: Float[Array, "*n"]) -> Float[Array, "*n"]:
        """``offset + scale z``: a value, mean or bound in standard units, in the unit of y."""
        return self.offset + self.scale * value

    def means(self) -> Float[Array, " n"]:
        """Posterior mean at the observed points, in the unit of y."""
        return self.in_unit_of_y(jax.vmap(self.process.mean)(self.process.x))
