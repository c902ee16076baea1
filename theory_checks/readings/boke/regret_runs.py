"""The stored runs behind Figures 6 and 7, under every setting that was tried of either side.

The paper prints neither the constants of its methods and peers nor which version of a function a panel shows. Each side's
settings were run once, by `boke.regret_constants`, and are crossed when they are read; BOKE and BOKE+ share theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from experiments.boke.regret import PANELS
from experiments.boke.regret_constants import LEVEL, SETTINGS, in_words
from experiments.engine.result_file import Result
from experiments.measures.regret import FLOOR, final_simple_regret, whole_simple_regret
from theory_checks import inputs
from theory_checks.pairs import Undecided, stored
from theory_checks.readings.declaration import Circumstance, Key, Measure, Source

SWEEP = "boke.regret_constants"
DEFAULT = "ours"
OURS = ("boke", "boke_plus")
VERSIONS: Mapping[str, Mapping[str, str]] = {
    "usual": {letter: names[0] for letter, names in PANELS.items()},
    "reference": {letter: names[-1] for letter, names in PANELS.items()},
}
"""Version of the functions -> letter of a panel -> problem."""

QUESTIONS: Mapping[str, str] = {
    "functions": "those in common use or those of the reference that the paper cites for its functions",
    "constants of BOKE": f"ours and the {len(SETTINGS['boke'])} settings of {SWEEP}",
    "constants of the peer": f"ours and the settings of {SWEEP}: {len(SETTINGS['gp_ucb'])} of GP-UCB, "
    f"{len(SETTINGS['kr_ucb'])} of KR-UCB",
}


def final(result: Result) -> np.ndarray:
    """(seeds,) the last simple regret over the range, at least the floor."""
    if "simple_regret" in result.arrays:
        return final_simple_regret(result)
    return np.maximum(np.asarray(result.arrays["final_regret"], float), FLOOR)


def whole(result: Result) -> np.ndarray:
    """(seeds,) the geometric mean of the simple regrets after the initial design, over the range."""
    if "simple_regret" in result.arrays:
        return whole_simple_regret(result)
    return np.asarray(10.0 ** np.asarray(result.arrays["mean_log10_regret"], float))


def measures(value: str, effect: float = 1.25) -> tuple[Measure, ...]:
    """The measures of a sentence: ratio of means, as the curves of the figure are means, then of paired regrets."""
    of = {"final": final, "whole": whole}[value]
    shared = {"value": of, "effect": float(np.log10(effect)), "margin": float(np.log10(2.0))}
    return (
        Measure(f"ratio of means, {value} regret", compare="ratio of means", test="student", **shared),
        Measure(f"paired ratios, {value} regret", compare="ratio", test="wilcoxon", **shared),
    )


def swept(scale: str, noisy: bool) -> dict[Key, dict[str, Result]]:
    """(problem, method) -> setting of the sweep -> its run, as a result."""
    found: dict[Key, dict[str, Result]] = {}
    for one in inputs.results(SWEEP, scale):
        if one.config["options"]["noisy"] != noisy:
            continue
        rows = found.setdefault((one.config["options"]["problem"], one.config["policy"]), {})
        for name, last, mean in zip(
            map(str, one.arrays["setting"]), one.arrays["final_regret"], one.arrays["mean_log10_regret"], strict=True
        ):
            rows[name] = Result(one.config, {"final_regret": last, "mean_log10_regret": mean}, one.metadata)
    return found


def names_of(method: str, noisy: bool) -> list[str]:
    """The settings of a method, the default first; the true noise level is one under noise alone."""
    return [DEFAULT, *(in_words(one) for one in SETTINGS[method] if noisy or LEVEL not in one.values())]


def runs(study: str, peer: str, letters: str, noisy: bool) -> Source:
    """Both of our methods, the peer and random search on the panels with these letters, every setting of either side.

    The peer shares our setting where it is one of our own methods. `peer` is "gp_ucb", "kr_ucb", "boke" or
    "random_search", which has none.
    """
    return partial(_circumstances, study=study, peer=peer, letters=letters, noisy=noisy)


def _circumstances(scale: str, *, study: str, peer: str, letters: str, noisy: bool) -> Iterator[Circumstance]:
    methods = dict.fromkeys((*OURS, peer, "random_search"))
    problems = dict.fromkeys(names[letter] for names in VERSIONS.values() for letter in letters)
    figure = stored(study, scale, [(problem, method) for problem in problems for method in methods])
    try:
        others = swept(scale, noisy)
    except Undecided:
        others = {}
    command = f"python -m experiments run --only {SWEEP} --scale {scale}"
    crossed = peer in SETTINGS and peer not in OURS
    for version, names in VERSIONS.items():
        if version != "usual" and all(names[letter] == VERSIONS["usual"][letter] for letter in letters):
            continue
        for mine in names_of("boke", noisy):
            for theirs in names_of(peer, noisy) if crossed else [DEFAULT]:
                chosen = {
                    method: mine if method in OURS else theirs if method == peer else DEFAULT for method in methods
                }
                found = {
                    (names[letter], method): figure[names[letter], method]
                    if setting == DEFAULT
                    else others.get((names[letter], method), {}).get(setting)
                    for letter in letters
                    for method, setting in chosen.items()
                }
                choices = {"functions": version, "constants of BOKE": mine}
                choices |= {"constants of the peer": theirs} if crossed else {}
                complete = {key: one for key, one in found.items() if one is not None}
                yield Circumstance(choices, complete, command if len(complete) < len(found) else "", names)
