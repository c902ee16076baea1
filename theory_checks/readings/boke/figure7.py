"""The readings of Figure 7: regret curves under noise, which is ours, of 5 % of the range: the paper prints none."""

from __future__ import annotations

from theory_checks.readings.boke.figure6 import CONSTANTS
from theory_checks.readings.boke.regret_runs import OURS, SWEEP, measures, questions, runs
from theory_checks.readings.declaration import Reading, declare, orders

STUDY = "boke.fig7"
NOISE = "noise of 5 % of the range"
HIGH = ("EF", "F")
"""Which panels the high-dimensional cases are: four and six inputs, or six, the one that the text names."""

fig7_beats_kr_ucb = declare(
    Reading(
        id="boke.fig7_beats_kr_ucb",
        paper="A",
        where="Figure 7, section 5.1",
        says="Both the BOKE and BOKE+ algorithms significantly outperform the KR-UCB algorithm",
        means="Over the six panels together each of the two has a smaller final regret than KR-UCB.",
        deviations=(NOISE, CONSTANTS),
        needs=(STUDY, SWEEP),
        orders=orders(OURS, ("kr_ucb",), "ABCDEF"),
        measures=measures("final"),
        source=runs(STUDY, "kr_ucb", "ABCDEF", noisy=True),
        over="pooled",
        questions=questions("kr_ucb"),
    ),
    __name__,
)

fig7_comparable = declare(
    Reading(
        id="boke.fig7_comparable",
        paper="A",
        where="Figure 7, section 5.1",
        says="Both the BOKE and BOKE+ algorithms [...] are comparable to the GP-UCB method",
        means="Over the six panels together each of the two has at most twice the final regret of GP-UCB.",
        deviations=("comparable: at most twice the regret", NOISE, CONSTANTS),
        needs=(STUDY, SWEEP),
        orders=orders(OURS, ("gp_ucb",), "ABCDEF", "not worse"),
        measures=measures("final"),
        source=runs(STUDY, "gp_ucb", "ABCDEF", noisy=True),
        over="pooled",
        questions=questions("gp_ucb"),
    ),
    __name__,
)

fig7_beats_gp_ucb_high_d = declare(
    Reading(
        id="boke.fig7_beats_gp_ucb_high_d",
        paper="A",
        where="Figure 7 (F), section 5.1",
        says="the two proposed algorithms achieve better accuracy than GP-UCB in high-dimensional cases, such as in "
        "Figure 7 (F)",
        means="Over the panels meant, together, each of the two has a smaller final regret than GP-UCB.",
        deviations=(NOISE, CONSTANTS),
        needs=(STUDY, SWEEP),
        orders=orders(OURS, ("gp_ucb",), "EF"),
        measures=measures("final"),
        source=runs(STUDY, "gp_ucb", "EF", noisy=True, meanings=HIGH),
        over="pooled",
        questions=questions("gp_ucb", HIGH),
        looks=2,
    ),
    __name__,
)
