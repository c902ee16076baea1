"""The arrays that training leaves behind, in the cache folder: weights are too large to be committed."""

import fcntl
from collections.abc import Callable, Mapping

import numpy as np

from experiments.data.formats import UNREADABLE, parse_arrays, write_arrays
from experiments.data.sources import cache_folder
from experiments.engine.code_version import code_version
from experiments.engine.files import write_whole

__all__ = ["made_once"]


def made_once(name: str, module: str, make: Callable[[], Mapping[str, np.ndarray]]) -> Mapping[str, np.ndarray]:
    """The arrays of a name as the present code of a module makes them: from the cache, or made by the first process
    that asks. A process waits for arrays that another one makes."""
    path = cache_folder("compression") / f"{name}-{code_version(module)}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            return parse_arrays(path.read_bytes())
        except UNREADABLE:
            arrays = dict(make())
            write_whole(path, write_arrays(arrays))
            return arrays
