"""The shared parts of the methods for random contexts: a Gaussian process on (x, c), refitted at every step, and the
search.

Source: Huang, Song, Xue & Qian (2023), section 3 and appendix B.1: UCB with sqrt(beta) = 1.5 on a Gaussian process
fitted anew at every step, 1,024 raw candidates and 50 starts. The paper names neither kernel nor priors; this project
uses those of the software's default model at the time (BoTorch 0.9, ``SingleTaskGP``): Matern-5/2 with ARD lengthscales
on standardised outputs, maximum a posteriori under the Gamma priors of :func:`default_prior`. That model also has a
constant mean, fitted along with the rest, and noise variances of at least 1e-4; section 2.1 supposes mean zero, which
is the default here.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, replace
from typing import ClassVar, NamedTuple, final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.acquisition.context_ucb import ContextUcb, InterpolatedUcb
from core.acquisition.gp_ucb import gp_ucb
from core.checks import require
from core.models.gaussian_process import GaussianProcess
from core.models.hyperparameters import DEFAULT_BOUNDS, Hyperparameters, fit_hyperparameters
from core.models.kernels import STATIONARY, StationaryKernel
from core.models.standardized import Posterior, standardized
from core.policies.base import AcquisitionPolicy, Info, SearchEffort, State
from core.policies.fields import choice, number
from core.search.batching import batch
from core.search.maximize import ScalarFunction, shift_lattice
from core.search.staged_search import StagedEffort, maximize_in_stages
from core.types import Observations

__all__ = [
    "ROOT_BETA",
    "ContextFreeUcb",
    "ContextPolicy",
    "Functional",
    "JointPolicy",
    "Objectives",
    "default_prior",
]

ROOT_BETA = 1.5  # the paper's value, for every method
STARTS = 50  # the paper's num_restarts
RAW_CANDIDATES = 1024  # the paper's raw_samples
NOISE_FLOOR, NOISE_CEILING = DEFAULT_BOUNDS.noise_variance
PRIOR_MEANS = ("zero", "fitted")


def default_prior(parameters: Hyperparameters) -> Float[Array, ""]:
    """Log density, up to a constant, of independent Gamma(shape, rate) priors (BoTorch 0.9's).

    Gamma(3, 6) on each lengthscale, Gamma(2, 0.15) on the prior variance, Gamma(1.1, 0.05) on the noise variance.
    """

    def log_gamma(value: Array, shape: float, rate: float) -> Array:
        return jnp.sum((shape - 1.0) * jnp.log(value) - rate * value)

    lengthscales = log_gamma(parameters.lengthscale, 3.0, 6.0)
    return lengthscales + log_gamma(parameters.variance, 2.0, 0.15) + log_gamma(parameters.noise_variance, 1.1, 0.05)


Functional = Callable[[Float[Array, " m"]], Float[Array, ""]]
"""A function of the bounds at m contexts."""


class JointPolicy(AcquisitionPolicy):
    """Abstract: a Gaussian process on decisions and the first ``context_dim`` context columns.

    Contexts lie in the unit cube; observed contexts outside are clipped. The state is the last fit of the
    hyperparameters, from which the next fit starts.

    Attributes:
        root_beta: sqrt(beta).
        kernel: covariance kernel on (x, c).
        fit_starts: starting points of each fit.
        prior_mean: the mean of the process on standardised outputs, ``"zero"``, or ``"fitted"``, the constant of
            largest likelihood.
        noise_floor: the least noise variance of a fit, on standardised outputs.
    """

    _: KW_ONLY
    root_beta: float | Float[Array, ""] = number(ROOT_BETA)
    kernel: StationaryKernel = choice("kernel", STATIONARY, "matern52")
    fit_starts: int = eqx.field(static=True, default=1)
    prior_mean: str = eqx.field(static=True, default="zero")
    noise_floor: float = eqx.field(static=True, default=NOISE_FLOOR, converter=float)

    def __check_init__(self) -> None:
        require(float(self.root_beta) >= 0, f"root_beta must not be negative, got {self.root_beta}")
        require(self.fit_starts >= 1, f"fit_starts must be at least 1, got {self.fit_starts}")
        require(self.prior_mean in PRIOR_MEANS, f"prior_mean must be one of {PRIOR_MEANS}, got {self.prior_mean!r}")
        require(
            0 < self.noise_floor < NOISE_CEILING,
            f"noise_floor must lie strictly between 0 and {NOISE_CEILING}, got {self.noise_floor}",
        )

    def default_effort(self) -> SearchEffort:
        """The paper's 1,024 raw candidates and 50 starts."""
        return SearchEffort.of(self.dim, RAW_CANDIDATES, STARTS)

    def contexts(self, observations: Observations) -> Float[Array, "n c"]:
        """The observed contexts, clipped to the unit cube.

        Raises:
            ValueError: the observations have too few context columns.
        """
        columns = observations.context.shape[1]
        require(
            columns >= self.context_dim,
            f"the policy needs observations with {self.context_dim} context columns, got {columns}",
        )
        return jnp.clip(observations.context[:, : self.context_dim], 0.0, 1.0)

    def init(self, key: PRNGKeyArray) -> State:
        """Moderate hyperparameters, until there are data."""
        del key
        return Hyperparameters(jnp.full(self.dim + self.context_dim, 0.5), jnp.ones(()), jnp.asarray(0.01))

    def update(self, state: State, observations: Observations) -> State:
        """The fit after new observations, started from the last."""
        return fit_hyperparameters(
            standardized(self.joint(observations)),
            self.kernel,
            bounds=replace(DEFAULT_BOUNDS, noise_variance=(self.noise_floor, NOISE_CEILING)),
            prior=default_prior,
            starts=self.fit_starts,
            initial=state,
            fit_mean=self.prior_mean == "fitted",
        ).parameters

    def joint(self, observations: Observations) -> Observations:
        """The observations with (x, c) as points."""
        points = jnp.concatenate([observations.x, self.contexts(observations)], axis=1)
        return eqx.tree_at(lambda o: (o.x, o.context), observations, (points, observations.context[:, :0]))

    def posterior(self, state: State, observations: Observations) -> Posterior:
        """The posterior on pairs (x, c) under the last fit."""
        return Posterior.fit(self.joint(observations), self.kernel, state, fit_mean=self.prior_mean == "fitted")

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """``1/t sum_j mu_t(x_i, c_j)``, the posterior mean over the contexts seen, in the unit of y."""
        posterior = self.posterior(state, observations)
        at = ContextUcb.of(posterior.process, self.contexts(observations), self.root_beta)
        weights = observations.mask / jnp.maximum(observations.count, 1)
        return posterior.in_unit_of_y(batch(lambda x: at.mean(x) @ weights, observations.x))


class Objectives(NamedTuple):
    """Arguments of :func:`core.search.staged_search.maximize_in_stages`, in standardised units."""

    coarse: ScalarFunction
    model: ScalarFunction
    near: Callable[[Float[Array, " d"]], ScalarFunction]
    fine: ScalarFunction

    @staticmethod
    def of(
        coarse: ScalarFunction, functional: Functional, bounds: ContextUcb, nodes: Float[Array, "k c"]
    ) -> "Objectives":
        """A functional of bounds at m contexts, and of the same bounds interpolated from nodes.

        Args:
            coarse: the coarse objective.
            functional: a function of the m bounds.
            bounds: the bounds at the contexts.
            nodes: contexts from which the model and the approximations near a point are interpolated, shape (k, c).
        """
        model = InterpolatedUcb.of(bounds.process, nodes, bounds.contexts, bounds.root_beta)

        def near(start: Float[Array, " d"]) -> ScalarFunction:
            corrected = model.corrected(bounds, start)
            return lambda x: functional(corrected(x))

        return Objectives(coarse, lambda x: functional(model(x)), near, lambda x: functional(bounds(x)))


class ContextPolicy(JointPolicy):
    """Abstract: a method that maximises some functional of ``ucb_t(x, .)`` over the contexts; see :meth:`objectives`.

    Attributes:
        context_dim: dimension of the contexts.
        stages: the effort of the search beyond its raw candidates and starts.
    """

    reads_contexts: ClassVar[bool] = True
    batches: ClassVar[bool] = False

    _: KW_ONLY
    context_dim: int = eqx.field(static=True, default=1)
    stages: StagedEffort = StagedEffort()

    def __check_init__(self) -> None:
        require(self.context_dim >= 1, f"context_dim must be at least 1, got {self.context_dim}")

    @abstractmethod
    def objectives(self, key: PRNGKeyArray, process: GaussianProcess, observations: Observations) -> Objectives:
        """The acquisition of this step: contexts are drawn here, once, and shared by all decisions."""

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of the acquisition; ``info`` has its value in the unit of y."""
        context_key, search_key = jax.random.split(key)
        posterior = self.posterior(state, observations)
        objectives = self.objectives(context_key, posterior.process, observations)
        candidates = shift_lattice(search_key, jax.lax.stop_gradient(self.effort.lattice))
        observed = jnp.where(observations.mask[:, None], observations.x, observations.x[:1])
        best = maximize_in_stages(*objectives, candidates, self.effort.starts, self.stages, observed)
        return best.x, state, {"acquisition": posterior.in_unit_of_y(best.value), **state.summary()}


@final
class ContextFreeUcb(JointPolicy):
    """GP-UCB, A (A3), on x alone, a peer of C: it ignores the context, and is otherwise as the methods of C."""

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of ``mu_t(x) + sqrt(beta) sigma_t(x)``."""
        posterior = self.posterior(state, observations)
        best = self.effort.maximize(key, lambda x: gp_ucb(x, posterior.process, self.root_beta**2))
        return best.x, state, {"acquisition": posterior.in_unit_of_y(best.value), **state.summary()}

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """Posterior mean at the observed points, in the unit of y."""
        return self.posterior(state, observations).means()

    def predict(self, state: State, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
        """Posterior mean, in the unit of y."""
        posterior = self.posterior(state, observations)
        return posterior.in_unit_of_y(posterior.process.mean(x))
