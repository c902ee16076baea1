"""The readings of Figure 6: regret curves without noise.

Random search is our peer, not the paper's. BOKE+'s probability of exploration, budgets and initial designs are not
printed either, and were not varied on these functions.
"""

from __future__ import annotations

from theory_checks.readings.boke.regret_runs import OURS, SWEEP, measures, questions, runs
from theory_checks.readings.declaration import Order, Reading, declare, orders

STUDY = "boke.fig6"
CONSTANTS = "budgets, initial designs and the probability with which BOKE+ explores are ours"

fig6_competitive = declare(
    Reading(
        id="boke.fig6_competitive",
        paper="A",
        where="Figure 6, section 5.1",
        says="both BOKE and BOKE+ [...] demonstrate competitive performance compared to GP-UCB",
        means="Over the six panels together each of the two has at most twice the final regret of GP-UCB.",
        deviations=("competitive: at most twice the regret", CONSTANTS),
        needs=(STUDY, SWEEP),
        orders=orders(OURS, ("gp_ucb",), "ABCDEF", "not worse"),
        measures=measures("final"),
        source=runs(STUDY, "gp_ucb", "ABCDEF", noisy=False),
        over="pooled",
        questions=questions("gp_ucb"),
    ),
    __name__,
)

fig6_converges = declare(
    Reading(
        id="boke.fig6_converges",
        paper="A",
        where="Figure 6, section 5.1",
        says="both BOKE and BOKE+ exhibit stable convergence",
        means="On each panel each of the two ends below random search, the least that stable convergence can mean.",
        deviations=("the peer is ours: the paper does not run random search", CONSTANTS),
        needs=(STUDY, SWEEP),
        orders=orders(OURS, ("random_search",), "ABCDEF"),
        measures=measures("final"),
        source=runs(STUDY, "random_search", "ABCDEF", noisy=False),
        questions=questions("random_search"),
    ),
    __name__,
)

fig6_plus_faster = declare(
    Reading(
        id="boke.fig6_plus_faster",
        paper="A",
        where="Figure 6 (B, E, F), section 5.1",
        says="In Figure 6 (B, E, F), BOKE+ converges faster than BOKE",
        means="On each of the three panels BOKE+ has the smaller regret over the run, both with the same constants.",
        deviations=("over the run: geometric mean of the simple regrets after the initial design", CONSTANTS),
        needs=(STUDY, SWEEP),
        orders=orders(("boke_plus",), ("boke",), "BEF"),
        measures=measures("whole"),
        source=runs(STUDY, "boke", "BEF", noisy=False),
        questions=questions("boke"),
    ),
    __name__,
)

fig6_similar = declare(
    Reading(
        id="boke.fig6_similar",
        paper="A",
        where="Figure 6 (A, C, D), section 5.1",
        says="For the other three panels, [...], the two algorithms perform similarly",
        means="On each of panels A, C and D the final regret of BOKE+ is between half and twice that of BOKE.",
        deviations=("similarly: within a factor of two", CONSTANTS),
        needs=(STUDY, SWEEP),
        orders=orders(("boke_plus",), ("boke",), "ACD", "similar"),
        measures=measures("final"),
        source=runs(STUDY, "boke", "ACD", noisy=False),
        questions=questions("boke"),
    ),
    __name__,
)


def _panel(_: Order, problem: str) -> str:
    return problem


fig6_kr_ucb_slower = declare(
    Reading(
        id="boke.fig6_kr_ucb_slower",
        paper="A",
        where="Figure 6 (A, C, D), section 5.1",
        says="KR-UCB may fail to ensure global convergence or converge much more slowly",
        means="On one of panels A, C and D at least KR-UCB has more than twice the final regret of BOKE and of BOKE+.",
        deviations=(
            "much more slowly: more than twice the regret",
            "may: on one panel at least",
            "KR-UCB is admitted where it is behind random search too, for the sentence says that it may fail",
            CONSTANTS,
        ),
        needs=(STUDY, SWEEP),
        orders=orders(OURS, ("kr_ucb",), "ACD", "better by"),
        measures=measures("final"),
        source=runs(STUDY, "kr_ucb", "ACD", noisy=False),
        quantifier="some",
        group=_panel,
        baseline="",
        questions=questions("kr_ucb"),
    ),
    __name__,
)
