"""The stored runs behind Figures 6 and 7, under every setting of either side.

The paper prints neither the constants of its methods and peers nor the version of the function in a panel.
`boke.regret_constants` runs the settings of each side once, and readings cross them; BOKE+ has the settings of BOKE.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from experiments.boke.regret import PANELS
from experiments.boke.regret_constants import ADDED, LEVEL, SETTINGS, Setting, complete, in_words
from experiments.engine.result_file import Result
from experiments.measures.regret import FLOOR, final_simple_regret, whole_simple_regret
from theory_checks import study_results
from theory_checks.ledger import Claim
from theory_checks.paired_seeds import Undecided, stored
from theory_checks.readings.declaration import Circumstance, Key, Measure, Reading, Source, declare, orders
from theory_checks.readings.judgement import Kind

SWEEP = "boke.regret_constants"
NOISE = "noise of 5 % of the range"
CONSTANTS = "budgets, initial designs and the probability with which BOKE+ explores are ours"
DEFAULT = "ours"
OURS = ("boke", "boke_plus")
VERSIONS: Mapping[str, Mapping[str, str]] = {
    "usual": {letter: names[0] for letter, names in PANELS.items()},
    "reference": {letter: names[-1] for letter, names in PANELS.items()},
}
"""Version of the functions -> panel's letter -> problem."""

WORDS = {"gp_ucb": "GP-UCB", "kr_ucb": "KR-UCB"}
_SETTINGS = {method: (*ADDED[method], *settings) for method, settings in SETTINGS.items()}


def questions(peer: str, meanings: tuple[str, ...] = ()) -> dict[str, str]:
    """The open questions of a sentence that compares with this peer -> the choices in words."""
    found = {
        "functions": "those in common use or those of the reference that the paper cites for its functions",
        "constants of BOKE": f"ours and the {len(_SETTINGS['boke'])} settings of {SWEEP}, which BOKE+ shares",
    }
    if meanings:
        found["panels"] = " or ".join(meanings)
    if peer in WORDS:
        found[f"constants of {WORDS[peer]}"] = f"ours and the {len(_SETTINGS[peer])} settings of {SWEEP}"
    return found


def final(result: Result) -> np.ndarray:
    """The last simple regret (seeds,) over the range, at least the floor."""
    if "simple_regret" in result.arrays:
        return final_simple_regret(result)
    return np.maximum(np.asarray(result.arrays["final_regret"], float), FLOOR)


def whole(result: Result) -> np.ndarray:
    """The geometric mean (seeds,) of the simple regrets after the initial design, over the range."""
    if "simple_regret" in result.arrays:
        return whole_simple_regret(result)
    return np.asarray(10.0 ** np.asarray(result.arrays["mean_log10_regret"], float))


def measures(value: str, effect: float = 1.25) -> tuple[Measure, ...]:
    """The measures of a sentence: ratio of means, since the figure's curves are means, then paired ratios."""
    of, smallest, margin = {"final": final, "whole": whole}[value], float(np.log10(effect)), float(np.log10(2.0))
    return (
        Measure(f"ratio of means, {value} regret", of, "ratio of means", "student", smallest, margin),
        Measure(f"paired ratios, {value} regret", of, "ratio", "wilcoxon", smallest, margin),
    )


def swept(scale: str, noisy: bool) -> dict[Key, dict[str, Result]]:
    """(problem, method) -> setting of the sweep in full -> run as a result."""
    found: dict[Key, dict[str, Result]] = {}
    whole = {method: {in_words(one): in_full(method, one) for one in several} for method, several in _SETTINGS.items()}
    for one in study_results.results(SWEEP, scale):
        if one.config["options"]["noisy"] != noisy:
            continue
        rows = found.setdefault((one.config["options"]["problem"], one.config["policy"]), {})
        for name, last, mean in zip(
            map(str, one.arrays["setting"]), one.arrays["final_regret"], one.arrays["mean_log10_regret"], strict=True
        ):
            rows[whole[one.config["policy"]].get(name, name)] = Result(
                one.config, {"final_regret": last, "mean_log10_regret": mean}, one.metadata
            )
    return found


def in_full(method: str, setting: Setting) -> str:
    """A setting of the sweep in words, with the calibrated constants that the setting does not name."""
    return in_words(complete(method, setting))


def names_of(method: str, noisy: bool) -> list[str]:
    """The settings of a method in full, the default first; the true noise level is a setting under noise alone."""
    return [DEFAULT, *(in_full(method, one) for one in _SETTINGS[method] if noisy or LEVEL not in one.values())]


def runs(study: str, peer: str, letters: str, noisy: bool, meanings: tuple[str, ...] = ()) -> Source:
    """The runs of both of our methods, the peer and random search on the panels with these letters, in every setting.

    Args:
        study: the figure's.
        peer: "gp_ucb" or "kr_ucb", whose settings are crossed with ours; "boke" or "random_search", which have none.
        letters: of the panels, which are the problems of the orders.
        noisy: True where the figure has noise.
        meanings: the sets of panels that the sentence may mean, where it does not say; the first meant panel stands
        for the panels that are not meant, so that orders on all panels together are on the meant ones.
    """
    return partial(_circumstances, study=study, peer=peer, letters=letters, noisy=noisy, meanings=meanings)


def _circumstances(
    scale: str, *, study: str, peer: str, letters: str, noisy: bool, meanings: tuple[str, ...]
) -> Iterator[Circumstance]:
    methods = dict.fromkeys((*OURS, peer, "random_search"))
    problems = dict.fromkeys(names[letter] for names in VERSIONS.values() for letter in letters)
    figure = stored(study, scale, [(problem, method) for problem in problems for method in methods])
    try:
        others = swept(scale, noisy)
    except Undecided:
        others = {}
    command = f"python -m experiments run --only {SWEEP} --scale {scale}"
    crossed = peer in WORDS
    for version, meant, mine in product(VERSIONS, meanings or (letters,), names_of("boke", noisy)):
        names = {letter: VERSIONS[version][letter if letter in meant else meant[0]] for letter in letters}
        if version != "usual" and all(names[one] == VERSIONS["usual"][one] for one in meant):
            continue
        for theirs in names_of(peer, noisy) if crossed else [DEFAULT]:
            chosen = {method: mine if method in OURS else theirs if method == peer else DEFAULT for method in methods}
            found = {
                (problem, method): figure[problem, method]
                if setting == DEFAULT
                else others.get((problem, method), {}).get(setting)
                for problem in names.values()
                for method, setting in chosen.items()
            }
            choices = {"functions": version, "constants of BOKE": mine}
            choices |= {"panels": meant} if meanings else {}
            choices |= {f"constants of {WORDS[peer]}": theirs} if crossed else {}
            complete = {key: one for key, one in found.items() if one is not None}
            yield Circumstance(choices, complete, command if len(complete) < len(found) else "", names)


def said(
    id: str,
    title: str,
    says: str,
    means: str,
    first: Sequence[str],
    peer: str,
    letters: str = "ABCDEF",
    kind: Kind = "better",
    value: str = "final",
    meanings: tuple[str, ...] = (),
    deviations: Sequence[str] = (),
    **fields: Any,
) -> Claim:
    """A sentence on Figure 6 or 7: each of the first methods is ahead of the peer, or as `kind` says, on these panels.

    `value` and `meanings` are as in `measures` and `runs`; `fields` are further fields of a reading.
    """
    figure = id.removeprefix("boke.").partition("_")[0]
    noisy, panels = figure == "fig7", f" ({', '.join(letters)})" if len(letters) < 6 else ""
    return declare(
        Reading(
            id=id,
            title=title,
            paper="A",
            where=f"Figure {figure[3:]}{panels}, section 5.1",
            says=says,
            means=means,
            deviations=(*deviations, *((NOISE,) if noisy else ()), CONSTANTS),
            needs=(f"boke.{figure}", SWEEP),
            orders=orders(first, (peer,), letters, kind),
            measures=measures(value),
            source=runs(f"boke.{figure}", peer, letters, noisy, meanings),
            questions=questions(peer, meanings),
            **fields,
        ),
        f"theory_checks.readings.boke.{figure.replace('fig', 'figure')}",
    )
