"""The readings of Figure 8: the garden sprinkler, after the same number of evaluations and after the same CPU time."""

from __future__ import annotations

from theory_checks.readings.boke.regret_runs import OURS, measures
from theory_checks.readings.boke.sprinkler_runs import MORE, PROBLEM, STUDY, SWEEP, questions, runs, timed
from theory_checks.readings.declaration import Order, Reading, declare, orders

LOOKS = 3
"""At thirty, at 150 and at 330 seeds."""
TIME = (
    "the same CPU time: the mean that the quicker of the two spends on its whole run",
    "constants other than ours are not timed",
)


def _in_time(peer: str) -> tuple[Order, ...]:
    """Each of ours before the peer, both cut at the time that they share."""
    return tuple(Order(method, peer, (method,)) for method in OURS)


fig8_beats_gp_ucb = declare(
    Reading(
        id="boke.fig8_beats_gp_ucb",
        paper="A",
        where="Figure 8, section 5.2",
        says="Both BOKE and BOKE+ achieve better accuracy than GP-UCB",
        means="After the whole budget each of the two has a smaller regret than GP-UCB.",
        needs=(STUDY, SWEEP, MORE),
        orders=orders(OURS, ("gp_ucb",), (PROBLEM,)),
        measures=measures("final"),
        source=runs("gp_ucb"),
        questions=questions("gp_ucb"),
        looks=LOOKS,
    ),
    __name__,
)

fig8_gp_ucb_in_time = declare(
    Reading(
        id="boke.fig8_gp_ucb_in_time",
        paper="A",
        where="Figure 8, section 5.2",
        says="with fixed CPU resources, BOKE and BOKE+ outperform GP-UCB",
        means="After the same CPU time each of the two has a smaller regret than GP-UCB.",
        deviations=TIME,
        needs=(STUDY, MORE),
        orders=_in_time("gp_ucb"),
        measures=measures("final"),
        source=timed("gp_ucb"),
        questions=questions("gp_ucb", timed=True),
        looks=LOOKS,
    ),
    __name__,
)

fig8_beats_kr_ucb = declare(
    Reading(
        id="boke.fig8_beats_kr_ucb",
        paper="A",
        where="Figure 8, section 5.2",
        says="BOKE and BOKE+ exhibit superior convergence compared to the KR-UCB algorithm, regardless of the number "
        "of iterations",
        means="After the whole budget, and over the run, each of the two has a smaller regret than KR-UCB.",
        needs=(STUDY, SWEEP, MORE),
        orders=orders(OURS, ("kr_ucb",), (PROBLEM,)),
        measures=(*measures("final"), *measures("whole")),
        source=runs("kr_ucb"),
        questions=questions("kr_ucb"),
        looks=LOOKS,
    ),
    __name__,
)

fig8_kr_ucb_in_time = declare(
    Reading(
        id="boke.fig8_kr_ucb_in_time",
        paper="A",
        where="Figure 8, section 5.2",
        says="BOKE and BOKE+ exhibit superior convergence compared to the KR-UCB algorithm, regardless of [...] "
        "solving time",
        means="After the same CPU time each of the two has a smaller regret than KR-UCB.",
        deviations=TIME,
        needs=(STUDY, MORE),
        orders=_in_time("kr_ucb"),
        measures=measures("final"),
        source=timed("kr_ucb"),
        questions=questions("kr_ucb", timed=True),
        looks=LOOKS,
    ),
    __name__,
)

fig8_converges = declare(
    Reading(
        id="boke.fig8_converges",
        paper="A",
        where="Figure 8, section 5.2",
        says="all three algorithms exhibit stable convergence",
        means="BOKE, BOKE+ and GP-UCB each end below random search, the least that stable convergence can mean.",
        deviations=("the peer is ours: the paper does not run random search",),
        needs=(STUDY, SWEEP, MORE),
        orders=orders((*OURS, "gp_ucb"), ("random_search",), (PROBLEM,)),
        measures=measures("final"),
        source=runs("gp_ucb"),
        questions=questions("gp_ucb"),
    ),
    __name__,
)
