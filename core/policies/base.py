"""The interface of policies, and their shared parts: the effort of their searches, and the recommended point.

A policy is an immutable pytree with three pure methods::

    init(key) -> state
    propose(key, state, observations) -> (query, state, info)
    update(state, observations) -> state

``info`` is a flat dictionary of scalar diagnostics with the same entries at every step. Queries lie in the unit cube.

Classes are either abstract, and derived from, or concrete, and final: the code of a method stands in one class and its
abstract parents. Class attributes of :class:`Policy` hold the facts that others need without an instance, such as
whether the policy reads contexts or takes the horizon.
"""

from abc import abstractmethod
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from core.checks import require
from core.search.maximize import BatchFunction, Maximum, ScalarFunction, candidate_lattice, maximize, shift_lattice
from core.types import Observations

__all__ = ["HORIZON", "AcquisitionPolicy", "Info", "Policy", "SearchEffort", "State"]

State = Any
Info = dict[str, Float[Array, ""]]

HORIZON = 100
"""The number of evaluations after the initial data, for a policy whose caller does not know the number."""


class Policy(eqx.Module):
    """A sequential method on the unit cube of dimension ``dim``; see the module's docstring for the contract."""

    dim: eqx.AbstractVar[int]

    expects_gain: ClassVar[bool] = False
    """True where ``info["acquisition"]`` is the expected gain of the query, in the unit of y: a run can stop by it."""

    reads_contexts: ClassVar[bool] = False
    """True where the policy learns from a random context: its constructor takes ``context_dim``."""

    reads_values: ClassVar[bool] = True
    """True where the policy's queries depend on the observed values."""

    takes_horizon: ClassVar[bool] = False
    """True where the constructor takes ``horizon``, the number of evaluations planned after the initial data."""

    batches: ClassVar[bool] = True
    """True where the policy can propose a point while others are pending. False where it learns from each proposal's
    own outcome, as EXP3 does, and where a pending point lacks its context."""

    @property
    def context_dim(self) -> int:
        """Dimension of the contexts that the policy reads in the observations; 0 where it ignores them."""
        return 0

    def init(self, key: PRNGKeyArray) -> State:
        """State before any observation; memoryless policies have none."""
        del key
        return ()

    def project(self, x: Float[Array, " d"]) -> Float[Array, " d"]:
        """The admissible decision nearest to a point of the unit cube; initial designs consist of such decisions.

        Every point is admissible by default.
        """
        return x

    @abstractmethod
    def propose(
        self, key: PRNGKeyArray, state: State, observations: Observations
    ) -> tuple[Float[Array, " d"], State, Info]:
        """The next query, the state carried on, and diagnostics. Needs at least one observation."""

    def update(self, state: State, observations: Observations) -> State:
        """State after new observations; memoryless policies have nothing to update."""
        del observations
        return state

    def surrogate(self, state: State, observations: Observations) -> Float[Array, " n"]:
        """The policy's estimate of the objective at every observed row (unused rows arbitrary).

        The default is the observed values themselves.
        """
        del state
        return observations.y

    def predict(self, state: State, observations: Observations, x: Float[Array, " d"]) -> Float[Array, ""]:
        """The value expected at any point of the cube, in the unit of y, which stands for the value of a pending point.

        The default is the mean of the observed values, for policies without a model.
        """
        del state, x
        values = jnp.where(observations.mask, observations.y, 0.0)
        return jnp.sum(values) / jnp.maximum(observations.count, 1)

    def recommend(self, state: State, observations: Observations) -> Float[Array, " d"]:
        """The observed point with the largest :meth:`surrogate` value."""
        values = self.surrogate(state, observations)
        return observations.x[jnp.argmax(jnp.where(observations.mask, values, -jnp.inf))]


class SearchEffort(eqx.Module):
    """The effort of a policy's search for the maximum of its acquisition; the same for every method by default.

    Attributes:
        lattice: raw candidates before the random shift, shape (m, d).
        starts: number of the best candidates that BFGS refines.
        max_steps: BFGS iterations at most.
    """

    lattice: Float[Array, "m d"]
    starts: int = eqx.field(static=True)
    max_steps: int = eqx.field(static=True)

    @property
    def dim(self) -> int:
        """Dimension of the candidates."""
        return int(self.lattice.shape[1])

    @staticmethod
    def of(dim: int, raw_candidates: int = 1024, starts: int = 8, max_steps: int = 200) -> "SearchEffort":
        """Sobol candidates in ``dim`` dimensions.

        Raises:
            ValueError: dim or raw_candidates below 1, or negative starts or max_steps.
        """
        require(dim >= 1, f"dim must be at least 1, got {dim}")
        require(raw_candidates >= 1, f"raw_candidates must be at least 1, got {raw_candidates}")
        require(starts >= 0 and max_steps >= 0, f"starts and max_steps must be >= 0, got {starts}, {max_steps}")
        return SearchEffort(candidate_lattice(raw_candidates, dim), starts, max_steps)

    def maximize(
        self,
        key: PRNGKeyArray,
        acquisition: ScalarFunction,
        distance: ScalarFunction | None = None,
        around: Float[Array, "k d"] | None = None,
        together: BatchFunction | None = None,
    ) -> Maximum:
        """Maximise over the unit cube from a freshly shifted lattice; see :func:`core.search.maximize.maximize`.

        Args:
            key: draws the shift.
            acquisition: the function to maximise.
            distance: the distance to the data, for an acquisition that can be infinite.
            around: points near which the maximum may well be, such as the best observed; only
                :class:`core.policies.near.NearEffort` looks there.
            together: the acquisition of many points at once, for scoring the candidates.
        """
        del around
        candidates = shift_lattice(key, jax.lax.stop_gradient(self.lattice))
        return maximize(
            acquisition,
            candidates,
            starts=self.starts,
            distance=distance,
            max_steps=self.max_steps,
            together=together,
        )


class AcquisitionPolicy(Policy):
    """Abstract: a policy that maximises an acquisition over the unit cube.

    Attributes:
        effort: the effort of the search; :meth:`default_effort` where none is given.

    Raises:
        ValueError: dim below 1, or an effort made for another dimension; subclasses raise it on a constant outside its
            range or an unknown name.
    """

    dim: int = eqx.field(static=True)
    _: KW_ONLY
    effort: SearchEffort = eqx.field(default=None)

    def __post_init__(self) -> None:
        """The default effort depends on the dimension."""
        require(self.dim >= 1, f"dim must be at least 1, got {self.dim}")
        if self.effort is None:
            self.effort = self.default_effort()

    def __check_init__(self) -> None:
        made_for = self.effort.dim
        require(made_for == self.dim, f"effort was made for dimension {made_for}, the policy works in {self.dim}")

    def default_effort(self) -> SearchEffort:
        """The effort of :meth:`SearchEffort.of`."""
        return SearchEffort.of(self.dim)
