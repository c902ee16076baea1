"""The task of every contestant of the proposal benchmark, and the targets; fixed before any run."""

from dataclasses import dataclass

from benchmarks.settings import SearchSettings

__all__ = ["SETTINGS", "TARGETS", "ProposalSettings"]


@dataclass(frozen=True, kw_only=True)
class ProposalSettings(SearchSettings):
    """The task: maximise the noise-free Hartmann3 function from the same initial designs.

    Attributes:
        initial_size, budget: proposals are made with t = initial_size ... budget - 1 observations.
        seeds: runs in one compiled program (ours).
        rounds: how often the contestants take turns; the peer makes one run a round, seed = round.
    """

    initial_size: int = 10
    budget: int = 101
    seeds: int = 30

    @property
    def proposals(self) -> int:
        """Proposals a run."""
        return self.budget - self.initial_size


SETTINGS = ProposalSettings()

TARGETS: dict[tuple[str, str], float] = {
    ("boke", "botorch_fixed"): 50.0,
    ("gp_ucb", "botorch_fixed"): 10.0,
    ("gp_ucb_refit", "botorch_refit"): 10.0,
}
"""The targets: a proposal of ours (all seeds in one program) is so many times faster than one of the peer."""
