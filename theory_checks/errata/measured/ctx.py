"""Measured numbers in the records of Paper C."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from theory_checks.errata.measured.runs import Ratio, array

DESIGN = 10
"""Initial decisions of Paper C's runs, which its records leave out."""
SBO, DRBO, BLIND = "sbo_kde", "drbo_kde", "context_free_ucb"
ACKLEY, BRANIN, HARTMANN, COMPLICATED = (
    f"context_{name}" for name in ("ackley", "branin", "hartmann", "hartmann_complicated")
)


def _regret(study: str, problem: str, policy: str, arm: str = "", scale: str = "paper") -> np.ndarray:
    """(seeds, T) regret by round after the initial design."""
    return array("regret", study, problem, policy, arm, scale)[:, DESIGN:]


def _cumulative(first: np.ndarray, second: np.ndarray, **parts: slice) -> dict[str, Ratio]:
    """Ratios of cumulative regrets over all rounds, over each half, and over the given parts."""
    middle = first.shape[1] // 2
    every = {"whole": slice(None), "first": slice(middle), "second": slice(middle, None), **parts}
    return {name: Ratio.of(first[:, part].sum(axis=1), second[:, part].sum(axis=1)) for name, part in every.items()}


@cache
def model_arms() -> Mapping[str, Mapping[str, Ratio]]:
    """Ratios of SBO-KDE's cumulative regret with a fitted mean, or with a noise floor, to the regret without, scale
    quick.

    Further ratios are to GP-UCB's regret, with mean zero (text) and with a fitted mean.
    """

    def over(first: tuple[str, str], second: tuple[str, str]) -> dict[str, Ratio]:
        found = {}
        for problem in (ACKLEY, BRANIN, HARTMANN, COMPLICATED, "newsvendor"):
            ours, theirs = (
                _regret("ctx.model_arms", problem, method, arm, "quick").sum(axis=1) for arm, method in (first, second)
            )
            found[problem] = Ratio.of(ours, theirs)
        return found

    text, fitted = ("text", SBO), ("fitted_mean", SBO)
    return {
        "fitted": over(fitted, text),
        "floor": over(("floor", SBO), text),
        "blind_text": over(text, ("text", BLIND)),
        "blind_fitted": over(fitted, ("fitted_mean", BLIND)),
    }


def noise_floor() -> Mapping[str, float]:
    """The least and the largest effect of the floor over the problems."""
    gains = [one.mean for one in model_arms()["floor"].values()]
    return {"least": min(gains), "largest": max(gains)}


@cache
def rounds() -> Mapping[str, Mapping[str, Ratio]]:
    """SBO-KDE's cumulative regret over GP-UCB's after some rounds of Figure 1 (a), first five seeds."""
    found = {}
    for problem in (ACKLEY, BRANIN, HARTMANN, COMPLICATED):
        ours, theirs = (_regret("ctx.fig1a", problem, method)[:5] for method in (SBO, BLIND))
        parts = {str(count): slice(count) for count in (25, 60, 150, 340)}
        found[problem] = _cumulative(ours, theirs, **parts)
    return found


@cache
def four_contexts() -> Mapping[str, Mapping[str, Ratio]]:
    """DRBO-KDE's cumulative regret over a peer's on Ackley with four contexts, fresh seeds; also over 150 rounds."""
    ours = _regret("ctx.fig1_seeds", "context_ackley4", DRBO)
    return {
        peer: _cumulative(ours, _regret("ctx.fig1_seeds", "context_ackley4", peer), early=slice(150))
        for peer in ("stable_opt", BLIND)
    }


def _fresh(problem: str, method: str, peer: str, study: str = "ctx.fig1_seeds") -> dict[str, Ratio]:
    return _cumulative(_regret(study, problem, method), _regret(study, problem, peer))


@cache
def portfolio() -> Mapping[str, Ratio]:
    """DRBO-MMD's cumulative regret over DRBO-KDE's on the normal portfolio, fresh seeds."""
    return _fresh("portfolio_normal", "drbo_mmd", DRBO)


@cache
def complicated_hartmann() -> Mapping[str, Ratio]:
    """DRBO-KDE's cumulative regret over SBO-KDE's on complicated Hartmann, the figure's seeds."""
    return _fresh(COMPLICATED, DRBO, SBO, "ctx.fig1a")


@cache
def stable_opt() -> Mapping[str, Ratio]:
    """StableOpt's cumulative regret over GP-UCB's on Hartmann, fresh seeds."""
    return _fresh(HARTMANN, "stable_opt", BLIND)


@cache
def mmd_branin() -> Mapping[str, Ratio]:
    """DRBO-MMD's cumulative regret over GP-UCB's on modified Branin, fresh seeds."""
    return _fresh(BRANIN, "drbo_mmd", BLIND)


@cache
def public_arms() -> Mapping[str, Mapping[str, Ratio]]:
    """Cumulative regrets in the public code's boxes over those of the figure's runs, 150 rounds of five seeds:
    StableOpt over GP-UCB, and DRBO-KDE over itself."""

    def over(method: str, peer: str) -> dict[str, Ratio]:
        return {
            problem: _cumulative(
                _regret("ctx.public_arms", problem, method)[:5], _regret("ctx.fig1a", problem, peer)[:5, :150]
            )["whole"]
            for problem in (ACKLEY, BRANIN, HARTMANN, COMPLICATED)
        }

    return {"stable": over("stable_opt", BLIND), "own": over(DRBO, DRBO)}
