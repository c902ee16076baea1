"""Compiled programs take memory and memory mappings; a long-lived process has to release some.

XLA maps every program it compiles into memory, about nine mappings each. Linux allows a process 65,530 of them
(vm.max_map_count), and where it refuses another one the compiler ends in a segmentation fault. The programs, and what
tracing left behind, also take gigabytes in a process that works through hundreds of cells. Processes that work through
many programs (workers, the claims, the tests) therefore call :func:`release` between two pieces of work.
"""

import contextlib
import ctypes
import gc
import sys
from pathlib import Path

__all__ = ["MANY_MAPPINGS", "MUCH_MEMORY", "mappings", "release", "resident"]

MANY_MAPPINGS = 30_000
MUCH_MEMORY = 768 * 2**20
"""The bytes in memory, beyond those after the last release, that are too many. A worker that holds one program has
about 400 MiB."""

PAGE = 4096
_kept = 0
"""The bytes in memory after the last release of programs."""


def mappings() -> int:
    """The number of memory mappings of this process; 0 where the system does not tell (only Linux does)."""
    listing = Path("/proc/self/maps")
    return listing.read_bytes().count(b"\n") if listing.exists() else 0


def resident() -> int:
    """The bytes of this process in memory; 0 where the system does not tell (only Linux does)."""
    listing = Path("/proc/self/statm")
    return int(listing.read_text().split()[1]) * PAGE if listing.exists() else 0


def release(many: int = MANY_MAPPINGS, much: int = MUCH_MEMORY) -> bool:
    """Releases all compiled programs if the process has more than `many` mappings, or `much` bytes more in memory than
    after the last release. Returns True where it did.

    A program that is called again is compiled again, or read from the program cache on disk.
    """
    global _kept
    jax = sys.modules.get("jax")  # not imported here: the parent of worker processes does without it
    if jax is None or (mappings() <= many and resident() <= _kept + much):
        return False
    jax.clear_caches()
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # the C library keeps what is freed, unless told otherwise
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    _kept = resident()
    return True
