"""A line on the terminal that says where a run stands."""

import sys
import time

from core.optimizer.history import History

__all__ = ["ProgressLine"]

CLEAR = "\r\x1b[2K"


class ProgressLine:
    """Rewrites one line of standard error: evaluations done, running and planned, the best value, seconds.

    Args:
        shown: whether there is one at all.
        budget: evaluations planned.
    """

    def __init__(self, shown: bool, budget: int) -> None:
        self._shown = shown and sys.stderr is not None
        self._budget = budget
        self._start = time.monotonic()

    @staticmethod
    def of(wanted: bool | None, budget: int) -> "ProgressLine":
        """As wanted; None shows it where standard error is a terminal."""
        terminal = sys.stderr is not None and sys.stderr.isatty()
        return ProgressLine(terminal if wanted is None else wanted, budget)

    def show(self, history: History, running: int) -> None:
        """Write the line anew."""
        if not self._shown:
            return
        best = f"best {history.best_y:.6g}" if history.ok.any() else "none has succeeded"
        failed = f", {len(history.failures)} failed" if history.failures else ""
        seconds = time.monotonic() - self._start
        done = f"{len(history)}/{self._budget} evaluations"
        sys.stderr.write(f"{CLEAR}{done}{failed}, {running} running; {best}; {seconds:.0f} s")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line, so that what is written next starts on its own."""
        if self._shown:
            sys.stderr.write("\n")
            sys.stderr.flush()
