"""The settings that every benchmark fixes before any run."""

from dataclasses import asdict, dataclass

from core.policies import SearchEffort

__all__ = ["SearchSettings", "Settings"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The number of turns of the contestants.

    Attributes:
        rounds: turns of every contestant.
    """

    rounds: int = 3

    def config(self) -> dict[str, object]:
        """The settings as JSON values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


@dataclass(frozen=True, kw_only=True)
class SearchSettings(Settings):
    """A problem, and the search effort of every contestant.

    Attributes:
        problem: name in :mod:`experiments.problems`.
        raw_candidates, starts: points scored, and how many of them are refined.
    """

    problem: str = "hartmann3"
    raw_candidates: int = 1024
    starts: int = 8

    def effort(self, dim: int) -> SearchEffort:
        """The effort of our searches."""
        return SearchEffort.of(dim, raw_candidates=self.raw_candidates, starts=self.starts)

    def peer_effort(self) -> dict[str, int]:
        """The effort of the peer's searches."""
        return {"starts": self.starts, "raw_candidates": self.raw_candidates}
