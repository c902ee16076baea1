"""The model of a run: mean and deviation of the objective, predictions of the evaluations, and exact or noisy values.

The Gaussian process is the policy's own, under its last hyperparameters, where the policy has one and reads no
contexts. Otherwise a process is fitted to the run's evaluations for the purpose.

The process fitted to the other data predicts evaluation i, under the run's hyperparameters. With A the covariance of
the observations, noise included, and z their standardised values, the prediction of z_i is normal with mean ``z_i -
[A^{-1} z]_i / [A^{-1}]_ii`` and variance ``1 / [A^{-1}]_ii`` (Rasmussen and Williams 2006, (5.12)). Its residual, the
difference over the standard deviation, is standard normal if the model is right.

Known noise variances say whether observations are exact or noisy. Otherwise a Gaussian process with the noise variance
fitted is compared with one without noise, both at the hyperparameters of largest likelihood: observations count as
noisy where twice the difference of the log likelihoods exceeds ``CRITICAL``, the 95 % quantile of its distribution for
exact observations, half of which is zero and half chi-square of one degree (Chernoff 1954: zero is at the edge of the
noise's range). They count as exact where noise explains nothing: the fitted variance is the least that the fit allows,
or the difference is below ``NOTHING``. In between the data do not tell.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from core.checks import require
from core.environment import owned
from core.models.hyperparameters import Hyperparameters
from core.models.standardized import Posterior
from core.optimizer.encoding import observed, offset
from core.optimizer.programs import first_state, log_likelihood, updated
from core.optimizer.record import Record
from core.policies import make
from core.policies.refitted import RefittedPolicy
from core.types import Observations

__all__ = [
    "CRITICAL",
    "Diagnostics",
    "FLOOR",
    "INTERVAL",
    "NOTHING",
    "Prediction",
    "diagnostics",
    "is_exact",
    "predict",
]

INTERVAL = 1.96
"""Standard deviations on either side of the mean: an interval that holds the objective with probability 0.95, if the
process is right."""

CRITICAL, NOTHING = 2.71, 0.01
"""The bounds on twice the difference of log likelihoods: noisy above the first, exact below the second."""

FLOOR = 2e-6
"""The largest fitted noise variance, on standardised outputs, that the fit's lower bound, 1e-6, explains."""


SHORT, LONG = 0.1, 3.0
"""Lengthscales, as shares of a parameter's range, below which the objective is called rough along it, and above which
the parameter hardly matters."""

SURPRISING = 3.0
"""The absolute residual from which the summary names an evaluation."""


class Prediction(NamedTuple):
    """Means and standard deviations of the objective (not of observations) at some points, and the name
    of the model."""

    mean: np.ndarray
    deviation: np.ndarray
    noise: float
    whose: str


@owned
def predict(history: Record, unit: Float[np.ndarray, "m d"]) -> Prediction | None:
    """The posterior at points of the unit cube; None before any evaluation has succeeded.

    ``noise`` is the standard deviation of an observation's noise, known or estimated (their root mean square).
    """
    known = observed(history, "drop")
    if known is None:
        return None
    own = isinstance(history.policy, RefittedPolicy) and history.scale is None
    policy, state, whose = _model(history, known, own)
    mean, deviation, noise = _posterior(policy, state, known, jnp.asarray(unit))
    mean = mean + offset(history.gains[history.ok])
    sign = 1.0 if history.maximize else -1.0
    return Prediction(sign * np.asarray(mean), np.asarray(deviation), float(noise), whose)


def _model(history: Record, known: Observations, own: bool) -> tuple[Any, Any, str]:
    """The run's own policy and its state, or a policy fitted to the evaluations, and the words for it."""
    policy: Any = history.policy if own else make("gp_ucb_refit", history.x.shape[1])
    state = history.state if own else None
    if state is None:
        state = updated(policy, first_state(policy, jax.random.key(0)), known)  # any key gives the same answer
    return policy, state, f"model of {type(policy).__name__}" if own else "Gaussian process fitted to the evaluations"


@eqx.filter_jit
def _posterior(
    policy: RefittedPolicy, state: object, observations: Observations, unit: Float[Array, "m d"]
) -> tuple[Float[Array, " m"], Float[Array, " m"], Float[Array, ""]]:
    posterior: Posterior = policy.posterior(policy.in_force(state), observations)
    mean, deviation = jax.vmap(posterior.process.mean_and_deviation)(unit)
    used = jnp.where(observations.mask, posterior.noise_variance, 0.0)
    noise = jnp.sqrt(jnp.sum(used) / observations.count)
    return posterior.in_unit_of_y(mean), posterior.scale * deviation, posterior.scale * noise


@owned
def is_exact(history: Record) -> bool | None:
    """True where observations are exact, False where they are noisy; None where the data do not tell, as before any
    success."""
    known = observed(history, "drop", scale=history.scale)
    if known is None:
        return None
    if history.noise_variance is not None:
        return not np.any(history.noise_variance > 0.0)
    policy, theta = _fitted(history, known)
    if float(theta.noise_variance) <= FLOOR:
        return True
    exact = eqx.tree_at(lambda o: o.noise_variance, known, jnp.zeros((known.capacity, 1)))
    without: Hyperparameters = updated(policy, first_state(policy, jax.random.key(0)), exact)
    gain = log_likelihood(policy, theta, known) - log_likelihood(policy, without, exact)
    return False if 2.0 * float(gain) > CRITICAL else True if 2.0 * float(gain) <= NOTHING else None


def _fitted(history: Record, known: Observations) -> tuple[Any, Hyperparameters]:
    """A policy whose state holds hyperparameters of largest likelihood, and these: the run's own policy
    or another one."""
    own, state = history.policy, history.state
    likeliest = isinstance(own, RefittedPolicy) and own.log_prior is None and not history.failures
    if likeliest and isinstance(state, Hyperparameters):
        return own, state
    policy: Any = make("gp_ucb_refit", history.x.shape[1])
    theta: Hyperparameters = updated(policy, first_state(policy, jax.random.key(0)), known)
    return policy, theta


@dataclass(frozen=True)
class Diagnostics:
    """The findings of :meth:`core.optimizer.history.History.diagnostics`; ``print`` shows them in words.

    Attributes:
        evaluations: numbers of the evaluations that succeeded, shape (t,).
        observed: their values, shape (t,).
        predicted: the median of each, predicted from the others, shape (t,).
        low, high: ends of the 95 % interval of the prediction, noise included, shape (t,).
        residuals: (observed - predicted) over the standard deviation, in the unit in which the model is normal, of
            which larger is better, shape (t,).
        lengthscales: by parameter, as shares of its range, on its scale; the least over a choice's coordinates.
        deviation: prior standard deviation of the objective, in the unit of its values; of the values as the model sees
            them where ``transformed``.
        noise: standard deviation of the noise, known or fitted, in the same unit.
        transformed: True where a transformation shortened a tail of bad values before the fit
            (:mod:`core.models.output_transform`).
        whose: the policy whose model it is.
    """

    evaluations: np.ndarray
    observed: np.ndarray
    predicted: np.ndarray
    low: np.ndarray
    high: np.ndarray
    residuals: np.ndarray
    lengthscales: dict[str, float]
    deviation: float
    noise: float
    transformed: bool
    whose: str

    @property
    def held(self) -> int:
        """The number of intervals that hold the observed value."""
        return int(np.sum((self.low <= self.observed) & (self.observed <= self.high)))

    def __str__(self) -> str:
        """Return the diagnostics in a few lines."""
        count = len(self.observed)
        lines = [
            f"{self.whose}, each of {count} evaluations predicted from the others",
            f"95 % intervals hold {self.held} of {count}; residuals have mean {np.mean(self.residuals):.2f} "
            f"and standard deviation {np.std(self.residuals):.2f} (0 and 1 where the model is right)",
        ]
        if np.std(self.observed) > 0 and np.std(self.predicted) > 0:
            lines.append(
                f"correlation of predicted and observed: {np.corrcoef(self.predicted, self.observed)[0, 1]:.2f}"
            )
        far = np.flatnonzero(np.abs(self.residuals) > SURPRISING)
        if len(far):
            lines.append(f"surprising: evaluations {', '.join(str(self.evaluations[i]) for i in far)}")
        if self.transformed:
            lines.append("a long tail of bad values is drawn in before the fit")
        lines.append(f"objective varies by {self.deviation:.3g}, noise by {self.noise:.3g} (standard deviations)")
        lines += [f"{name}: lengthscale {size:.2g} of its range{_words(size)}" for name, size in self._by_size()]
        return "\n".join(lines)

    def _by_size(self) -> list[tuple[str, float]]:
        """The parameters by increasing lengthscale: the most important one comes first."""
        return sorted(self.lengthscales.items(), key=lambda pair: pair[1])


@owned
def diagnostics(history: Record) -> Diagnostics:
    """The diagnostics of a run, by the policy's own model, or by a model fitted for the purpose where the policy has
    none.

    Raises:
        ValueError: fewer than three successful evaluations; a run with contexts, whose model is of (x, c).
    """
    require(not history.context_dim, "a run with contexts has no diagnostics: its model is of decisions and contexts")
    require(int(history.ok.sum()) >= 3, "diagnostics need three successful evaluations")
    own = isinstance(history.policy, RefittedPolicy)
    scale = history.scale if own else None
    known: Any = observed(history, "drop", scale=scale)
    policy, state, whose = _model(history, known, own)
    theta: Hyperparameters = policy.in_force(state)
    mean, deviation, noise, unit = (np.asarray(part) for part in _left_out(policy, theta, known))
    count = int(known.count)
    shown, mean, deviation = np.asarray(known.y)[:count], mean[:count], deviation[:count]
    sign = 1.0 if history.maximize else -1.0
    gains = history.gains[history.ok]

    def in_values(seen: np.ndarray) -> np.ndarray:
        """Map the model's unit back to values."""
        back = seen if scale is None else gains.max() - offset(gains) - scale * np.expm1(-seen)
        return sign * (back + offset(gains))

    ends = in_values(mean - INTERVAL * deviation), in_values(mean + INTERVAL * deviation)
    return Diagnostics(
        evaluations=np.flatnonzero(history.ok),
        observed=history.y[history.ok],
        predicted=in_values(mean),
        low=np.minimum(*ends),
        high=np.maximum(*ends),
        residuals=(shown - mean) / deviation,
        lengthscales=_by_parameter(history, np.asarray(theta.lengthscale)),
        deviation=float(unit * np.sqrt(theta.variance)),
        noise=float(noise),
        transformed=scale is not None,
        whose=whose,
    )


@eqx.filter_jit
def _left_out(
    policy: RefittedPolicy, theta: Hyperparameters, observations: Observations
) -> tuple[Float[Array, " n"], Float[Array, " n"], Float[Array, ""], Float[Array, ""]]:
    """Means and deviations of the predictions, the noise's deviation, and the unit of the standardised values."""
    posterior: Posterior = policy.posterior(theta, observations)
    precision = jnp.sum(posterior.process.whitener**2, axis=1)
    standard = (observations.y - posterior.offset) / posterior.scale
    mean = posterior.in_unit_of_y(standard - posterior.process.weights / precision)
    used = jnp.where(observations.mask, posterior.noise_variance, 0.0)
    noise = posterior.scale * jnp.sqrt(jnp.sum(used) / observations.count)
    return mean, posterior.scale / jnp.sqrt(precision), noise, posterior.scale


def _by_parameter(history: Record, lengthscale: np.ndarray) -> dict[str, float]:
    if history.space is None:
        return dict(zip(history.names, lengthscale.tolist(), strict=True))
    widths = [parameter.width for parameter in history.space.parameters.values()]
    parts = np.split(lengthscale, np.cumsum(widths)[:-1])
    return {name: float(part.min()) for name, part in zip(history.names, parts, strict=True) if len(part)}


def _words(size: float) -> str:
    return ": rough along it" if size < SHORT else ": hardly matters" if size > LONG else ""
