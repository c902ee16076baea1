"""The sequential no-empty-ball lemmas of section 4.2 and App. B.2: Lemmas 13 and 3 [B.7, 4.3], parts (a) and (b).

Datasets are indexed families: a point queried twice counts twice in W_t(x), as elsewhere in the paper. (If datasets
were sets, as the notation {x_1, ..., x_t} says, Lemma 13(b) would fail for x_t = x': W would stay at one.)
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st

from core.acquisition.boke import rescaled_ikr_ucb
from core.models.density import exploration_bonus
from core.models.kernels import SMOOTHING
from experiments.engine.statistics import fit_exponent
from theory_checks.boke.testbeds.compact_kernels import EPANECHNIKOV, NEEDLE, PLATEAU, RING, Profile
from theory_checks.boke.testbeds.sequences import SEQUENCES
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(60, 300, 20_000)
LENGTH = ByScale(2**10, 2**13, 2**16)
"""Last t of the convergent sequences."""
POINTS, DIMENSIONS = 8, 8
SEED = 20253
MARGIN = 1e-9
"""Distances exceed the claimed radius by at least this fraction, so that rounding does not decide."""

GROWN = 10.0
"""W(x_t) must exceed this at the last t."""
PROFILES = (EPANECHNIKOV, PLATEAU, RING, NEEDLE)
BANDWIDTH = 0.2


@st.composite
def empty_balls(draw: st.DrawFn) -> dict[str, Any]:
    """Data for a query at the origin: directions, excess of |x_i| / (R h) over 1, h, values of any size, beta."""
    count, dim = draw(st.integers(1, POINTS)), draw(st.integers(1, DIMENSIONS))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    direction = random.standard_normal((count, dim))
    if draw(st.booleans()):
        direction = np.eye(dim)[random.integers(0, dim, count)]
    excess = np.array(draw(st.lists(st.floats(MARGIN, 3.0), min_size=count, max_size=count)))
    return {
        "direction": direction / np.linalg.norm(direction, axis=1, keepdims=True),
        "excess": excess,
        "h": draw(st.sampled_from((1e-9, 0.01, 1.0, 1e3))),
        "y": random.standard_normal(count) * draw(st.sampled_from((0.0, 1.0, 1e6, -1e150))),
        "beta": draw(st.sampled_from((1e-6, 1.0, 1e9))),
    }


def _values(kernel: str) -> Callable[..., tuple[jax.Array, jax.Array]]:
    smoothing = SMOOTHING[kernel]

    def one(
        data_x: jax.Array, data_y: jax.Array, mask: jax.Array, h: jax.Array, beta: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        x = jnp.zeros(DIMENSIONS)
        bonus = exploration_bonus(x, data_x, h, smoothing, mask)
        return bonus, rescaled_ikr_ucb(x, data_x, data_y, h, beta, smoothing, mask)

    return jax.jit(one)


def bonus_and_acquisition(
    compiled: Callable[..., tuple[jax.Array, jax.Array]], design: Mapping[str, Any], radius: float
) -> tuple[float, float]:
    """`core`'s W^(-1/2) and acquisition A (20) at the origin, for data at distance `radius` h (1 + excess)."""
    direction = np.asarray(design["direction"], float)
    data_x, data_y = np.zeros((POINTS, DIMENSIONS)), np.zeros(POINTS)
    stretch = radius * design["h"] * (1 + np.asarray(design["excess"], float))
    data_x[: len(direction), : direction.shape[1]] = direction * stretch[:, None]
    data_y[: len(direction)] = design["y"]
    mask = np.arange(POINTS) < len(direction)
    bonus, acquisition = compiled(data_x, data_y, mask, float(design["h"]), float(design["beta"]))
    return float(bonus), float(acquisition)


def _replay(stored: Mapping[str, Any]) -> tuple[float, str, bool]:
    """Left: W^(-1/2) (Lemma 13) or the acquisition (Lemma 3) at x; right: infinity, as claimed."""
    values = bonus_and_acquisition(_values(stored["kernel"]), stored, stored["radius"])
    value = values[1 if stored["acquisition"] else 0]
    return value, "inf", value != math.inf


def _part_a(scale: str, kernel: str, radius: float, acquisition: bool) -> Evidence:
    """Searches data outside the ball for which the bonus (or the acquisition) is not plus infinity."""
    compiled = _values(kernel)

    def violation(design: dict[str, Any]) -> float:
        value = bonus_and_acquisition(compiled, design, radius)[1 if acquisition else 0]
        return 0.0 if value == math.inf else 1.0

    found = maximise_by_hypothesis(empty_balls(), violation, examples=EXAMPLES[scale], seed=SEED)
    outside = {
        f"{ratio:g} h, {count} points": {
            "sigma_hat": math.exp(ratio**2 / 4) / math.sqrt(count),
            "beta_of_theorem_9_over_s2": 2 * math.log(2 * math.pi**2 * count**2 / 0.3),
        }
        for ratio in (1.0, 3.0, 5.0)
        for count in (10, 100, 1000)
    }
    numbers = {"datasets": found.evaluations, "gaussian_kernel_all_data_at_one_distance": outside}
    if found.value > 0:
        stored = {**found.example, "kernel": kernel, "radius": radius, "acquisition": acquisition}
        value = bonus_and_acquisition(compiled, found.example, radius)[1 if acquisition else 0]
        name = "acquisition" if acquisition else "sigma_hat"
        summary = f"{kernel} kernel, no data within {radius:g} h of x: {name} = {value:.3g}"
        return Evidence(Verdict.REFUTED, summary, numbers, stored)
    what = "a = infinity" if acquisition else "sigma_hat = infinity"
    summary = (
        f"{what} on all {found.evaluations} datasets with an empty ball, exactly and for any values. Outside the "
        "assumptions (Gaussian kernel, every experiment) it is finite and tends to 0 as data pile up: "
        f"{outside['3 h, 1000 points']['sigma_hat']:.2f} with 1000 points at distance 3h."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_RULE_A = f"""Refuted if core's value at x is not +infinity on one of {EXAMPLES} datasets without a point within R h (1
    + {MARGIN:g}) of x (1 to {POINTS} points, d = 1 to {DIMENSIONS}, h from 1e-9 to 1e3, |y| up to 1e150, so the values
    may be chosen from the noise). Otherwise supported: W_t(x) is an empty sum."""


@claim(
    id="boke.lemma13a",
    rule=_RULE_A,
    control={"kernel": "gaussian", "radius": 3.0},
    control_statement="The same for the Gaussian kernel, with three bandwidths in the place of R h.",
    replay=_replay,
)
def lemma13a(scale: str, *, kernel: str = "epanechnikov", radius: float = 1.0) -> Evidence:
    """Without data in the ball W_t(x) is 0."""
    return _part_a(scale, kernel, radius, acquisition=False)


@claim(
    id="boke.lemma3a",
    rule=_RULE_A,
    control={"kernel": "gaussian", "radius": 3.0},
    control_statement="The same for the Gaussian kernel, with three bandwidths in the place of R h.",
    replay=_replay,
)
def lemma3a(scale: str, *, kernel: str = "epanechnikov", radius: float = 1.0) -> Evidence:
    """a = m / sqrt(beta) + infinity is infinite for every t and outcome, since m is a finite number.

    The proof's Hoeffding bound on the nearest-neighbour mean fails for adaptive data (the nearest point may be the
    luckiest), and the claim does not need that bound.
    """
    return _part_a(scale, kernel, radius, acquisition=True)


def weights_along(profile: Profile, offsets: np.ndarray, bandwidths: np.ndarray, times: np.ndarray) -> np.ndarray:
    """W(x_t; {x_1, ..., x_{t-1}}) with bandwidth h_t, for t in `times`."""
    return np.array(
        [profile(np.abs(offsets[t - 1] - offsets[: t - 1]) / bandwidths[t - 1]).sum() for t in times], float
    )


def later_diameter(offsets: np.ndarray, times: np.ndarray) -> np.ndarray:
    """sup over i, j > t/2 of |x_i - x_j|, with the limit x' = 0 for the part of the sequence that is not stored."""
    high = np.maximum.accumulate(np.maximum(offsets, 0.0)[::-1])[::-1]
    low = np.minimum.accumulate(np.minimum(offsets, 0.0)[::-1])[::-1]
    start = times // 2  # index of i = floor(t/2) + 1
    return high[start] - low[start]


def _part_b(scale: str, shrink: str | None, sequences: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """(failures, numbers): W(x_t) must be above the proof's lower bound and grow, for every sequence and kernel."""
    last = LENGTH[scale]
    index = np.arange(1, last + 1)
    times = 2 ** np.arange(2, int(math.log2(last)) + 1)
    failures, rows = [], []
    for name, rule in sequences.items():
        offsets = rule(index.astype(float))
        for profile in PROFILES:
            if shrink is None:
                bandwidths = np.full(last, BANDWIDTH)
                close = [np.abs(offsets[t - 1] - offsets[: t - 1]) <= profile.core * BANDWIDTH for t in times]
                predecessors = np.array([int(near.sum()) for near in close])
            else:
                printed = later_diameter(offsets, index) / profile.core
                bandwidths = {
                    "printed": printed,
                    "kept positive": np.maximum(printed, 1.0 / index),
                    "fast": 2.0 ** -np.sqrt(index),
                }[shrink]
                predecessors = times - 1 - times // 2
            if np.any(bandwidths <= 0):
                failures.append(f"{name}: h_t = 0 from t = {int(np.flatnonzero(bandwidths <= 0)[0]) + 1}")
                continue
            weight = weights_along(profile, offsets, bandwidths, times)
            for t, value, bound in zip(times, weight, predecessors * profile.floor, strict=True):
                if value < bound * (1 - 1e-12):
                    failures.append(f"{name}, {profile.name}: W(x_t) = {value:.3g} < {bound:.3g} at t = {t}")
            if weight[-1] <= max(GROWN, weight[-4]):
                failures.append(f"{name}, {profile.name}: W(x_t) = {weight[-1]:.3g} at t = {last}")
            slope = math.nan
            if (weight[-4:] > 0).all():
                slope = float(fit_exponent(times[-4:], np.stack([weight[-4:] ** -0.5] * 2)).estimate)
            rows.append({"sequence": name, "kernel": profile.name, "last_W": float(weight[-1]), "rate": slope})
    return failures, {"last_t": last, "rows": rows}


_RULE_B = f"""Refuted if, for one of {len(SEQUENCES)} sequences (constant, 1/i, alternating, 1/log i, far away at first)
    and {len(PROFILES)} kernels of Assumption 3, W(x_t; x_1..x_(t-1)) is below the proof's lower bound at one of t = 4,
    8, ..., {LENGTH}: (number of predecessors within epsilon h_t) inf Psi over ||u|| <= epsilon; or if at the last t it
    is below {GROWN:g} or not above its value three doublings before. Further points only add to W. Otherwise
    supported."""


@claim(
    id="boke.lemma13b",
    rule=_RULE_B,
    control={"convergent": False},
    control_statement="The same for a sequence that does not converge (x_i = i).",
)
def lemma13b(scale: str, *, convergent: bool = True) -> Evidence:
    """Along a convergent sequence W(x_t) grows; the check reports the rate of sigma_hat."""
    failures, numbers = _part_b(scale, None, SEQUENCES if convergent else {"i": lambda i: i})
    if failures:
        return Evidence(Verdict.REFUTED, f"{failures[0]} (and {len(failures) - 1} more)", numbers)
    rates = [row["rate"] for row in numbers["rows"] if not math.isnan(row["rate"])]
    numbers["read_as_sets_constant_sequence"] = {"W": 1.0, "sigma_hat": 1.0}
    summary = (
        f"sigma_hat falls along all sequences and under all kernels, as t^a with a from {min(rates):.3f} to "
        f"{max(rates):.3f}."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


@claim(
    id="boke.lemma13b_shrinking",
    rule=f"""{_RULE_B} Here h_t = max(epsilon^-1 sup_(i,j > t/2) ||x_i - x_j||, 1/t). The proof's own h_t, without 1/t,
        is run beside it and reported.""",
    control={"shrink": "fast"},
    control_statement="h_t = 2^(-sqrt t) does for every sequence.",
)
def lemma13b_shrinking(scale: str, *, shrink: str = "kept positive") -> Evidence:
    """The lemma holds with h_t kept positive; the proof's h_t is 0 for an eventually constant sequence.

    The h_t of the lemma depends on the whole sequence, its future included. In Theorem 4.4(b) BOKE makes the sequence
    with that h_t, so that the lemma does not apply (see `boke.thm4ii`, which holds for another reason).
    """
    failures, numbers = _part_b(scale, shrink, SEQUENCES)
    numbers["proof_as_printed"] = sorted(set(_part_b(scale, "printed", SEQUENCES)[0]))
    if failures:
        return Evidence(Verdict.REFUTED, f"{failures[0]} (and {len(failures) - 1} more)", numbers)
    summary = (
        "The statement holds with h_t = max(proof's h_t, 1/t). The proof's own h_t fails: "
        f"{numbers['proof_as_printed'][0] if numbers['proof_as_printed'] else 'never'}"
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
