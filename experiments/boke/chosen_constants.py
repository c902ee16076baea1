"""The rule that chooses the constants of `core.policies.constants` from the results of `boke.calibration`.

1. On every instance (sample path, noise level) the 32 configurations of a method are ranked by final simple regret, 1
   the best, ties sharing their mean rank; a configuration's score is its mean rank over all instances.
2. Shared constants: the bandwidth constant h (BOKE, BOKE+, KR-UCB) and the noise scale s (BOKE, BOKE+, GP-UCB) have one
   value each for all methods. For a pair (h, s) every method scores the best of its configurations that have this h and
   s, as far as it has them; the pair with the smallest mean over the four methods is taken.
3. The other constants of a method are those of its best configuration with the pair chosen.

Ties go to the configuration that comes first in the grid. `python -m experiments.boke.chosen_constants` prints the
choice and the tables of `docs/constants.md`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import rankdata

from experiments.boke.calibration import BANDWIDTHS, GRIDS, NOISE_SCALES, configurations
from experiments.engine.result_file import Result
from experiments.engine.store import REFERENCE, Store

__all__ = ["CONSTANTS", "choose", "committed_markdown", "markdown", "mean_ranks", "scores"]

CONSTANTS: Mapping[str, tuple[str, str]] = {
    "BANDWIDTH": ("boke", "bandwidth"),
    "NOISE_SCALE": ("boke", "noise_scale"),
    "DELTA": ("boke", "delta"),
    "EXPLORATION_PROBABILITY": ("boke_plus", "exploration_probability"),
    "LENGTHSCALE": ("gp_ucb", "lengthscale"),
    "GP_BETA": ("gp_ucb", "beta"),
    "KR_UCB_EXPLORATION": ("kr_ucb", "exploration"),
    "KR_UCB_WIDENING": ("kr_ucb", "widening"),
    "KR_UCB_THRESHOLD": ("kr_ucb", "threshold"),
}
"""Name in `core.policies.constants` → the method and the constant of its grid that it is read from."""

Configuration = Mapping[str, float]


def mean_ranks(regret: np.ndarray) -> np.ndarray:
    """Mean rank (configurations,) over the instances of `regret` (instances, configurations), 1 the smallest."""
    ranks: np.ndarray = rankdata(regret, axis=1).mean(axis=0)
    return ranks


def scores(results: Sequence[Result]) -> dict[str, np.ndarray]:
    """Mean rank of every configuration of every method, over all dimensions, paths and noise levels."""
    found = {}
    for policy in GRIDS:
        regret = [r.arrays["final_regret"] for r in results if r.config["policy"] == policy]
        found[policy] = mean_ranks(np.concatenate([part.reshape(-1, part.shape[-1]) for part in regret]))
    return found


def _best(policy: str, score: np.ndarray, shared: Configuration) -> tuple[float, Configuration]:
    """Smallest score, and whose it is, among the configurations of a method that agree with the shared constants."""
    made = configurations(GRIDS[policy])
    agree = [i for i, c in enumerate(made) if all(c.get(name, value) == value for name, value in shared.items())]
    index = min(agree, key=lambda i: float(score[i]))
    return float(score[index]), made[index]


def pair_scores(score: Mapping[str, np.ndarray]) -> dict[tuple[float, float], dict[str, float]]:
    """(bandwidth, noise scale) → best score of every method with them."""
    return {
        (h, s): {policy: _best(policy, score[policy], {"bandwidth": h, "noise_scale": s})[0] for policy in GRIDS}
        for h in BANDWIDTHS
        for s in NOISE_SCALES
    }


def choose(score: Mapping[str, np.ndarray]) -> dict[str, float]:
    """The constants, by their names in `core.policies.constants`, from the scores of all configurations."""
    pairs = pair_scores(score)
    h, s = min(pairs, key=lambda pair: float(np.mean(list(pairs[pair].values()))))
    shared = {"bandwidth": h, "noise_scale": s}
    return {name: _best(policy, score[policy], shared)[1][key] for name, (policy, key) in CONSTANTS.items()}


def markdown(results: Sequence[Result]) -> str:
    """The tables of `docs/constants.md`: the choice, the shared pairs, and every configuration of every method."""
    score = scores(results)
    chosen = choose(score)
    lines = ["| constant | value | method | tried |", "|---|---|---|---|"]
    for name, (policy, key) in CONSTANTS.items():
        lines.append(f"| `{name}` | {chosen[name]:g} | {policy} | {', '.join(f'{v:g}' for v in GRIDS[policy][key])} |")
    lines += ["", "| bandwidth | noise scale | " + " | ".join(GRIDS) + " | mean |", "|---" * (len(GRIDS) + 3) + "|"]
    for (h, s), by_policy in pair_scores(score).items():
        values = [*by_policy.values(), float(np.mean(list(by_policy.values())))]
        mark = "**" if (h, s) == (chosen["BANDWIDTH"], chosen["NOISE_SCALE"]) else ""
        lines.append(f"| {mark}{h:g}{mark} | {mark}{s:g}{mark} | " + " | ".join(f"{v:.1f}" for v in values) + " |")
    for policy, grid in GRIDS.items():
        lines += [
            "",
            f"`{policy}`",
            "",
            "| " + " | ".join(grid) + " | mean rank | median regret, exact | median, noisy |",
        ]
        lines.append("|---" * (len(grid) + 3) + "|")
        regret = np.concatenate([r.arrays["final_regret"] for r in results if r.config["policy"] == policy])
        medians = np.median(regret, axis=0)
        for index, made in enumerate(configurations(grid)):
            cells = [f"{value:g}" for value in made.values()]
            cells += [f"{score[policy][index]:.1f}", f"{medians[0, index]:.1e}", f"{medians[1, index]:.1e}"]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def committed_markdown() -> str:
    """The tables made from the committed results of the calibration at scale quick."""
    return markdown(Store(REFERENCE, any_code=True).results("boke.calibration", "quick"))


if __name__ == "__main__":
    print(committed_markdown())
