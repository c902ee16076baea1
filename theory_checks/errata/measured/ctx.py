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


def _behind(study: str, problem: str, method: str, peer: str) -> dict[str, Ratio]:
    """A method's cumulative regret over a peer's, over the seeds and the rounds that both have."""
    ours, theirs = (_regret(study, problem, policy) for policy in (method, peer))
    seeds, rounds = (min(sizes) for sizes in zip(ours.shape, theirs.shape, strict=True))
    return _cumulative(ours[:seeds, :rounds], theirs[:seeds, :rounds])


@cache
def four_contexts() -> Mapping[str, Mapping[str, Ratio]]:
    """DRBO-KDE's cumulative regret over a peer's on Ackley with four contexts."""
    return {peer: _behind("ctx.fig2", "context_ackley4", DRBO, peer) for peer in ("stable_opt", BLIND)}


@cache
def portfolio() -> Mapping[str, Ratio]:
    """DRBO-MMD's cumulative regret over DRBO-KDE's on the normal portfolio."""
    return _behind("ctx.fig1b", "portfolio_normal", "drbo_mmd", DRBO)


@cache
def complicated_hartmann() -> Mapping[str, Ratio]:
    """DRBO-KDE's cumulative regret over SBO-KDE's on complicated Hartmann."""
    return _behind("ctx.fig1a", COMPLICATED, DRBO, SBO)


@cache
def stable_opt() -> Mapping[str, Mapping[str, Ratio]]:
    """StableOpt's cumulative regret over GP-UCB's on the functions of Figure 1 (a)."""
    return {name: _behind("ctx.fig1a", name, "stable_opt", BLIND) for name in (ACKLEY, BRANIN, HARTMANN, COMPLICATED)}


@cache
def mmd_branin() -> Mapping[str, Ratio]:
    """DRBO-MMD's cumulative regret over GP-UCB's on modified Branin."""
    return _behind("ctx.fig1a", BRANIN, "drbo_mmd", BLIND)


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
