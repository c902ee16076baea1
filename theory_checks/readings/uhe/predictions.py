"""The readings of Figures 3 and 4, section 7.2: errors of the predictions."""

from theory_checks.ledger import Claim
from theory_checks.readings.declaration import declare, orders
from theory_checks.readings.uhe.compared import each_and_pooled, measures, of_figure
from theory_checks.readings.uhe.runs import BASELINES, OURS, PEERS, PROBLEMS, questions, runs

PORTFOLIO, RANDOM, SHOWN = "portfolio_exp3", "random_search", "the function shown"
FUNCTIONS = {"Deceptive": {SHOWN: "deceptive2"}, "Branin": {SHOWN: "branin"}, "h1": {SHOWN: "h1"}}
NOT_AS_GOOD = "Porfolio also performs well but it’s not as good as UHE-BO."


def figure4(
    name: str,
    title: str,
    says: str,
    means: str,
    firsts: tuple[str, ...],
    seconds: tuple[str, ...],
    deviations: tuple[str, ...] = (),
) -> Claim:
    """A claim that the first methods predict the four problems better than the second methods."""
    ordered, where = orders(firsts, seconds, PROBLEMS), "Figure 4, section 7.2"
    over = (*deviations, "errors are of the posterior mean over the search domain")
    return declare(
        each_and_pooled(of_figure(name, title, where, says, means, ordered, measures("error"), over)), __name__
    )


fig4_mse = figure4(
    "fig4_mse",
    "UHE-BO estimates GPs best, but for Random",
    "Our UHE-BO estimates the GPs more accurately than all baseline methods (except Random)",
    "UHE-BO's predictions have a smaller error than those of each method but Random.",
    (OURS,),
    BASELINES,
)
fig4_random = figure4(
    "fig4_random",
    "Random gives the most accurate predictions",
    "Random gives the most accurate GP predictions, which makes sense, as the GP estimation is more accurate when the "
    "data is i.i.d",
    "Random's predictions have a smaller error than those of each of the six other methods.",
    (RANDOM,),
    (OURS, *BASELINES),
)
fig4_portfolio = figure4(
    "fig4_portfolio",
    "UHE-BO's estimates are better than Portfolio's",
    NOT_AS_GOOD,
    "UHE-BO's predictions have a smaller error than Portfolio's.",
    (OURS,),
    (PORTFOLIO,),
)
fig4_portfolio_well = figure4(
    "fig4_portfolio_well",
    "Portfolio's estimates are good",
    NOT_AS_GOOD,
    "Portfolio's predictions have a smaller error than those of each other method but UHE-BO and Random.",
    (PORTFOLIO,),
    tuple(name for name in PEERS if name not in (PORTFOLIO, RANDOM)),
    ("well: ahead of every other method that the sentence does not place before it",),
)

fig3_mean = declare(
    of_figure(
        "fig3_mean",
        "UHE-BO's GP mean is more accurate",
        "Figure 3, section 7.2",
        "Top: with our proposed method, consistent GP hyperparameter estimation can be obtained, and thus, the GP mean "
        "is more accurate.",
        "On the function that is shown UHE-BO's posterior mean has a smaller error than MAP's.",
        orders((OURS,), ("gp_ucb_map",), (SHOWN,)),
        measures("error"),
        (
            "in the runs of Figure 2, of many seeds: the figure shows one run",
            "the mean alone is judged; `uhe.prop6_4_2` is about the estimates",
        ),
        source=runs((OURS, "gp_ucb_map"), question="function", choices=FUNCTIONS),
        questions={"function": "two-dimensional and not named: any of ours", **questions((OURS, "gp_ucb_map"))},
    ),
    __name__,
)
