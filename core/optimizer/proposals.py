"""The step from the state of a run to its next point: the initial design, the policy's update, and its proposal.

Every function takes a :class:`core.optimizer.record.Progress` and returns one. The object here keeps the decisions on
the transformation of values and on the programs begun, which can be made again.
"""

import warnings
from dataclasses import replace
from typing import Any

import jax
import numpy as np
from jaxtyping import Array

from core.models.output_transform import checkpoint, scale_of
from core.optimizer.encoding import observed, to_unit, with_pending
from core.optimizer.options import Settings
from core.optimizer.posterior import is_exact
from core.optimizer.programs import Ahead, first_state, log_likelihood, proposed, recommendation, updated
from core.optimizer.record import Progress, Record
from core.policies import Policy
from core.policies.refitted import RefittedPolicy
from core.policies.restricted import propose_from
from core.spaces.region import Region
from core.types import Observations

__all__ = ["Proposals"]


class Proposals:
    """The next points of a run.

    Attributes:
        settings: the settings of the run.
        ahead: makes programs ahead of need.
    """

    def __init__(self, settings: Settings) -> None:
        """Proposals for a run with these settings."""
        self.settings = settings
        self.ahead = Ahead(
            settings.policy,
            None if settings.domain.constrained else settings.searching,
            settings.init_key,
            settings.step_key,
            settings.initial_size,
            settings.failures,
            settings.budget,
        )
        self._scales: dict[int, float | None] = {}

    def with_next(self, progress: Progress) -> Progress:
        """Return the progress with one more pending point, and the diagnostics of its proposal.

        Raises:
            ValueError: see :meth:`core.optimizer.optimizer.Optimizer.ask`.
        """
        settings, history = self.settings, progress.history
        index, known = progress.proposals, self._observed(history)
        info = dict[str, Array]()
        self.ahead.look(history, progress.latest)
        if index < settings.initial_size or known is None:
            unit = self._design_point(index, progress)
        else:
            progress = self.learned(progress, known)
            if progress.pending and not settings.policy.batches:
                name = type(settings.policy).__name__
                raise ValueError(f"{name} learns from one proposal at a time: tell the pending one first")
            if progress.pending:
                unit_pending = to_unit(np.stack(progress.pending), settings.domain.box)
                known = with_pending(settings.policy, progress.carried, known, unit_pending)
            query, carried, info = self._propose(index, progress, known)
            scale = self.scale(history)
            if scale is not None and settings.policy.expects_gain and "acquisition" in info:
                # the slope of the transformation at the best value is one over the scale
                info = {**info, "acquisition": scale * info["acquisition"]}
            progress = replace(progress, carried=carried)
            unit = settings.domain.snapped(np.asarray(query))
        x = settings.domain.to_box(unit)
        return replace(progress, pending=(*progress.pending, x), info=info)

    def learned(self, progress: Progress, known: Observations) -> Progress:
        """Return the progress with the policy's state after the evaluations, where the state does not include all of
        them."""
        if progress.shown != len(progress.history):
            policy = self.settings.policy
            before = first_state(policy, self.settings.init_key) if progress.latest is None else progress.latest
            state = updated(policy, before, known)
            return replace(progress, state=state, carried=state, shown=len(progress.history))
        return replace(progress, carried=progress.state) if progress.carried is None else progress

    def recommended(self, progress: Progress) -> tuple[Progress, Any]:
        """Return the progress with the policy's state, and the point to use; see
        :attr:`core.optimizer.optimizer.Optimizer.recommended`."""
        known, succeeded = self._observed(progress.history), self._observed(progress.history, "drop")
        if known is None or succeeded is None:
            return progress, None
        progress, settings = self.learned(progress, known), self.settings
        history = self.history(progress)
        decides = history.noise_variance is not None or isinstance(settings.policy, RefittedPolicy)
        if decides and not history.context_dim and bool(is_exact(history)):
            return progress, history.best_x
        unit = np.asarray(recommendation(settings.policy, progress.state, succeeded))
        return progress, settings.domain.point(settings.domain.to_box(unit))

    def history(self, progress: Progress) -> Any:
        """The evaluations, with the policy's state where the state includes all of them."""
        state = progress.state if progress.shown == len(progress.history) else None
        scale = None if state is None else self.scale(progress.history)
        return replace(progress.history, state=state, scale=scale)

    def scale(self, history: Record) -> float | None:
        """Scale of the transformation of the values that the policy sees, by the evaluations up to a checkpoint."""
        first = self.settings.initial_size
        noisy = history.noise_variance is not None and bool(np.any(history.noise_variance > 0.0))
        if not self.settings.transforms or noisy or len(history) < first:
            return None
        at = checkpoint(len(history), first)
        if at not in self._scales:
            known = None if history.noise_variance is None else history.noise_variance[:at]
            beginning = replace(history, x=history.x[:at], y=history.y[:at], noise_variance=known)
            self._scales[at] = self._decided(beginning, len(history))
        return self._scales[at]

    def _decided(self, history: Record, room: int) -> float | None:
        """The scale with the largest likelihood of these evaluations."""
        if history.ok.sum() < 5:
            return None
        policy = self.settings.policy

        def likelihood(scale: float | None) -> float:
            known: Any = observed(history, "drop", room, scale)
            theta: Any = updated(policy, first_state(policy, self.settings.init_key), known)
            return float(log_likelihood(policy, theta, known))

        return scale_of(history.gains[history.ok], likelihood)

    def _observed(self, history: Record, failures: str | None = None) -> Observations | None:
        failures = self.settings.failures if failures is None else failures
        return observed(history, failures, scale=self.scale(history))

    def _propose(self, index: int, progress: Progress, known: Observations) -> tuple[Any, Any, dict[str, Array]]:
        """The point in the cube, the state and the diagnostics."""
        settings, region = self.settings, self._region(progress)

        def propose(policy: Policy) -> tuple[Any, Any, dict[str, Array]]:
            return proposed(policy, settings.step_key, index, progress.carried, known)

        if not settings.domain.constrained:
            result = propose(settings.searching)
            if region.allowed(settings.domain.snapped(np.asarray(result[0]))):
                return result
        return propose_from(propose, settings.searching, self._rng(index), region)

    def _design_point(self, index: int, progress: Progress) -> np.ndarray:
        """A point of the initial design, or a random one after it, in the cube."""
        settings = self.settings
        if index < settings.initial_size:
            unit = settings.design[index]
        else:
            unit = np.asarray(jax.random.uniform(jax.random.fold_in(settings.step_key, index), (settings.domain.dim,)))
        unit = np.asarray(settings.policy.project(jax.device_put(unit)))
        return settings.domain.allowed_near(unit, self._rng(index), self._region(progress))

    def _region(self, progress: Progress) -> Region:
        """The points that may be evaluated next: no point of a space twice, unless there is noise or all points are
        evaluated."""
        domain, noise = self.settings.domain, progress.history.noise_variance
        asked = [*progress.history.x, *progress.pending]
        known = to_unit(np.stack(asked), domain.box) if asked else np.zeros((0, domain.dim))
        if domain.space is None or not domain.space.rounds or (noise is not None and np.any(noise > 0.0)):
            return domain.region(known)
        region = domain.region(known, known)
        if region.cells is None or any(map(region.allowed, region.cells)):
            return region
        count = sum(map(region.feasible, region.cells))
        if count:
            which = " that are allowed" if domain.constrained else ""
            warnings.warn(f"all {count} points of the space{which} have been evaluated: more repeat", stacklevel=6)
        return domain.region(known)

    def _rng(self, index: int) -> np.random.Generator:
        """Draws the candidates of a constrained search."""
        return np.random.default_rng([*np.asarray(jax.random.key_data(self.settings.step_key)).ravel().tolist(), index])
