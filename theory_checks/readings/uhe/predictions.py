"""The readings of Figures 3 and 4, section 7.2: errors of the predictions."""

from __future__ import annotations

from theory_checks.readings.declaration import Reading, declare, orders
from theory_checks.readings.uhe.runs import (
    ARMS,
    AS_THEY_ARE,
    BASELINES,
    FIGURE,
    OURS,
    PEERS,
    PROBLEMS,
    each_and_pooled,
    measures,
    questions,
    runs,
)

PORTFOLIO, RANDOM, SHOWN = "portfolio_exp3", "random_search", "the function shown"
FUNCTIONS = {
    name: {SHOWN: problem} for name, problem in (("Deceptive", "deceptive2"), ("Branin", "branin"), ("h1", "h1"))
}


def figure4(name: str, says: str, means: str, firsts: tuple[str, ...], seconds: tuple[str, ...]) -> Reading:
    """The first methods predict the four problems better than the second ones."""
    return each_and_pooled(
        Reading(
            id=f"uhe.fig4_{name}",
            paper="D",
            where="Figure 4, section 7.2",
            says=says,
            means=means,
            deviations=("errors are of the posterior mean over the search domain", *AS_THEY_ARE),
            needs=(FIGURE, ARMS),
            orders=orders(firsts, seconds, PROBLEMS),
            measures=measures("error"),
            source=runs((*firsts, *seconds)),
            baseline="",
            questions=questions((*firsts, *seconds)),
        )
    )


fig4_mse = declare(
    figure4(
        "mse",
        "Our UHE-BO estimates the GPs more accurately than all baseline methods (except Random)",
        "UHE-BO's predictions have a smaller error than those of each method but Random.",
        (OURS,),
        BASELINES,
    ),
    __name__,
)

fig4_random = declare(
    figure4(
        "random",
        "Random gives the most accurate GP predictions, which makes sense, as the GP estimation is more accurate when "
        "the data is i.i.d",
        "Random's predictions have a smaller error than those of each of the six other methods.",
        (RANDOM,),
        (OURS, *BASELINES),
    ),
    __name__,
)

fig4_portfolio = declare(
    figure4(
        "portfolio",
        "Porfolio also performs well but it’s not as good as UHE-BO.",
        "UHE-BO's predictions have a smaller error than Portfolio's.",
        (OURS,),
        (PORTFOLIO,),
    ),
    __name__,
)

fig4_portfolio_well = declare(
    figure4(
        "portfolio_well",
        "Porfolio also performs well but it’s not as good as UHE-BO.",
        "Portfolio's predictions have a smaller error than those of the other methods but UHE-BO and Random.",
        (PORTFOLIO,),
        tuple(name for name in PEERS if name not in (PORTFOLIO, RANDOM)),
    ),
    __name__,
)

fig3_mean = declare(
    Reading(
        id="uhe.fig3_mean",
        paper="D",
        where="Figure 3, section 7.2",
        says="Top: with our proposed method, consistent GP hyperparameter estimation can be obtained, and thus, the GP "
        "mean is more accurate.",
        means="On the function that is shown UHE-BO's posterior mean has a smaller error than MAP's.",
        deviations=("in the runs of Figure 2, of many seeds: the figure shows one run", *AS_THEY_ARE),
        needs=(FIGURE, ARMS),
        orders=orders((OURS,), ("gp_ucb_map",), (SHOWN,)),
        measures=measures("error"),
        source=runs((OURS, "gp_ucb_map"), question="function", choices=FUNCTIONS),
        baseline="",
        questions={
            "function": "two-dimensional and not named: any of ours",
            **questions((OURS, "gp_ucb_map")),
        },
    ),
    __name__,
)
