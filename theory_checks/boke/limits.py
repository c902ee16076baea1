"""Limits of kernel regression and kernel density as the bandwidth goes to zero (section 3.1, 3.2 of Paper A).

An exact oracle (`theory_checks.exact`) judges every dataset and decides the verdict. The values of `core` must agree
with the oracle; a disagreement is a defect of the implementation and makes the evidence undecided.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from core.models.kernels import SMOOTHING
from theory_checks import exact
from theory_checks.boke.testbeds.datasets import BANDWIDTHS, DIMENSIONS, Dataset, core_values, datasets
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(40, 400, 5000)
"""Datasets tried for each kernel."""
REACHED = 60.0
"""The limit counts as reached where every vanishing weight is below exp(-REACHED) of the largest."""
TOLERANCE = 1e-9
"""Largest difference from the limit, relative to the largest |y| (or to 1 for counts), where it counts as reached."""
RESOLUTION = 1e-13
"""Distances whose exponents differ by a smaller fraction are tied in the double precision of core."""
SEED = 20250


def _claimed_limit(norm: str, ties: str, dataset: Dataset) -> tuple[Fraction, int]:
    """(claimed limit of m_t(x), number of nearest points)."""
    nearest = exact.nearest(dataset.x, dataset.data_x, norm)
    chosen = nearest if ties == "averaged" else nearest[:1]
    return sum((Fraction(dataset.data_y[index]) for index in chosen), Fraction(0)) / len(chosen), len(nearest)


def regression_errors(kernel: str, norm: str, ties: str, dataset: Dataset) -> dict[str, float]:
    """Differences of m_t(x) from the claimed limit where it must be reached, relative to the largest |y|.

    "exact" and "core" hold the largest difference by either arithmetic, and "nan" the number of NaNs of `core`.
    "bound_ratio" is the largest exact difference before that, over the rate (t / |nearest|) range(y) exp(-least
    excess).
    """
    limit, tied = _claimed_limit(norm, ties, dataset)
    scale = max(float(np.max(np.abs(dataset.data_y))), 2.0**-60)
    spread = float(np.ptp(dataset.data_y)) / scale
    values = [exact.decimal(value) for value in dataset.data_y]
    core = core_values(kernel, "regression", dataset)
    result = {"exact": 0.0, "core": 0.0, "bound_ratio": 0.0, "nan": float(np.isnan(core).sum())}
    for row, value in zip(exact.exponents(kernel, dataset.x, dataset.data_x, BANDWIDTHS), core, strict=True):
        least = min(row)
        excess = min((float(item - least) for item in row if item > least), default=math.inf)
        error = abs(float(exact.kernel_regression(row, values) - exact.decimal(limit))) / scale
        if excess >= REACHED:
            result["exact"] = max(result["exact"], error)
            if excess > RESOLUTION * float(least):
                result["core"] = max(result["core"], abs(float(value) - float(limit)) / scale)
        elif spread:
            result["bound_ratio"] = max(result["bound_ratio"], error / (len(row) / tied * spread * math.exp(-excess)))
    return result


def _counterexample(kernel: str, norm: str, ties: str, dataset: Dataset) -> dict[str, Any]:
    return {
        "kernel": kernel,
        "norm": norm,
        "ties": ties,
        "x": dataset.x,
        "data_x": dataset.data_x,
        "data_y": dataset.data_y,
    }


def replay_regression(stored: Mapping[str, Any]) -> tuple[dict[str, float], float, bool]:
    """Left: m_t(x) at each bandwidth, in 60 digits; right: the claimed limit."""
    dataset = Dataset(np.array(stored["x"]), np.array(stored["data_x"]), np.array(stored["data_y"]))
    values = [exact.decimal(value) for value in dataset.data_y]
    rows = exact.exponents(stored["kernel"], dataset.x, dataset.data_x, BANDWIDTHS)
    left = {f"h={h:g}": float(exact.kernel_regression(row, values)) for h, row in zip(BANDWIDTHS, rows, strict=True)}
    found = regression_errors(stored["kernel"], stored["norm"], stored["ties"], dataset)
    return left, float(_claimed_limit(stored["norm"], stored["ties"], dataset)[0]), found["exact"] > TOLERANCE


def attack_regression(norms: Mapping[str, str], ties: str, scale: str, designs: Sequence[Dataset] = ()) -> Evidence:
    """Searches, for each kernel of `norms`, a dataset on which m_t(x) does not tend to the nearest-neighbour mean.

    `norms` maps a kernel to the norm in which neighbours are claimed to be nearest; `ties` is "averaged" or "first".
    """
    numbers: dict[str, Any] = {"smallest_bandwidth": BANDWIDTHS[-1]}
    failures: list[tuple[str, str, Dataset]] = []
    defects = 0
    for kernel, norm in norms.items():
        worst: dict[str, float] = {"exact": 0.0, "core": 0.0, "bound_ratio": 0.0, "nan": 0.0}

        def violation(
            dataset: Dataset, kernel: str = kernel, norm: str = norm, worst: dict[str, float] = worst
        ) -> float:
            nonlocal defects
            found = regression_errors(kernel, norm, ties, dataset)
            worst.update({name: max(worst[name], found[name]) for name in worst})
            if found["exact"] > TOLERANCE:
                failures.append((kernel, norm, dataset))
            elif found["core"] > TOLERANCE or found["nan"]:
                defects += 1
            return found["exact"]

        for design in designs:
            violation(design)
        tried = maximise_by_hypothesis(datasets(), violation, examples=EXAMPLES[scale], seed=SEED)
        refuted = sum(1 for failed in failures if failed[0] == kernel)
        numbers[kernel] = {**worst, "datasets": tried.evaluations + len(designs), "violating": refuted, "norm": norm}
    if failures:
        kernel, norm, dataset = min(failures, key=lambda failed: failed[2].size)
        summary = (
            f"Under the {kernel} kernel, on {dataset.size[0]} points in dimension {dataset.size[1]} m_t(x) does not "
            "tend to the "
            f"mean over the {norm}-nearest neighbours (ties {ties})."
        )
        return Evidence(Verdict.REFUTED, summary, numbers, _counterexample(kernel, norm, ties, dataset))
    if defects:
        return Evidence(Verdict.UNDECIDED, f"core disagrees with the exact oracle on {defects} datasets", numbers)
    total = sum(numbers[kernel]["datasets"] for kernel in norms)
    largest = max(numbers[kernel]["exact"] for kernel in norms)
    summary = (
        f"On {total} adversarial datasets, with h down to 1e-12, the largest difference from the limit is "
        f"{largest:.1e} of max|y|."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_RULE = f"""Refuted if, on one of {EXAMPLES} datasets a kernel at smoke / quick / paper (Hypothesis with target: ties,
    duplicates, x on data points and bisectors, dimensions 1 to {DIMENSIONS}, |y| from 1e-12 to 1e13), m_t(x) in
    60-digit arithmetic differs from the limit by more than {TOLERANCE:g} max|y| at a bandwidth of {BANDWIDTHS[0]:g},
    {BANDWIDTHS[1]:g}, ..., {BANDWIDTHS[-1]:g} where every vanishing weight is below exp(-{REACHED:g}) of the largest.
    Undecided if core differs by more than that, or is ever NaN, where the exact value does not. Otherwise supported.
    Tied points have dyadic coordinates, so that double precision sees the ties too; core is not compared where the
    nearest and the next exponent differ by less than {RESOLUTION:g} of themselves (ties that rounding makes or breaks
    are core's limit, not the claim's)."""


@claim(
    id="boke.prop1",
    rule=_RULE,
    control={"ties": "first"},
    control_statement="The limit is the value at the first of the nearest points: ties are not averaged.",
    replay=replay_regression,
)
def prop1(scale: str, *, ties: str = "averaged") -> Evidence:
    """Kernel regression with a Gaussian kernel tends to the Euclidean nearest-neighbour mean."""
    return attack_regression({"gaussian": "l2"}, ties, scale)


L1_DIFFERS_FROM_L2 = Dataset(np.zeros(2), np.array([[0.75, 0.75], [1.25, 0.0]]), np.array([1.0, -1.0]))
"""From the origin the first point is nearer in l2 (1.06 < 1.25), the second in l1 (1.25 < 1.5)."""


_TWO_NORMS = f"""The paper gives no formula of the kernels, so that the sentence has two senses: exp(-|x - x'| / h) with
    the Euclidean norm for both kernels, or with the l1 norm for the Laplacian one. Supported if no dataset refutes A
    (10) in either sense, refuted if one does in both, depends otherwise. For one sense: {_RULE}"""


@claim(
    id="boke.prop1_power_exponential",
    rule=_TWO_NORMS,
    control={"nearest": "l1"},
    control_statement="The limit is the mean over the l1-nearest neighbours, for the exponential kernel too.",
    replay=replay_regression,
)
def prop1_power_exponential(scale: str, *, nearest: str = "l2") -> Evidence:
    """A (10) has the Euclidean nearest neighbours; the l1 norm enters the Laplacian kernel in one sense alone."""
    senses = {
        name: attack_regression({name: nearest}, "averaged", scale, designs=(L1_DIFFERS_FROM_L2,))
        for name in ("exponential", "laplacian")
    }
    euclidean, with_l1 = senses["exponential"], senses["laplacian"]
    numbers = {**euclidean.numbers, **with_l1.numbers}
    summary = f"With the Euclidean norm: {euclidean.summary} With the l1 norm: {with_l1.summary}"
    verdicts = [one.verdict for one in (euclidean, with_l1)]
    if Verdict.UNDECIDED in verdicts:
        return Evidence(Verdict.UNDECIDED, summary, numbers)
    if verdicts == [Verdict.SUPPORTED, Verdict.REFUTED]:
        return Evidence(Verdict.DEPENDS, summary, numbers, with_l1.counterexample)
    return Evidence(euclidean.verdict, summary, numbers, euclidean.counterexample)  # the first kernel is in both senses


@claim(
    id="boke.prop1_power_exponential_repaired",
    rule=_RULE,
    control={"norms": {"exponential": "l2", "laplacian": "l2"}},
    control_statement="Both kernels find the l2-nearest neighbours.",
    replay=replay_regression,
    repairs="boke.prop1_power_exponential",
)
def prop1_power_exponential_repaired(scale: str, *, norms: Mapping[str, str] | None = None) -> Evidence:
    """The exponential kernel finds the l2-nearest neighbours, the Laplacian kernel the l1-nearest."""
    own = {name: SMOOTHING[name].norm for name in ("exponential", "laplacian")}
    return attack_regression(norms or own, "averaged", scale, designs=(L1_DIFFERS_FROM_L2,))


def density_errors(kernel: str, duplicates: str, dataset: Dataset) -> dict[str, float]:
    """Differences of W_t(x) from the claimed limit where it must be reached, by the exact oracle and by `core`."""
    norm = SMOOTHING[kernel].norm
    separation = exact.distances(dataset.x, dataset.data_x, norm)
    copies = separation.count(Fraction(0))
    limit = copies if duplicates == "counted" else min(copies, 1)
    closest = float(min((item for item in separation if item > 0), default=math.inf))
    closest = math.sqrt(closest) if norm == "l2" else closest
    core = core_values(kernel, "density", dataset)
    result = {"exact": 0.0, "core": 0.0, "nan": float(np.isnan(core).sum()), "limit": float(limit)}
    values = exact.density(kernel, dataset.x, dataset.data_x, BANDWIDTHS)
    for h, value, approximate in zip(BANDWIDTHS, values, core, strict=True):
        if closest / h >= REACHED:
            result["exact"] = max(result["exact"], abs(float(value - limit)))
            result["core"] = max(result["core"], abs(float(approximate) - limit))
    return result


def replay_density(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: W_t(x) at the smallest bandwidth, in 60 digits; right: the claimed limit."""
    dataset = Dataset(np.array(stored["x"]), np.array(stored["data_x"]), np.zeros(len(stored["data_x"])))
    value = exact.density(stored["kernel"], dataset.x, dataset.data_x, BANDWIDTHS[-1:])[0]
    found = density_errors(stored["kernel"], stored["duplicates"], dataset)
    return float(value), found["limit"], found["exact"] > TOLERANCE


@claim(
    id="boke.kde_limit",
    rule=f"""Refuted if, on one of {EXAMPLES} datasets at smoke / quick / paper (those of boke.prop1, shared among
        {len(SMOOTHING)} kernels), W_t(x) in 60-digit arithmetic differs from the number of data points equal to x by
        more than {TOLERANCE:g} at a bandwidth of which the nearest other point is {REACHED:g} away. Undecided if
        core differs by more than that, or is ever NaN, where the exact value does not. Otherwise supported.""",
    control={"duplicates": "ignored"},
    control_statement="The limit is 1 at every data point: duplicates are not counted.",
    replay=replay_density,
)
def kde_limit(scale: str, *, duplicates: str = "counted") -> Evidence:
    """The unnormalised density tends to the number of data points at x."""
    numbers: dict[str, Any] = {"smallest_bandwidth": BANDWIDTHS[-1]}
    failures: list[tuple[str, Dataset]] = []
    defects = 0
    for kernel in SMOOTHING:
        worst = {"exact": 0.0, "core": 0.0, "nan": 0.0, "limit": 0.0}

        def violation(dataset: Dataset, kernel: str = kernel, worst: dict[str, float] = worst) -> float:
            nonlocal defects
            found = density_errors(kernel, duplicates, dataset)
            worst.update({name: max(worst[name], found[name]) for name in worst})
            if found["exact"] > TOLERANCE:
                failures.append((kernel, dataset))
            elif found["core"] > TOLERANCE or found["nan"]:
                defects += 1
            return found["exact"]

        tried = maximise_by_hypothesis(datasets(), violation, examples=EXAMPLES[scale] // len(SMOOTHING), seed=SEED)
        numbers[kernel] = {**worst, "datasets": tried.evaluations, "most_duplicates": worst.pop("limit")}
    if failures:
        kernel, dataset = min(failures, key=lambda failed: failed[1].size)
        stored = {"kernel": kernel, "duplicates": duplicates, "x": dataset.x, "data_x": dataset.data_x}
        return Evidence(Verdict.REFUTED, f"{kernel} kernel: W_t(x) does not tend to the claimed count", numbers, stored)
    if defects:
        return Evidence(Verdict.UNDECIDED, f"core disagrees with the exact oracle on {defects} datasets", numbers)
    total = sum(numbers[kernel]["datasets"] for kernel in SMOOTHING)
    largest = max(numbers[kernel]["exact"] for kernel in SMOOTHING)
    summary = (
        f"On {total} adversarial datasets, with five kernels and h down to 1e-12, the count is off by {largest:.1e} "
        "at most."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
