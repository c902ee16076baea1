"""Designs for the claims on one step of the regret proof: posteriors on finite sets, f in the event.

Given the event of Lemma 4.1 at the used points, the lemmas are deterministic. So f is any function with |f - mu| <=
sqrt(beta) sigma, for any beta.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from theory_checks.cei.testbeds.information import maximum_information
from theory_checks.cei.testbeds.normal import corrected_ei
from theory_checks.cei.testbeds.posteriors import STATIONARY, FinitePosterior, gram

ROUNDING = 1e-7
"""An excess below this share of the size of the numbers is rounding (sigma tilde is the root of a difference)."""

Design = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A posterior on n points at step t: arrays (n,), the incumbent x+ and the choice x_t as indices."""

    mean: np.ndarray
    deviation: np.ndarray
    corrected: np.ndarray
    acquisition: np.ndarray
    value: np.ndarray
    root_beta: float
    incumbent: int
    chosen: int

    @property
    def optimum(self) -> int:
        """Index of x*."""
        return int(np.argmax(self.value))

    @property
    def size(self) -> float:
        """The scale of the compared numbers."""
        spread = float(np.ptp(self.value) + np.ptp(self.mean))
        return spread + self.root_beta * float(np.max(self.deviation)) + float(np.max(self.deviation))

    @property
    def event(self) -> bool:
        """|mu - f| <= sqrt(beta) sigma at x_t, x+ and x*."""
        used = [self.chosen, self.incumbent, self.optimum]
        slack = self.root_beta * self.deviation + 1e-9 * self.size
        return bool((np.abs(self.mean - self.value) <= slack)[used].all())


def _step(posterior: FinitePosterior, observed: list[int], value: np.ndarray | None, root_beta: float) -> Step:
    best = observed[int(np.argmax(posterior.mean[observed]))]
    corrected = posterior.difference_deviation(best)
    acquisition = corrected_ei(posterior.mean - posterior.mean[best], corrected)
    deviation = np.sqrt(posterior.variance())
    inside = posterior.mean if value is None else value
    return Step(posterior.mean, deviation, corrected, acquisition, inside, root_beta, best, int(np.argmax(acquisition)))


@st.composite
def in_event(draw: st.DrawFn) -> Design:
    """Two to six points, one to six noisy observations, f = mu + a sqrt(beta) sigma with a in [-1, 1] at each point."""
    dim, count = draw(st.integers(1, 2)), draw(st.integers(2, 6))
    cell = st.tuples(*[st.integers(-6, 6)] * dim)
    observations = draw(st.integers(1, 6))
    shifts = st.one_of(st.sampled_from((-1.0, 1.0)), st.floats(-1, 1))
    return {
        "kernel": draw(st.sampled_from((*STATIONARY, "cosine"))),
        "points": [
            [v / 3 for v in point] for point in draw(st.lists(cell, min_size=count, max_size=count, unique=True))
        ],
        "observed": draw(st.lists(st.integers(0, count - 1), min_size=observations, max_size=observations)),
        "y": draw(st.lists(st.floats(-4, 4), min_size=observations, max_size=observations)),
        "noise": [10.0**p for p in draw(st.lists(st.floats(-2, 1), min_size=observations, max_size=observations))],
        "shifts": draw(st.lists(shifts, min_size=count, max_size=count)),
        "root_beta": 10.0 ** draw(st.floats(-1, 2)),
    }


def from_event(design: Mapping[str, Any]) -> Step:
    """The step of a design of `in_event`."""
    points = np.asarray(design["points"], float)
    posterior = FinitePosterior.prior(gram(str(design["kernel"]), points, points))
    observed = [int(i) for i in design["observed"]]
    for index, y, deviation in zip(observed, design["y"], design["noise"], strict=True):
        posterior.observe(index, float(y), float(deviation) ** 2)
    root_beta = float(design["root_beta"])
    value = posterior.mean + root_beta * np.asarray(design["shifts"], float) * np.sqrt(posterior.variance())
    return _step(posterior, observed, value, root_beta)


@st.composite
def in_rkhs(draw: st.DrawFn) -> Design:
    """X = {-a, 0, b}, f on X, one observation at 0 with bounded noise; all terms of B (27) can be computed."""
    return {
        "kernel": draw(st.sampled_from(tuple(STATIONARY))),
        "points": [[-draw(st.floats(0.3, 3.0))], [0.0], [draw(st.floats(0.3, 3.0))]],
        "value": [draw(st.floats(-1, 1)), draw(st.floats(-0.2, 0.2)), draw(st.floats(-1, 1))],
        "scale": 10.0 ** draw(st.floats(0, 6)),
        "noise": 10.0 ** draw(st.floats(-3, 0)),
        "luck": draw(st.floats(-1, 1)),
        "delta": 0.05,
    }


def beta_of(norm_squared: float, gain: float, t: int, delta: float) -> float:
    """beta_t = 2 ||f||_k^2 + 300 gamma_t ln^3(t / delta), Lemma 4.1."""
    return 2 * norm_squared + 300 * gain * math.log(t / delta) ** 3


def from_rkhs(design: Mapping[str, Any]) -> Step:
    """The step t = 2 of a design of `in_rkhs`: ||f||_k^2 = f^T K^-1 f, gamma_2 by enumeration."""
    points = np.asarray(design["points"], float)
    covariance, noise = gram(str(design["kernel"]), points, points), float(design["noise"])
    value = float(design["scale"]) * np.asarray(design["value"], float)
    norm_squared = float(value @ np.linalg.solve(covariance, value))
    beta = beta_of(norm_squared, maximum_information(covariance, noise**2, 2), 2, float(design["delta"]))
    posterior = FinitePosterior.prior(covariance)
    posterior.observe(1, float(value[1]) + noise * float(design["luck"]), noise**2)
    return _step(posterior, [1], value, math.sqrt(beta))
