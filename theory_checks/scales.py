"""A number at each scale, with the text that rules use: "60 / 300 / 3,000"."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from experiments.engine.scale import SCALES

T = TypeVar("T")


@dataclass(frozen=True)
class ByScale(Generic[T]):
    """One value per scale: ``EXAMPLES = ByScale(60, 300, 3000)``, ``EXAMPLES[scale]``, ``f"{EXAMPLES} datasets"``."""

    smoke: T
    quick: T
    paper: T

    def __getitem__(self, scale: str) -> T:
        """The value at a scale. Raises KeyError for any other name."""
        if scale not in SCALES:
            raise KeyError(scale)
        value: T = getattr(self, scale)
        return value

    def __str__(self) -> str:
        """The values in the order of the scales, whole numbers with commas: "60 / 300 / 3,000"."""
        return " / ".join(f"{value:,}" if isinstance(value, int) else str(value) for value in self)

    def __iter__(self) -> Iterator[T]:
        """The three values, from the smallest scale to the largest."""
        return iter((self.smoke, self.quick, self.paper))


def listed(values: Iterable[object]) -> str:
    """The text of several values: "0.5, 0.1, 0.01"; floats without superfluous digits."""
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
