"""Kernel regression and density of many candidates against up to millions of data points, in bounded memory.

The results are those of :func:`core.models.regression.kernel_regression` and :func:`core.models.density.log_density`,
A (5), (10) and (11). The data are read once, in chunks, by a scan that keeps three numbers a candidate: a shift s,
and the sums ``sum_i exp(log k_i - s)`` and ``sum_i exp(log k_i - s) y_i``. Time is O(m t d), memory beyond the data O(m
chunk).

For the Gaussian kernel, ``log k(x, x_i) = -||a - b_i||^2 / 2`` with ``a = (x - c) / h``, ``b_i = (x_i - c) / h`` and c
the middle of the data, is one matrix product, ``[a, 1, -||a||^2 / 2] . [b_i, -||b_i||^2 / 2, 1]``. It cancels. With u
the unit round-off and ``R = max(||a||, ||b_i||)``, its absolute error is at most

    (2 (d + 2) + (d + 1) + 8) u R^2 = (3 d + 13) u R^2                                                        (*)

from, in this order, the dot product of d + 2 terms whose absolute values sum to at most 2 R^2, the two half norms, and
the rounding of a and b_i. One of three ways is therefore chosen, from the data, before the scan:

* (*) above ``LOG_TOLERANCE`` (bandwidths far below the spread of the data, where nearest neighbours and ties decide):
  squared distances from differences, as in :mod:`core.models.kernels`, and a running maximum as shift;
* (*) below it, but some candidate may have no data nearby: the matrix product, and a running maximum;
* (*) below it, and every candidate is known, from a sample of the data, to have ``log W >= -SAFE_DEPTH``: the matrix
  product and no shift at all, as no term that matters underflows and (*) keeps every term below 1 + 2 LOG_TOLERANCE.

The other kernels always go the first way. Where ``W_t(x) = 0``, a second scan finds the nearest neighbours.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from core.models.bandwidth import Bandwidth
from core.models.chunks import emitters_are_on, fold_chunks, row_sums, with_emitters
from core.models.kernels import GAUSSIAN, SmoothingKernel, l1_distance, squared_distance
from core.numerics import ROUNDING

__all__ = ["default_chunk", "kernel_regression_and_density"]

LOG_TOLERANCE = 1e-10  # accepted absolute error of log k, hence relative error of a weight
SAFE_DEPTH = 600.0  # exp(-600) is 1e-261: sums need no shift, and a term that underflows is below 1e-47 of them
BLOCK = 2**19  # candidates x data points at once: 4 MiB of doubles, fastest of 2^16 ... 2^23 where measured
NOT_IN_USE = -1e300  # the log weight of an unused row, next to which every other weight is large
SAMPLE = 512  # data points examined to decide whether a shift is needed

LogWeights = Callable[[Float[Array, "c d"], Bool[Array, " c"]], Float[Array, "m c"]]
Pair = Callable[[Float[Array, " d"], Float[Array, " d"]], Float[Array, ""]]
Carry = tuple[Float[Array, " m"], Float[Array, " m"], Float[Array, " m"]]


def default_chunk(candidates: int) -> int:
    """Data points a chunk, such that a block of weights holds about ``BLOCK`` of them (at least 16 data points)."""
    return max(16, BLOCK // max(candidates, 1))


def kernel_regression_and_density(
    candidates: Float[Array, "m d"],
    data_x: Float[Array, "t d"],
    data_y: Float[Array, " t"],
    bandwidth: Bandwidth,
    kernel: SmoothingKernel = GAUSSIAN,
    mask: Bool[Array, " t"] | None = None,
    chunk: int | None = None,
) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
    """``m_t(x)``, A (5) and (10), and ``log W_t(x)``, A (11), at every candidate.

    Compiled once a set of shapes; may be called inside ``jit``. Values only: it is not meant to be differentiated or
    vmapped (under vmap all three ways above would be computed).

    Args:
        candidates: query points, shape (m, d).
        data_x: data points X_t, shape (t, d), t >= 1.
        data_y: observed values y_t, shape (t,), any unit; the mean has the same unit.
        bandwidth: h > 0, in the unit of x, one for all axes or one an axis (the data are then copied, in its units).
        kernel: one of :data:`core.models.kernels.SMOOTHING`.
        mask: rows in use, at least the first; all of them by default.
        chunk: data points read at once, :func:`default_chunk` by default; changes speed and memory, and the result only
            by rounding.

    Returns:
        The mean, and the log density (minus infinity where no data point has positive weight; the mean is that of the
        nearest neighbours there), each of shape (m,).

    Raises:
        ValueError: shapes that do not match, no data, or a chunk below 1.
    """
    if jnp.ndim(candidates) != 2 or jnp.ndim(data_x) != 2 or jnp.shape(candidates)[1] != jnp.shape(data_x)[1]:
        shapes = f"{jnp.shape(candidates)}, {jnp.shape(data_x)}"
        raise ValueError(f"candidates and data_x must have shapes (m, d) and (t, d), got {shapes}")
    count = jnp.shape(data_x)[0]
    if count < 1 or jnp.shape(data_y) != (count,):
        raise ValueError(
            f"data_y must have shape (t,) with t >= 1 to match data_x, got {jnp.shape(data_y)}, t = {count}"
        )
    size = default_chunk(jnp.shape(candidates)[0]) if chunk is None else chunk
    if size < 1:
        raise ValueError(f"chunk must be at least 1, got {chunk}")
    if jnp.ndim(bandwidth) == 1:
        unit = jnp.asarray(bandwidth, float)[None, :]
        candidates, data_x, bandwidth = jnp.asarray(candidates) / unit, jnp.asarray(data_x) / unit, 1.0
    arrays = (*(jnp.asarray(array, float) for array in (candidates, data_x, data_y, bandwidth)), mask)
    inside = any(isinstance(array, jax.core.Tracer) for array in arrays)
    sums = functools.partial(_sums, emitters_are_on()) if inside else _outside()
    result: tuple[Array, Array] = sums(*arrays, kernel, min(size, count))
    return result


def _sums(
    emitters: bool,
    candidates: Array,
    data_x: Array,
    data_y: Array,
    bandwidth: Array,
    mask: Array | None,
    kernel: SmoothingKernel,
    chunk: int,
) -> tuple[Array, Array]:
    """Mean and log density; ``emitters``: whether XLA's fusion emitters compile the program."""
    used = jnp.ones(data_x.shape[0], bool) if mask is None else mask
    if mask is not None:
        data_x = jnp.where(used[:, None], data_x, data_x[:1])  # unused rows are no outliers

    def differences(rows: Float[Array, "c d"], used: Bool[Array, " c"]) -> Float[Array, "m c"]:
        log_k = _all_pairs(lambda x, x_prime: kernel.log_value(x, x_prime, bandwidth), candidates, rows)
        return jnp.where(used[None, :], log_k, -jnp.inf)

    def online(log_weights: LogWeights, rounding: float) -> tuple[Array, Array]:
        return _online_sums(log_weights, rounding, candidates.shape[0], (data_x, data_y, used), chunk, emitters)

    if kernel.name == GAUSSIAN.name:
        product, error, top = _gaussian_product(candidates, data_x, bandwidth, used)
        covered = jnp.min(top) >= -SAFE_DEPTH
        way = jnp.where(error <= LOG_TOLERANCE, 1 + covered, 0)
        mean, log_w = jax.lax.switch(
            way,
            [
                lambda: online(differences, ROUNDING),
                lambda: online(product, 0.0),
                lambda: _plain_sums(product, candidates.shape[0], (data_x, data_y, used), chunk, emitters),
            ],
        )
    else:
        mean, log_w = online(differences, ROUNDING)
    empty = log_w == -jnp.inf
    nearest = jax.lax.cond(
        jnp.any(empty),
        lambda: _nearest_neighbour_means(candidates, (data_x, data_y, used), chunk, kernel.norm),
        lambda: jnp.zeros(candidates.shape[0]),
    )
    return jnp.where(empty, nearest, mean), log_w


@functools.cache
def _outside() -> Callable[..., tuple[Array, Array]]:
    """The program of a call outside ``jit``."""
    return jax.jit(functools.partial(_sums, True), static_argnums=(5, 6), compiler_options=with_emitters())


def _gaussian_product(
    candidates: Float[Array, "m d"], data_x: Float[Array, "t d"], bandwidth: Float[Array, ""], used: Bool[Array, " t"]
) -> tuple[LogWeights, Float[Array, ""], Float[Array, " m"]]:
    """The Gaussian's log weights as a matrix product, their error (*), and lower bounds on their maxima."""
    count, dim = data_x.shape
    centre = 0.5 * (jnp.min(data_x, axis=0) + jnp.max(data_x, axis=0))
    a = (candidates - centre[None, :]) / bandwidth
    a_half = 0.5 * jnp.sum(a**2, axis=1, keepdims=True)
    left = jnp.concatenate([a, jnp.ones_like(a_half), -a_half], axis=1)

    def log_weights(rows: Float[Array, "c d"], used: Bool[Array, " c"]) -> Float[Array, "m c"]:
        b = (rows - centre[None, :]) / bandwidth
        b_half = 0.5 * jnp.sum(b**2, axis=1, keepdims=True)
        b_log = jnp.where(used[:, None], -b_half, NOT_IN_USE)
        return left @ jnp.concatenate([b, b_log, jnp.ones_like(b_half)], axis=1).T

    widest = jnp.sum((0.5 * (jnp.max(data_x, axis=0) - jnp.min(data_x, axis=0)) / bandwidth) ** 2)
    error = (3 * dim + 13) * (0.5 * jnp.finfo(float).eps) * jnp.maximum(widest, 2.0 * jnp.max(a_half))
    rows = max(1, min(SAMPLE, count // 16))
    top = jnp.max(log_weights(data_x[:: count // rows][:rows], used[:: count // rows][:rows]), axis=1)
    return log_weights, error, top


Data = tuple[Float[Array, "t d"], Float[Array, " t"], Bool[Array, " t"]]


def _plain_sums(
    log_weights: LogWeights, candidates: int, data: Data, chunk: int, emitters: bool
) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
    """Mean and log density from unshifted sums of weights."""

    def step(carry: Any, rows: Array, y: Array, used: Array) -> Any:
        total, moment = row_sums(jnp.exp(log_weights(rows, used)), y, emitters)
        return carry[0] + total, carry[1] + moment

    total, moment = fold_chunks(step, (jnp.zeros(candidates), jnp.zeros(candidates)), data, chunk)
    return moment / total, jnp.log(total)


def _online_sums(
    log_weights: LogWeights, rounding: float, candidates: int, data: Data, chunk: int, emitters: bool
) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
    """Mean and log density from sums relative to a running maximum (online log-sum-exp, as in flash attention).

    Log weights within ``rounding`` (relative) of the maximum count as equal to it, as in
    :func:`core.models.regression.relative_weights`: the compiler may compute one log weight twice and round it
    differently.
    """

    def relative(log_k: Array, shift: Array) -> Array:
        if rounding == 0.0:
            return jnp.exp(log_k - shift)
        return jnp.exp(jnp.minimum(log_k - (shift - rounding * jnp.abs(shift)), 0.0))

    def step(carry: Carry, rows: Array, y: Array, used: Array) -> Carry:
        top, total, moment = carry
        log_k = log_weights(rows, used)
        new = jnp.maximum(top, jnp.max(log_k, axis=1))
        shift = jnp.where(new == -jnp.inf, 0.0, new)
        weights, weighted = row_sums(relative(log_k, shift[:, None]), y, emitters)
        rescale = relative(top, shift)
        return new, total * rescale + weights, moment * rescale + weighted

    start = (jnp.full(candidates, -jnp.inf), jnp.zeros(candidates), jnp.zeros(candidates))
    top, total, moment = fold_chunks(step, start, data, chunk)
    covered = top > -jnp.inf
    safe = jnp.where(covered, total, 1.0)
    return moment / safe, jnp.where(covered, jnp.log(safe) + top, -jnp.inf)


def _nearest_neighbour_means(candidates: Float[Array, "m d"], data: Data, chunk: int, norm: str) -> Float[Array, " m"]:
    """A (10) at every candidate: the mean of y over the nearest data points, ties (up to rounding) averaged."""
    distance = squared_distance if norm == "l2" else l1_distance

    def step(carry: Carry, rows: Array, y: Array, used: Array) -> Carry:
        closest, ties, moment = carry
        distances = jnp.where(used[None, :], _all_pairs(distance, candidates, rows), jnp.inf)
        new = jnp.minimum(closest, jnp.min(distances, axis=1))
        limit = (1.0 + ROUNDING) * new
        keep = jnp.where(closest <= limit, 1.0, 0.0)
        here = jnp.where(jnp.isfinite(distances) & (distances <= limit[:, None]), 1.0, 0.0)
        return new, ties * keep + jnp.sum(here, axis=1), moment * keep + here @ y

    count = candidates.shape[0]
    start = (jnp.full(count, jnp.inf), jnp.zeros(count), jnp.zeros(count))
    _, ties, moment = fold_chunks(step, start, data, chunk)
    return moment / ties


def _all_pairs(pair: Pair, candidates: Float[Array, "m d"], rows: Float[Array, "c d"]) -> Float[Array, "m c"]:
    """``pair(candidate, row)`` for all of both.

    The product with the identity changes no value. It makes XLA store the chunk first; without it the slicing of the
    data is fused into the innermost loop, which then does not vectorise (two to four times slower where measured).
    """
    stored = rows @ jnp.eye(rows.shape[1])
    return jax.vmap(jax.vmap(pair, in_axes=(None, 0)), in_axes=(0, None))(candidates, stored)
