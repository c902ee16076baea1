"""The readings of Figure 7: regret curves under noise of 5 % of the range; the paper prints no noise level."""

from theory_checks.readings.boke.regret_runs import OURS, said

fig7_beats_kr_ucb = said(
    "boke.fig7_beats_kr_ucb",
    "BOKE and BOKE+ beat KR-UCB on Figure 7",
    "Both the BOKE and BOKE+ algorithms significantly outperform the KR-UCB algorithm",
    "Over the six panels together each of the two has a smaller final regret than KR-UCB.",
    OURS,
    "kr_ucb",
    deviations=("significantly: by the smallest effect that matters at least",),
    over="pooled",
)

fig7_comparable = said(
    "boke.fig7_comparable",
    "BOKE and BOKE+ are comparable to GP-UCB",
    "Both the BOKE and BOKE+ algorithms [...] are comparable to the GP-UCB method",
    "Over the six panels together each of the two has at most twice the final regret of GP-UCB.",
    OURS,
    "gp_ucb",
    kind="not worse",
    deviations=("comparable: at most twice the regret",),
    over="pooled",
)

fig7_beats_gp_ucb_high_d = said(
    "boke.fig7_beats_gp_ucb_high_d",
    "More accurate than GP-UCB in high dimensions",
    "the two proposed algorithms achieve better accuracy than GP-UCB in high-dimensional cases, such as in Figure 7 "
    "(F)",
    "Over the panels meant (of four and six inputs, or of six, the one that the text names) together each of the two "
    "has a smaller final regret than GP-UCB.",
    OURS,
    "gp_ucb",
    "EF",
    meanings=("EF", "F"),
    over="pooled",
    looks=2,
)
