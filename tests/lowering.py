"""Programs are lowered one after the other in one MLIR context, not each in a context of its own.

JAX makes a context, which loads all dialects, for every program. Of the 36 ms of the first run of an operation, a
context takes 6 ms and its release 1 ms; the tests have thousands of such operations.
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
