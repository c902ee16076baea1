"""The stored runs behind Figures 2 to 5, under every choice that the paper leaves open.

The text prints no budget and no initial data. The meaning of the priors, the rewards and the sampler, and h1's box are
open: `uhe.fig2_arms` runs each such reading of the text once, and a method that a reading does not change keeps its
runs of `uhe.fig2`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from experiments.engine.registry import STUDIES
from experiments.engine.result_file import Result
from experiments.measures.regret import FLOOR
from experiments.uhe.fig2_arms import AFFECTED, NEAR
from theory_checks import study_results
from theory_checks.paired_seeds import Undecided, stacked, stored
from theory_checks.readings.declaration import Circumstance, Key, Source

FIGURE, ARMS, ABLATION = "uhe.fig2", "uhe.fig2_arms", "uhe.fig5"
OURS = "uhe_bo"
BASELINES = ("gp_ucb_map", "gp_ucb_mcmc", "a_gp_ucb", "wang_de_freitas", "portfolio_exp3")
PEERS = (*BASELINES, "random_search")
PROBLEMS = ("branin", "deceptive2", "hartmann3", "h1")
MAIN = "rate"

BUDGETS: Mapping[str, float] = {"all": 1.0, "half": 0.5}
"""Budget -> share of the evaluations after the initial data."""
BUDGET = "not printed: all evaluations after the initial data that are run here, or half of them"

DEFAULTS: Mapping[str, str] = {
    "priors' 10": "a rate",
    "rewards": "capped",
    "HMC": "ours",
    "box of h1": "[-100, 100]^2",
}
"""Open question of the text -> the choice of all studies but `uhe.fig2_arms`."""
TEXTS: Mapping[str, Mapping[str, str]] = {
    MAIN: {},
    "scale": {"priors' 10": "a scale"},
    "uncapped": {"rewards": "not capped"},
    "gpy_hmc": {"HMC": "GPy's defaults"},
    NEAR: {"box of h1": "[-25, 25]^2"},
}
"""Reading of the text -> its one choice that differs from the default."""
SIGNIFICANTLY = "significantly: by the smallest effect that matters at least"
AS_THEY_ARE = (
    "initial data and budget of docs/constants/uhe.md",
    "peers behind random search stay: no constant of a peer is varied, and random search is a peer of the sentences",
)
INITIAL = "initial_data"
"""The name, in place of a method, of the regret of the initial data times `BETWEEN`."""
WELL, BADLY = 0.1, 0.25
"""A method performs well if it leaves at most, badly if it leaves at least, this share of the initial regret."""
BETWEEN = math.sqrt(WELL * BADLY)

Runs = dict[Key, Result]


def at(result: Result, share: float) -> Result:
    """The result after a share of its evaluations: `regret` (seeds,) and the initial data's regret `initial` (seeds,)
    over the range; `mse` (seeds,) over the variance, if recorded."""
    arrays, found = result.arrays, {}
    first = int(arrays["initial_size"])
    regrets = np.maximum(np.asarray(arrays["simple_regret"], float) / float(arrays["range"]), FLOOR)
    found["regret"] = regrets[:, first - 1 + round(share * (regrets.shape[1] - first))]
    found["initial"] = regrets[:, first - 1]
    if "mse" in arrays:
        column = max(round(share * arrays["mse"].shape[1]), 1) - 1
        errors = np.asarray(arrays["mse"], float)[:, column] / float(arrays["truth_variance"])
        found["mse"] = np.maximum(errors, FLOOR)
    return Result(result.config, found, result.metadata)


def with_yardsticks(results: Runs) -> Runs:
    """The results with, for each problem, the `unit` () of :func:`in_units`, and `INITIAL` as a method.

    Methods start from the same data, seed by seed; both come from the method with the most seeds.
    """
    found: Runs = {}
    for problem in dict.fromkeys(name for name, _ in results):
        several = {method: one for (name, method), one in results.items() if name == problem}
        most = max(several.values(), key=lambda one: len(one.config["seeds"]))
        start = most.arrays["initial"]
        several[INITIAL] = Result(most.config, {**most.arrays, "regret": BETWEEN * start}, most.metadata)
        for method, one in several.items():
            found[problem, method] = Result(one.config, {**one.arrays, "unit": start.mean()}, one.metadata)
    return found


def arm_of(one: Result) -> tuple[Any, ...]:
    """(reading of the text, problem, method) of a result of `uhe.fig2_arms`; h1's small box is its own reading."""
    return placed(one.config["problem"], one.config["policy"], one.config["options"]["arm"])


def placed(problem: str, method: str, arm: str) -> tuple[Any, ...]:
    """The key of a result of `uhe.fig2_arms`."""
    return (NEAR, "h1", method) if problem == NEAR else (arm, problem, method)


def how_to_run(arm: str, keys: Sequence[Key], scale: str) -> str:
    """The command for these missing runs, and the runs that no study has."""
    planned = {placed(one.problem, one.policy, str(one.options["arm"])) for one in STUDIES[ARMS].cells(scale)}
    never = [f"{method} on {problem} ({arm})" for problem, method in keys if (arm, problem, method) not in planned]
    told = [study_results.how_to_get(ARMS, scale)] if len(never) < len(keys) else []
    return "; ".join([*told, *([f"no study runs {', '.join(never)}"] if never else [])])


def touched(arm: str, methods: Sequence[str], problems: Sequence[str]) -> list[Key]:
    """(problem, method) of the runs that a reading of the text changes."""
    every = product(problems, methods)
    return [one for one in every if (one[0] == "h1" if arm == NEAR else one[1] in AFFECTED.get(arm, ()))]


def defaults(methods: Sequence[str], problems: Sequence[str]) -> dict[str, str]:
    """Open question that concerns these runs -> its default choice."""
    arms = [arm for arm in TEXTS if touched(arm, methods, problems)]
    return {question: DEFAULTS[question] for arm in arms for question in TEXTS[arm]}


def questions(methods: Sequence[str], problems: Sequence[str] = PROBLEMS) -> dict[str, str]:
    """Open question that concerns these runs -> its choices in words."""
    words = {question: choice for choices in TEXTS.values() for question, choice in choices.items()}
    found = {name: f"not said: {default}, or {words[name]}" for name, default in defaults(methods, problems).items()}
    return found | {"budget": BUDGET}


def texts(
    scale: str, methods: Sequence[str], problems: Sequence[str], main: Runs
) -> Iterator[tuple[Mapping[str, str], Runs, str]]:
    """(choices, results, command for missing results) of each reading of the text, the default first."""
    yield {}, main, ""
    try:
        others = stored(ARMS, scale, key=arm_of)
    except Undecided:
        others = {}
    for arm, choices in TEXTS.items():
        if keys := touched(arm, methods, problems):
            kept = {key: one for key, one in main.items() if key not in keys}
            changed = {key: others[arm, *key] for key in keys if (arm, *key) in others}
            absent = [key for key in keys if key not in changed]
            yield choices, kept | changed, how_to_run(arm, absent, scale) if absent else ""


def runs(
    methods: Sequence[str],
    problems: Sequence[str] = PROBLEMS,
    *,
    study: str = FIGURE,
    arms: bool = True,
    more: str = "",
    question: str = "",
    choices: Mapping[str, Mapping[str, str]] | None = None,
) -> Source:
    """Runs of these methods on these problems, under every reading of the text if `arms`, after all and half of the
    budget.

    Args:
        methods, problems, study: whose runs.
        arms: True where `uhe.fig2_arms` has other readings of the text.
        more: a study with further seeds at the end of the budget; "" for none.
        question, choices: another open question: choice -> problem of an order -> the problem that stands for it.
    """
    return partial(
        _circumstances,
        methods=methods,
        problems=problems,
        study=study,
        arms=arms,
        more=more,
        question=question,
        choices=choices or {"": {}},
    )


def _circumstances(
    scale: str,
    *,
    methods: Sequence[str],
    problems: Sequence[str],
    study: str,
    arms: bool,
    more: str,
    question: str,
    choices: Mapping[str, Mapping[str, str]],
) -> Iterator[Circumstance]:
    main = stored(study, scale, list(product(problems, methods)))
    further = _further(more, scale)
    usual = defaults(methods, problems) if arms else {}
    for choice, rename in choices.items():
        named = tuple(rename.values()) or tuple(problems)
        own = {key: one for key, one in main.items() if key[0] in named}
        for text, found, missing in texts(scale, methods, named, own) if arms else [({}, own, "")]:
            for budget, share in BUDGETS.items():
                results = {key: at(one, share) for key, one in found.items()}
                if share == 1.0 and not text:
                    results |= {key: joined(found[key], one) for key, one in further.items() if key in found}
                asked = {question: choice} if question else {}
                yield Circumstance(
                    {**asked, **usual, **text, "budget": budget}, with_yardsticks(results), missing, rename
                )


def _further(study: str, scale: str) -> Runs:
    """The stored ends of runs of further seeds."""
    try:
        return stored(study, scale) if study else {}
    except Undecided:
        return {}


def joined(one: Result, more: Result) -> Result:
    """Regrets at the end of the budget of a run and of its further seeds, which have the run's range."""
    ends = at(Result(more.config, {**more.arrays, "range": one.arrays["range"]}, more.metadata), 1.0)
    own = at(one, 1.0)
    return stacked([Result(own.config, {name: own.arrays[name] for name in ends.arrays}, own.metadata), ends])
