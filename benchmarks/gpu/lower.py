"""Lowering for a GPU on a machine that may have none: nothing in a program may assume a CPU.

`jax.export` turns a program into what the compiler of another platform is given. Where a program asks which platform
it is on (`core.search.batching`), it is answered as on a GPU. Custom calls must be those of NVIDIA's libraries: one of
LAPACK's would be found only when the program runs.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

import jax
from jax import export

from benchmarks.gpu.programs import Program

__all__ = ["Lowered", "lower", "lower_all"]

PLATFORM = "cuda"
CALLS_OF_NVIDIA = re.compile(r"(cu|Sharding$|annotate|__gpu|tf\.|xla\.)")


class Lowered(NamedTuple):
    """The outcome of lowering a program.

    Attributes:
        name, kind: the program's.
        lines: of the lowered program.
        calls: names of the libraries' functions that it calls.
        problem: the reason why it cannot run on a GPU; empty where it can.
        seconds: processor seconds.
    """

    name: str
    kind: str
    lines: int
    calls: tuple[str, ...]
    problem: str
    seconds: float


@contextmanager
def _as_on_a_gpu() -> Iterator[None]:
    """Programs that ask are told that they run on a GPU; what is traced meanwhile is forgotten afterwards."""
    jax.clear_caches()
    with mock.patch.object(jax, "default_backend", return_value="gpu"):
        yield
    jax.clear_caches()


def lower(program: Program) -> Lowered:
    """One program, lowered for a GPU; to be called inside :func:`lower_all`, which sets the stage."""
    begun = time.process_time()
    try:
        exported = export.export(jax.jit(program.function), platforms=[PLATFORM])(*program.arguments)
    except Exception as error:
        problem = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        return Lowered(program.name, program.kind, 0, (), problem, time.process_time() - begun)
    text = exported.mlir_module()
    calls = tuple(sorted(set(re.findall(r"custom_call @([\w.$]+)", text))))
    foreign = [call for call in calls if not CALLS_OF_NVIDIA.match(call)]
    problem = f"it calls {', '.join(foreign)}" if foreign else ""
    return Lowered(program.name, program.kind, text.count("\n"), calls, problem, time.process_time() - begun)


def lower_all(programs: Iterable[Program], report: Callable[[str], Any] = lambda words: None) -> list[Lowered]:
    """Every program, one after the other."""
    found = []
    with _as_on_a_gpu():
        for program in programs:
            found.append(lower(program))
            report(f"{program.kind} {program.name}: {found[-1].problem or 'lowered'}")
    return found
