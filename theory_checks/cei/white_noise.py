"""EI and corrected EI with a white noise kernel, k(x, x') = 1 if x = x', else 0 (footnote 2).

Every unobserved point has mean 0 and variance 1 and the same acquisition, tau(-mu(x+)) for EI, so that a proposal among
these points is random. **Without noise** EI and corrected EI are 0 at the observed points. **With noise** an observed
point has variance v^2 / (1 + v^2) > 0, and EI at x+ is phi(0) v / sqrt(1 + v^2) for every mu(x+) = y / (1 + v^2): above
tau(-mu(x+)) for a good observation. Then EI samples x+ again, and corrected EI, which is 0 at x+, can sample another
observed point. Neither is random search. The sentence stands in a discussion of noisy observations, and names no noise.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from theory_checks.cei.testbeds.normal import corrected_ei
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(100, 600, 6000)
ROUNDING = 1e-12
LARGEST = 3.0
"""The largest observation, in prior standard deviations."""
SEED = 202

Design = dict[str, Any]


@st.composite
def designs(draw: st.DrawFn, largest_noise: float) -> Design:
    """One to four observations of distinct points, noise deviations up to `largest_noise`, EI or corrected EI."""
    count = draw(st.integers(1, 4))
    share = st.floats(0.0, 1.0)
    return {
        "y": draw(st.lists(st.floats(-LARGEST, LARGEST), min_size=count, max_size=count)),
        "noise": [largest_noise * s for s in draw(st.lists(share, min_size=count, max_size=count))],
        "corrected": draw(st.booleans()),
    }


def acquisitions(design: Mapping[str, Any]) -> tuple[np.ndarray, float]:
    """The acquisition at each observed point, and at every other point of X."""
    variance = np.asarray(design["noise"], float) ** 2
    mean, squared = np.asarray(design["y"], float) / (1 + variance), variance / (1 + variance)
    best = int(np.argmax(mean))
    of_incumbent = float(squared[best]) if design["corrected"] else 0.0
    deviation = np.sqrt(squared + of_incumbent)
    if design["corrected"]:
        deviation[best] = 0.0
    observed = np.array([float(corrected_ei(m - mean[best], s)) for m, s in zip(mean, deviation, strict=True)])
    return observed, float(corrected_ei(-mean[best], math.sqrt(1 + of_incumbent)))


def replay_white(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the largest acquisition at an observed point; right: the acquisition at every other point."""
    observed, elsewhere = acquisitions(stored)
    return float(observed.max()), elsewhere, bool(observed.max() > elsewhere + ROUNDING)


def attack(scale: str, largest_noise: float) -> Evidence:
    """Searches data for which the method proposes an observed point."""
    failing = {"EI": 0, "corrected EI": 0}

    def violation(design: Design) -> float:
        observed, elsewhere = acquisitions(design)
        excess = float(observed.max()) - elsewhere
        failing["corrected EI" if design["corrected"] else "EI"] += excess > ROUNDING
        return excess

    worst = maximise_by_hypothesis(designs(largest_noise), violation, examples=EXAMPLES[scale], seed=SEED)
    numbers = {"designs": worst.evaluations, "violating": failing, "largest_excess": worst.value}
    if worst.value > ROUNDING:
        left, right, _ = replay_white(worst.example)
        summary = (
            f"Of {worst.evaluations} designs EI proposes an observed point on {failing['EI']}, corrected EI on "
            f"{failing['corrected EI']}: the acquisition is {left:.3g} there and {right:.3g} at every other point."
        )
        return Evidence(Verdict.REFUTED, summary, numbers, worst.example)
    summary = f"No observed point is proposed on {worst.evaluations} designs; the closest is {-worst.value:.2g} below."
    return Evidence(Verdict.SUPPORTED, summary, numbers)


@claim(
    id="cei.white_noise_kernel",
    rule=f"""Random search draws a point without regard to the data: the maximisers of the acquisition are all points
        that were not observed. A search for a design on which an observed point has the larger acquisition sees
        {EXAMPLES} designs at smoke / quick / paper (Hypothesis with target: one to four observations within
        {LARGEST:g} prior deviations). One search is without noise, the other has noise deviations of at most 1.
        Refuted if the search without noise finds a design; depends if only the search with noise does; otherwise
        supported.""",
    control={"largest_noise": 0.01},
    control_statement="The same with noise deviations of at most 0.01.",
    replay=replay_white,
    positive={"largest_noise": 0.0},
    positive_statement="The same without noise.",
)
def white_noise_kernel(scale: str, *, largest_noise: float | None = None) -> Evidence:
    """Searches without and with noise; with deviations of at most `largest_noise` alone, where that is a number."""
    if largest_noise is not None:
        return attack(scale, largest_noise)
    free, noisy = attack(scale, 0.0), attack(scale, 1.0)
    if free.verdict is Verdict.REFUTED or noisy.verdict is Verdict.SUPPORTED:
        return free
    summary = f"Without noise: {free.summary} With noise: {noisy.summary}"
    numbers = {"without_noise": free.numbers, "with_noise": noisy.numbers}
    return Evidence(Verdict.DEPENDS, summary, numbers, noisy.counterexample)
