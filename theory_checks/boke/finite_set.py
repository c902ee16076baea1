"""Finite decision sets: Lemma 7, its proof's A (B6) as printed, and Theorem 8."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.engine.statistics import clopper_pearson
from theory_checks.boke.testbeds.bandit import INSTANCES, TwoArms, mean_lower_limit, theorem8_bound, two_arm_searches
from theory_checks.boke.testbeds.isolated_arms import regret_of_equal_arms, visits_after_prior
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.outward import at_most
from theory_checks.scales import ByScale, listed

HORIZON = ByScale(400, 4000, 100_000)
RUNS = ByScale(60, 150, 100)
DELTAS = (0.9, 0.5, 0.1, 0.01)
GAPS = ByScale((2.0, 3.5), (0.5, 1.0, 2.0, 3.0, 3.5, 4.0, 5.0), tuple(float(gap) for gap in range(1, 9)))
OUTLIERS = ByScale((1e-4, 1e-8), (1e-1, 1e-2, 1e-4, 1e-6, 1e-8), tuple(10.0**-k for k in range(1, 13)))
EXACT_HORIZON = ByScale(20, 24, 32)
PRIOR_TOTALS = (1e4, 1e6, 1e9)
"""The horizons T of runs whose initial design has nearly all observations."""
PRIOR_GAP, PRIOR_OWN = 0.5, 2000
"""The gap, and the number of observations after the initial design, several times the visits of x."""
PRIOR_RUNS = ByScale(2000, 2000, 20_000)
EQUAL_ARMS = (2, 16, 64)
EQUAL_GAPS = (1.5, 2.0)
"""The equal gaps, in units of sqrt(|X| log T / T)."""
EQUAL_RUNS = 400
SEED = 20257


def lemma7_bound(gap: float, horizon: int, bound: float, leading: float, constant: float) -> float:
    """C_1' log T / Delta^2 + C_2' for noise of parameter one."""
    return leading * bound * math.log(horizon) / gap**2 + constant


@claim(
    id="boke.lemma7",
    rule=f"""{len(INSTANCES)} bandits on [0, 1] that satisfy the hypotheses (one and several gaps, arms that share data,
        a kernel of height 3, two bandwidths in turn, Gaussian, Rademacher and extremal noise), T = {HORIZON}, {RUNS}
        runs each at smoke / quick / paper; and two-armed bandits of horizon {EXACT_HORIZON} solved exactly over a grid
        of gaps and two-point noises; and two arms of gap {PRIOR_GAP} after an initial design next to x* that hides a
        quarter of the gap, T = {listed(PRIOR_TOTALS)} in all, {PRIOR_RUNS} runs. Refuted if an exact E n_T(x) is above
        the bound, or an empirical-Bernstein lower limit (level shared by all arms) is. Vacuous if no refutation and
        every bound is >= T. Otherwise supported, and the summary says how much of the bound was reached.""",
    control={"leading": 6.0},
    control_statement="E n_T(x) <= 6 s^2 M_Psi log T / Delta^2(x) + 1 + 2 pi^2/3: 7 log T / Delta^2 is reached.",
    tests=1,
)
def lemma7(scale: str, *, leading: float = 64.0, constant: float = 1 + 2 * math.pi**2 / 3) -> Evidence:
    """Visits of suboptimal arms, by simulation and exactly."""
    rng = np.random.default_rng(SEED)
    horizon, runs = HORIZON[scale], RUNS[scale]
    alpha = level("A") / (len(PRIOR_TOTALS) + sum(int(np.sum(one.gaps > 0)) for one in INSTANCES))
    table, failures, informative = {}, [], 0
    for one in INSTANCES:
        visits = one.plays(runs, horizon, rng).visits(len(one.arms))
        worst: dict[str, Any] = {"ratio": 0.0}
        for arm in np.flatnonzero(one.gaps > 0):
            bound = lemma7_bound(one.gaps[arm], horizon, one.profile.bound, leading, constant)
            low = mean_lower_limit(visits[:, arm].astype(float), horizon, alpha)
            mean = float(visits[:, arm].mean())
            if mean / bound >= worst["ratio"]:
                worst = {"ratio": mean / bound, "visits": mean, "bound": bound, "gap": one.gaps[arm]}
            informative += bound < horizon
            if low > bound:
                failures.append(f"{one.name}: E n_T >= {low:.1f}, bound {bound:.1f}")
        table[one.name] = worst
    exact = max(
        (
            (float(law.walk(EXACT_HORIZON[scale])["visits"]), law)
            for law in two_arm_searches(GAPS[scale], OUTLIERS[scale])
        ),
        key=lambda found: found[0] / lemma7_bound(found[1].gap, EXACT_HORIZON[scale], 1.0, leading, constant),
    )
    exact_bound = lemma7_bound(exact[1].gap, EXACT_HORIZON[scale], 1.0, leading, constant)
    if exact[0] > exact_bound:
        failures.append(f"two arms, gap {exact[1].gap}, p {exact[1].p:g}: E n_T = {exact[0]:.3f} exactly")
    largest = max(worst["ratio"] for worst in table.values())
    prior: dict[float, dict[str, float]] = {}
    for total in PRIOR_TOTALS:
        visits = visits_after_prior(PRIOR_GAP, int(total), PRIOR_OWN, PRIOR_RUNS[scale], rng)
        bound = lemma7_bound(PRIOR_GAP, int(total), 1.0, leading, constant)
        low = mean_lower_limit(visits, PRIOR_OWN, alpha)
        prior[total] = {"visits": float(visits.mean()), "low": low, "bound": bound}
        if low > bound:
            failures.append(f"two arms after an initial design, T = {total:g}: E n_T >= {low:.1f}, bound {bound:.1f}")
    beside = [(one["visits"] - constant) * PRIOR_GAP**2 / math.log(t) for t, one in prior.items()]
    tightest = max(largest, exact[0] / exact_bound, *(row["visits"] / row["bound"] for row in prior.values()))
    numbers = {
        "horizon": horizon,
        "runs": runs,
        "bounds_below_horizon": informative,
        "largest_ratio_simulated": largest,
        "exact_worst": {"visits": exact[0], "bound": exact_bound, "gap": exact[1].gap, "p": exact[1].p},
        "instances": table,
        "after_an_initial_design": {f"T = {total:g}": row for total, row in prior.items()},
    }
    if failures:
        return Evidence(Verdict.REFUTED, failures[0], numbers)
    if not informative:
        return Evidence(Verdict.VACUOUS, f"every bound is above T = {horizon}", numbers)
    summary = (
        f"Visits reach at most {at_most(tightest, 3)} of the bound. Beside the constant they reach {max(beside):.1f} "
        "log T / Delta^2, "
        f"where {leading:g} are allowed (after an initial design that hides a quarter of the gap). "
        f"Below T are {informative} of the simulated bounds."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


def step_probabilities(law: TwoArms, horizon: int, threshold: float, conditional: bool) -> np.ndarray:
    """The left side of A (B6) times t^2 / 4 at t = 0, ..., T - 1, (T,); 0 where the condition has probability 0."""
    walk = law.walk(horizon, threshold)
    joint, event = np.asarray(walk["joint"]), np.asarray(walk["event"])
    if conditional:
        joint = np.divide(joint, event, out=np.zeros(horizon), where=event > 0)
    return joint * np.arange(horizon) ** 2 / 4


def replay_step(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the probability at the stored t, exact; right: the allowed one."""
    t, law = int(stored["t"]), TwoArms(stored["gap"], stored["p"])
    left = step_probabilities(law, t + 1, stored["threshold"], stored["conditional"])[t] * 4 / t**2
    return float(left), stored["allowed"] * 4 / t**2, bool(left > stored["allowed"] * 4 / t**2)


def _step(scale: str, conditional: bool, threshold: float, allowed: float) -> Evidence:
    horizon = EXACT_HORIZON[scale]
    found: list[tuple[float, float, int, TwoArms]] = []
    for law in two_arm_searches(GAPS[scale], OUTLIERS[scale]):
        ratios = step_probabilities(law, horizon, threshold, conditional)
        t = int(np.argmax(ratios))
        event = float(np.asarray(law.walk(horizon, threshold)["event"])[t])
        found.append((float(ratios[t]), event, t, law))
    # The example is the violation whose condition is likeliest.
    ratio, event, t, law = max(found, key=lambda item: (item[0] > allowed * (1 + 1e-9), item[1], item[0]))
    ratio = ratio if ratio > allowed * (1 + 1e-9) else max(item[0] for item in found)
    numbers = {
        "bandits": len(found),
        "horizon": horizon,
        "largest_ratio": max(item[0] for item in found),
        "shown": {"t": t, "gap": law.gap, "p": law.p, "ratio": ratio, "probability_of_condition": event},
    }
    if ratio <= allowed * (1 + 1e-9):
        summary = f"The probability is at most {ratio:.2g} of 4/t^2 in {len(found)} bandits that are solved exactly."
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    stored = {
        "gap": law.gap,
        "p": law.p,
        "t": t,
        "threshold": threshold,
        "conditional": conditional,
        "allowed": allowed,
    }
    kind = "given" if conditional else "and"
    summary = (
        f"Two arms have a gap of {law.gap:g} and outliers of probability {min(law.p, 1 - law.p):g}: at t = {t} the "
        "probability of "
        f"u_t(x) >= u_t(x*) {kind} W_t(x) >= {threshold:g} beta_t/Delta^2 is {ratio * 4 / t**2:.3g}, not <= "
        f"{allowed * 4 / t**2:.3g}."
    )
    return Evidence(Verdict.REFUTED, summary, numbers, stored)


_STEP_RULE = f"""Two-armed bandits, bandwidth below a quarter of the arms' distance, solved exactly by dynamic
    programming to t = {EXACT_HORIZON} at smoke / quick / paper, over a grid of gaps and of two-point noises of
    sub-Gaussian parameter one. Refuted if the probability exceeds the printed one (by more than 1e-9 of it) for any t;
    otherwise supported."""


@claim(
    id="boke.lemma7_b6",
    rule=_STEP_RULE,
    control={"allowed": 0.01},
    control_statement="The conditional probability is at most 0.04 / t^2.",
    replay=replay_step,
    severity="step",
    positive={"conditional": False},
    positive_statement="The joint probability, at these small t (it fails at large ones: boke.lemma7_b6_joint).",
)
def lemma7_b6(scale: str, *, allowed: float = 1.0, conditional: bool = True) -> Evidence:
    """The proof uses Theorem 2 given an event of the noise: many visits of x make an unlucky x* likely."""
    return _step(scale, conditional, 16.0, allowed)


@claim(
    id="boke.thm8",
    rule=f"""The {len(INSTANCES)} bandits of boke.lemma7, T = {HORIZON} (and T/10), {RUNS} runs each at smoke / quick /
        paper, and {listed(EQUAL_ARMS)} arms without shared data, all but one {listed(EQUAL_GAPS)} sqrt(|X| log T / T)
        below it, {EQUAL_RUNS} runs each; delta in {DELTAS}. Refuted if for one of them the exact binomial lower limit
        (level shared by all) of P(bound fails) is above delta. Vacuous if no refutation and the bound is never below
        T sup Delta. Otherwise supported, and the summary says how much of the bound was reached.""",
    control={"factor": 0.05},
    control_statement="R_T is at most a twentieth of the printed bound, of which 0.06 is reached.",
    tests=1,
)
def thm8(scale: str, *, factor: float = 1.0) -> Evidence:
    """Compares the distribution of the cumulative regret R_T with the bound and with the trivial bound T sup Delta."""
    rng, runs = np.random.default_rng(SEED + 1), RUNS[scale]
    horizons = (HORIZON[scale] // 10, HORIZON[scale])
    reached: list[tuple[str, int, float, int, float, np.ndarray]] = []  # name, |X|, sup Delta, T, M_Psi, R_T
    for one in INSTANCES:
        regret = one.plays(runs, horizons[-1], rng).regret(one.gaps)
        size, largest = len(one.arms), float(one.gaps.max())
        reached += [(one.name, size, largest, t, one.profile.bound, regret[:, t - 1]) for t in horizons]
    for arms in EQUAL_ARMS:
        for factor_of_gap in EQUAL_GAPS:
            gap = factor_of_gap * math.sqrt(arms * math.log(horizons[-1]) / horizons[-1])
            regret = regret_of_equal_arms(arms, gap, horizons[-1], EQUAL_RUNS, rng)
            reached.append((f"{arms} arms without shared data", arms, gap, horizons[-1], 1.0, regret))
    alpha = level("A") / (len(reached) * len(DELTAS))
    cases, failures = [], []
    for name, size, largest, horizon, height, values in reached:
        for delta in DELTAS:
            bound = factor * theorem8_bound(size, largest, horizon, delta, height)
            low = float(clopper_pearson(int(np.sum(values > bound)), len(values), 1 - 2 * alpha).low)
            ratio = float(np.quantile(values, 1 - delta)) / bound
            cases.append((bound / (horizon * largest), ratio, name, delta, horizon))
            if low > delta:
                failures.append(f"{name}, T = {horizon}: the bound fails with probability >= {low:.2f} > {delta}")
    informative = [case for case in cases if case[0] < 1]
    numbers: dict[str, Any] = {
        "cases": len(cases),
        "below_trivial": len(informative),
        "smallest_bound_over_trivial": min(case[0] for case in cases),
        "median_bound_over_trivial": float(np.median([case[0] for case in cases])),
        "largest_quantile_over_bound": max(case[1] for case in cases),
        "largest_quantile_over_bound_where_informative": max((case[1] for case in informative), default=None),
        "informative": [{"instance": c[2], "delta": c[3], "T": c[4], "bound_over_trivial": c[0]} for c in informative],
    }
    if failures:
        return Evidence(Verdict.REFUTED, failures[0], numbers)
    if not informative:
        return Evidence(Verdict.VACUOUS, "the bound is never below T sup Delta", numbers)
    everywhere = at_most(numbers["largest_quantile_over_bound"], 3)
    there = at_most(numbers["largest_quantile_over_bound_where_informative"], 3)
    summary = (
        f"The (1-delta)-quantile of R_T reaches at most {everywhere} of the bound, and {there} in the "
        f"{len(informative)} "
        f"of {len(cases)} cases where the bound is below the trivial T sup Delta."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)
