"""Policies that maximise an improvement over the incumbent, refitted at every step (corrected-EI paper, section 5).

The incumbent ``x+`` is the observed point of largest posterior mean. The *logarithm* of the acquisition is maximised,
because the acquisition itself underflows over most of the cube; diagnostics report the acquisition.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import ClassVar, final

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from core.acquisition.corrected_ei import corrected_expected_improvement, log_corrected_expected_improvement
from core.acquisition.expected_improvement import expected_improvement, incumbent_index, log_expected_improvement
from core.acquisition.noisy_ei import FANTASIES, NoisyExpectedImprovement
from core.acquisition.probability_of_improvement import (
    corrected_probability_of_improvement,
    log_corrected_probability_of_improvement,
    log_probability_of_improvement,
    probability_of_improvement,
)
from core.acquisition.qnei import SAMPLES, MonteCarloNoisyExpectedImprovement
from core.checks import require
from core.models.gaussian_process import GaussianProcess
from core.models.standardized import Posterior
from core.policies.base import Info, State
from core.policies.refitted import RefittedPolicy
from core.search.maximize import ScalarFunction
from core.types import Observations

__all__ = ["CorrectedEi", "CorrectedPi", "Ei", "ImprovementPolicy", "NoisyEi", "Pi", "QNei"]

BEST = 4
"""Observed points near which a search may look (:class:`core.policies.near.NearEffort`)."""

Formula = Callable[[Float[Array, " d"], GaussianProcess, Float[Array, " d"]], Float[Array, ""]]


class ImprovementPolicy(RefittedPolicy):
    """Abstract: everything but the formula."""

    expects_gain: ClassVar[bool] = True
    """True where the acquisition is in the unit of y; False where the acquisition is a probability."""

    @abstractmethod
    def formulas(
        self, key: PRNGKeyArray, posterior: Posterior, incumbent: Float[Array, " d"]
    ) -> tuple[ScalarFunction, ScalarFunction]:
        """The acquisition as a function of one point, on standardised outputs: its logarithm, and itself."""

    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """A maximiser of the acquisition.

        Diagnostics: ``acquisition``, its value there in the unit of y (probabilities as they are), and ``incumbent``,
        the row of x+ before the query.
        """
        search_key, sample_key = jax.random.split(key)
        ordered, order = _in_canonical_order(observations)
        posterior = self.posterior(state, ordered)
        row = incumbent_index(posterior.process)
        log_acquisition, acquisition = self.formulas(sample_key, posterior, ordered.x[row])
        best = self.effort.maximize(search_key, log_acquisition, around=self._best_observed(posterior))
        value = acquisition(best.x)
        info = {
            "acquisition": posterior.scale * value if self.expects_gain else value,
            "incumbent": order[row].astype(float),
            **state.summary(),
        }
        return best.x, state, info

    @staticmethod
    def _best_observed(posterior: Posterior) -> Float[Array, "k d"]:
        """The observed points of largest posterior mean, the incumbent first."""
        process = posterior.process
        means = jnp.where(process.mask, jax.vmap(process.mean)(process.x), -jnp.inf)
        return process.x[jnp.argsort(-means)[:BEST]]


class ClosedForm(ImprovementPolicy):
    """Abstract: the acquisition is a formula of x, the process and the incumbent."""

    closed_form: eqx.AbstractClassVar[tuple[Formula, Formula]]
    """The logarithm of the acquisition, and the acquisition."""

    def formulas(
        self, key: PRNGKeyArray, posterior: Posterior, incumbent: Float[Array, " d"]
    ) -> tuple[ScalarFunction, ScalarFunction]:
        """The class's formulas, given the process and the incumbent."""
        del key
        log_form, form = self.closed_form
        process = posterior.process
        return lambda x: log_form(x, process, incumbent), lambda x: form(x, process, incumbent)


@final
class Ei(ClosedForm):
    """Expected improvement over the incumbent's posterior mean, B (5)."""

    closed_form = (log_expected_improvement, expected_improvement)


@final
class CorrectedEi(ClosedForm):
    """Corrected expected improvement, B (7), (8): the paper's method."""

    closed_form = (log_corrected_expected_improvement, corrected_expected_improvement)


@final
class Pi(ClosedForm):
    """Probability of improvement over the incumbent's posterior mean, ``Phi(z)`` (Kushner 1964), a peer of B."""

    expects_gain = False
    closed_form = (log_probability_of_improvement, probability_of_improvement)


@final
class CorrectedPi(ClosedForm):
    """Probability that f(x) exceeds f(x+), both uncertain, ``Phi(z~)`` (Ma et al. 2019), a peer of B."""

    expects_gain = False
    closed_form = (log_corrected_probability_of_improvement, corrected_probability_of_improvement)


@final
class NoisyEi(ImprovementPolicy):
    """Noisy expected improvement (Letham et al. 2019), a peer of B: the mean of EI over noise-free models.

    Attributes:
        fantasies: noise-free models averaged over.
    """

    _: KW_ONLY
    fantasies: int = eqx.field(static=True, default=FANTASIES)

    def __check_init__(self) -> None:
        require(self.fantasies >= 1, f"fantasies must be at least 1, got {self.fantasies}")

    def formulas(
        self, key: PRNGKeyArray, posterior: Posterior, incumbent: Float[Array, " d"]
    ) -> tuple[ScalarFunction, ScalarFunction]:
        """An average of EI; each model has its own incumbent."""
        del incumbent
        fitted = NoisyExpectedImprovement.fit(key, posterior.process, posterior.noise_variance, self.fantasies)
        return fitted.log_value, fitted.value


@final
class QNei(ImprovementPolicy):
    """Monte-Carlo noisy expected improvement, q = 1 (Balandat et al. 2020), a peer of B.

    Attributes:
        samples: quasi-random joint samples.
    """

    _: KW_ONLY
    samples: int = eqx.field(static=True, default=SAMPLES)

    def __check_init__(self) -> None:
        require(self.samples >= 1, f"samples must be at least 1, got {self.samples}")

    def formulas(
        self, key: PRNGKeyArray, posterior: Posterior, incumbent: Float[Array, " d"]
    ) -> tuple[ScalarFunction, ScalarFunction]:
        """An average over joint samples; each has its own incumbent."""
        del incumbent
        fitted = MonteCarloNoisyExpectedImprovement.fit(key, posterior.process, posterior.noise_variance, self.samples)
        return fitted.log_value, fitted.value


def _in_canonical_order(observations: Observations) -> tuple[Observations, Int[Array, " n"]]:
    """The observations sorted by their points, used rows first, and the former index of each row.

    Samples at the observed points then depend on the data as a set, not on their order.
    """
    order = jnp.lexsort((observations.y, *observations.x.T[::-1], ~observations.mask))
    ordered = eqx.tree_at(
        lambda o: (o.x, o.context, o.y, o.noise_variance),
        observations,
        (observations.x[order], observations.context[order], observations.y[order], observations.noise_variance[order]),
    )
    return ordered, order
