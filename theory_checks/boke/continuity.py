"""Continuity of kernel regression with its nearest-neighbour extension (section 4.1 of Paper A).

Where W_t(x) = 0 the value is the nearest-neighbour mean. The claim: m_t is then continuous except on a null set. By
Fubini a set is null exactly if almost every line meets it in a set of length zero, so the check walks along lines. On
each it brackets the discontinuities by dyadic intervals on which m_t varies by at least a fixed step, and asks whether
the total length of these intervals goes to zero as they are halved: it does for any finite number of jumps, and cannot
where the jumps have positive length.

Assumption 3 also allows kernels like that of `theory_checks.boke.instruments.fat_cantor`, whose discontinuities have
positive length; their brackets are computed there in rational arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from core.models.kernels import SMOOTHING
from core.models.regression import kernel_regression
from theory_checks.boke.instruments import fat_cantor
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed

WALKS = ByScale(6, 120, 1200)
"""Walks for each kernel of finite support, each over a dataset of its own."""
LEVELS = (8, 12)
"""The brackets of the coarse and of the fine measurement are 2^-8 and 2^-12 of a walk."""
STEP = 0.05
"""A bracket counts where m_t varies by at least this share of the range of y on it."""
NULL_RATIO = 0.25
"""Null: the bracketed length shrinks at least to this share from coarse to fine (to 1/16 for isolated jumps)."""
POSITIVE_RATIO = 0.75
"""Positive: the bracketed length keeps at least this share."""
DIMENSIONS = (1, 2, 3)
POINTS = 6
SEED = 4100

Psi = Callable[[np.ndarray], np.ndarray]


# --- kernels: Psi(u) for rows u --------------------------------------------------------------------------------------


def _radius(u: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum(u * u, axis=-1))


def _ellipse(u: np.ndarray) -> np.ndarray:
    """Not radial: max(1 - u^T A u, 0) with a diagonal A."""
    return np.maximum(1.0 - np.sum(u * u * (1.0 + 2.0 * np.arange(u.shape[-1])), axis=-1), 0.0)


def _annulus(u: np.ndarray) -> np.ndarray:
    """Not monotone: a peak of radius 1/4, a zero zone, and a ring between radii 1/2 and 1."""
    r = _radius(u)
    return np.maximum(1.0 - 4.0 * r, 0.0) + np.maximum(0.5 - 2.0 * np.abs(r - 0.75), 0.0)


KERNELS: dict[str, Psi] = {
    "epanechnikov": lambda u: np.maximum(1.0 - np.sum(u * u, axis=-1), 0.0),
    "uniform": lambda u: (np.sum(u * u, axis=-1) <= 1.0).astype(float),
    "ellipse": _ellipse,
    "annulus": _annulus,
}
"""Kernels whose zero set has a null boundary. All satisfy Assumption 3 but the uniform one, which is not continuous."""


# --- kernel regression with the nearest-neighbour extension ---------------------------------------------------------


def extended_regression(x: np.ndarray, data_x: np.ndarray, data_y: np.ndarray, h: float, psi: Psi) -> np.ndarray:
    """m_t at the rows of x: eq. (5) where W_t > 0, the nearest-neighbour mean elsewhere."""
    offsets = x[:, None, :] - data_x[None, :, :]
    weights = psi(offsets / h)
    total = weights.sum(axis=1)
    squared = np.sum(offsets**2, axis=-1)
    nearest = squared <= squared.min(axis=1, keepdims=True) * (1.0 + 1e-14)
    regression = (weights @ data_y) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, regression, (nearest @ data_y) / nearest.sum(axis=1))


# --- walks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bracketed:
    """Length, as a share of the walk, of the intervals on which m_t varies by a step, at both levels."""

    coarse: float
    fine: float

    @property
    def ratio(self) -> float:
        """fine / coarse; 0 where nothing was bracketed."""
        return self.fine / self.coarse if self.coarse else 0.0


def bracket(positions: np.ndarray, values: np.ndarray, step: float, level: int) -> float:
    """Share of the 2^level equal parts of [0, 1] on which the values at the given positions vary by at least `step`.

    A position on the border of two parts belongs to both.
    """
    parts = 2**level
    low, high = np.full(parts, np.inf), np.full(parts, -np.inf)
    for part in (np.floor(positions * parts), np.ceil(positions * parts) - 1.0):
        index = np.clip(part, 0, parts - 1).astype(int)
        np.minimum.at(low, index, values)
        np.maximum.at(high, index, values)
    return float(np.mean(high - low >= step))


def critical_positions(start: np.ndarray, end: np.ndarray, data_x: np.ndarray, h: float) -> np.ndarray:
    """Where the walk crosses a sphere of radius h/4, h/2 or h about a data point, or the bisector of two points."""
    direction, found = end - start, []
    a = direction @ direction
    for centre in data_x:
        offset = start - centre
        b = offset @ direction
        for radius in (h, h / 2, h / 4):
            root = b * b - a * (offset @ offset - radius * radius)
            if root >= 0:
                found.extend([(-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a])
    for i, first in enumerate(data_x):
        for second in data_x[:i]:
            slope = 2.0 * direction @ (second - first)
            if slope != 0:
                found.append((second @ second - first @ first - 2.0 * start @ (second - first)) / slope)
    inside = np.array([value for value in found if 0.0 < value < 1.0])
    return inside.reshape(-1)


CORE_TOLERANCE = 1e-9
"""Largest difference of `core`'s values from the walk's, as a share of the range of y."""
OFFSET = 1e-9
"""Distance, as a share of the walk, at which both sides of a critical position are evaluated."""


def walks(scale: str) -> Iterator[tuple[np.ndarray, np.ndarray, float, np.ndarray, np.ndarray]]:
    """(data_x, data_y, h, start, end): random and lattice data in the unit cube, random lines, random bandwidths."""
    for index in range(WALKS[scale]):
        random = np.random.default_rng([SEED, index])
        dim = DIMENSIONS[index % len(DIMENSIONS)]
        lattice = random.integers(0, 4, (POINTS, dim)) / 4 + 0.125
        data_x = lattice if index % 2 else random.uniform(size=(POINTS, dim))
        start, end = random.uniform(size=dim), random.uniform(size=dim)
        yield data_x, random.permutation(np.arange(POINTS) - 2.0), 10.0 ** random.uniform(-1.0, 0.0), start, end


@dataclass(frozen=True)
class Walked:
    """Brackets of one walk, its largest jump and where, the largest jump where W_t vanishes, and core's difference."""

    lengths: Bracketed
    jump: float
    edge_jump: float
    core: float
    counterexample: dict[str, Any]


def walk(kernel: str, data_x: np.ndarray, data_y: np.ndarray, h: float, start: np.ndarray, end: np.ndarray) -> Walked:
    """Measure m_t along one line for a kernel of KERNELS."""
    psi, span = KERNELS[kernel], float(np.ptp(data_y))
    grid = np.linspace(0.0, 1.0, 2 ** LEVELS[1] + 1)
    critical = critical_positions(start, end, data_x, h)
    sides = np.clip(np.stack([critical - OFFSET, critical + OFFSET]), 0.0, 1.0)
    positions = np.concatenate([grid, sides.reshape(-1)])
    x = start + positions[:, None] * (end - start)
    values = extended_regression(x, data_x, data_y, h, psi)
    lengths = Bracketed(*(bracket(positions, values, STEP * span, level) for level in LEVELS))
    before, after = values[len(grid) :].reshape(2, -1)
    covered = (psi((x[len(grid) :, None, :] - data_x) / h).sum(axis=1) > 0).reshape(2, -1)
    jumps = np.abs(after - before) / span
    edges = jumps[covered[0] != covered[1]]
    largest = int(np.argmax(jumps)) if len(jumps) else -1
    stored = {"kernel": kernel, "data_x": data_x, "data_y": data_y, "h": h}
    if largest >= 0:
        stored["pair"] = x[[len(grid) + largest, len(grid) + len(critical) + largest]]
    core = float(
        np.max(np.abs(_core_values(kernel, x[: len(grid) : 16], data_x, data_y, h) - values[: len(grid) : 16]))
    )
    jump, edge = (float(np.max(item)) if len(item) else 0.0 for item in (jumps, edges))
    return Walked(lengths, jump, edge, core / span, stored)


def _core_values(kernel: str, x: np.ndarray, data_x: np.ndarray, data_y: np.ndarray, h: float) -> np.ndarray:
    """`core`'s kernel regression at the rows of x where it knows the kernel; this module's own otherwise."""
    if kernel not in SMOOTHING:
        return extended_regression(x, data_x, data_y, h, KERNELS[kernel])
    pad = ((0, 0), (0, max(DIMENSIONS) - x.shape[1]))
    return np.asarray(_COMPILED[kernel](np.pad(x, pad), np.pad(data_x, pad), data_y, h))


_COMPILED = {
    name: jax.jit(
        jax.vmap(
            lambda x, data_x, data_y, h, k=SMOOTHING[name]: kernel_regression(x, data_x, data_y, h, k),
            in_axes=(0, None, None, None),
        )
    )
    for name in KERNELS
    if name in SMOOTHING
}


def replay_continuity(stored: Mapping[str, Any]) -> tuple[Any, Any, bool]:
    """Left: bracketed length of the discontinuities, or m_t at two points 2e-9 of a walk apart; right: the claim."""
    if stored["kernel"] == "fat_cantor":
        lengths = fat_cantor.discontinuity_lengths(stored)
        left = {f"length at level {n}": str(length) for n, length in zip(fat_cantor.LEVELS, lengths, strict=True)}
        return left, "tends to 0", lengths[1] >= POSITIVE_RATIO * lengths[0] > 0
    pair, data_x, data_y = (np.array(stored[name], float) for name in ("pair", "data_x", "data_y"))
    values = extended_regression(pair, data_x, data_y, stored["h"], KERNELS[stored["kernel"]])
    right = f"equal up to a gap of {np.max(np.abs(pair[0] - pair[1])):.1e}"
    return values.tolist(), right, abs(values[0] - values[1]) >= STEP * np.ptp(data_y)


def _walk_all(
    kernel: str, exceptions: str, scale: str
) -> tuple[Bracketed, float, float, dict[str, Any], dict[str, Any]]:
    """(lengths in all, worst ratio of a walk, largest jump, numbers, counterexample) of one kernel of KERNELS."""
    walked = [walk(kernel, *arguments) for arguments in walks(scale)]
    count = len(walked)
    total = Bracketed(sum(w.lengths.coarse for w in walked) / count, sum(w.lengths.fine for w in walked) / count)
    worst, jump = max(w.lengths.ratio for w in walked), max(w.jump for w in walked)
    farthest = max(walked, key=lambda w: w.jump if exceptions == "none" else w.lengths.ratio)
    numbers = {
        "coarse": total.coarse,
        "fine": total.fine,
        "ratio": total.ratio,
        "worst_ratio": worst,
        "largest_jump": jump,
        "largest_jump_where_density_vanishes": max(w.edge_jump for w in walked),
        "core_difference": max(w.core for w in walked),
        "walks": count,
    }
    return total, worst, jump, numbers, farthest.counterexample


def _cantor() -> tuple[Bracketed, float, float, dict[str, Any], dict[str, Any]]:
    """The same for the rational walk of `fat_cantor`."""
    coarse, fine = fat_cantor.discontinuity_lengths(fat_cantor.DATA)
    total = Bracketed(float(coarse), float(fine))
    numbers = {"coarse": str(coarse), "fine": str(fine), "ratio": total.ratio, "core_difference": 0.0, "walks": 1}
    return total, total.ratio, 1.0, numbers, dict(fat_cantor.DATA)


def attack(kernels: Sequence[str], exceptions: str, scale: str) -> Evidence:
    """Walk for each kernel; `exceptions` says where m_t may be discontinuous: on a "null set" or on "none"."""
    numbers: dict[str, Any] = {}
    found: dict[Verdict, list[tuple[str, dict[str, Any] | None]]] = {verdict: [] for verdict in Verdict}
    for kernel in kernels:
        total, worst, jump, numbers[kernel], stored = (
            _cantor() if kernel == "fat_cantor" else _walk_all(kernel, exceptions, scale)
        )
        lengths = f"{kernel} {total.coarse:.4f} -> {total.fine:.4f}"
        if exceptions == "none" and jump >= STEP:
            found[Verdict.REFUTED].append((f"{kernel}: m_t jumps by {jump:.2f} of the range of y", stored))
        elif worst >= POSITIVE_RATIO:
            found[Verdict.REFUTED].append((f"discontinuities of positive length, bracketed: {lengths}", stored))
        elif numbers[kernel]["core_difference"] > CORE_TOLERANCE:
            found[Verdict.INCONCLUSIVE].append((f"{kernel}: core's values differ from the walk's", None))
        elif total.ratio > NULL_RATIO:
            found[Verdict.INCONCLUSIVE].append((f"brackets shrink too little: {lengths}", None))
        else:
            found[Verdict.SUPPORTED].append((lengths, None))
    for verdict in (Verdict.REFUTED, Verdict.INCONCLUSIVE):
        if found[verdict]:
            sentence, stored_or_none = found[verdict][0]
            return Evidence(verdict, sentence, numbers, stored_or_none)
    lengths = ", ".join(sentence for sentence, _ in found[Verdict.SUPPORTED])
    return Evidence(Verdict.SUPPORTED, f"share of the walks on which m_t jumps, at 2^-8 -> 2^-12: {lengths}", numbers)


_RULE = f"""On {WALKS} walks a kernel at smoke / quick / paper (random lines over random and lattice data, d =
    {listed(DIMENSIONS)}, support edges and bisectors probed at +-{OFFSET:g}) the length of the dyadic intervals on
    which m_t varies by {STEP:.0%} of the range of y is measured at 2^-{LEVELS[0]} and 2^-{LEVELS[1]} of the walk; for
    fat_cantor that of its construction intervals at levels {fat_cantor.LEVELS[0]} and {fat_cantor.LEVELS[1]}, in
    rational arithmetic. Refuted if a walk keeps {POSITIVE_RATIO:g} of it or more; supported if every kernel keeps at
    most {NULL_RATIO:g} in all (1/16 for isolated jumps); inconclusive otherwise, or if core's values differ by more
    than {CORE_TOLERANCE:g} range(y). Kernels:"""


@claim(
    id="boke.nn_extension_continuity",
    paper="A",
    number="section 4.1",
    statement="""Where W_t(x) = 0 the KR approximation is the nearest neighbour prediction. This extension ensures the
        continuity of the KR surrogate model, except on a set of measure zero.""",
    hypotheses=("Assumption 3: Psi symmetric, non-negative, continuous, zero outside a ball, Psi(0) = 1, bounded",),
    rule=f"{_RULE} {listed(KERNELS)}, fat_cantor.",
    control={"kernels": ("epanechnikov",), "exceptions": "none"},
    control_statement="m_t is continuous everywhere (Epanechnikov kernel).",
    replay=replay_continuity,
)
def nn_extension_continuity(
    scale: str, *, kernels: Sequence[str] = (*KERNELS, "fat_cantor"), exceptions: str = "null set"
) -> Evidence:
    """As printed: for every kernel that Assumption 3 allows (and the uniform one)."""
    return attack(kernels, exceptions, scale)


@claim(
    id="boke.nn_extension_continuity_repaired",
    paper="A",
    number="section 4.1, repaired",
    statement="""The nearest-neighbour extension is continuous except on a set of measure zero if the boundary of {Psi >
        0} and the discontinuities of Psi have measure zero (so for every kernel that the paper names).""",
    hypotheses=(
        "Assumption 3, or a Psi discontinuous on a null set only",
        "boundary of {Psi > 0} null (missing in print)",
    ),
    rule=f"{_RULE} {listed(KERNELS)}.",
    control={"kernels": ("fat_cantor",)},
    control_statement="The same for a Psi of Assumption 3 that vanishes on a fat Cantor set inside its support.",
    replay=replay_continuity,
    repairs="boke.nn_extension_continuity",
)
def nn_extension_continuity_repaired(scale: str, *, kernels: Sequence[str] = tuple(KERNELS)) -> Evidence:
    """For kernels whose zero set has a null boundary."""
    return attack(kernels, "null set", scale)
