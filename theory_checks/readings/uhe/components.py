"""The readings of Figure 5 (left and middle), appendix D: what the components of UHE-BO contribute."""

from __future__ import annotations

from itertools import combinations

from theory_checks.readings.declaration import Reading, declare, orders
from theory_checks.readings.uhe.runs import ABLATION, AS_THEY_ARE, BUDGET, OURS, PROBLEMS, measures, runs

PLACES = ("the problem on the left", "the problem in the middle")
LIKELY = ("deceptive2", "hartmann3")
"""The two whose running time stands in the same figure."""
ALL = (LIKELY, *(pair for pair in combinations(PROBLEMS, 2) if pair != LIKELY))
PAIRS = {" and ".join(pair): dict(zip(PLACES, pair, strict=True)) for pair in ALL}
"""The two problems of the figure, which are not named -> place -> problem."""


def figure5(name: str, says: str, means: str, peers: tuple[str, ...]) -> Reading:
    """UHE-BO is ahead of these ablations on the two problems of the figure."""
    return Reading(
        id=f"uhe.fig5_{name}",
        paper="D",
        where="Figure 5 (left and middle), section 7.2",
        says=says,
        means=means,
        deviations=AS_THEY_ARE,
        needs=(ABLATION,),
        orders=orders((OURS,), peers, PLACES),
        measures=measures(),
        source=runs((OURS, *peers), study=ABLATION, arms=False, question="two problems", choices=PAIRS),
        baseline="",
        questions={"two problems": "two that are not named: any two of the four synthetic ones", "budget": BUDGET},
    )


fig5_components = declare(
    figure5(
        "components",
        "Results show that each component contributes to the success of the proposed method.",
        "On both of two problems UHE-BO has a smaller regret than RA-BO and than Random+EXP3, which lack one each.",
        ("ra_bo", "random_exp3"),
    ),
    __name__,
)

fig5_efficient = declare(
    figure5(
        "efficient",
        "The performance of the method RA-BO is quite conservative as it samples data points randomly every 2 "
        "iterations. In contrast, UHE-BO is more efficient because it learns to switch between decisions using EXP3.",
        "On both of two problems UHE-BO has a smaller regret than RA-BO. What it learns is uhe.exp3_learns.",
        ("ra_bo",),
    ),
    __name__,
)
