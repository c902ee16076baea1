"""Programs are written down for the compiler in one MLIR context after the other, not each in a context of its own.

JAX makes a context, which loads all dialects, for every program: 6 ms, and 1 to let it go, of the 36 that an operation
takes which is run for the first time, of which there are thousands in these tests.
"""

import functools
import threading
from collections.abc import Callable
from typing import Any

from jax._src.interpreters import mlir

PROGRAMS = 200
"""The number of programs after which a context is released: it keeps the constants of all programs written in it."""


def shared(make: Callable[[], Any], programs: int = PROGRAMS) -> Callable[[], Any]:
    """`make`, but the same thread is given the same context for some programs."""
    kept = threading.local()

    @functools.wraps(make)
    def given() -> Any:
        if getattr(kept, "left", 0) == 0:
            kept.context, kept.left = make(), programs
        kept.left -= 1
        return kept.context

    return given


def one_context_for_many_programs() -> None:
    """Installs it; where another release of JAX has no such function, nothing is changed."""
    if hasattr(mlir, "make_ir_context"):
        mlir.make_ir_context = shared(mlir.make_ir_context)
