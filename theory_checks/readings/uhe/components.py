"""The readings of Figure 5 (left and middle), appendix D: contributions of the components of UHE-BO."""

from itertools import combinations

from theory_checks.ledger import Claim
from theory_checks.readings.declaration import declare, orders
from theory_checks.readings.uhe.compared import measures, of_figure
from theory_checks.readings.uhe.runs import ABLATION, BUDGET, OURS, PROBLEMS, runs

PLACES = ("the problem on the left", "the problem in the middle")
LIKELY = ("deceptive2", "hartmann3")
"""The two problems whose running time is in the same figure."""
ALL = (LIKELY, *(pair for pair in combinations(PROBLEMS, 2) if pair != LIKELY))
PAIRS = {" and ".join(pair): dict(zip(PLACES, pair, strict=True)) for pair in ALL}
"""Two problems, which the figure does not name -> place -> problem."""


def figure5(name: str, title: str, says: str, means: str, peers: tuple[str, ...]) -> Claim:
    """UHE-BO is ahead of these ablations on the two problems of the figure."""
    where, ordered = "Figure 5 (left and middle), section 7.2", orders((OURS,), peers, PLACES)
    reading = of_figure(
        name,
        title,
        where,
        says,
        means,
        ordered,
        measures(),
        needs=(ABLATION,),
        deviations=(
            "rewards are capped, with the priors' 10 as a rate; the runs of uhe.fig2_arms without the cap are not read",
        ),
        source=runs((OURS, *peers), study=ABLATION, arms=False, question="two problems", choices=PAIRS),
        questions={"two problems": "not named: any two of the four synthetic ones", "budget": BUDGET},
    )
    return declare(reading, __name__)


fig5_components = figure5(
    "fig5_components",
    "Each component of UHE-BO contributes",
    "Results show that each component contributes to the success of the proposed method.",
    "On both of two problems UHE-BO has a smaller regret than RA-BO and than Random+EXP3, which lack one each.",
    ("ra_bo", "random_exp3"),
)
fig5_efficient = figure5(
    "fig5_efficient",
    "UHE-BO is more efficient than RA-BO",
    "The performance of the method RA-BO is quite conservative as it samples data points randomly every 2 iterations. "
    "In contrast, UHE-BO is more efficient because it learns to switch between decisions using EXP3.",
    "On both of two problems UHE-BO has a smaller regret than RA-BO. What it learns is uhe.exp3_learns.",
    ("ra_bo",),
)
