"""Compiled programs take memory mappings; a long-lived process has to let some go.

XLA maps every program it compiles into memory, about nine mappings each. Linux allows a process 65,530 of them
(vm.max_map_count), and where it refuses another one the compiler ends in a segmentation fault. Processes that work
through many programs (workers, the claims, the tests) therefore call :func:`release` between two pieces of work.
"""

import gc
import sys
from pathlib import Path

__all__ = ["MANY_MAPPINGS", "mappings", "release"]

MANY_MAPPINGS = 30_000


def mappings() -> int:
    """Memory mappings of this process; 0 where the system does not tell (only Linux does)."""
    listing = Path("/proc/self/maps")
    return listing.read_bytes().count(b"\n") if listing.exists() else 0


def release(many: int = MANY_MAPPINGS) -> bool:
    """Lets all compiled programs go if the process has more than `many` mappings; says whether it did.

    What is called again is compiled again, or read from the program cache on disk.
    """
    jax = sys.modules.get("jax")  # not imported here: the parent of worker processes does without it
    if jax is None or mappings() <= many:
        return False
    jax.clear_caches()
    gc.collect()
    return True
