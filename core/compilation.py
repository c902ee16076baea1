"""Programs are made once and ahead of need: while the objective is evaluated, or while another program is made.

JAX traces a function in Python, one thread at a time, and XLA compiles the trace without Python's lock. :func:`prepare`
does both in threads, so that the first function is compiled while the second is traced. A caller that needs a program
before it is ready waits for the program (:func:`run`); no program is made twice. As under :func:`equinox.filter_jit`, a
program has an argument for every array, and all other values are fixed.

An error in a thread is dropped with its program: the next caller makes the program and raises the error. After the main
thread has ended, threads finish their present step, in a second or two, and begin no other.
"""

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import equinox as eqx
import jax
import numpy as np

from core.environment import in_doubles

__all__ = ["MOST", "Task", "prepare", "run"]

MOST = 128
"""Number of programs kept, those used last. Each takes about nine of the memory mappings that the kernel allows a
process."""

Program = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Task:
    """The parts of a program.

    Attributes:
        function: a pure function.
        arguments: the arguments of the call; shapes and types of arrays, and values of all else, decide the program.
        options: XLA's options for the compilation.
        key: a value that is equal for tasks of one program.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]
    key: Hashable = field(init=False)
    leaves: list[Any] = field(init=False)
    structure: Any = field(init=False)

    def __post_init__(self) -> None:
        leaves, structure = jax.tree.flatten(self.arguments)
        key = self.function, tuple(sorted(self.options.items())), structure, tuple(map(_kind, leaves))
        for name, value in (("leaves", leaves), ("structure", structure), ("key", key)):
            object.__setattr__(self, name, value)

    @property
    def arrays(self) -> list[Any]:
        """The arrays among the arguments, which the program is called with."""
        return [leaf for leaf in self.leaves if eqx.is_array(leaf)]

    def traced(self) -> tuple[Any, list[Any]]:
        """The program before its compilation, and the structure of its results with the leaves that are not arrays."""
        form: list[Any] = []

        def program(arrays: list[Any]) -> list[Any]:
            given = iter(arrays)
            leaves = [next(given) if eqx.is_array(leaf) else leaf for leaf in self.leaves]
            found, structure = jax.tree.flatten(self.function(*jax.tree.unflatten(self.structure, leaves)))
            form[:] = [structure, [ARRAY if eqx.is_array(leaf) else leaf for leaf in found]]
            return [leaf for leaf in found if eqx.is_array(leaf)]

        with _tracing, _uncollected():
            return jax.jit(program).lower(self.arrays), form

    def compiled(self, traced: tuple[Any, list[Any]]) -> Program:
        """The program: a function of the arrays."""
        lowered, (structure, leaves) = traced
        executable = lowered.compile(compiler_options=dict(self.options) or None)

        def program(arrays: list[Any]) -> Any:
            found = iter(executable(arrays))
            return jax.tree.unflatten(structure, [next(found) if leaf is ARRAY else leaf for leaf in leaves])

        return program


ARRAY = object()
"""Stands for an array among the leaves of a result."""


def _kind(leaf: Any) -> Hashable:
    """The part of a leaf that decides the program."""
    if eqx.is_array(leaf):
        return np.shape(leaf), leaf.dtype, bool(getattr(leaf, "weak_type", False))
    return type(leaf), leaf


def run(task: Task) -> Any:
    """The function's value by its program; a program that is not ready is made or waited for."""
    if jax.config.jax_disable_jit:  # type: ignore[attr-defined]
        return task.function(*task.arguments)
    while True:
        future, ours = _claim(task)
        if ours:
            try:
                program: Program | None = task.compiled(task.traced())
            except BaseException:
                _settle(task, future, None)
                raise
            _settle(task, future, program)
        else:
            program = future.result()
        if program is not None:
            return program(task.arrays)


def prepare(tasks: Sequence[Task]) -> None:
    """Begin to make the programs that are neither ready nor begun, in the order given; returns at once."""
    if jax.config.jax_disable_jit:  # type: ignore[attr-defined]
        return
    claimed = [(task, future) for task, (future, ours) in ((task, _claim(task)) for task in tasks) if ours]
    if claimed:
        _begin(_make_all, claimed)


_Future = Future[Program | None]
_guard, _tracing = threading.Lock(), threading.RLock()
_programs: OrderedDict[Hashable, _Future] = OrderedDict()


def _claim(task: Task) -> tuple[_Future, bool]:
    """The future of the program, or None after an error, and whether the caller has to make the program."""
    with _guard:
        future = _programs.get(task.key)
        ours = future is None
        if future is None:
            future = _programs[task.key] = Future()
        _programs.move_to_end(task.key)
        while len(_programs) > MOST:
            _programs.popitem(last=False)
        return future, ours


def _settle(task: Task, future: _Future, program: Program | None) -> None:
    """Hand a program to all waiting callers; None forgets the task, and a waiting caller makes the program."""
    with _guard:
        if program is None and _programs.get(task.key) is future:
            del _programs[task.key]
    future.set_result(program)


def _make_all(claimed: Sequence[tuple[Task, _Future]]) -> None:
    """Trace one after the other, and compile each in a thread of its own."""
    for task, future in claimed:
        traced = _or_none(task.traced)
        if traced is None or not threading.main_thread().is_alive():
            _settle(task, future, None)
        else:
            _begin(_finish, task, future, traced)


def _finish(task: Task, future: _Future, traced: Any) -> None:
    _settle(task, future, _or_none(lambda: task.compiled(traced)))


@in_doubles
def _or_none(step: Callable[[], Any]) -> Any:
    """The result of a step; None where the step fails, or where the main thread has ended."""
    if not threading.main_thread().is_alive():
        return None
    try:
        return step()
    except Exception:  # any error of tracing or XLA: the next caller that needs the program meets it again
        return None


def _begin(work: Callable[..., None], *arguments: Any) -> None:
    threading.Thread(target=work, args=arguments, name="kernelbo-programs").start()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Switch Python's garbage collector off. Tracing makes a million objects, hardly any of them in cycles. The
    collector would search all objects of the imported libraries again and again, which takes a tenth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
