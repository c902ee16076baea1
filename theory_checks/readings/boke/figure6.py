"""The readings of Figure 6: regret curves without noise.

Random search is our peer, not the paper's. The paper does not print BOKE+'s probability of exploration, budgets and
initial designs, and no study varies these on the functions.
"""

from theory_checks.readings.boke.regret_runs import OURS, said

fig6_competitive = said(
    "boke.fig6_competitive",
    "BOKE and BOKE+ are competitive with GP-UCB",
    "both BOKE and BOKE+ [...] demonstrate competitive performance compared to GP-UCB",
    "Over the six panels together each of the two has at most twice the final regret of GP-UCB.",
    OURS,
    "gp_ucb",
    kind="not worse",
    deviations=("competitive: at most twice the regret",),
    over="pooled",
)

fig6_converges = said(
    "boke.fig6_converges",
    "BOKE and BOKE+ converge stably on Figure 6",
    "both BOKE and BOKE+ exhibit stable convergence",
    "On each panel each of the two ends below random search, the least that stable convergence can mean.",
    OURS,
    "random_search",
    deviations=("the peer is ours: the paper does not run random search",),
)

fig6_plus_faster = said(
    "boke.fig6_plus_faster",
    "BOKE+ converges faster than BOKE on B, E, F",
    "In Figure 6 (B, E, F), BOKE+ converges faster than BOKE",
    "On each of the three panels BOKE+ has the smaller regret over the run, both with the same constants.",
    ("boke_plus",),
    "boke",
    "BEF",
    value="whole",
    deviations=("over the run: geometric mean of the simple regrets after the initial design",),
)

fig6_similar = said(
    "boke.fig6_similar",
    "BOKE and BOKE+ are similar on A, C, D",
    "For the other three panels, [...], the two algorithms perform similarly",
    "On each of panels A, C and D the final regret of BOKE+ is between half and twice that of BOKE.",
    ("boke_plus",),
    "boke",
    "ACD",
    "similar",
    deviations=("similarly: within a factor of two",),
)

fig6_kr_ucb_slower = said(
    "boke.fig6_kr_ucb_slower",
    "KR-UCB converges more slowly or not at all",
    "KR-UCB may fail to ensure global convergence or converge much more slowly",
    "On one of panels A, C and D at least KR-UCB has more than twice the final regret of BOKE and of BOKE+.",
    OURS,
    "kr_ucb",
    "ACD",
    "better by",
    deviations=(
        "much more slowly: more than twice the regret",
        "may: on one panel at least",
        "KR-UCB is admitted where it is behind random search too, for the sentence says that it may fail",
    ),
    quantifier="some",
    group=lambda order, problem: problem,
    baseline="",
)
