"""Continuity of kernel regression with its nearest-neighbour extension (section 4.1 of Paper A).

Where W_t(x) = 0 the value is the nearest-neighbour mean. The claim says that m_t is then continuous except on a null
set. By Fubini a set is null exactly if almost every line meets the set in length zero, so the check walks along lines.
Dyadic intervals on which m_t varies by at least a fixed step bracket the discontinuities of a line. As the intervals
are halved, their total length goes to zero for a finite number of jumps, and cannot for jumps of positive length.

Assumption 3 also allows kernels such as `theory_checks.boke.testbeds.fat_cantor`, where the discontinuities have
positive length; the check computes their brackets in rational arithmetic.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from theory_checks.boke.testbeds import fat_cantor
from theory_checks.boke.testbeds.walks import (
    DIMENSIONS,
    KERNELS,
    LEVELS,
    OFFSET,
    STEP,
    WALKS,
    Bracketed,
    extended_regression,
    walk,
    walks,
)
from theory_checks.ledger import Evidence, Verdict, claim, variant_claim
from theory_checks.scales import listed

NULL_RATIO = 0.25
"""The largest ratio of fine to coarse bracketed length that counts as null; isolated jumps have 1/16."""
POSITIVE_RATIO = 0.75
"""The smallest ratio of fine to coarse bracketed length that counts as positive."""
CORE_TOLERANCE = 1e-9
"""Largest difference of `core`'s values from the walk's, as a share of the range of y."""


def replay_continuity(stored: Mapping[str, Any]) -> tuple[Any, Any, bool]:
    """Left: bracketed length of the discontinuities, or m_t at two points 2e-9 of a walk apart; right: as claimed."""
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
    """(mean lengths, worst ratio of a walk, largest jump, numbers, counterexample) of one kernel of KERNELS."""
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
    """(lengths, ratio, largest jump, numbers, counterexample) of the rational walk of `fat_cantor`."""
    coarse, fine = fat_cantor.discontinuity_lengths(fat_cantor.DATA)
    total = Bracketed(float(coarse), float(fine))
    numbers = {"coarse": str(coarse), "fine": str(fine), "ratio": total.ratio, "core_difference": 0.0, "walks": 1}
    return total, total.ratio, 1.0, numbers, dict(fat_cantor.DATA)


def attack(kernels: Sequence[str], exceptions: str, scale: str) -> Evidence:
    """The verdict from walks with each kernel; m_t may be discontinuous on a "null set" or nowhere ("none")."""
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
            found[Verdict.REFUTED].append(
                (f"The discontinuities have positive length, by brackets: {lengths}.", stored)
            )
        elif numbers[kernel]["core_difference"] > CORE_TOLERANCE:
            found[Verdict.UNDECIDED].append((f"{kernel}: core's values differ from the walk's", None))
        elif total.ratio > NULL_RATIO:
            found[Verdict.UNDECIDED].append((f"brackets shrink too little: {lengths}", None))
        else:
            found[Verdict.SUPPORTED].append((lengths, None))
    for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
        if found[verdict]:
            sentence, stored_or_none = found[verdict][0]
            return Evidence(verdict, sentence, numbers, stored_or_none)
    lengths = ", ".join(sentence for sentence, _ in found[Verdict.SUPPORTED])
    return Evidence(
        Verdict.SUPPORTED,
        f"The share of walks on which m_t jumps falls as their steps shrink from 2^-8 to 2^-12: {lengths}.",
        numbers,
    )


_RULE = f"""On {WALKS} walks a kernel at smoke / quick / paper (random lines over random and lattice data, d =
    {listed(DIMENSIONS)}, support edges and bisectors probed at +-{OFFSET:g}) the length of the dyadic intervals on
    which m_t varies by {STEP:.0%} of the range of y is measured at 2^-{LEVELS[0]} and 2^-{LEVELS[1]} of the walk; for
    fat_cantor that of its construction intervals at levels {fat_cantor.LEVELS[0]} and {fat_cantor.LEVELS[1]}, in
    rational arithmetic. Refuted if a walk keeps {POSITIVE_RATIO:g} of it or more; supported if every kernel keeps at
    most {NULL_RATIO:g} in all (1/16 for isolated jumps); undecided otherwise, or if core's values differ by more
    than {CORE_TOLERANCE:g} range(y). Kernels:"""


@claim(
    id="boke.nn_extension_continuity",
    rule=f"{_RULE} {listed(KERNELS)}, fat_cantor.",
    control={"kernels": ("epanechnikov",), "exceptions": "none"},
    control_statement="m_t is continuous everywhere (Epanechnikov kernel).",
    replay=replay_continuity,
    severity="technical",
    positive={"kernels": tuple(KERNELS)},
    positive_statement="The same without the kernel that vanishes on a fat Cantor set.",
)
def nn_extension_continuity(
    scale: str, *, kernels: Sequence[str] = (*KERNELS, "fat_cantor"), exceptions: str = "null set"
) -> Evidence:
    """The printed claim covers every kernel that Assumption 3 allows; the uniform kernel is tried, too."""
    return attack(kernels, exceptions, scale)


nn_extension_continuity_repaired = variant_claim(
    nn_extension_continuity,
    id="boke.nn_extension_continuity_repaired",
    variant={"kernels": tuple(KERNELS)},
    rule=f"{_RULE} {listed(KERNELS)}.",
    control={"kernels": ("fat_cantor",)},
    control_statement="The same for a Psi of Assumption 3 that vanishes on a fat Cantor set inside its support.",
)
