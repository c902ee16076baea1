"""What of a result is kept for good: what a figure, a claim or `verify` reads, queries and curves in single precision.

`results/reference` is cloned by every reader and stays below 40 MiB (a test holds it); local results are whole.
"""

from collections.abc import Mapping
from fnmatch import fnmatchcase

import numpy as np

from experiments.engine.result_file import Result

__all__ = ["DESIGN_ONLY", "READ_DIAGNOSTICS", "UNREAD", "slimmed"]

READ_DIAGNOSTICS = frozenset({"info_random", "info_random_probability"})
"""Of what policies tell of themselves (`info_...`), all that is read."""

DESIGN_ONLY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("boke.fig6", "boke.fig7", "boke.fig8", "boke.fig8_seeds", "uhe.fig2", "uhe.fig2_arms", "uhe.fig5"), ("x",)
    ),
    **dict.fromkeys(("cei.fig3_public", "boke.fig9", "uhe.fig2_tuning"), ("x",)),
    **dict.fromkeys(("ctx.fig1_seeds", "ctx.fig1a", "ctx.fig1b", "ctx.fig2"), ("x", "context")),
}
"""Arrays by study of which the rows of the initial design alone are kept: `verify` compares these."""

UNREAD: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("boke.fig6", "boke.fig7", "boke.fig8", "boke.fig8_seeds"), ("y", "value")),
    **dict.fromkeys(("uhe.fig2", "uhe.fig2_arms", "uhe.fig5"), ("value",)),
    **dict.fromkeys(("cei.fig3", "cei.fig7"), ("y", "acquisition", "value")),
    "cei.fig3_public": ("y", "acquisition"),
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


def slimmed(result: Result) -> Result:
    """The result without what nothing reads; its metadata name what was left out, if anything, as `left_out`."""
    study = str(result.config.get("study", ""))
    unread, single = UNREAD.get(study, ()), (*QUERIES, *CURVES.get(study, ()), *CLOCKS.get(study, ()))
    kept: dict[str, np.ndarray] = {}
    for name, array in result.arrays.items():
        if name in unread or (fnmatchcase(name, "info_*") and name not in READ_DIAGNOSTICS):
            continue
        if name in DESIGN_ONLY.get(study, ()):
            array = array[:, : int(result.arrays["initial_size"])]
        kept[name] = array.astype(np.float32) if name in single and array.dtype == np.float64 else array
    out = set(result.arrays) - set(kept) | {n for n in kept if kept[n].shape != result.arrays[n].shape}
    before = result.metadata.get("left_out", ())
    return Result(
        result.config, kept, {**result.metadata, "left_out": sorted({*before, *out})} if out else result.metadata
    )
