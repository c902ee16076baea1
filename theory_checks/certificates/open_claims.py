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
    "cei.sublinear_on_intervals": "An exponent found in runs; nothing is proved of it.",
    "ctx.thm1_rate": "It is judged by runs; its proof rests on Lemmas 1, 5 and 8, which are refuted as printed.",
    "ctx.thm2_rate": "It is judged by runs; its proof rests on Lemmas 1, 5, 8 and 10, which are refuted as printed.",
    "uhe.prop6_7": "The orders are those of Srinivas et al. (2010), which are cited and not proved here.",
    "uhe.thm6_5_repaired": "A proof needs smoothness of the loss in theta, which the claim does not state.",
    "uhe.thm6_5_information": (
        "The information is computed from a discretised covariance operator, and its supremum from nine points."
    ),
}
