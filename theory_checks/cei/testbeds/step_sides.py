"""The two sides of B (22) to (27) on one step of the regret proof."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from theory_checks.cei.testbeds.normal import tau_float
from theory_checks.cei.testbeds.step_designs import Step, from_event

Sides = Callable[[Step, Mapping[str, Any]], tuple[float, float]]


def lemma7_sides(step: Step, variant: Mapping[str, Any]) -> tuple[float, float]:
    """(lower bound, alpha^C) of B (22) at the point where the bound is positive and comes closest to alpha^C. Without
    such a point B (22) asks alpha^C >= 0 alone."""
    best = step.incumbent
    radius = step.deviation + float(variant["incumbent_term"]) * step.deviation[best]
    bound = np.maximum(step.value - step.value[best] - step.root_beta * radius, 0.0)
    least = float(np.min(step.acquisition))
    if not bound.any():
        return 0.0, math.inf if least >= 0 else least
    index = int(np.argmax(np.where(bound > 0, bound - step.acquisition, -np.inf)))
    return float(bound[index]), float(step.acquisition[index])


def lemma8_sides(step: Step, variant: Mapping[str, Any]) -> tuple[float, float]:
    """The sides of B (23), with `share` times alpha^C(x_t) on the right."""
    star, best = step.optimum, step.incumbent
    reached = float(variant["share"]) * step.acquisition[step.chosen]
    right = step.root_beta * (step.deviation[star] + step.deviation[best]) + reached
    return float(step.value[star] - step.value[best]), float(right)


def eq24_sides(step: Step, variant: Mapping[str, Any]) -> tuple[float, float]:
    """(|left - right| of B (24), 0); `of` is "f" or "mu", the function on the left."""
    left = step.value if variant["of"] == "f" else step.mean
    s = step.corrected[step.chosen]
    z = (step.mean[step.chosen] - step.mean[step.incumbent]) / s if s > 0 else 0.0
    right = float(variant["factor"]) * s * float(tau_float(-z) - tau_float(z))
    return abs(float(left[step.incumbent] - left[step.chosen]) - float(right)), 0.0


def eq26_sides(step: Step, variant: Mapping[str, Any]) -> tuple[float, float]:
    """Squares of both sides of B (26) at the point where the squares are closest."""
    best = step.incumbent
    cross = 2 * float(variant["cross_term"]) * step.deviation * step.deviation[best]
    right = step.deviation**2 + step.deviation[best] ** 2 + cross
    index = int(np.argmax(step.corrected**2 - right))
    return float(step.corrected[index] ** 2), float(right[index])


def eq27_sides(step: Step, variant: Mapping[str, Any]) -> tuple[float, float]:
    """The sides of B (27), or its repair, with kappa = share alpha^C(x_t), C = max(log(2 / (pi kappa^2)), 0)."""
    kappa = float(variant["share"]) * float(step.acquisition[step.chosen])
    if kappa <= 0:
        return 0.0, math.inf
    constant = math.sqrt(max(math.log(2 / math.pi) - 2 * math.log(kappa), 0.0)) + 1
    at_choice, at_best = (step.deviation[i] for i in (step.chosen, step.incumbent))
    right = constant * (at_choice + at_best) + step.root_beta * (step.deviation[step.optimum] + at_best)
    if variant["repaired"]:
        right += step.root_beta * (at_choice + at_best)
    factor = float(variant["factor"])
    return float(step.value[step.optimum] - step.value[step.chosen]), float(factor * right)


def differences_on_paths(count: int) -> float:
    """Root mean square of (left - right of B (24)) / sigma~, f drawn from the prior, y from f; about 1."""
    rng, squares = np.random.default_rng(24), []
    for _ in range(count):
        points = rng.uniform(-2, 2, (6, 1))
        covariance = np.exp(-0.5 * (points - points.T) ** 2)
        value = np.linalg.cholesky(covariance + 1e-10 * np.eye(6)) @ rng.standard_normal(6)
        noise = 10.0 ** rng.uniform(-1.5, 0, 3)
        design = {
            "kernel": "squared_exponential",
            "points": points,
            "observed": [0, 1, 2],
            "y": value[:3] + noise * rng.standard_normal(3),
            "noise": noise,
            "shifts": np.zeros(6),
            "root_beta": 1.0,
        }
        step = from_event(design)
        expected = step.mean[step.incumbent] - step.mean[step.chosen]
        squares.append(((value[step.incumbent] - value[step.chosen] - expected) / step.corrected[step.chosen]) ** 2)
    return math.sqrt(float(np.mean(squares)))
