"""The readings of Figure 2 (top), section 7.1: regret on the synthetic problems."""

from __future__ import annotations

from dataclasses import replace

from theory_checks.readings.declaration import Reading, declare, orders
from theory_checks.readings.uhe.runs import (
    ARMS,
    AS_THEY_ARE,
    BADLY,
    DIFFERENCE,
    FIGURE,
    INITIAL,
    OURS,
    PEERS,
    PROBLEMS,
    WELL,
    each_and_pooled,
    either,
    left,
    measures,
    questions,
    runs,
)

FRESH = "uhe.fig2_seeds"
LIKELIHOODS = ("gp_ucb_map", "gp_ucb_mcmc")
WHERE = "Figure 2 (top), section 7.1"
BEST = (
    "In Fig. 2 (Top), our UHE-BO is significantly better than all methods on Deceptive and h1 whilst performing "
    "comparably on Branin and Hartman3."
)
SPLIT = f"performing well is leaving at most {WELL:g} of the regret of the initial data, badly at least {BADLY:g}"
THESE = (
    "These methods perform well on Branin and Hartman3, which is reasonable since these functions are known to be easy "
    "to optimize, however, they perform badly on Deceptive and h1."
)


def best(problem: str, name: str, details: str) -> Reading:
    """UHE-BO is ahead of all six peers on a problem."""
    return Reading(
        id=f"uhe.fig2_best_{name}",
        paper="D",
        where=WHERE,
        says=BEST,
        means=f"On {name} UHE-BO has a smaller regret than each of the six other methods.",
        deviations=(details, *AS_THEY_ARE),
        needs=(FIGURE, ARMS),
        orders=orders((OURS,), PEERS, (problem,)),
        measures=(DIFFERENCE, *measures()),
        source=runs((OURS, *PEERS), (problem,)),
        baseline="",
        questions=questions((OURS, *PEERS), (problem,)),
    )


fig2_best_deceptive = declare(best("deceptive2", "deceptive", "Deceptive in two dimensions, continuous"), __name__)
fig2_best_h1 = declare(best("h1", "h1", "h1 on [-100, 100]^2, with the denominator of the literature"), __name__)


def comparable(peers: tuple[str, ...]) -> Reading:
    """UHE-BO is not behind these peers on Branin and Hartmann3."""
    return Reading(
        id="uhe.fig2_comparable",
        paper="D",
        where=WHERE,
        says=BEST,
        means="On Branin and on Hartmann3 UHE-BO is not behind MAP and MCMC, which are said to do well there.",
        deviations=("comparably: at most a tenth of the initial regret more, or twice the regret", *AS_THEY_ARE),
        needs=(FIGURE, ARMS),
        orders=orders((OURS,), peers, ("branin", "hartmann3"), "not worse"),
        measures=(DIFFERENCE, *measures()),
        source=runs((OURS, *peers), ("branin", "hartmann3")),
        baseline="",
        questions=questions((OURS, *peers), ("branin", "hartmann3")),
    )


fig2_comparable = declare(
    either(
        "compared with",
        "MAP and MCMC, or all six methods",
        {"MAP and MCMC": comparable(LIKELIHOODS), "all six": comparable(PEERS)},
    ),
    __name__,
)

fig2_best = declare(
    Reading(
        id="uhe.fig2_best",
        paper="D",
        where="section 7.2",
        says="notes that it also performs the best in finding the global optimum (see Fig. 2).",
        means="Over the four problems together UHE-BO has a smaller regret than each of the six other methods.",
        deviations=AS_THEY_ARE,
        needs=(FIGURE, ARMS),
        orders=orders((OURS,), PEERS, PROBLEMS),
        measures=measures(),
        source=runs((OURS, *PEERS)),
        over="pooled",
        baseline="",
        questions=questions((OURS, *PEERS)),
    ),
    __name__,
)

fig2_easy = declare(
    Reading(
        id="uhe.fig2_easy",
        paper="D",
        where=WHERE,
        says=THESE,
        means="MAP and MCMC perform well on Branin and on Hartmann3.",
        deviations=(SPLIT, "MAP on Hartmann3 with the further seeds of uhe.fig2_seeds at the end", *AS_THEY_ARE),
        needs=(FIGURE, ARMS, FRESH),
        orders=orders(LIKELIHOODS, (INITIAL,), ("branin", "hartmann3")),
        measures=left(),
        source=runs(LIKELIHOODS, ("branin", "hartmann3"), more=FRESH),
        baseline="",
        questions=questions(LIKELIHOODS, ("branin", "hartmann3")),
        looks=2,
    ),
    __name__,
)

fig2_hard = declare(
    Reading(
        id="uhe.fig2_hard",
        paper="D",
        where=WHERE,
        says=THESE,
        means="MAP and MCMC perform badly on Deceptive and on h1.",
        deviations=(SPLIT, *AS_THEY_ARE),
        needs=(FIGURE, ARMS),
        orders=orders((INITIAL,), LIKELIHOODS, ("deceptive2", "h1")),
        measures=left(),
        source=runs(LIKELIHOODS, ("deceptive2", "h1")),
        baseline="",
        questions=questions(LIKELIHOODS, ("deceptive2", "h1")),
    ),
    __name__,
)

BADLY_SAID = Reading(
    id="uhe.fig2_random_badly",
    paper="D",
    where="section 7.2",
    says="as shown in Fig. 2, Random performs very badly when finding the global optimum.",
    means="Random performs badly on the four problems.",
    deviations=(f"very badly is taken as badly: {SPLIT}", *AS_THEY_ARE),
    needs=(FIGURE, ARMS),
    orders=orders((INITIAL,), ("random_search",), PROBLEMS),
    measures=left(),
    source=runs(("random_search",)),
    baseline="",
    questions=questions(("random_search",)),
)
MODELS = (OURS, *LIKELIHOODS)
fig2_random_badly = declare(
    either(
        "badly",
        "of the initial regret, or behind UHE-BO, MAP and MCMC, as uhe.fig2_tuning_random reads it",
        {
            "of the initial regret": each_and_pooled(BADLY_SAID),
            "behind the others": each_and_pooled(
                replace(
                    BADLY_SAID,
                    orders=orders(MODELS, ("random_search",), PROBLEMS),
                    measures=measures(),
                    source=runs((*MODELS, "random_search")),
                )
            ),
        },
    ),
    __name__,
)

fig2_shrinking = declare(
    Reading(
        id="uhe.fig2_shrinking",
        paper="D",
        where=WHERE,
        says="UHE-BO outperforms A-GP-UCB and Wang & de Freitas’ most of the time.",
        means="UHE-BO has a smaller regret in more than half of the eight comparisons of two methods on four problems.",
        deviations=AS_THEY_ARE,
        needs=(FIGURE, ARMS),
        orders=orders((OURS,), ("a_gp_ucb", "wang_de_freitas"), PROBLEMS),
        measures=measures(),
        source=runs((OURS, "a_gp_ucb", "wang_de_freitas")),
        quantifier="most",
        baseline="",
        questions=questions((OURS, "a_gp_ucb", "wang_de_freitas")),
    ),
    __name__,
)

fig2_portfolio_random = declare(
    each_and_pooled(
        Reading(
            id="uhe.fig2_portfolio_random",
            paper="D",
            where=WHERE,
            says="Finally, our UHE-BO also outperforms Porfolio and Random significantly.",
            means="UHE-BO has a smaller regret than Portfolio and than Random on the four problems.",
            deviations=AS_THEY_ARE,
            needs=(FIGURE, ARMS),
            orders=orders((OURS,), ("portfolio_exp3", "random_search"), PROBLEMS),
            measures=measures(),
            source=runs((OURS, "portfolio_exp3", "random_search")),
            baseline="",
            questions=questions((OURS, "portfolio_exp3", "random_search")),
        )
    ),
    __name__,
)
