"""Two limits of corrected EI: without noise corrected EI is EI, and corrected EI vanishes at the incumbent.

**Noise to zero, with a rate.** sigma tilde and sigma(x) are the norms of f(x) - f(x+) - u and of f(x) - mu(x) in L2.
They differ by at most sigma(x+) <= v+, the noise deviation of an observation at x+. The acquisition s tau(u/s) has
slope phi(u/s) in s. So |alpha^C - alpha| <= phi(0) v+ for every x, and at x+ the difference has this order.

**x to x+.** Conditioning reduces variances: sigma tilde^2 <= var(f(x) - f(x+)) = 2 - 2 k(x, x+) =: d^2; and by
Cauchy-Schwarz |u| <= d q, q^2 = y^T (K + Sigma)^-1 y. So alpha^C <= d (phi(0) + q), which vanishes where k is
continuous. With a share of white noise in k (the introduction's example) d does not vanish.
"""

import math
from collections.abc import Mapping
from decimal import Decimal, localcontext
from typing import Any

from hypothesis import strategies as st

from theory_checks import exact
from theory_checks.cei.testbeds import normal
from theory_checks.cei.testbeds.normal import to_decimal
from theory_checks.cei.testbeds.posteriors import STATIONARY, decimal_gram, decimal_pair
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(20, 120, 1200)
SIZES = (1e-1, 1e-3, 1e-6, 1e-12)
"""Noise deviations, up to a factor between 1/4 and 4 by point."""
DISTANCES = tuple(10.0**-k for k in (1, 2, 4, 8, 16, 24))
CLOSE = 1e-6
"""The largest allowed distance from the limit at the smallest noise."""
SEED = 703

Design = dict[str, Any]


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """One to four observations on the line at distances of 1/4 and more, and an offset of x from the incumbent."""
    count = draw(st.integers(1, 4))
    sign = draw(st.sampled_from((-1.0, 1.0)))
    return {
        "kernel": draw(st.sampled_from(tuple(STATIONARY))),
        "data": [v / 4 for v in draw(st.lists(st.integers(-8, 8), min_size=count, max_size=count, unique=True))],
        "y": [v / 4 for v in draw(st.lists(st.integers(-8, 8), min_size=count, max_size=count, unique=True))],
        "factors": draw(st.lists(st.sampled_from((0.25, 1.0, 4.0)), min_size=count, max_size=count)),
        "offset": sign * 10.0 ** draw(st.one_of(st.floats(-13.0, 0.5), st.floats(-1.0, 0.5))),
    }


def incumbent_of(design: Mapping[str, Any], noise: list[Decimal], white: float = 0.0) -> int:
    """Index of the observed point with the largest posterior mean."""
    data, y = list(design["data"]), list(design["y"])

    def mean(point: float) -> Decimal:
        return decimal_pair(str(design["kernel"]), 1.0, point, point, data, y, noise, white).mean[0]

    return max(range(len(data)), key=lambda i: mean(data[i]))


def expected_improvement(u: Decimal, s: Decimal) -> Decimal:
    """s tau(u / s), and max(u, 0) where s = 0."""
    with localcontext(exact.DIGITS):
        return s * normal.tau(u / s) if s > 0 else max(u, Decimal(0))


def towards_ei(design: Mapping[str, Any]) -> dict[str, Any]:
    """|alpha^C - alpha| over phi(0) v+ at each noise size, and |alpha^C - noise-free EI| at the smallest."""
    kernel, data, y = str(design["kernel"]), list(design["data"]), list(design["y"])
    best_value = max(range(len(y)), key=lambda i: y[i])
    with localcontext(exact.DIGITS):
        ratios = []
        for size in SIZES:
            noise = [(to_decimal(size) * to_decimal(factor)) ** 2 for factor in design["factors"]]
            best = incumbent_of(design, noise)
            x = to_decimal(data[best]) + to_decimal(design["offset"])
            pair = decimal_pair(kernel, 1.0, x, data[best], data, y, noise)
            u, s = pair.difference
            corrected = expected_improvement(u, s)
            plain = expected_improvement(u, max(pair.variance[0], Decimal(0)).sqrt())
            ratios.append(float(abs(corrected - plain) / (normal.density(0) * noise[best].sqrt())))
        x = to_decimal(data[best_value]) + to_decimal(design["offset"])
        free = decimal_pair(kernel, 1.0, x, data[best_value], data, y, [Decimal(0)] * len(data))
        limit = expected_improvement(free.difference[0], max(free.variance[0], Decimal(0)).sqrt())
        return {"rates": ratios, "left": float(corrected), "limit": float(limit)}


def replay_limit(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: alpha^C at the smallest noise; right: noise-free EI."""
    found = towards_ei(stored)
    failed = max(found["rates"]) > float(stored["constant"]) + 1e-9 or abs(found["left"] - found["limit"]) > CLOSE
    return found["left"], found["limit"], failed


@claim(
    id="cei.noise_free_limit",
    rule=f"""60 digits, {EXAMPLES} designs at smoke / quick / paper (Hypothesis with target: up to four points on the
        line, x at 1e-13 to 3 from x+), noise deviations of about {listed(SIZES)}. Refuted if at one of them |alpha^C -
        alpha| exceeds phi(0) v+, or at the smallest alpha^C differs from noise-free EI by more than {CLOSE:g}.
        Otherwise supported; proof in the module.""",
    control={"constant": 0.99},
    control_statement="The same with |alpha^C - alpha| <= 0.99 phi(0) v+.",
    replay=replay_limit,
)
def noise_free_limit(scale: str, *, constant: float = 1.0) -> Evidence:
    """Searches the design with the largest distance from the limit, over the allowed distance."""
    largest = {"rate": 0.0, "distance": 0.0}

    def violation(design: Design) -> float:
        found = towards_ei(design)
        distance = abs(found["left"] - found["limit"])
        largest["rate"] = max(largest["rate"], *found["rates"])
        largest["distance"] = max(largest["distance"], distance)
        return max(max(found["rates"]) - constant - 1e-9, math.log10(distance / CLOSE + 1e-30))

    worst = maximise_by_hypothesis(designs(), violation, examples=EXAMPLES[scale], seed=SEED)
    at_incumbent = towards_ei({**_ORDINARY, "offset": 1e-13})["rates"]
    away = towards_ei({**_ORDINARY, "offset": 0.5})["rates"]
    numbers = {
        "designs": worst.evaluations,
        "largest_difference_over_phi0_v": largest["rate"],
        "largest_distance_from_noise_free_ei": largest["distance"],
        "over_phi0_v_next_to_incumbent": dict(zip(map(str, SIZES), at_incumbent, strict=True)),
        "over_phi0_v_away": dict(zip(map(str, SIZES), away, strict=True)),
    }
    if worst.value > 0:
        found = {**worst.example, "constant": constant}
        summary = f"|alpha^C - alpha| up to {largest['rate']:.2g} phi(0) v+, {largest['distance']:.2g} from the limit"
        return Evidence(Verdict.REFUTED, summary, numbers, found)
    summary = (
        f"On {worst.evaluations} designs |alpha^C - alpha| <= {largest['rate']:.3f} phi(0) v+. The rate is v+ next "
        "to x+ and "
        "v+^2 away from x+."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_ORDINARY: Mapping[str, Any] = {
    "kernel": "matern52",
    "data": [0.0, 0.75, -1.0],
    "y": [0.5, 0.25, -0.5],
    "factors": [1.0, 1.0, 1.0],
}


def near_incumbent(design: Mapping[str, Any], white: float = 0.0) -> tuple[float, list[float], list[float]]:
    """(sigma tilde at x+, alpha^C / (d (phi(0) + q)) at each distance, alpha^C at each distance).

    d is the distance by the kernel without white noise.
    """
    kernel, data, y = str(design["kernel"]), list(design["data"]), list(design["y"])
    with localcontext(exact.DIGITS):
        noise = [to_decimal(float(factor)) for factor in design["factors"]]
        best = incumbent_of(design, noise, white)
        centre = to_decimal(data[best])
        here = decimal_pair(kernel, 1.0, centre, centre, data, y, noise, white).difference[1]
        matrix = decimal_gram(kernel, data, data, 1.0, white)
        for i, variance in enumerate(noise):
            matrix[i][i] += variance
        (weights,) = exact.solve(matrix, [[to_decimal(v) for v in y]])
        q = sum((to_decimal(v) * w for v, w in zip(y, weights, strict=True)), Decimal(0)).sqrt()
        ratios, values = [], []
        for distance in DISTANCES:
            x = centre + to_decimal(math.copysign(distance, float(design["offset"])))
            u, s = decimal_pair(kernel, 1.0, x, centre, data, y, noise, white).difference
            value = expected_improvement(u, s)
            d = (2 - 2 * decimal_gram(kernel, [x], [centre], 1.0)[0][0]).sqrt()
            ratios.append(float(value / (d * (normal.density(0) + q))))
            values.append(float(value))
        return float(here), ratios, values


def replay_vanishing(stored: Mapping[str, Any]) -> tuple[dict[str, float], float, bool]:
    """Left: alpha^C at each distance from x+; right: the limit 0."""
    here, ratios, values = near_incumbent(stored, float(stored["white"]))
    return dict(zip(map(str, DISTANCES), values, strict=True)), 0.0, here > 0 or max(ratios) > 1 + 1e-9


@claim(
    id="cei.vanishes_at_incumbent",
    rule=f"""60 digits, {EXAMPLES} designs at smoke / quick / paper (Hypothesis with target: up to four points on the
        line, noise variances 1/4 to 4). Refuted if sigma~(x+) > 0, or at a distance of {DISTANCES[0]:g} to
        {DISTANCES[-1]:g} alpha^C exceeds d (phi(0) + q), d = sqrt(2 - 2 k(x, x+)), q^2 = y^T (K + Sigma)^-1 y, which
        tends to zero. Otherwise supported; proof in the module.""",
    control={"white": 1e-6},
    control_statement="""The same for a kernel with a share of a millionth of white noise, the kernel of the paper's
        introduction.""",
    replay=replay_vanishing,
)
def vanishes_at_incumbent(scale: str, *, white: float = 0.0) -> Evidence:
    """Searches the design with the largest acquisition over its bound next to the incumbent."""

    def violation(design: Design) -> float:
        here, ratios, _ = near_incumbent(design, white)
        return math.inf if here > 0 else math.log10(max(ratios))

    worst = maximise_by_hypothesis(designs(), violation, examples=EXAMPLES[scale], seed=SEED)
    here, ratios, values = near_incumbent(worst.example, white)
    numbers = {
        "designs": worst.evaluations,
        "worst": {"deviation_at_incumbent": here, "over_bound": ratios, "alpha": values, "distances": DISTANCES},
    }
    if worst.value > 1e-9:
        summary = f"alpha^C is still {values[-1]:.3g} at distance {DISTANCES[-1]:g} from x+"
        return Evidence(Verdict.REFUTED, summary, numbers, {**worst.example, "white": white})
    summary = (
        f"alpha^C is zero at x+ and at most {max(ratios):.3f} of its vanishing bound around x+, on "
        f"{worst.evaluations} designs."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
