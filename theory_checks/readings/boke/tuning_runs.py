"""The stored runs behind Figure 9, under choices that the paper does not print: budget, boxes, GP-UCB's constants.

No study runs other boxes of the forests, or other boxes together with other constants. KR-UCB and GP-UCB have further
seeds with the longest lengthscale and in the narrow box (`boke.fig9_seeds`), which are stacked to the others.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from experiments.boke import fig9_boxes, fig9_constants
from experiments.boke.regret_constants import in_words
from experiments.engine.result_file import Result
from theory_checks.paired_seeds import Key, Undecided, stored, with_more
from theory_checks.readings.boke.regret_runs import DEFAULT
from theory_checks.readings.declaration import Circumstance, Source

STUDY, SWEEP, BOXES, MORE = "boke.fig9", "boke.fig9_constants", "boke.fig9_boxes", "boke.fig9_seeds"
FORESTS = ("rf_california", "rf_wine")
BOOSTED = ("xgb_california", "xgb_wine")
WHOLE, HALF = "all evaluations", "the first half of them"

QUESTIONS: Mapping[str, str] = {
    "budget of tuning": f"{WHOLE} of ours, or {HALF} after the initial design",
    "GP-UCB's constants in tuning": f"ours and the {len(fig9_constants.SETTINGS)} settings of {SWEEP}",
    "box": f"ours; of XGBoost also the {len(fig9_boxes.BOXES)} others of {BOXES}, with our constants",
}


def half(one: Result) -> Result:
    """The run, stopped after half of the evaluations that follow the initial design."""
    initial, best = int(one.arrays["initial_size"]), np.asarray(one.arrays["best"])
    return replace(one, arrays={**one.arrays, "best": best[:, : initial + (best.shape[1] - initial + 1) // 2]})


def runs(tasks: Sequence[str], methods: Sequence[str]) -> Source:
    """Runs of these methods on these tasks, under every constant, box and budget of the studies."""
    return partial(_circumstances, tasks=tasks, methods=methods)


def _circumstances(scale: str, *, tasks: Sequence[str], methods: Sequence[str]) -> Iterator[Circumstance]:
    figure = stored(STUDY, scale, [(task, name) for task in tasks for name in methods])
    boosted = set(tasks) <= set(BOOSTED)
    kept = [name for name in methods if name in fig9_boxes.METHODS]
    for constants, box in [
        (DEFAULT, DEFAULT),
        *((in_words(one), DEFAULT) for one in fig9_constants.SETTINGS if "gp_ucb" in methods),
        *((DEFAULT, one) for one in fig9_boxes.BOXES if boosted and kept == list(methods)),
    ]:
        found: Mapping[Key, Result] = figure
        study = SWEEP if box == DEFAULT else BOXES
        if box != DEFAULT:
            found = _more(in_box(scale, tasks, methods, box), scale, box)
        elif constants != DEFAULT:
            rest = {key: one for key, one in figure.items() if key[1] != "gp_ucb"}
            found = _more({**rest, **_swept(scale, tasks, constants)}, scale, constants)
        missing = "" if len(found) == len(figure) else f"python -m experiments run --only {study} --scale {scale}"
        for budget, cut in {WHOLE: None, HALF: half}.items():
            choices = {"budget of tuning": budget, "GP-UCB's constants in tuning": constants, "box": box}
            yield Circumstance(choices, {key: cut(one) if cut else one for key, one in found.items()}, missing)


def in_box(scale: str, tasks: Sequence[str], methods: Sequence[str], box: str) -> dict[Key, Result]:
    """(task, method) -> the stored runs in another box of XGBoost."""
    return _kept(BOXES, scale, tasks, methods, lambda one: one.config["options"]["box"] == box)


def _swept(scale: str, tasks: Sequence[str], setting: str) -> dict[Key, Result]:
    return _kept(SWEEP, scale, tasks, ("gp_ucb",), lambda one: str(one.arrays["setting"]) == setting)


def _kept(
    study: str, scale: str, tasks: Sequence[str], methods: Sequence[str], kept: Callable[[Result], bool]
) -> dict[Key, Result]:
    """(task, method) -> the runs of a sweep that `kept` admits."""
    try:
        found = stored(study, scale, key=lambda one: (one.config["problem"], one.config["policy"], kept(one)))
    except Undecided:
        return {}
    keys = [(task, name) for task in tasks for name in methods]
    return {key: found[*key, True] for key in keys if (*key, True) in found}


def _more(found: Mapping[Key, Result], scale: str, circumstance: str) -> dict[Key, Result]:
    """The runs, stacked with the further seeds of KR-UCB and GP-UCB under this circumstance."""
    pair = {
        (*name, circumstance): replace(one, arrays={each: one.arrays[each] for each in ("best", "initial_size")})
        for name, one in found.items()
        if name[1] in ("kr_ucb", "gp_ucb")
    }

    def key(one: Result) -> Key:
        return one.config["problem"], one.config["policy"], one.config["options"]["circumstance"]

    return {**found, **{name[:2]: one for name, one in with_more(pair, MORE, scale, key).items()}}
