"""Mathematical claims that are supported or refuted without a certificate, and why."""

from collections.abc import Mapping

OPEN: Mapping[str, str] = {
    "boke.lemma7": (
        "Its proof sums the joint probability of A (B6), which exceeds 4 / t^2 (boke.lemma7_b6_joint). The sum in its "
        "place gives another constant, except for arms that share no data; whether the printed one holds is open."
    ),
    "boke.thm8": "It rests on Lemma 7, which is open for arms that share data.",
    "boke.thm8_remark1_repaired": (
        "It rests on Theorem 8: what it adds to it is proved in its module, Theorem 8 is not."
    ),
    "boke.sublinear_regret": "A statement about a growth rate in every instance, for which no proof is known here.",
    "boke.table1": "Counts of operations of programs, taken by running them.",
    "boke.table1_total": "Counts of operations of programs, taken by running them.",
    "boke.ucb1_limit": (
        "W_t counts visits for small h, so that the formulas agree; but the constant of UCB1 is the claim's choice."
    ),
    "boke.cor5_exploration": "Its module has the argument; no certificate states it.",
    "boke.eq21": "A finite sum in another order, which the check compares in rationals; no certificate states it.",
    "boke.thm8_constants": "An inequality between constants, compared on a grid; no certificate encloses it.",
    "boke.thm9_constants": "An inequality between constants, compared on a grid; no certificate encloses it.",
    "cei.sublinear_on_intervals": "Mean regrets of runs at several T; nothing is proved of the limit.",
    "ctx.eq21": "Two steps of a proof, compared on random instances; no certificate states them.",
    "ctx.no_dual_gap": "The check gives both optima as rationals; no certificate restates them.",
    "ctx.tv_conjugate": "The check compares the conjugate with a supremum in rationals; no certificate states it.",
    "ctx.thm1_rate": "The exponent of the example is a limit: its module argues it, quadrature and runs show it.",
    "ctx.thm1_rate_repaired": "It is judged by runs.",
    "ctx.thm2_rate": "The exponent of the example is a limit: its module argues it, quadrature and runs show it.",
    "ctx.thm2_rate_repaired": "It is judged by runs.",
    "uhe.cell_occupancy": "The check gives both probabilities as rationals; no certificate restates them.",
    "uhe.eq23": "A probability of runs on an instance, bounded in the check; no certificate encloses it.",
    "uhe.exp3_general_bound": "The bound of Auer et al. (2002), which is cited and not proved here.",
    "uhe.exp3_logarithmic": "The check computes the regret exactly; no certificate states its order.",
    "uhe.fisher_positive": "The check computes both sides exactly; no certificate restates them.",
    "uhe.noisy_rewards": "The check integrates the two expectations; no certificate encloses them.",
    "uhe.prop6_7": "The orders are those of Srinivas et al. (2010), which are cited and not proved here.",
    "uhe.thm6_5_repaired": "A proof needs smoothness of the loss in theta, which the claim does not state.",
    "uhe.thm6_5_information": (
        "The information is computed from a discretised covariance operator, and its supremum from nine points."
    ),
}
