"""The rule that chooses constants of `core.policies.constants` from the results of `boke.calibration`.

The bandwidth rule itself is a reading of the paper, and not chosen here; constants are chosen for a given one. BOKE,
BOKE+ and KR-UCB have another rule and another pair of bandwidth and noise scale, which the paper's sentences chose
(`theory_checks.readings.boke.default_setting`); what is chosen here for them is the setting `CALIBRATED` of
`experiments.boke.regret_constants`.

1. On every instance (function, noise level) the 32 configurations of a method are ranked by final simple regret, 1 the
   best, ties sharing their mean rank; a configuration's score is its mean rank over all instances.
2. A configuration must improve on its initial design in at least the share 1 - n/T of the instances of every dimension
(n points of the design, T evaluations), which is as often as uniform points do. The number of configurations is added
to the score of a configuration that does not, so that it comes after all others. 3. Shared constants: the bandwidth
constant h (BOKE, BOKE+, KR-UCB) and the noise scale s (BOKE, BOKE+, GP-UCB) have one
   value each for all methods. The score of a method for a pair (h, s) is the best score of its configurations with this
   h and s, as far as the method has both constants. The rule takes the pair with the smallest mean score over the four
   methods.
4. The other constants of a method are the constants of its best configuration with this pair.

Ties go to the configuration that comes first in the grid. `python -m experiments.boke.chosen_constants` prints the
choice and the tables of `docs/constants/boke.md`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import rankdata

from core.designs import default_initial_size
from experiments.boke.calibration import BANDWIDTHS, GRIDS, NOISE_SCALES, RULES, configurations, grid_of
from experiments.engine.result_file import Result
from experiments.engine.store import REFERENCE, Store

__all__ = ["CONSTANTS", "choose", "committed_markdown", "markdown", "improving", "mean_ranks", "scores"]

CONSTANTS: Mapping[str, tuple[str, str]] = {
    "EXPLORATION_BANDWIDTH": ("boke", "bandwidth"),
    "GP_NOISE_SCALE": ("gp_ucb", "noise_scale"),
    "DELTA": ("boke", "delta"),
    "EXPLORATION_PROBABILITY": ("boke_plus", "exploration_probability"),
    "LENGTHSCALE": ("gp_ucb", "lengthscale"),
    "GP_BETA": ("gp_ucb", "beta"),
    "KR_UCB_EXPLORATION": ("kr_ucb", "exploration"),
    "KR_UCB_WIDENING": ("kr_ucb", "widening"),
    "KR_UCB_THRESHOLD": ("kr_ucb", "threshold"),
}
"""The method and the grid's constant behind each name in `core.policies.constants`."""

Configuration = Mapping[str, float]


def mean_ranks(regret: np.ndarray) -> np.ndarray:
    """Mean rank (configurations,) over the instances of `regret` (instances, configurations), 1 the smallest."""
    ranks: np.ndarray = rankdata(regret, axis=1).mean(axis=0)
    return ranks


def of_method(results: Sequence[Result], policy: str, rule: str) -> list[Result]:
    """The results of a method with a bandwidth rule; GP-UCB has no rule."""
    wanted = "" if policy == "gp_ucb" else rule
    return [r for r in results if r.config["policy"] == policy and r.config["options"]["rule"] == wanted]


def improved(result: Result) -> np.ndarray:
    """The share (configurations,) of the instances whose final regret is below the regret of the initial design."""
    better = result.arrays["final_regret"] < result.arrays["initial_regret"]
    share: np.ndarray = better.reshape(-1, better.shape[-1]).mean(axis=0)
    return share


def improving(results: Sequence[Result]) -> np.ndarray:
    """True where a configuration improves often enough on its initial design in every dimension (configurations,)."""
    enough = []
    for result in results:
        options = result.config["options"]
        enough.append(improved(result) >= 1.0 - default_initial_size(options["dim"]) / options["budget"])
    return np.all(enough, axis=0)


def regrets(results: Sequence[Result]) -> np.ndarray:
    """The final regret (instances, configurations); dimensions, functions and noise levels follow one another."""
    return np.concatenate([r.arrays["final_regret"].reshape(-1, r.arrays["final_regret"].shape[-1]) for r in results])


def scores(results: Sequence[Result], rule: str = RULES[0]) -> dict[str, np.ndarray]:
    """The score of every configuration of every method with that rule: mean rank, plus 32 where it fails to improve."""
    found = {}
    for policy in GRIDS:
        own = of_method(results, policy, rule)
        ranks = mean_ranks(regrets(own))
        found[policy] = ranks + np.where(improving(own), 0.0, len(ranks))
    return found


def _best(policy: str, rule: str, score: np.ndarray, shared: Configuration) -> tuple[float, Configuration]:
    """The smallest score, and its configuration, among a method's configurations with the shared constants."""
    made = configurations(_grid(policy, rule))
    agree = [i for i, c in enumerate(made) if all(c.get(name, value) == value for name, value in shared.items())]
    index = min(agree, key=lambda i: float(score[i]))
    return float(score[index]), made[index]


def _grid(policy: str, rule: str) -> dict[str, tuple[float, ...]]:
    return grid_of(policy, "" if policy == "gp_ucb" else rule)


def pair_scores(score: Mapping[str, np.ndarray], rule: str = RULES[0]) -> dict[tuple[float, float], dict[str, float]]:
    """The best score of every method with the shared constants, by (bandwidth, noise scale)."""
    return {
        (h, s): {policy: _best(policy, rule, score[policy], {"bandwidth": h, "noise_scale": s})[0] for policy in GRIDS}
        for h in BANDWIDTHS[rule]
        for s in NOISE_SCALES
    }


def choose(score: Mapping[str, np.ndarray], rule: str = RULES[0]) -> dict[str, float]:
    """The constants, by their names in `core.policies.constants`, from the scores of all configurations."""
    pairs = pair_scores(score, rule)
    h, s = min(pairs, key=lambda pair: float(np.mean(list(pairs[pair].values()))))
    shared = {"bandwidth": h, "noise_scale": s}
    return {name: _best(policy, rule, score[policy], shared)[1][key] for name, (policy, key) in CONSTANTS.items()}


def markdown(results: Sequence[Result]) -> str:
    """The tables of `docs/constants/boke.md`: the choice, the shared pairs, and every configuration of every method."""
    score = scores(results)
    chosen = choose(score)
    lines = ["| constant | value | method | tried |", "|---|---|---|---|"]
    for name, (policy, key) in CONSTANTS.items():
        lines.append(
            f"| `{name}` | {chosen[name]:g} | {policy} | {', '.join(f'{v:g}' for v in _grid(policy, RULES[0])[key])} |"
        )
    lines += ["", "| bandwidth | noise scale | " + " | ".join(GRIDS) + " | mean |", "|---" * (len(GRIDS) + 3) + "|"]
    for (h, s), by_policy in pair_scores(score).items():
        values = [*by_policy.values(), float(np.mean(list(by_policy.values())))]
        mark = "**" if (h, s) == (chosen["EXPLORATION_BANDWIDTH"], chosen["GP_NOISE_SCALE"]) else ""
        lines.append(f"| {mark}{h:g}{mark} | {mark}{s:g}{mark} | " + " | ".join(f"{v:.1f}" for v in values) + " |")
    for policy in GRIDS:
        grid, own = _grid(policy, RULES[0]), of_method(results, policy, RULES[0])
        lines += [
            "",
            f"`{policy}`",
            "",
            "| " + " | ".join(grid) + " | score | least share improved | median regret, exact | median, noisy |",
        ]
        lines.append("|---" * (len(grid) + 4) + "|")
        regret = np.concatenate([r.arrays["final_regret"] for r in own])
        least = np.min([improved(r) for r in own], axis=0)
        medians = np.median(regret, axis=0)
        for index, made in enumerate(configurations(grid)):
            cells = [f"{value:g}" for value in made.values()]
            cells += [
                f"{score[policy][index]:.1f}",
                f"{least[index]:.2f}",
                f"{medians[0, index]:.1e}",
                f"{medians[1, index]:.1e}",
            ]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def committed_markdown() -> str:
    """The tables made from the committed results of the calibration at scale quick."""
    return markdown(Store(REFERENCE, any_code=True).results("boke.calibration", "quick"))


if __name__ == "__main__":
    print(committed_markdown())
