"""Table 1: orders of growth of preprocessing, inference and the whole run, in counted operations."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from core.models import triangular
from experiments.boke.table1 import CANDIDATES, DIM, INFERENCE, PREPROCESSING
from theory_checks.boke.testbeds.operation_count import operations
from theory_checks.ledger import Evidence, Verdict, claim

PRINTED: Mapping[str, Mapping[str, float]] = {
    "preprocessing": {"boke": 0, "boke_plus": 0, "kr_ucb": 2, "gp_ucb": 3},
    "inference": {"boke": 1, "boke_plus": 1, "kr_ucb": 1, "gp_ucb": 2},
}
"""Powers of t that Table 1 prints, by phase and method."""

TOTAL: Mapping[str, tuple[float, float]] = {"boke": (2, 3), "boke_plus": (2, 3), "kr_ucb": (3, 3), "gp_ucb": (4, 4)}
"""Powers of T in the last column of Table 1, for fixed m and for m = T: O(m T^2), O(T^3 + m T^2), O(T^4 + m T^3)."""

POWERS = tuple(range(14, 21))
"""The exponents k of t = 2^k."""
MARGIN = 0.02
"""A slope between the two largest t that exceeds the printed power by more counts as another power."""


@contextmanager
def _one_trace_a_size() -> Iterator[None]:
    """Makes the halves of core's triangular inverses programs that are traced once a size. Written out, the inverse at
    t = 2^20 has 2^13 blocks and takes a hundred times as long to trace. The operations are the same."""
    halves = {name: getattr(triangular, name) for name in triangular.__all__}
    try:
        for name, function in halves.items():
            setattr(triangular, name, jax.jit(function))
        yield
    finally:
        for name, function in halves.items():
            setattr(triangular, name, function)


@cache
def counted(phase: str, method: str, t: int) -> float:
    """Operations at t observations: of preprocessing, or of inference at one point."""
    with _one_trace_a_size():
        return _counted(phase, method, t)


def _counted(phase: str, method: str, t: int) -> float:
    x, y = jax.ShapeDtypeStruct((t, DIM), jnp.float64), jax.ShapeDtypeStruct((t,), jnp.float64)
    if phase == "preprocessing":
        return operations(PREPROCESSING[method], jax.ShapeDtypeStruct((), jnp.int64), x, y)
    points = jax.ShapeDtypeStruct((CANDIDATES, DIM), jnp.float64)
    if method == "gp_ucb":
        process = jax.eval_shape(lambda x, y: PREPROCESSING["gp_ucb"](t, x, y), x, y)
        return operations(INFERENCE[method], points, process) / CANDIDATES
    return operations(INFERENCE[method], points, x, y) / CANDIDATES


def _slope(values: np.ndarray) -> float:
    """Increase of log2 of the values at the last doubling; values count as at least 1."""
    return float(np.diff(np.log2(np.maximum(values, 1.0)))[-1])


def _judged(slopes: Mapping[str, float], printed: Mapping[str, float], said: str) -> Evidence:
    numbers = {name: {"slope": slope, "printed": printed[name]} for name, slope in slopes.items()}
    shown = ", ".join(f"{name} {slope:.3f} ({printed[name]:g})" for name, slope in slopes.items())
    above = [name for name, slope in slopes.items() if slope > printed[name] + MARGIN]
    if above:
        worst = {"name": above[0], "slope": slopes[above[0]], "printed": printed[above[0]]}
        return Evidence(Verdict.REFUTED, f"{said} {shown}.", numbers, worst)
    return Evidence(Verdict.SUPPORTED, f"{said} {shown}.", numbers)


_COUNTED = f"""Arithmetic operations of the programs that are timed in boke.table1, counted in the traced program (a
    product of matrices two an element summed, Cholesky n^3 / 3, a triangular solve n^2, else one an element), for
    t = 2^{POWERS[0]}, ..., 2^{POWERS[-1]}, d = {DIM}, inference at {CANDIDATES} points."""


@claim(
    id="boke.table1",
    rule=f"""{_COUNTED} Slope of log operations in log t at the last doubling. Refuted if one of the eight exceeds the
    printed power by more than {MARGIN}, supported otherwise: O(.) is an upper bound. The slopes say how tight the
    bounds are. Times are drawn in the table's figure and decide nothing: caches are slower with size.""",
    control={"printed": {"inference": {"gp_ucb": 1.9}}},
    control_statement="Inference with GP-UCB costs O(t^1.9).",
)
def table1(scale: str, *, printed: Mapping[str, Mapping[str, float]] = PRINTED) -> Evidence:
    """Compares counted with printed powers; all scales are alike."""
    del scale
    powers = {f"{phase} {method}": power for phase, row in printed.items() for method, power in row.items()}
    slopes = {key: _slope(np.array([counted(*key.split(), 2**k) for k in POWERS[-2:]])) for key in powers}
    return _judged(slopes, powers, "The counted (printed) powers of t are")


@claim(
    id="boke.table1_total",
    rule=f"""{_COUNTED} The total over T iterations is the sum over t <= T of preprocessing and m times inference, every
    t counted as the next of these powers of two (at most a constant factor more). Slope of log total in log T at the
    last doubling, for m = {CANDIDATES} and for m = T, minus that of the printed bound's largest term: refuted if above
    {MARGIN}, supported otherwise.""",
    control={"fewer": 0.1},
    control_statement="The totals are smaller by a factor T^0.1.",
)
def table1_total(scale: str, *, fewer: float = 0.0) -> Evidence:
    """Compares total operations with the printed powers, for fixed m and for m = T."""
    del scale
    t = 2.0 ** np.array(POWERS)
    blocks = np.diff(t, prepend=0.0)
    slopes, printed = {}, {}
    for method, powers in TOTAL.items():
        before = np.array([counted("preprocessing", method, 2**k) for k in POWERS])
        inference = np.array([counted("inference", method, 2**k) for k in POWERS])
        steps, points = np.cumsum(blocks * before), np.cumsum(blocks * inference)
        for name, m, power in zip((f"m = {CANDIDATES}", "m = T"), (CANDIDATES, t), powers, strict=True):
            key = f"{method}, {name}"
            slopes[key], printed[key] = _slope(steps + m * points), power - fewer
    return _judged(slopes, printed, "The counted (printed) powers of T are")
