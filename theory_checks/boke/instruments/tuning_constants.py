"""What the paper's text says of Figure 9, judged under each circumstance that was tried.

The paper prints neither the lengthscale that its GP-UCB keeps fixed nor its beta, nor boxes, nor budgets. Circumstances
are: what is ours; the first half of our evaluations; each setting of `experiments.boke.fig9_constants`, by which only
the comparisons with GP-UCB differ; each box of `experiments.boke.fig9_boxes`. Under one

- the sentence *holds* where every comparison lies above, every task by itself;
- it is *reversed* where one lies below, all tasks together, at the ledger's level.

It is supported if it holds with what is ours (at 0.05) and is reversed under none. It depends if it holds under one
(0.05 is then shared by all) and is reversed under another. It is refuted if reversed under every one, boxes among them
and all settings there; with our box alone it is not. A setting or box counts once all its seeds are there: some of them
would be a look before the number written down.

Two circumstances left open whether KR-UCB is behind GP-UCB on XGBoost: there these two are compared by the other seeds
of `experiments.boke.fig9_seeds` alone, once all are there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from experiments.boke import fig9_boxes, fig9_constants, fig9_seeds
from experiments.boke.regret_constants import in_words
from experiments.engine.result_file import Result
from theory_checks import tuning
from theory_checks.boke.instruments.regret_sentences import OURS
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.pairs import Comparison, Key, Results, Undecided, stored
from theory_checks.readings import SUPPORT, Judged, judge
from theory_checks.undecided import Kind

SWEEP, PEER, BOXES = "boke.fig9_constants", "gp_ucb", "boke.fig9_boxes"
HALF, BOX = "half of the evaluations", "the {} box"
OTHERS = "boke.fig9_seeds"


def settings(scale: str, tasks: Sequence[str]) -> dict[str, dict[Key, Result]]:
    """Setting of the sweep → the runs of GP-UCB with it, where every task has all its seeds."""
    try:
        found = stored(SWEEP, scale, key=lambda one: (str(one.arrays["setting"]), str(one.config["problem"])))
    except Undecided:
        return {}
    whole = {key for key, one in found.items() if len(one.arrays["best"]) == fig9_constants.SEEDS[scale]}
    names = sorted({name for name, _ in whole})
    return {
        name: {(task, PEER): found[name, task] for task in tasks}
        for name in names
        if all((name, task) in whole for task in tasks)
    }


def boxes(scale: str, tasks: Sequence[str], methods: Sequence[str]) -> dict[str, Results]:
    """Box → the runs of the methods in it, where every task and method has all its seeds."""
    try:
        found = stored(
            BOXES,
            scale,
            key=lambda one: (str(one.config["options"]["box"]), str(one.config["problem"]), str(one.config["policy"])),
        )
    except Undecided:
        return {}
    whole = {key for key, one in found.items() if len(one.arrays["best"]) == fig9_boxes.SEEDS[scale]}
    wanted = [(task, name) for task in tasks for name in methods]
    return {
        BOX.format(box): {key: found[box, *key] for key in wanted}
        for box in fig9_boxes.BOXES
        if all((box, *key) in whole for key in wanted)
    }


def others(scale: str, tasks: Sequence[str], measure: tuning.Measure) -> dict[str, Comparison]:
    """Circumstance → KR-UCB against GP-UCB by the other seeds of `OTHERS` alone, where every task has all of them."""
    try:
        found = stored(
            OTHERS,
            scale,
            key=lambda one: (
                str(one.config["options"]["circumstance"]),
                str(one.config["problem"]),
                str(one.config["policy"]),
            ),
        )
    except Undecided:
        return {}
    compared = {}
    for circumstance, seeds in fig9_seeds.SEEDS[scale].items():
        runs = {
            (task, method): found[circumstance, task, method]
            for task in tasks
            for method in fig9_seeds.METHODS
            if (circumstance, task, method) in found
        }
        if len(runs) == 2 * len(tasks) and all(len(one.arrays["best"]) == len(seeds) for one in runs.values()):
            name = BOX.format(circumstance) if circumstance in fig9_boxes.BOXES else circumstance
            [compared[name]] = tuning.comparisons(runs, (fig9_seeds.OTHER,), (PEER,), tasks, measure)
    return compared


def half(runs: Results) -> dict[Key, Result]:
    """The same runs, stopped after half of the evaluations that follow the design."""
    found = {}
    for key, one in runs.items():
        initial, best = int(one.arrays["initial_size"]), np.asarray(one.arrays["best"])
        kept = initial + (best.shape[1] - initial + 1) // 2
        found[key] = replace(one, arrays={**one.arrays, "best": best[:, :kept]})
    return found


def circumstances(study: str, scale: str, methods: Sequence[str], tasks: Sequence[str]) -> dict[str, Results]:
    """Circumstance → the runs of all methods, ours first.

    Raises Undecided where results of the figure are missing.
    """
    figure = stored(study, scale, [(task, name) for task in tasks for name in methods])
    others = settings(scale, tasks) if PEER in methods else {}
    return (
        {OURS: figure, HALF: half(figure)}
        | {name: {**figure, **runs} for name, runs in others.items()}
        | boxes(scale, tasks, methods)
    )


def compare(
    paper: str,
    study: str,
    scale: str,
    ours: Sequence[str],
    peers: Sequence[str],
    tasks: Sequence[str],
    measure: tuning.Measure,
    settled: bool = False,
) -> Evidence:
    """Under every circumstance; a statement that is `settled` is about our constants, :func:`tuning.compare`."""
    if settled:
        return tuning.compare(paper, study, scale, ours, peers, tasks, measure, settled)
    tried = circumstances(study, scale, tuning.methods(ours, peers), tasks)
    rule, limit = tuning.RULES[paper], level(paper)
    anew = others(scale, tasks, measure)
    placed = {
        name: [
            anew[name] if name in anew and anew[name].name == one.name else one
            for one in tuning.comparisons(runs, ours, peers, tasks, measure)
        ]
        for name, runs in tried.items()
    }
    shared = replace(rule, support=SUPPORT / len(tried))
    found = {name: judge(several, shared, limit, scale) for name, several in placed.items()}
    main = judge(placed[OURS], rule, limit, scale)
    return verdict(main, found, scale, tasks, {"measure": measure, "scale": scale})


def missing(names: Collection[str]) -> list[str]:
    """The sweeps that have a setting of GP-UCB or a box which is not among the circumstances."""
    wanted = {SWEEP: map(in_words, fig9_constants.SETTINGS), BOXES: map(BOX.format, fig9_boxes.BOXES)}
    return [sweep for sweep, every in wanted.items() if not set(every) <= set(names)]


def verdict(
    main: Judged, found: Mapping[str, Judged], scale: str, tasks: Sequence[str], numbers: Mapping[str, Any]
) -> Evidence:
    """What ours, judged at 0.05, and all circumstances, sharing it, come to."""
    held, reversed_ = ([name for name, one in found.items() if one.outcome == sign] for sign in (1, -1))
    summary = f"{tuning.in_words(main)} (scale {scale}, {len(tasks)} task{'s' * (len(tasks) != 1)})"
    summary += f"; of {len(found)} circumstances it holds under {_listed(held)}, is reversed under {_listed(reversed_)}"
    of_others = {name: _of_peer(one) for name, one in found.items() if name != OURS}
    untried = missing(found)
    counted: dict[str, Any] = {"circumstances": len(found), "holds": held, "reversed": reversed_}
    numbers = {**tuning.described(main), **numbers, **counted, **of_others}
    if held and reversed_:
        return Evidence(Verdict.DEPENDS, summary, numbers)
    if main.outcome > 0 and not reversed_:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    if len(reversed_) == len(found) and not untried:
        return main.evidence(summary, numbers)
    run = [sweep for sweep in untried if sweep != BOXES or set(tasks) <= set(fig9_boxes.BOOSTED)]
    if run:
        summary += "; others were not tried on these tasks, with all seeds: python -m experiments run "
        summary += f"--only {','.join(run)} --scale {scale}"
    if reversed_:
        why = {"undecided": {"kind": str(Kind.REVERSED)}}
        open_ = tuning.OPEN if untried else "not reversed under each of them"
        return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not reproduced, but {open_}", {**numbers, **why})
    return main.evidence(summary, numbers, undecided=tuning.NOWHERE_BELOW)


def _listed(names: Sequence[str]) -> str:
    """ "2 (our constants; beta = 4.0)"."""
    return f"{len(names)} ({'; '.join(names)})" if names else "none"


def _of_peer(judged: Judged) -> dict[str, Any]:
    """The numbers of the comparisons with GP-UCB, which differ under every circumstance."""
    numbers = tuning.described(judged)
    return {name: one for name, one in numbers.items() if name.endswith(f" against {PEER}")}
