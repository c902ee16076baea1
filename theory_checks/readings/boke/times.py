"""Sentences on computing time: section 3.4 before Table 1, and the abstract. Table 1's orders are theory.

Three studies time proposals: Table 1's, the sprinkler's (Figure 8) and the tuning study (Figure 9). A time is the mean
over a whole run of our code, in CPU seconds a proposal.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from experiments.boke.fig9 import TASKS
from experiments.engine.result_file import Result
from experiments.measures.times import seconds_a_proposal
from theory_checks.paired_seeds import Key, Undecided, stored
from theory_checks.readings.declaration import Circumstance, Measure, Order, Reading, declare

TABLE, SPRINKLER, TUNING = "boke.table1", "boke.fig8", "boke.fig9"
METHODS = ("boke", "boke_plus", "kr_ucb", "gp_ucb")
RUN = "a proposal"
"""The one problem of the orders, which stands for every timed task."""
EFFECT = float(np.log10(1.1))
ALPHA = {"ours": "proposal", "1/2": "proposal_half"}
"""alpha of KR-UCB, which decides how often KR-UCB widens -> phase of Table 1's study."""
QUESTIONS = {
    "timed on": "Table 1's runs (d = 3, 256 observations), the sprinkler (d = 8), four tuning tasks (d = 5 and 7)",
    "alpha of KR-UCB": "ours; 1/2 too on Table 1's runs",
}
TUNED = "tuning runs have 60 observations at most, and learners run in the same process"
OURS = "our code: 1,024 candidates, 8 BFGS refinements; KR-UCB searches only when it widens"


MEASURES = (
    Measure("ratio of mean times", seconds_a_proposal, "ratio of means", "student", EFFECT),
    Measure("paired ratios of times", seconds_a_proposal, "ratio", "wilcoxon", EFFECT),
)


def _timed(scale: str, *, alphas: tuple[str, ...]) -> Iterator[Circumstance]:
    """The timed runs, Table 1's first; a study without results has the command that computes them."""
    wanted = [("proposal", name) for name in METHODS] + [("proposal_half", "kr_ucb")]
    table = stored(TABLE, scale, wanted)
    for alpha in alphas:
        found = {(RUN, name): table[ALPHA[alpha] if name == "kr_ucb" else "proposal", name] for name in METHODS}
        yield Circumstance({"timed on": "Table 1's runs", "alpha of KR-UCB": alpha}, found)
    for study, problems in {SPRINKLER: ("sprinkler",), TUNING: TASKS}.items():
        for problem in problems:
            choices, missing = {"timed on": problem, "alpha of KR-UCB": "ours"}, ""
            runs: dict[Key, Result] = {}
            try:
                runs = dict(stored(study, scale, [(problem, name) for name in METHODS]))
            except Undecided:
                missing = f"python -m experiments run --only {study} --scale {scale}"
            yield Circumstance(choices, {(RUN, name): one for (_, name), one in runs.items()}, missing)


def _reading(
    id: str, title: str, where: str, says: str, means: str, *faster: Order, more: Sequence[str] = ()
) -> Reading:
    compared = any("kr_ucb" in (one.first, one.second) for one in faster)
    return Reading(
        id=id,
        title=title,
        paper="A",
        where=where,
        says=says,
        means=means,
        deviations=(*more, OURS, TUNED, "fixed hyperparameters of GP-UCB, as in the paper"),
        needs=(TABLE, SPRINKLER, TUNING),
        orders=faster,
        measures=MEASURES,
        source=partial(_timed, alphas=tuple(ALPHA) if compared else ("ours",)),
        baseline="",
        questions=QUESTIONS,
        looks=2,
    )


table1_in_practice = declare(
    _reading(
        "boke.table1_in_practice",
        "KR-UCB computes faster than BOKE in practice",
        "section 3.4, before Table 1",
        "in practice, where $m \\gg T$, KR-UCB typically exhibits faster computation than BOKE",
        "A proposal of KR-UCB takes less CPU time than one of BOKE.",
        Order("kr_ucb", "boke", (RUN,)),
    ),
    __name__,
)

table1_intermediate = declare(
    _reading(
        "boke.table1_intermediate",
        "BOKE+ lies between KR-UCB and BOKE in time",
        "section 3.4, before Table 1",
        "with BOKE+ showing intermediate performance between the two",
        "A proposal of KR-UCB takes less CPU time than one of BOKE+, and one of BOKE+ less than one of BOKE.",
        Order("kr_ucb", "boke_plus", (RUN,)),
        Order("boke_plus", "boke", (RUN,)),
    ),
    __name__,
)

efficient = declare(
    _reading(
        "boke.efficient",
        "Cheaper than GP-based methods",
        "abstract",
        "BOKE not only performs competitively compared to Gaussian process-based methods but also exhibits superior "
        "computational efficiency",
        "A proposal of BOKE and one of BOKE+ take less CPU time than one of GP-UCB; how well it performs is judged by "
        "boke.fig6_competitive.",
        Order("boke", "gp_ucb", (RUN,)),
        Order("boke_plus", "gp_ucb", (RUN,)),
        more=("the sentence names BOKE alone; BOKE+ has to be cheaper, too",),
    ),
    __name__,
)
