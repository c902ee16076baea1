"""The readings of Figure 2 (bottom): tuning with unknown hyperparameters, on stored results.

The sentence on the random forest is judged in `theory_checks.uhe.wilt_readings`.
"""

from __future__ import annotations

from typing import Any

from theory_checks import tuning

STUDY = "uhe.fig2_tuning"
SIGNIFICANT = ("lr_vehicle", "xgb_australian", "xgb_kc1")
"""Tasks on which UHE-BO is said to win; the XGBoost data are named twice, differently, and both are run."""

ALL = (*SIGNIFICANT, "rf_wilt")
PEERS = ("gp_ucb_map", "gp_ucb_mcmc", "a_gp_ucb", "wang_de_freitas", "portfolio_exp3", "random_search")
_RULE = f"""Best accuracy after the whole budget, paired by seed (same start, same split). Wilcoxon's signed-rank test
    of the difference (ours − peer), for every peer; a reversal two-sided at the ledger's level, on all pairs (task,
    seed) together. {tuning.smallest_effect("D")} {tuning.EVERYWHERE}"""
_OPEN = """The paper gives no budget and no initial design, and scale quick runs part of the data: where a method lies
    below a peer the reading is inconclusive ({here} speaks of the runs stored here, and can be refuted by them)."""
_CONTROL = {"ours": (tuning.DESIGN,), "tasks": ALL, "settled": True}
_CONTROL_STATEMENT = """In the stored runs the initial design alone is significantly better than the methods."""


_BEST: dict[str, Any] = {
    "ours": ("uhe_bo",),
    "peers": PEERS,
    "tasks": SIGNIFICANT,
    "measure": "final",
    "hypotheses": ("the tasks of section 7.1 and appendix C, the data of XGBoost read both ways",),
    "control": _CONTROL,
    "control_statement": _CONTROL_STATEMENT,
}

fig2_tuning_best = tuning.tuning_claim(
    "Higher final accuracy than every peer.",
    __name__,
    "D",
    STUDY,
    id="uhe.fig2_tuning_best",
    number="Figure 2 (bottom), section 7.1",
    statement="""For Logistic Regression with the Vehicle Silhouettes dataset and the XGB Classification with the
    Australia Credit dataset, UHE-BO outperforms existing methods significantly.""",
    rule=f"""{_RULE} Supported if UHE-BO lies above all six, on each of the three tasks.
    {_OPEN.format(here="uhe.fig2_tuning_here")}""",
    tests=6,
    **_BEST,
)

fig2_tuning_here = tuning.tuning_claim(
    "The stored runs themselves.",
    __name__,
    "D",
    STUDY,
    settled=True,
    id="uhe.fig2_tuning_here",
    number="Figure 2 (bottom), as run here",
    statement="""With the budgets, designs and amounts of data of docs/constants.md, UHE-BO outperforms every other
    method on the tasks with Vehicle Silhouettes, Australian Credit and KC1.""",
    rule="""The comparisons of uhe.fig2_tuning_best, the same tests. Supported if all six lie above, refuted if one lies
    below, otherwise inconclusive.""",
    origin="here",
    **_BEST,
)

_RANDOM: dict[str, Any] = _BEST | {
    "ours": ("uhe_bo", "gp_ucb_map", "gp_ucb_mcmc"),
    "peers": ("random_search",),
    "tasks": ALL,
    "control": _CONTROL | {"peers": ("gp_ucb_map", "gp_ucb_mcmc", "uhe_bo")},
}

fig2_tuning_random = tuning.tuning_claim(
    "Lower final accuracy than the methods that model the objective.",
    __name__,
    "D",
    STUDY,
    id="uhe.fig2_tuning_random",
    number="Figure 2 (bottom), section 7.1",
    statement="The Random method performs poorly in all cases.",
    rule=f"""{_RULE} Ours: UHE-BO, MAP and MCMC; peer: Random. Supported if all three lie above, on each of the four
    tasks. {_OPEN.format(here="uhe.fig2_tuning_random_here")}""",
    tests=3,
    **_RANDOM,
)

fig2_tuning_random_here = tuning.tuning_claim(
    "The stored runs themselves, against random search.",
    __name__,
    "D",
    STUDY,
    settled=True,
    id="uhe.fig2_tuning_random_here",
    number="Figure 2 (bottom), as run here",
    statement="""With the budgets, designs and amounts of data of docs/constants.md, Random ends below UHE-BO, MAP and
    MCMC on the four tuning tasks.""",
    rule="""The comparisons of uhe.fig2_tuning_random, the same tests. Supported if all three lie above, refuted if one
    lies below, otherwise inconclusive.""",
    origin="here",
    **_RANDOM,
)
