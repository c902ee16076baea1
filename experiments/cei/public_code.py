"""The protocol of the public code of the corrected-EI paper, as a policy: its model, its inputs and its search.

Source: github.com/han678/correctedNoisyEI, on BoTorch's `FixedNoiseGP`. It differs from what section 5.1 says, and from
our runs of Figure 3, in that

- hyperparameters are a maximum a posteriori estimate: priors Gamma(3, rate 6) on every lengthscale and Gamma(2, rate
  0.15) on the variance, fitted anew at each step from softplus(0) = log 2 with a constant mean, which has no prior and
  is therefore the generalised least-squares mean;
- the unit of the inputs is the span of all coordinates seen so far, one pair of ends for all axes. (The box searched
  is the problem's all the same: it is scaled alike.) Here the box is the unit cube, so that natural coordinates are
  meant only where all axes have the same bounds, as in the paper's four benchmarks;
- outputs are standardised by the sample standard deviation (n - 1), and a reported variance is at least 1e-6;
- the acquisition itself is maximised, not its logarithm, by `experiments.cei.loose_search`.
"""

import math
from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.acquisition.corrected_ei import corrected_expected_improvement
from core.acquisition.expected_improvement import expected_improvement, incumbent_index
from core.acquisition.probability_of_improvement import corrected_probability_of_improvement
from core.checks import require
from core.models.gaussian_process import JITTER, GaussianProcess, cholesky, constant_mean, gaussian_log_likelihood
from core.models.kernels import STATIONARY
from core.models.transform import standardize
from core.policies.base import Info, Policy, SearchEffort, State
from core.search.maximize import bounded_bfgs, candidate_lattice, shift_lattice
from core.types import Observations
from experiments.cei.loose_search import RAW_SAMPLES, loose_maximum

__all__ = ["ACQUISITIONS", "LENGTHSCALE_PRIOR", "VARIANCE_PRIOR", "PublicCode", "log_posterior", "scaled"]

LENGTHSCALE_PRIOR = (3.0, 6.0)
VARIANCE_PRIOR = (2.0, 0.15)
"""The shape and rate of the Gamma priors."""
START = math.log(2.0)
LEAST_NOISE = 1e-6
BOX = 1e-3, 1e3
"""The bounds of the hyperparameters; the public code only asks for positive ones."""
FIT_STEPS, FIT_TOLERANCE = 100, 1e-5

Formula = Callable[[Float[Array, " d"], GaussianProcess, Float[Array, " d"]], Float[Array, ""]]
ACQUISITIONS: dict[str, Formula] = {
    "ei": expected_improvement,
    "corrected_ei": corrected_expected_improvement,
    "corrected_pi": corrected_probability_of_improvement,
}
KERNEL = STATIONARY["matern52"]


def scaled(observations: Observations) -> tuple[Observations, Float[Array, ""], Float[Array, ""]]:
    """Inputs in units of the span of all coordinates seen, outputs and variances in sample deviations; the span's
    lower end and length, in the unit cube."""
    used = observations.mask[:, None]
    first = jnp.min(jnp.where(used, observations.x, jnp.inf))
    span = jnp.max(jnp.where(used, observations.x, -jnp.inf)) - first
    count = jnp.sum(observations.mask)
    z, _, deviation = standardize(observations.y, observations.mask)
    shrink = jnp.sqrt((count - 1) / count)
    variance = jnp.maximum(observations.noise_variance * (shrink / deviation) ** 2, LEAST_NOISE)
    x = jnp.where(used, (observations.x - first) / span, 0.0)
    return eqx.tree_at(lambda o: (o.x, o.y, o.noise_variance), observations, (x, shrink * z, variance)), first, span


def _covariance(data: Observations, theta: Float[Array, " p"]) -> Float[Array, "n n"]:
    """The covariance of the observations, with unit rows where none is in use; theta holds d lengthscales and the
    variance."""
    lengthscale, variance = theta[:-1], theta[-1]
    points = data.x / lengthscale[None, :]
    squares = jnp.sum((points[:, None, :] - points[None, :, :]) ** 2, axis=-1)
    used = data.mask[:, None] & data.mask[None, :]
    prior = jnp.where(used, variance * jax.vmap(KERNEL.profile)(squares.reshape(-1)).reshape(used.shape), 0.0)
    return prior + jnp.diag(jnp.where(data.mask, data.noise_variance[:, 0] + JITTER * variance, 1.0))


def log_posterior(data: Observations) -> Callable[[Float[Array, " p"]], Float[Array, ""]]:
    """The objective as a function of log theta, up to a constant: the log likelihood at the best constant mean, plus
    the log prior densities of lengthscales and variance (not of their logarithms)."""
    likelihood = gaussian_log_likelihood(
        lambda log_theta: _covariance(data, jnp.exp(log_theta)), data.y, data.mask, fit_mean=True
    )

    def objective(log_theta: Float[Array, " p"]) -> Float[Array, ""]:
        theta = jnp.exp(log_theta)
        prior = jnp.zeros(())
        for (shape, rate), values in ((LENGTHSCALE_PRIOR, theta[:-1]), (VARIANCE_PRIOR, theta[-1:])):
            prior += jnp.sum((shape - 1) * jnp.log(values) - rate * values)
        return likelihood(log_theta) + prior

    return objective


class PublicCode(Policy):
    """Maximises an acquisition by the protocol of the public code; see the module's docstring.

    Needs the noise variances in the observations. ``info`` holds the row of the incumbent x+, the observed point with
    the largest posterior mean, and the acquisition, on standardised outputs, of the proposal.

    Attributes:
        chosen: which of :data:`ACQUISITIONS`; a leaf, so that one compiled program serves all.
    """

    dim: int = eqx.field(static=True)
    effort: SearchEffort
    chosen: Int[Array, ""]

    def __init__(self, dim: int, *, acquisition: str) -> None:
        """Raises ValueError for an unknown acquisition."""
        require(acquisition in ACQUISITIONS, f"acquisition must be one of {sorted(ACQUISITIONS)}, got {acquisition!r}")
        self.dim = dim
        self.effort = SearchEffort(candidate_lattice(RAW_SAMPLES, dim), 4, 5)
        self.chosen = jnp.asarray(list(ACQUISITIONS).index(acquisition))

    def fit(self, data: Observations) -> Float[Array, " p"]:
        """The estimate from scaled data: d lengthscales and the variance."""
        low, high = (jnp.full(self.dim + 1, math.log(end)) for end in BOX)
        start = jnp.full((1, self.dim + 1), math.log(START))
        count = jnp.maximum(jnp.sum(data.mask), 1).astype(float)
        found, _ = bounded_bfgs(log_posterior(data), start, low, high, FIT_STEPS, scale=count, tolerance=FIT_TOLERANCE)
        return jnp.exp(found[0])

    def process(self, data: Observations, theta: Float[Array, " p"]) -> GaussianProcess:
        """The posterior of f less its constant mean, from scaled data."""
        residuals = data.y - constant_mean(cholesky(_covariance(data, theta)), data.y, data.mask)
        return GaussianProcess.fit(
            data.x, residuals, KERNEL, theta[:-1], theta[-1], data.noise_variance[:, 0], data.mask
        )

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The point found."""
        raw_key, start_key = jax.random.split(key)
        data, first, span = scaled(observations)
        process = self.process(data, self.fit(data))
        row = incumbent_index(process)
        incumbent = data.x[row]

        def acquisition(x: Float[Array, " d"]) -> Float[Array, ""]:
            return jnp.stack([formula(x, process, incumbent) for formula in ACQUISITIONS.values()])[self.chosen]

        lower, upper = (jnp.full(self.dim, end) for end in (-first / span, (1.0 - first) / span))
        raw = lower[None, :] + (upper - lower)[None, :] * shift_lattice(
            raw_key, jax.lax.stop_gradient(self.effort.lattice)
        )
        nonnegative = self.chosen == list(ACQUISITIONS).index("ei")
        found = loose_maximum(start_key, acquisition, raw, lower, upper, nonnegative)
        info = {"acquisition": acquisition(found), "incumbent": row.astype(float)}
        return jnp.clip(first + span * found, 0.0, 1.0), state, info
