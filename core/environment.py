"""The process of a run is the user's: what the optimizer needs of it holds inside the optimizer's own computations.

These need double precision and, on small batched linear algebra, one BLAS thread (:mod:`core.settings` says why).
Imported as ``kernelbo``, the library sets neither for the process: :func:`own` does so around these computations,
and :func:`users` restores what was there around a function of the user's that is called from within. The flags by which
XLA compiles are options of each program (:mod:`core.optimizer.programs`). Where :mod:`core.settings` has been imported,
as it is in studies and checks, all of this holds for the process already, and nothing is done here.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

import jax

__all__ = ["TUNED", "doubles", "in_doubles", "one_thread", "own", "owned", "settled", "users"]

TUNED = "0.10."
"""The releases of jaxlib whose flags are known: as in :mod:`core.settings`, which cannot be imported without being
applied. A test compares the two."""

SETTINGS = f"{__name__.rpartition('.')[0]}.settings"

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
_here = threading.local()
_guard = threading.Lock()
_inside = 0
_limit: Any = None


def settled() -> bool:
    """Return True where the whole process has the settings of :mod:`core.settings`."""
    return SETTINGS in sys.modules


@contextmanager
def doubles(wanted: bool = True) -> Iterator[None]:
    """JAX in double precision (or not, as ``wanted``), in this thread."""
    if jax.config.jax_enable_x64 == wanted:  # type: ignore[attr-defined]
        yield
        return
    with jax.enable_x64(wanted):
        yield


@contextmanager
def own() -> Iterator[None]:
    """Double precision in this thread, and one BLAS thread, a setting of the process, until the last one leaves."""
    if settled() or getattr(_here, "outside", None) is not None:
        yield
        return
    _here.outside = bool(jax.config.jax_enable_x64)  # type: ignore[attr-defined]
    _enter()
    try:
        with doubles():
            yield
    finally:
        _leave()
        _here.outside = None


@contextmanager
def users() -> Iterator[None]:
    """The settings from before :func:`own`, for a function of the user's."""
    outside = getattr(_here, "outside", None)
    if outside is None:
        yield
        return
    _here.outside = None
    _leave()
    try:
        with doubles(outside):
            yield
    finally:
        _enter()
        _here.outside = outside


def owned(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function, all of whose calls are made under :func:`own`."""

    @wraps(function)
    def inside(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with own():
            return function(*args, **kwargs)

    return inside


def in_doubles(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function, all of whose calls are made in double precision."""

    @wraps(function)
    def inside(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with doubles():
            return function(*args, **kwargs)

    return inside


def _enter() -> None:
    global _inside, _limit
    with _guard:
        _inside += 1
        if _inside == 1:
            _limit = _blas().limit(limits=1, user_api="blas")


def _leave() -> None:
    global _inside, _limit
    with _guard:
        _inside -= 1
        if _inside == 0:
            _limit.restore_original_limits()


@cache
def _blas() -> Any:
    """The BLAS libraries of the process, that of scipy, which JAX calls, among them."""
    import scipy.linalg.cython_blas  # noqa: F401

    return _threadpoolctl().ThreadpoolController()


def one_thread() -> None:
    """One thread for whatever BLAS and OpenMP this process has loaded, for good."""
    _threadpoolctl().threadpool_limits(1)


def _threadpoolctl() -> Any:
    """The module; its import allows several OpenMP libraries, in children too, which is for the user to say."""
    name = "KMP_DUPLICATE_LIB_OK"
    before = os.environ.get(name)
    import threadpoolctl

    if before is None:
        os.environ.pop(name, None)
    return threadpoolctl
