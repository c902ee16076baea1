"""How the method is said to work: its bandit learns, and data of Bayesian optimisation mislead (Figures 1, 2 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.engine.result_file import Result
from experiments.uhe.benchmarks import SEEDS
from experiments.uhe.exp3 import SEEDS as MANY_SEEDS
from theory_checks.ledger import Evidence, Verdict, level
from theory_checks.pairs import Comparison, Undecided, stored
from theory_checks.readings import SUPPORT, Rule, judge, reading
from theory_checks.sides import ANYWHERE, above, as_difference, lies
from theory_checks.uhe.instruments.comparison import ARMS, FIGURE, MAIN, OURS, arm_of, circumstances
from theory_checks.uhe.readings import PROBLEMS
from theory_checks.undecided import undecided

LEARNING = "uhe.exp3"
SCALINGS = ("rate", "scale", "uncapped")
"""The readings that are judged."""
LEARNT = 0.05
"""A bandit has learnt something if at the end its mean probability of one arm is this far from a half."""
SHARES = Rule(effect=0.05, test="student", support=SUPPORT)
WORSE = 0.1
"""Of |log(estimate / truth)|: data of Bayesian optimisation are worse than i.i.d. data by at least this."""
ESTIMATES = Rule(effect=0.2, test="student", support=SUPPORT)


def many_runs(scale: str) -> dict[str, Result]:
    """Problem → the runs of `experiments.uhe.exp3` at a scale, blocks of seeds stacked; none where none are stored."""
    try:
        return {problem: result for (problem, _), result in stored(LEARNING, scale).items()}
    except Undecided:
        return {}


def ends(result: Result) -> np.ndarray:
    """(seeds,) probability of a random query at the last evaluation."""
    name = "random_probability" if result.config["study"] == LEARNING else "info_random_probability"
    return np.asarray(result.arrays[name], float)[:, -1]


def _moved(values: np.ndarray, least: float) -> int:
    """1 where their mean lies outside the band at the level of support, -1 where inside at the ledger's, else 0."""
    band = (-least, least)
    if lies(values, band, 2 * SUPPORT, "student") < 0:
        return 1
    return -1 if lies(values, band, level("D"), "student") > 0 else 0


def replay_moved(counterexample: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: mean distance of the stored probabilities from a half; right: the least one claimed."""
    values, least = np.asarray(counterexample["samples"], float), float(counterexample["least"])
    inside = lies(values, (-least, least), float(counterexample["level"]), "student") > 0
    return abs(float(values.mean())), least, inside


@reading(
    id="uhe.exp3_learns",
    paper="D",
    number="section 7.2",
    statement="UHE-BO learns to switch between decisions using EXP3.",
    hypotheses=(
        "the rewards of Algorithm 1, scaled by D_0 and capped there, or not capped",
        "initial data and budget of docs/constants.md",
    ),
    rule=f"""Probability of the arm with a random query at the end of a run, less a half, mean over seeds, Student's
    test, problem by problem; Deceptive and h1 also without the cap. A way of scaling supports if on every problem it
    lies at least {LEARNT:g} away from zero at {SUPPORT} (on either side), and refutes if on every one it lies within
    {LEARNT:g} at the ledger's level. Supported or refuted by the ways that say so, depends if they differ, otherwise
    inconclusive. Smallest effect that matters: {SHARES.effect:g}. Runs of a bandit that has learnt nothing spread by
    0.17 to 0.19, so that it takes about 400 seeds a problem to find it: with the rewards scaled as in Figure 2 the
    {len(MANY_SEEDS["paper"])} seeds of uhe.exp3, where they are stored, stand in the place of Figure 2's, of which
    there are {SEEDS["paper"]} ({SEEDS["quick"]} at scale quick).""",
    control={"least": 0.3},
    control_statement="The probability ends at least 0.3 from a half.",
    positive={"least": 0.01},
    positive_statement="The probability ends at least a hundredth from a half.",
    severity="substantive",
    replay=replay_moved,
    amended=f"""After the {SEEDS["paper"]} seeds of Figure 2 at scale paper, which left every problem open: 400 others,
    as many as the rule had said that it takes, judged in their place and once.""",
    tests=len(PROBLEMS),
    needs=(FIGURE, ARMS, LEARNING),
)
def exp3_learns(scale: str, *, least: float = LEARNT) -> Evidence:
    """How far the arms' probabilities have moved."""
    outcomes: list[int] = []
    numbers: dict[str, Any] = {"level": level("D")}
    kept: dict[str, Any] | None = None
    first: dict[str, np.ndarray] = {}
    more = {problem: ends(result) - 0.5 for problem, result in many_runs(scale).items()}
    for one in circumstances(scale, PROBLEMS, (OURS,), arms=True):
        samples = {
            problem: ends(result) - 0.5
            for (problem, _), result in one.results.items()
            if one.share == 1.0 and one.name in SCALINGS and arm_of(result) == one.name
        }
        if samples and one.name == MAIN:
            samples |= more
        if not samples:
            continue
        sides = [_moved(values, least) for values in samples.values()]
        first = first or samples
        outcomes.append(1 if min(sides) > 0 else -1 if max(sides) < 0 else 0)
        numbers[one.name] = {problem: as_difference(values) for problem, values in samples.items()}
        if outcomes[-1] < 0 and kept is None:
            kept = {"samples": next(iter(samples.values())).tolist(), "least": least, "level": level("D")}
    shown = "; ".join(
        f"{name}: " + ", ".join(f"{problem} {row['mean'][0]:+.3f}" for problem, row in rows.items())
        for name, rows in numbers.items()
        if name in SCALINGS
    )
    summary = f"probability of a random query at the end, less a half: {shown} (scale {scale})"
    said = {side for side in outcomes if side}
    if not said and first:
        open_ = [(values, ANYWHERE) for values in first.values()]
        numbers["undecided"] = undecided(open_, SHARES.repetitions, level("D"), "student")
    if said == {1, -1}:
        return Evidence(Verdict.DEPENDS, summary, numbers)
    if said == {-1}:
        return Evidence(Verdict.REFUTED, summary, numbers, kept)
    return Evidence(Verdict.SUPPORTED if said == {1} else Verdict.INCONCLUSIVE, summary, numbers)


@reading(
    id="uhe.fig1_worse",
    paper="D",
    number="Figure 1, section 4",
    statement="""On sample paths of our choice, the posterior of a lengthscale estimated from data of Bayesian
    optimisation represents the true one worse than that from as many i.i.d. data.""",
    hypotheses=(
        "sample paths of Matérn-5/2 on [0, 1], l = 0.1, 15 observations",
        "GP-UCB with MAP estimates",
        'the paper says of one function, which it does not name, that the posterior "might not represent the true" one',
    ),
    rule=f"""|log(estimate / truth)| of the lengthscale of largest density, data of Bayesian optimisation less i.i.d.
    data of the same path; Student's test of the mean. Supported if at least {WORSE:g} at {SUPPORT}, refuted if below it
    at the ledger's level, otherwise inconclusive. Smallest effect that matters: {ESTIMATES.effect:g}.""",
    control={"worse": 0.5},
    control_statement="It is worse by at least a half.",
    positive={"worse": -0.2},
    positive_statement="It is better by at most 0.2.",
    origin="here",
    tests=1,
    needs=("uhe.fig1",),
)
def fig1_worse(scale: str, *, worse: float = WORSE) -> Evidence:
    """Errors of the estimates."""
    results = stored("uhe.fig1", scale)
    (arrays,) = [one.arrays for one in results.values()]
    truth = float(arrays["true_lengthscale"])
    errors = {kind: np.abs(np.log(np.asarray(arrays[f"map_{kind}"]) / truth)) for kind in ("optimisation", "iid")}
    comparison = Comparison("bo - iid", {"gp_sample1": errors["optimisation"] - errors["iid"]}, above(worse))
    found = judge([comparison], ESTIMATES, level("D"), scale)
    summary = (
        f"mean error {errors['optimisation'].mean():.3f} from BO data, {errors['iid'].mean():.3f} from i.i.d. data"
    )
    return found.evidence(f"{summary} ({len(comparison.pooled)} paths, scale {scale})", found.numbers(as_difference))
