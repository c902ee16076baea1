"""Numbers that the records tell of stored runs: computed from the committed results when a page is written.

The results are those at scale paper unless a function says otherwise.

A record refers to them by name, `${measured:portfolio[whole].mean|.2f}` (`theory_checks.references`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import sem, t, ttest_1samp, wilcoxon

from experiments.engine.result_file import Result
from experiments.engine.slim import best_observed, widened
from theory_checks import study_results

DESIGN = 10
"""Initial decisions of Paper C's runs, which its records leave out."""
SBO, DRBO, BLIND = "sbo_kde", "drbo_kde", "context_free_ucb"
ACKLEY, BRANIN, HARTMANN, COMPLICATED = (
    f"context_{name}" for name in ("ackley", "branin", "hartmann", "hartmann_complicated")
)


@dataclass(frozen=True)
class Ratio:
    """Ratios of two methods, seed by seed.

    Attributes:
        mean: geometric mean.
        low, high: its 95 % interval, by Student's t of the logarithms.
        p: two-sided, of that test against one.
        larger, smaller: in how many seeds the first method's value is larger, or smaller.
        count: number of seeds.
    """

    mean: float
    low: float
    high: float
    p: float
    larger: int
    smaller: int
    count: int

    @staticmethod
    def of(first: np.ndarray, second: np.ndarray) -> Ratio:
        """The statistics of (seeds,) values."""
        logs = np.log(first / second)
        low, high = np.exp(t.interval(0.95, len(logs) - 1, logs.mean(), sem(logs)))
        above, below = int(np.sum(logs > 0)), int(np.sum(logs < 0))
        p = float(ttest_1samp(logs, 0).pvalue)
        return Ratio(float(np.exp(logs.mean())), float(low), float(high), p, above, below, len(logs))


@dataclass(frozen=True)
class Mean:
    """A mean over runs and its standard error."""

    mean: float
    error: float

    @staticmethod
    def of(values: np.ndarray) -> Mean:
        """The statistics of (seeds,) values."""
        return Mean(float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5))


@cache
def _results(study: str, scale: str = "paper") -> list[Result]:
    return [widened(one.load(study, scale)) for one in study_results.committed(study, scale)]


def _runs(study: str, problem: str, policy: str, arm: str = "", scale: str = "paper") -> list[Result]:
    """The blocks of seeds of a problem, a method and an arm, in the order of their seeds."""
    found = [
        one for one in _results(study, scale) if (one.config["problem"], one.config["policy"]) == (problem, policy)
    ]
    found = [one for one in found if not arm or one.config["options"].get("arm") == arm]
    if not found:
        raise LookupError(f"no committed results of {study}: {problem}, {policy}, {arm}")
    return sorted(found, key=lambda one: one.config["seeds"])


def _array(name: str, study: str, problem: str, policy: str, arm: str = "", scale: str = "paper") -> np.ndarray:
    """(seeds, ...) an array of all seeds."""
    return np.concatenate([np.asarray(one.arrays[name]) for one in _runs(study, problem, policy, arm, scale)])


def _regret(study: str, problem: str, policy: str, arm: str = "", scale: str = "paper") -> np.ndarray:
    """(seeds, T) regret by round after the initial design."""
    return _array("regret", study, problem, policy, arm, scale)[:, DESIGN:]


def _cumulative(first: np.ndarray, second: np.ndarray, **parts: slice) -> dict[str, Ratio]:
    """Ratios of cumulative regrets over parts of the rounds; over all of them and either half besides."""
    middle = first.shape[1] // 2
    every = {"whole": slice(None), "first": slice(middle), "second": slice(middle, None), **parts}
    return {name: Ratio.of(first[:, part].sum(axis=1), second[:, part].sum(axis=1)) for name, part in every.items()}


# -- Paper C


@cache
def model_arms() -> Mapping[str, Mapping[str, Ratio]]:
    """Scale quick: SBO-KDE's cumulative regret with a fitted mean, or a floor of the noise, over the regret without.

    Over GP-UCB's and DRBO-KDE's regret besides, with mean zero (text) and with a fitted mean.
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
        "robust_text": over(text, ("text", DRBO)),
        "robust_fitted": over(fitted, ("fitted_mean", DRBO)),
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
def newsvendor() -> Mapping[str, Mapping[str, Ratio]]:
    """Cumulative regret over GP-UCB's on newsvendor, twenty seeds; of rounds 76 to 150 besides."""
    blind = _regret("ctx.fig1b", "newsvendor", BLIND)[:20]
    return {
        method: _cumulative(_regret("ctx.fig1b", "newsvendor", method)[:20], blind, later=slice(75, 150))
        for method in (SBO, DRBO)
    }


@cache
def four_contexts() -> Mapping[str, Mapping[str, Ratio]]:
    """DRBO-KDE's cumulative regret over a peer's on Ackley with four contexts, fresh seeds; of 150 rounds besides."""
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
    """By the public code's boxes over the figure's runs, 150 rounds of five seeds: StableOpt over GP-UCB; DRBO-KDE over
    itself and over SBO-KDE."""

    def over(method: str, peer: str) -> dict[str, Ratio]:
        return {
            problem: _cumulative(
                _regret("ctx.public_arms", problem, method)[:5], _regret("ctx.fig1a", problem, peer)[:5, :150]
            )["whole"]
            for problem in (ACKLEY, BRANIN, HARTMANN, COMPLICATED)
        }

    return {"stable": over("stable_opt", BLIND), "own": over(DRBO, DRBO), "plain": over(DRBO, SBO)}


# -- Paper B


@cache
def gap_ratios() -> Mapping[str, Mapping[str, float]]:
    """Medians of corrected EI's gap over EI's with the variance known, at the end and after 50 steps."""
    names = ("hartmann3", "griewank6", "levy4", "powell5")
    found = {}
    for name in names:
        ours, theirs = (_array("gap", "cei.fig3", name, method, "known") for method in ("corrected_ei", "ei"))
        found[name] = ours / theirs
    every = np.stack(list(found.values()))
    return {
        "end": {name: float(np.median(ratios[:, -1])) for name, ratios in found.items()},
        "early": {name: float(np.median(ratios[:, 49])) for name, ratios in found.items()},
        "all": {"end": float(np.median(every[:, :, -1]))},
    }


@cache
def compression() -> Mapping[str, Mapping[str, float]]:
    """EI's sum less corrected EI's on two networks: at x+ at the end, as the smallest seen, and after 45 proposals."""
    nets, gains = ("fc3_digits", "fc3_mnist"), {}
    for net in nets:
        ours, theirs = (-_array("incumbent_value", "cei.fig4", net, method) for method in ("corrected_ei", "ei"))
        seen = [
            -np.concatenate([best_observed(one.arrays) for one in _runs("cei.fig4", net, method)])[:, -1]
            for method in ("corrected_ei", "ei")
        ]
        gains[net] = {
            "end": ours[:, -1] - theirs[:, -1],
            "early": ours[:, 45] - theirs[:, 45],
            "seen": seen[0] - seen[1],
        }
    pooled = np.concatenate([gains[net]["end"] for net in nets])
    return {
        **{name: {net: float(gains[net][name].mean()) for net in nets} for name in ("end", "early", "seen")},
        "median": {net: float(np.median(gains[net]["end"])) for net in nets},
        "pairs": {"higher": int(np.sum(pooled > 0)), "lower": int(np.sum(pooled < 0)), "all": len(pooled)},
    }


@cache
def scenarios() -> Mapping[str, float]:
    """How often corrected EI's suggestion is closer to x* than EI's in scenarios like Figure 1's, and by how much it is
    farther on average, in units of the box."""
    (result,) = _results("cei.fig1")
    gain = np.asarray(result.arrays["distance_ei"]) - np.asarray(result.arrays["distance_corrected_ei"])
    low, high = map(float, t.interval(0.95, len(gain) - 1, gain.mean(), sem(gain)))
    shares = {"closer": float(np.mean(gain > 0)), "farther": float(np.mean(gain < 0))}
    return {
        **shares,
        "count": len(gain),
        "by": -float(gain.mean()),
        "low": -high,
        "high": -low,
        "p": float(wilcoxon(gain).pvalue),
    }


# -- Paper D


@cache
def random_probability() -> Mapping[str, Mapping[str, Mean]]:
    """Where the probability of a random query ends: with capped rewards, and without."""
    capped = {
        problem: Mean.of(_array("random_probability", "uhe.exp3", problem, "uhe_bo")[:, -1].astype(float))
        for problem in ("branin", "deceptive2", "hartmann3", "h1")
    }
    name = "info_random_probability"
    uncapped = {
        problem: Mean.of(_array(name, "uhe.fig2_arms", problem, "uhe_bo", "uncapped")[:, -1])
        for problem in ("branin", "h1")
    }
    return {"capped": capped, "uncapped": uncapped}


@cache
def _ends(array: str) -> Mapping[tuple[str, str, str], np.ndarray]:
    """(problem, arm, method) -> (seeds,) an array's last column, of Figure 2 (arm "rate") and its arms."""
    return {
        (one.config["problem"], one.config["options"].get("arm", "rate"), one.config["policy"]): np.asarray(
            one.arrays[array]
        )[:, -1]
        for study in ("uhe.fig2", "uhe.fig2_arms")
        for one in _results(study)
        if array in one.arrays
    }


def final_regret() -> Mapping[str, Mapping[str, Mean]]:
    """ "problem-arm" -> method -> simple regret at the end."""
    found: dict[str, dict[str, Mean]] = {}
    for (problem, arm, method), values in _ends("simple_regret").items():
        found.setdefault(f"{problem}-{arm}", {})[method] = Mean.of(values)
    return found


@cache
def ablation() -> Mapping[str, Mapping[str, Mean]]:
    """problem -> method -> simple regret at the end of Figure 5's runs."""
    found: dict[str, dict[str, Mean]] = {}
    for one in _results("uhe.fig5"):
        ends = np.asarray(one.arrays["simple_regret"])[:, -1]
        found.setdefault(one.config["problem"], {})[one.config["policy"]] = Mean.of(ends)
    return found


@cache
def portfolio_pairs() -> Mapping[str, float]:
    """Median of UHE-BO's over Portfolio's regret on Branin, by arm; a regret below 1e-9 of the range counts as that."""
    floor = 1e-9 * float(_runs("uhe.fig2", "branin", "uhe_bo")[0].arrays["range"])
    ends = _ends("simple_regret")
    return {
        arm: float(np.median(ends["branin", arm, "uhe_bo"] / np.maximum(ends["branin", arm, "portfolio_exp3"], floor)))
        for arm in ("rate", "scale", "uncapped")
    }


@cache
def prediction_error() -> Mapping[str, Mapping[str, Mean]]:
    """ "problem-arm" -> method -> error of the process at the end, in units of the objective's variance."""
    found: dict[str, dict[str, Mean]] = {}
    for study in ("uhe.fig2", "uhe.fig2_arms"):
        for one in _results(study):
            values = np.asarray(one.arrays["mse"])[:, -1] / float(one.arrays["truth_variance"])
            place = f"{one.config['problem']}-{one.config['options'].get('arm', 'rate')}"
            found.setdefault(place, {})[one.config["policy"]] = Mean.of(values)
    return found
