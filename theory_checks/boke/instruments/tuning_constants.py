"""What the paper's text says of Figure 9, judged under each of GP-UCB's constants that were tried.

The paper prints neither the lengthscale that its GP-UCB keeps fixed nor its beta. Ours, and each setting of
`experiments.boke.fig9_constants`, is a *circumstance*; only the comparisons with GP-UCB differ between two. Under one

- the sentence *holds* where every comparison lies above, every task by itself;
- it is *reversed* where one lies below, all tasks together, at the ledger's level.

It is supported if it holds with our constants (at 0.05) and is reversed under none. It depends if it holds under one
(0.05 is then shared by all) and is reversed under another. It is never refuted, not even if reversed under every one:
boxes and budgets are open too, and were not varied. A setting counts once all its seeds are there: some of them would
be a look before the number written down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.boke.fig9_constants import SEEDS
from experiments.engine.result_file import Result
from theory_checks import tuning
from theory_checks.boke.instruments.regret_sentences import OURS
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.pairs import Key, Results, Undecided, stored
from theory_checks.readings import SUPPORT, Judged, judge
from theory_checks.undecided import Kind

SWEEP, PEER = "boke.fig9_constants", "gp_ucb"


def settings(scale: str, tasks: Sequence[str]) -> dict[str, dict[Key, Result]]:
    """Setting of the sweep → the runs of GP-UCB with it, where every task has all its seeds."""
    try:
        found = stored(SWEEP, scale, key=lambda one: (str(one.arrays["setting"]), str(one.config["problem"])))
    except Undecided:
        return {}
    whole = {key for key, one in found.items() if len(one.arrays["best"]) == SEEDS[scale]}
    names = sorted({name for name, _ in whole})
    return {
        name: {(task, PEER): found[name, task] for task in tasks}
        for name in names
        if all((name, task) in whole for task in tasks)
    }


def circumstances(study: str, scale: str, methods: Sequence[str], tasks: Sequence[str]) -> dict[str, Results]:
    """Circumstance → the runs of all methods, ours first.

    Raises Undecided where results of the figure are missing.
    """
    figure = stored(study, scale, [(task, name) for task in tasks for name in methods])
    others = settings(scale, tasks) if PEER in methods else {}
    return {OURS: figure} | {name: {**figure, **runs} for name, runs in others.items()}


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
    placed = {name: tuning.comparisons(runs, ours, peers, tasks, measure) for name, runs in tried.items()}
    shared = replace(rule, support=SUPPORT / len(tried))
    found = {name: judge(several, shared, limit, scale) for name, several in placed.items()}
    main = judge(placed[OURS], rule, limit, scale)
    return verdict(main, found, scale, len(tasks), {"measure": measure, "scale": scale})


def verdict(main: Judged, found: Mapping[str, Judged], scale: str, tasks: int, numbers: Mapping[str, Any]) -> Evidence:
    """What our constants, judged at 0.05, and all circumstances, sharing it, come to."""
    held, reversed_ = ([name for name, one in found.items() if one.outcome == sign] for sign in (1, -1))
    summary = f"{tuning.in_words(main)} (scale {scale}, {tasks} task{'s' * (tasks != 1)})"
    if len(found) > 1:
        summary += f"; of {len(found)} settings of GP-UCB it holds under {_listed(held)}, is reversed under "
        summary += _listed(reversed_)
    of_others = {name: _of_peer(one) for name, one in found.items() if name != OURS}
    counted: dict[str, Any] = {"circumstances": len(found), "holds": held, "reversed": reversed_}
    numbers = {**tuning.described(main), **numbers, **counted, **of_others}
    if held and reversed_:
        return Evidence(Verdict.DEPENDS, summary, numbers)
    if main.outcome > 0 and not reversed_:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    if len(found) == 1:
        summary += (
            "; no other constants of GP-UCB were tried on these tasks, with all seeds: python -m experiments run "
        )
        summary += f"--only {SWEEP} --scale {scale}"
    if reversed_:
        why = {"undecided": {"kind": str(Kind.REVERSED)}}
        return Evidence(Verdict.INCONCLUSIVE, f"{summary}: not reproduced, but {tuning.OPEN}", {**numbers, **why})
    return main.evidence(summary, numbers, undecided=tuning.NOWHERE_BELOW)


def _listed(names: Sequence[str]) -> str:
    """ "2 (our constants; beta = 4.0)"."""
    return f"{len(names)} ({'; '.join(names)})" if names else "none"


def _of_peer(judged: Judged) -> dict[str, Any]:
    """The numbers of the comparisons with GP-UCB; the others are those of our constants."""
    numbers = tuning.described(judged)
    return {name: one for name, one in numbers.items() if name.endswith(f" against {PEER}")}
