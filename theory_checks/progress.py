"""How far a run of the checks is: a bar on a terminal, a line every ten seconds elsewhere, both with the time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from experiments.engine.estimates import duration

__all__ = ["EVERY", "Checking"]

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


class Checking:
    """Counts claims as they are checked. Moves by the seconds that they take on the reference machine.

    Claims never timed count as one of the others on average. The time left is the time gone, in proportion.
    """

    def __init__(
        self,
        console: Console,
        claims: Iterable[str],
        seconds: Mapping[str, float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        names = list(claims)
        known = [seconds[name] for name in names if name in seconds]
        typical = sum(known) / len(known) if sum(known) else 1.0
        self.weights = {name: seconds.get(name, typical) for name in names}
        self.console, self.clock, self.count, self.gone = console, clock, 0, 0.0
        self.start = self.said = clock()
        columns = (
            BarColumn(),
            TextColumn("{task.fields[cells]}"),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
        )
        silent = not (console.is_terminal and names)
        self.bar = Progress(*columns, console=console, disable=silent, transient=True)
        self.task = self.bar.add_task("checking claims", total=sum(self.weights.values()) or None, cells=self._cells())

    def __enter__(self) -> Checking:
        self.bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.bar.stop()

    def finished(self, entry: Mapping[str, Any]) -> None:
        """Counts an entry."""
        self.count += 1
        self.gone += self.weights[entry["id"]]
        words = f"checked {entry['id']}{self._left()}"
        self.bar.update(self.task, completed=self.gone, description=words, cells=self._cells())
        if not self.console.is_terminal and self.clock() - self.said >= EVERY:
            self.said = self.clock()
            self.console.print(f"[{self._cells()}] {words}", markup=False, highlight=False, soft_wrap=True)

    def _cells(self) -> str:
        return f"{self.count}/{len(self.weights)}"

    def _left(self) -> str:
        rest = sum(self.weights.values()) - self.gone
        if self.count == len(self.weights) or self.gone <= 0.0 or rest <= 0.0:
            return ""
        return f", about {duration((self.clock() - self.start) * rest / self.gone)} left"
