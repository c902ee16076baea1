"""The readings of Figure 8: the garden sprinkler, after the same number of evaluations and after the same CPU time."""

from collections.abc import Sequence

from theory_checks.ledger import Claim
from theory_checks.readings.boke.regret_runs import CONSTANTS, OURS, measures
from theory_checks.readings.boke.sprinkler_runs import MORE, PROBLEM, STUDY, SWEEP, questions, runs, timed
from theory_checks.readings.declaration import Measure, Order, Reading, declare, orders

LOOKS = 3
"""The number of looks: at 30, 150 and 330 seeds."""
TIME = (
    "at any solving time: at one, the mean CPU time that the quicker of the two spends on its whole run",
    "constants other than ours are not timed",
)


def _said(
    id: str,
    title: str,
    says: str,
    means: str,
    peer: str,
    compared: Sequence[Order],
    measured: Sequence[Measure] = measures("final"),
    deviations: Sequence[str] = (),
) -> Claim:
    in_time = deviations is TIME
    return declare(
        Reading(
            id=id,
            title=title,
            paper="A",
            where="Figure 8, section 5.2",
            says=says,
            means=means,
            deviations=(*deviations, CONSTANTS),
            needs=(STUDY, MORE) if in_time else (STUDY, SWEEP, MORE),
            orders=tuple(compared),
            measures=tuple(measured),
            source=timed(peer) if in_time else runs(peer),
            questions={} if in_time else questions(peer),
            looks=LOOKS,
        ),
        __name__,
    )


def _in_time(peer: str) -> tuple[Order, ...]:
    """Orders of each of our methods before the peer, both cut at their common time."""
    return tuple(Order(method, peer, (method,)) for method in OURS)


fig8_beats_gp_ucb = _said(
    "boke.fig8_beats_gp_ucb",
    "More accurate than GP-UCB on the sprinkler",
    "Both BOKE and BOKE+ achieve better accuracy than GP-UCB",
    "After the whole budget each of the two has a smaller regret than GP-UCB.",
    "gp_ucb",
    orders(OURS, ("gp_ucb",), (PROBLEM,)),
)

fig8_gp_ucb_in_time = _said(
    "boke.fig8_gp_ucb_in_time",
    "Ahead of GP-UCB at equal CPU time",
    "with fixed CPU resources, BOKE and BOKE+ outperform GP-UCB",
    "After the same CPU time each of the two has a smaller regret than GP-UCB.",
    "gp_ucb",
    _in_time("gp_ucb"),
    deviations=TIME,
)

fig8_beats_kr_ucb = _said(
    "boke.fig8_beats_kr_ucb",
    "Ahead of KR-UCB at the end or over the run",
    "BOKE and BOKE+ exhibit superior convergence compared to the KR-UCB algorithm, regardless of the number of "
    "iterations",
    "After the whole budget, and over the run, each of the two has a smaller regret than KR-UCB.",
    "kr_ucb",
    orders(OURS, ("kr_ucb",), (PROBLEM,)),
    (*measures("final"), *measures("whole")),
    deviations=("regardless of the number of iterations: after the whole budget, and over the run, each a setting",),
)

fig8_kr_ucb_in_time = _said(
    "boke.fig8_kr_ucb_in_time",
    "Ahead of KR-UCB at equal CPU time",
    "BOKE and BOKE+ exhibit superior convergence compared to the KR-UCB algorithm, regardless of [...] solving time",
    "After the same CPU time each of the two has a smaller regret than KR-UCB.",
    "kr_ucb",
    _in_time("kr_ucb"),
    deviations=TIME,
)

fig8_converges = _said(
    "boke.fig8_converges",
    "Three algorithms converge stably on the sprinkler",
    "all three algorithms exhibit stable convergence",
    "BOKE, BOKE+ and GP-UCB each end below random search, the least that stable convergence can mean.",
    "gp_ucb",
    orders((*OURS, "gp_ucb"), ("random_search",), (PROBLEM,)),
    deviations=("the peer is ours: the paper does not run random search",),
)
