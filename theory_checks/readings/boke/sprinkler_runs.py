"""The stored runs on the garden sprinkler: by evaluations and by CPU time with our constants, and with others.

The paper prints neither budget nor constants. `boke.fig8_constants` sweeps the constants of all methods without timing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from core.policies import constants
from experiments.boke.fig8_constants import setting
from experiments.boke.regret_constants import in_words
from experiments.engine.registry import STUDIES
from experiments.engine.result_file import Result
from experiments.measures.times import equal_time
from theory_checks import study_results
from theory_checks.paired_seeds import stored, with_more
from theory_checks.readings.boke.regret_runs import DEFAULT, OURS, WORDS
from theory_checks.readings.declaration import Circumstance, Key, Source

STUDY, MORE, SWEEP, PROBLEM = "boke.fig8", "boke.fig8_seeds", "boke.fig8_constants", "sprinkler"
METHODS = (*OURS, "kr_ucb", "gp_ucb", "random_search")
OWN = {
    ("exploration_probability", constants.EXPLORATION_PROBABILITY),
    ("lengthscale", constants.LENGTHSCALE),
}
"""Default values in the sweep, which the words of a setting leave out."""


def questions(peer: str) -> dict[str, str]:
    """The open questions of a sentence that compares with this peer -> the choices in words."""
    found = {
        "BOKE's constants on the sprinkler": (
            f"ours and the settings of {SWEEP}; BOKE+ has those of BOKE, or explores with another probability"
        )
    }
    if peer in WORDS:
        found[f"{WORDS[peer]}'s constants on the sprinkler"] = f"ours and the settings of {SWEEP}"
    return found


def figure(scale: str) -> Mapping[Key, Result]:
    """(problem, method) -> all seeds with our constants; random search has the figure's seeds alone."""
    found = stored(STUDY, scale, [(PROBLEM, name) for name in METHODS])
    paper = {key: one for key, one in found.items() if key[1] != "random_search"}
    return {**found, **with_more(paper, MORE, scale)}


def after_equal_time(first: Result, second: Result) -> tuple[Result, Result]:
    """The two runs up to the CPU time of all proposals of the quicker run."""
    _, *counts = equal_time(first.arrays["seconds"], second.arrays["seconds"])
    cut = []
    for one, count in zip((first, second), counts, strict=True):
        kept = one.arrays["simple_regret"][:, : int(one.arrays["initial_size"]) + count]
        cut.append(replace(one, arrays={**one.arrays, "simple_regret": kept}))
    return cut[0], cut[1]


def runs(peer: str) -> Source:
    """The runs after the same number of evaluations: every setting of ours against every setting of the peer."""
    return partial(_evaluations, peer=peer)


def _evaluations(scale: str, *, peer: str) -> Iterator[Circumstance]:
    crossed = [f"{WORDS[peer]}'s constants on the sprinkler"] if peer in WORDS else []
    ours, names = figure(scale), {method: [DEFAULT, *_settings(scale, method)] for method in METHODS}
    known = {method: {DEFAULT: ours[PROBLEM, method], **_swept(scale, method)} for method in METHODS}
    for mine in names["boke_plus"]:  # BOKE's settings, and probabilities of exploration
        for theirs in names[peer] if crossed else [DEFAULT]:
            chosen = {**dict.fromkeys(METHODS, DEFAULT), "boke_plus": mine}
            chosen["boke"] = mine if mine in names["boke"] else DEFAULT
            chosen |= {peer: theirs} if crossed else {}
            choices = {"BOKE's constants on the sprinkler": mine, **dict.fromkeys(crossed, theirs)}
            found = {(PROBLEM, name): known[name][one] for name, one in chosen.items() if one in known[name]}
            missing = f"python -m experiments run --only {SWEEP} --scale {scale}" if len(found) < len(chosen) else ""
            yield Circumstance(choices, found, missing)


def _settings(scale: str, method: str) -> list[str]:
    """The settings of the sweep in full, each once, without the default."""
    cells = [cell for cell in STUDIES[SWEEP].cells(scale) if cell.policy == method]
    return [words for words in dict.fromkeys(_in_full(method, cell.options) for cell in cells) if words]


def _swept(scale: str, method: str) -> dict[str, Result]:
    """Setting of the sweep in full -> runs."""
    found: dict[str, Result] = {}
    for one in study_results.results(SWEEP, scale):
        if one.config["policy"] == method:
            found.setdefault(_in_full(method, one.config["options"]), one)
    return found


def _in_full(method: str, options: Mapping[str, Any]) -> str:
    """A setting of the sweep in words, without default values; "" for the default."""
    whole = {key: value for key, value in setting(method, options).items() if (key, value) not in OWN}
    return in_words({key: float(f"{value:g}") if key != "rule" else value for key, value in whole.items()})


def timed(peer: str) -> Source:
    """The runs after the same CPU time, with our constants; each of our methods has its own cut of both runs."""
    return partial(_times, peer=peer)


def _times(scale: str, *, peer: str) -> Iterator[Circumstance]:
    found, cut = figure(scale), {}
    for method in OURS:
        cut[method, method], cut[method, peer] = after_equal_time(found[PROBLEM, method], found[PROBLEM, peer])
    yield Circumstance({}, cut)
