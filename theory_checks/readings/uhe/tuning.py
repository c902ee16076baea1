"""The readings of Figure 2 (bottom), section 7.1: classifiers tuned with unknown hyperparameters."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from experiments.measures.tuning import score
from theory_checks.ledger import Claim
from theory_checks.paired_seeds import stored
from theory_checks.readings.declaration import Circumstance, Measure, Order, Reading, Source, declare, orders
from theory_checks.readings.uhe.runs import AS_THEY_ARE, BUDGET, BUDGETS, OURS, PEERS, SIGNIFICANTLY

STUDY = "uhe.fig2_tuning"
VEHICLE, FOREST, BOOSTING = "lr_vehicle", "rf_wilt", "xgb"
DATA = {"Australian Credit": "xgb_australian", "KC1": "xgb_kc1"}
LIKE = "gp_ucb_mcmc"
FINAL = partial(score, which="final")
EFFECT = 0.0025
"""One test case in four hundred."""
MEANS = Measure("difference of mean best accuracies", FINAL, "difference", "student", EFFECT, smaller_is_better=False)
MEASURES = (MEANS, replace(MEANS, name="paired differences of best accuracies", test="wilcoxon"))
BOTH = (
    "For Logistic Regression with the Vehicle Silhouettes dataset and the XGB Classification with the Australia Credit "
    "dataset, UHE-BO outperforms existing methods significantly."
)
WILT = (
    "For Random Forest with the Wilt dataset, UHE-BO is better than most of the approaches, except MCMC when it "
    "performs similarly."
)
XGBOOST = "named twice, in section 7.1 and in appendix C, differently: Australian Credit, or KC1"


def cut(result: Result, share: float) -> Result:
    """The result after a share of the evaluations that follow the initial design."""
    best, first = result.arrays["best"], int(result.arrays["initial_size"])
    return Result(
        result.config,
        {"best": best[:, : first + round(share * (best.shape[1] - first))], "initial_size": np.asarray(first)},
        result.metadata,
    )


def runs(*tasks: str) -> Source:
    """Runs of all methods on these tasks, XGBoost on each of its data sets, after all and half of the budget."""
    return partial(_circumstances, tasks=tasks)


def _circumstances(scale: str, *, tasks: tuple[str, ...]) -> Iterator[Circumstance]:
    for data, name in DATA.items() if BOOSTING in tasks else [("", "")]:
        rename = {BOOSTING: name} if name else {}
        found = stored(STUDY, scale, list(product([rename.get(task, task) for task in tasks], (OURS, *PEERS))))
        for budget, share in BUDGETS.items():
            choices = ({"data of XGBoost": data} if data else {}) | {"budget": budget}
            yield Circumstance(choices, {key: cut(one, share) for key, one in found.items()}, "", rename)


def tuned(name: str, title: str, says: str, means: str, ordered: tuple[Order, ...], **fields: Any) -> Claim:
    """A reading on the tasks of these orders; `fields` are further fields of a reading."""
    tasks = tuple(dict.fromkeys(task for order in ordered for task in order.problems))
    reading = Reading(
        id=f"uhe.fig2_tuning_{name}",
        title=title,
        paper="D",
        where="Figure 2 (bottom), section 7.1",
        says=says,
        means=means,
        deviations=(
            *fields.pop("deviations", ()),
            "the tasks of section 7.1 and appendix C, models smaller than HPOBench's",
            *AS_THEY_ARE,
        ),
        needs=(STUDY,),
        orders=ordered,
        measures=MEASURES,
        source=runs(*tasks),
        baseline="",
        questions=({"data of XGBoost": XGBOOST} if BOOSTING in tasks else {}) | {"budget": BUDGET},
        **fields,
    )
    return declare(reading, __name__)


fig2_tuning_vehicle = tuned(
    "vehicle",
    "UHE-BO beats the others on Vehicle Silhouettes",
    BOTH,
    "With logistic regression on Vehicle Silhouettes UHE-BO has a higher accuracy than each of the six others.",
    orders((OURS,), PEERS, (VEHICLE,)),
    deviations=(SIGNIFICANTLY,),
)
fig2_tuning_xgb = tuned(
    "xgb",
    "UHE-BO beats the others on Australia Credit",
    BOTH,
    "With XGBoost UHE-BO has a higher accuracy than each of the six others.",
    orders((OURS,), PEERS, (BOOSTING,)),
    deviations=(SIGNIFICANTLY,),
)
fig2_tuning_all = tuned(
    "all",
    "UHE-BO beats the others on tuning tasks",
    "For real-world problems, the objective functions are often complex, our method UHE-BO still outperforms other "
    "approaches.",
    "Over the three tasks together UHE-BO has a higher accuracy than each of the six others.",
    orders((OURS,), PEERS, (VEHICLE, BOOSTING, FOREST)),
    deviations=("over the three tasks together",),
    over="pooled",
)
fig2_tuning_most = tuned(
    "most",
    "UHE-BO beats most methods on Wilt",
    WILT,
    "On the forest UHE-BO has a higher accuracy than more than half of the five methods other than MCMC.",
    orders((OURS,), tuple(peer for peer in PEERS if peer != LIKE), (FOREST,)),
    quantifier="most",
)
fig2_tuning_comparable = tuned(
    "comparable",
    "UHE-BO is similar to MCMC on Wilt",
    WILT,
    "On the forest the accuracies of UHE-BO and MCMC differ by less than the smallest effect that matters.",
    orders((OURS,), (LIKE,), (FOREST,), "similar"),
    deviations=(f"similarly: mean best accuracies within {EFFECT:g}",),
)
fig2_tuning_random = tuned(
    "random",
    "Random performs poorly on all tuning tasks",
    "The Random method performs poorly in all cases.",
    "On each of the three tasks Random has a lower accuracy than UHE-BO, MAP and MCMC.",
    orders((OURS, "gp_ucb_map", LIKE), ("random_search",), (VEHICLE, BOOSTING, FOREST)),
    deviations=("poorly: behind each of UHE-BO, MAP and MCMC",),
)
