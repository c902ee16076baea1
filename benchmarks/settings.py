"""What every contestant of the proposal benchmark is given, and the targets; fixed before any run."""

from dataclasses import asdict, dataclass

__all__ = ["SETTINGS", "TARGETS", "Settings"]


@dataclass(frozen=True)
class Settings:
    """The task: maximise the noise-free Hartmann3 function from the same initial designs.

    Attributes:
        problem: name in :mod:`experiments.problems`.
        initial_size, budget: proposals are made with t = initial_size ... budget - 1 observations.
        raw_candidates, starts: search effort of every contestant: points scored, and how many of them are refined.
        seeds: runs in one compiled program (ours).
        rounds: how often the contestants take turns; the peer makes one run a round, seed = round.
    """

    problem: str = "hartmann3"
    initial_size: int = 10
    budget: int = 101
    raw_candidates: int = 1024
    starts: int = 8
    seeds: int = 30
    rounds: int = 3

    @property
    def proposals(self) -> int:
        """Proposals a run."""
        return self.budget - self.initial_size

    def config(self) -> dict[str, object]:
        """As JSON values."""
        return asdict(self)


SETTINGS = Settings()

TARGETS: dict[tuple[str, str], float] = {
    ("boke", "botorch_fixed"): 50.0,
    ("gp_ucb", "botorch_fixed"): 10.0,
    ("gp_ucb_refit", "botorch_refit"): 10.0,
}
"""How many times faster a proposal of ours (all seeds in one program) is to be than one of the peer."""
