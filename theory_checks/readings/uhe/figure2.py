"""The readings of Figure 2 (top), section 7.1: regret on the synthetic problems."""

from theory_checks.readings.declaration import declare, orders
from theory_checks.readings.uhe.compared import DIFFERENCE, each_and_pooled, either, left, measures, of_figure
from theory_checks.readings.uhe.runs import (
    ARMS,
    BADLY,
    BETWEEN,
    FIGURE,
    INITIAL,
    OURS,
    PEERS,
    PROBLEMS,
    SIGNIFICANTLY,
    WELL,
    runs,
)

FRESH = "uhe.fig2_seeds"
LIKELIHOODS = ("gp_ucb_map", "gp_ucb_mcmc")
MODELS = (OURS, *LIKELIHOODS)
WHERE = "Figure 2 (top), section 7.1"
BEST = (
    "In Fig. 2 (Top), our UHE-BO is significantly better than all methods on Deceptive and h1 whilst performing "
    "comparably on Branin and Hartman3."
)
THESE = (
    "These methods perform well on Branin and Hartman3, which is reasonable since these functions are known to be easy "
    "to optimize, however, they perform badly on Deceptive and h1."
)
SPLIT = (
    f"performing well is leaving at most {WELL:g} of the regret of the initial data, badly at least {BADLY:g}: a "
    f"regret is compared with {BETWEEN:.3f} of the initial one, the geometric mean, by a factor of "
    f"{BADLY / BETWEEN:.2f}"
)

fig2_best_deceptive = declare(
    of_figure(
        "fig2_best_deceptive",
        "UHE-BO beats all methods on Deceptive",
        WHERE,
        BEST,
        "On Deceptive UHE-BO has a smaller regret than each of the six other methods.",
        orders((OURS,), PEERS, ("deceptive2",)),
        (DIFFERENCE, *measures()),
        ("Deceptive in two dimensions, continuous", SIGNIFICANTLY),
    ),
    __name__,
)

fig2_best_h1 = declare(
    of_figure(
        "fig2_best_h1",
        "UHE-BO beats all methods on h1",
        WHERE,
        BEST,
        "On h1 UHE-BO has a smaller regret than each of the six other methods.",
        orders((OURS,), PEERS, ("h1",)),
        (DIFFERENCE, *measures()),
        ("h1 with the denominator of the literature", SIGNIFICANTLY),
    ),
    __name__,
)

fig2_comparable = declare(
    either(
        "compared with",
        "the sentence does not say: MAP and MCMC, which are said to do well there, or all six methods",
        {
            name: of_figure(
                "fig2_comparable",
                "UHE-BO is comparable on Branin and Hartman3",
                WHERE,
                BEST,
                "On Branin and on Hartmann3 UHE-BO is not behind the methods that it is compared with.",
                orders((OURS,), peers, ("branin", "hartmann3"), "not worse"),
                (DIFFERENCE, *measures()),
                (
                    "comparably: at most a tenth of the initial regret more, or twice the regret",
                    "on Branin random search leaves less than a tenth of the initial regret, so that every method is "
                    "comparable there by the first: these settings can fail on Hartmann3 alone",
                ),
            )
            for name, peers in {"MAP and MCMC": LIKELIHOODS, "all six": PEERS}.items()
        },
    ),
    __name__,
)

fig2_best = declare(
    of_figure(
        "fig2_best",
        "UHE-BO is best in finding the optimum",
        "section 7.2",
        "notes that it also performs the best in finding the global optimum (see Fig. 2).",
        "Over the four problems together UHE-BO has a smaller regret than each of the six other methods.",
        orders((OURS,), PEERS, PROBLEMS),
        measures(),
        ("the sentence names no problems: over the four together",),
        over="pooled",
    ),
    __name__,
)

fig2_easy = declare(
    of_figure(
        "fig2_easy",
        "Peers perform well on Branin and Hartman3",
        WHERE,
        THESE,
        "MAP and MCMC perform well on Branin and on Hartmann3.",
        orders(LIKELIHOODS, (INITIAL,), ("branin", "hartmann3")),
        left(),
        (SPLIT, f"at the end of the budget MAP on Hartmann3 has the seeds of {FRESH} too, where they are run"),
        source=runs(LIKELIHOODS, ("branin", "hartmann3"), more=FRESH),
        needs=(FIGURE, ARMS, FRESH),
        looks=2,
    ),
    __name__,
)

fig2_hard = declare(
    of_figure(
        "fig2_hard",
        "Peers perform badly on Deceptive and h1",
        WHERE,
        THESE,
        "MAP and MCMC perform badly on Deceptive and on h1.",
        orders((INITIAL,), LIKELIHOODS, ("deceptive2", "h1")),
        left(),
        (SPLIT,),
    ),
    __name__,
)

fig2_random_badly = declare(
    either(
        "badly",
        "of the initial regret, or behind UHE-BO, MAP and MCMC, as uhe.fig2_tuning_random reads it",
        {
            name: each_and_pooled(
                of_figure(
                    "fig2_random_badly",
                    "Random performs very badly",
                    "section 7.2",
                    "as shown in Fig. 2, Random performs very badly when finding the global optimum.",
                    "Random performs badly on the four problems.",
                    ordered,
                    measured,
                    (f"very badly is taken as badly: {SPLIT}",),
                )
            )
            for name, ordered, measured in (
                ("of the initial regret", orders((INITIAL,), ("random_search",), PROBLEMS), left()),
                ("behind the others", orders(MODELS, ("random_search",), PROBLEMS), measures()),
            )
        },
    ),
    __name__,
)

fig2_shrinking = declare(
    of_figure(
        "fig2_shrinking",
        "UHE-BO mostly beats methods with shrinking lengthscales",
        WHERE,
        "UHE-BO outperforms A-GP-UCB and Wang & de Freitas’ most of the time.",
        "UHE-BO has a smaller regret in more than half of the eight comparisons of two methods on four problems.",
        orders((OURS,), ("a_gp_ucb", "wang_de_freitas"), PROBLEMS),
        measures(),
        ("most of the time: in more than half of the comparisons",),
        quantifier="most",
    ),
    __name__,
)

fig2_portfolio_random = declare(
    each_and_pooled(
        of_figure(
            "fig2_portfolio_random",
            "UHE-BO beats Portfolio and Random",
            WHERE,
            "Finally, our UHE-BO also outperforms Porfolio and Random significantly.",
            "UHE-BO has a smaller regret than Portfolio and than Random on the four problems.",
            orders((OURS,), ("portfolio_exp3", "random_search"), PROBLEMS),
            measures(),
            (SIGNIFICANTLY,),
        )
    ),
    __name__,
)
