"""Gaussian-process posteriors as the bandwidth goes to zero (Propositions 11 and 12, appendix B.1 of Paper A).

The propositions ask of the kernel only k(x, x; h) = 1, and leave the correlation of distinct points free. The search
also tries kernels `c + (1 - c) k`, which satisfy the hypothesis and have another limit.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st

from core.models.gaussian_process import GaussianProcess
from core.models.kernels import STATIONARY
from theory_checks import exact
from theory_checks.ledger import Evidence, Verdict, claim, variant_claim
from theory_checks.scales import ByScale, listed
from theory_checks.search import maximise_by_hypothesis

KERNELS = ("squared_exponential", "matern12", "matern32", "matern52")
EXAMPLES = ByScale(40, 600, 6000)
"""Designs tried, shared among kernels."""
CORE_KERNELS = ByScale(KERNELS[:1], KERNELS, KERNELS)
"""Kernels for which `core` is compared with the claimed limit (one program each)."""
BANDWIDTHS = (1e-3, 1e-4, 1e-6, 1e-9, 1e-12)
"""Bandwidths at which the limit must be reached; distinct points of a design are at least 1/8 >= 125 h apart."""
TOLERANCE = 1e-9
"""Largest difference from the limit, over max(|y|, 1) for the mean, over the prior variance 1 for the variance."""
CORE_TOLERANCE = 1e-6
"""The largest difference for `core`, which adds 1e-10 to the noise and rounds in double precision."""
POINTS, COPIES = 4, 3
DIMENSIONS = (1, 2, 5)
NOISES = (0.0, 1e-8, 1e-2, 1.0, 10.0)
SEED = 1112

Design = dict[str, Any]


def covariance(kernel: str, floor: Fraction, squared: Fraction, bandwidth: float) -> Decimal:
    """`floor + (1 - floor) k(x, x'; h)` from the squared distance: 1 at distance 0 for every floor in [0, 1].

    The sum of two stationary positive semi-definite kernels is stationary and positive semi-definite.
    """
    with localcontext(exact.DIGITS):
        ratio = exact.decimal(squared).sqrt() / exact.decimal(bandwidth)
        nu, root = {"squared_exponential": (0, 1), "matern12": (1, 1), "matern32": (3, 3), "matern52": (5, 5)}[kernel]
        scaled = ratio * Decimal(root).sqrt()
        value = {
            0: lambda: (-ratio * ratio / 2).exp(),
            1: lambda: (-ratio).exp(),
            3: lambda: (1 + scaled) * (-scaled).exp(),
            5: lambda: (1 + scaled + scaled * scaled / 3) * (-scaled).exp(),
        }[nu]()
        constant = exact.decimal(floor)
        return constant + (1 - constant) * value


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Distinct lattice points with copies and values, x on one of them or off the data, noise variance down to 0."""
    dim = draw(st.sampled_from(DIMENSIONS))
    cell = st.lists(st.integers(-3, 3), min_size=dim, max_size=dim).map(tuple)
    points = draw(st.lists(cell, min_size=1, max_size=POINTS, unique=True))
    copies = draw(st.lists(st.integers(1, COPIES), min_size=len(points), max_size=len(points)))
    chosen = draw(st.sampled_from(points))
    on_data = draw(st.booleans())
    count = sum(copies)
    return {
        "points": [[value / 4 for value in point] for point in points],
        "copies": copies,
        "x": [value / 4 + (0 if on_data else 1 / 8) for value in chosen],
        "values": draw(st.lists(st.integers(-9, 9), min_size=count, max_size=count)),
        "noise": draw(st.sampled_from(NOISES)),
    }


def claimed_limit(quantity: str, counted: bool, design: Design) -> Fraction:
    """Right side of A (B3) or (B4); `counted=False` puts 1 for the number of copies #[x_i]."""
    noise, start = Fraction(design["noise"]), 0
    limit = Fraction(0 if quantity == "mean" else 1)
    for point, copies in zip(design["points"], design["copies"], strict=True):
        group = design["values"][start : start + copies]
        start += copies
        if list(point) == list(design["x"]):
            limit += Fraction(sum(group) if quantity == "mean" else -copies) / ((copies if counted else 1) + noise)
    return limit


def posteriors(kernel: str, floor: Fraction, quantity: str, design: Design) -> list[Decimal]:
    """Posterior mean or variance at x for each bandwidth, in 60 digits.

    The formulas are A (A1), (A2) on all data where there is noise, and A (B1), (B2) on the means of the copies where
    there is none: without noise duplicates make the matrix of A (A1) singular.
    """
    points, copies, noise = design["points"], design["copies"], Fraction(design["noise"])
    values = [Fraction(value) for value in design["values"]]
    owner = [index for index, count in enumerate(copies) for _ in range(count)]
    if noise == 0:
        starts = [sum(copies[:index]) for index in range(len(copies))]
        values = [sum(values[s : s + n], Fraction(0)) / n for s, n in zip(starts, copies, strict=True)]
        owner = list(range(len(points)))
    between, away = [exact.distances(point, points) for point in points], exact.distances(design["x"], points)
    found = []
    for h in BANDWIDTHS:
        gram = [[covariance(kernel, floor, item, h) for item in row] for row in between]
        cross = [covariance(kernel, floor, item, h) for item in away]
        mean, variance = exact.posterior(
            Decimal(1),
            [cross[i] for i in owner],
            [[gram[i][j] for j in owner] for i in owner],
            [exact.decimal(noise)] * len(owner),
            [exact.decimal(value) for value in values],
        )
        found.append(mean if quantity == "mean" else variance)
    return found


def limit_error(kernel: str, floor: Fraction, quantity: str, counted: bool, design: Design) -> float:
    """Largest relative difference of the posterior from the claimed limit, over the bandwidths."""
    limit = exact.decimal(claimed_limit(quantity, counted, design))
    scale = max(1.0, *(abs(float(value)) for value in design["values"])) if quantity == "mean" else 1.0
    return max(abs(float(value - limit)) for value in posteriors(kernel, floor, quantity, design)) / scale


@cache
def _core_posteriors(kernel: str) -> Callable[..., tuple[jax.Array, jax.Array]]:
    def posterior(x: jax.Array, data: jax.Array, y: jax.Array, noise: jax.Array, mask: jax.Array, h: jax.Array) -> Any:
        fitted = GaussianProcess.fit(data, y, STATIONARY[kernel], jnp.broadcast_to(h, x.shape), 1.0, noise, mask)
        return fitted.mean_and_variance(x)

    return jax.jit(jax.vmap(posterior, in_axes=(None, None, None, None, None, 0)))


def core_error(kernel: str, quantity: str, design: Design) -> float:
    """Largest relative difference of `core`'s posterior on all data from the claimed limit, over the bandwidths."""
    count, dim, capacity = sum(design["copies"]), len(design["x"]), POINTS * COPIES
    x, data, y = np.zeros(max(DIMENSIONS)), np.zeros((capacity, max(DIMENSIONS))), np.zeros(capacity)
    x[:dim], y[:count] = design["x"], design["values"]
    data[:count, :dim] = np.repeat(np.array(design["points"], float), design["copies"], axis=0)
    mask = np.arange(capacity) < count
    both = _core_posteriors(kernel)(x, data, y, jnp.asarray(design["noise"]), mask, jnp.array(BANDWIDTHS))
    values = np.asarray(both[0 if quantity == "mean" else 1])
    scale = max(1.0, float(np.max(np.abs(y)))) if quantity == "mean" else 1.0
    difference = np.abs(values - float(claimed_limit(quantity, True, design))) / scale
    return math.inf if np.isnan(difference).any() else float(np.max(difference))


def replay_limit(stored: Mapping[str, Any]) -> tuple[dict[str, float], float, bool]:
    """Left: posterior mean or variance at each bandwidth, in 60 digits; right: the claimed limit."""
    design, floor = dict(stored), Fraction(stored["floor"])
    values = posteriors(stored["kernel"], floor, stored["quantity"], design)
    left = {f"h={h:g}": float(value) for h, value in zip(BANDWIDTHS, values, strict=True)}
    error = limit_error(stored["kernel"], floor, stored["quantity"], stored["counted"], design)
    return left, float(claimed_limit(stored["quantity"], stored["counted"], design)), error > TOLERANCE


def _complexity(failed: Design) -> tuple[int, bool, int, int]:
    return sum(failed["copies"]), failed["noise"] != 1.0, len(failed["x"]), KERNELS.index(failed["kernel"])


def attack(quantity: str, scale: str, *, floors: Sequence[str], counted: bool) -> Evidence:
    """Searches a design and a kernel `c + (1 - c) k`, c in `floors`, whose posterior does not tend to the limit."""
    failures: list[Design] = []
    worst = {"exact": 0.0, "core": 0.0}

    def violation(drawn: tuple[str, str, Design]) -> float:
        kernel, floor, design = drawn
        error = limit_error(kernel, Fraction(floor), quantity, counted, design)
        worst["exact"] = max(worst["exact"], error)
        if error > TOLERANCE:
            failures.append({"kernel": kernel, "floor": floor, "quantity": quantity, "counted": counted, **design})
        if Fraction(floor) == 0 and kernel in CORE_KERNELS[scale]:
            worst["core"] = max(worst["core"], core_error(kernel, quantity, design))
        return error

    drawn = st.tuples(st.sampled_from(KERNELS), st.sampled_from(tuple(floors)), designs())
    tried = maximise_by_hypothesis(drawn, violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"designs": tried.evaluations, "violating": len(failures), **worst, "smallest_bandwidth": BANDWIDTHS[-1]}
    numbers["violating_without_constant"] = sum(1 for failure in failures if failure["floor"] == "0")
    if failures:
        simplest = min(failures, key=_complexity)
        name = simplest["kernel"] if simplest["floor"] == "0" else f"({simplest['kernel']} + 1) / 2"
        summary = (
            f"The limit fails on {len(failures)} of {tried.evaluations} designs. In the simplest, with the kernel "
            f"{name}, where k(x,x;h) = 1, "
            f"and {sum(simplest['copies'])} observation(s) the posterior {quantity} tends to another limit."
        )
        return Evidence(Verdict.REFUTED, summary, numbers, simplest)
    if worst["core"] > CORE_TOLERANCE:
        return Evidence(Verdict.UNDECIDED, f"core differs from the limit by {worst['core']:.1e}", numbers)
    summary = (
        f"On {tried.evaluations} designs, with h down to 1e-12 and sigma^2 down to 0, the largest difference is "
        f"{worst['exact']:.1e} "
        f"(that of core {worst['core']:.1e})."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_PRINTED = ("0", "1/2")
_RULE = f"""Refuted if on one of {EXAMPLES} designs at smoke / quick / paper (Hypothesis with target: squared
    exponential and Matern kernels k, x on and off the data, duplicates, dimensions {listed(DIMENSIONS)}, sigma^2 in
    {{{listed(NOISES)}}}) the posterior in 60 digits differs from the limit by more than {TOLERANCE:g} at a bandwidth of
    {BANDWIDTHS[0]:g} to {BANDWIDTHS[-1]:g}, at most 1/125 of every distance. Undecided if core differs from the
    limit of k by more than {CORE_TOLERANCE:g}. Otherwise supported."""
_PRINTED_RULE = (
    f"{_RULE} Kernels tried: c + (1 - c) k with c in {{{listed(_PRINTED)}}}, both of which have k(x, x; h) = 1."
)
_REPAIRED_RULE = f"{_RULE} Kernels tried: k itself."
_CONTROL: dict[str, Any] = {
    "control": {"floors": ("0",), "counted": False},
    "control_statement": """The limit with 1 in place of #[x_i]: duplicates are not counted (kernels without constant
    part).""",
}
_AS_PRINTED: dict[str, Any] = _CONTROL | {
    "rule": _PRINTED_RULE,
    "replay": replay_limit,
    "severity": "technical",
    "positive": {"floors": ("0",)},
    "positive_statement": "Kernels without a constant part, for which k(x, x'; h) -> 0.",
}
_REPAIRED: dict[str, Any] = _CONTROL | {"rule": _REPAIRED_RULE}


@claim(id="boke.prop11", **_AS_PRINTED)
def prop11(scale: str, *, floors: Sequence[str] = _PRINTED, counted: bool = True) -> Evidence:
    """The limit of the posterior mean for every kernel that the printed hypothesis allows."""
    return attack("mean", scale, floors=floors, counted=counted)


@claim(id="boke.prop12", **_AS_PRINTED)
def prop12(scale: str, *, floors: Sequence[str] = _PRINTED, counted: bool = True) -> Evidence:
    """The limit of the posterior variance for every kernel that the printed hypothesis allows."""
    return attack("variance", scale, floors=floors, counted=counted)


prop11_repaired = variant_claim(
    prop11,
    id="boke.prop11_repaired",
    variant={"floors": ("0",)},
    **_REPAIRED,
)


prop12_repaired = variant_claim(
    prop12,
    id="boke.prop12_repaired",
    variant={"floors": ("0",)},
    **_REPAIRED,
)
