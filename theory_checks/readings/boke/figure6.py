"""The readings of Figure 6: regret curves without noise."""

from __future__ import annotations

from theory_checks.readings.boke.regret_runs import OURS, QUESTIONS, SWEEP, measures, runs
from theory_checks.readings.declaration import Reading, declare, orders

STUDY = "boke.fig6"

fig6_competitive = declare(
    Reading(
        id="boke.fig6_competitive",
        paper="A",
        where="Figure 6, section 5.1",
        says="Both BOKE and BOKE+ demonstrate competitive performance compared to GP-UCB",
        means="Over the six panels together each of the two has at most twice the final regret of GP-UCB.",
        deviations=("competitive: at most twice the regret", "budgets and initial designs are ours"),
        needs=(STUDY, SWEEP),
        orders=orders(OURS, ("gp_ucb",), "ABCDEF", "not worse"),
        measures=measures("final"),
        source=runs(STUDY, "gp_ucb", "ABCDEF", noisy=False),
        over="pooled",
        questions=QUESTIONS,
    ),
    __name__,
)
