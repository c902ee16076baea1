"""Sums over data that are read in chunks, compiled to one vectorised loop.

XLA compiles the two sums of a chunk, :func:`row_sums`, to such a loop in one of two forms; which one depends on its
fusion emitters, which :mod:`core.settings` switches off. Of ``sum exp(A B^T)``, chunked the same way, kernel sums reach
.2 of the speed in the wrong form, and .6 to .7 in the right one (jaxlib 0.10.2).
"""

import os
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxlib.version import __version__ as jaxlib_version
from jaxtyping import Array, Float

from core.environment import TUNED

__all__ = ["emitters_are_on", "fold_chunks", "row_sums", "with_emitters"]


def fold_chunks(step: Callable[..., Any], carry: Any, data: tuple[Array, ...], chunk: int) -> Any:
    """``step(carry, *rows)`` over the rows of the data, chunk by chunk; what is left over comes last, in one smaller
    chunk."""
    count = data[0].shape[0]
    whole = count - count % chunk
    chunks = tuple(array[:whole].reshape(-1, chunk, *array.shape[1:]) for array in data)
    carry, _ = jax.lax.scan(lambda state, rows: (step(state, *rows), None), carry, chunks)
    return carry if whole == count else step(carry, *(array[whole:] for array in data))


def _can_be_off() -> bool:
    """Return True for a release of jaxlib whose flag :mod:`core.settings` sets, on a CPU."""
    return jaxlib_version.startswith(TUNED) and jax.default_backend() == "cpu"


def with_emitters() -> dict[str, Any] | None:
    """Compiler options of a program that is to have the fusion emitters, whatever :mod:`core.settings` says."""
    return {"xla_cpu_use_fusion_emitters": True} if _can_be_off() else None


def emitters_are_on() -> bool:
    """Return True where programs without options of their own have the fusion emitters."""
    return "xla_cpu_use_fusion_emitters=true" in os.environ.get("XLA_FLAGS", "") or not _can_be_off()


def row_sums(
    weights: Float[Array, "m c"], y: Float[Array, " c"], emitters: bool
) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
    """``sum_i w_i`` and ``sum_i w_i y_i`` of every row.

    Without the fusion emitters XLA would store the weights, by a loop of scalar exponentials, for the sums of the first
    form; a reduction of the pair is fused with the exponentials, and vectorised. With the emitters that is reversed.
    """
    if emitters:
        return jnp.sum(weights, axis=1), weights @ y
    total, moment = jax.lax.reduce(
        (weights, weights * y[None, :]), (0.0, 0.0), lambda a, b: (a[0] + b[0], a[1] + b[1]), (1,)
    )
    return total, moment
