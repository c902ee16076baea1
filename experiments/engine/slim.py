"""The part of a result that is kept for good: what a figure, a claim or `verify` reads, in single precision where
possible.

Each study declares the arrays that are read (:class:`Kept`, the field `keep` of a study). Single precision is enough
for queries, times and outcomes, which `verify` compares to 1e-6. Double precision is kept for designs and for arrays
common to all seeds, which are compared bit by bit, and for values whose difference is a small regret (:data:`DOUBLE`).
Measured times are rounded to :data:`TIME_BITS`. `results/reference` is cloned by every reader and stays below 20 MB (a
test holds it); local results are whole.
"""

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

import numpy as np

from experiments.engine.result_file import Result

__all__ = [
    "DIGEST",
    "FIRST",
    "READ_DIAGNOSTICS",
    "Kept",
    "best_observed",
    "best_value",
    "digest_of_rows",
    "first_run",
    "incumbent_steps",
    "slimmed",
    "widened",
]

READ_DIAGNOSTICS = frozenset({"info_random", "info_random_probability"})
"""The diagnostics of policies (`info_...`) that are read."""

DIGEST = "_digest"
"""The end of the name of an array of which a digest is kept."""

QUERIES = ("x", "context")

DOUBLE = ("best", "best_observed", "best_value", "incumbent_value", "value", "x_iid")
"""The arrays with a row a seed that stay in double precision: values near the optimum, and a design."""


TIME_BITS = 12
"""Significant bits of measured times: a relative error of at most 2^-12, far below the difference of two runs."""

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Kept:
    """The parts of a study's results that are kept; by default everything except the diagnostics that nothing reads.

    Attributes:
        unread: arrays that nothing reads.
        design_only: arrays of which only a digest of the initial design is kept: `verify` compares the design bit by
            bit and needs no more.
        derived: arrays that replace larger ones, with the function that makes them from a whole result.
        single: arrays without a row a seed for which single precision is enough.
    """

    unread: tuple[str, ...] = ()
    design_only: tuple[str, ...] = ()
    derived: Mapping[str, Callable[[Arrays], np.ndarray]] = field(default_factory=dict)
    single: tuple[str, ...] = ()


def incumbent_steps(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """(seeds, K) distance in the unit cube from each proposal to its incumbent x+.

    The function reads `x` (seeds, T, d), `incumbent` (seeds, K) and `initial_size` T - K, or the array kept for them.
    """
    if "incumbent_steps" in arrays:
        return np.asarray(arrays["incumbent_steps"], float)
    x, incumbent = np.asarray(arrays["x"], float), np.asarray(arrays["incumbent"], int)
    proposed = x[:, int(arrays["initial_size"]) :]
    against = np.take_along_axis(x, incumbent[:, :, None], axis=1)
    return np.asarray(np.linalg.norm(proposed - against, axis=-1))


def best_observed(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """(seeds, T) the largest observation so far, from `y` (seeds, T), or the array kept for it."""
    if "best_observed" in arrays:
        return np.asarray(arrays["best_observed"])
    return np.asarray(np.maximum.accumulate(arrays["y"], axis=1))


def best_value(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """(seeds, T) the largest noise-free value of the queries so far, from `value`, or the array kept for it."""
    if "best_value" in arrays:
        return np.asarray(arrays["best_value"])
    return np.asarray(np.maximum.accumulate(arrays["value"], axis=1))


FIRST = "_first"
"""The end of the name of an array of which only the first seed's row is kept, because a picture of one run shows it."""


def first_run(name: str) -> Callable[[Arrays], np.ndarray]:
    """A function that gives the row (1, ...) of the first seed, from an array (seeds, ...) or from the array kept for
    it."""

    def make(arrays: Arrays) -> np.ndarray:
        return np.asarray(arrays[f"{name}{FIRST}"] if f"{name}{FIRST}" in arrays else arrays[name][:1])

    return make


def digest_of_rows(rows: np.ndarray) -> np.ndarray:
    """(seeds,) 64 bits of BLAKE2b of each seed's entries in single precision, little-endian."""
    single = np.ascontiguousarray(rows, "<f4")
    hashes = [hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in single]
    return np.frombuffer(b"".join(hashes), "<u8").astype(np.uint64)


def _derived(kept: Kept, arrays: Arrays) -> dict[str, np.ndarray]:
    """The arrays that replace larger ones; for a result that an older rule slimmed, the arrays that can
    still be made."""
    made: dict[str, np.ndarray] = {}
    for name, make in kept.derived.items():
        with contextlib.suppress(KeyError):
            made[name] = make(arrays)
    return made


def by_seed(array: np.ndarray, seeds: int) -> bool:
    """True for an array with a row for each of so many seeds."""
    return array.ndim > 0 and len(array) == seeds


def _single(array: np.ndarray) -> np.ndarray:
    """Double-precision numbers in single precision, except arrays with entries beyond its range."""
    if array.dtype != np.float64:
        return array
    with np.errstate(over="ignore"):
        narrow = array.astype(np.float32)
    finite = np.isfinite(array)
    close = np.abs(narrow[finite] - array[finite]) <= np.finfo(np.float32).eps * np.abs(array[finite])
    return narrow if np.array_equal(np.isfinite(narrow), finite) and np.all(close) else array


def _rounded_time(array: np.ndarray) -> np.ndarray:
    """Times in single precision, rounded to :data:`TIME_BITS`; the bits that are zero cost nothing when packed."""
    fraction, exponent = np.frexp(_single(array))
    return np.ldexp(np.rint(fraction * 2**TIME_BITS) / 2**TIME_BITS, exponent).astype(fraction.dtype)


def slimmed(result: Result, keep: Kept) -> Result:
    """The result without the arrays that nothing reads; its metadata name the arrays left out, if any, as
    `left_out`."""
    seeds = len(result.config.get("seeds", ()))
    kept: dict[str, np.ndarray] = {}
    for name, array in {**result.arrays, **_derived(keep, result.arrays)}.items():
        if name in keep.unread or (fnmatchcase(name, "info_*") and name not in READ_DIAGNOSTICS):
            continue
        if name in keep.design_only:
            kept[f"{name}{DIGEST}"] = digest_of_rows(array[:, : int(result.arrays["initial_size"])])
            continue
        if "seconds" in name and array.dtype.kind == "f":
            kept[name] = _rounded_time(array)
            continue
        enough = name in (*QUERIES, *keep.single) or by_seed(array, seeds)
        kept[name] = _single(array) if enough and name not in DOUBLE else array
    out = set(result.arrays) - set(kept)
    before = result.metadata.get("left_out", ())
    return Result(
        result.config, kept, {**result.metadata, "left_out": sorted({*before, *out})} if out else result.metadata
    )


def widened(result: Result) -> Result:
    """The result with its numbers in double precision, because sums over many entries are not taken in single
    precision."""
    arrays = {
        name: array.astype(float) if array.dtype == np.float32 else array for name, array in result.arrays.items()
    }
    return replace(result, arrays=arrays)
