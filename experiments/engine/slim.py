"""What of a result is kept for good: what a figure, a claim or `verify` reads, queries and curves in single precision.

Where of an array no more is read than one number a proposal, that number is kept in its place (:data:`DERIVED`); where
`verify` alone reads it, which asks no more than whether it is the same, a digest (:data:`DESIGN_ONLY`).

`results/reference` is cloned by every reader and stays below 40 MiB (a test holds it); local results are whole.
"""

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

import numpy as np

from experiments.engine.result_file import Result

__all__ = [
    "DERIVED",
    "DESIGN_ONLY",
    "DIGEST",
    "READ_DIAGNOSTICS",
    "UNREAD",
    "best_observed",
    "best_value",
    "digest_of_rows",
    "incumbent_steps",
    "slimmed",
]

READ_DIAGNOSTICS = frozenset({"info_random", "info_random_probability"})
"""Of what policies tell of themselves (`info_...`), all that is read."""

_MORE_NOISE = ("cei.fig7", "cei.fig7_seeds", "cei.fig8", "cei.fig8_seeds")

DESIGN_ONLY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("boke.fig6", "boke.fig7", "boke.fig8", "boke.fig8_seeds", "uhe.fig2", "uhe.fig2_arms", "uhe.fig5"), ("x",)
    ),
    **dict.fromkeys(("cei.fig3", "cei.fig3_public", "cei.fig4", *_MORE_NOISE), ("x",)),
    **dict.fromkeys(("boke.fig9", "uhe.fig2_tuning"), ("x",)),
    **dict.fromkeys(("ctx.fig1_seeds", "ctx.fig1a", "ctx.fig1b", "ctx.fig2"), ("x", "context")),
}
"""Arrays by study of which a digest of the initial design alone is kept: `verify` compares these, bit by bit."""

DIGEST = "_digest"
"""What the name of such an array ends in then."""

UNREAD: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("boke.fig6", "boke.fig7", "boke.fig8", "boke.fig8_seeds"), ("y", "value")),
    **dict.fromkeys(("uhe.fig2", "uhe.fig2_arms", "uhe.fig5"), ("value",)),
    "cei.fig3": ("y", "acquisition", "value"),
    "cei.fig3_public": ("y", "acquisition", "value"),
    "cei.fig4": ("value", "y"),
    **dict.fromkeys(_MORE_NOISE, ("y", "acquisition", "value", "incumbent")),
    **dict.fromkeys(("boke.fig9", "uhe.fig2_tuning"), ("value",)),
    "boke.fig5": ("bonus", "bandwidth", "beta"),
}
"""Arrays by study that nothing reads: their regrets are."""

QUERIES = ("x", "context")

CURVES: Mapping[str, tuple[str, ...]] = {
    "boke.fig5": ("mean", "acquisition"),
    "cei.fig1": ("y", "mean", "deviation", "ei", "corrected_ei"),
}
"""Arrays by study that are drawn, and enter no number: single precision is finer than any picture."""

CLOCKS: Mapping[str, tuple[str, ...]] = {
    "boke.fig8_seeds": ("seconds",),
    **dict.fromkeys(("boke.fig9", "uhe.fig2_tuning"), ("proposal_seconds", "evaluation_seconds")),
}
"""Times by study: single precision is finer than any clock."""


def incumbent_steps(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """(seeds, K) distance in the unit cube from each proposal to the incumbent x+ that it was made against.

    From `x` (seeds, T, d), `incumbent` (seeds, K) and `initial_size` T - K, or as kept in their place.
    """
    if "incumbent_steps" in arrays:
        return np.asarray(arrays["incumbent_steps"], float)
    x, incumbent = np.asarray(arrays["x"], float), np.asarray(arrays["incumbent"], int)
    proposed = x[:, int(arrays["initial_size"]) :]
    against = np.take_along_axis(x, incumbent[:, :, None], axis=1)
    return np.asarray(np.linalg.norm(proposed - against, axis=-1))


def best_observed(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """(seeds, T) the largest observation so far, from `y` (seeds, T), or as kept in its place."""
    if "best_observed" in arrays:
        return np.asarray(arrays["best_observed"])
    return np.asarray(np.maximum.accumulate(arrays["y"], axis=1))


def best_value(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """(seeds, T) the largest noise-free value of the queries so far, from `value`, or as kept in its place."""
    if "best_value" in arrays:
        return np.asarray(arrays["best_value"])
    return np.asarray(np.maximum.accumulate(arrays["value"], axis=1))


def digest_of_rows(rows: np.ndarray) -> np.ndarray:
    """(seeds,) 64 bits of BLAKE2b of each seed's entries in single precision, little-endian."""
    single = np.ascontiguousarray(rows, "<f4")
    hashes = [hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in single]
    return np.frombuffer(b"".join(hashes), "<u8").astype(np.uint64)


DERIVED: dict[str, Mapping[str, Callable[[Mapping[str, np.ndarray]], np.ndarray]]] = {
    "cei.fig3": {"incumbent_steps": incumbent_steps, "best_value": best_value},
    "cei.fig3_public": {"best_value": best_value},
    "cei.fig4": {"best_observed": best_observed},
}
"""Arrays by study that are kept in the place of larger ones, and what makes them of a whole result."""

DISTANCES = ("incumbent_steps",)
"""Derived arrays of which single precision is enough: of the queries they come from, no more is stored."""


def _derived(study: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What is kept in the place of larger arrays; of a result that an older rule slimmed, what can still be made."""
    made: dict[str, np.ndarray] = {}
    for name, make in DERIVED.get(study, {}).items():
        with contextlib.suppress(KeyError):
            made[name] = make(arrays)
    return made


def slimmed(result: Result) -> Result:
    """The result without what nothing reads; its metadata name what was left out, if anything, as `left_out`."""
    study = str(result.config.get("study", ""))
    unread, single = UNREAD.get(study, ()), (*QUERIES, *DISTANCES, *CURVES.get(study, ()), *CLOCKS.get(study, ()))
    kept: dict[str, np.ndarray] = {}
    for name, array in {**result.arrays, **_derived(study, result.arrays)}.items():
        if name in unread or (fnmatchcase(name, "info_*") and name not in READ_DIAGNOSTICS):
            continue
        if name in DESIGN_ONLY.get(study, ()):
            kept[f"{name}{DIGEST}"] = digest_of_rows(array[:, : int(result.arrays["initial_size"])])
            continue
        kept[name] = array.astype(np.float32) if name in single and array.dtype == np.float64 else array
    out = set(result.arrays) - set(kept)
    before = result.metadata.get("left_out", ())
    return Result(
        result.config, kept, {**result.metadata, "left_out": sorted({*before, *out})} if out else result.metadata
    )
