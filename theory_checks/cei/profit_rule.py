"""The rule that stops when alpha^C falls below the cost kappa of an evaluation, and the largest profit B (11).

alpha^C(x) is the expected gain of learning f(x) and f(x+) exactly. One noisy observation of x moves mu(x) - mu(x+) by a
random amount whose standard deviation is smaller than sigma tilde: the expected gain of the step is less than alpha^C,
and a search that goes on while alpha^C >= kappa pays too much. Moreover alpha^C(x+) = 0, so that the search does not
sample x+, and the uncertainty of f(x+) keeps alpha^C up. On two points alpha^C tends to sigma(x+) tau(-(mu(x+) - f(x))
/ sigma(x+)); where this limit exceeds kappa the search never stops.

f is drawn from the prior that the method knows. Half of the draws choose the best rule that stops at a fixed step; the
other half compare the criterion with that rule. With little noise (the positive control) the criterion does as well;
noise 0.2 refutes the claim.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from theory_checks.cei.testbeds.finite_runs import run
from theory_checks.cei.testbeds.posteriors import gram
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.scales import ByScale
from theory_checks.significance import side

DRAWS = ByScale(200, 400, 4000)
LONGEST = ByScale(60, 150, 400)
"""The largest number of steps; a run that does not stop counts with this step, which favours the criterion."""
SEED = 11


@dataclass(frozen=True)
class Setting:
    """Points of the line (squared exponential kernel, l = 1), noise deviation, cost of an evaluation."""

    name: str
    points: tuple[float, ...]
    initial: tuple[int, ...]
    noise: float
    kappa: float


_GRID = tuple(np.linspace(0.0, 6.0, 31))
LIGHT, NOTICEABLE = 0.01, 0.2
"""Noise deviations of the positive and of the negative control."""


def interval(noise: float) -> Setting:
    """31 points of [0, 6]; three points are observed first."""
    return Setting(f"interval, noise {noise:g}", _GRID, (5, 15, 25), noise, 0.02)


SETTINGS = (Setting("two points, noise 1", (0.0, 6.0), (0, 1), 1.0, 0.02), interval(0.5), interval(LIGHT))


def profits(setting: Setting, scale: str, share: float = 1.0) -> tuple[np.ndarray, np.ndarray, float]:
    """(profit of the criterion (draws,), profit of stopping at each step (draws, T), share of runs that do not stop).

    The criterion stops at the first step with alpha^C < share kappa; a step costs kappa.
    """
    rng, draws, longest = np.random.default_rng(SEED), DRAWS[scale], LONGEST[scale]
    points = np.asarray(setting.points)[:, None]
    covariance = gram("squared_exponential", points, points)
    eigenvalues, vectors = np.linalg.eigh(covariance)
    value = rng.standard_normal((draws, len(points))) @ (vectors * np.sqrt(np.maximum(eigenvalues, 0))).T
    noise = setting.noise * rng.standard_normal((draws, len(setting.initial) + longest))
    played = run(covariance, value, setting.noise, setting.initial, noise)
    cost = setting.kappa * np.arange(1, longest + 1)
    fixed = np.take_along_axis(value, played.incumbent, axis=1) - cost
    below = played.log_acquisition < math.log(share * setting.kappa)
    stops = np.where(below.any(axis=1), below.argmax(axis=1), longest - 1)
    return fixed[np.arange(draws), stops], fixed, float(np.mean(~below.any(axis=1)))


def compare(setting: Setting, scale: str) -> tuple[np.ndarray, dict[str, Any]]:
    """(profit of the criterion - profit of the best fixed step on the second half of the draws, numbers)."""
    criterion, fixed, unstopped = profits(setting, scale)
    half = len(criterion) // 2
    best = int(np.argmax(fixed[:half].mean(axis=0)))
    differences = criterion[half:] - fixed[half:, best]
    return differences, {
        "best_fixed_step": best + 1,
        "profit_of_criterion": float(criterion[half:].mean()),
        "profit_of_best_fixed_step": float(fixed[half:, best].mean()),
        "share_unstopped": unstopped,
        "standard_error_of_difference": float(np.std(differences, ddof=1) / math.sqrt(len(differences))),
    }


def replay_profit(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: mean profit of the criterion; right: mean profit of the best fixed step. The runs are repeated."""
    settings = (*SETTINGS, interval(NOTICEABLE))
    setting = next(one for one in settings if one.name == stored["setting"])
    differences, row = compare(setting, str(stored["scale"]))
    worse = side(differences, 0.0, float(stored["level"])) < 0 and float(np.mean(differences)) < 0
    return row["profit_of_criterion"], row["profit_of_best_fixed_step"], worse


@claim(
    id="cei.profit_rule",
    rule=f"""{len(SETTINGS)} settings (two points; {len(_GRID)} points of an interval under heavy and under light
        noise; squared exponential kernel of lengthscale one, kappa = {SETTINGS[0].kappa:g}), {DRAWS} draws of f and up
        to {LONGEST} steps at smoke / quick / paper. The best fixed stopping step is chosen on half of the draws.
        Refuted if on the other half the criterion's profit is lower in the mean and significantly lower by Wilcoxon's
        signed-rank test (level shared) in one setting; otherwise supported (a rule that no fixed step beats).""",
    control={"noise": NOTICEABLE},
    control_statement=f"The same on the interval with noise {NOTICEABLE:g} only.",
    tests=1,
    replay=replay_profit,
    severity="substantive",
    positive={"noise": LIGHT},
    positive_statement=f"The same on the interval with noise {LIGHT:g} only.",
)
def profit_rule(scale: str, *, noise: float | None = None) -> Evidence:
    """Compares the criterion with the best fixed number of steps."""
    alpha = level("B") / len(SETTINGS)
    numbers: dict[str, Any] = {"level": alpha, "settings": {}}
    worse: list[tuple[float, Setting]] = []
    for one in SETTINGS if noise is None else (interval(noise),):
        differences, row = compare(one, scale)
        numbers["settings"][one.name] = row
        if side(differences, 0.0, alpha) < 0 and float(np.mean(differences)) < 0:
            worse.append((float(np.mean(differences)), one))
    rows = numbers["settings"]
    shown = "; ".join(
        f"{name}: {row['profit_of_criterion']:.2f} against {row['profit_of_best_fixed_step']:.2f} "
        f"({row['share_unstopped']:.0%} not stopped)"
        for name, row in rows.items()
    )
    summary = f"The criterion has this mean profit, against that of the best fixed step: {shown}."
    if worse:
        _, setting = min(worse, key=lambda pair: pair[0])
        stated = {"setting": setting.name, "scale": scale, "level": alpha, "kappa": setting.kappa}
        return Evidence(Verdict.REFUTED, summary, numbers, stated)
    return Evidence(Verdict.SUPPORTED, summary, numbers)
