"""The mechanism of UHE-BO: the bandit learns (section 7.2), and data of Bayesian optimisation mislead (Figure 1)."""

from collections.abc import Iterator

import numpy as np

from experiments.engine.result_file import Result
from experiments.measures.estimates import lengthscale_error
from theory_checks.ledger import Origin
from theory_checks.paired_seeds import Undecided, stored
from theory_checks.readings.curve import Setting
from theory_checks.readings.declaration import Reading, declare
from theory_checks.readings.judgement import Claimed, Comparison
from theory_checks.readings.uhe.components import PAIRS
from theory_checks.readings.uhe.runs import ARMS, FIGURE, OURS, PROBLEMS, defaults, questions, texts

LEARNING, ESTIMATES = "uhe.exp3", "uhe.fig1"
LEARNT = 0.05
"""A bandit learns if the mean probability of an arm ends this far from a half."""
WORSE = 0.1
"""The smallest difference of |log(estimate / truth)| that matters."""


def ends(result: Result) -> np.ndarray:
    """Probability of a random query at the last evaluation minus a half, (seeds,)."""
    name = "random_probability" if "random_probability" in result.arrays else "info_random_probability"
    return np.asarray(np.asarray(result.arrays[name], float)[:, -1] - 0.5)


def learnt(scale: str) -> Iterator[Setting]:
    """The shift of the probabilities, to either side, on two problems, under each way to scale the rewards."""
    usual = defaults((OURS,), ("branin",))
    main = stored(FIGURE, scale, [(problem, OURS) for problem in PROBLEMS])
    try:
        more = stored(LEARNING, scale, main)
    except Undecided:
        more = {}
    for text, found, missing in texts(scale, (OURS,), PROBLEMS, main):
        if "box of h1" in text:
            continue
        moved = {problem: ends(one) for (problem, _), one in found.items()}
        if not text:
            moved |= {problem: np.concatenate([moved[problem], ends(one)]) for (problem, _), one in more.items()}
        comparisons = {
            problem: [
                Comparison(problem, {problem: values * np.sign(values.mean())}, Claimed("better", LEARNT), "student")
            ]
            for problem, values in moved.items()
        }
        for pair, places in PAIRS.items():
            groups = {problem: comparisons[problem] for problem in places.values() if problem in comparisons}
            absent = [problem for problem in places.values() if problem not in comparisons]
            choices = {"two problems": pair, **usual, **text}
            yield Setting(choices, groups, missing=missing if absent else "", absent=absent)


exp3_learns = declare(
    Reading(
        id="uhe.exp3_learns",
        title="UHE-BO learns to switch between decisions",
        paper="D",
        where="section 7.2",
        says="In contrast, UHE-BO is more efficient because it learns to switch between decisions using EXP3.",
        means=f"On both of two problems the mean probability of a random query ends at least {LEARNT:g} away from the "
        "half where it starts (Student's test, on the side where the mean lies).",
        deviations=(
            "learning is measured by the mean over runs: a bandit that learns nothing ends anywhere in a single one",
            "the side is not said, so that a setting without learning holds with twice the probability of a test",
        ),
        needs=(FIGURE, ARMS, LEARNING),
        settings=learnt,
        questions={"two problems": "of Figure 5, two that are not named"}
        | {name: text for name, text in questions((OURS,), ("branin",)).items() if name != "budget"},
        looks=2,
    ),
    __name__,
)


def misled(scale: str) -> Iterator[Setting]:
    """Error of the estimate from data of Bayesian optimisation minus the error from i.i.d. data of the same path."""
    (one,) = stored(ESTIMATES, scale).values()
    worse = lengthscale_error(one, "optimisation") - lengthscale_error(one, "iid")
    name = "data of optimisation against i.i.d. data"
    yield Setting({}, {name: [Comparison(name, {"gp_sample1": worse}, Claimed("better", WORSE), "student")]})


fig1_worse = declare(
    Reading(
        id="uhe.fig1_worse",
        title="Lengthscales from BO data are farther from the truth",
        paper="D",
        where="Figure 1, section 4",
        says="On sample paths of our choice, the lengthscale of largest posterior density is farther from the true one "
        "with data of Bayesian optimisation than with as many i.i.d. data.",
        means=f"The mean of |log(estimate / truth)| is larger by {WORSE:g} at least; Student's test, paired by path.",
        deviations=(
            "sample paths of Matern-5/2 on [0, 1], l = 0.1, 15 observations, GP-UCB with MAP estimates",
            'the paper says of one function, not named, that the posterior "might not represent the true posterior"',
        ),
        needs=(ESTIMATES,),
        settings=misled,
        origin=Origin.HERE,
    ),
    __name__,
)
