"""Maximum-likelihood and maximum-a-posteriori estimates of Gaussian-process hyperparameters.

The objective is the log marginal likelihood (Rasmussen & Williams 2006, eq. 2.30) plus, for MAP, a log prior density of
the hyperparameters or of their logarithms. It is maximised over logarithms, inside documented bounds, by BFGS from the
best of several starting points, each run for itself (:mod:`core.search.batching`).
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.models.gaussian_process import JITTER, gaussian_log_likelihood
from core.models.kernels import StationaryKernel
from core.numerics import nan_as_lowest
from core.search.batching import batch
from core.search.maximize import bounded_bfgs
from core.search.sobol import sobol_points
from core.types import Observations

__all__ = [
    "DEFAULT_BOUNDS",
    "Bounds",
    "Fit",
    "Hyperparameters",
    "LogPrior",
    "fit_hyperparameters",
    "gamma_prior",
    "starting_points",
]


class Hyperparameters(eqx.Module):
    """ARD lengthscales (unit of x), prior variance and noise variance (squared units of y)."""

    lengthscale: Float[Array, " d"]
    variance: Float[Array, ""]
    noise_variance: Float[Array, ""]

    @staticmethod
    def from_vector(values: Float[Array, " p"]) -> "Hyperparameters":
        """Make them from one vector: d lengthscales, the variance, the noise variance."""
        return Hyperparameters(values[:-2], values[-2], values[-1])

    def to_vector(self) -> Float[Array, " p"]:
        """Return them as one vector; see :meth:`from_vector`."""
        return jnp.concatenate([self.lengthscale, self.variance[None], self.noise_variance[None]])

    def shrunk(self, factor: float | Float[Array, ""]) -> "Hyperparameters":
        """The same with the lengthscales divided by a factor."""
        return Hyperparameters(self.lengthscale / factor, self.variance, self.noise_variance)

    def summary(self) -> dict[str, Float[Array, ""]]:
        """Scalars for a policy's diagnostics: geometric-mean lengthscale, variance, noise variance."""
        return {
            "lengthscale": jnp.exp(jnp.mean(jnp.log(self.lengthscale))),
            "variance": self.variance,
            "noise_variance": self.noise_variance,
        }


class Bounds(eqx.Module):
    """Box for the hyperparameters: (lower, upper) of each, for inputs in the unit cube and standardised outputs."""

    lengthscale: tuple[float, float] = eqx.field(static=True)
    variance: tuple[float, float] = eqx.field(static=True)
    noise_variance: tuple[float, float] = eqx.field(static=True)

    def __check_init__(self) -> None:
        """Every pair positive, finite and increasing."""
        for name in ("lengthscale", "variance", "noise_variance"):
            lower, upper = getattr(self, name)
            if not 0.0 < lower < upper < float("inf"):
                raise ValueError(f"bounds of {name} must satisfy 0 < lower < upper < inf, got ({lower}, {upper})")

    def log_box(self, dim: int) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper corner of the box of log hyperparameters, ordered as :meth:`Hyperparameters.to_vector`."""
        pairs = np.asarray([self.lengthscale] * dim + [self.variance, self.noise_variance])
        return np.log(pairs[:, 0]), np.log(pairs[:, 1])


DEFAULT_BOUNDS = Bounds(lengthscale=(0.02, 20.0), variance=(0.05, 50.0), noise_variance=(1e-6, 2.0))

TOLERANCE = 1e-4  # tolerance of BFGS, on the objective per observation and on transformed log hyperparameters

LogPrior = Callable[[Hyperparameters], Float[Array, ""]]


class Fit(eqx.Module):
    """Result of :func:`fit_hyperparameters`: the estimate, and the objective (log likelihood plus log prior) there."""

    parameters: Hyperparameters
    objective: Float[Array, ""]


def gamma_prior(shape: float, scale: float, *, of_logarithms: bool = False) -> LogPrior:
    """Independent Gamma(shape, scale) priors on every lengthscale, the variance and the noise variance.

    Log density up to a constant: ``(shape - 1) log v - v / scale``; that of the logarithms of the hyperparameters has
    ``shape log v`` in its place. For ``shape < 1`` the former has a pole at zero, and the posterior density then has no
    maximum: the likelihood stays positive as a lengthscale goes to zero.

    Raises:
        ValueError: a shape or scale that is not positive and finite.
    """
    if not (0.0 < shape < float("inf") and 0.0 < scale < float("inf")):
        raise ValueError(f"shape and scale of a Gamma prior must be positive and finite, got {shape} and {scale}")
    power = shape if of_logarithms else shape - 1.0

    def prior(parameters: Hyperparameters) -> Float[Array, ""]:
        values = parameters.to_vector()
        return jnp.sum(power * jnp.log(values) - values / scale)

    return prior


def fit_hyperparameters(
    observations: Observations,
    kernel: StationaryKernel,
    *,
    bounds: Bounds = DEFAULT_BOUNDS,
    prior: LogPrior | None = None,
    starts: int = 4,
    raw_candidates: int = 16,
    initial: Hyperparameters | None = None,
    max_steps: int = 50,
    fit_mean: bool = False,
) -> Fit:
    """``argmax_theta log p(y | x, theta) + log p(theta)`` over a box of log hyperparameters.

    Where the observations carry noise variances, these are added to the diagonal as known, and the fitted noise
    variance comes on top of them (its lower bound keeps it negligible where the known ones explain the data).

    Args:
        observations: data; y is best standardised, for the default bounds are meant for unit variance.
        kernel: one of :data:`core.models.kernels.STATIONARY`.
        bounds: box for the hyperparameters.
        prior: log prior density, added as it is: one of the hyperparameters and one of their logarithms have different
            maximisers; none for maximum likelihood.
        starts: how many of the best candidates are refined by BFGS.
        raw_candidates: starting points scored: ``initial`` if given, a default one, then Sobol points of a box
            where fits usually end.
        initial: a first candidate, such as the previous fit.
        max_steps: BFGS iterations at most.
        fit_mean: whether the prior mean is a constant, fitted along with theta; zero otherwise.

    Returns:
        The best of the local maxima found; never worse than the best candidate.

    Raises:
        ValueError: ``starts`` below 1, or fewer candidates than starts.
    """
    if not 1 <= starts <= raw_candidates:
        raise ValueError(f"expected 1 <= starts <= raw_candidates, got {starts} and {raw_candidates}")
    dim = observations.dim
    lower, upper = (jnp.asarray(corner) for corner in bounds.log_box(dim))
    objective = log_posterior(observations, kernel, prior, fit_mean=fit_mean)
    others = jnp.asarray(starting_points(raw_candidates - (initial is not None), dim))
    points = others if initial is None else jnp.concatenate([jnp.log(initial.to_vector())[None], others])
    points = jnp.clip(points, lower[None], upper[None])
    scores = batch(objective, points)
    chosen = jnp.argsort(-nan_as_lowest(scores))[:starts]
    scale = jnp.maximum(observations.count.astype(float), 1.0)

    def refine(start: Float[Array, " p"]) -> tuple[Float[Array, " p"], Float[Array, ""]]:
        found, values = bounded_bfgs(objective, start[None], lower, upper, max_steps, scale=scale, tolerance=TOLERANCE)
        return found[0], values[0]

    thetas, values = batch(refine, points[chosen])
    thetas = jnp.concatenate([points[chosen[:1]], thetas])
    values = jnp.concatenate([scores[chosen[:1]], values])
    best = jnp.argmax(values)
    return Fit(Hyperparameters.from_vector(jnp.exp(thetas[best])), values[best])


def log_posterior(
    observations: Observations, kernel: StationaryKernel, prior: LogPrior | None = None, *, fit_mean: bool = False
) -> Callable[[Float[Array, " p"]], Float[Array, ""]]:
    """``log p(y | x, theta) + log p(theta)`` as a function of the logarithms of the hyperparameters.

    They come as one vector: d lengthscales, the variance, the noise variance. With ``fit_mean`` it is the profile
    likelihood. Differentiable once (:func:`core.models.gaussian_process.gaussian_log_likelihood`). Squared differences
    of the inputs are computed here, once, as rows of one matrix: the Gram matrix, and by transposition its derivative
    in every lengthscale, is then a matrix-vector product an evaluation.
    """
    x, mask = observations.x, observations.mask
    known = jnp.sum(observations.noise_variance, axis=1)
    used = mask[:, None] & mask[None, :]
    squares = ((x[:, None, :] - x[None, :, :]) ** 2).transpose(2, 0, 1).reshape(x.shape[1], -1)

    def covariance(theta: Float[Array, " p"]) -> Float[Array, "n n"]:
        parameters = Hyperparameters.from_vector(jnp.exp(theta))
        correlation = jax.vmap(kernel.profile)(parameters.lengthscale**-2 @ squares).reshape(used.shape)
        noise = known + parameters.noise_variance + JITTER * parameters.variance
        return jnp.where(used, parameters.variance * correlation, 0.0) + jnp.diag(jnp.where(mask, noise, 1.0))

    likelihood = gaussian_log_likelihood(covariance, observations.y, mask, fit_mean=fit_mean)

    def objective(theta: Float[Array, " p"]) -> Float[Array, ""]:
        value = likelihood(theta)
        return value if prior is None else value + prior(Hyperparameters.from_vector(jnp.exp(theta)))

    return objective


_DEFAULT_START = (0.3, 1.0, 0.01)  # every lengthscale, the variance, the noise variance
_MODERATE = Bounds(lengthscale=(0.1, 2.0), variance=(0.3, 3.0), noise_variance=(1e-4, 0.3))


def starting_points(count: int, dim: int) -> Float[np.ndarray, "k p"]:
    """Logarithms of starting points: a default one, then Sobol points, but the origin, of a box where fits end."""
    if count < 1:
        return np.zeros((0, dim + 2))
    lengthscale, variance, noise = np.log(_DEFAULT_START)
    lower, upper = _MODERATE.log_box(dim)
    unit = sobol_points(int(np.ceil(np.log2(count))), dim + 2)[1:count]
    default = np.array([*[lengthscale] * dim, variance, noise])
    return np.concatenate([default[None], lower + unit * (upper - lower)])
