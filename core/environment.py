"""Settings of the process that hold only inside the optimizer's own computations, because the process is the user's.

The computations need double precision and, on small batched linear algebra, one BLAS thread (:mod:`core.settings` says
why). Imported as ``kernelbo``, the library sets neither for the process: :func:`own` sets both around the computations,
and :func:`users` restores the user's settings around a call of the user's function. XLA's flags are options of each
program (:mod:`core.optimizer.programs`). Where :mod:`core.settings` has been imported, as in studies and checks, the
settings hold for the process, and this module changes nothing.
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
"""The releases of jaxlib whose flags are known, as in :mod:`core.settings`, whose import would apply the settings. A
test compares the two."""

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
    """Double precision in this thread, and one BLAS thread in the process until the last thread leaves."""
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
    """The function with every call under :func:`own`."""

    @wraps(function)
    def inside(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with own():
            return function(*args, **kwargs)

    return inside


def in_doubles(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function with every call in double precision."""

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
    """The BLAS libraries of the process, with scipy's, which JAX calls."""
    import scipy.linalg.cython_blas  # noqa: F401

    return _threadpoolctl().ThreadpoolController()


def one_thread() -> None:
    """Sets one thread for every loaded BLAS and OpenMP library, for the rest of the process."""
    _threadpoolctl().threadpool_limits(1)


def _threadpoolctl() -> Any:
    """The module. Its import would let the process and its children load several OpenMP libraries, which the user
    decides."""
    name = "KMP_DUPLICATE_LIB_OK"
    before = os.environ.get(name)
    import threadpoolctl

    if before is None:
        os.environ.pop(name, None)
    return threadpoolctl
