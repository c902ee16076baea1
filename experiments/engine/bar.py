"""The progress of a run: a bar on a terminal, a line every ten seconds elsewhere, both with the time left.

A cell that has failed gets a line in any case.
"""

import time
from collections.abc import Callable, Mapping

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from experiments.engine.estimates import duration
from experiments.engine.study import Cell

__all__ = ["EVERY", "Bar", "say"]

EVERY = 10.0
"""The seconds between two lines where there is no terminal."""


class Bar:
    """Counts cells as they end, and moves by their expected seconds.

    A cell of unknown time counts as the average of the others. The time left is proportional to the time gone.
    """

    def __init__(
        self, console: Console, seconds: Mapping[Cell, float | None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        known = [value for value in seconds.values() if value is not None]
        typical = sum(known) / len(known) if sum(known) else 1.0
        self.weights = {cell: typical if value is None else value for cell, value in seconds.items()}
        self.console, self.clock, self.count, self.gone = console, clock, 0, 0.0
        self.start = self.said = clock()
        columns = (SpinnerColumn(), BarColumn(), TextColumn("{task.fields[cells]}"), TimeElapsedColumn())
        silent = not (console.is_terminal and self.weights)
        self.bar = Progress(*columns, TextColumn("{task.description}"), console=console, disable=silent, transient=True)
        self.task = self.bar.add_task("starting", total=sum(self.weights.values()) or None, cells=self._cells())

    def __enter__(self) -> "Bar":
        self.bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.bar.stop()

    def finished(self, cell: Cell, error: str | None = None) -> None:
        """Counts a cell that has ended, with an error if it has failed."""
        self.count += 1
        self.gone += self.weights[cell]
        words = f"done: {cell.label}{self._left()}"
        self.bar.update(self.task, completed=self.gone, description=words, cells=self._cells())
        if error is not None:
            say(self.console, f"[{self._cells()}] {cell.label}: FAILED: {error.strip().splitlines()[-1]}")
        elif not self.console.is_terminal and self.clock() - self.said >= EVERY:
            self.said = self.clock()
            say(self.console, f"[{self._cells()}] {words}")

    def _cells(self) -> str:
        return f"{self.count}/{len(self.weights)}"

    def _left(self) -> str:
        rest = sum(self.weights.values()) - self.gone
        if self.count == len(self.weights) or self.gone <= 0.0 or rest <= 0.0:
            return ""
        return f", about {duration((self.clock() - self.start) * rest / self.gone)} left"


def say(console: Console, text: str) -> None:
    """Prints a line as it is, however long."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)
