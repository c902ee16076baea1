"""When the programs of a run are begun to be made: before they are needed, where they surely will be."""

from dataclasses import dataclass
from typing import Any

from jaxtyping import PRNGKeyArray

from core.optimizer.history import History
from core.optimizer.programs import compile_ahead, first_state
from core.optimizer.shown import capacity_for, observed
from core.policies import Policy

__all__ = ["Ahead"]


@dataclass
class Ahead:
    """Has the programs of one run made in time; see :mod:`core.optimizer.compiled` for how.

    Those of the first proposal are begun when a point is asked for after the first evaluation (which tells whether
    variances of the noise are known), and so made while the initial design is evaluated; fit and search are made side
    by side. Those of a larger capacity are begun when the present one is half full, where the budget is known to go
    beyond it.

    Attributes:
        policy: what learns.
        searching: what proposes; None where that is not known beforehand, as under a constraint.
        init_key, step_key: of the policy's first state, and of its proposals.
        initial_size: evaluations before the first proposal.
        failures: "skip" or "worst", as :func:`core.optimizer.shown.observed` takes it.
        budget: evaluations in all; None where nobody has said.
        capacity: the largest that programs have been begun for; 0 for none.
    """

    policy: Policy
    searching: Policy | None
    init_key: PRNGKeyArray
    step_key: PRNGKeyArray
    initial_size: int
    failures: str
    budget: int | None = None
    capacity: int = 0

    def look(self, history: History, state: Any) -> None:
        """Begin what is due when the next point is asked for.

        Args:
            history: the evaluations so far.
            state: the policy's latest state; None where it has none yet.
        """
        room = self._room(len(history) - (len(history.failures) if history.context_dim else 0))
        if capacity_for(room) <= self.capacity:
            return
        known = observed(history, self.failures, room)
        if known is None:
            return
        self.capacity = known.capacity
        proposes = self.budget is None or self.budget > self.initial_size
        before = first_state(self.policy, self.init_key) if state is None else state
        compile_ahead(self.policy, self.searching if proposes else None, self.step_key, before, known)

    def _room(self, count: int) -> int:
        """How many observations the programs that are due must have room for."""
        soon = max(count, self.initial_size)
        present = capacity_for(soon)
        grows = self.budget is not None and self.budget - 1 > present and 2 * count >= present
        return present + 1 if grows and self.capacity == present else soon
